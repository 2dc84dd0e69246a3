//! Every rule over the drafts in `fixtures/rules/<rule-id>`, each finding written below the words it is about.
//!
//! ```text
//! %% [1] https://a.example/1 — Density of ice      the ledger, one source a line
//! %% quote 1: Ice floats on water.                 a stored quote; `broken quote`, `lost quote` fail a re-check
//! %% own quote 1: Ice floats.                      a quote that was taken from the draft itself
//! %% withdrawn 1: retracted                        a source that must not be cited
//! %% twice 2                                       an id that the ledger holds twice
//! %% coverage 0.9                                  options; `evidence` asks for the results of re-checks,
//!                                                  `sentences` for the bearing of quotes on sentences
//! Ice floats on liquid water.[9]
//!                            ^^^ unknown-id: [9] is not in the ledger: hallucinated or renumbered
//! %% whole draft: uncited-source: …                a finding without a place
//! ```
//!
//! Lines of `^` and `%%` are taken out before the draft is read. Every finding of every rule must be written
//! there and nothing else. `BLESS=1 cargo test --test rules` rewrites the findings; read the diff by eye.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cited::diagnostic::{Diagnostic, Place};
use cited::draft::{self, Draft};
use cited::evidence::Recheck;
use cited::identity::{self, SourceId};
use cited::ledger::{Anchor, Ledger, Quote, format};
use cited::verify::{self, Facts, Options, RULES, Rechecks, Scope};

#[test]
fn every_finding_stands_below_the_words_it_is_about() {
    let mut wrong = Vec::new();
    for path in fixtures() {
        let written = fs::read_to_string(&path).expect("a fixture is readable");
        let found = Case::read(&written).checked();
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &found).expect("a fixture is writable");
        } else if found != written {
            wrong.push(format!("{}\n--- written\n{written}\n--- found\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\n{} fixtures differ", wrong.join("\n"), wrong.len());
}

#[test]
fn every_rule_has_drafts_that_show_it_and_drafts_that_do_not() {
    for rule in RULES {
        let folder = root().join("fixtures/rules").join(rule.id);
        let texts: Vec<String> =
            markdown_in(&folder).iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
        let shows = |text: &&String| text.contains(&format!("{}: ", rule.id));
        assert!(texts.iter().any(|text| shows(&text)), "no draft in {} shows the rule", folder.display());
        assert!(!texts.iter().all(|text| shows(&text)), "every draft in {} shows the rule", folder.display());
    }
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let ids: BTreeSet<String> = RULES.iter().map(|rule| rule.id.to_owned()).collect();
    let names = |folder: &str, extension: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
        names
            .filter_map(|name| name.strip_suffix(extension).map(str::to_owned))
            .filter(|n| n != "README")
            .collect()
    };
    assert_eq!(names("docs/rules", ".md"), ids);
    assert_eq!(names("fixtures/rules", ""), ids);
    for id in &ids {
        let file = format!("src/verify/{}.rs", id.replace('-', "_"));
        assert!(root().join(&file).is_file(), "{file} is missing");
        let page = fs::read_to_string(root().join(format!("docs/rules/{id}.md"))).expect("a page");
        for heading in ["## Example", "## How to mend it", "## How to silence it"] {
            assert!(page.contains(heading), "docs/rules/{id}.md lacks `{heading}`");
        }
        assert!(page.starts_with(&format!("# {id}\n")), "docs/rules/{id}.md has another title");
    }
}

/// A fixture: what is known, and the draft without its annotations.
#[derive(Default)]
struct Case {
    header: Vec<String>,
    text: String,
    ledger: Ledger,
    rechecks: Rechecks,
    options: Options,
    twice: Vec<SourceId>,
    evidence: bool,
}

impl Case {
    fn read(written: &str) -> Self {
        let mut case = Self::default();
        for line in written.split_inclusive('\n') {
            match line.trim_end().strip_prefix("%% ") {
                Some(said) if said.starts_with("whole draft: ") => {}
                Some(said) => case.know(said),
                None if is_annotation(line) => {}
                None => case.text.push_str(line),
            }
        }
        case.hold_twice();
        case
    }

    fn know(&mut self, said: &str) {
        self.header.push(said.to_owned());
        let (what, value) = said.split_once(": ").unwrap_or((said, ""));
        match what.split_whitespace().collect::<Vec<&str>>().as_slice() {
            ["evidence"] => self.evidence = true,
            ["sentences"] => self.options.sentences = true,
            ["coverage", share] => {
                self.options.set_min_coverage(share.parse().expect("a share")).expect("a share")
            }
            ["off", rule] => self.options.set_level(rule, "off").expect("a rule"),
            ["twice", id] => self.twice.push(source_id(id)),
            ["withdrawn", id] => self.ledger.withdraw(source_id(id), value).expect("a source"),
            ["quote", id] => self.quote(source_id(id), value, Recheck::Sound),
            ["broken", "quote", id] => {
                self.quote(source_id(id), value, Recheck::Broken("the page differs".into()))
            }
            ["own", "quote", id] => self.own_quote(source_id(id), value),
            ["lost", "quote", id] => {
                self.quote(source_id(id), value, Recheck::NotRecheckable("no snapshot was kept".into()));
            }
            _ => self.source(said),
        }
    }

    fn source(&mut self, said: &str) {
        let (id, rest) = said.split_once("] ").expect("`[id] url — title`");
        let (url, title) = rest.split_once(" — ").unwrap_or((rest, ""));
        let locator = identity::locate(url, &identity::Options::default()).expect("a locator");
        let added = self.ledger.add(&locator, url, title, "2026-01-31", None);
        assert_eq!(format!("[{}", added.id), id, "sources of a fixture are numbered from 1");
    }

    fn quote(&mut self, id: SourceId, text: &str, result: Recheck) {
        let quote = Quote { text: text.to_owned(), added: "2026-01-31".into(), ..Quote::default() };
        let count = self.ledger.attach_quote(id, quote).expect("a source");
        self.rechecks.insert((id, count - 1), result);
    }

    /// A quote that was found in a draft: our own marker follows it there.
    fn own_quote(&mut self, id: SourceId, text: &str) {
        let anchor = Anchor {
            suffix: format!("[{id}]\n"),
            kept: true,
            end: text.len(),
            prefix: String::new(),
            sha256: String::new(),
            start: 0,
            rules: Vec::new(),
            reader: "text".into(),
        };
        let quote = Quote { text: text.to_owned(), anchor: Some(anchor), ..Quote::default() };
        self.ledger.attach_quote(id, quote).expect("a source");
    }

    /// Only a damaged file holds an id twice, so the ledger goes through its file.
    fn hold_twice(&mut self) {
        if self.twice.is_empty() {
            return;
        }
        let mut file: serde_json::Value = serde_json::from_str(&format::write(&self.ledger)).expect("JSON");
        let sources = file["sources"].as_array_mut().expect("sources");
        for id in &self.twice {
            let source =
                serde_json::json!({"id": id.0, "url": format!("https://twice.example/{id}"), "title": ""});
            sources.push(source);
        }
        self.ledger = format::read(file.to_string().as_bytes()).expect("a ledger");
    }

    /// The fixture as it should be written.
    fn checked(&self) -> String {
        let draft = Draft::parse(&self.text, &draft::Options::default(), &self.ledger);
        let evidence = verify::Evidence { rechecks: self.evidence.then(|| self.rechecks.clone()) };
        let facts = Facts::new(&draft, &self.ledger, &self.options, &evidence, Scope::Alone);
        self.annotated(&verify::check(&facts))
    }

    fn annotated(&self, findings: &[Diagnostic]) -> String {
        let mut written = String::new();
        self.header.iter().for_each(|said| writeln!(written, "%% {said}").expect("memory"));
        for finding in findings.iter().filter(|finding| finding.place.is_none()) {
            writeln!(written, "%% whole draft: {}: {}", finding.rule, finding.message).expect("memory");
        }
        for (at, line) in self.text.split_inclusive('\n').enumerate() {
            written.push_str(line);
            for finding in findings {
                if let Some(place) = finding.place.as_ref().filter(|place| place.line == at + 1) {
                    writeln!(written, "{}", annotation(line, place, finding)).expect("memory");
                }
            }
        }
        written
    }
}

fn annotation(line: &str, place: &Place, finding: &Diagnostic) -> String {
    let before: String =
        line.chars().take(place.column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let rest: String = line.trim_end().chars().skip(place.column - 1).collect();
    let width = rest.get(..place.span.len()).unwrap_or(&rest).chars().count().max(1);
    format!("{before}{} {}: {}", "^".repeat(width), finding.rule, finding.message)
}

fn is_annotation(line: &str) -> bool {
    let marks = line.trim_start().trim_start_matches('^');
    marks.len() < line.trim_start().len() && marks.starts_with(' ') && marks.contains(": ")
}

fn source_id(text: &str) -> SourceId {
    SourceId(text.parse().expect("an id"))
}

fn fixtures() -> Vec<PathBuf> {
    let paths: Vec<PathBuf> =
        RULES.iter().flat_map(|rule| markdown_in(&root().join("fixtures/rules").join(rule.id))).collect();
    assert!(!paths.is_empty(), "no fixtures");
    paths
}

fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
