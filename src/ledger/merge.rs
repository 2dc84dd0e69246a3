//! Joining two ledgers: what the other one holds goes in, with what it goes by here coming out. Ids of this
//! ledger never move. Pure; snapshot files and drafts are the caller's.
//!
//! The other ledger is not believed: a stored key counts only where it is the key of the entry's own URL.

use std::collections::{BTreeMap, BTreeSet};

use super::{Ledger, Quote, Snapshot, Source};
use crate::identity::{self, Key, Locator, Options, SourceId};
use crate::text::printable::one_line;

/// What a source of the other ledger goes by in this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Its id in the other ledger.
    pub from: SourceId,
    /// Its id here.
    pub to: SourceId,
    /// It was not here before.
    pub new: bool,
}

/// What joining came to.
#[derive(Debug, Clone, Default)]
pub struct Merged {
    /// Every source of the other ledger, in its order.
    pub moved: Vec<Moved>,
}

impl Merged {
    /// The ids of the other ledger with what they are here; those that it holds for two pages are left out.
    pub fn map(&self) -> BTreeMap<SourceId, SourceId> {
        let mut map: BTreeMap<SourceId, SourceId> = self.moved.iter().map(|one| (one.from, one.to)).collect();
        self.ambiguous().iter().for_each(|id| _ = map.remove(id));
        map
    }

    /// Ids that the other ledger holds for two pages.
    pub fn ambiguous(&self) -> BTreeSet<SourceId> {
        let mut first = BTreeMap::new();
        let twice = |one: &&Moved| *first.entry(one.from).or_insert(one.to) != one.to;
        self.moved.iter().filter(twice).map(|one| one.from).collect()
    }
}

impl Ledger {
    /// Takes in every source of `other`, with its quotes, snapshots and withdrawal. A page that is known keeps
    /// its id, title and quotes and gets what it lacks; new ones get the next ids that are not `taken`.
    /// Doing it again changes nothing.
    pub fn merge(&mut self, other: &Ledger, taken: &BTreeSet<SourceId>) -> Merged {
        let mut merged = Merged::default();
        for source in &other.sources {
            let locator = locator(source);
            if self.find(&locator, &source.url).is_none() {
                self.pass_over(taken);
            }
            let as_given = source.as_given.as_deref().unwrap_or(&source.url);
            let via = source.via.as_deref();
            let added = self.add_as(&locator, &source.url, as_given, source, via);
            merged.moved.push(Moved { from: source.id, to: added.id, new: added.new });
        }
        merged
    }

    fn add_as(
        &mut self,
        locator: &Locator,
        url: &str,
        as_given: &str,
        from: &Source,
        via: Option<&str>,
    ) -> super::Added {
        let added = self.add(locator, url, &from.title, &from.accessed, via);
        let Some(at) = self.ids().at(added.id) else { return added };
        let own = &mut self.sources[at];
        if added.new {
            let as_given = identity::as_given(as_given);
            own.as_given = (as_given != own.url).then_some(as_given);
            own.extra = from.extra.clone();
        }
        let mut changed = take_withdrawal(own, from.withdrawn.as_deref());
        from.quotes.iter().for_each(|quote| changed |= take_quote(own, quote));
        from.snapshots.iter().for_each(|snapshot| changed |= take_snapshot(own, snapshot));
        self.changed |= changed;
        added
    }
}

/// The locator of a source's own URL, with its stored key where that is one of this URL.
fn locator(source: &Source) -> Locator {
    let read = |strip_tracking| {
        identity::locate(&source.url, &Options { strip_tracking })
            .unwrap_or_else(|_| identity::local(source.url.trim()))
    };
    let fits = |locator: &Locator| source.key.as_ref() == Some::<&Key>(&locator.key);
    Some(read(false)).filter(fits).unwrap_or_else(|| read(true))
}

fn take_withdrawal(own: &mut Source, why: Option<&str>) -> bool {
    let takes = own.withdrawn.is_none() && why.is_some();
    if takes {
        own.withdrawn = why.map(one_line);
    }
    takes
}

fn take_quote(own: &mut Source, quote: &Quote) -> bool {
    match own.quotes.iter_mut().find(|known| known.text == quote.text) {
        None => own.quotes.push(quote.clone()),
        Some(known) if known.anchor.is_none() && quote.anchor.is_some() => {
            known.anchor.clone_from(&quote.anchor);
            known.extra.remove(super::format::ANCHOR_KEYS);
        }
        Some(_) => return false,
    }
    true
}

/// Puts a snapshot that is not known among the others, by the day it was kept.
fn take_snapshot(own: &mut Source, snapshot: &Snapshot) -> bool {
    if own.snapshots.iter().any(|known| known.sha256 == snapshot.sha256) {
        return false;
    }
    let later = own.snapshots.iter().position(|known| known.taken >= snapshot.taken);
    own.snapshots.insert(later.unwrap_or(own.snapshots.len()), snapshot.clone());
    own.extra.remove(&["snapshots"]);
    true
}
