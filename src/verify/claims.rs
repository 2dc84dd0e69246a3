//! What the draft claims on the strength of its sources: each sentence that cites a source of the ledger, its
//! words, and what is stored of its sources. Computed once and only where a rule asks for it.

use crate::draft::{Citation, Draft, Sentence, Statement, Target};
use crate::identity::SourceId;
use crate::ledger::{Ledger, Source};

/// A cited sentence beside its sources.
#[derive(Debug)]
pub struct Claim<'a> {
    /// The sentence.
    pub sentence: &'a Sentence,
    /// Its words.
    pub statement: Statement<'a>,
    /// The sources of the ledger that it cites, each once, in ascending order.
    pub sources: Vec<&'a Source>,
}

impl<'a> Claim<'a> {
    /// The ids of its sources.
    pub fn ids(&self) -> Vec<SourceId> {
        self.sources.iter().map(|source| source.id).collect()
    }

    /// The stored quotes of its sources.
    pub fn quotes(&self) -> impl Iterator<Item = &'a str> {
        self.sources.iter().flat_map(|source| &source.quotes).map(|quote| quote.text.as_str())
    }
}

/// The cited sentences of `draft`, in text order. A sentence that cites nothing but ids that were never issued
/// claims nothing here: `unknown-id` speaks of it.
pub fn claims<'a>(draft: &'a Draft, ledger: &'a Ledger) -> Vec<Claim<'a>> {
    let claim = |sentence: &'a Sentence| {
        let sources = sources(draft, ledger, sentence);
        let said = !sources.is_empty() && sentence.words > 0;
        said.then(|| Claim { sentence, statement: draft.statement(sentence), sources })
    };
    draft.sentences.iter().filter_map(claim).collect()
}

fn sources<'a>(draft: &Draft, ledger: &'a Ledger, sentence: &Sentence) -> Vec<&'a Source> {
    let citations = sentence.citations.iter().filter_map(|at| draft.citations.get(*at));
    let narrow = citations.filter(|citation| !matches!(citation.target, Target::WideRange(..)));
    let mut ids: Vec<SourceId> = narrow.flat_map(Citation::ids).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().filter_map(|id| ledger.get(id)).collect()
}
