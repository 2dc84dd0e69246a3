//! A draft whose declared provenance is mostly the model's own word.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "unverified-heavy",
    severity: Severity::Note,
    about: About::Draft,
    summary: "provenance that is mostly [unverified]",
    page: include_str!("../../docs/rules/unverified-heavy.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let (unverified, declared) = (facts.stats.only_unverified, facts.stats.declared);
    if 2 * unverified > declared {
        let message = format!(
            "provenance is mostly [unverified]: {unverified} of {declared} sentence(s) with declared provenance have no other"
        );
        findings.add(Finding::about_draft(message).help("find a source for the statements that matter"));
    }
}
