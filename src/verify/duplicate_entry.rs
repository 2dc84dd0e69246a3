//! One id listed with two different pages, in one Sources block or across several.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::EntryUrl;
use crate::identity::{self, Key};
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "duplicate-entry",
    severity: Severity::Error,
    about: About::Place,
    summary: "one id listed with two different URLs",
    page: include_str!("../../docs/rules/duplicate-entry.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for (id, entries) in &facts.listed {
        let mut urls = entries.iter().filter_map(|entry| entry.url.as_ref());
        let Some(first) = urls.next() else { continue };
        let first_key = key(first);
        for other in urls.filter(|url| url.matches != first.matches || key(url) != first_key) {
            let (one, two) = (one_line(&first.url), one_line(&other.url));
            let message = format!("[{id}] is listed with two different URLs: `{one}` and `{two}`");
            findings.add(
                Finding::at(&other.span, message)
                    .help("`cited render --replace-in DRAFT` writes one entry for each cited source"),
            );
        }
    }
}

fn key(url: &EntryUrl) -> Key {
    let options = identity::Options::default();
    identity::locate(&url.url, &options).map_or_else(|_| Key::from_stored(&url.url), |locator| locator.key)
}
