//! An escaped pair of brackets that cites nothing.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "escaped-marker",
    severity: Severity::Note,
    about: About::Place,
    summary: "an escaped `\\[n\\]` that is read as text",
    page: include_str!("../../docs/rules/escaped-marker.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for span in &facts.draft.escaped {
        let written = facts.draft.text.get(span.clone()).unwrap_or_default();
        let message = format!("`{written}` is read as text, not as a citation");
        findings
            .add(Finding::at(span, message).help("remove the backslashes if it is meant to cite a source"));
    }
}
