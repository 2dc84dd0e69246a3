//! Memory that lies in files: MEMORY.md, folders of notes, the facts of `memory_store.db`; and the command over them.
#![cfg(feature = "recall")]

mod memories;

use assert_cmd::Command;
use memories::{Home, contents, errors, ids};
use serde_json::Value;

const QUESTION: &str = "What colour is the harbour crane?";

/// The command in a fresh home without any service.
fn cited(home: &Home) -> Command {
    let mut command = Command::cargo_bin("cited").unwrap();
    command.current_dir(home.folder.path()).env_clear();
    command.env("HOME", home.folder.path()).env("XDG_CONFIG_HOME", home.path("config"));
    // Ports that nothing listens on.
    for (name, port) in
        [("CITED_OBN_URL", 1), ("CITED_HINDSIGHT_URL", 2), ("CITED_HERMES_URL", 3), ("OLLAMA_HOST", 4)]
    {
        command.env(name, format!("http://127.0.0.1:{port}"));
    }
    command
}

fn report(command: &mut Command) -> (Value, Option<i32>) {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let report = serde_json::from_str(&text);
    (report.unwrap_or_else(|_| panic!("{text}\n{:?}", output.stderr)), output.status.code())
}

#[test]
fn a_fresh_machine_answers_from_memory_md_and_every_other_source_reports_cleanly() {
    let home = Home::new();
    home.write("MEMORY.md", "# Harbour\n\nThe harbour crane is green.\n\n# Ice\n\nIce floats.\n");
    let (report, code) = report(cited(&home).args(["recall", "-q", QUESTION]));
    assert_eq!(code, Some(0));
    assert_eq!(report["abstained"], false);
    assert_eq!(report["synthesized_answer"], Value::Null);
    assert_eq!(report["extractive_answer"], "The harbour crane is green.[1]");
    let errors: Vec<&str> =
        report["errors"].as_array().unwrap().iter().map(|e| e.as_str().unwrap()).collect();
    for source in ["session: no database at ", "memory_store: no database at ", "memory: no "] {
        assert!(errors.iter().any(|error| error.starts_with(source)), "{source} {errors:?}");
    }
    assert!(errors.iter().all(|error| !error.contains('\n')));
}

#[test]
fn a_folder_of_notes_answers_alone() {
    let home = Home::new();
    home.write("notes/harbour/crane.md", "The harbour crane is green.");
    home.write("notes/ice.txt", "Ice floats.");
    home.write("notes/.hidden.md", "The harbour crane is a secret colour.");
    home.write("notes/crane.rs", "the harbour crane colour");
    let (report, code) = report(cited(&home).args(["recall", "-q", QUESTION, "--memory", "notes"]));
    assert_eq!((code, report["citations"].as_array().unwrap().len()), (Some(0), 1));
    assert_eq!(report["citations"][0]["native_id"], "harbour/crane.md");
    assert_eq!(report["citations"][0]["source_type"], "memory");
}

#[test]
fn a_question_that_nothing_answers_ends_with_one() {
    let home = Home::new();
    let (empty, code) = report(cited(&home).args(["recall", "--query", QUESTION]));
    assert_eq!((code, &empty["abstention_reason"]), (Some(1), &"No results from any memory store.".into()));
    home.write("MEMORY.md", "The crane flew south.");
    let (weak, code) = report(cited(&home).args([
        "recall",
        "-q",
        "Which colour has the new harbour tower crane?",
        "--min-sources",
        "1",
    ]));
    assert_eq!(code, Some(1));
    let reason = weak["abstention_reason"].as_str().unwrap();
    assert!(
        reason.starts_with("Low relevance scores (top RRF score: 0.") && reason.ends_with(" < 0.3)."),
        "{reason}"
    );
    assert_eq!(weak["citations"].as_array().unwrap().len(), 1);
}

#[test]
fn what_can_not_be_run_ends_with_two_and_says_what_would() {
    let home = Home::new();
    for arguments in [
        vec!["recall", "-q", "  "],
        vec!["recall", "-q", "ice", "--sources", "cotext"],
        vec!["recall", "-q", "ice", "--limit", "0"],
        vec!["recall", "-q", "ice", "--limit", "1001"],
        vec!["recall", "-q", "ice", "--threshold", "1.5"],
        vec!["recall", "-q", "ice", "--llm", "oracle"],
        vec!["recall"],
    ] {
        cited(&home).args(&arguments).assert().code(2).stdout("");
    }
    let assert = cited(&home).args(["recall", "-q", "ice", "--sources", "cotext"]).assert();
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("`cotext`") && said.contains("context") && said.contains("help:"), "{said}");
}

#[test]
fn the_report_can_go_to_a_file() {
    let home = Home::new();
    home.write("MEMORY.md", "The harbour crane is green.");
    cited(&home).args(["recall", "-q", QUESTION, "-o", "out.json"]).assert().code(0).stdout("");
    let text = std::fs::read_to_string(home.path("out.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["query"], QUESTION);
}

#[test]
fn check_says_what_is_reachable_and_asks_nothing() {
    let home = Home::new();
    home.write("MEMORY.md", "The harbour crane is green.");
    home.facts();
    let assert =
        cited(&home).env("HERMES_HOME", home.folder.path()).args(["recall", "--check"]).assert().code(0);
    let said = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(said.contains("context      ok    1 file"), "{said}");
    assert!(said.contains("memory_store ok    0 facts"), "{said}");
    assert!(said.contains("session      error no database at"), "{said}");
}

#[test]
fn a_project_file_has_no_say_in_where_memory_goes() {
    let home = Home::new();
    home.write("MEMORY.md", "The harbour crane is green.");
    let evil = "[recall.ob1]\nurl = 'https://evil.example'\napi-key = 'x'\nkey-helper = '/bin/evil'\n\
                [recall.openai]\nurl = 'https://evil.example'\n";
    home.write("cited.toml", evil);
    home.write("config.toml", evil);
    let (report, _) = report(cited(&home).args(["recall", "-q", QUESTION]));
    assert!(!report.to_string().contains("evil.example"), "{report}");
    let assert = cited(&home).args(["recall", "--check"]).assert().code(0);
    assert!(!String::from_utf8_lossy(&assert.get_output().stdout).contains("evil"));
}

#[test]
fn the_users_own_config_file_is_read() {
    let home = Home::new();
    home.write("config/cited/config.toml", "[recall.memory]\npath = 'my notes'\n");
    home.write("my notes/a.md", "The harbour crane is green.");
    let (_, code) = report(cited(&home).args(["recall", "-q", QUESTION]));
    assert_eq!(code, Some(0));
    home.write("config/cited/config.toml", "[recall.memory]\npaht = 'my notes'\n");
    let assert = cited(&home).args(["recall", "-q", QUESTION]).assert().code(2);
    assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("paht"));
}

#[test]
fn facts_of_low_trust_are_not_told_and_no_counter_moves() {
    let home = Home::new();
    let facts = home.facts();
    facts.add("The harbour crane is green.", 0.3);
    facts.add("The harbour crane is pink.", 0.29);
    facts.add(QUESTION, 0.9);
    for (colour, trust) in [("blue", "NULL"), ("grey", "'high'"), ("red", "'0.2'")] {
        let sql = format!(
            "INSERT INTO facts (content, trust_score) VALUES ('The harbour crane is {colour}.', {trust})"
        );
        facts.connection.execute(&sql, []).unwrap();
    }
    drop(facts);
    let before = std::fs::read(home.path("memory_store.db")).unwrap();
    let found = home.ask("memory_store", QUESTION);
    assert_eq!(contents(&found), ["The harbour crane is green."]);
    assert_eq!(ids(&found), ["1"]);
    let chunk = &found.findings.citations[0].fused.chunk;
    assert_eq!(chunk.created_at.as_deref(), Some("2026-01-02T03:04:05Z"));
    assert_eq!(chunk.metadata["trust"], 0.3);
    assert!(before == std::fs::read(home.path("memory_store.db")).unwrap());
}

#[test]
fn facts_in_scripts_without_spaces_are_found() {
    let home = Home::new();
    let facts = home.facts();
    facts.add("港口起重机是绿色的。", 0.9);
    facts.add("冰浮在水上。", 0.9);
    assert_eq!(contents(&home.ask("memory_store", "起重机是什么颜色")), ["港口起重机是绿色的。"]);
}

#[test]
fn context_reads_hermes_and_the_folder_and_what_is_named() {
    let home = Home::new();
    home.write(
        "memories/MEMORY.md",
        "The harbour crane is green.\n§\nIce floats.\n§\nThe harbour crane is high.",
    );
    home.write("extra/a.md", "# Crane\nThe harbour crane is old.");
    let mut settings = home.settings();
    settings.context.files = vec!["extra".into(), "missing.md".into()];
    let found = memories::ask(settings.clone(), "context", QUESTION);
    assert!(errors(&found)[0].starts_with("context: no file at "), "{:?}", errors(&found));
    settings.context.files.pop();
    let found = memories::ask(settings, "context", QUESTION);
    assert_eq!(ids(&found), ["MEMORY.md", "MEMORY.md#3", "a.md#crane"]);
}

#[test]
fn an_extract_that_holds_only_a_part_of_the_question_says_so() {
    let home = Home::new();
    home.write("MEMORY.md", "# Harbour\n\nThe harbour crane is green.\n");
    let notes = |question: &str| {
        let (report, _) = report(cited(&home).args(["recall", "--llm", "none", "-q", question]));
        report["notes"].to_string()
    };
    let partial = notes("Who pays for the harbour crane?");
    assert!(partial.contains("nothing that was found holds `pays`; the extract may be beside the point"));
    assert!(!notes("Is the harbour crane green?").contains("beside the point"));
}

#[test]
fn what_cannot_be_written_is_not_an_abstention() {
    let home = Home::new();
    home.write("MEMORY.md", "The harbour crane is of a green colour.");
    for output in ["missing/out.json", "."] {
        for more in [&[][..], &["--html"]] {
            let failed =
                cited(&home).args(["recall", "-q", QUESTION, "-o", output]).args(more).assert().code(2);
            let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
            assert!(said.starts_with("error: cannot write `") && said.contains("\n  help: "), "{said}");
        }
    }
}

#[test]
fn a_lone_dash_is_stdout() {
    let home = Home::new();
    home.write("MEMORY.md", "The harbour crane is of a green colour.");
    let (found, code) = report(cited(&home).args(["recall", "-q", QUESTION, "-o", "-"]));
    assert_eq!((code, &found["abstained"]), (Some(0), &false.into()));
    let page = cited(&home).args(["recall", "-q", QUESTION, "--html", "-o", "-"]).assert().code(0);
    assert!(page.get_output().stdout.starts_with(b"<!DOCTYPE html>") && page.get_output().stderr.is_empty());
    assert!(!home.path("-").exists());
}

#[test]
fn headings_above_a_note_are_part_of_what_it_says() {
    let home = Home::new();
    home.write(
        "MEMORY.md",
        "# Harbour\n\n## Crane\n\n### Colour\n\nGreen since May.\n\n# Ferry\n\nHourly.\n",
    );
    let (found, code) = report(cited(&home).args(["recall", "-q", QUESTION]));
    assert_eq!((code, &found["citations"][0]["evidence"]), (Some(0), &1.0.into()));
    assert_eq!(found["extractive_answer"], "Green since May.[1]");
    assert_eq!(found["citations"][0]["content"], "# Harbour\n## Crane\n### Colour\nGreen since May.");
}

#[test]
fn the_report_is_ready_to_be_ingested() {
    let home = Home::new();
    home.write(
        "MEMORY.md",
        "# Harbour\n\nThe harbour crane is green.\n\n# Crane\n\nThe crane has a motor.\n",
    );
    cited(&home).args(["recall", "-q", QUESTION, "-o", "out.json"]).assert().code(0);
    let ledger = ["--ledger", "ledger.json"];
    let assert = cited(&home).args(ledger).args(["ingest", "out.json"]).assert().code(0);
    let said = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(said.contains("[1] mem://context/folder/MEMORY.md%23harbour"), "{said}");
    assert!(said.contains("[2] mem://context/folder/MEMORY.md%23crane"), "{said}");
    let quote = ["quote", "1", "--text", "The harbour crane is green."];
    cited(&home).args(ledger).args(quote).assert().code(0);
}

#[test]
fn the_annotated_example_config_is_valid_and_holds_the_defaults() {
    use cited::recall::{Settings, Surroundings};
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/recall.example.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let all = text
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ") || rest.starts_with('[')));
    let uncommented: Vec<&str> = all.zip(text.lines()).map(|(bare, line)| bare.unwrap_or(line)).collect();
    for text in [text.clone(), uncommented.join("\n")] {
        let around = Surroundings {
            config: Some((&path, &text)),
            variable: &|_| None,
            home: None,
            folder: std::path::Path::new("/"),
            now: "2026-06-01T12:00:00Z".parse().unwrap(),
        };
        let settings = Settings::read(&around).unwrap();
        let defaults = Settings::default();
        assert_eq!(settings.threshold, defaults.threshold);
        assert_eq!((settings.ob1.preset, settings.obn.tenant), (defaults.ob1.preset, defaults.obn.tenant));
        assert_eq!(
            (settings.hindsight.bank, settings.hindsight.types),
            (defaults.hindsight.bank, defaults.hindsight.types)
        );
    }
}

#[test]
fn the_embedded_index_is_asked_and_what_is_superseded_is_not_told() {
    let home = Home::new();
    home.write("notes/old.md", "# Crane\n\nThe harbour crane is red, in one coat of paint.\n");
    home.write("notes/new.md", "---\nsupersedes: old\n---\n# Crane\n\nThe harbour crane is green.\n");
    home.write("notes/past.md", "---\nvalid_until: 2001-01-01\n---\nThe harbour crane is wooden.\n");
    cited(&home).args(["memory", "--memory", "m.sqlite", "index", "notes"]).assert().code(0);
    let (found, code) = report(cited(&home).args(["recall", "--memory", "m.sqlite", "-q", QUESTION]));
    assert_eq!(code, Some(0), "{found}");
    let contents: Vec<&str> =
        found["citations"].as_array().unwrap().iter().map(|c| c["content"].as_str().unwrap()).collect();
    assert!(contents.len() == 1 && contents[0].contains("green"), "{contents:?}");
    assert_eq!(found["citations"][0]["metadata"]["note"], "new.md");
}

#[test]
fn the_index_beside_the_ledger_is_found_without_being_named() {
    let home = Home::new();
    home.write("notes/a.md", "The harbour crane is green.");
    let ledger = ["--ledger", "cites/ledger.json"];
    cited(&home).args(ledger).args(["memory", "index", "notes"]).assert().code(0);
    let (_, code) = report(cited(&home).args(ledger).args(["recall", "-q", QUESTION]));
    assert_eq!(code, Some(0));
}

#[test]
fn a_note_in_utf_16_is_read() {
    let home = Home::new();
    let text = "\u{feff}# Harbour\r\n\r\nThe harbour crane is of a green colour.\r\n";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(home.path("MEMORY.md"), bytes).unwrap();
    assert_eq!(
        contents(&home.ask("context", QUESTION)),
        ["# Harbour\nThe harbour crane is of a green colour."]
    );
}

#[test]
fn notes_that_only_repeat_the_question_take_no_place_from_an_answer() {
    let home = Home::new();
    let echoes: String = (0..9).map(|n| format!("# {n}\n\n{QUESTION}\n\n")).collect();
    home.write("MEMORY.md", &format!("{}# Crane\n\nGreen is its colour.\n", echoes.replace("# ", "§\n")));
    assert_eq!(contents(&home.ask("context", QUESTION)), ["# Crane\nGreen is its colour."]);
}
