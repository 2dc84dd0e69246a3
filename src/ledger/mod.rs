//! The ledger: which number stands for which page, and the quotes that back it. Pure values; `source` is what
//! it holds, `format` turns it into a file's text and back, `store` owns the file itself, `index` finds a page
//! again.
//!
//! Ids are issued here and nowhere else, never reused and never renumbered.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::error::{Error, Result};
use crate::identity::{self, Key, Locator, Options, Register};
use crate::text::printable::one_line;

pub use crate::identity::SourceId;
pub use extra::Extra;
pub use merge::{Merged, Moved};
pub use source::{Anchor, Quote, Snapshot, Source};
pub use store::{Locked, Store};

mod extra;
pub mod format;
mod index;
mod merge;
mod source;
mod store;

/// What `add` found or made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// The source's id, new or old.
    pub id: SourceId,
    /// It was not in the ledger before.
    pub new: bool,
}

/// The sources, in the order they were registered.
///
/// What finds a source again is built on the first look-up: a command that only lists pays nothing for it.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    sources: Vec<Source>,
    /// The highest id ever issued, also to an entry that the file has lost since.
    last_id: u32,
    pages: OnceLock<index::Pages>,
    ids: OnceLock<index::Ids>,
    families: OnceLock<index::Families>,
    changed: bool,
    extra: Extra,
}

impl Ledger {
    /// A ledger of these sources, as a file held them. `last_id` is the highest id that it remembers.
    fn loaded(sources: Vec<Source>, last_id: u32, extra: Extra) -> Self {
        let highest = sources.iter().map(|source| source.id.0).max().unwrap_or(0);
        Self { sources, last_id: last_id.max(highest), extra, ..Self::default() }
    }

    /// Every source, in order.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The source with this id; the first where a damaged file holds it twice.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.ids().at(id).map(|at| &self.sources[at])
    }

    /// The source with this id.
    ///
    /// # Errors
    /// [`Error::NoSuchSource`] when the ledger holds none.
    pub fn require(&self, id: SourceId) -> Result<&Source> {
        self.get(id).ok_or_else(|| self.no_such(id))
    }

    /// Ids that the file holds more than once, in ascending order.
    pub fn ambiguous(&self) -> &[SourceId] {
        &self.ids().ambiguous
    }

    /// Something differs from the file it was read from.
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// The source that `locator`, made from the text `given`, names.
    pub fn find(&self, locator: &Locator, given: &str) -> Option<&Source> {
        self.pages().find(&self.sources, locator, given).map(|at| &self.sources[at])
    }

    /// Registers a page, or finds it: one page, one id. A title fills an empty one; nothing else of a source
    /// that is known changes. `as_given` is the text that `locator` was made from.
    pub fn add(
        &mut self,
        locator: &Locator,
        as_given: &str,
        title: &str,
        accessed: &str,
        via: Option<&str>,
    ) -> Added {
        let title = one_line(title);
        if let Some(at) = self.pages().find(&self.sources, locator, as_given) {
            self.fill_title(at, title);
            return Added { id: self.sources[at].id, new: false };
        }
        self.last_id = self.last_id.saturating_add(1);
        let id = SourceId(self.last_id);
        let as_given = identity::as_given(as_given);
        self.push(Source {
            id,
            url: locator.url.clone(),
            title,
            accessed: one_line(accessed),
            key: Some(locator.key.clone()),
            as_given: (as_given != locator.url && !as_given.is_empty()).then_some(as_given),
            via: via.map(one_line).filter(|via| !via.is_empty()),
            ..Source::default()
        });
        Added { id, new: true }
    }

    /// Another source that may be the same page as `locator`: http for https, a DOI for the publisher's page.
    pub fn looks_like(&self, locator: &Locator) -> Option<SourceId> {
        let families = self.families.get_or_init(|| index::Families::of(&self.sources));
        let own = self.pages().find(&self.sources, locator, &locator.url);
        let other = families.members(&locator.url).iter().find(|at| Some(**at) != own)?;
        Some(self.sources[*other].id)
    }

    /// Attaches a quote and returns how many the source has now. The same text is not stored twice; it takes
    /// the new anchor, which was checked later.
    ///
    /// # Errors
    /// [`Error::NoSuchSource`] when the ledger does not hold `id`.
    pub fn attach_quote(&mut self, id: SourceId, quote: Quote) -> Result<usize> {
        let source = self.require_mut(id)?;
        match source.quotes.iter_mut().find(|known| known.text == quote.text) {
            None => source.quotes.push(quote),
            Some(known) if quote.anchor.is_some() && known.anchor != quote.anchor => {
                known.anchor = quote.anchor;
                known.extra.remove(format::ANCHOR_KEYS);
            }
            Some(_) => return Ok(source.quotes.len()),
        }
        let count = source.quotes.len();
        self.changed = true;
        Ok(count)
    }

    /// Records a page text as the newest of a source; says whether it replaces another one as the newest.
    ///
    /// # Errors
    /// [`Error::NoSuchSource`] when the ledger does not hold `id`.
    pub fn keep_snapshot(&mut self, id: SourceId, snapshot: Snapshot) -> Result<bool> {
        let source = self.require_mut(id)?;
        if source.snapshots.last().is_some_and(|newest| newest.sha256 == snapshot.sha256) {
            return Ok(false);
        }
        source.extra.remove(&["snapshots"]);
        source.snapshots.retain(|known| known.sha256 != snapshot.sha256);
        // Most sources have one: room for four is what many ledgers in memory would consist of.
        source.snapshots.reserve_exact(1);
        source.snapshots.push(snapshot);
        let replaces = source.snapshots.len() > 1;
        self.changed = true;
        Ok(replaces)
    }

    /// Issues an id that no source will ever have: what goes by it stays unknown.
    pub fn retire_id(&mut self) -> SourceId {
        self.last_id = self.last_id.saturating_add(1);
        self.changed = true;
        SourceId(self.last_id)
    }

    /// Retires the ids that come next, as long as they are `taken`: the next new page gets another one.
    pub fn pass_over(&mut self, taken: &BTreeSet<SourceId>) {
        while taken.contains(&SourceId(self.last_id.saturating_add(1))) {
            self.retire_id();
        }
    }

    /// Corrects a title.
    ///
    /// # Errors
    /// [`Error::NoSuchSource`] when the ledger does not hold `id`.
    pub fn set_title(&mut self, id: SourceId, title: &str) -> Result<()> {
        let title = one_line(title);
        let source = self.require_mut(id)?;
        if source.title != title {
            source.title = title;
            self.changed = true;
        }
        Ok(())
    }

    /// Keeps the id but makes citing it an error; `why` is shown there.
    ///
    /// # Errors
    /// [`Error::NoSuchSource`] when the ledger does not hold `id`.
    pub fn withdraw(&mut self, id: SourceId, why: &str) -> Result<()> {
        let why = Some(one_line(why));
        let source = self.require_mut(id)?;
        if source.withdrawn != why {
            source.withdrawn = why;
            self.changed = true;
        }
        Ok(())
    }

    fn fill_title(&mut self, at: usize, title: String) {
        let source = &mut self.sources[at];
        if source.title.trim().is_empty() && !title.is_empty() {
            source.title = title;
            self.changed = true;
        }
    }

    fn push(&mut self, source: Source) {
        let at = self.sources.len();
        if let Some(ids) = self.ids.get_mut() {
            ids.insert(at, source.id);
        }
        if let Some(families) = self.families.get_mut() {
            families.insert(at, &source);
        }
        self.sources.push(source);
        if let Some(pages) = self.pages.get_mut() {
            pages.insert(&self.sources, at);
        }
        self.changed = true;
    }

    fn id_of_with(&self, url: &str, options: Options) -> Option<SourceId> {
        let locator = identity::locate(url, &options).unwrap_or_else(|_| identity::local(url.trim()));
        self.find(&locator, url).map(|source| source.id)
    }

    fn require_mut(&mut self, id: SourceId) -> Result<&mut Source> {
        match self.ids().at(id) {
            Some(at) => Ok(&mut self.sources[at]),
            None => Err(self.no_such(id)),
        }
    }

    fn no_such(&self, id: SourceId) -> Error {
        let mut ids: Vec<u32> = self.sources.iter().map(|source| source.id.0).collect();
        ids.sort_unstable();
        Error::NoSuchSource { id: id.0, have: held(&ids) }
    }

    fn pages(&self) -> &index::Pages {
        self.pages.get_or_init(|| index::Pages::of(&self.sources))
    }

    fn ids(&self) -> &index::Ids {
        self.ids.get_or_init(|| index::Ids::of(&self.sources))
    }
}

impl Register for Ledger {
    fn key_of(&self, id: SourceId) -> Option<&Key> {
        let at = self.ids().at(id)?;
        let stored = self.sources[at].key.as_ref();
        stored.or_else(|| self.pages().computed(at))
    }

    fn id_of(&self, url: &str) -> Option<SourceId> {
        // A ledger that keeps tracking names (`strip-tracking = false`) holds them in its keys.
        self.id_of_with(url, Options { strip_tracking: false })
            .or_else(|| self.id_of_with(url, Options { strip_tracking: true }))
    }
}

/// What a ledger of these ids, in ascending order, holds, in words.
fn held(ids: &[u32]) -> String {
    let (Some(first), Some(last)) = (ids.first(), ids.last()) else { return "it is empty".into() };
    let whole = (last - first) as usize + 1 == ids.len();
    match ids.len() {
        1 => format!("it has [{first}]"),
        _ if whole => format!("it has [{first}] to [{last}]"),
        count => format!("it has {count} sources from [{first}] to [{last}]"),
    }
}

#[cfg(test)]
mod tests;
