//! A quote that nothing is left to check against.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::evidence::Recheck;
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "not-recheckable",
    severity: Severity::Note,
    about: About::Place,
    summary: "a quote without a snapshot to check it against (with `--evidence`)",
    page: include_str!("../../docs/rules/not-recheckable.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let Some(rechecks) = facts.evidence else { return };
    for ((id, at), result) in rechecks {
        let (Recheck::NotRecheckable(why), Some(first)) = (result, facts.cited.get(id)) else { continue };
        let message = format!("[{id}] quote {} is not re-checkable: {}", at + 1, one_line(why));
        findings.add(
            Finding::at(&first.span, message)
                .help("`cited quote` with `--from PAGE` keeps the page's text beside the ledger"),
        );
    }
}
