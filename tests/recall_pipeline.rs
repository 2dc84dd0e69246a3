//! The pipeline over sources of every temper: slow, hanging, failing, panicking, and all of them in any order.
#![cfg(feature = "recall")]

mod memories;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cited::recall::adapters::{Adapter, Ask};
use cited::recall::chunk::{Chunk, ScoreKind};
use cited::recall::models::Choice;
use cited::recall::{Params, Recall, recall_from, report};
use memories::{Home, contents, errors};

type Search = fn(&Ask) -> Result<Option<Vec<Chunk>>, String>;

const fn adapter(name: &'static str, weight: u32, search: Search) -> Adapter {
    Adapter { name, weight, own: false, search, probe: |_| Ok(None), asks: |_| String::new() }
}

static NAP: AtomicU64 = AtomicU64::new(1);

/// Sleeps for another while at each call, so that sources end in another order in each run.
fn nap() {
    let seed = NAP.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    std::thread::sleep(Duration::from_micros(seed >> 51));
}

fn three(of: &str) -> Result<Option<Vec<Chunk>>, String> {
    nap();
    let texts = ["Ice floats on water.", "Shared: ice melts at zero.", of];
    let named = texts.iter().enumerate().map(|(at, text)| {
        let mut chunk = Chunk::new(*text).scored(0.9 - at as f64 / 10.0, ScoreKind::Similarity);
        chunk.native_id = Some(format!("{of}-{at}"));
        chunk
    });
    Ok(Some(named.collect()))
}

static FIRST: Adapter = adapter("first", 900, |_| three("Ice is frozen water."));
static SECOND: Adapter = adapter("second", 900, |_| three("Ice is cold."));
static THIRD: Adapter = adapter("third", 700, |_| three("Ice is slippery."));
static OFF: Adapter = adapter("off", 700, |_| Ok(None));
static EMPTY: Adapter = adapter("empty", 700, |_| Ok(Some(Vec::new())));
static FAILS: Adapter = adapter("fails", 700, |_| Err("connection refused".into()));
static PANICS: Adapter = adapter("panics", 700, |_| panic!("a defect of ours"));
static HANGS: Adapter = adapter("hangs", 1000, |_| {
    std::thread::sleep(Duration::from_secs(3600));
    Ok(None)
});
static LATE: Adapter = adapter("late", 1000, |_| {
    std::thread::sleep(Duration::from_millis(300));
    Ok(Some(vec![Chunk::new("Ice comes too late.")]))
});

fn ask(adapters: &[&'static Adapter], timeouts: &[(&str, f64)]) -> Recall {
    let mut settings = Home::new().settings();
    settings.timeouts = timeouts.iter().map(|(name, seconds)| ((*name).to_owned(), *seconds)).collect();
    let params = Params { llm: Choice::None, ..Params::default() };
    recall_from(adapters, "Does ice float?", params, settings).unwrap()
}

/// The report without what may differ between runs.
fn settled(found: &Recall) -> String {
    let text = report::json(found, "2026-01-02T03:04:05Z");
    text.lines().filter(|line| !line.contains("latency_ms")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_hundred_runs_in_any_order_give_the_same_bytes() {
    let sources = [&FIRST, &SECOND, &THIRD, &EMPTY, &FAILS];
    let first = settled(&ask(&sources, &[]));
    assert!(first.contains("Ice is slippery."));
    for _ in 0..100 {
        assert_eq!(settled(&ask(&sources, &[])), first);
    }
}

#[test]
fn a_hanging_source_costs_its_own_time_out_and_nothing_else() {
    let without = ask(&[&FIRST, &SECOND], &[]);
    let begun = Instant::now();
    let with = ask(&[&HANGS, &FIRST, &SECOND], &[("hangs", 0.2)]);
    assert!(begun.elapsed() < Duration::from_millis(1500), "{:?}", begun.elapsed());
    assert_eq!(errors(&with), ["hangs: timed out after 0.2 s"]);
    assert_eq!(contents(&with), contents(&without));
}

#[test]
fn several_hanging_sources_cost_the_longest_time_out_not_the_sum() {
    let begun = Instant::now();
    let found = ask(&[&HANGS, &LATE, &FIRST], &[("hangs", 0.5), ("late", 0.1)]);
    let took = begun.elapsed();
    assert!(took >= Duration::from_millis(500) && took < Duration::from_millis(2000), "{took:?}");
    assert_eq!(errors(&found), ["hangs: timed out after 0.5 s", "late: timed out after 0.1 s"]);
    assert_eq!(contents(&found).len(), 3);
}

#[test]
fn sources_that_fail_are_reported_and_change_nothing_for_the_others() {
    let without = ask(&[&FIRST, &SECOND], &[]);
    let with = ask(&[&FIRST, &FAILS, &PANICS, &OFF, &EMPTY, &SECOND], &[]);
    assert_eq!(errors(&with), ["fails: connection refused", "panics: ended without an answer"]);
    let citations = |found: &Recall| {
        let report: serde_json::Value = serde_json::from_str(&report::json(found, "")).unwrap();
        report["citations"].clone()
    };
    assert_eq!(citations(&with), citations(&without));
    let report: serde_json::Value = serde_json::from_str(&report::json(&with, "")).unwrap();
    let status = |name: &str| report["sources"][name]["status"].as_str().unwrap().to_owned();
    let all = ["first", "fails", "panics", "off", "empty"].map(status);
    assert_eq!(all, ["ok", "error", "error", "off", "empty"]);
}

#[test]
fn a_text_that_two_sources_returned_is_one_citation() {
    let found = ask(&[&FIRST, &SECOND], &[]);
    assert_eq!(contents(&found).len(), 4);
    let shared = &found.findings.citations[0].fused;
    assert_eq!((shared.source, shared.rank), ("first", 1));
    assert_eq!((shared.also_in[0].source, shared.also_in[0].rank), ("second", 1));
}

#[test]
fn the_report_has_its_keys_in_their_order() {
    let report: serde_json::Value = serde_json::from_str(&report::json(&ask(&[&FIRST], &[]), "now")).unwrap();
    let keys: Vec<&String> = report.as_object().unwrap().keys().collect();
    let expected = "query synthesized_answer abstained abstention_reason citations sources chunks errors timestamp \
                    schema_version llm notes used_citation_ids invalid_citation_ids extractive_answer extractive_sentences filtered params";
    assert_eq!(keys, expected.split_whitespace().collect::<Vec<_>>());
    let keys: Vec<&String> = report["citations"][0].as_object().unwrap().keys().collect();
    let expected = "citation_id source_type content rrf_score score score_kind evidence rank native_id store_id uri \
                    title created_at content_hash sha256 also_in metadata";
    assert_eq!(keys, expected.split_whitespace().collect::<Vec<_>>());
    let reason = "Insufficient sources (1 < 2). Only one source returned results.";
    assert_eq!(report["abstention_reason"], reason);
    assert_eq!(report["citations"].as_array().unwrap().len(), 3, "citations are filled when abstaining too");
    assert_eq!(report["timestamp"], "now");
}
