//! An entry of the Sources block that the ledger never issued.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "listed-unknown",
    severity: Severity::Error,
    about: About::Place,
    summary: "an entry of the Sources block that is not in the ledger",
    page: include_str!("../../docs/rules/listed-unknown.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for (id, entries) in &facts.listed {
        if facts.ledger.get(*id).is_some() {
            continue;
        }
        for entry in entries {
            let message = format!("[{id}] is listed in the Sources block but not in the ledger");
            findings.add(Finding::at(&entry.span, message).help(
                "register the page with `cited add URL`, or `cited render --replace-in DRAFT` to list only what the ledger holds",
            ));
        }
    }
}
