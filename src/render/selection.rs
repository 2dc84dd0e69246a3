//! Which sources a block lists: all of them, those named (`1,3,5-7`), those that a draft cites.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::error::{Error, Result};
use crate::identity::SourceId;
use crate::ledger::{Ledger, Source};

/// A choice of ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection(Vec<RangeInclusive<u32>>);

impl Selection {
    /// Reads `1,3,5-7`.
    ///
    /// # Errors
    /// [`crate::error::Exit::NotJudged`] for a reversed range and for anything that is no list of ids.
    pub fn parse(text: &str) -> Result<Self> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let ranges: Vec<_> = parts.map(range).collect::<Result<_>>()?;
        if ranges.is_empty() {
            return Err(unreadable(text));
        }
        Ok(Self(ranges))
    }

    /// Exactly these ids.
    pub fn of(ids: &[SourceId]) -> Self {
        Self(ids.iter().map(|id| id.0..=id.0).collect())
    }

    /// The chosen sources in the ledger's order, each id once.
    pub fn choose<'l>(&self, ledger: &'l Ledger) -> Vec<&'l Source> {
        let mut seen = HashSet::new();
        ledger.sources().iter().filter(|source| self.holds(source.id) && seen.insert(source.id)).collect()
    }

    /// Whether this id is chosen.
    pub fn holds(&self, id: SourceId) -> bool {
        self.0.iter().any(|range| range.contains(&id.0))
    }

    /// The first ids that were named but that the ledger never issued; a range counts by its ends.
    pub fn missing(&self, ledger: &Ledger) -> Vec<SourceId> {
        let ends = self.0.iter().flat_map(|range| [SourceId(*range.start()), SourceId(*range.end())]);
        let mut missing: Vec<SourceId> = ends.filter(|id| ledger.get(*id).is_none()).collect();
        missing.dedup();
        missing
    }
}

/// The sources that every one of the selections holds; without any, every source that may be cited.
pub fn chosen<'l>(asked: &[Selection], ledger: &'l Ledger) -> Vec<&'l Source> {
    let Some((first, others)) = asked.split_first() else { return all(ledger) };
    let mut sources = first.choose(ledger);
    sources.retain(|source| others.iter().all(|selection| selection.holds(source.id)));
    sources
}

/// Every source that may be cited, each id once.
pub fn all(ledger: &Ledger) -> Vec<&Source> {
    let mut seen = HashSet::new();
    ledger.sources().iter().filter(|source| source.withdrawn.is_none() && seen.insert(source.id)).collect()
}

fn range(part: &str) -> Result<RangeInclusive<u32>> {
    let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
    let number =
        |text: &str| text.trim().trim_matches(['[', ']']).parse::<u32>().map_err(|_| unreadable(part));
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(Error::not_judged(format!("`{part}` is a reversed range"))
            .with_help(format!("`--only {last}-{first}`")));
    }
    Ok(first..=last)
}

fn unreadable(text: &str) -> Error {
    Error::not_judged(format!("`{text}` is no list of ids")).with_help("`--only 1,3,5-7`")
}
