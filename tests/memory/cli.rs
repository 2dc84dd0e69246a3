//! `cited memory` as it is typed: what it prints, how it ends.

use std::process::{Command, Output, Stdio};

use super::Place;

fn cited(place: &Place, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
    command.current_dir(place.folder.path()).env("CITED_LEDGER", place.folder.path().join("ledger.json"));
    command.args(arguments).output().unwrap()
}

fn memory(place: &Place, arguments: &[&str]) -> Output {
    cited(place, &[&["memory"], arguments].concat())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const ICE: (&str, &str) = ("ice.md", "# Ice\n\nIce floats on water.\n");

#[test]
fn the_memory_lies_beside_the_ledger_and_answers_at_once() {
    let place = Place::new(&[ICE]);
    let indexed = memory(&place, &["index", "notes"]);
    assert_eq!(indexed.status.code(), Some(0));
    assert!(stdout(&indexed).starts_with("indexed: 1 added; generation "));
    assert!(indexed.stderr.is_empty(), "progress is for terminals");
    let failed = memory(&place, &["index", "notes", "nowhere"]);
    assert_eq!(failed.status.code(), Some(2));
    assert!(stdout(&failed).starts_with("indexed: 1 unchanged, 1 failed; "));
    assert!(stderr(&failed).contains("cannot index `nowhere`: ") && stderr(&failed).contains("\n  help: "));
    assert!(place.folder.path().join("memory.sqlite").exists());

    let answered = memory(&place, &["evidence", "Does ice float on water?"]);
    assert_eq!(answered.status.code(), Some(0));
    let bundle: serde_json::Value = serde_json::from_str(&stdout(&answered)).unwrap();
    assert_eq!(bundle["decision"], "answer");

    assert_eq!(memory(&place, &["evidence", "What is the capital of Mongolia?"]).status.code(), Some(1));
    let listed = memory(&place, &["search", "Does ice float?"]);
    assert!(stdout(&listed).starts_with("ok 1.00  ice.md#0  "));
}

#[test]
fn a_number_outside_of_what_is_returned_counts_as_the_nearest() {
    let place = Place::new(&[ICE]);
    memory(&place, &["index", "notes"]);
    for k in ["-3", "0", "51", "9000000000"] {
        let output = memory(&place, &["evidence", "Does ice float?", "-k", k]);
        assert_eq!(output.status.code(), Some(0), "{k}");
    }
    let none = memory(&place, &["evidence", "Does ice float?", "--max-items", "-1"]);
    assert!(stdout(&none).contains("\"reason_code\":\"evidence_budget_exhausted\""));
}

#[test]
fn what_can_not_be_judged_ends_with_two() {
    let place = Place::new(&[ICE]);
    let missing = memory(&place, &["evidence", "ice"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stdout(&missing).contains("\"failure_code\":\"INDEX_NOT_READY\""));
    assert!(stderr(&missing).contains("help: `cited memory index"));
    for arguments in [&["evidence", ""][..], &["search", "ice"], &["stats"], &["lint"], &["forget", "x"]] {
        let output = memory(&place, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("help: "), "{arguments:?}");
    }
}

#[test]
fn an_answer_is_checked_against_its_bundle() {
    let place = Place::new(&[ICE]);
    memory(&place, &["index", "notes"]);
    let bundle = stdout(&memory(&place, &["evidence", "Does ice float on water?"]));
    let id = serde_json::from_str::<serde_json::Value>(&bundle).unwrap()["items"][0]["chunk_id"].to_string();
    let write = |name: &str, text: &str| std::fs::write(place.folder.path().join(name), text).unwrap();
    write("bundle.json", &bundle);
    write("good.json", &format!(r#"{{"answer":"Yes.","citations":[{id}],"insufficient_evidence":false}}"#));
    write("bad.json", r#"{"answer":"Yes.","citations":["nope"],"insufficient_evidence":false}"#);

    let good = memory(&place, &["validate", "good.json", "--bundle", "bundle.json"]);
    assert_eq!((good.status.code(), stdout(&good).as_str()), (Some(0), "answer OK\n"));
    let bad = memory(&place, &["validate", "bad.json", "--bundle", "bundle.json"]);
    assert_eq!(bad.status.code(), Some(1));
    assert_eq!(stdout(&bad), "unknown_chunk_id: the bundle has no item `nope`\n");
    let unreadable = memory(&place, &["validate", "good.json", "--bundle", "good.json"]);
    assert_eq!(unreadable.status.code(), Some(2));
}

#[test]
fn notes_are_forgotten_counted_and_linted() {
    let place = Place::new(&[ICE, ("plan_v1.md", "Old.\n"), ("plan_v2.md", "New.\n")]);
    memory(&place, &["index", "notes"]);
    let linted = memory(&place, &["lint"]);
    assert_eq!(linted.status.code(), Some(1));
    assert!(stdout(&linted).starts_with("plan_v1.md: `plan_v2.md` looks newer"), "{}", stdout(&linted));
    assert_eq!(stdout(&memory(&place, &["forget", "plan_v1.md"])), "forgotten: plan_v1.md\n");
    assert_eq!(memory(&place, &["lint"]).status.code(), Some(0));
    let stats = stdout(&memory(&place, &["stats"]));
    assert!(stats.starts_with("notes: 2\npassages: 2\nforgotten: 1\n"), "{stats}");
    assert_eq!(memory(&place, &["forget", "plan_v1.md"]).status.code(), Some(0));
    assert_eq!(memory(&place, &["forget", "gone.md"]).status.code(), Some(1));
}

#[test]
fn a_killed_run_is_finished_by_the_next_one() {
    let place = Place::new(&[]);
    let whole = Place::new(&[]);
    for n in 0..400 {
        let text = format!("# Note {n}\n\n{}\n", format!("Iron note {n} on rust. ").repeat(40));
        place.write(&format!("{n}.md"), &text);
        whole.write(&format!("{n}.md"), &text);
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_cited"))
        .args(["memory", "index", "notes", "--memory", "memory.sqlite"])
        .current_dir(place.folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let half_way = || {
        let notes = place.memory.read(|reader| reader.count("SELECT count(*) FROM files"));
        notes.is_ok_and(|notes| notes > 50)
    };
    while !half_way() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let finished = memory(&place, &["index", "notes"]);
    assert_eq!(finished.status.code(), Some(0));
    whole.index();
    let generation = |place: &Place| place.memory.read(|reader| Ok(reader.size()?.generation)).unwrap();
    assert_eq!(generation(&place), generation(&whole));
}

#[test]
fn what_memory_said_becomes_a_numbered_source_that_verifies() {
    let place = Place::new(&[ICE]);
    let fine = |arguments: &[&str]| {
        let output = cited(&place, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
        stdout(&output)
    };
    fine(&["memory", "index", "notes"]);
    let bundle = fine(&["memory", "evidence", "Does ice float on water?"]);
    std::fs::write(place.folder.path().join("bundle.json"), bundle).unwrap();
    assert!(fine(&["ingest", "bundle.json"]).starts_with("[1] mem://memory/-/"));
    fine(&["quote", "1", "--text", "Ice floats on water"]);
    let draft = place.folder.path().join("draft.md");
    std::fs::write(&draft, "# Ice\n\nIce floats on liquid water.[1]\n").unwrap();
    fine(&["render", "--replace-in", "draft.md"]);
    assert!(fine(&["verify", "draft.md", "--evidence"]).ends_with("citations OK\n"));

    let refused = cited(&place, &["quote", "1", "--text", "Ice sinks in water"]);
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn a_quote_in_an_answer_is_held_against_its_passage() {
    let place = Place::new(&[ICE]);
    memory(&place, &["index", "notes"]);
    let bundle = stdout(&memory(&place, &["evidence", "Does ice float on water?"]));
    let id = serde_json::from_str::<serde_json::Value>(&bundle).unwrap()["items"][0]["chunk_id"].to_string();
    std::fs::write(place.folder.path().join("bundle.json"), &bundle).unwrap();
    for (quote, code) in [("Ice floats on water", 0), ("Ice never floats on water", 1), ("Ice", 1)] {
        let answer = format!(
            r#"{{"answer":"Yes.","citations":[{id}],"insufficient_evidence":false,"quotes":[{{"chunk_id":{id},"quote":"{quote}"}}]}}"#
        );
        std::fs::write(place.folder.path().join("answer.json"), answer).unwrap();
        let judged = memory(&place, &["validate", "answer.json", "--bundle", "bundle.json"]);
        assert_eq!(judged.status.code(), Some(code), "{quote}: {}", stdout(&judged));
    }
}
