//! Counts about one draft and the line that agents read.

use std::collections::BTreeMap;
use std::fmt;

use crate::draft::{Draft, Sentence};
use crate::ledger::Ledger;

/// How much of a draft says where it comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// Prose sentences.
    pub sentences: usize,
    /// Of these, how many carry a citation or a marker.
    pub declared: usize,
    /// How many carry a citation.
    pub cited: usize,
    /// How many carry `[unverified]`.
    pub unverified: usize,
    /// How many carry `[unverified]` and no citation.
    pub only_unverified: usize,
    /// How many carry a marker of cited.toml, by its kind.
    pub other: BTreeMap<String, usize>,
    /// Distinct ids cited anywhere in the draft.
    pub distinct: usize,
    /// Sources in the ledger.
    pub in_ledger: usize,
    /// Of these, how many have a quote.
    pub with_quotes: usize,
    /// What was asked about and could not be judged.
    pub cannot_tell: CannotTell,
}

/// How much could not be judged, of what was asked about; `None` where nobody asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CannotTell {
    /// Cited sentences: too few words, no quote, or quotes in another script or language only.
    pub sentences: Option<usize>,
    /// Figures: conversions, ratios in words, ordinals, durations, names and the like.
    pub figures: Option<usize>,
    /// Quotations: under three words, titles, or no page was kept to look at.
    pub quotations: Option<usize>,
}

impl Stats {
    /// Counts once over the sentences; `distinct` is how many ids the draft cites.
    pub(super) fn new(draft: &Draft, ledger: &Ledger, distinct: usize) -> Self {
        let mut stats = Self {
            sentences: draft.sentences.len(),
            distinct,
            in_ledger: ledger.sources().len(),
            with_quotes: ledger.sources().iter().filter(|source| !source.quotes.is_empty()).count(),
            ..Self::default()
        };
        for sentence in &draft.sentences {
            stats.count(draft, sentence);
        }
        stats
    }

    /// Share of sentences with declared provenance, 0 to 1; 1 where there is nothing to declare.
    pub fn coverage(&self) -> f64 {
        if self.sentences == 0 { 1.0 } else { self.declared as f64 / self.sentences as f64 }
    }

    /// What could not be judged, where anything was asked about.
    pub fn asks(&self) -> Option<CannotTell> {
        Some(self.cannot_tell).filter(|untold| *untold != CannotTell::default())
    }

    fn count(&mut self, draft: &Draft, sentence: &Sentence) {
        let mut kinds: Vec<&str> = sentence
            .markers
            .iter()
            .filter_map(|at| draft.markers.get(*at))
            .map(|marker| marker.kind.as_str())
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        let cited = !sentence.citations.is_empty();
        let unverified = kinds.contains(&UNVERIFIED);
        self.cited += usize::from(cited);
        self.unverified += usize::from(unverified);
        self.only_unverified += usize::from(unverified && !cited);
        self.declared += usize::from(cited || !kinds.is_empty());
        for kind in kinds.into_iter().filter(|kind| *kind != UNVERIFIED) {
            *self.other.entry(kind.to_owned()).or_default() += 1;
        }
    }
}

impl fmt::Display for CannotTell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [("sentence", self.sentences), ("figure", self.figures), ("quotation", self.quotations)];
        let said: Vec<String> =
            counts.iter().filter_map(|(what, count)| Some(format!("{} {what}(s)", (*count)?))).collect();
        f.write_str(&said.join(", "))
    }
}

/// The marker kind of statements from a model's own knowledge.
const UNVERIFIED: &str = "unverified";

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sentences, declared, cited, unverified, distinct, in_ledger, with_quotes, .. } = self;
        let percent = 100.0 * self.coverage();
        write!(f, "{sentences} prose sentence(s), {declared} with declared provenance ({percent:.0}%) — ")?;
        write!(f, "{cited} cited, {unverified} marked [unverified] ")?;
        for (kind, count) in &self.other {
            write!(f, "and {count} marked [{kind}] ")?;
        }
        write!(f, "(a sentence may be both); {distinct} distinct source(s) cited, ")?;
        write!(f, "{in_ledger} in ledger ({with_quotes} with evidence quotes)")
    }
}
