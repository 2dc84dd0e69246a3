//! A cited source without any quote.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::text::words;

pub(super) const RULE: Rule = Rule {
    id: "missing-evidence",
    severity: Severity::Error,
    about: About::Place,
    summary: "a cited source without a verbatim quote (with `--evidence`)",
    page: include_str!("../../docs/rules/missing-evidence.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    if facts.evidence.is_none() {
        return;
    }
    for (id, first, source) in facts.cited_sources() {
        if source.quotes.iter().all(|quote| words::count(&quote.text) == 0) {
            let message = format!("[{id}] is cited but has no verbatim evidence quote");
            let help = format!("`cited quote {id} --text \"…\" --from PAGE` attaches a sentence of the page");
            findings.add(Finding::at(&first.span, message).help(help));
        }
    }
}
