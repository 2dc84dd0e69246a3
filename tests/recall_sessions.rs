//! Past sessions in real SQLite files: every shape of the index, every state of the file, and what of a session
//! log must never be cited.
#![cfg(feature = "recall")]

mod memories;

use memories::{Columns, Home, SHAPES, Shape, State, contents, errors, ids};

const QUESTION: &str = "What did we decide about the harbour crane?";
const ANSWER: &str = "We decided that the harbour crane gets a new motor.";

fn home(shape: Shape, columns: Columns) -> (Home, State) {
    let home = Home::new();
    let state = home.state(shape, columns);
    state.session("s1", "cli", None);
    (home, state)
}

#[test]
fn every_shape_and_age_of_the_file_gives_the_same_message() {
    for shape in SHAPES {
        for columns in [Columns::Early, Columns::Later] {
            let (home, state) = home(shape, columns);
            state.say("s1", "user", QUESTION);
            let id = state.say("s1", "assistant", ANSWER);
            state.say("s1", "assistant", "Ice floats on water.");
            let found = home.ask("session", QUESTION);
            assert_eq!(contents(&found), [ANSWER], "{shape:?} {columns:?}");
            let chunk = &found.findings.citations[0].fused.chunk;
            assert_eq!(chunk.native_id.as_deref(), Some(format!("s1#{id}").as_str()));
            assert_eq!(chunk.created_at.as_deref(), Some("2026-01-02T03:04:05Z"));
            assert_eq!(errors(&found), Vec::<String>::new());
        }
    }
}

#[test]
fn words_in_tool_calls_do_not_make_a_message_a_hit() {
    for shape in SHAPES {
        let (home, state) = home(shape, Columns::Later);
        let calls = r#"[{"name":"search","arguments":"harbour crane"}]"#;
        state.say_with_tools("s1", "assistant", "Let me look.", Some("search"), Some(calls));
        assert_eq!(contents(&home.ask("session", QUESTION)), Vec::<&str>::new(), "{shape:?}");
    }
}

#[test]
fn what_an_open_writer_has_in_its_wal_is_seen_and_no_byte_changes() {
    let (home, state) = home(Shape::External, Columns::Later);
    state.connection.pragma_update(None, "journal_mode", "wal").unwrap();
    state.say("s1", "assistant", ANSWER);
    let before = ["state.db", "state.db-wal"].map(|name| std::fs::read(home.path(name)).unwrap());
    assert!(!before[1].is_empty());
    assert_eq!(contents(&home.ask("session", QUESTION)), [ANSWER]);
    let after = ["state.db", "state.db-wal"].map(|name| std::fs::read(home.path(name)).unwrap());
    assert!(before == after);
    state.say("s1", "assistant", "The writer goes on.");
}

#[test]
fn a_writer_in_the_middle_of_a_transaction_is_not_waited_for() {
    let (home, state) = home(Shape::External, Columns::Later);
    state.connection.pragma_update(None, "journal_mode", "wal").unwrap();
    state.say("s1", "assistant", ANSWER);
    state.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    state.say("s1", "assistant", "The harbour crane is not for sale.");
    assert_eq!(contents(&home.ask("session", QUESTION)), [ANSWER]);
}

#[test]
fn a_closed_wal_file_is_read_and_stays_as_it_is() {
    let (home, state) = home(Shape::External, Columns::Later);
    state.connection.pragma_update(None, "journal_mode", "wal").unwrap();
    state.say("s1", "assistant", ANSWER);
    drop(state);
    let before = std::fs::read(home.path("state.db")).unwrap();
    assert_eq!(contents(&home.ask("session", QUESTION)), [ANSWER]);
    assert!(before == std::fs::read(home.path("state.db")).unwrap());
    // A read-only reader may leave the log behind that it looked at; nothing is in it.
    assert_eq!(std::fs::read(home.path("state.db-wal")).unwrap_or_default(), b"");
}

#[cfg(unix)]
#[test]
fn a_wal_whose_folder_takes_no_shared_memory_is_read_from_a_copy() {
    let (home, state) = home(Shape::External, Columns::Later);
    state.connection.pragma_update(None, "journal_mode", "wal").unwrap();
    state.say("s1", "assistant", ANSWER);
    let frozen = Home::new();
    for name in ["state.db", "state.db-wal"] {
        std::fs::copy(home.path(name), frozen.path(name)).unwrap();
    }
    // Holds for root too, whom a read-only folder does not stop: the place of the shared memory is taken.
    std::os::unix::fs::symlink("/no/such/folder/shm", frozen.path("state.db-shm")).unwrap();
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let in_place = rusqlite::Connection::open_with_flags(frozen.path("state.db"), flags).unwrap();
    assert!(in_place.query_row("SELECT count(*) FROM messages", [], |row| row.get::<_, i64>(0)).is_err());
    drop(in_place);
    let before = ["state.db", "state.db-wal"].map(|name| std::fs::read(frozen.path(name)).unwrap());
    let found = frozen.ask("session", QUESTION);
    assert_eq!(contents(&found), [ANSWER], "{:?}", errors(&found));
    let after = ["state.db", "state.db-wal"].map(|name| std::fs::read(frozen.path(name)).unwrap());
    assert!(before == after);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let (home, state) = home(Shape::External, Columns::Later);
    state.connection.pragma_update(None, "journal_mode", "wal").unwrap();
    state.say("s1", "assistant", ANSWER);
    drop(state);
    let mode = |bits| std::fs::set_permissions(home.folder.path(), PermissionsExt::from_mode(bits)).unwrap();
    mode(0o555);
    let found = home.ask("session", QUESTION);
    mode(0o755);
    assert_eq!(contents(&found), [ANSWER], "{:?}", errors(&found));
}

#[test]
fn a_tokenizer_that_is_not_registered_does_not_hide_the_messages() {
    let (home, state) = home(Shape::External, Columns::Later);
    state.say("s1", "assistant", ANSWER);
    let rename = "PRAGMA writable_schema = ON; \
                  UPDATE sqlite_master SET sql = replace(sql, 'content_rowid=id', \
                  'content_rowid=id, tokenize=''icu zh''') WHERE name = 'messages_fts';";
    state.connection.execute_batch(rename).unwrap();
    drop(state);
    let plain = rusqlite::Connection::open(home.path("state.db")).unwrap();
    let sql = "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'crane'";
    assert!(
        plain.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap_err().to_string().contains("tokenizer")
    );
    let found = home.ask("session", QUESTION);
    assert_eq!(contents(&found), [ANSWER], "{:?}", errors(&found));
}

#[test]
fn scripts_without_spaces_are_found_with_and_without_a_trigram_index() {
    for trigrams in [true, false] {
        let (home, mut state) = home(Shape::External, Columns::Later);
        if trigrams {
            state = state.with_trigrams();
        }
        state.say("s1", "assistant", "港口起重机决定换新电机。");
        state.say("s1", "assistant", "冰浮在水上。");
        assert_eq!(
            contents(&home.ask("session", "港口起重机怎么样？")),
            ["港口起重机决定换新电机。"],
            "trigrams: {trigrams}"
        );
        assert_eq!(contents(&home.ask("session", "电机是什么")), ["港口起重机决定换新电机。"]);
    }
}

#[test]
fn multimodal_content_behind_a_nul_is_decoded() {
    for shape in SHAPES {
        let (home, state) = home(shape, Columns::Later);
        let parts =
            format!("\0json:[{{\"type\":\"text\",\"text\":\"{ANSWER}\"}},{{\"type\":\"image_url\"}}]");
        state.say("s1", "user", &parts);
        assert_eq!(contents(&home.ask("session", QUESTION)), [ANSWER], "{shape:?}");
    }
}

#[test]
fn tool_noise_never_becomes_a_citation() {
    let (home, state) = home(Shape::External, Columns::Later);
    state.say("s1", "tool", "harbour crane: 3 results");
    state.say("s1", "system", "You know the harbour crane.");
    state.say("s1", "assistant", r#"{"path":"/harbour/crane decide.txt","exit_code":0}"#);
    state.say("s1", "assistant", r#"[{"todo":"harbour crane decide","status":"open"}]"#);
    assert_eq!(contents(&home.ask("session", QUESTION)), Vec::<&str>::new());
    state.say("s1", "assistant", &format!(r#"{{"ok":true,"result":{{"message":"{ANSWER}"}}}}"#));
    assert_eq!(contents(&home.ask("session", QUESTION)), [ANSWER]);
}

#[test]
fn harness_prompts_compaction_summaries_and_echoes_never_become_citations() {
    let (home, state) = home(Shape::External, Columns::Later);
    for noise in [
        QUESTION,
        "what did we decide about the harbour crane",
        "Search your memory: what did we decide about the harbour crane?",
        "[CONTEXT COMPACTION — REFERENCE ONLY] We decided about the harbour crane.",
        "[CONTEXT SUMMARY]: the harbour crane was decided",
        "[SYSTEM: the harbour crane was decided]",
        "Review the conversation above and save what was decided about the harbour crane.",
        "This session is being continued from a previous conversation about the harbour crane.",
    ] {
        state.say("s1", "user", noise);
    }
    assert_eq!(contents(&home.ask("session", QUESTION)), Vec::<&str>::new());
}

#[test]
fn our_own_earlier_prompts_and_their_answers_never_become_citations() {
    let (home, state) = home(Shape::External, Columns::Later);
    let prompt = cited::recall::prompt::write(QUESTION, &[]);
    state.say("s1", "user", &format!("{}\n\n{}", prompt.system, prompt.user));
    state.say("s1", "assistant", "The harbour crane gets a new motor [1].");
    assert_eq!(contents(&home.ask("session", QUESTION)), Vec::<&str>::new());
    state.session("s2", "cli", None);
    state.say("s2", "user", "And the crane?");
    state.say("s2", "assistant", ANSWER);
    assert_eq!(contents(&home.ask("session", QUESTION)), [ANSWER]);
}

#[test]
fn undone_and_hidden_messages_are_out_and_compacted_ones_are_in() {
    let (home, state) = home(Shape::External, Columns::Later);
    let undone = state.say("s1", "assistant", "The harbour crane was sold.");
    state.set(undone, "active", 0);
    let hidden = state.say("s1", "assistant", "The harbour crane is red.");
    state.set(hidden, "display_kind", "hidden");
    let compacted = state.say("s1", "assistant", ANSWER);
    state.set(compacted, "active", 0);
    state.set(compacted, "compacted", 1);
    assert_eq!(contents(&home.ask("session", QUESTION)), [ANSWER]);
}

#[test]
fn programs_talking_to_themselves_are_out_and_cron_comes_last() {
    let (home, state) = home(Shape::External, Columns::Later);
    for source in ["kanban", "subagent", "tool"] {
        state.session(source, source, None);
        state.say(source, "assistant", &format!("The harbour crane, says {source}."));
    }
    state.session("nightly", "cron", None);
    state.say("nightly", "assistant", "Harbour crane decided.");
    state.say("s1", "assistant", &format!("{ANSWER} {}", "It will be built in spring. ".repeat(9)));
    let found = home.ask("session", QUESTION);
    let sources: Vec<&str> = ids(&found).into_iter().map(|id| id.split('#').next().unwrap()).collect();
    assert_eq!(sources, ["s1", "nightly"]);
}

#[test]
fn a_lineage_speaks_once_with_its_best_hit() {
    let (home, state) = home(Shape::External, Columns::Later);
    state.session("s2", "cli", Some("s1"));
    state.session("s3", "cli", Some("s2"));
    state.session("other", "cli", None);
    state.say("s1", "user", "The crane stands in the old part of the town, near the water.");
    state.say("s3", "assistant", ANSWER);
    state.say("other", "assistant", "The crane is green.");
    let found = home.ask("session", QUESTION);
    assert_eq!(contents(&found), [ANSWER, "The crane is green."]);
}

#[test]
fn sessions_that_are_each_others_parents_end() {
    let (home, state) = home(Shape::External, Columns::Later);
    state.session("a", "cli", Some("b"));
    state.session("b", "cli", Some("a"));
    state.say("a", "assistant", ANSWER);
    state.say("b", "assistant", "The crane is green.");
    assert_eq!(contents(&home.ask("session", QUESTION)).len(), 1);
}

#[test]
fn a_file_that_is_no_session_database_is_one_clean_error() {
    let home = Home::new();
    let missing = errors(&home.ask("session", QUESTION)).remove(0);
    assert!(missing.starts_with("session: no database at ") && missing.ends_with("state.db"), "{missing}");
    for (bytes, says) in [("this is no database at all, only text", "not a database"), ("", "no column `id`")]
    {
        home.write("state.db", bytes);
        let found = home.ask("session", QUESTION);
        assert!(errors(&found)[0].contains(says), "{:?}", errors(&found));
    }
}
