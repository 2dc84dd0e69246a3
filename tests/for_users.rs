//! What is shipped beside the program: completions, manual pages, the GitHub Action, the hooks for pre-commit,
//! the example of cited.toml. Each is used here as its user would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cited::config::Project;
use cited::verify::Options;

const GOOD: &str = "Ice floats on liquid water.[1]\n\n## Sources\n\n[1] https://a.example/ice\n";
const BAD: &str = "Ice floats on liquid water.[9]\n\n## Sources\n\n[1] https://a.example/ice\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn cited(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_cited"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program runs")
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_shell_gets_completions_that_know_commands_and_styles() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = cited(&["completions", shell]);
        let script = shown(&output);
        assert!(output.status.success(), "{shell}");
        for word in ["cited", "verify", "--min-coverage", "replace-in", "withdraw"] {
            let word = word.trim_start_matches("--");
            assert!(script.contains(word), "{shell}: no `{word}`");
        }
    }
    assert_eq!(cited(&["completions", "cmd"]).status.code(), Some(2));
}

#[test]
fn the_manual_has_a_page_for_the_program_and_for_each_command() {
    let whole = shown(&cited(&["man"]));
    assert!(whole.contains(".TH cited 1") && whole.contains("citation ledger"), "{whole}");
    let verify = shown(&cited(&["man", "verify"]));
    assert!(verify.contains(".TH cited-verify 1") && verify.contains("min\\-coverage"), "{verify}");
    assert!(verify.contains("\"cited 0.") && verify.contains("\n.SH EXAMPLES\n  cited verify"), "{verify}");
    let refused = cited(&["man", "verifyy"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no command `verifyy`"));
}

/// What the examples speak of, and the order in which one works after the other.
const WITH_EXAMPLES: [&str; 16] = [
    "reset", "ingest", "add", "quote", "list", "show", "render", "verify", "merge", "adopt", "memory",
    "recall", "edit", "withdraw", "gc", "skill",
];

#[test]
#[cfg(unix)]
fn every_example_of_the_help_works() {
    let place = Place::new();
    for name in ["search.json", "lakes.txt", "report.md"] {
        fs::copy(root().join("fixtures/cli/tour.in").join(name), place.path(name)).expect("a file");
    }
    for (name, text) in [
        ("worker/citations.json", "{\"version\": 1, \"sources\": [], \"next_id\": 1}\n"),
        ("worker/draft.md", "Ice floats on water. [unverified]\n"),
        ("notes/ice.md", "Ice floats on water.\n"),
        ("reports/note.md", "Ice floats on water. [unverified]\n"),
    ] {
        fs::create_dir_all(place.path(name).parent().expect("a folder")).expect("a folder");
        fs::write(place.path(name), text).expect("a file");
    }
    let there = |name: &&&str| cfg!(feature = "recall") || !["memory", "recall"].contains(name);
    for command in WITH_EXAMPLES.iter().filter(there) {
        let help = shown(&cited(&[command, "--help"]));
        let examples = help.split_once("\nExamples:\n").expect("examples").1;
        for example in examples.lines().take_while(|line| line.starts_with("  ")) {
            let output = worked(&place, example);
            assert!(output.status.success(), "{example}: {output:?}");
        }
    }
}

/// A line for a shell, in a world without memory servers.
#[cfg(unix)]
fn worked(place: &Place, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_cited")).parent().expect("a folder");
    let mut command = place.command("sh");
    for server in ["CITED_OBN_URL", "CITED_HINDSIGHT_URL", "CITED_HERMES_URL", "OLLAMA_HOST"] {
        command.env(server, "http://127.0.0.1:9");
    }
    command.env("PATH", format!("{}:/usr/bin:/bin", program.display())).env("HOME", place.path("home"));
    command.env_remove("HERMES_HOME").args(["-c", line]).output().expect("the program runs")
}

#[test]
fn the_help_of_each_command_ends_with_what_every_command_takes() {
    for command in ["add", "verify", "list", "man", "completions"] {
        let help = shown(&cited(&[command, "-h"]));
        let (own, common) = help.split_once("\nOptions of every command:\n").unwrap_or_default();
        assert!(own.contains("  -h, --help") && !own.contains("--ledger"), "{command}: {help}");
        assert!(["--ledger", "--color", "--quiet"].iter().all(|option| common.contains(option)), "{help}");
    }
}

#[test]
fn a_command_line_that_can_not_be_read_names_the_help_of_its_command() {
    for (line, help) in [
        (&["verify", "--nonsense", "a.md"][..], "`cited verify --help`"),
        (&["memory", "search", "x", "-k", "many"], "`cited memory search --help`"),
        (&["--nonsense"], "`cited --help`"),
        (&["verify", "--strct", "a.md"], "a similar argument exists: '--strict'"),
        (&["quote", "1"], "cited quote --text <T> <ID>"),
    ] {
        let output = cited(line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{line:?}");
        assert_eq!(said.lines().last(), Some(format!("  help: {help}").as_str()), "{line:?}: {said}");
    }
    let said = String::from_utf8_lossy(&cited(&["show", "one"]).stderr).into_owned();
    assert!(said.starts_with("error: invalid value 'one' for '<ID>': it is no whole number\n"), "{said}");
}

#[test]
fn the_example_of_cited_toml_is_read_and_names_rules_that_exist() {
    let path = Path::new("docs/cited.example.toml");
    let project = Project::parse(&read("docs/cited.example.toml"), path).expect("the example is right");
    assert_eq!(project.ledger.as_deref(), Some(Path::new("docs/citations.json")));
    assert_eq!(project.draft.headings.len(), 2);
    assert_eq!(project.draft.markers.len(), 2);
    let mut options = Options::default();
    for (rule, level) in &project.rules {
        options.set_level(rule, level).expect("a rule and a level");
    }
    assert_eq!(project.rules.len(), 3);
}

/// The indented text of each `run: |` of a workflow file, in order.
fn scripts(yaml: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut lines = yaml.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim() != "run: |" {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let mut script = String::new();
        while let Some(next) =
            lines.next_if(|next| next.trim().is_empty() || next.starts_with(&" ".repeat(indent + 2)))
        {
            script.push_str(next.get(indent + 2..).unwrap_or_default());
            script.push('\n');
        }
        scripts.push(script);
    }
    scripts
}

/// The keys below `section:` that are indented by two spaces.
fn keys(yaml: &str, section: &str) -> Vec<String> {
    let after = yaml.split(&format!("\n{section}:\n")).nth(1).unwrap_or_default();
    let inside = after.lines().take_while(|line| line.is_empty() || line.starts_with(' '));
    let keys = inside.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    keys.map(|line| line.trim().trim_end_matches(':').to_owned()).collect()
}

#[test]
fn no_input_of_the_action_is_pasted_into_its_scripts() {
    let action = read("action.yml");
    assert_eq!(scripts(&action).len(), 2);
    assert!(scripts(&action).iter().all(|script| !script.contains("${{")));
    for input in keys(&action, "inputs") {
        assert!(action.contains(&format!("${{{{ inputs.{input} }}}}")), "`{input}` is not used");
    }
}

#[test]
fn the_workflow_of_the_docs_gives_only_inputs_that_the_action_takes() {
    let inputs = keys(&read("action.yml"), "inputs");
    let docs = read("docs/ci.md");
    let given =
        docs.split("OWNER/cited@").nth(1).and_then(|rest| rest.split("- uses:").next()).expect("a workflow");
    let names =
        given.lines().filter(|line| line.starts_with("          ") && !line.starts_with("            "));
    let names: Vec<&str> =
        names.filter_map(|line| line.trim().split_once(':')).map(|(name, _)| name).collect();
    assert!(names.len() >= 3, "{names:?}");
    assert!(names.iter().all(|name| inputs.iter().any(|input| input == name)), "{names:?}");
    assert!(inputs.iter().all(|input| docs.contains(&format!("| `{input}` |"))), "an input is not explained");
}

#[test]
fn the_hooks_for_pre_commit_judge_the_files_they_are_given() {
    let hooks = read(".pre-commit-hooks.yaml");
    let entries: Vec<&str> =
        hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: cited ")).collect();
    assert_eq!(entries.len(), 2);
    for entry in entries {
        let place = Place::new();
        let run = |draft: &str| {
            let mut command = place.command(env!("CARGO_BIN_EXE_cited"));
            command
                .args(entry.split_whitespace())
                .arg(draft)
                .output()
                .expect("the program runs")
                .status
                .code()
        };
        assert_eq!((run("good.md"), run("bad.md")), (Some(0), Some(1)), "{entry}");
    }
}

/// A project with a ledger of one page, a draft that is right and one that is not.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir(place.path("some reports")).expect("a folder");
        fs::create_dir(place.path("bin")).expect("a folder");
        for (name, text) in [
            ("cited.toml", "ledger = \"citations.json\"\n"),
            ("good.md", GOOD),
            ("bad.md", BAD),
            ("some reports/good.md", GOOD),
        ] {
            fs::write(place.path(name), text).expect("a file");
        }
        let added =
            place.command(env!("CARGO_BIN_EXE_cited")).args(["add", "https://a.example/ice"]).output();
        assert!(added.expect("the program runs").status.success());
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `program` in this folder, with nothing of the ledger in its environment.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).env("NO_COLOR", "1");
        command.env_remove("CITED_LEDGER").env_remove("HERMES_CITATION_LEDGER");
        command
    }
}

#[cfg(unix)]
mod action {
    use super::*;

    /// Runs a script as a runner does: `bash --noprofile --norc -eo pipefail FILE`.
    fn bash(place: &Place, script: &str, path: &str, variables: &[(&str, &str)]) -> Output {
        fs::write(place.path("step.sh"), script).expect("a file");
        place
            .command("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "step.sh"])
            .env("PATH", path)
            .env("GITHUB_STEP_SUMMARY", place.path("summary.md"))
            .env("GITHUB_PATH", place.path("path"))
            .env("GITHUB_ACTION_PATH", "/the/action")
            .envs(variables.iter().copied())
            .output()
            .expect("bash runs")
    }

    fn verified(place: &Place, drafts: &str, ledger: &str, args: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_cited")).parent().expect("a folder");
        let path = format!("{}:/usr/bin:/bin", program.display());
        let script = scripts(&read("action.yml")).pop().expect("a script");
        let variables = [
            ("CITED_DRAFTS", drafts),
            ("CITED_FILE", ledger),
            ("CITED_ARGS", args),
            ("CITED_SARIF", "out.sarif"),
        ];
        bash(place, &script, &path, &variables)
    }

    #[test]
    fn a_draft_that_is_right_passes_and_leaves_a_summary() {
        let place = Place::new();
        let output = verified(&place, "  good.md \r\nsome reports\n", "", "--strict  --min-coverage 1");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let summary = fs::read_to_string(place.path("summary.md")).expect("a summary");
        assert!(summary.starts_with("## Citations: passed") && summary.contains("some reports"), "{summary}");
        assert!(fs::read_to_string(place.path("out.sarif")).expect("a report").contains("\"2.1.0\""));
    }

    #[test]
    fn a_draft_that_is_wrong_fails_with_the_same_code_and_leaves_all_reports() {
        let place = Place::new();
        let output = verified(&place, "good.md\nbad.md", "citations.json", "");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(shown(&output).contains("::error file=bad.md,line=1"), "{output:?}");
        let summary = fs::read_to_string(place.path("summary.md")).expect("a summary");
        assert!(summary.starts_with("## Citations: failed"), "{summary}");
        assert!(fs::read_to_string(place.path("out.sarif")).expect("a report").contains("unknown-id"));
    }

    #[test]
    fn what_can_not_be_judged_is_told_from_what_fails() {
        let place = Place::new();
        assert_eq!(verified(&place, "gone.md", "", "").status.code(), Some(2));
        assert_eq!(verified(&place, "", "", "").status.code(), Some(2));
        assert_eq!(verified(&place, "good.md", "", "--nonsense").status.code(), Some(2));
        assert_eq!(verified(&place, "$(touch pwned)", "", "$(touch pwned)").status.code(), Some(2));
        assert!(!place.path("pwned").exists());
    }

    /// What the install step asks of cargo, where these programs are at hand.
    fn installed(programs: &[&str], version: &str) -> String {
        let place = Place::new();
        for program in programs {
            let file = place.path("bin").join(program);
            fs::write(&file, "#!/bin/sh\necho \"$@\" >>asked\n").expect("a file");
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(file, mode).expect("a program");
        }
        let path = format!("{}:/usr/bin:/bin", place.path("bin").display());
        let script = scripts(&read("action.yml")).swap_remove(0);
        let output = bash(
            &place,
            &script,
            &path,
            &[("CITED_VERSION", version), ("HOME", "/home/ada"), ("CARGO_HOME", "")],
        );
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(place.path("asked")).unwrap_or_default().trim().to_owned()
    }

    #[test]
    fn the_program_is_installed_where_it_is_missing() {
        assert_eq!(installed(&["cargo"], ""), "install --locked --path /the/action");
        assert_eq!(installed(&["cargo"], "0.1.0"), "install --locked cited@0.1.0");
        assert_eq!(installed(&["cargo", "cargo-binstall"], "0.1.0"), "binstall --no-confirm cited@0.1.0");
        assert_eq!(installed(&["cargo", "cited"], "0.1.0"), "");
    }
}
