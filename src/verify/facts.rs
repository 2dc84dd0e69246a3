//! Everything that rules read about one draft, joined and computed once.

use std::collections::{BTreeMap, BTreeSet};

use super::Options;
use super::bearing::{Bearing, bearings};
use super::claims::{Claim, claims};
use super::stats::Stats;
use crate::draft::{Citation, Draft, Entry, Target};
use crate::evidence::Recheck;
use crate::identity::{self, Register, SourceId};
use crate::ledger::{Ledger, Source};

/// A draft beside what is known about its sources.
pub struct Facts<'a> {
    /// The draft.
    pub draft: &'a Draft<'a>,
    /// The sources that exist.
    pub ledger: &'a Ledger,
    /// What the user set.
    pub options: &'a Options,
    /// What checking the stored quotes again gave; `None` where nobody asked.
    pub evidence: Option<&'a Rechecks>,
    /// Whether other drafts share the ledger in this run.
    pub scope: Scope,
    /// Each cited id with its first citation. A range that is too wide to be meant cites nothing.
    pub cited: BTreeMap<SourceId, &'a Citation>,
    /// Each listed id with its entries, joined over all Sources blocks, in text order.
    pub listed: BTreeMap<SourceId, Vec<&'a Entry>>,
    /// Ids that a damaged ledger holds more than once.
    pub ambiguous: BTreeSet<SourceId>,
    /// The cited sentences with their words and sources, where a rule about them was asked for.
    pub claims: Vec<Claim<'a>>,
    /// What the quotes of each claim say about its words, where that was asked for.
    pub bearings: Vec<Bearing>,
    /// Counts of sentences and sources.
    pub stats: Stats,
}

/// Whether a draft is judged alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// The ledger serves this draft only.
    #[default]
    Alone,
    /// Others are judged with it; [`super::check_all`] says what only shows over all of them.
    OneOfMany,
}

/// What looking at kept pages gave; `None` where nobody asked.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// The stored quotes of cited sources, checked again.
    pub rechecks: Option<Rechecks>,
}

/// Results of checking stored quotes against their snapshots, by source and index of the quote.
pub type Rechecks = BTreeMap<(SourceId, usize), Recheck>;

impl<'a> Facts<'a> {
    /// Joins what is known.
    pub fn new(
        draft: &'a Draft<'a>,
        ledger: &'a Ledger,
        options: &'a Options,
        evidence: &'a Evidence,
        scope: Scope,
    ) -> Self {
        let cited = first_citations(draft);
        let mut stats = Stats::new(draft, ledger, cited.len());
        let claims = if options.asks_about_claims() { claims(draft, ledger) } else { Vec::new() };
        let bearings = if options.sentences { bearings(&claims, ledger) } else { Vec::new() };
        let untold = |bearing: &&Bearing| matches!(bearing, Bearing::CannotTell);
        stats.cannot_tell.sentences = options.sentences.then(|| bearings.iter().filter(untold).count());
        Self {
            draft,
            ledger,
            options,
            evidence: evidence.rechecks.as_ref(),
            scope,
            listed: entries_by_id(draft),
            ambiguous: ledger.ambiguous().iter().copied().collect(),
            cited,
            claims,
            bearings,
            stats,
        }
    }

    /// Cited ids that the ledger issued, each with its first citation and its source.
    pub fn cited_sources(&self) -> impl Iterator<Item = (SourceId, &'a Citation, &'a Source)> {
        let ledger = self.ledger;
        self.cited.iter().filter_map(move |(id, first)| Some((*id, *first, ledger.get(*id)?)))
    }

    /// The id of the source that `url` names.
    pub fn ledger_id(&self, url: &str) -> Option<SourceId> {
        self.ledger.id_of(url)
    }

    /// Whether `url` names the page of the source `id`, by key.
    pub fn names(&self, id: SourceId, url: &str) -> bool {
        let key = || identity::locate(url, &identity::Options::default()).ok().map(|locator| locator.key);
        self.ledger_id(url) == Some(id)
            || self.ledger.key_of(id).is_some_and(|own| key().is_some_and(|other| other == *own))
    }
}

/// The text of `[1]` or `[1], [2] and 7 more`: ids as every message names them.
pub(super) fn brackets(ids: &[SourceId]) -> String {
    const SHOWN: usize = 12;
    let mut text: Vec<String> = ids.iter().take(SHOWN).map(|id| format!("[{id}]")).collect();
    if ids.len() > SHOWN {
        text.push(format!("and {} more", ids.len() - SHOWN));
    }
    text.join(", ")
}

pub(super) fn first_citations<'a>(draft: &'a Draft) -> BTreeMap<SourceId, &'a Citation> {
    let mut first = BTreeMap::new();
    for citation in &draft.citations {
        if matches!(citation.target, Target::WideRange(..)) {
            continue;
        }
        for id in citation.ids() {
            first.entry(id).or_insert(citation);
        }
    }
    first
}

fn entries_by_id<'a>(draft: &'a Draft) -> BTreeMap<SourceId, Vec<&'a Entry>> {
    let mut listed: BTreeMap<SourceId, Vec<&Entry>> = BTreeMap::new();
    for entry in draft.blocks.iter().flat_map(|block| &block.entries) {
        listed.entry(entry.id).or_default().push(entry);
    }
    listed
}
