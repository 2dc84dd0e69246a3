//! The house rules: who may import whom (the table in docs/ARCHITECTURE.md), how large a file may grow, what
//! every module opens with, and what the project's text never names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const FILE_LINES_MAX: usize = 400;
const MAIN_LINES_MAX: usize = 60;
const TOP_LEVEL: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "README.md",
    "action.yml",
    "src",
    "tests",
    "fixtures",
    "docs",
    "benches",
    "fuzz",
    "target",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `folder` with this ending, as paths from the project's root.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no `{ending}` below `{folder}`");
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The room that a source file belongs to: the first folder or file name below `src`.
fn room(path: &Path) -> String {
    let first = path.iter().nth(1).unwrap().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The table of arrows in docs/ARCHITECTURE.md: lines `a, b -> c, d` of its first code block after "## Arrows".
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let text = read(Path::new("docs/ARCHITECTURE.md"));
    let section = text.split("## Arrows").nth(1).expect("a section on arrows");
    let block = section.split("```").nth(1).expect("a code block");
    let mut table: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (rooms, below) in block.lines().filter_map(|line| line.split_once("->")) {
        for room in rooms.split(',') {
            table
                .entry(room.trim().into())
                .or_default()
                .extend(below.split(',').map(|name| name.trim().to_owned()));
        }
    }
    table
}

/// All that a room may import: its arrows, and theirs in turn.
fn reachable(table: &BTreeMap<String, BTreeSet<String>>, room: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![room.to_owned()];
    while let Some(next) = open.pop() {
        for below in table.get(&next).into_iter().flatten() {
            if reached.insert(below.clone()) {
                open.push(below.clone());
            }
        }
    }
    reached
}

/// The rooms that a file names: `crate::room`, `cited::room` and the heads of `crate::{a, b}`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for prefix in ["crate::", "cited::"] {
            for (at, _) in line.match_indices(prefix) {
                let rest = &line[at + prefix.len()..];
                let heads = match rest.strip_prefix('{') {
                    Some(group) => outer_heads(group),
                    None => vec![head(rest)],
                };
                rooms.extend(heads.into_iter().filter(|name| name.starts_with(char::is_lowercase)));
            }
        }
    }
    rooms
}

fn head(path: &str) -> String {
    path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn outer_heads(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut heads = vec![head(group)];
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => heads.push(head(group[at + 1..].trim_start())),
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    heads
}

#[test]
fn imports_follow_the_arrows() {
    let table = arrows();
    let rooms: BTreeSet<String> = files("src", ".rs").iter().map(|path| room(path)).collect();
    for path in files("src", ".rs") {
        let own = room(&path);
        if own == "lib" {
            continue;
        }
        assert!(table.contains_key(&own), "docs/ARCHITECTURE.md draws no arrows for `{own}`");
        let allowed = reachable(&table, &own);
        for name in imports(&read(&path)) {
            let is_room = rooms.contains(&name);
            assert!(
                !is_room || name == own || allowed.contains(&name),
                "{}: no arrow {own} -> {name}",
                path.display()
            );
        }
    }
}

#[test]
fn every_arrow_is_drawn_by_an_import() {
    let mut imported: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files("src", ".rs") {
        imported.entry(room(&path)).or_default().extend(imports(&read(&path)));
    }
    // What `main` uses are modules of its own.
    for (room, below) in arrows().iter().filter(|(room, _)| *room != "main") {
        let unused: Vec<&String> =
            below.iter().filter(|name| *name != "std" && !imported[room].contains(*name)).collect();
        assert!(unused.is_empty(), "`{room}` imports nothing from {unused:?}");
    }
}

#[test]
fn arrows_point_downward_only() {
    let table = arrows();
    for room in table.keys() {
        assert!(!reachable(&table, room).contains(room), "`{room}` reaches itself");
    }
}

#[test]
fn the_import_scanner_sees_groups_and_paths() {
    let code = "use crate::{error::{Error, Result}, text};\nlet x = crate::identity::locate(y);\n// crate::mcp\nuse cited::ledger::Store;";
    let expected: BTreeSet<String> = ["error", "text", "identity", "ledger"].map(String::from).into();
    assert_eq!(imports(code), expected);
}

#[test]
fn no_source_file_is_a_god_file() {
    for path in files("src", ".rs") {
        let lines = read(&path).lines().count();
        let most = if path.ends_with("src/main.rs") { MAIN_LINES_MAX } else { FILE_LINES_MAX };
        assert!(
            lines <= most,
            "{} has {lines} lines; split it at the seam between its two ideas",
            path.display()
        );
    }
}

#[test]
fn every_module_says_what_it_is_for() {
    for path in files("src", ".rs") {
        assert!(read(&path).starts_with("//! "), "{} does not open with `//!`", path.display());
    }
}

#[test]
fn no_file_is_named_after_nothing() {
    for path in files("src", ".rs") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(
            !["util", "utils", "helper", "helpers", "manager", "common", "misc"].contains(&name.as_str()),
            "{name}"
        );
    }
}

#[test]
fn the_top_level_holds_what_the_house_has_rooms_for() {
    for entry in fs::read_dir(root()).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(
            name.starts_with('.') || TOP_LEVEL.contains(&name.as_str()),
            "`{name}` has no place at the top level"
        );
    }
}

#[test]
fn fixtures_are_data() {
    assert!(files("fixtures", "").iter().all(|path| path.extension().is_none_or(|ending| ending != "rs")));
}

#[test]
fn the_tour_of_the_readme_is_what_the_program_prints() {
    let blocks = |text: &str| -> Vec<String> {
        text.split("```console\n")
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap().trim().to_owned())
            .collect()
    };
    let tested = blocks(&read(Path::new("fixtures/cli/tour.trycmd")));
    assert!(!tested.is_empty());
    assert_eq!(blocks(&read(Path::new("README.md"))), tested);
}

#[test]
fn documents_link_to_files_that_exist() {
    let mut pages = files("docs", ".md");
    pages.push("README.md".into());
    for page in pages {
        let folder = page.parent().unwrap().to_owned();
        for target in links(&read(&page)) {
            let path = root().join(&folder).join(target.split('#').next().unwrap());
            assert!(path.exists(), "{}: the link `{target}` leads nowhere", page.display());
        }
    }
}

/// Destinations of inline links that are files of the project, outside code blocks.
fn links(markdown: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            inside = !inside;
        }
        for (at, _) in line.match_indices("](").filter(|_| !inside) {
            let target: String = line[at + 2..].chars().take_while(|c| !matches!(c, ')' | ' ')).collect();
            let in_code = line[..at].matches('`').count() % 2 == 1;
            if !in_code && !target.contains("://") && !target.starts_with('#') && !target.is_empty() {
                found.push(target);
            }
        }
    }
    found
}
