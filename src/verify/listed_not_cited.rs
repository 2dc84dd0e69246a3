//! An entry of the Sources block that the draft never cites.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "listed-not-cited",
    severity: Severity::Warning,
    about: About::Place,
    summary: "an entry of the Sources block that is never cited",
    page: include_str!("../../docs/rules/listed-not-cited.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for (id, entries) in &facts.listed {
        if facts.cited.contains_key(id) || facts.ledger.get(*id).is_none() {
            continue;
        }
        let Some(first) = entries.first() else { continue };
        let message = format!("[{id}] is in the Sources block but never cited");
        findings.add(
            Finding::at(&first.span, message)
                .help("`cited render --cited-in DRAFT --replace-in DRAFT` lists what the draft cites"),
        );
    }
}
