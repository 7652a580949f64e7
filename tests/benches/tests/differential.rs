//! The engine beside NVIDIA's own header, called in this process: each limit over its whole domain, then everything at random.
//!
//! The limits do not depend on one another (only partitioned caching links registers to warps), so equality of each over
//! its own domain is equality of their minimum over all combinations. The random part holds that claim to account.
//!
//! Where the header cannot be built, the tests say so and pass.

use std::sync::LazyLock;
use std::time::Instant;

use occuscope::arch::Arch;
use occuscope::engine::limits::{allocated_smem_bytes, limits};
use occuscope_proofs::header::{Answer, Call, Header, header_limit};
use occuscope_proofs::random::Random;
use occuscope_proofs::{archs, in_parallel};

/// Built once for all tests.
static HEADER: LazyLock<Result<Header, String>> = LazyLock::new(Header::load);

/// Runs `work` on every architecture and prints how many launches it compared.
fn compare(what: &str, work: impl Fn(&Header, &'static Arch) -> u64 + Sync) {
    let header = match &*HEADER {
        Ok(header) => header,
        Err(why) => return println!("{what}: skipped: {why}"),
    };
    let start = Instant::now();
    let archs = archs();
    assert_eq!(archs.len(), 22);
    let count: u64 = in_parallel(&archs, |arch| work(header, arch)).iter().sum();
    println!("{what}: {count} launches equal in {:.1} s", start.elapsed().as_secs_f64());
}

fn small(count: u32) -> i32 {
    i32::try_from(count).expect("a small count")
}

#[test]
fn registers_and_warps_over_their_whole_domain() {
    compare("registers × warps × partitioned caching", |header, arch| {
        let mut count = 0;
        let domain = (1..=1024).flat_map(|threads| (0..=256).map(move |registers| (threads, registers)));
        // Beyond the domain: too many threads, too many registers.
        let beyond = (1025..=2048).map(|threads| (threads, 32)).chain((257..=600).map(|registers| (32, registers)));
        for (threads, registers) in domain.chain(beyond) {
            for caching in 0..=2 {
                let call = Call { caching, ..Call::new(arch.compute_capability, threads, registers) };
                let (ours, theirs) = (call.answer_of_engine(arch), header.eval(&call));
                let columns = |answer: &Answer| {
                    (answer.limit_warps, answer.limit_registers, answer.registers_per_block, answer.caching, answer.blocks, answer.mask)
                };
                assert_eq!(columns(&ours), columns(&theirs), "{call:?}");
                count += 1;
            }
        }
        count
    });
}

/// Everything that decides about shared memory beside the number of bytes, with the bytes still to be put in.
fn smem_options(arch: &Arch) -> Vec<Call> {
    let plain = Call::new(arch.compute_capability, 32, 16);
    let pools: Vec<Call> = [-1, 0, 10, 25, 50, 75, 100]
        .into_iter()
        .map(|carveout| Call { carveout, ..plain })
        .chain([1, 2, 3].into_iter().map(|cache| Call { cache, ..plain }))
        .collect();
    let mut options = Vec::new();
    for pool in pools {
        options.push(Call { opt_in: 0, ..pool });
        options.extend([u64::MAX, 0, 20_000, 60_000].map(|max_dynamic| Call { max_dynamic, ..pool }));
        options.push(Call { static_smem: 1000, ..pool });
    }
    options
}

#[test]
fn shared_memory_over_every_byte() {
    compare("every byte of shared memory × options", |header, arch| {
        let mut count = 0;
        let last = u64::from(arch.smem_per_sm_bytes) + 2048;
        let calls = smem_options(arch).into_iter().flat_map(|call| {
            let as_dynamic = (0..=last).map(move |bytes| Call { dynamic_smem: bytes, ..call });
            // The same bytes as static memory, where nothing is said about it yet.
            let as_static = (0..=last).map(move |bytes| Call { static_smem: bytes, ..call }).filter(move |_| call.static_smem == 0);
            as_dynamic.chain(as_static)
        });
        for call in calls {
            let launch = call.launch().expect("a launch");
            let ours = (header_limit(limits(arch, &launch).shared_memory), allocated_smem_bytes(arch, &launch));
            let theirs = header.eval(&call);
            assert_eq!(ours, (theirs.limit_smem, theirs.smem_per_block), "{call:?}");
            count += 1;
        }
        count
    });
}

#[test]
fn barriers_and_virtual_resources_over_their_whole_domain() {
    compare("barriers × virtual resources", |header, arch| {
        let mut count = 0;
        for barriers in 0..=130 {
            for virtual_resources in 0..=130 {
                for threads in [32, 256] {
                    let call = Call { barriers, virtual_resources, ..Call::new(arch.compute_capability, threads, 32) };
                    assert_eq!(call.answer_of_engine(arch), header.eval(&call), "{call:?}");
                    count += 1;
                }
            }
        }
        count
    });
}

/// Rows of the random run, for each architecture.
const RANDOM_ROWS: u64 = 400_000;

fn random_call(random: &mut Random, arch: &Arch) -> Call {
    let smem = u64::from(arch.smem_per_sm_bytes) + 4096;
    let bytes = |random: &mut Random| match random.below(5) {
        0 => 0,
        1 => random.below(64) * 1024 + random.below(3),
        2 => random.below(48 * 1024 + 2),
        // Far beyond, and short of where the header's own `int` overflows.
        3 if random.chance(5) => random.below(1 << 30),
        _ => random.below(smem),
    };
    let below = |random: &mut Random, end: u32| small(u32::try_from(random.below(end.into())).expect("below a u32"));
    let mut call = Call::new(arch.compute_capability, below(random, 1040), below(random, 260));
    if random.chance(50) {
        call.threads = 32 * (1 + below(random, 33));
    }
    if random.chance(1) {
        call.threads = random.pick(&[-1, 0, 2048, 100_000]);
    }
    if random.chance(1) {
        call.registers = random.pick(&[-1, 256, 257, 1000]);
    }
    if random.chance(70) {
        call.dynamic_smem = bytes(random);
    }
    if random.chance(40) {
        call.static_smem = bytes(random);
    }
    if random.chance(40) {
        call.max_dynamic = bytes(random);
    }
    call.opt_in = i32::from(random.chance(75));
    if random.chance(50) {
        call.carveout = below(random, 104) - 2;
    }
    call.cache = below(random, 4);
    call.caching = below(random, 3);
    if random.chance(50) {
        call.barriers = below(random, 70);
    }
    if random.chance(20) {
        call.virtual_resources = below(random, 132);
    }
    call
}

#[test]
fn everything_at_random() {
    compare("all options at random", |header, arch| {
        let cc = arch.compute_capability;
        let mut random = Random::new(u64::from(cc.major) << 8 | u64::from(cc.minor));
        let mut invalid = 0;
        for _ in 0..RANDOM_ROWS {
            let call = random_call(&mut random, arch);
            let theirs = header.eval(&call).normalized();
            assert_eq!(call.answer_of_engine(arch), theirs, "{call:?}");
            invalid += u64::from(theirs.error != 0);
        }
        assert!(invalid > 1000, "refused inputs are tried too");
        RANDOM_ROWS
    });
}
