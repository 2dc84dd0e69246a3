//! Finding the source of a page: built only when something is looked up, kept up to date by `add`.
//!
//! An entry that stores our key is found by it alone. An entry without one was written by another program: it
//! is found by the canonical key of its URL, and by the key of the Python script. Where two entries share a
//! key the first answers.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::{Source, SourceId};
use crate::identity::{self, Key, Locator, Options, script_key};

/// Positions in a list, each found by a text that the list can tell for it. The texts are not kept: a ledger of many
/// sources holds them once.
///
/// Positions are kept in 32 bits: a ledger issues no more ids than that, and its file would pass a hundred gigabytes first.
#[derive(Debug, Clone, Default)]
struct ByText {
    at: HashMap<u64, u32>,
    /// Positions whose text has the hash of another one.
    others: Vec<u32>,
    state: RandomState,
}

impl ByText {
    /// Where `text` stands first; `is_it` says whether it is the text of a position.
    fn find(&self, text: &str, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let first = self.at.get(&self.state.hash_one(text))?;
        let all = std::iter::once(first).chain(&self.others);
        all.map(|at| *at as usize).find(|at| is_it(*at))
    }

    /// Takes the position `at` of `text`, which is not here yet.
    fn insert(&mut self, text: &str, at: usize) {
        let hash = self.state.hash_one(text);
        match self.at.get(&hash) {
            None => _ = self.at.insert(hash, at as u32),
            Some(_) => self.others.push(at as u32),
        }
    }
}

/// Positions in the list of sources, by what a locator can be matched with.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages {
    by_key: ByText,
    by_script_key: ByText,
    /// Keys of the entries that store none.
    computed: HashMap<usize, Key>,
}

impl Pages {
    pub(super) fn of(sources: &[Source]) -> Self {
        let mut pages = Self::default();
        pages.by_key.at.reserve(sources.len());
        for at in 0..sources.len() {
            pages.insert(sources, at);
        }
        pages
    }

    /// Takes the source at `at`, the next one.
    pub(super) fn insert(&mut self, sources: &[Source], at: usize) {
        let source = &sources[at];
        if let Some(key) = &source.key {
            return self.insert_key(sources, key, at);
        }
        if self.by_script_key(sources, &source.url).is_none() {
            self.by_script_key.insert(script_key(&source.url), at);
        }
        if let Ok(locator) = identity::locate(&source.url, &Options::default()) {
            self.insert_key(sources, &locator.key, at);
            self.computed.insert(at, locator.key);
        }
    }

    /// Where the source of `locator` stands; `given` is the text it was made from.
    pub(super) fn find(&self, sources: &[Source], locator: &Locator, given: &str) -> Option<usize> {
        let known = self.by_key(sources, &locator.key);
        let by_script_key = |url: &str| self.by_script_key(sources, url);
        known.or_else(|| by_script_key(&locator.url)).or_else(|| by_script_key(given.trim()))
    }

    pub(super) fn computed(&self, at: usize) -> Option<&Key> {
        self.computed.get(&at)
    }

    fn insert_key(&mut self, sources: &[Source], key: &Key, at: usize) {
        if self.by_key(sources, key).is_none() {
            self.by_key.insert(key.as_str(), at);
        }
    }

    fn by_key(&self, sources: &[Source], key: &Key) -> Option<usize> {
        let key_of = |at: usize| sources[at].key.as_ref().or_else(|| self.computed(at));
        self.by_key.find(key.as_str(), |at| key_of(at) == Some(key))
    }

    fn by_script_key(&self, sources: &[Source], url: &str) -> Option<usize> {
        let key = script_key(url);
        self.by_script_key.find(key, |at| script_key(&sources[at].url) == key)
    }
}

/// Positions by id, and the ids that a damaged file holds more than once.
#[derive(Debug, Clone, Default)]
pub(super) struct Ids {
    at: HashMap<SourceId, u32>,
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
        if *self.at.entry(id).or_insert(at as u32) != at as u32 {
            self.ambiguous.push(id);
        }
    }

    pub(super) fn at(&self, id: SourceId) -> Option<usize> {
        self.at.get(&id).map(|at| *at as usize)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_one_hash_are_told_apart() {
        let texts = ["ice", "water", "steam"];
        let mut index = ByText::default();
        index.insert("ice", 0);
        // As if all three had the hash of the first.
        index.others.extend([1, 2]);
        for hash in texts.map(|text| index.state.hash_one(text)) {
            index.at.insert(hash, 0);
        }
        for (at, text) in texts.iter().enumerate() {
            assert_eq!(index.find(text, |at| texts[at] == *text), Some(at));
        }
        assert_eq!(index.find("salt", |at| texts[at] == "salt"), None);
    }
}
