//! A citation that is understood but not written the canonical way, with the rewrite.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::{BlockKind, Citation, Form, Span, Target};

pub(super) const RULE: Rule = Rule {
    id: "citation-form",
    severity: Severity::Note,
    about: About::Place,
    summary: "a citation that is understood but not written as `[1][2]` right after the statement",
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let footnotes = facts.draft.blocks.iter().any(|block| block.kind == BlockKind::Footnotes);
    for citation in &facts.draft.citations {
        let Some((span, canonical)) = rewrite(facts, citation, footnotes) else { continue };
        let written = &facts.draft.text[span.clone()];
        let message = format!("`{}` is read as `{canonical}`", written.trim_start());
        findings.add(
            Finding::at(&citation.span, message)
                .help("`cited verify --fix` writes the canonical form")
                .fix(span, canonical),
        );
    }
}

/// What to replace, and by what; `None` where the citation is written well or can not be rewritten safely.
fn rewrite(facts: &Facts, citation: &Citation, footnotes: bool) -> Option<(Span, String)> {
    let canonical = match (&citation.target, citation.form) {
        // A definition, or a list of footnotes, is where these are looked up: the style of the whole draft.
        (_, Form::Definition) => return None,
        (_, Form::Footnote) if footnotes => return None,
        (Target::Ids(ids), _) if !ids.is_empty() => ids.iter().map(|id| format!("[{id}]")).collect(),
        (Target::Linked(id, url), _) if facts.names(*id, url) => format!("[{id}]"),
        _ => return None,
    };
    let start = if citation.spaced {
        before_spaces(facts.draft.text, citation.span.start)
    } else {
        citation.span.start
    };
    let span = start..citation.span.end;
    let written = facts.draft.text.get(span.clone())?;
    (written != canonical).then_some((span, canonical))
}

/// Where the spaces before `at` begin; a line break before them is no slip.
fn before_spaces(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let statement = before.trim_end_matches([' ', '\t', '\u{a0}', '\u{3000}']);
    if statement.is_empty() || statement.ends_with(['\n', '\r']) { at } else { statement.len() }
}
