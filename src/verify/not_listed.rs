//! A cited source that the Sources block does not list with its URL. An id that the ledger never issued has
//! its own finding.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::Entry;
use crate::ledger::Source;

pub(super) const RULE: Rule = Rule {
    id: "not-listed",
    severity: Severity::Error,
    about: About::Place,
    summary: "a cited source that the Sources block does not list",
    page: include_str!("../../docs/rules/not-listed.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    if facts.draft.blocks.is_empty() {
        return;
    }
    for (id, first, source) in facts.cited_sources() {
        let message = match facts.listed.get(&id) {
            None => format!("[{id}] is cited but absent from the Sources block"),
            Some(entries) if !entries.iter().any(|entry| shows_its_page(facts, source, entry)) => {
                format!("[{id}] is listed without a URL: its page is absent from the Sources block")
            }
            Some(_) => continue,
        };
        findings.add(
            Finding::at(&first.span, message)
                .help("`cited render --replace-in DRAFT` writes the block anew from the ledger"),
        );
    }
}

/// A locator that is no web address may stand in an entry as it stands in the ledger.
fn shows_its_page(facts: &Facts, source: &Source, entry: &Entry) -> bool {
    let written = || facts.draft.text.get(entry.span.clone()).unwrap_or_default();
    entry.url.is_some() || written().contains(&source.url)
}
