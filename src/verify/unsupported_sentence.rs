//! A cited sentence that none of its sources' quotes seems to speak of. Reads what [`super::bearing`] found.

use super::facts::brackets;
use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "unsupported-sentence",
    severity: Severity::Warning,
    about: About::Place,
    summary: "a cited sentence that shares too few words with any quote of its sources (with `--evidence=sentence`)",
    page: include_str!("../../docs/rules/unsupported-sentence.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for (claim, bearing) in facts.claims.iter().zip(&facts.bearings) {
        if bearing.is_apart() {
            let message =
                format!("no quote of {} shares enough words with this sentence", brackets(&claim.ids()));
            let help = "cite the source that says it, or attach the passage that does with `cited quote`";
            findings.add(Finding::at(&claim.sentence.span, message).help(help));
        }
    }
}
