//! A sentence that leans on many sources at once: which of them says what?

use super::facts::brackets;
use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::draft::Sentence;
use crate::identity::SourceId;

pub(super) const RULE: Rule = Rule {
    id: "over-cited",
    severity: Severity::Warning,
    about: About::Place,
    summary: "a sentence with more than 3 citations",
    page: include_str!("../../docs/rules/over-cited.md"),
    check,
};

const MOST_CITATIONS: usize = 3;

fn check(facts: &Facts, findings: &mut Findings) {
    // Markers alone, as below a table, are on no sentence.
    for sentence in facts.draft.sentences.iter().filter(|sentence| sentence.words > 0) {
        let ids = cited_by(facts, sentence);
        if ids.len() > MOST_CITATIONS {
            let message = format!(
                "more than {MOST_CITATIONS} citations on one sentence: {} here, {}",
                ids.len(),
                brackets(&ids)
            );
            let help = "keep the ones that bear the statement out, or split the sentence";
            findings.add(Finding::at(&sentence.span, message).help(help));
        }
    }
}

fn cited_by(facts: &Facts, sentence: &Sentence) -> Vec<SourceId> {
    let citations = sentence.citations.iter().filter_map(|at| facts.draft.citations.get(*at));
    let mut ids: Vec<SourceId> = citations.flat_map(|citation| citation.ids()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
