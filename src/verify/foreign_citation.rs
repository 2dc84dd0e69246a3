//! A marker of another system that no ledger id backs.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "foreign-citation",
    severity: Severity::Error,
    about: About::Place,
    summary: "a citation marker of another system that nothing in the ledger backs",
    page: include_str!("../../docs/rules/foreign-citation.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for span in &facts.draft.foreign {
        let marker = facts.draft.text.get(span.clone()).unwrap_or_default();
        let message = format!("`{}` is a marker of another system; no source backs it", one_line(marker));
        findings.add(
            Finding::at(span, message)
                .help("register the page with `cited add URL` and cite it as `[n]`, or remove the marker"),
        );
    }
}
