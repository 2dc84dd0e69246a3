//! Every output format over one shared report, beside golden files in `fixtures/formats`.
//!
//! The report holds what formats get wrong: several drafts, one that could not be read, findings without a
//! place, over several lines, behind wide characters, and text that tries to be markup, a command or a
//! terminal sequence. `BLESS=1 cargo test --test formats` rewrites the golden files; read the diff by eye.

use std::path::{Path, PathBuf};

use cited::diagnostic::{Diagnostic, Fix, Place, Severity};
use cited::draft::{Draft, Options};
use cited::evidence::Recheck;
use cited::identity::SourceId;
use cited::ledger::{Anchor, Ledger, Quote, Source};
use cited::report::provenance::{CitedSource, Provenance};
use cited::report::{self, DraftReport, FORMATS, Judged, Outcome, Report, Sinks};
use cited::text::lines::LineIndex;
use cited::text::printable::printable;
use cited::verify::Strictness;
use cited::verify::stats::Stats;

const TEXT: &str = "\u{feff}# Ice\r\n\r\nIce floats on water.[9] 冰的密度低于水【1】。\r\n\r\n\
    One source says a,\r\nanother says b.[1][2][3][4]\r\n\r\n\
    \u{1b}[31m<b>|`x`|</b>\u{202e}[8]\r\n\r\n## Sources\r\n\r\n[1] https://evil.example/?a=1%0A::error — T\r\n";

fn sample() -> Report {
    let findings = vec![
        finding(
            "unknown-id",
            Severity::Error,
            "[9] is not in the ledger: hallucinated or renumbered",
            Some("[9]"),
        ),
        Diagnostic {
            fix: Some(Fix { span: span("【1】"), replacement: "[1]".into() }),
            ..finding("citation-form", Severity::Note, "`【1】` is read as `[1]`", Some("【1】"))
        },
        finding(
            "over-cited",
            Severity::Warning,
            "more than 3 citations on one sentence: 4 here, [1], [2], [3], [4]",
            Some("One source says a,\r\nanother says b.[1][2][3][4]"),
        ),
        finding(
            "unknown-id",
            Severity::Error,
            "\u{1b}]0;x\u{7} | `a` <script> @all\n::error::[8]",
            Some("[8]"),
        ),
        finding(
            "url-mismatch",
            Severity::Error,
            "[1] `https://evil.example/?a=1%0A::error` does not match the ledger, which has `https://a.example/1`",
            Some("https://evil.example/?a=1%0A::error"),
        ),
        finding("coverage", Severity::Error, "coverage 66.7% is below the 90% asked for", None),
    ];
    let stats = Stats {
        sentences: 3,
        declared: 2,
        cited: 2,
        unverified: 1,
        distinct: 6,
        in_ledger: 4,
        with_quotes: 1,
        ..Stats::default()
    };
    let sources = sources();
    let provenance = Provenance::of(&Draft::parse(TEXT, &Options::default(), &Ledger::default()), &sources);
    let judged = Judged { text: TEXT.into(), stats, findings, accepted: 2, provenance };
    let unread = "cannot read `docs/b,c:d.md`: not UTF-8 at byte 3".to_owned();
    Report {
        drafts: vec![
            draft("docs/a b.md", Outcome::Judged(judged)),
            draft(
                "docs/b,c:d.md",
                Outcome::NotJudged { message: unread, help: Some("save it as UTF-8".into()) },
            ),
            draft("docs/\u{202e}x\ny.md", Outcome::Judged(Judged::default())),
        ],
        together: vec![finding(
            "uncited-source",
            Severity::Warning,
            "[5] in the ledger but not cited in any of these drafts",
            None,
        )],
        strictness: Strictness::Strict,
        sources,
    }
}

/// Sources whose every field tries to be more than text.
fn sources() -> Vec<CitedSource> {
    let anchor = Anchor {
        sha256: "0".repeat(64),
        start: 3,
        end: 9,
        prefix: "</q><b onclick=alert(1)>".into(),
        suffix: "\u{1b}[2J\n\u{202e}end".into(),
        rules: vec!["white-space".into(), "<i>".into()],
        reader: "text".into(),
        kept: true,
    };
    let quote = |text: &str, anchor| Quote { text: text.into(), anchor, ..Quote::default() };
    let source = |id, url: &str, title: &str, quotes| Source {
        id: SourceId(id),
        url: url.into(),
        title: title.into(),
        accessed: "2026-01-31".into(),
        quotes,
        ..Source::default()
    };
    let first =
        vec![quote("Ice - floats, & \"stays\"", Some(anchor.clone())), quote("<img src=x>", Some(anchor))];
    let broken = Recheck::Broken("changed\n<b>since</b>".into());
    vec![
        CitedSource {
            source: source(1, "https://a.example/1", "<script>alert(1)</script>\u{202e}\n[7] x", first),
            rechecks: vec![Some(Recheck::Sound), Some(broken)],
        },
        CitedSource {
            source: Source {
                withdrawn: Some("a \"copy\" <i>".into()),
                via: Some("<web>".into()),
                ..source(2, "javascript:alert(1)", "", vec![quote("ice floats here", None)])
            },
            rechecks: vec![None],
        },
        CitedSource {
            source: source(3, "https://a.example/\"onmouseover=\"alert(1)#:~:text=x", "Bare", Vec::new()),
            rechecks: Vec::new(),
        },
    ]
}

fn draft(path: &str, outcome: Outcome) -> DraftReport {
    DraftReport { path: path.into(), outcome }
}

fn finding(rule: &'static str, severity: Severity, message: &str, words: Option<&str>) -> Diagnostic {
    let place = words.map(|words| {
        let span = span(words);
        let (line, column) = LineIndex::new(TEXT).place(TEXT, span.start);
        Place { span, line, column }
    });
    Diagnostic {
        rule,
        severity,
        message: message.into(),
        place,
        help: Some(format!("mend {rule}")),
        fix: None,
    }
}

fn span(words: &str) -> std::ops::Range<usize> {
    let start = TEXT.find(words).expect("words of the sample");
    start..start + words.len()
}

fn written(name: &str, report: &Report, colored: bool) -> (String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let format = report::format(name).expect("a format of the table");
    (format.write)(report, &mut Sinks { out: &mut out, err: &mut err, colored })
        .expect("memory does not fail");
    (String::from_utf8(out).expect("UTF-8"), String::from_utf8(err).expect("UTF-8"))
}

fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/formats").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, found).expect("golden file written");
    }
    let expected = read(&path);
    assert_eq!(found, expected, "{} differs; BLESS=1 rewrites it", path.display());
}

fn read(path: &PathBuf) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn every_format_writes_its_golden_file() {
    for format in FORMATS {
        let (out, err) = written(format.name, &sample(), false);
        golden(&format!("{}.out", format.name), &out);
        if format.name == "text" {
            golden("text.err", &err);
        } else {
            assert_eq!(err, "", "{}", format.name);
        }
    }
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    for format in FORMATS {
        assert_eq!(written(format.name, &sample(), false), written(format.name, &sample(), false));
    }
}

#[test]
fn no_format_lets_hostile_text_steer_a_terminal() {
    for format in FORMATS {
        let (out, err) = written(format.name, &sample(), false);
        for line in out.lines().chain(err.lines()) {
            assert_eq!(printable(line), line, "{}", format.name);
        }
    }
}

#[test]
fn colour_is_written_only_where_it_is_welcome() {
    assert!(written("pretty", &sample(), true).0.contains('\u{1b}'));
    assert!(!written("pretty", &sample(), false).0.contains('\u{1b}'));
}

#[test]
fn one_draft_alone_gets_exactly_the_fixed_lines() {
    let mut report = sample();
    report.drafts.truncate(1);
    report.together.clear();
    let (out, err) = written("text", &report, false);
    golden("text-one-draft.out", &out);
    golden("text-one-draft.err", &err);
    assert!(out.starts_with("info: stats: 3 prose sentence(s), 2 with declared provenance (67%) — 2 cited, 1 marked [unverified] (a sentence may be both); 6 distinct source(s) cited, 4 in ledger (1 with evidence quotes)\n"));
    assert!(out.ends_with("\nverification failed\n"));
}

/// The shared sample holds markup, schemes and quotation marks in every field that a page shows.
#[test]
fn a_page_has_no_tag_attribute_or_link_that_the_sample_brought() {
    let out = written("html", &sample(), false).0;
    for brought in [
        "<script",
        "<b>",
        "<b ",
        "<i>",
        "<img",
        "\"javascript:",
        "href=\"javascript",
        "\" onmouseover",
        "\"onmouseover",
    ] {
        assert!(!out.contains(brought), "{brought}");
    }
    let link = "https://a.example/1#:~:text=Ice%20%2D%20floats%2C%20%26%20%22stays%22";
    assert!(out.contains(&format!("href=\"{link}\"")), "{out}");
}

#[test]
fn a_draft_without_findings_is_ok_in_every_format() {
    let report =
        Report { drafts: vec![draft("d.md", Outcome::Judged(Judged::default()))], ..Report::default() };
    assert!(written("text", &report, false).0.ends_with("citations OK\n"));
    assert!(written("pretty", &report, false).0.ends_with("citations OK\n"));
    assert_eq!(written("github", &report, false).0, "");
    assert!(written("junit", &report, false).0.contains("failures=\"0\" errors=\"0\""));
    let json: serde_json::Value = serde_json::from_str(&written("json", &report, false).0).expect("JSON");
    assert_eq!(json["verdict"], "passed");
}

#[test]
fn a_long_line_is_shown_around_the_finding() {
    for words in [100, 2_000] {
        let text = format!("{}here.[9] {}", "ice ".repeat(words), "floats ".repeat(words));
        let start = text.find("[9]").expect("the marker");
        let place = Some(Place { span: start..start + 3, line: 1, column: start + 1 });
        let one =
            Diagnostic { place, ..finding("unknown-id", Severity::Error, "[9] is not in the ledger", None) };
        let judged = Judged { text, findings: vec![one], ..Judged::default() };
        let report = Report { drafts: vec![draft("d.md", Outcome::Judged(judged))], ..Report::default() };
        let out = written("pretty", &report, false).0;
        let lines: Vec<&str> = out.lines().collect();
        assert!(out.contains(&format!("d.md:1:{}", start + 1)), "{out}");
        assert!(lines.iter().take(8).all(|line| line.chars().count() < 200), "{out}");
        let marked = lines.iter().position(|line| line.ends_with("^^^")).expect("an underline");
        assert_eq!(lines[marked - 1].find("[9]"), lines[marked].find("^^^"), "{out}");
    }
}

#[test]
fn notes_of_one_rule_are_counted_beyond_the_first_few() {
    let note = || finding("citation-form", Severity::Note, "`【1】` is read as `[1]`", Some("【1】"));
    let judged =
        Judged { text: TEXT.into(), findings: (0..40).map(|_| note()).collect(), ..Judged::default() };
    let report = Report { drafts: vec![draft("d.md", Outcome::Judged(judged))], ..Report::default() };
    let out = written("text", &report, false).0;
    assert_eq!(out.matches("note: ").count(), 6);
    assert!(out.contains("note: 35 more like this (d.md citation-form)"));
}

#[test]
fn json_gives_back_paths_places_and_fixes_byte_for_byte() {
    let json: serde_json::Value = serde_json::from_str(&written("json", &sample(), false).0).expect("JSON");
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["drafts"][2]["path"], "docs/\u{202e}x\ny.md");
    let finding = &json["drafts"][0]["findings"][1];
    let bytes = |key: &str| finding["fix"][key].as_u64().expect("a number") as usize;
    assert_eq!(&TEXT[bytes("start_byte")..bytes("end_byte")], "【1】");
    assert_eq!((&finding["place"]["line"], &finding["place"]["column"]), (&3.into(), &32.into()));
    assert_eq!(json["drafts"][0]["findings"][2]["fails"], true);
}

/// What the published schema requires of the parts that are used, and what code scanning services need.
#[test]
fn sarif_has_the_structure_that_its_schema_requires() {
    let log: serde_json::Value = serde_json::from_str(&written("sarif", &sample(), false).0).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 7);
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        assert!(result["partialFingerprints"]["cited/v1"].is_string());
    }
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "docs/a%20b.md");
    assert_eq!(place["region"]["startLine"], 3);
    let fingerprints: std::collections::BTreeSet<String> =
        results.iter().map(|result| result["partialFingerprints"].to_string()).collect();
    assert_eq!(fingerprints.len(), results.len());
}
