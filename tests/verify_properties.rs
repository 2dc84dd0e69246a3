//! What holds for every draft, however odd: findings point into it in text order, every format can write
//! them, fixes settle, and a baseline of today leaves nothing over.

#![allow(clippy::expect_used)]

use std::collections::BTreeMap;

use cited::diagnostic::Diagnostic;
use cited::draft::{Draft, Options as Reading};
use cited::evidence::Recheck;
use cited::identity::{self, SourceId};
use cited::ledger::Ledger;
use cited::report::baseline::Baseline;
use cited::report::{DraftReport, FORMATS, Judged, Outcome, Report, Sinks};
use cited::text::printable::printable;
use cited::verify::{self, Checked, Options, Rechecks, fix};
use proptest::prelude::*;

/// Pieces that drafts are made of, and that come in the wrong place.
const PIECES: &[&str] = &[
    "Ice floats on liquid water.",
    "[1]",
    "[2]",
    "[9]",
    " [1]",
    "[1, 2]",
    "[1-3]",
    "[1-500]",
    "【1】",
    "［٣］",
    "[^1]",
    "[[1]](https://a.example/1)",
    "[1](https://evil.example/)",
    "\\[1\\]",
    "\\[14\\]",
    "[2024]",
    "[unverified]",
    "【4:0†source】",
    "\n",
    "\n\n",
    "\r\n\r\n",
    "## Sources\n\n",
    "[1] https://a.example/1 — T\n",
    "[1] https://evil.example/\n",
    "[7] no address\n",
    "[^1]: https://a.example/1\n",
    "```",
    "~~~\n",
    "    ",
    "> ",
    "- ",
    "| ",
    "<!-- cited: allow unknown-id -->\n",
    "<!-- cited: allow x -->\n",
    "<div>",
    "`",
    "$x_1$",
    "冰的密度低于水。",
    "\u{202e}",
    "\u{1b}[31m",
    "\u{feff}",
    "\t",
    "\u{a0}",
    "\0",
    "é",
    ".",
    " ",
    "\"",
    "<",
    "|",
    "%0A",
    "::error::",
];

fn drafts() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

fn ledger() -> Ledger {
    let mut ledger = Ledger::default();
    for n in 1..=3 {
        let url = format!("https://a.example/{n}");
        if let Ok(locator) = identity::locate(&url, &identity::Options::default()) {
            ledger.add(&locator, &url, "Title", "2026-01-31", None);
        }
    }
    ledger
}

fn checked(text: &str) -> Checked {
    let ledger = ledger();
    let evidence: Rechecks = BTreeMap::from([((SourceId(1), 0), Recheck::Broken("gone".into()))]);
    let mut options = Options::default();
    options.min_coverage = Some(0.9);
    options.sentences = true;
    let drafts = [Some(Draft::parse(text, &Reading::default(), &ledger))];
    let evidence = verify::Evidence { rechecks: Some(evidence) };
    let (mut checked, _) = verify::check_all(&drafts, &ledger, &options, &evidence);
    checked.pop().flatten().unwrap_or_default()
}

fn report(text: &str) -> Report {
    let Checked { stats, findings } = checked(text);
    let judged = Judged { text: text.into(), stats, findings, accepted: 0 };
    let draft = DraftReport { path: "d.md".into(), outcome: Outcome::Judged(judged) };
    Report { drafts: vec![draft], ..Report::default() }
}

fn findings(report: &Report) -> &[Diagnostic] {
    match &report.drafts[0].outcome {
        Outcome::Judged(judged) => &judged.findings,
        Outcome::NotJudged { .. } => &[],
    }
}

proptest! {
    #[test]
    fn findings_point_into_their_draft_in_text_order(text in drafts()) {
        let found = checked(&text).findings;
        let lines = cited::text::lines::LineIndex::new(&text);
        let mut last = 0;
        for finding in &found {
            let Some(place) = &finding.place else { last = usize::MAX; continue };
            prop_assert!(text.get(place.span.clone()).is_some(), "{finding:?}");
            prop_assert!(place.span.start >= last, "{finding:?}");
            prop_assert_eq!((place.line, place.column), lines.place(&text, place.span.start));
            last = place.span.start;
        }
    }

    #[test]
    fn every_format_writes_any_report_harmlessly(text in drafts()) {
        let report = report(&text);
        for format in FORMATS {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            (format.write)(&report, &mut Sinks { out: &mut out, err: &mut err, colored: false }).expect("memory");
            let written = String::from_utf8([out, err].concat()).expect("UTF-8");
            for line in written.lines() {
                prop_assert_eq!(printable(line), line, "{}", format.name);
            }
        }
    }

    #[test]
    fn fixes_settle_and_change_nothing_that_is_cited(text in drafts()) {
        let ledger = ledger();
        let next = |text: &str| fix::apply(text, &checked(text).findings, &Reading::default(), &ledger);
        let mut fixed = text.clone();
        for _ in 0..4 {
            match next(&fixed) {
                Some(more) => fixed = more,
                None => break,
            }
        }
        prop_assert_eq!(next(&fixed), None, "{}", fixed);
        prop_assert_eq!(checked(&text).stats.distinct, checked(&fixed).stats.distinct, "{}", fixed);
    }

    #[test]
    fn a_baseline_of_today_leaves_nothing_over(text in drafts()) {
        let mut report = report(&text);
        let written = Baseline::accepting(&report).to_text().expect("JSON");
        Baseline::parse(&written, "b.json").expect("a baseline").apply(&mut report);
        prop_assert!(findings(&report).is_empty(), "{:?}", findings(&report));
    }
}
