//! Waves, gaps and what the profiler says of them, over every real report at hand.
//!
//! The files are not part of this package. Without them each test says so and passes.

use std::fs;

use occuscope::arch::Catalog;
use occuscope::explain::waves as words;
use occuscope::import::account::said::{Statement, dominant_stall, said};
use occuscope::import::account::{Account, account};
use occuscope::import::stalls::StallReason;
use occuscope::import::{Kernel, read_report};

use crate::import_real::{open, reports};

/// Every kernel of every report, with the file that it is from. None without the reports.
fn all_kernels() -> Option<Vec<(String, Kernel, Account)>> {
    let mut kernels = Vec::new();
    for folder in ["ncu", "ncu-rep"] {
        let mut paths: Vec<_> = fs::read_dir(reports(folder)?).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.is_file()) {
            let Ok(report) = read_report(&fs::read(&path).unwrap()) else { continue };
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let joined = report.kernels.into_iter().map(|kernel| {
                let account = account(&kernel, Catalog::builtin(), None);
                (name.clone(), kernel, account)
            });
            kernels.extend(joined);
        }
    }
    assert!(kernels.len() >= 80, "only {} kernels", kernels.len());
    Some(kernels)
}

fn one(folder: &str, file: &str, at: usize) -> Option<(Kernel, Account)> {
    let (_, bytes) = open(&reports(folder)?, file);
    let kernel = read_report(&bytes).unwrap().kernels.swap_remove(at);
    let account = account(&kernel, Catalog::builtin(), None);
    Some((kernel, account))
}

#[test]
fn below_one_wave_the_grid_is_a_bound() {
    let Some(kernels) = all_kernels() else { return };
    let mut seen = 0;
    for (file, kernel, account) in &kernels {
        let Some((waves, achieved)) = account.waves.as_ref().zip(account.achieved_percent) else { continue };
        if waves.is_unfilled() {
            seen += 1;
            let bound = waves.grid_limited_percent();
            assert!(achieved <= bound + 0.5, "{file}: {} has {achieved}, above {bound}", kernel.name);
        }
    }
    println!("{seen} launches below one wave");
    assert!(seen >= 10, "only {seen}");
}

#[test]
fn above_one_wave_nothing_is_called_a_bound() {
    let Some(kernels) = all_kernels() else { return };
    let mut seen = 0;
    for (file, kernel, account) in &kernels {
        let Some(waves) = account.waves.as_ref().filter(|waves| !waves.is_unfilled()) else { continue };
        seen += 1;
        let mut text = words::waves(waves).to_string();
        if let Some(gap) = &account.gap {
            text += &words::why_below(gap, Some(waves)).to_string();
            assert!(gap.unfilled == 0.0, "{file}: {}", kernel.name);
            assert!(waves.has_tail() || gap.tail_up_to == 0.0, "{file}: {}", kernel.name);
        }
        assert!(!text.contains("certain") && !text.contains("bound"), "{file}: {text}");
    }
    assert!(seen >= 8, "only {seen}");
}

#[test]
fn every_gap_is_the_sum_of_its_parts() {
    let Some(kernels) = all_kernels() else { return };
    for (file, kernel, account) in &kernels {
        let Some(gap) = &account.gap else { continue };
        let idle = account.activity.map(|activity| activity.loss(gap.achieved));
        let lost = idle.map_or(0.0, |loss| loss.total());
        let held = idle.map_or(gap.achieved, |loss| loss.over_elapsed);
        let parts = [gap.unfilled, gap.tail_up_to, gap.other, lost];
        assert!(parts.iter().all(|part| *part >= 0.0), "{file}: {parts:?}");
        let whole = gap.theoretical.max(gap.achieved) - held;
        assert!((parts.iter().sum::<f64>() - whole).abs() < 1e-9, "{file}: {} {parts:?} {whole}", kernel.name);
    }
}

#[test]
fn the_profilers_own_numbers_are_the_same() {
    let Some(kernels) = all_kernels() else { return };
    let (mut about_waves, mut others, mut unknown) = (0, 0, 0);
    for (file, kernel, account) in &kernels {
        for said in said(kernel, account) {
            assert_ne!(said.agrees, Some(false), "{file}: {} {:?} {}", kernel.name, said.statement, said.sentence);
            match (said.agrees, said.statement.is_about_waves()) {
                (None, _) => unknown += 1,
                (_, true) => about_waves += 1,
                (_, false) => others += 1,
            }
        }
    }
    println!("{about_waves} sentences about waves and {others} others agree, {unknown} have nothing to compare with");
    assert!(about_waves >= 10 && others >= 10, "{about_waves} {others}");
}

#[test]
fn the_profilers_sentence_about_a_partial_wave_is_read_whole() {
    let Some((kernel, account)) = one("ncu", "10", 0) else { return };
    let sentences = said(&kernel, &account);
    let wave = sentences.iter().find(|said| said.statement.is_about_waves()).unwrap();
    assert_eq!(wave.statement, Statement::Waves { full: 1, rest: 136, max_time_percent: 50.0 });
    assert_eq!(wave.agrees, Some(true));
    assert!(words::waves(&account.waves.unwrap()).strong.starts_with("1 full wave + 136 of 152 blocks."));
}

#[test]
fn every_difference_of_the_real_reports_is_explained() {
    let Some(kernels) = all_kernels() else { return };
    for (file, kernel, account) in &kernels {
        for difference in &account.differences {
            assert!(difference.is_explained(), "{file}: {} {}", kernel.name, difference.sentence());
        }
    }
}

#[test]
fn the_dominant_stall_is_the_profilers() {
    // The profiler's rule in this report says 55.6 % of 20.6 cycles.
    let Some((kernel, _)) = one("ncu-rep", "cc80_ncu2020.3_a100_pcie.raw", 0) else { return };
    let stall = dominant_stall(&kernel).unwrap();
    assert_eq!(stall.reason, Some(StallReason::LongScoreboard));
    assert!((stall.share_percent - 55.6).abs() < 0.1, "{}", stall.share_percent);
    // The details page has only the rule.
    let Some((kernel, _)) = one("ncu-rep", "cc80_ncu2020.3_a100_pcie.details", 0) else { return };
    let stall = dominant_stall(&kernel).unwrap();
    assert_eq!((stall.reason, stall.share_percent), (Some(StallReason::LongScoreboard), 55.6));
    let Some((kernel, _)) = one("ncu", "18", 0) else { return };
    assert_eq!(dominant_stall(&kernel).unwrap().reason, Some(StallReason::ImcMiss));
    let Some((kernel, _)) = one("ncu", "05", 0) else { return };
    let stall = dominant_stall(&kernel).unwrap();
    assert_eq!((stall.reason, stall.share_percent), (Some(StallReason::LongScoreboard), 52.7));
}

#[test]
fn cluster_figures_are_read() {
    let Some((kernel, _)) = one("ncu", "10", 0) else { return };
    let said = &kernel.reported;
    assert_eq!(said.max_cluster_size.unwrap().value, 8);
    assert_eq!(said.max_active_clusters.unwrap().value, 0);
    assert_eq!((said.cluster_occupancy_percent.unwrap().value, said.cluster_gpu_occupancy_percent.unwrap().value), (0.0, 0.0));
    let Some((kernel, _)) = one("ncu-rep", "cc90_ncu2025.1_gh200_triton.ncu-rep", 0) else { return };
    assert_eq!(kernel.reported.max_cluster_size.unwrap().value, 8);
}
