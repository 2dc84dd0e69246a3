//! The commands of docs/formats.md, run as they stand there: each works, and what it makes holds the sources.
//! They need pandoc and jq; where one is missing the test says `SKIPPED` on stderr, and fails with
//! `CITED_REQUIRE_PROGRAMS=1`.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

const BODY: &str = "# Ice\n\nIce floats on liquid water.[1] Lakes freeze from above.[1][2]\n";

/// The shell blocks of the part about Sources blocks, one behind the other.
fn commands() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md");
    let page = fs::read_to_string(path).expect("the page");
    let part = page.split("## What `cited verify` writes").next().unwrap_or_default();
    part.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

fn sh(folder: &Path, script: &str) -> Output {
    let programs = Path::new(env!("CARGO_BIN_EXE_cited")).parent().expect("a folder").display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command.args(["-euc", script]).current_dir(folder).env("PATH", path);
    command.env_remove("CITED_LEDGER").env_remove("HERMES_CITATION_LEDGER").output().expect("a shell")
}

fn is_missing(program: &str) -> bool {
    let missing = Command::new(program).arg("--version").output().is_err();
    if missing {
        let required = std::env::var_os("CITED_REQUIRE_PROGRAMS").is_some_and(|value| value == "1");
        assert!(!required, "not here: {program}");
        let _ =
            writeln!(std::io::stderr(), "SKIPPED: the commands of docs/formats.md were not run: {program}");
    }
    missing
}

#[test]
fn the_commands_of_the_page_work_and_keep_the_sources() {
    if ["pandoc", "jq"].into_iter().any(is_missing) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    for (name, text) in [("cited.toml", "ledger = \"l.json\"\n"), ("body.md", BODY), ("report.md", BODY)] {
        fs::write(here.join(name), text).expect("a file");
    }
    let before = "cited add https://a.example/ice --title 'Density of ice'\ncited add https://b.example/lakes_1\n\
                  cited render --replace-in report.md\n";
    let output = sh(here, &format!("{before}{}", commands()));
    assert!(output.status.success(), "{output:?}");
    let made = [
        "report.md",
        "notes.md",
        "report.tex",
        "slides.html",
        "page.html",
        "sources.csv",
        "sources.json",
        "sources.ris",
    ];
    for name in made {
        let text = fs::read_to_string(here.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            text.contains("https://a.example/ice") || text.contains("\\autocite{source1}"),
            "{name}: {text}"
        );
    }
    assert!(here.join("report.pptx").is_file());
    let word = String::from_utf8_lossy(&sh(here, "pandoc report.docx -t plain").stdout).into_owned();
    assert!(word.contains("https://b.example/lakes_1"), "{word}");
}
