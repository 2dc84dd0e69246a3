//! A year in brackets, where no such id exists.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "year-like",
    severity: Severity::Note,
    about: About::Place,
    summary: "a year in brackets that is read as text",
    page: include_str!("../../docs/rules/year-like.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for span in &facts.draft.years {
        let written = facts.draft.text.get(span.clone()).unwrap_or_default();
        let message = format!("{written} is read as a year, not as a citation");
        findings.add(Finding::at(span, message).help("write it in parentheses if it is a year"));
    }
}
