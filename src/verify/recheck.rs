//! Looks at the stored quotes of cited sources again: each snapshot is loaded once and folded once, whatever
//! number of quotes it bears. In: the ledger, ids, a way to load a snapshot. Out: [`Rechecks`]. The matching is
//! the evidence room's.

use std::collections::{BTreeMap, BTreeSet};

use super::kept::{Kept, kept};
use super::{Rechecks, parallel};
use crate::evidence::snapshot::NotLoaded;
use crate::evidence::{Page, Reader, Recheck, Recorded, recheck as look_again};
use crate::ledger::{Anchor, Ledger, SourceId};

/// A stored quote that was tied to a page.
struct Stored<'l> {
    name: (SourceId, usize),
    quote: &'l str,
    anchor: &'l Anchor,
    reader: Reader,
}

const NOT_ITS_PAGE: &str = "it is tied to a page text that is none of those kept for its source";

/// Checks every quote of the sources `ids`; `load` gives the page text of a recorded digest.
pub fn recheck(
    ledger: &Ledger,
    ids: &BTreeSet<SourceId>,
    load: impl Fn(&str) -> Result<String, NotLoaded> + Sync,
) -> Rechecks {
    let mut results = Rechecks::new();
    let mut pages: BTreeMap<(&str, &str), Vec<Stored>> = BTreeMap::new();
    for source in ids.iter().filter_map(|id| ledger.get(*id)) {
        for (at, quote) in source.quotes.iter().enumerate() {
            let name = (source.id, at);
            let result = match quote.anchor.as_ref().map(|anchor| (anchor, kept(source, anchor))) {
                Some((anchor, Kept::Read(reader))) => {
                    let page = pages.entry((&anchor.sha256, reader.as_str())).or_default();
                    page.push(Stored { name, quote: &quote.text, anchor, reader });
                    continue;
                }
                Some((_, Kept::Foreign)) => Recheck::Broken(NOT_ITS_PAGE.into()),
                Some((_, Kept::Nowhere)) => {
                    Recheck::NotRecheckable("no snapshot of its page was kept".into())
                }
                None => Recheck::NotRecheckable("it was never tied to a page".into()),
            };
            results.insert(name, result);
        }
    }
    let pages: Vec<Vec<Stored>> = pages.into_values().collect();
    let checked = parallel::map(&pages, |stored| on_page(stored, &load));
    results.extend(pages.iter().flatten().map(|stored| stored.name).zip(checked.into_iter().flatten()));
    results
}

/// Quotes of one snapshot, in their order.
fn on_page(stored: &[Stored], load: impl Fn(&str) -> Result<String, NotLoaded>) -> Vec<Recheck> {
    let Some(first) = stored.first() else { return Vec::new() };
    let text = match load(&first.anchor.sha256) {
        Ok(text) => text,
        Err(cause) => return vec![Recheck::from(cause); stored.len()],
    };
    let page = Page::from_snapshot(text, first.reader);
    let recorded: Vec<Recorded> = stored
        .iter()
        .map(|Stored { quote, anchor, .. }| Recorded {
            quote,
            span: anchor.start..anchor.end,
            before: &anchor.prefix,
            after: &anchor.suffix,
        })
        .collect();
    look_again::recheck(&page, &recorded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity;
    use crate::ledger::{Quote, Snapshot};

    fn ledger(quotes: Vec<Quote>) -> Ledger {
        let mut ledger = Ledger::default();
        let locator = identity::locate("https://a.example/ice", &identity::Options::default()).unwrap();
        let id = ledger.add(&locator, "https://a.example/ice", "", "2026-01-31", None).id;
        for quote in quotes {
            ledger.attach_quote(id, quote).unwrap();
        }
        ledger
    }

    fn quote(text: &str, anchor: Option<(&str, bool)>) -> Quote {
        let anchor = anchor.map(|(sha256, kept)| Anchor {
            sha256: sha256.into(),
            start: 0,
            end: text.len(),
            prefix: String::new(),
            suffix: String::new(),
            rules: Vec::new(),
            reader: "text".into(),
            kept,
        });
        Quote { text: text.into(), anchor, ..Quote::default() }
    }

    fn results(ledger: &Ledger, load: impl Fn(&str) -> Result<String, NotLoaded> + Sync) -> Vec<Recheck> {
        recheck(ledger, &BTreeSet::from([SourceId(1), SourceId(9)]), load).into_values().collect()
    }

    #[test]
    fn a_quote_without_a_snapshot_is_not_recheckable_and_nothing_is_loaded() {
        let ledger = ledger(vec![quote("one two three", None), quote("four five six", Some(("a", false)))]);
        let results = results(&ledger, |_| panic!("nothing to load"));
        assert!(results.len() == 2 && results.iter().all(|r| matches!(r, Recheck::NotRecheckable(_))));
    }

    #[test]
    fn a_snapshot_that_is_broken_breaks_each_of_its_quotes() {
        let both = vec![quote("one two three", Some(("a", true))), quote("four five six", Some(("a", true)))];
        let results = results(&ledger(both), |_| Err(NotLoaded::Broken("other bytes".into())));
        assert_eq!(results, vec![Recheck::Broken("other bytes".into()); 2]);
    }

    #[test]
    fn a_quote_that_was_moved_from_another_source_is_broken() {
        let mut ledger = ledger(vec![quote("one two three", Some(("b", true)))]);
        let snapshot = Snapshot { sha256: "a".into(), ..Snapshot::default() };
        ledger.keep_snapshot(SourceId(1), snapshot).unwrap();
        let results = results(&ledger, |_| panic!("nothing to load"));
        assert_eq!(results, [Recheck::Broken(NOT_ITS_PAGE.into())]);
    }

    #[test]
    fn each_snapshot_is_loaded_once_and_quotes_keep_their_results() {
        let loads = std::sync::atomic::AtomicUsize::new(0);
        let three = vec![
            quote("one two three", Some(("a", true))),
            quote("gone from the page", Some(("b", true))),
            quote("one two three four", Some(("a", true))),
        ];
        let results = results(&ledger(three), |digest| {
            loads.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if digest == "a" {
                Ok("one two three four".into())
            } else {
                Err(NotLoaded::Missing("gone".into()))
            }
        });
        assert_eq!(loads.into_inner(), 2);
        assert_eq!(results[1], Recheck::NotRecheckable("gone".into()));
        assert_eq!((&results[0], &results[2]), (&Recheck::Sound, &Recheck::Sound));
    }
}
