//! A citation that is understood but not written the canonical way, with the rewrite.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::{BlockKind, Citation, Form, Target};
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "citation-form",
    severity: Severity::Note,
    about: About::Place,
    summary: "a citation that is understood but not written as `[1][2]` right after the statement",
    page: include_str!("../../docs/rules/citation-form.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let footnotes = facts.draft.blocks.iter().any(|block| block.kind == BlockKind::Footnotes);
    for citation in &facts.draft.citations {
        let Some(canonical) = canonical(facts, citation, footnotes) else { continue };
        let marker = &facts.draft.text[citation.span.clone()];
        let start = start(facts.draft.text, citation);
        let message = if marker != canonical {
            format!("`{}` is read as `{canonical}`", one_line(marker))
        } else if start < citation.span.start {
            format!("{canonical} stands apart from its statement")
        } else {
            continue;
        };
        let finding = Finding::at(&citation.span, message);
        findings.add(if citation.form == Form::Pinpoint {
            finding.help(format!(
                "write `{canonical}` after the statement, and say in words which page is meant"
            ))
        } else if opens_its_line(facts.draft.text, citation) {
            finding.help(format!("write `{canonical}` after the statement that it bears out"))
        } else {
            finding
                .help("`cited verify --fix` writes the canonical form")
                .fix(start..citation.span.end, canonical)
        });
    }
}

/// How the citation should be written; `None` where it is the draft's style or can not be rewritten safely.
fn canonical(facts: &Facts, citation: &Citation, footnotes: bool) -> Option<String> {
    match (&citation.target, citation.form) {
        // A definition, or a list of footnotes, is where these are looked up: the style of the whole draft.
        // What could be an interval after all is left as it is written.
        (_, Form::Definition | Form::Doubtful) => None,
        (_, Form::Footnote) if footnotes => None,
        (Target::Ids(ids), _) if !ids.is_empty() => Some(ids.iter().map(|id| format!("[{id}]")).collect()),
        (Target::Linked(id, url), _) if facts.names(*id, url) => Some(format!("[{id}]")),
        _ => None,
    }
}

/// Where the spaces before a citation of a sentence begin; a line break before it is no slip.
fn start(text: &str, citation: &Citation) -> usize {
    let own = citation.span.start;
    if !citation.spaced || citation.sentence.is_none() {
        return own;
    }
    let statement = text.get(..own).unwrap_or_default().trim_end_matches([' ', '\t', '\u{a0}', '\u{3000}']);
    if statement.is_empty() || statement.ends_with(['\n', '\r']) { own } else { statement.len() }
}

/// Nothing is said before the marker on its line: rewritten there it could turn into an entry or a definition.
fn opens_its_line(text: &str, citation: &Citation) -> bool {
    let before = text.get(..citation.span.start).unwrap_or_default();
    let line = before.chars().rev().take_while(|c| !matches!(c, '\n' | '\r'));
    !line.into_iter().any(char::is_alphanumeric)
}
