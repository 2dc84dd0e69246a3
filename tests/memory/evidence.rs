//! What a query gives: items, verdicts, reasons, and the form of the bundle.

use std::sync::Barrier;
use std::time::Duration;

use cited::Error;
use cited::memory::bundle::{INDEX_NOT_READY, json_line};
use cited::memory::trust::{Reason, TrustState, Verdict};
use cited::memory::{Args, Bundle, Decision, Limits, Memory, Profile};

use super::{NOW, Place, at, sources};

const ICE: (&str, &str) = ("ice.md", "# Ice\n\nIce floats on water because it is less dense.\n");
const QUESTION: &str = "Does ice float on water?";

fn abstains(bundle: &Bundle, reason: Reason) {
    assert_eq!((bundle.decision, bundle.reason_code), (Decision::Abstain, Some(reason)), "{bundle:?}");
    assert!(bundle.items.is_empty() && !bundle.index_generation.is_empty());
    assert!(bundle.user_message.contains("\"evidence\":[],"));
}

#[test]
fn a_first_run_answers_without_calibration() {
    let bundle = Place::indexed(&[ICE]).ask(QUESTION);
    assert_eq!(bundle.decision, Decision::Answer);
    assert_eq!(bundle.trust_state, TrustState::Provisional);
    assert!(!bundle.calibrated && bundle.failure_code.is_none() && bundle.reason_code.is_none());
    assert_eq!(bundle.items[0].text, "Ice floats on water because it is less dense.");
    assert_eq!(bundle.items[0].indexed_at, NOW);
}

#[test]
fn every_key_is_always_there_and_in_one_order() {
    let keys = [
        "query",
        "decision",
        "reason_code",
        "calibrated",
        "stale",
        "trust_state",
        "failure_code",
        "embedding_profile",
        "retrieval_profile",
        "index_generation",
        "system_prompt",
        "user_message",
        "items",
        "advice",
        "stage_ms",
        "total_ms",
        "latency_budget_ms",
        "budget_exceeded",
        "blocked",
    ];
    let item_keys = [
        "chunk_id",
        "text",
        "source",
        "ordinal",
        "indexed_at",
        "valid_from",
        "valid_until",
        "cosine",
        "score",
        "score_kind",
        "confidence",
        "verdict",
    ];
    let place = Place::indexed(&[ICE]);
    let missing = Memory::open(place.folder.path().join("none.sqlite"));
    let bundles = [
        place.ask(QUESTION),
        place.ask("capital of Mongolia"),
        missing.evidence(QUESTION, &Args::default(), at(NOW)).unwrap(),
    ];
    for bundle in &bundles {
        let line = json_line(bundle);
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert!(json.as_object().unwrap().keys().eq(keys.iter()));
        assert!(
            json["stage_ms"].as_object().unwrap().len() == 8
                && json["blocked"].as_object().unwrap().len() == 6
        );
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(
            serde_json::to_string(&json).unwrap(),
            line.trim_end(),
            "compact, and the same bytes again"
        );
    }
    let json = serde_json::to_value(&bundles[0]).unwrap();
    assert!(json["items"][0].as_object().unwrap().keys().eq(item_keys.iter()));
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    let place = Place::indexed(&[ICE, ("b.md", "Iron sinks in water.\n")]);
    assert_eq!(json_line(&place.ask(QUESTION)), json_line(&place.ask(QUESTION)));
}

#[test]
fn nothing_near_is_a_gap_in_the_corpus() {
    let place = Place::indexed(&[ICE]);
    abstains(&place.ask("What is the capital of Mongolia?"), Reason::CorpusGap);
    abstains(&place.ask("???"), Reason::CorpusGap);
    let unknown = Args { source: Some("gone.md"), ..Args::default() };
    abstains(&place.ask_with(QUESTION, &unknown), Reason::CorpusGap);
}

#[test]
fn one_matching_word_of_several_is_no_evidence() {
    let place = Place::indexed(&[ICE]);
    let bundle = place.ask("How is ice hockey played in Canada?");
    abstains(&bundle, Reason::CorpusGap);
    assert_eq!(bundle.blocked.low_confidence, 1);
}

#[test]
fn what_is_near_but_may_not_be_used_is_counted_by_its_verdict() {
    let dated = |keys: &str| format!("---\n{keys}\n---\nIce floats on water.\n");
    let table = [
        ("valid_until: 2025-06-14", "expired"),
        ("valid_from: 2025-06-16", "not_yet_valid"),
        ("valid_from: soon", "invalid_metadata"),
        ("valid_from: 2025-02-02\nvalid_until: 2025-01-01", "invalid_metadata"),
    ];
    for (keys, verdict) in table {
        let bundle = Place::indexed(&[("ice.md", &dated(keys))]).ask(QUESTION);
        abstains(&bundle, Reason::NoTrustedEvidence);
        assert_eq!(serde_json::to_value(bundle.blocked).unwrap()[verdict], 1, "{keys}");
    }
    for keys in [
        "valid_until: 2025-06-15",
        "valid_from: 2025-06-15",
        "valid_from: 2025-06-15\nvalid_until: 2025-06-15",
    ] {
        let bundle = Place::indexed(&[("ice.md", &dated(keys))]).ask(QUESTION);
        assert_eq!(bundle.decision, Decision::Answer, "{keys}");
    }
}

#[test]
fn a_note_that_replaces_another_takes_its_rank_even_where_retrieval_missed_it() {
    let place = Place::indexed(&[
        ("deploy_v1.md", "We deploy with Jenkins on Fridays.\n"),
        ("deploy_v2.md", "---\nsupersedes: deploy_v1\n---\nEvery merge is rolled out by the pipeline.\n"),
        ("other.md", "Jenkins is the name of a dog that barks on Fridays when we deploy.\n"),
    ]);
    let bundle = place.ask("Do we deploy with Jenkins on Fridays?");
    assert_eq!(sources(&bundle), ["deploy_v2.md", "other.md"]);
    assert_eq!(bundle.blocked.superseded, 1);
    assert_eq!(bundle.items[0].score_kind, "idf_share_of_superseded");
    assert_eq!(bundle.items[1].score_kind, "idf_share");

    let found =
        place.memory.search("Do we deploy with Jenkins on Fridays?", &Args::default(), at(NOW)).unwrap();
    let verdicts: Vec<_> = found.hits.iter().map(|hit| (hit.source.as_str(), hit.verdict)).collect();
    assert_eq!(
        verdicts,
        [("deploy_v2.md", Verdict::Ok), ("deploy_v1.md", Verdict::Superseded), ("other.md", Verdict::Ok)]
    );
}

#[test]
fn a_replacement_that_was_found_before_with_too_little_in_it_is_judged_as_the_replacement() {
    let long = "It was written down long ago. ".repeat(20);
    let place = Place::indexed(&[
        ("old.md", &format!("The yearly fee for a bicycle stand is 20 euro. {long}\n")),
        ("new.md", "---\nsupersedes: old\n---\nBicycle: yearly.\n"),
        ("other.md", "Iron sinks in water.\n"),
        ("more.md", "Water boils at sea level.\n"),
    ]);
    let bundle = place.ask("What is the yearly fee for a bicycle stand?");
    assert_eq!(sources(&bundle), ["new.md"]);
    assert_eq!(bundle.items[0].score_kind, "idf_share_of_superseded");
    assert_eq!((bundle.blocked.superseded, bundle.blocked.low_confidence), (1, 0));
}

#[test]
fn the_end_of_a_chain_is_fetched_and_its_own_dates_are_judged() {
    let chain = |keys: &str| {
        Place::indexed(&[
            ("a.md", "Ice floats on water.\n"),
            ("b.md", "---\nsupersedes: a\n---\nOutdated too.\n"),
            ("c.md", &format!("---\nsupersedes: b\n{keys}\n---\nFrozen lakes carry people.\n")),
        ])
    };
    assert_eq!(sources(&chain("title: c").ask(QUESTION)), ["c.md"]);
    let bundle = chain("valid_until: 2020-01-01").ask(QUESTION);
    abstains(&bundle, Reason::NoTrustedEvidence);
    assert_eq!((bundle.blocked.superseded, bundle.blocked.expired), (1, 1));
}

#[test]
fn a_weak_hit_brings_no_successor_in() {
    let place = Place::indexed(&[
        ("a.md", "Ice floats on water.\n"),
        ("b.md", "---\nsupersedes: a\n---\nFrozen lakes carry people.\n"),
    ]);
    abstains(&place.ask("ice hockey in Canada"), Reason::CorpusGap);
}

#[test]
fn a_name_that_several_notes_share_blocks_them_all() {
    let place = Place::indexed(&[
        ("x/ice.md", "Ice floats on water.\n"),
        ("y/ice.md", "Ice floats on water, always.\n"),
        ("new.md", "---\nsupersedes: ice\n---\nSomething else.\n"),
    ]);
    let bundle = place.ask(QUESTION);
    abstains(&bundle, Reason::NoTrustedEvidence);
    assert_eq!(bundle.blocked.ambiguous_supersession, 2);
}

#[test]
fn circles_and_claims_on_oneself_block_nothing() {
    let place = Place::indexed(&[
        ("a.md", "---\nsupersedes: b\n---\nIce floats on water.\n"),
        ("b.md", "---\nsupersedes: a\n---\nIce floats on cold water.\n"),
        ("c.md", "---\nsupersedes: c\n---\nIce floats on water too.\n"),
    ]);
    assert_eq!(place.ask(QUESTION).items.len(), 3);
}

#[test]
fn one_note_alone_is_asked_where_it_is_named() {
    let place = Place::indexed(&[
        ICE,
        ("b.md", "Ice floats on water, says b.\n"),
        ("c.md", "---\nsupersedes: b\n---\nC.\n"),
    ]);
    let only = |source| place.ask_with(QUESTION, &Args { source: Some(source), ..Args::default() });
    assert_eq!(sources(&only("ice.md")), ["ice.md"]);
    abstains(&only("b.md"), Reason::NoTrustedEvidence);
}

#[test]
fn k_is_clamped_and_max_items_only_narrows() {
    let place = Place::new(&[]);
    (0..60).for_each(|n| place.write(&format!("{n:02}.md"), "Ice floats on water.\n"));
    place.index();
    let items =
        |k, max_items| place.ask_with(QUESTION, &Args { k, max_items, ..Args::default() }).items.len();
    assert_eq!(items(None, None), 5);
    assert_eq!((items(Some(0), None), items(Some(999), None)), (1, 50));
    assert_eq!((items(Some(4), Some(2)), items(Some(4), Some(40))), (2, 4));
    let none = place.ask_with(QUESTION, &Args { max_items: Some(0), ..Args::default() });
    abstains(&none, Reason::EvidenceBudgetExhausted);

    for profile in [Profile::Fast, Profile::Quality] {
        let memory = Memory::with_profile(place.memory.path(), profile, None);
        let ask = |k| memory.evidence(QUESTION, &Args { k: Some(k), ..Args::default() }, at(NOW)).unwrap();
        assert_eq!((ask(40).items.len(), ask(3).items.len()), (5, 3));
        assert_eq!(ask(3).retrieval_profile, profile);
        assert!(ask(3).latency_budget_ms.is_some());
    }
}

#[test]
fn a_query_that_may_not_be_asked_is_refused_before_anything_is_read() {
    let place = Place::indexed(&[ICE]);
    let before = place.memory.reads();
    for (query, said) in
        [("", "blank"), (" \n\t", "blank"), ("\u{200b}\u{feff}", "blank"), (&"x".repeat(4097), "4096")]
    {
        let error = place.memory.evidence(query, &Args::default(), at(NOW)).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
    assert_eq!(place.memory.reads(), before);
    assert!(place.memory.evidence(&"é".repeat(4096), &Args::default(), at(NOW)).is_ok());
}

#[test]
fn who_is_turned_away_costs_nothing() {
    let place = Place::indexed(&[ICE]);
    let limits = |queued, budget| Some(Limits { running: 1, queued, budget });
    for (queued, budget, expected) in
        [(0, None, "queue_full"), (1, Some(Duration::from_millis(5)), "budget_exhausted")]
    {
        let memory = Memory::with_profile(place.memory.path(), Profile::Legacy, limits(queued, budget));
        let running = memory.admission().enter().unwrap();
        match memory.evidence(QUESTION, &Args::default(), at(NOW)) {
            Err(Error::RetrievalOverloaded { reason, retry_after_seconds }) => {
                assert_eq!(reason, expected);
                assert!((1..=5).contains(&retry_after_seconds));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(memory.reads(), 0);
        drop(running);
        assert!(memory.evidence(QUESTION, &Args::default(), at(NOW)).is_ok());
        assert_eq!(memory.reads(), 1);
    }
}

#[test]
fn many_threads_share_one_memory_and_read_the_same() {
    let place = Place::indexed(&[ICE]);
    let expected = json_line(&place.ask(QUESTION));
    let (memory, start) = (&place.memory, &Barrier::new(16));
    std::thread::scope(|scope| {
        for _ in 0..16 {
            let expected = &expected;
            scope.spawn(move || {
                start.wait();
                let bundle = memory.evidence(QUESTION, &Args::default(), at(NOW)).unwrap();
                assert_eq!(&json_line(&bundle), expected);
            });
        }
    });
}

#[test]
fn who_reads_while_another_indexes_sees_one_whole_state() {
    let place = Place::indexed(&[ICE]);
    let reader = Memory::open(place.memory.path());
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for n in 0..20 {
                place.write("more.md", &format!("Ice floats on water, says version {n}.\n"));
                place.index();
            }
        });
        while !writer.is_finished() {
            let bundle = reader.evidence(QUESTION, &Args::default(), at(NOW)).unwrap();
            assert!((1..=2).contains(&bundle.items.len()), "{bundle:?}");
        }
    });
}

// Elsewhere a file that is open can not be removed.
#[cfg(unix)]
#[test]
fn a_memory_that_was_removed_or_made_anew_says_nothing_of_what_it_held() {
    let place = Place::indexed(&[ICE]);
    assert_eq!(place.ask(QUESTION).decision, Decision::Answer);
    for name in ["memory.sqlite", "memory.sqlite-wal", "memory.sqlite-shm"] {
        let _ = std::fs::remove_file(place.folder.path().join(name));
    }
    assert_eq!(place.ask(QUESTION).failure_code, Some(INDEX_NOT_READY));
    place.write("ice.md", "Granite mountains are high.\n");
    place.index();
    assert!(place.ask(QUESTION).items.is_empty());
    assert_eq!(sources(&place.ask("Are granite mountains high?")), ["ice.md"]);
}

#[test]
fn without_an_index_the_bundle_says_so() {
    let place = Place::new(&[]);
    let missing = place.ask(QUESTION);
    place.index();
    let empty = place.ask(QUESTION);
    for bundle in [missing, empty] {
        assert_eq!(bundle.failure_code, Some(INDEX_NOT_READY));
        assert_eq!((bundle.decision, bundle.trust_state), (Decision::Abstain, TrustState::Degraded));
    }
    let none = Memory::open(place.folder.path().join("none.sqlite"));
    assert!(matches!(none.search(QUESTION, &Args::default(), at(NOW)), Err(Error::NoMemory { .. })));
}

#[test]
fn an_index_without_a_write_for_two_days_is_stale() {
    let place = Place::indexed(&[ICE]);
    let asked = |now| place.memory.evidence(QUESTION, &Args::default(), at(now)).unwrap();
    assert!(!asked("2025-06-17T12:00:00Z").stale);
    assert!(asked("2025-06-17T12:00:01Z").stale);
    place.index_at(&place.notes(), "2025-06-17T12:00:00Z");
    assert!(!asked("2025-06-17T12:00:01Z").stale);
}

#[test]
fn notes_in_other_scripts_are_found() {
    let place = Place::indexed(&[
        ("水.md", "在标准大气压下，水在100摄氏度沸腾。\n"),
        ("вода.md", "Вода кипит при ста градусах.\n"),
        ("ماء.md", "يغلي الماء عند مئة درجة.\n"),
        ("น้ำ.md", "น้ำเดือดที่หนึ่งร้อยองศา\n"),
    ]);
    for (query, source) in [
        ("水在多少度沸腾？", "水.md"),
        ("При скольких градусах кипит вода?", "вода.md"),
        ("يغلي الماء", "ماء.md"),
        ("น้ำเดือด", "น้ำ.md"),
    ] {
        assert_eq!(sources(&place.ask(query)), [source], "{query}");
    }
}

#[test]
fn a_query_is_never_syntax() {
    let place = Place::indexed(&[ICE]);
    for query in
        ["\"ice\" OR NEAR(", "ice* AND -float", "terms:ice", "ice ^ float)", "'; DROP TABLE chunks; --"]
    {
        place.ask(query);
    }
    assert_eq!(place.ask(QUESTION).decision, Decision::Answer);
}
