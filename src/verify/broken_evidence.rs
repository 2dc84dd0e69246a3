//! Evidence that does not hold: a stored quote that its snapshot no longer bears out or that was taken from the
//! draft itself, or a quote printed in the draft that the ledger does not hold. Reads the results of re-checks; the matching is done elsewhere.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::{Entry, Span};
use crate::evidence::Recheck;
use crate::ledger::{Anchor, Quote, Source};
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "broken-evidence",
    severity: Severity::Error,
    about: About::Place,
    summary: "a quote that its snapshot or the ledger does not bear out (with `--evidence`)",
    page: include_str!("../../docs/rules/broken-evidence.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let Some(rechecks) = facts.evidence else { return };
    for ((id, at), result) in rechecks {
        let (Recheck::Broken(why), Some(first)) = (result, facts.cited.get(id)) else { continue };
        let message = format!("[{id}] quote {} no longer holds: {}", at + 1, one_line(why));
        findings.add(Finding::at(&first.span, message).help(AGAIN));
    }
    for (id, first, source) in facts.cited_sources() {
        for at in own_words(facts.draft.text, source) {
            let message = format!("[{id}] quote {} was taken from this draft, not from its page", at + 1);
            findings.add(Finding::at(&first.span, message).help(AGAIN));
        }
    }
    for (id, entries) in &facts.listed {
        let Some(source) = facts.ledger.get(*id) else { continue };
        for (span, text) in entries.iter().flat_map(|entry| strangers(entry, source)) {
            let text = short(text);
            let message = format!("[{id}] the draft prints a quote that the ledger does not hold: `{text}`");
            findings.add(
                Finding::at(span, message)
                    .help("`cited render --style evidence --replace-in DRAFT` prints the stored quotes"),
            );
        }
    }
}

const AGAIN: &str = "fetch the page again and attach its words with `cited quote`";

/// Quotes whose page is the draft: what stood around them there stands in the draft, our own marker included,
/// which no page of somebody else holds.
fn own_words(draft: &str, source: &Source) -> Vec<usize> {
    let marker = format!("[{}]", source.id);
    let is_own = |quote: &Quote| {
        quote.anchor.as_ref().is_some_and(|Anchor { prefix, suffix, .. }| {
            let marked = prefix.contains(&marker) || suffix.contains(&marker);
            marked && draft.contains(&format!("{prefix}{}{suffix}", quote.text))
        })
    };
    (0..source.quotes.len()).filter(|at| is_own(&source.quotes[*at])).collect()
}

/// Quotes below an entry that are none of the source's.
fn strangers<'e>(entry: &'e Entry, source: &Source) -> Vec<(&'e Span, &'e str)> {
    if entry.quotes.is_empty() {
        return Vec::new();
    }
    let stored: Vec<String> = source.quotes.iter().map(|quote| plain(&quote.text)).collect();
    let printed = entry.quotes.iter().map(|(span, text)| (span, text.as_str()));
    printed.filter(|(_, text)| !stored.contains(&plain(text))).collect()
}

/// A quote on one line without the escapes that printing it needs.
fn plain(quote: &str) -> String {
    let line = one_line(quote);
    let mut plain = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let escapes = c == '\\' && rest.peek().is_some_and(char::is_ascii_punctuation);
        if !escapes {
            plain.push(c);
        }
    }
    plain
}

fn short(quote: &str) -> String {
    const SHOWN_CHARACTERS: usize = 80;
    let line = one_line(quote);
    match line.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
