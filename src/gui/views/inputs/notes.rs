//! The words under each input: what rounding makes of the number above.

use crate::engine::{Launch, Occupancy};
use crate::fmt::{bytes, counted, grouped, kib_number};
use crate::session::Session;

/// "8.0 · 108 SMs · 64 warps · 164 KiB".
pub fn gpu(session: &Session) -> String {
    let arch = session.arch();
    let sms = session.gpu().map(|gpu| format!("{} · ", gpu.sms_in_words())).unwrap_or_default();
    format!("{} · {sms}{} warps · {}", arch.capability_in_words(), arch.max_warps_per_sm(), bytes(arch.smem_per_sm_bytes.into()))
}

/// What is not certain about the chosen GPU.
pub fn doubts(session: &Session) -> Vec<String> {
    let of_product = session.gpu().and_then(|gpu| gpu.uncertain.clone());
    session.arch().uncertain.iter().cloned().chain(of_product).collect()
}

pub fn threads(launch: &Launch) -> String {
    let shape = if launch.block.is_linear() { format!("{} × 1 × 1", launch.block.x) } else { launch.block.to_string() };
    let warps = launch.warps_per_block();
    let idle = warps.saturating_mul(32).saturating_sub(launch.threads_per_block());
    let idle = if idle > 0 { format!(" · {} empty", counted(idle.into(), "lane")) } else { String::new() };
    format!("{} · shape {shape}{idle}", counted(warps.into(), "warp"))
}

pub fn registers(occupancy: &Occupancy) -> String {
    let registers = &occupancy.registers;
    let lost = registers.allocated_per_thread.saturating_sub(registers.requested_per_thread);
    let rounding = match (registers.requested_per_thread, lost) {
        (0, _) => "no register limit".to_owned(),
        (_, 0) => "nothing lost to rounding".to_owned(),
        (asked, _) => format!("{asked} asked, {} allocated", registers.allocated_per_thread),
    };
    format!("{} a warp · {rounding}", grouped(registers.allocated_per_warp))
}

/// "49 KiB allocated with the 1 KiB reserve".
pub fn shared_memory(occupancy: &Occupancy) -> String {
    let smem = &occupancy.smem;
    let reserve = if smem.reserved_per_block > 0 { format!(" with the {} reserve", bytes(smem.reserved_per_block)) } else { String::new() };
    let rounding = match smem.rounding_per_block() {
        0 => String::new(),
        lost => format!(", {lost} B lost to rounding"),
    };
    let allocated = smem.allocated_per_block;
    let allocated = if crate::fmt::in_bytes() { bytes(allocated) } else { format!("{} {}", kib_number(allocated), crate::fmt::kib_unit()) };
    format!("{allocated} allocated{reserve}{rounding}")
}

/// The compiler refuses more static shared memory than any launch can mend.
pub fn static_shared(launch: &Launch) -> String {
    if launch.static_smem_bytes > 48 * 1024 {
        format!("The compiler refuses more than {} static; make the rest dynamic.", bytes(48 * 1024))
    } else {
        String::new()
    }
}

/// "3.16 waves of 324 blocks".
pub fn grid(session: &Session) -> String {
    let launch = &session.document().configuration.launch;
    match (launch.grid, session.gpu(), session.waves()) {
        (None, ..) => "Empty: no waves".to_owned(),
        (Some(_), None, _) => "Choose a product to see waves".to_owned(),
        (Some(_), Some(_), None) => "No waves: cannot launch".to_owned(),
        (Some(_), Some(_), Some(waves)) => format!("{:.2} waves of {}", waves.waves(), counted(waves.blocks_per_wave, "block")),
    }
}

/// "256 threads, 64 registers, 48 KiB".
pub fn launch_in_words(launch: &Launch) -> String {
    let smem = launch.requested_smem_bytes();
    let smem = if smem > 0 { format!(", {}", bytes(smem)) } else { String::new() };
    format!("{}, {}{smem}", counted(launch.threads_per_block().into(), "thread"), counted(launch.registers_per_thread.into(), "register"))
}
