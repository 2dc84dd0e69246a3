//! A cited id that the Sources block does not list with its URL.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::Entry;
use crate::identity::SourceId;

pub(super) const RULE: Rule = Rule {
    id: "not-listed",
    severity: Severity::Error,
    about: About::Place,
    summary: "a cited source that the Sources block does not list",
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    if facts.draft.blocks.is_empty() {
        return;
    }
    for (id, first) in &facts.cited {
        let message = match facts.listed.get(id) {
            None => format!("[{id}] is cited but absent from the Sources block"),
            Some(entries) if !entries.iter().any(|entry| shows_its_page(facts, *id, entry)) => {
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
fn shows_its_page(facts: &Facts, id: SourceId, entry: &Entry) -> bool {
    entry.url.is_some()
        || facts.ledger.get(id).is_none_or(|source| {
            facts.draft.text.get(entry.span.clone()).is_some_and(|written| written.contains(&source.url))
        })
}
