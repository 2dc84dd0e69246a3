//! Joining two ledgers: what the other one holds goes in, with what it goes by here coming out. Ids of this
//! ledger never move. Pure; snapshot files and drafts are the caller's.
//!
//! The other ledger is not believed: a stored key counts only where it is the key of the entry's own URL.

use std::collections::{BTreeMap, BTreeSet};

use super::{Ledger, Quote, Snapshot, Source};
use crate::identity::{self, Locator, Options, SourceId};
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
            let added = self.take(&locator, source);
            merged.moved.push(Moved { from: source.id, to: added.id, new: added.new });
        }
        merged
    }

    fn take(&mut self, locator: &Locator, from: &Source) -> super::Added {
        let added = self.add(locator, &from.url, &from.title, &from.accessed, from.via.as_deref());
        let Some(at) = self.ids().at(added.id) else { return added };
        let own = &mut self.sources[at];
        if added.new {
            let as_given = identity::as_given(from.as_given.as_deref().unwrap_or(&from.url));
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
    let fits = |locator: &Locator| source.key.as_ref() == Some(&locator.key);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::format;

    fn ledger(sources: &str) -> Ledger {
        format::read(format!(r#"{{"version":1,"sources":[{sources}]}}"#).as_bytes()).unwrap()
    }

    fn moves(merged: &Merged) -> Vec<(u32, u32)> {
        merged.moved.iter().map(|one| (one.from.0, one.to.0)).collect()
    }

    const OTHER: &str = r#"
        {"id":1,"url":"https://b.example/","title":"B","withdrawn":"retracted",
         "quotes":[{"text":"water boils","sha256":"ab","start":0,"end":3}],
         "snapshots":[{"sha256":"ab","reader":"text","taken":"2026-01-02"}],"zeta":[1.50]},
        {"id":7,"url":"https://c.example","title":"C","via":"web","accessed":"2026-01-01"}"#;

    #[test]
    fn ids_of_this_ledger_never_move_and_the_others_come_along() {
        let mut own = ledger(
            r#"{"id":1,"url":"https://a.example"},{"id":2,"url":"https://b.example","quotes":[{"text":"ice"}]}"#,
        );
        let merged = own.merge(&ledger(OTHER), &BTreeSet::new());
        assert_eq!(moves(&merged), [(1, 2), (7, 3)]);
        let b = own.get(SourceId(2)).unwrap();
        assert_eq!((b.title.as_str(), b.withdrawn.as_deref()), ("B", Some("retracted")));
        assert_eq!(
            b.quotes.iter().map(|quote| quote.text.as_str()).collect::<Vec<_>>(),
            ["ice", "water boils"]
        );
        assert_eq!(b.snapshots.len(), 1);
        let c = own.get(SourceId(3)).unwrap();
        assert_eq!((c.via.as_deref(), c.accessed.as_str()), (Some("web"), "2026-01-01"));
    }

    #[test]
    fn merging_again_changes_nothing() {
        let mut own = ledger(
            r#"{"id":1,"url":"https://c.example","snapshots":[{"sha256":"cd","taken":"2026-02-02"}]}"#,
        );
        own.merge(&ledger(OTHER), &BTreeSet::new());
        let once = format::write(&own);
        let mut again = format::read(once.as_bytes()).unwrap();
        let merged = again.merge(&ledger(OTHER), &BTreeSet::new());
        assert!(!again.is_changed() && merged.moved.iter().all(|one| !one.new));
        assert_eq!(format::write(&again), once);
    }

    #[test]
    fn a_key_that_is_not_the_urls_own_is_not_believed() {
        let mut own = ledger(r#"{"id":1,"url":"https://good.example","key":"https://good.example"}"#);
        let merged = own.merge(
            &ledger(r#"{"id":5,"url":"https://evil.example","key":"https://good.example"}"#),
            &BTreeSet::new(),
        );
        assert_eq!(moves(&merged), [(5, 2)]);
        let kept = r#"{"id":5,"url":"https://good.example/p?utm_source=x","key":"https://good.example/p?utm_source=x"}"#;
        assert_eq!(moves(&own.merge(&ledger(kept), &BTreeSet::new())), [(5, 3)]);
    }

    #[test]
    fn a_quote_of_ours_keeps_its_place_and_one_without_gets_theirs() {
        let quote = |anchor: &str| {
            format!(r#"{{"id":1,"url":"https://a.example","quotes":[{{"text":"ice"{anchor}}}]}}"#)
        };
        let at = |digest: &str| format!(r#","sha256":"{digest}","start":0,"end":3"#);
        for (ours, expected) in [(at("ab"), "ab"), (String::new(), "cd")] {
            let mut own = ledger(&quote(&ours));
            own.merge(&ledger(&quote(&at("cd"))), &BTreeSet::new());
            assert_eq!(own.sources()[0].quotes[0].anchor.as_ref().unwrap().sha256, expected);
        }
    }

    #[test]
    fn an_id_for_two_pages_is_in_no_map_but_both_pages_come() {
        let mut own = Ledger::default();
        let other = ledger(
            r#"{"id":1,"url":"https://a.example"},{"id":1,"url":"https://b.example"},{"id":2,"url":"https://a.example/"}"#,
        );
        let merged = own.merge(&other, &BTreeSet::new());
        assert_eq!(own.sources().len(), 2);
        assert_eq!(merged.ambiguous(), BTreeSet::from([SourceId(1)]));
        assert_eq!(merged.map(), BTreeMap::from([(SourceId(2), SourceId(1))]));
    }

    #[test]
    fn new_pages_get_no_id_that_is_taken() {
        let mut own = Ledger::default();
        let merged = own.merge(&ledger(OTHER), &BTreeSet::from([SourceId(1), SourceId(3)]));
        assert_eq!(moves(&merged), [(1, 2), (7, 4)]);
        assert!(own.retire_id().0 == 5 && own.get(SourceId(5)).is_none());
    }
}
