//! A citation of a source that the ledger never issued.

use super::facts::brackets;
use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::{Aside, Citation, Target};
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "unknown-id",
    severity: Severity::Error,
    about: About::Place,
    summary: "a citation that the ledger never issued",
    page: include_str!("../../docs/rules/unknown-id.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let asides = facts.draft.asides.iter().filter(|aside| !is_of_the_page(facts, aside));
    for citation in facts.draft.citations.iter().chain(asides.map(|aside| &aside.marker)) {
        if let Some(what) = unknown(facts, citation) {
            let message = format!("{what}: hallucinated or renumbered");
            findings.add(Finding::at(&citation.span, message).help(
                "correct the number (`cited list` shows every source), or register the page with `cited add URL`",
            ));
        }
    }
}

fn unknown(facts: &Facts, citation: &Citation) -> Option<String> {
    match &citation.target {
        Target::WideRange(first, last) => {
            Some(format!("[{first}] to [{last}] is a range too wide to be meant"))
        }
        Target::Url(url) => Some(format!("`{}` is cited but not in the ledger", one_line(url))),
        Target::Ids(_) | Target::Linked(..) => {
            let mut ids = citation.ids();
            ids.retain(|id| facts.ledger.get(*id).is_none());
            let verb = if ids.len() == 1 { "is" } else { "are" };
            (!ids.is_empty()).then(|| format!("{} {verb} not in the ledger", brackets(&ids)))
        }
    }
}

/// The number stands in the words that the ledger has of the entry's page.
fn is_of_the_page(facts: &Facts, aside: &Aside) -> bool {
    let marker = &facts.draft.text[aside.marker.span.clone()];
    let source = aside.entry.and_then(|id| facts.ledger.get(id));
    source.is_some_and(|source| {
        source.title.contains(marker) || source.quotes.iter().any(|quote| quote.text.contains(marker))
    })
}
