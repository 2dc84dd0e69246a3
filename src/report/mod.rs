//! Output formats of findings: a table of plain structs, one file a format.
//!
//! In: a [`Report`], what checking some drafts gave. Out: bytes, the same for the same report. Each format makes
//! text from drafts and ledgers harmless in its own way. No rule, no exit code, no terminal here.

pub mod baseline;
mod fingerprint;
mod github;
mod html;
mod json;
mod junit;
mod markdown;
mod pretty;
pub mod provenance;
mod sarif;
mod text;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::diagnostic::{Diagnostic, Severity};
use crate::verify::stats::Stats;
use crate::verify::{Checked, Strictness};
pub use json::write_document;
use provenance::{CitedSource, Provenance};

/// What checking some drafts gave.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// One result a draft, in the order they are shown.
    pub drafts: Vec<DraftReport>,
    /// Findings that only show over all drafts together.
    pub together: Vec<Diagnostic>,
    /// Which findings fail a draft.
    pub strictness: Strictness,
    /// The sources that the drafts cite, in ascending order; empty unless the format shows them.
    pub sources: Vec<CitedSource>,
}

/// What checking one draft gave.
#[derive(Debug, Clone)]
pub struct DraftReport {
    /// The draft, as the user named it.
    pub path: String,
    /// Findings, or why there are none.
    pub outcome: Outcome,
}

impl DraftReport {
    /// What `checked` says of a draft; where it was not read, why and what would work.
    pub fn of(
        path: &Path,
        text: Result<&str, (String, Option<String>)>,
        checked: Option<Checked>,
        provenance: Provenance,
    ) -> Self {
        let not_judged = |(message, help)| Outcome::NotJudged { message, help };
        let outcome = match (text, checked) {
            (Ok(text), Some(Checked { stats, findings })) => {
                Outcome::Judged(Judged { text: text.to_owned(), stats, findings, provenance, accepted: 0 })
            }
            (Err(why), _) => not_judged(why),
            (Ok(_), None) => not_judged(("it was not judged".to_owned(), None)),
        };
        Self { path: path.display().to_string(), outcome }
    }
}

/// How checking one draft ended.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "one a draft, and nearly all are judged")]
pub enum Outcome {
    /// It was checked.
    Judged(Judged),
    /// It could not be read: what was found, and a way out.
    NotJudged {
        /// One line.
        message: String,
        /// What would work.
        help: Option<String>,
    },
}

/// A draft that was checked.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// The draft's text, which the places of findings refer to.
    pub text: String,
    /// Counts of sentences and sources.
    pub stats: Stats,
    /// Findings in text order.
    pub findings: Vec<Diagnostic>,
    /// How many findings a baseline accepted; they are not among `findings`.
    pub accepted: usize,
    /// Where its statements come from; empty unless the format shows it.
    pub provenance: Provenance,
}

/// What a report or a draft comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing fails.
    Passed,
    /// Nothing fails that could be read, but something could not be.
    NotJudged,
    /// Some finding fails.
    Failed,
}

/// An output format.
pub struct Format {
    /// What `--format` calls it.
    pub name: &'static str,
    /// What it is for, in one line.
    pub summary: &'static str,
    /// It shows the drafts and their sources, not only findings: [`Judged::provenance`] and [`Report::sources`]
    /// are to be filled.
    pub with_drafts: bool,
    /// Writes a report.
    pub write: fn(&Report, &mut Sinks) -> io::Result<()>,
}

/// Where a format writes.
pub struct Sinks<'a> {
    /// The report.
    pub out: &'a mut dyn io::Write,
    /// Where `text` puts what fails; other formats leave it alone.
    pub err: &'a mut dyn io::Write,
    /// Escape codes for colour are welcome on `out`.
    pub colored: bool,
}

/// Every format.
pub const FORMATS: &[Format] = &[
    text::FORMAT,
    pretty::FORMAT,
    json::FORMAT,
    sarif::FORMAT,
    github::FORMAT,
    junit::FORMAT,
    markdown::FORMAT,
    html::FORMAT,
];

/// The format that `--format` calls `name`.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

impl Report {
    /// What it all comes to: a failure outweighs a draft that could not be judged.
    pub fn verdict(&self) -> Verdict {
        let drafts = self.drafts.iter().map(|draft| draft.verdict(self.strictness)).max();
        let together = if self.together.iter().any(|finding| self.strictness.fails(finding)) {
            Verdict::Failed
        } else {
            Verdict::Passed
        };
        drafts.unwrap_or(Verdict::Passed).max(together)
    }

    /// How many drafts come to `verdict`.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.drafts.iter().filter(|draft| draft.verdict(self.strictness) == verdict).count()
    }
}

impl DraftReport {
    /// What this draft comes to.
    pub fn verdict(&self, strictness: Strictness) -> Verdict {
        match &self.outcome {
            Outcome::NotJudged { .. } => Verdict::NotJudged,
            Outcome::Judged(judged) if judged.findings.iter().any(|f| strictness.fails(f)) => Verdict::Failed,
            Outcome::Judged(_) => Verdict::Passed,
        }
    }
}

impl Verdict {
    /// One word for machine formats.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::NotJudged => "not judged",
            Self::Failed => "failed",
        }
    }
}

/// Notes of one rule that a reader is shown for each draft: a thousand spaced markers are one fact.
const NOTES_SHOWN: usize = 5;

/// What a reader is shown of a draft's findings, and for each rule how many notes are left out.
fn brief(findings: &[Diagnostic]) -> (Vec<&Diagnostic>, BTreeMap<&'static str, usize>) {
    let mut notes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for finding in findings {
        if finding.severity == Severity::Note {
            let seen = notes.entry(finding.rule).or_default();
            *seen += 1;
            if *seen > NOTES_SHOWN {
                continue;
            }
        }
        shown.push(finding);
    }
    notes.retain(|_, count| *count > NOTES_SHOWN);
    notes.values_mut().for_each(|count| *count -= NOTES_SHOWN);
    (shown, notes)
}

/// How a finding is to be shown where a format knows three levels: what fails is an error there.
fn shown_severity(finding: &Diagnostic, strictness: Strictness) -> Severity {
    if strictness.fails(finding) { Severity::Error } else { finding.severity }
}

/// The severity's name in machine formats and configuration.
fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// Line and column one past the end of a finding's bytes, counted as its start is.
fn end_of(text: &str, place: &crate::diagnostic::Place) -> (usize, usize) {
    let spanned = text.get(place.span.clone()).unwrap_or_default();
    let lines = crate::text::lines::LineIndex::new(spanned);
    let (line, column) = lines.place(spanned, spanned.len());
    if line == 1 { (place.line, place.column + column - 1) } else { (place.line + line - 1, column) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(outcome: Outcome) -> DraftReport {
        DraftReport { path: "d.md".into(), outcome }
    }

    fn judged(severity: Severity) -> Outcome {
        let finding = Diagnostic {
            rule: "over-cited",
            severity,
            message: String::new(),
            place: None,
            help: None,
            fix: None,
        };
        Outcome::Judged(Judged { findings: vec![finding], ..Judged::default() })
    }

    #[test]
    fn a_failed_draft_outweighs_one_that_could_not_be_judged() {
        let unread = || draft(Outcome::NotJudged { message: String::new(), help: None });
        let mut report = Report { drafts: vec![unread()], ..Report::default() };
        assert_eq!(report.verdict(), Verdict::NotJudged);
        report.drafts.push(draft(judged(Severity::Warning)));
        assert_eq!(report.verdict(), Verdict::NotJudged);
        report.strictness = Strictness::Strict;
        assert_eq!(report.verdict(), Verdict::Failed);
    }

    #[test]
    fn no_draft_and_no_finding_pass() {
        assert_eq!(Report::default().verdict(), Verdict::Passed);
    }

    #[test]
    fn the_end_of_a_finding_counts_its_own_lines() {
        let text = "ab冰c\nde";
        let place = |span| crate::diagnostic::Place { span, line: 1, column: 2 };
        assert_eq!(end_of(text, &place(1..5)), (1, 4));
        assert_eq!(end_of(text, &place(1..text.len())), (2, 3));
    }
}
