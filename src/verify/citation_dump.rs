//! A paragraph whose citations all wait at its end: which sentence do they bear out?

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::Sentence;

pub(super) const RULE: Rule = Rule {
    id: "citation-dump",
    severity: Severity::Note,
    about: About::Place,
    summary: "a paragraph whose citations all sit on its last sentence",
    page: include_str!("../../docs/rules/citation-dump.md"),
    check,
};

const FEWEST_SENTENCES: usize = 3;

fn check(facts: &Facts, findings: &mut Findings) {
    for paragraph in facts.draft.sentences.chunk_by(|one, next| one.paragraph == next.paragraph) {
        let Some((last, earlier)) = paragraph.split_last() else { continue };
        if paragraph.len() < FEWEST_SENTENCES || last.citations.is_empty() || !earlier.iter().all(is_bare) {
            continue;
        }
        let message =
            format!("all citations of this paragraph sit on the last of its {} sentences", paragraph.len());
        let help = "put each citation after the sentence that it bears out";
        findings.add(Finding::at(&last.span, message).help(help));
    }
}

fn is_bare(sentence: &Sentence) -> bool {
    sentence.citations.is_empty() && sentence.markers.is_empty()
}
