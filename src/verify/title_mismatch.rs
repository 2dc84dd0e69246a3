//! A title in the Sources block that is not the ledger's. What no reader would call a difference is none:
//! case, white space, punctuation, entities, a title cut short or one with the site's name behind it.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "title-mismatch",
    severity: Severity::Warning,
    about: About::Place,
    summary: "a title in the Sources block that is not the ledger's",
    page: include_str!("../../docs/rules/title-mismatch.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for (id, entries) in &facts.listed {
        let Some(source) = facts.ledger.get(*id) else { continue };
        if facts.ambiguous.contains(id) {
            continue;
        }
        for entry in entries {
            let Some(shown) = entry.title.as_deref() else { continue };
            if differ(shown, &source.title) && differ(shown, &without_tags(&source.title)) {
                let (here, there) = (one_line(shown), one_line(&source.title));
                let message = format!("[{id}] shows the title `{here}`; the ledger has `{there}`");
                let help =
                    format!("restore the title, or correct the ledger with `cited edit {id} --title …`");
                findings.add(Finding::at(&entry.span, message).help(help));
            }
        }
    }
}

/// Whether two titles name different things; an empty one says nothing.
fn differ(one: &str, two: &str) -> bool {
    let (one, two) = (letters(one), letters(two));
    !one.is_empty() && !two.is_empty() && !one.contains(&two) && !two.contains(&one)
}

/// The title as a page shows it: `<i>ice</i>` is `ice`.
fn without_tags(title: &str) -> String {
    let mut kept = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(open) = rest.find('<') {
        let Some(close) = rest[open..].find('>') else { break };
        let name = rest[open + 1..].trim_start_matches('/');
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic());
        kept.push_str(&rest[..if is_tag { open } else { open + 1 }]);
        rest = &rest[if is_tag { open + close + 1 } else { open + 1 }..];
    }
    kept.push_str(rest);
    kept
}

/// The letters and digits of a title in one case, without entities.
fn letters(title: &str) -> String {
    let folded = caseless::default_case_fold_str(&without_entities(title));
    unicode_normalization::UnicodeNormalization::nfkd(folded.as_str())
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// `&amp;`, `&#39;` and their like stand for characters that are not compared.
fn without_entities(title: &str) -> String {
    const LONGEST_NAME: usize = 8;
    let mut kept = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find('&') {
        kept.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let name = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
        if (1..=LONGEST_NAME).contains(&name) && rest.as_bytes().get(name) == Some(&b';') {
            rest = &rest[name + 1..];
        }
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_page_has_another_title() {
        assert!(differ("A completely different paper", "Density of ice"));
        assert!(differ("冰的密度", "水的密度"));
        assert!(differ("Ice 2023", "Ice 2024"));
    }

    #[test]
    fn tags_in_a_title_are_not_compared() {
        for (title, shown) in
            [("<i>Ice</i> floats", "Ice floats"), ("1 < 2 > 0", "1 < 2 > 0"), ("x <b", "x <b"), ("<", "<")]
        {
            assert_eq!(without_tags(title), shown);
        }
    }

    #[test]
    fn typography_and_length_make_no_other_title() {
        for (one, two) in [
            ("density  of ICE", "Density of ice"),
            ("“Ice” — floats…", "\"Ice\" - floats"),
            ("Ice &amp; water", "Ice & water"),
            ("Density of ice", "Density of ice | Example Journal"),
            ("Straße", "STRASSE"),
            ("Ice\\[1\\]", "Ice[1]"),
            ("", "Density of ice"),
            ("Density of ice", ""),
        ] {
            assert!(!differ(one, two) && !differ(two, one), "{one} / {two}");
        }
    }
}
