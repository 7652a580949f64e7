//! An invented report with clusters, cycles of the SMs, stalls and the profiler's sentences, from its bytes to the account.

use occuscope::arch::Catalog;
use occuscope::explain::{matters, waves as words};
use occuscope::import::account::said::{Statement, dominant_stall, said};
use occuscope::import::account::{Account, account};
use occuscope::import::stalls::StallReason;
use occuscope::import::{Kernel, Position, read_report};

const REPORT: &[u8] = include_bytes!("../fixtures/ncu/invented/23_waves_and_clusters.csv");

fn kernel(at: usize) -> (Kernel, Account) {
    let kernel = read_report(REPORT).unwrap().kernels.swap_remove(at);
    let account = account(&kernel, Catalog::builtin(), None);
    (kernel, account)
}

#[test]
fn clusters_are_read_with_their_places() {
    let reported = kernel(0).0.reported;
    let active = reported.max_active_clusters.unwrap();
    assert_eq!((active.value, active.at), (32, Position::new(23, 15)));
    assert_eq!(reported.max_cluster_size.unwrap().value, 8);
    assert!((reported.cluster_occupancy_percent.unwrap().value - 96.97).abs() < 1e-9);
    assert!((reported.cluster_gpu_occupancy_percent.unwrap().value - 18.18).abs() < 1e-9);
    assert_eq!(kernel(1).0.reported.max_active_clusters.unwrap().value, 0);
}

#[test]
fn stalls_are_read_by_metric_name_and_by_label() {
    let (first, _) = kernel(0);
    let values: Vec<(StallReason, f64)> = first.measured.stalls.0.iter().map(|(reason, read)| (*reason, read.value)).collect();
    let expected =
        [(StallReason::Barrier, 1.5), (StallReason::LongScoreboard, 6.0), (StallReason::Selected, 1.0), (StallReason::Wait, 1.5)];
    assert_eq!(values, expected);
    let stall = dominant_stall(&first).unwrap();
    assert_eq!((stall.reason, stall.share_percent), (Some(StallReason::LongScoreboard), 60.0));
    let by_rule = dominant_stall(&kernel(1).0).unwrap();
    assert_eq!((by_rule.reason, by_rule.share_percent), (Some(StallReason::LongScoreboard), 31.8));
}

#[test]
fn every_sentence_of_the_profiler_agrees() {
    let (first, joined) = kernel(0);
    let statements: Vec<_> = said(&first, &joined).into_iter().map(|said| (said.statement, said.agrees)).collect();
    assert_eq!(statements[0], (Statement::Waves { full: 2, rest: 24, max_time_percent: 33.3 }, Some(true)));
    assert_eq!(statements.len(), 4);
    assert!(statements.iter().all(|(_, agrees)| *agrees == Some(true)), "{statements:?}");
    let (second, joined) = kernel(1);
    let statements: Vec<_> = said(&second, &joined).into_iter().map(|said| (said.statement, said.agrees)).collect();
    assert_eq!(statements, [(Statement::FewBlocks { blocks: 64, sms: 132 }, Some(true))]);
}

#[test]
fn a_sentence_with_other_numbers_is_told_apart() {
    let (mut first, joined) = kernel(0);
    let wrong = first.rules[0].text.replace("wave of 24", "wave of 25");
    first.rules[0].text = wrong.into();
    assert_eq!(said(&first, &joined)[0].agrees, Some(false));
}

#[test]
fn imbalance_is_a_part_of_its_own() {
    let (_, account) = kernel(0);
    let loss = account.activity.unwrap().loss(17.2);
    // 48,000 of 60,000 cycles are active, 57,000 on the busiest SM.
    assert!((loss.over_elapsed - 13.76).abs() < 1e-9);
    assert!((loss.imbalance.unwrap() - 2.58).abs() < 1e-9);
    assert!((loss.launch_and_drain - 0.86).abs() < 1e-9);
}

#[test]
fn near_the_peak_of_dram_more_warps_do_not_help() {
    let verdict = matters::verdict(&kernel(0).0).unwrap();
    assert_eq!(verdict.strong, "At 92 % of DRAM peak: more warps will not help.");
    let other = matters::verdict(&kernel(1).0).unwrap().to_string();
    assert!(other.ends_with("(Stall Long Scoreboard, 31.8 % of their time), which more warps can hide."), "{other}");
}

#[test]
fn under_filled_is_told_apart_from_a_tail() {
    let gap_of = |at: usize| {
        let account = kernel(at).1;
        (account.gap.unwrap(), words::waves(&account.waves.unwrap()).to_string())
    };
    let (tail, said) = gap_of(0);
    // With one block an SM the tail costs time, but no occupancy: an SM without a block does not count.
    assert!(tail.unfilled == 0.0 && tail.tail_up_to == 0.0 && said.starts_with("2 full waves + 24 of 132 blocks."), "{said}");
    let (unfilled, said) = gap_of(1);
    assert!(unfilled.unfilled > 0.0 && unfilled.tail_up_to == 0.0 && said.contains("at most one block on an SM"), "{said}");
}
