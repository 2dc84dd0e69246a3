//! The procedures for agents: each command line in them runs, each command that they name exists, and they are
//! printed and installed as they are.

use std::fs;
#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cited::skill::SKILLS;

fn cited(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cited")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[cfg(unix)]
/// A copy of the files that a skill's commands work on.
fn desk(skill: &str) -> tempfile::TempDir {
    let desk = tempfile::tempdir().unwrap();
    let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/skills").join(skill);
    copy(&from, desk.path());
    desk
}

#[cfg(unix)]
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[cfg(unix)]
/// The code blocks that a shell runs, one after the other.
fn script(text: &str) -> String {
    let blocks = text.split("```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn every_command_line_of_a_skill_runs() {
    let program = Path::new(env!("CARGO_BIN_EXE_cited")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    for skill in SKILLS {
        if !cfg!(feature = "recall") && skill.name == "cited-recall" {
            continue;
        }
        let script = script(skill.text);
        assert!(script.lines().filter(|line| line.starts_with("cited ")).count() > 4, "{}", skill.name);
        let desk = desk(skill.name);
        let mut command = Command::new("sh");
        command.args(["-e", "-c", &script]).current_dir(desk.path());
        command.env("PATH", &path).env("HOME", desk.path()).env("CITED_LEDGER", "citations.json");
        command.env_remove("HERMES_HOME").env_remove("HERMES_CITATION_LEDGER");
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {}{said}", skill.name, stdout(&output));
    }
}

#[test]
fn every_command_that_a_skill_names_exists() {
    for skill in SKILLS {
        for span in skill.text.split('`').skip(1).step_by(2).filter(|span| span.starts_with("cited ")) {
            let words: Vec<&str> =
                span.split(' ').skip(1).take_while(|word| !word.starts_with('-')).collect();
            let known = cited(&[&words[..], &["--help"]].concat());
            let needs_recall = matches!(words[0], "recall" | "memory");
            assert!(known.status.success() || needs_recall && !cfg!(feature = "recall"), "{span}");
        }
    }
}

#[test]
fn every_tool_that_a_skill_names_exists() {
    let tools: Vec<&str> = ["recall_evidence", "recall_search", "ledger_add"].into();
    for skill in SKILLS {
        let named =
            skill.text.split('`').filter(|span| span.starts_with("ledger_") || span.starts_with("recall_"));
        for span in named {
            assert!(tools.contains(&span), "{}: {span}", skill.name);
        }
    }
}

#[test]
fn a_skill_is_printed_as_it_is_and_all_are_listed() {
    let listed = stdout(&cited(&["skill"]));
    for skill in SKILLS {
        assert_eq!(stdout(&cited(&["skill", skill.name])), skill.text);
        assert!(listed.contains(&format!("{}  {}\n", skill.name, skill.summary)), "{listed}");
    }
    assert_eq!(cited(&["skill", "no-such-skill"]).status.code(), Some(2));
}

#[test]
fn skills_are_installed_each_in_its_folder_and_again_over_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let skills = folder.path().join("new/skills");
    for _ in 0..2 {
        let output = cited(&["skill", "--install", skills.to_str().unwrap()]);
        assert!(output.status.success());
        assert_eq!(stdout(&output).lines().count(), SKILLS.len());
    }
    for skill in SKILLS {
        assert_eq!(fs::read_to_string(skills.join(skill.name).join("SKILL.md")).unwrap(), skill.text);
    }
    fs::write(folder.path().join("file"), "").unwrap();
    let refused = cited(&["skill", "--install", folder.path().join("file").to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(1));
}
