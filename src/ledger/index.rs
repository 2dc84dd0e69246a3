//! Finding the source of a page: built only when something is looked up, kept up to date by `add`.
//!
//! An entry that stores our key is found by it alone. An entry without one was written by another program: it
//! is found by the canonical key of its URL, and by the key of the Python script. Where two entries share a
//! key the first answers.

use std::collections::HashMap;

use super::{Source, SourceId};
use crate::identity::{self, Key, Locator, Options, script_key};

/// Positions in the list of sources, by what a locator can be matched with.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages {
    by_key: HashMap<Key, usize>,
    by_script_key: HashMap<String, usize>,
    /// Keys of the entries that store none.
    computed: HashMap<usize, Key>,
}

impl Pages {
    pub(super) fn of(sources: &[Source]) -> Self {
        let mut pages = Self::default();
        pages.by_key.reserve(sources.len());
        for (at, source) in sources.iter().enumerate() {
            pages.insert(at, source);
        }
        pages
    }

    pub(super) fn insert(&mut self, at: usize, source: &Source) {
        if let Some(key) = &source.key {
            self.by_key.entry(key.clone()).or_insert(at);
            return;
        }
        self.by_script_key.entry(script_key(&source.url).to_owned()).or_insert(at);
        if let Ok(locator) = identity::locate(&source.url, &Options::default()) {
            self.by_key.entry(locator.key.clone()).or_insert(at);
            self.computed.insert(at, locator.key);
        }
    }

    /// Where the source of `locator` stands; `given` is the text it was made from.
    pub(super) fn find(&self, locator: &Locator, given: &str) -> Option<usize> {
        let by_script_key = |url: &str| self.by_script_key.get(script_key(url)).copied();
        let known = self.by_key.get(&locator.key).copied();
        known.or_else(|| by_script_key(&locator.url)).or_else(|| by_script_key(given.trim()))
    }

    pub(super) fn computed(&self, at: usize) -> Option<&Key> {
        self.computed.get(&at)
    }
}

/// Positions by id, and the ids that a damaged file holds more than once.
#[derive(Debug, Clone, Default)]
pub(super) struct Ids {
    at: HashMap<SourceId, usize>,
    pub(super) ambiguous: Vec<SourceId>,
}

impl Ids {
    pub(super) fn of(sources: &[Source]) -> Self {
        let mut ids = Self::default();
        ids.at.reserve(sources.len());
        for (at, source) in sources.iter().enumerate() {
            ids.insert(at, source.id);
        }
        ids.ambiguous.sort_unstable();
        ids.ambiguous.dedup();
        ids
    }

    pub(super) fn insert(&mut self, at: usize, id: SourceId) {
        if *self.at.entry(id).or_insert(at) != at {
            self.ambiguous.push(id);
        }
    }

    pub(super) fn at(&self, id: SourceId) -> Option<usize> {
        self.at.get(&id).copied()
    }
}

/// Sources by what they share with their look-alikes.
#[derive(Debug, Clone, Default)]
pub(super) struct Families(HashMap<String, Vec<usize>>);

impl Families {
    pub(super) fn of(sources: &[Source]) -> Self {
        let mut families = Self::default();
        for (at, source) in sources.iter().enumerate() {
            families.insert(at, source);
        }
        families
    }

    pub(super) fn insert(&mut self, at: usize, source: &Source) {
        self.0.entry(identity::family(&source.url)).or_default().push(at);
    }

    pub(super) fn members(&self, url: &str) -> &[usize] {
        self.0.get(&identity::family(url)).map_or(&[], Vec::as_slice)
    }
}
