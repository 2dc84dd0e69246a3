//! Where the statements of a draft come from, as values: what a page shows beside the findings.
//!
//! In: a parsed draft, the ledger, results of re-checks. Out: spans with their origin, citations with their ids,
//! and the sources that are cited, each with its quotes. Only a format that shows drafts asks for it.

use std::collections::BTreeSet;

use crate::draft::{Draft, Sentence, Span, Target};
use crate::evidence::Recheck;
use crate::identity::SourceId;
use crate::ledger::{Ledger, Source};
use crate::verify::Rechecks;

/// What a draft says about where its statements come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// Its prose sentences, in text order.
    pub sentences: Vec<(Span, Origin)>,
    /// Its markers, in text order, each with the ids that it cites.
    pub citations: Vec<(Span, Vec<SourceId>)>,
    /// Its Sources blocks, in text order.
    pub blocks: Vec<Span>,
}

/// Where a sentence says that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Sources that each have a quote which was checked against its page.
    Evidence,
    /// Sources.
    Cited,
    /// No source, but a marker: `[unverified]`, or one of cited.toml.
    Marked,
    /// It does not say.
    Nowhere,
}

/// A source that some draft cites.
#[derive(Debug, Clone, Default)]
pub struct CitedSource {
    /// As the ledger holds it.
    pub source: Source,
    /// What a second look at each of its quotes gave; `None` where nobody asked.
    pub rechecks: Vec<Option<Recheck>>,
}

impl Origin {
    /// Every origin, the best first.
    pub const ALL: [Self; 4] = [Self::Evidence, Self::Cited, Self::Marked, Self::Nowhere];

    /// One word, for a class or a key.
    pub fn word(self) -> &'static str {
        match self {
            Self::Evidence => "evidence",
            Self::Cited => "cited",
            Self::Marked => "marked",
            Self::Nowhere => "nowhere",
        }
    }
}

impl Provenance {
    /// Reads it off a draft.
    pub fn of(draft: &Draft<'_>, sources: &[CitedSource]) -> Self {
        let ids = |target: &Target, ids: Vec<SourceId>| match target {
            Target::WideRange(first, _) => vec![*first],
            _ => ids,
        };
        let citations = draft.citations.iter().map(|one| (one.span.clone(), ids(&one.target, one.ids())));
        let backed: BTreeSet<SourceId> =
            sources.iter().filter(|one| one.is_backed()).map(|one| one.source.id).collect();
        Self {
            sentences: draft
                .sentences
                .iter()
                .map(|one| (one.span.clone(), origin(draft, one, &backed)))
                .collect(),
            citations: citations.collect(),
            blocks: draft.blocks.iter().map(|block| block.span.clone()).collect(),
        }
    }

    /// How many sentences come from `origin`.
    pub fn count(&self, origin: Origin) -> usize {
        self.sentences.iter().filter(|(_, own)| *own == origin).count()
    }
}

fn origin(draft: &Draft<'_>, sentence: &Sentence, backed: &BTreeSet<SourceId>) -> Origin {
    if sentence.citations.is_empty() {
        return if sentence.markers.is_empty() { Origin::Nowhere } else { Origin::Marked };
    }
    let citations = sentence.citations.iter().filter_map(|at| draft.citations.get(*at));
    let mut ids = citations.flat_map(|citation| citation.ids()).peekable();
    let all_backed = ids.peek().is_some() && ids.all(|id| backed.contains(&id));
    if all_backed { Origin::Evidence } else { Origin::Cited }
}

impl CitedSource {
    /// It may be cited, and one of its quotes was checked against its page and was not found broken since.
    fn is_backed(&self) -> bool {
        let holds = |at: usize| !matches!(self.rechecks.get(at), Some(Some(Recheck::Broken(_))));
        let mut quotes = self.source.quotes.iter().enumerate();
        self.source.withdrawn.is_none() && quotes.any(|(at, quote)| quote.anchor.is_some() && holds(at))
    }
}

/// The sources of the ledger that `drafts` cite, in ascending order.
pub fn cited_sources(
    drafts: &[Option<Draft<'_>>],
    ledger: &Ledger,
    rechecks: Option<&Rechecks>,
) -> Vec<CitedSource> {
    let cited: BTreeSet<SourceId> = drafts.iter().flatten().flat_map(Draft::cited).collect();
    let sources = cited.iter().filter_map(|id| ledger.get(*id));
    let looked = |source: &Source| {
        (0..source.quotes.len()).map(|at| rechecks?.get(&(source.id, at)).cloned()).collect()
    };
    sources.map(|source| CitedSource { source: source.clone(), rechecks: looked(source) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Options;
    use crate::ledger::{Anchor, Quote};

    const DRAFT: &str = "Ice floats on water.[1] Salt melts the ice.[2] Both hold at once.[1][2] \
        People like the ice.[unverified] Nobody says anything here. Nine is not known here.[9]\n";

    fn anchor() -> Anchor {
        Anchor {
            sha256: String::new(),
            start: 0,
            end: 10,
            prefix: String::new(),
            suffix: String::new(),
            rules: Vec::new(),
            reader: "text".into(),
            kept: true,
        }
    }

    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        for url in ["https://a.example/1", "https://a.example/2"] {
            let locator = crate::identity::locate(url, &Default::default()).unwrap();
            ledger.add(&locator, url, "", "2026-01-31", None);
        }
        let checked = Quote { text: "ice floats".into(), anchor: Some(anchor()), ..Quote::default() };
        ledger.attach_quote(SourceId(1), checked).unwrap();
        ledger.attach_quote(SourceId(2), Quote { text: "by hand".into(), ..Quote::default() }).unwrap();
        ledger
    }

    fn origins(rechecks: Option<&Rechecks>) -> Vec<Origin> {
        let ledger = ledger();
        let drafts = [Some(Draft::parse(DRAFT, &Options::default(), &ledger))];
        let sources = cited_sources(&drafts, &ledger, rechecks);
        assert_eq!(sources.iter().map(|one| one.source.id.0).collect::<Vec<_>>(), [1, 2]);
        let provenance = Provenance::of(drafts[0].as_ref().unwrap(), &sources);
        provenance.sentences.into_iter().map(|(_, origin)| origin).collect()
    }

    #[test]
    fn a_sentence_has_evidence_only_where_each_of_its_sources_has_a_checked_quote() {
        use Origin::*;
        assert_eq!(origins(None), [Evidence, Cited, Cited, Marked, Nowhere, Cited]);
    }

    #[test]
    fn a_broken_quote_is_no_evidence() {
        let broken = Rechecks::from([((SourceId(1), 0), Recheck::Broken("changed".into()))]);
        assert_eq!(origins(Some(&broken))[0], Origin::Cited);
        let sound = Rechecks::from([((SourceId(1), 0), Recheck::Sound)]);
        assert_eq!(origins(Some(&sound))[0], Origin::Evidence);
    }
}
