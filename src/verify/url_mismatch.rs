//! A number that the draft gives to another page than the ledger does.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::{Span, Target};
use crate::identity::SourceId;
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "url-mismatch",
    severity: Severity::Error,
    about: About::Place,
    summary: "a URL in the draft that is not the ledger's for that id",
    page: include_str!("../../docs/rules/url-mismatch.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for (id, entries) in &facts.listed {
        for url in entries.iter().filter_map(|entry| entry.url.as_ref()).filter(|url| !url.matches) {
            compare(facts, findings, *id, &url.url, &url.span);
        }
    }
    for citation in &facts.draft.citations {
        if let Target::Linked(id, url) = &citation.target {
            compare(facts, findings, *id, url, &citation.span);
        }
    }
}

/// An id that the ledger does not hold, or holds twice, has its own finding.
fn compare(facts: &Facts, findings: &mut Findings, id: SourceId, url: &str, span: &Span) {
    let Some(source) = facts.ledger.get(id) else { return };
    if facts.ambiguous.contains(&id) || facts.names(id, url) {
        return;
    }
    let (here, there) = (one_line(url), one_line(&source.url));
    let message = format!("[{id}] `{here}` does not match the ledger, which has `{there}`");
    let help = match facts.ledger_id(url) {
        Some(other) => format!("this page is [{other}] in the ledger: cite that number, or correct the URL"),
        None => format!("restore `{there}`, or register this page with `cited add URL` and cite its number"),
    };
    findings.add(Finding::at(span, message).help(help));
}
