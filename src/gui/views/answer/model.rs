//! What the answer panel says.

use crate::arch::Arch;
use crate::engine::advice::{self, Change, Headroom, Input};
use crate::engine::refusal::largest_launchable_threads;
use crate::engine::trace::{Step, trace};
use crate::engine::{Launch, Limit, Occupancy, Resource, Waves};
use crate::explain::{Sentence, headline};
use crate::fmt::{bytes, counted, grouped};
use crate::session::Session;

/// Everything in the panel, worked out once per frame from the session.
#[derive(Clone, Debug)]
pub struct Answer {
    pub occupancy: Occupancy,
    pub sentence: Sentence,
    pub limits: Vec<LimitRow>,
    pub steps: Vec<NextStep>,
    /// Said when changing one input cannot help.
    pub tie: Option<String>,
    /// Changes two inputs where changing one cannot help.
    pub pair: Option<NextStep>,
    pub free: Vec<FreeRow>,
    pub same_occupancy: Vec<(u32, u32)>,
    pub code: Vec<CodeLine>,
    pub waves: Option<Waves>,
    pub trace: Vec<Step>,
    /// The largest block that could launch with everything else as it is, when this one cannot.
    pub way_out: Option<NextStep>,
}

/// How many blocks one resource allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitRow {
    pub resource: Resource,
    pub limit: Limit,
    pub binds: bool,
    /// What a block takes of what there is: "49 of 164 KiB".
    pub detail: String,
}

/// A change that leads to another answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    pub title: String,
    pub note: String,
    pub result: String,
    pub result_note: String,
    pub launch: Launch,
}

/// How much of an input can be added for free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeRow {
    pub name: &'static str,
    /// "64 → 80", or that there is none.
    pub text: String,
    /// What comes after that: "81: 3 blocks, 37.5 %". Empty where there are no larger values.
    pub loss: String,
    /// The launch with that next value.
    pub loss_launch: Option<Launch>,
}

/// A line of source that goes with this launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    /// What copying it is called.
    pub name: &'static str,
    pub code: String,
    pub note: String,
}

/// The order of the limits; fixed, so that nothing jumps while a slider is dragged.
const ORDER: [Resource; 5] = [Resource::Registers, Resource::SharedMemory, Resource::Warps, Resource::Blocks, Resource::Barriers];

impl Answer {
    pub fn new(session: &Session) -> Self {
        let (arch, launch) = (session.arch(), &session.document().configuration.launch);
        let occupancy = session.occupancy();
        let gains = advice::gains(arch, launch);
        Self {
            sentence: headline(arch, launch, &occupancy),
            limits: ORDER.into_iter().map(|resource| limit_row(session, &occupancy, resource)).collect(),
            tie: tie(&occupancy, &gains),
            steps: gains.iter().map(next_step).collect(),
            free: advice::headroom(arch, launch).iter().map(free).collect(),
            same_occupancy: advice::same_occupancy(arch, launch),
            code: launch_bounds(session, &occupancy).into_iter().chain(opt_in(arch, launch)).collect(),
            pair: advice::pair_gain(arch, launch, &gains).map(pair_step),
            waves: session.waves(),
            trace: trace(arch, launch, session.gpu().and_then(|gpu| gpu.num_sms)),
            way_out: way_out(session, &occupancy).filter(|way| !gains.iter().any(|change| change.launch == way.launch)),
            occupancy,
        }
    }
}

fn limit_row(session: &Session, occupancy: &Occupancy, resource: Resource) -> LimitRow {
    let (arch, launch) = (session.arch(), &session.document().configuration.launch);
    let demand = occupancy.next_block(resource, arch, launch);
    let amount = |value: u64| if resource == Resource::SharedMemory { bytes(value) } else { grouped(value) };
    let detail = match (demand, resource) {
        (Some(demand), _) => format!("{} of {}", amount(demand.needed), amount(demand.total)),
        (None, Resource::Barriers) if arch.max_barriers_per_sm.is_none() => "no limit before 9.0".to_owned(),
        (None, _) => "none used".to_owned(),
    };
    LimitRow { resource, limit: occupancy.limits.get(resource), binds: occupancy.limiters.contains(resource), detail }
}

fn amount(input: Input, value: u64) -> String {
    match input {
        Input::StaticSmem | Input::DynamicSmem => bytes(value),
        Input::Carveout => format!("{value} %"),
        _ => grouped(value),
    }
}

/// "48 KiB → 40 KiB".
fn from_to(input: Input, from: u64, to: u64) -> String {
    format!("{} → {}", amount(input, from), amount(input, to))
}

/// The theoretical occupancy, in percent or warps.
fn figure(occupancy: &Occupancy) -> String {
    crate::fmt::occupancy_briefly(occupancy.theoretical_percent(), occupancy.max_warps_per_sm)
}

pub fn next_step(change: &Change) -> NextStep {
    let difference = change.from.abs_diff(change.to);
    let less = if change.to < change.from { "less" } else { "more" };
    let price = match change.input {
        Input::RegistersPerThread => format!("{difference} fewer; may spill"),
        Input::ThreadsPerBlock => "nothing else changes".to_owned(),
        input => format!("{} {less}", amount(input, difference)),
    };
    let limiters: Vec<String> = change.occupancy.limiters.iter().map(|resource| resource.letter().to_string()).collect();
    let wall = match limiters.as_slice() {
        [] => String::new(),
        [only] => format!("; then {only} binds"),
        several => format!("; then {} tie", several.join(", ")),
    };
    NextStep {
        title: format!("{} {}", change.input.name(), from_to(change.input, change.from, change.to)),
        note: format!("{price}{wall}"),
        result: figure(&change.occupancy),
        result_note: counted(change.occupancy.blocks_per_sm.into(), "block"),
        launch: change.launch.clone(),
    }
}

fn tie(occupancy: &Occupancy, gains: &[Change]) -> Option<String> {
    if !occupancy.can_launch() || occupancy.active_warps_per_sm() >= occupancy.max_warps_per_sm {
        return None;
    }
    let names: Vec<&str> = occupancy.limiters.iter().map(Resource::name).collect();
    match names.as_slice() {
        [] => None,
        [_] if gains.is_empty() => Some("No single change gains a warp.".to_owned()),
        [only] => (!gains.iter().any(|change| change.input == Input::RegistersPerThread) && *only != Resource::Registers.name())
            .then(|| format!("Fewer registers gain nothing: {} still binds.", only.to_lowercase())),
        [first, others @ ..] => {
            let others: Vec<String> = others.iter().map(|name| name.to_lowercase()).collect();
            Some(format!("{first} and {} tie: fixing only one gains nothing.", others.join(" and ")))
        }
    }
}

fn pair_step(pair: advice::PairChange) -> NextStep {
    let [(one, one_from, one_to), (other, other_from, other_to)] = pair.changes;
    let name = |input: Input| input.name().to_lowercase();
    let spills = if [one, other].contains(&Input::RegistersPerThread) { "; may spill" } else { "" };
    NextStep {
        title: format!("{} and {} together", one.name(), name(other)),
        note: format!("{}, {}{spills}", from_to(one, one_from, one_to), from_to(other, other_from, other_to)),
        result: figure(&pair.occupancy),
        result_note: counted(pair.occupancy.blocks_per_sm.into(), "block"),
        launch: pair.launch,
    }
}

fn free(headroom: &Headroom) -> FreeRow {
    let Headroom { input, now, up_to, loss } = headroom;
    let text = if up_to == now { "none".to_owned() } else { from_to(*input, *now, *up_to) };
    let loss_launch = loss.as_ref().map(|loss| loss.launch.clone());
    let loss = loss.as_ref().map(|loss| match loss.occupancy.blocks_per_sm {
        0 => format!("{}: cannot launch", amount(*input, loss.to)),
        blocks => {
            format!("{}: {}, {}", amount(*input, loss.to), counted(blocks.into(), "block"), figure(&loss.occupancy))
        }
    });
    FreeRow { name: input.name(), text, loss: loss.unwrap_or_default(), loss_launch }
}

/// The call without which a kernel does not start with more than 48 KiB of dynamic shared memory.
///
/// More static shared memory than that is not to be had at all: the compiler says so, and the way is the same call.
fn opt_in(arch: &Arch, launch: &Launch) -> Option<CodeLine> {
    let default = u64::from(arch.default_smem_per_block_bytes);
    let is_static = launch.static_smem_bytes > default;
    let wanted = default + 1..=arch.optin_smem_per_block_bytes.into();
    if !wanted.contains(&launch.requested_smem_bytes()) {
        return None;
    }
    let allowed = bytes(default);
    let dynamic = if is_static { launch.requested_smem_bytes() } else { launch.dynamic_smem_bytes };
    Some(CodeLine {
        name: "Copy the opt-in",
        code: format!("cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {dynamic})"),
        note: if is_static {
            format!("no more than {allowed} can be static: declare it extern __shared__, opt in before the launch, and pass the size")
        } else {
            format!("call it before the launch: more than {allowed} a block needs it")
        },
    })
}

fn launch_bounds(session: &Session, occupancy: &Occupancy) -> Option<CodeLine> {
    let (arch, launch) = (session.arch(), &session.document().configuration.launch);
    if !occupancy.can_launch() {
        return None;
    }
    let registers = advice::max_registers_for_blocks(arch, launch, occupancy.blocks_per_sm)?;
    let threads = launch.threads_per_block();
    Some(CodeLine {
        name: "Copy the launch bounds",
        code: format!("__launch_bounds__({threads}, {})", occupancy.blocks_per_sm),
        note: format!("lets the compiler use up to {}; as a flag, -maxrregcount={registers}", counted(registers.into(), "register")),
    })
}

fn way_out(session: &Session, occupancy: &Occupancy) -> Option<NextStep> {
    let (arch, launch) = (session.arch(), &session.document().configuration.launch);
    if occupancy.can_launch() {
        return None;
    }
    let threads = largest_launchable_threads(arch, launch)?;
    let smaller = Input::ThreadsPerBlock.set(launch, threads.into());
    let answer = crate::engine::evaluate(arch, &smaller);
    Some(NextStep {
        title: format!("Threads {}", from_to(Input::ThreadsPerBlock, launch.threads_per_block().into(), threads.into())),
        note: "the largest block that can launch".to_owned(),
        result: figure(&answer),
        result_note: counted(answer.blocks_per_sm.into(), "block"),
        launch: smaller,
    })
}
