//! Sources of the ledger that nothing cites.

use std::collections::BTreeSet;

use super::facts::brackets;
use super::{About, Facts, Finding, Findings, Rule, Scope};
use crate::diagnostic::Severity;
use crate::identity::SourceId;
use crate::ledger::Ledger;

pub(super) const RULE: Rule = Rule {
    id: "uncited-source",
    severity: Severity::Warning,
    about: About::Draft,
    summary: "a source of the ledger that is not cited",
    page: include_str!("../../docs/rules/uncited-source.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    if facts.scope == Scope::OneOfMany {
        return;
    }
    let cited: BTreeSet<SourceId> = facts.cited.keys().copied().collect();
    if let Some(finding) = among(facts.ledger, &cited, "in this draft") {
        findings.add(finding);
    }
}

/// One finding that names every source, withdrawn ones apart, that is not among the `cited`.
pub(super) fn among(ledger: &Ledger, cited: &BTreeSet<SourceId>, place: &str) -> Option<Finding> {
    let usable = ledger.sources().iter().filter(|source| source.withdrawn.is_none());
    let unused: BTreeSet<SourceId> =
        usable.map(|source| source.id).filter(|id| !cited.contains(id)).collect();
    if unused.is_empty() {
        return None;
    }
    let unused: Vec<SourceId> = unused.into_iter().collect();
    let message = format!("{} in the ledger but not cited {place}", brackets(&unused));
    Some(
        Finding::about_draft(message)
            .help("cite what was read, or leave it: the Sources block need not list it"),
    )
}
