//! `cited verify` as a process: which drafts it takes, how it ends, what goes to which stream.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GOOD: &str = "Ice floats on liquid water.[1]\n\n## Sources\n\n[1] https://a.example/ice\n";
const BAD: &str = "Ice floats on liquid water.[9]\n\n## Sources\n\n[1] https://a.example/ice\n";

/// A folder with a ledger of one source and these files.
struct Place(tempfile::TempDir);

impl Place {
    fn with(files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        place.run(&["add", "https://a.example/ice"]);
        files.iter().for_each(|(name, text)| place.write(name, text.as_bytes()));
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a file")
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Ended {
        self.write("stdin", input.as_bytes());
        let stdin = fs::File::open(self.path().join("stdin")).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_cited"))
            .args(["--ledger", "ledger.json"])
            .args(arguments)
            .current_dir(self.path())
            .env("NO_COLOR", "1")
            .stdin(Stdio::from(stdin))
            .output()
            .expect("the program runs");
        fs::remove_file(self.path().join("stdin")).expect("a file");
        Ended::from(output)
    }

    fn verify(&self, arguments: &[&str]) -> Ended {
        let arguments: Vec<&str> = ["verify"].iter().chain(arguments).copied().collect();
        self.run(&arguments)
    }
}

#[derive(Debug)]
struct Ended {
    code: i32,
    out: String,
    err: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("no signal"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Ended {
    fn verdict(&self) -> Option<&str> {
        self.out.lines().last()
    }
}

#[test]
fn a_good_draft_is_ok_and_a_bad_one_fails_on_stderr() {
    let place = Place::with(&[("good.md", GOOD), ("bad.md", BAD)]);
    let good = place.verify(&["good.md"]);
    assert_eq!((good.code, good.verdict(), good.err.as_str()), (0, Some("citations OK"), ""), "{good:?}");
    assert!(
        good.out.starts_with("info: stats: 1 prose sentence(s), 1 with declared provenance (100%) — 1 cited")
    );
    let bad = place.verify(&["bad.md"]);
    assert_eq!((bad.code, bad.verdict()), (1, Some("verification failed")), "{bad:?}");
    assert!(bad.err.contains("hallucinated or renumbered (bad.md:1:28 unknown-id)"), "{bad:?}");
    assert!(!bad.out.contains("hallucinated"), "{bad:?}");
}

#[test]
fn what_cannot_be_read_is_not_judged_and_hides_no_other() {
    let place = Place::with(&[("good.md", GOOD), ("bad.md", BAD)]);
    place.write("bytes.md", b"\xff\xfe");
    for missing in ["none.md", "bytes.md", "none*.md"] {
        let ended = place.verify(&[missing]);
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{ended:?}");
        assert!(ended.err.starts_with("error: ") && ended.err.contains("\n  help: "), "{ended:?}");
        assert_eq!(place.verify(&[missing, "good.md"]).code, 2);
        let all = place.verify(&[missing, "bad.md", "good.md"]);
        assert_eq!(all.code, 1, "a failure outweighs it");
        assert!(all.err.contains("unknown-id") && all.err.contains("error: "), "{all:?}");
    }
}

#[test]
fn an_unreadable_ledger_is_no_verdict() {
    let place = Place::with(&[("good.md", GOOD)]);
    place.write("ledger.json", b"[");
    let ended = place.verify(&["good.md"]);
    assert_eq!((ended.code, ended.out.as_str()), (1, ""), "{ended:?}");
    assert!(ended.err.contains("reset"), "{ended:?}");
}

#[test]
fn a_folder_means_its_markdown_but_not_what_git_ignores() {
    let place = Place::with(&[
        ("docs/good.md", GOOD),
        ("docs/deep/GOOD.MD", GOOD),
        ("docs/notes.txt", BAD),
        ("docs/old/bad.md", BAD),
        ("docs/.hidden/bad.md", BAD),
        ("docs/.gitignore", "old/\n"),
    ]);
    let ended = place.verify(&["docs"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.out.contains("info: 2 drafts: 2 passed, 0 failed"), "{ended:?}");
    assert_eq!(place.verify(&["docs/notes.txt"]).code, 1, "a named file is read whatever it is called");
    place.write("empty/x.txt", b"");
    let empty = place.verify(&["empty"]);
    assert_eq!(empty.code, 2);
    assert!(
        empty.err.contains("no Markdown files below `empty`") && empty.err.contains("help: "),
        "{empty:?}"
    );
}

#[test]
fn a_glob_is_expanded_where_the_shell_did_not() {
    let place = Place::with(&[("a/1.md", GOOD), ("a/b/2.md", GOOD), ("a/3.txt", BAD), ("x[1].md", GOOD)]);
    assert!(place.verify(&["a/**/*.md"]).out.contains("info: 2 drafts"));
    assert!(place.verify(&["**/*.{md,txt}"]).out.contains("info: 4 drafts"));
    let literal = place.verify(&["x[1].md"]);
    assert_eq!(literal.code, 0, "a file of that name comes first: {literal:?}");
    assert_eq!(place.verify(&["a/[.md"]).code, 2);
}

#[test]
fn drafts_are_reported_in_path_order_and_once() {
    let place = Place::with(&[("b.md", GOOD), ("a.md", GOOD)]);
    let ended = place.verify(&["b.md", "a.md", "b.md"]);
    let stats: Vec<&str> = ended.out.lines().filter(|line| line.starts_with("info: stats:")).collect();
    assert!(stats.len() == 2 && stats[0].ends_with("(a.md)") && stats[1].ends_with("(b.md)"), "{ended:?}");
}

#[test]
fn standard_input_is_a_draft() {
    let place = Place::with(&[]);
    assert_eq!(place.run_with(&["verify", "-"], GOOD).code, 0);
    let bad = place.run_with(&["verify", "-"], BAD);
    assert_eq!(bad.code, 1);
    assert!(bad.err.contains("(-:1:28 unknown-id)"), "{bad:?}");
}

#[test]
fn sources_that_no_draft_cites_are_said_once() {
    let place = Place::with(&[("a.md", GOOD), ("b.md", GOOD)]);
    place.run(&["add", "https://b.example/water"]);
    let ended = place.verify(&["a.md", "b.md"]);
    assert_eq!(ended.out.matches("uncited-source").count(), 1, "{ended:?}");
    assert_eq!(ended.code, 0);
    assert_eq!(place.verify(&["--strict", "a.md", "b.md"]).code, 1);
    assert_eq!(place.verify(&["a.md", "--strict"]).code, 1);
}

#[test]
fn strict_fails_on_warnings_and_all_on_notes() {
    let place = Place::with(&[(
        "spaced.md",
        "Ice floats on liquid water [1].\n\n## Sources\n\n[1] https://a.example/ice\n",
    )]);
    assert_eq!(place.verify(&["spaced.md", "--strict"]).code, 0);
    let all = place.verify(&["spaced.md", "--strict=all"]);
    assert_eq!((all.code, all.verdict()), (1, Some("verification failed")), "{all:?}");
}

#[test]
fn coverage_is_a_share_from_zero_to_one() {
    let place = Place::with(&[("half.md", &format!("It melts when it is warmed. {GOOD}"))]);
    assert_eq!(place.verify(&["half.md", "--min-coverage", "0.5"]).code, 0);
    assert_eq!(place.verify(&["half.md", "--min-coverage", "50%"]).code, 0);
    assert_eq!(place.verify(&["half.md", "--min-coverage", "60%"]).code, 1);
    for no_share in ["half", "%", "1/2"] {
        let refused = place.verify(&["half.md", "--min-coverage", no_share]);
        assert!(refused.code == 2 && refused.err.contains("a percentage such as `60%`"), "{}", refused.err);
    }
    let low = place.verify(&["half.md", "--min-coverage", "0.6"]);
    assert_eq!(low.code, 1);
    assert!(low.err.contains("coverage 50.0% is below the 60% asked for"), "{low:?}");
    assert!(place.verify(&["half.md", "--min-coverage", "-1"]).err.contains("a share from 0 to 1, not `-1`"));
    for share in ["1.1", "-0.1", "160%", "nan"] {
        assert_eq!(place.verify(&["half.md", &format!("--min-coverage={share}")]).code, 2, "{share}");
    }
}

#[test]
fn severities_of_the_project_hold() {
    let place = Place::with(&[("bad.md", BAD)]);
    place.write("cited.toml", b"[rules]\nunknown-id = \"warning\"\nlisted-not-cited = \"off\"\n");
    let ended = place.verify(&["bad.md"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.out.contains("warn: [9]") && !ended.out.contains("listed-not-cited"), "{ended:?}");
    place.write("cited.toml", b"[rules]\nno-such-rule = \"off\"\n");
    assert_eq!(place.verify(&["bad.md"]).code, 2);
}

#[test]
fn machine_formats_own_stdout_and_a_file_leaves_it_to_the_usual_lines() {
    let place = Place::with(&[("bad.md", BAD)]);
    let ended = place.verify(&["bad.md", "--format", "json"]);
    assert_eq!((ended.code, ended.err.as_str()), (1, ""), "{ended:?}");
    let json: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!(json["drafts"][0]["findings"][0]["rule"], "unknown-id");
    let ended = place.verify(&["bad.md", "--format", "sarif", "-o", "report.sarif"]);
    assert_eq!((ended.code, ended.verdict()), (1, Some("verification failed")), "{ended:?}");
    assert!(place.read("report.sarif").contains("\"ruleId\": \"unknown-id\""));
    let ended = place.verify(&["bad.md", "--format", "sarif", "-o", "-"]);
    assert_eq!((ended.code, ended.out), (1, place.read("report.sarif")));
    assert!(!place.path().join("-").exists());
}

#[test]
fn a_baseline_accepts_what_was_there_and_nothing_new() {
    let place = Place::with(&[("d.md", BAD)]);
    assert_eq!(place.verify(&["d.md", "--write-baseline", "accepted.json"]).code, 0);
    let ended = place.verify(&["d.md", "--strict", "--baseline", "accepted.json"]);
    assert_eq!((ended.code, ended.verdict()), (0, Some("citations OK")), "{ended:?}");
    place.write("d.md", format!("A new claim stands here.[8]\n\n{BAD}").as_bytes());
    let ended = place.verify(&["d.md", "--baseline", "accepted.json"]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("[8]") && !ended.err.contains("[9]"), "{ended:?}");
    assert_eq!(place.verify(&["d.md", "--baseline", "none.json"]).code, 2);
}

#[test]
fn fix_writes_canonical_markers_once_and_keeps_every_other_byte() {
    let spaced = "\u{feff}Ice floats on liquid water [1].\r\n\r\n冰的密度低于液态水，因此会浮起来。【1】\r\n\r\n## Sources\r\n\r\n[1] https://a.example/ice\r\n";
    let place = Place::with(&[("d.md", spaced)]);
    assert_eq!(place.verify(&["d.md", "--fix", "--strict=all"]).code, 0);
    let fixed = spaced.replace(" [1]", "[1]").replace("【1】", "[1]");
    assert_eq!(place.read("d.md"), fixed);
    assert_eq!(place.verify(&["d.md", "--fix"]).code, 0);
    assert_eq!(place.read("d.md"), fixed);
    assert_eq!(place.run_with(&["verify", "-", "--fix"], spaced).code, 2);
}

#[test]
fn fix_leaves_nothing_for_a_second_run() {
    let text = "Ice floats [1].\n\nIt melts in the sun [2].\n\n[1]: https://a.example/ice\n";
    let place = Place::with(&[("d.md", text)]);
    place.run(&["add", "https://b.example/water"]);
    assert_eq!(place.verify(&["d.md", "--fix"]).code, 0);
    let fixed = place.read("d.md");
    assert!(fixed.starts_with("Ice floats[1].\n\nIt melts in the sun[2].\n\n## Sources\n"), "{fixed}");
    assert_eq!(place.verify(&["d.md", "--fix"]).code, 0);
    assert_eq!(place.read("d.md"), fixed);
}

#[test]
fn fix_writes_the_block_anew_where_only_the_block_is_at_fault() {
    let stale = "Ice floats on liquid water.[1]\n\n## References\n\n[1] https://a.example/ice — Another title\n[2] https://b.example/water\n\n## After\n";
    let place = Place::with(&[("stale.md", stale), ("none.md", "Ice floats on liquid water.[1]\n")]);
    place.run(&["add", "https://b.example/water"]);
    place.run(&["edit", "1", "--title", "Density of ice"]);
    assert_eq!(place.verify(&["stale.md", "none.md", "--fix"]).code, 0);
    let block = "[1] https://a.example/ice — Density of ice\n";
    assert_eq!(
        place.read("stale.md"),
        format!("Ice floats on liquid water.[1]\n\n## References\n\n{block}\n## After\n")
    );
    assert_eq!(place.read("none.md"), format!("Ice floats on liquid water.[1]\n\n## Sources\n\n{block}"));
}

#[test]
fn fix_hides_no_number_that_stands_for_another_page() {
    let wrong = "Ice floats on liquid water.[1]\n\n## Sources\n\n[1] https://evil.example/\n[2] https://b.example/water\n";
    let place = Place::with(&[("wrong.md", wrong)]);
    place.run(&["add", "https://b.example/water"]);
    let ended = place.verify(&["wrong.md", "--fix"]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("does not match the ledger"), "{ended:?}");
    assert_eq!(place.read("wrong.md"), wrong);
}

#[test]
fn standard_input_has_no_place_to_be_rewritten_in() {
    let place = Place::with(&[]);
    let ended = place.run_with(&["render", "--replace-in", "-"], GOOD);
    assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{ended:?}");
    assert!(ended.err.contains("in place") && !place.path().join("-").exists(), "{ended:?}");
}

#[test]
fn evidence_is_looked_at_again() {
    let page = "Ice floats on liquid water because it is less dense.\n";
    let place = Place::with(&[("good.md", GOOD), ("page.txt", page)]);
    let missing = place.verify(&["good.md", "--evidence"]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("[1] is cited but has no verbatim evidence quote"), "{missing:?}");
    place.run(&["quote", "1", "--text", "Ice floats on liquid water", "--from", "page.txt"]);
    assert_eq!(place.verify(&["good.md", "--evidence"]).code, 0);
    let ledger = place.read("ledger.json");
    place.write("ledger.json", ledger.replace("floats on liquid water", "floats on liquid oil").as_bytes());
    let edited = place.verify(&["good.md", "--evidence"]);
    assert_eq!(edited.code, 1);
    assert!(edited.err.contains("no longer holds"), "{edited:?}");
}

#[test]
fn figures_quotations_and_bearing_are_checked_where_asked() {
    let page = "About 9% of an iceberg is above water, says the book of ice of the north.\n";
    let draft = |said: &str| format!("{said}[1]\n\n## Sources\n\n[1] https://a.example/ice\n");
    let place = Place::with(&[
        ("page.txt", page),
        (
            "same.md",
            &draft("Nine percent of an iceberg is “above water, says the book of ice” and it was 1990s ice."),
        ),
        ("figure.md", &draft("About 15% of an iceberg is above water.")),
        ("words.md", &draft("An iceberg is mostly “below water, says the book” of the north.")),
        ("apart.md", &draft("Emperor penguins keep their single egg warm through winter on both feet.")),
    ]);
    place.run(&["quote", "1", "--text", "About 9% of an iceberg is above water", "--from", "page.txt"]);
    let all = ["--evidence=sentence", "--figures", "--quotations"];
    let verify = |name: &str| place.verify(&[&[name], &all[..]].concat());
    let same = verify("same.md");
    assert_eq!((same.code, same.err.as_str()), (0, ""), "{same:?}");
    assert!(same.out.contains("info: cannot tell: 0 sentence(s), 1 figure(s), 0 quotation(s)"), "{same:?}");
    assert!(!same.out.contains("supported"), "passing is not support: {same:?}");
    let figure = verify("figure.md");
    assert_eq!(figure.code, 1);
    assert!(figure.err.contains("`15%` stands in no quote of [1]; a quote has `9%`"), "{figure:?}");
    assert_eq!(place.verify(&["figure.md"]).code, 0, "nobody asked");
    let words = verify("words.md");
    assert_eq!(words.code, 1);
    assert!(words.err.contains("not found verbatim"), "{words:?}");
    let apart = verify("apart.md");
    assert_eq!(apart.code, 0, "a warning: {apart:?}");
    assert!(apart.out.contains("unsupported-sentence"), "{apart:?}");
    let json = place.verify(&["same.md", "--figures", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["drafts"][0]["stats"]["cannot_tell"], serde_json::json!({"figures": 1}));
}

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_changes_no_exit_code() {
    let long = "Ice floats on liquid water.[9]\n\n".repeat(5_000);
    let place = Place::with(&[("good.md", GOOD), ("bad.md", BAD), ("long.md", &long)]);
    for (draft, code) in [("good.md", 0), ("bad.md", 1), ("long.md", 1)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
        command.args(["--ledger", "ledger.json", "verify", "--format", "json", draft]);
        let output = command.current_dir(place.path()).stdout(writer).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(code), "{draft}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_can_not_be_written_is_told_on_stderr() {
    let place = Place::with(&[("good.md", GOOD)]);
    for arguments in [&["list"][..], &["show", "1"], &["verify", "good.md"], &["render"], &["man"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
        command.args(["--ledger", "ledger.json"]).args(arguments);
        let output = command.current_dir(place.path()).stdout(full).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("error: cannot write the output: no space left on device"), "{told}");
    }
}
