//! A citation of a source that must not be cited any more.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "withdrawn-source",
    severity: Severity::Error,
    about: About::Place,
    summary: "a citation of a source that was withdrawn",
    page: include_str!("../../docs/rules/withdrawn-source.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for citation in &facts.draft.citations {
        for id in citation.ids() {
            let Some(why) = facts.ledger.get(id).and_then(|source| source.withdrawn.as_deref()) else {
                continue;
            };
            let message = format!("[{id}] was withdrawn: {}", one_line(why));
            findings
                .add(Finding::at(&citation.span, message).help("cite another source, or drop the statement"));
        }
    }
}
