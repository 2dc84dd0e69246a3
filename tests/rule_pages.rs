//! The pages in `docs/rules`, as somebody tries them who reads them: the example has its finding, as grave as the page
//! says; the comment and the lines for cited.toml silence it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cited::verify::RULES;

/// What the page of a rule says in words about the ledger: a page's only quote, with or without its text kept.
const QUOTED: [(&str, &[&str], &str); 6] = [
    ("figure-mismatch", &["--figures"], "About 9% of an iceberg is above water."),
    ("figure-rounded", &["--figures"], "The lake holds 2,487,213 fish."),
    ("misquoted", &["--quotations"], "Ice is less dense than water."),
    ("unsupported-sentence", &["--evidence=sentence"], "Water boils at one hundred degrees at sea level."),
    ("not-recheckable", &["--evidence"], "Ice floats on liquid water."),
    ("broken-evidence", &["--evidence"], "Ice floats on liquid water."),
];

/// A folder with `draft.md`, the example of the page, and the ledger that it speaks of.
struct Example {
    folder: tempfile::TempDir,
    options: Vec<&'static str>,
}

impl Example {
    fn of(rule: &str, page: &str) -> Self {
        let options = match rule {
            "coverage" => vec!["--min-coverage", "0.9"],
            "missing-evidence" => vec!["--evidence"],
            _ => vec![],
        };
        let mut example = Self { folder: tempfile::tempdir().expect("a folder"), options };
        example.write("cited.toml", "ledger = \"citations.json\"\n");
        example.write("draft.md", &indented(page, "Example"));
        example.register(rule);
        if let Some((_, options, quote)) = QUOTED.iter().find(|(name, ..)| *name == rule) {
            example.quote(rule, quote);
            example.options = options.to_vec();
        }
        match rule {
            "ambiguous-id" => example.edit_ledger("\"id\": 3", "\"id\": 2"),
            "broken-evidence" => example.edit_ledger("\"text\": \"Ice floats", "\"text\": \"Ice sinks"),
            "withdrawn-source" => example.done(&["withdraw", "2", "--why", "the authors retracted it"]),
            _ => {}
        }
        example
    }

    fn register(&self, rule: &str) {
        let pages =
            ["https://a.example/ice", "https://b.example/water", "https://c.example", "https://d.example"];
        match rule {
            "unknown-id" | "listed-unknown" => self.done(&["add", pages[0]]),
            "possible-duplicate" => self.done(&["add", "https://www.a.example/ice", "http://a.example/ice"]),
            "over-cited" | "ambiguous-id" => self.done(&[&["add"][..], &pages[..]].concat()),
            _ => self.done(&["add", pages[0], pages[1]]),
        }
        self.done(&["edit", "1", "--title", "Density of ice"]);
    }

    fn quote(&self, rule: &str, words: &str) {
        self.write("page.txt", words);
        let mut command = vec!["quote", "1", "--from", "page.txt", "--text", words];
        if rule == "not-recheckable" {
            command.push("--no-snapshot");
        }
        self.done(&command);
    }

    fn edit_ledger(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.folder.path().join("citations.json")).expect("a ledger");
        assert!(text.contains(from), "{text}");
        self.write("citations.json", &text.replace(from, to));
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("a file");
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
        command.env_remove("CITED_LEDGER").env_remove("HERMES_CITATION_LEDGER");
        command.current_dir(self.folder.path()).args(arguments).output().expect("the program runs")
    }

    fn done(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    /// The severity and the line of each finding of this rule and of `unused-allow`.
    fn findings(&self, rule: &str) -> Vec<(String, usize)> {
        let output = self.run(&[&["verify", "draft.md", "--format", "json"][..], &self.options].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let found = report["drafts"][0]["findings"].as_array().expect("findings").iter();
        let here = found.filter(|one| one["rule"] == rule || one["rule"] == "unused-allow");
        here.map(|one| {
            let line = one["place"]["line"].as_u64().unwrap_or(1);
            (one["severity"].as_str().expect("a severity").to_owned(), line as usize)
        })
        .collect()
    }

    /// Puts the comment before the block that holds the line.
    fn allow(&self, comment: &str, line: usize) {
        let text = fs::read_to_string(self.folder.path().join("draft.md")).expect("a draft");
        let mut lines: Vec<&str> = text.lines().collect();
        let before = lines[..line - 1].iter().rposition(|line| line.is_empty());
        lines.insert(before.map_or(0, |at| at + 1), comment);
        self.write("draft.md", &format!("{}\n", lines.join("\n")));
    }
}

/// The last indented block below the heading.
fn indented(page: &str, heading: &str) -> String {
    let below = page.split(&format!("## {heading}")).nth(1).and_then(|rest| rest.split("\n## ").next());
    let lines = below.unwrap_or_default().lines().filter(|line| line.is_empty() || line.starts_with("    "));
    let block: Vec<&str> = lines.map(|line| line.strip_prefix("    ").unwrap_or_default()).collect();
    format!("{}\n", block.join("\n").trim_matches('\n'))
}

#[test]
fn every_page_shows_its_finding_and_how_to_silence_it() {
    for rule in RULES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/rules/{}.md", rule.id));
        let page = fs::read_to_string(path).expect("a page");
        let example = Example::of(rule.id, &page);
        let found = example.findings(rule.id);
        let Some((severity, line)) = found.first() else { panic!("{}: the example has no finding", rule.id) };
        let said = page.lines().nth(2).unwrap_or_default().to_lowercase();
        assert!(said.starts_with(&format!("{severity}: fails")), "{}: {severity}, not {said}", rule.id);

        let toml = indented(&page, "How to silence it");
        example.write("cited.toml", &format!("ledger = \"citations.json\"\n\n{toml}"));
        assert_eq!(example.findings(rule.id), [], "{}: cited.toml does not silence it", rule.id);

        example.write("cited.toml", "ledger = \"citations.json\"\n");
        if let Some(comment) =
            page.split('`').find(|code| code.starts_with("<!-- cited: allow") && rule.id != "unused-allow")
        {
            example.allow(comment, *line);
            assert_eq!(example.findings(rule.id), [], "{}: the comment does not silence it", rule.id);
        }
    }
}
