//! A citation of an id that a damaged ledger holds more than once.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "ambiguous-id",
    severity: Severity::Error,
    about: About::Place,
    summary: "a citation of an id that the ledger holds twice",
    page: include_str!("../../docs/rules/ambiguous-id.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for (id, first) in &facts.cited {
        if facts.ambiguous.contains(id) {
            let message =
                format!("[{id}] stands for more than one source: the ledger file holds this id twice");
            findings.add(Finding::at(&first.span, message).help(
                "register the page that is meant again with `cited add URL` and cite the id that it prints",
            ));
        }
    }
}
