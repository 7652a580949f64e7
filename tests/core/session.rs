//! The app without its window: actions in, document and effects out.

use std::path::PathBuf;
use std::sync::Arc;

use occuscope::arch::{Arch, Catalog, Gpu};
use occuscope::import::account::account;
use occuscope::import::{Progress, read_report};
use occuscope::session::{Action, Effect, GpuChoice, KernelRef, OpenReport, ReadReport, Screen, Session};
use occuscope::units::Dim3;

const SAMPLE: &[u8] = include_bytes!("../../assets/samples/tail_effect_a100.csv");

fn session() -> Session {
    Session::new(Arc::new(Catalog::builtin().clone()))
}

fn opened(path: &str, bytes: &[u8]) -> OpenReport {
    let content = read_report(bytes).map_err(|error| error.to_string()).map(|report| {
        let accounts = report.kernels.iter().map(|kernel| account(kernel, Catalog::builtin(), None)).collect();
        ReadReport { report, accounts }
    });
    OpenReport { path: PathBuf::from(path), content }
}

#[test]
fn it_starts_with_an_answer() {
    let session = session();
    assert_eq!(session.gpu_name(), "A100 SXM 40 GB");
    assert!((session.occupancy().theoretical_percent() - 37.5).abs() < 1e-9);
    assert_eq!(session.waves().map(|waves| (waves.full_waves, waves.partial_wave_blocks)), Some((3, 52)));
}

#[test]
fn one_gesture_is_one_undo_step() {
    let mut session = session();
    for registers in 64..=80 {
        session.apply(Action::SetRegistersPerThread(registers));
    }
    session.apply(Action::EndGesture);
    session.apply(Action::SetRegistersPerThread(90));
    session.apply(Action::Undo);
    assert_eq!(session.document().configuration.launch.registers_per_thread, 80);
    session.apply(Action::Undo);
    assert_eq!(session.document().configuration.launch.registers_per_thread, 64);
    assert!(!session.can_undo());
    session.apply(Action::Redo);
    assert_eq!(session.document().configuration.launch.registers_per_thread, 80);
}

#[test]
fn setting_what_is_set_is_no_step() {
    let mut session = session();
    session.apply(Action::SetRegistersPerThread(64));
    session.apply(Action::SetBlock(Dim3::linear(256)));
    assert!(!session.can_undo());
}

#[test]
fn an_unknown_gpu_is_refused_and_said() {
    let mut session = session();
    session.apply(Action::SelectGpu(GpuChoice::Product("Voodoo 2".to_owned())));
    assert_eq!(session.gpu_name(), "A100 SXM 40 GB");
    assert!(session.message().is_some_and(|message| message.contains("Voodoo 2")));
}

#[test]
fn opening_goes_out_as_an_effect_and_comes_back_as_a_report() {
    let mut session = session();
    assert_eq!(session.apply(Action::OpenFile), [Effect::PickFiles(None)]);
    let path = PathBuf::from("report.csv");
    assert_eq!(session.apply(Action::OpenPaths(vec![path.clone()])), [Effect::ReadFiles(vec![path.clone()])]);
    assert_eq!(session.reading().iter().map(|reading| &reading.path).collect::<Vec<_>>(), [&path]);
    assert_eq!(session.apply(Action::OpenPaths(vec![path])), [], "it is being read already");
    session.apply(Action::AddReport(opened("report.csv", SAMPLE)));
    assert!(session.reading().is_empty());
    assert_eq!(session.view().screen, Screen::Kernels);
    assert!(session.document().kernels().count() >= 10);
    assert_eq!(session.document().selected, Some(KernelRef { report: 0, kernel: 0 }));
}

#[test]
fn reading_tells_how_far_it_is_and_can_be_stopped() {
    let mut session = session();
    let [big, other] = ["big.csv", "other.csv"].map(PathBuf::from);
    session.apply(Action::OpenPaths(vec![big.clone(), other.clone()]));
    let progress = Progress { bytes_read: 40, bytes_total: 100, num_kernels: 3 };
    session.apply(Action::ReadProgress { path: big.clone(), progress });
    session.apply(Action::ReadProgress { path: "unknown.csv".into(), progress });
    assert_eq!(session.reading().iter().map(|reading| reading.progress).collect::<Vec<_>>(), [Some(progress), None]);
    assert_eq!(session.apply(Action::CancelReading(big.clone())), [Effect::CancelReading(big.clone())]);
    assert_eq!(session.apply(Action::CancelReading(big)), [], "once is enough");
    assert!(session.reading()[0].is_cancelled && !session.reading()[1].is_cancelled);
    session.apply(Action::AddReport(opened("big.csv", SAMPLE)));
    assert_eq!(session.message(), Some("big.csv: 12 kernels, reading was stopped before the end"));
    session.apply(Action::AddReport(opened("other.csv", SAMPLE)));
    assert_eq!(session.message(), Some("other.csv: 12 kernels"));
    assert!(session.reading().is_empty());
    assert_eq!(session.apply(Action::CancelReading(other)), []);
}

#[test]
fn a_file_that_is_opened_again_is_replaced() {
    let mut session = session();
    session.apply(Action::AddReport(opened("report.csv", SAMPLE)));
    crate::watching::take_in(&mut session, opened("report.csv", SAMPLE));
    assert_eq!(session.document().reports.len(), 1);
    assert_eq!(session.message(), Some("report.csv was read again: no kernel changed"));
}

#[test]
fn a_file_that_is_no_report_is_kept_with_its_reason() {
    let mut session = session();
    session.apply(Action::AddReport(opened("photo.png", b"\x89PNG\r\n\x1a\n....")));
    let report = &session.document().reports[0];
    assert!(report.content.as_ref().is_err_and(|reason| reason.contains("image")), "{:?}", report.content);
    assert_eq!(session.document().kernels().count(), 0);
    assert!(session.selected().is_none());
}

#[test]
fn a_kernel_goes_to_explore_with_its_gpu_and_launch() {
    let mut session = session();
    session.apply(Action::AddReport(opened("report.csv", SAMPLE)));
    let (at, kernel, account) =
        session.document().kernels().find(|(_, kernel, _)| kernel.name.contains("gemm")).expect("the sample has a gemm");
    let launch = account.launch.clone().expect("a launch");
    let registers = kernel.registers_per_thread.expect("registers").value;
    session.apply(Action::ExploreKernel(at));
    assert_eq!(session.view().screen, Screen::Explore);
    assert_eq!(session.document().configuration.launch, launch);
    assert_eq!(session.document().configuration.launch.registers_per_thread, registers);
    assert_eq!(session.arch().compute_capability.to_string(), "8.0");
}

#[test]
fn closing_a_file_keeps_the_selection_of_the_others() {
    let mut session = session();
    session.apply(Action::AddReport(opened("a.csv", SAMPLE)));
    session.apply(Action::AddReport(opened("b.csv", SAMPLE)));
    session.apply(Action::SelectKernel(Some(KernelRef { report: 1, kernel: 2 })));
    session.apply(Action::CloseReport(0));
    assert_eq!(session.document().selected, Some(KernelRef { report: 0, kernel: 2 }));
    session.apply(Action::Undo);
    assert_eq!(session.document().reports.len(), 2);
    session.apply(Action::CloseReport(1));
    assert_eq!(session.document().selected, None);
}

#[test]
fn a_selection_that_does_not_exist_is_none() {
    let mut session = session();
    session.apply(Action::SelectKernel(Some(KernelRef { report: 3, kernel: 1 })));
    assert_eq!(session.document().selected, None);
}

#[test]
fn changing_the_launch_shows_all_its_blocks_again() {
    let mut session = session();
    session.apply(Action::PlaceBlocks(Some(1)));
    session.apply(Action::SetRegistersPerThread(32));
    assert_eq!(session.view().placed, None);
}

fn product(name: &str) -> GpuChoice {
    GpuChoice::Product(name.to_owned())
}

#[test]
fn four_gpus_are_compared_and_none_twice() {
    let mut session = session();
    for name in ["H100 SXM", "H100 SXM", "A100 SXM 40 GB", "T4", "B200", "V100 SXM2 16 GB"] {
        session.apply(Action::CompareWith(product(name)));
    }
    assert_eq!(session.document().compared, ["H100 SXM", "T4", "B200"].map(product));
    assert!(session.message().is_some_and(|message| message.starts_with("4 GPUs are shown")));
    session.apply(Action::SelectGpu(product("T4")));
    assert_eq!(session.document().compared, ["H100 SXM", "A100 SXM 40 GB", "B200"].map(product));
    session.apply(Action::StopComparing(product("H100 SXM")));
    session.apply(Action::CompareWith(product("no such GPU")));
    assert_eq!(session.document().compared, ["A100 SXM 40 GB", "B200"].map(product));
    session.apply(Action::Undo);
    assert_eq!(session.document().compared.len(), 3);
}

#[test]
fn a_gpu_of_ones_own_is_saved_chosen_and_deleted() {
    let mut session = session();
    let arch = Arch { compute_capability: "0.1".parse().unwrap(), name: "Mine".to_owned(), invented: true, ..session.arch().clone() };
    let gpu = Gpu {
        name: "Mine".to_owned(),
        driver_names: Vec::new(),
        aliases: Vec::new(),
        compute_capability: arch.compute_capability,
        ..session.gpu().unwrap().clone()
    };
    let effects = session.apply(Action::SaveGpu { arch: Box::new(arch), gpu: Box::new(gpu) });
    let [Effect::WriteGpu { file_name, text, choose }] = effects.as_slice() else { panic!("{effects:?}") };
    let catalog = Arc::new(Catalog::builtin().with_files(&[(file_name, text)]).unwrap());
    session.apply(Action::SetCatalog { catalog: Ok(catalog), choose: Some(choose.clone()) });
    assert_eq!(session.gpu_name(), "Mine");
    let effects = session.apply(Action::DeleteGpu(session.arch().compute_capability));
    assert_eq!(effects, [Effect::DeleteGpu(PathBuf::from(file_name))]);
    session.apply(Action::SetCatalog { catalog: Ok(Arc::new(Catalog::builtin().clone())), choose: None });
    assert_eq!(session.gpu_name(), "A100 SXM 40 GB");
    session.apply(Action::Undo);
    session.apply(Action::Redo);
    assert_eq!(session.gpu_name(), "A100 SXM 40 GB");
}
