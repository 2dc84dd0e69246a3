//! Looks at the stored quotes of cited sources again: each snapshot is loaded once and folded once, whatever
//! number of quotes it bears. In: the ledger, ids, a way to load a snapshot. Out: [`Rechecks`]. The matching is
//! the evidence room's.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::Rechecks;
use crate::evidence::snapshot::NotLoaded;
use crate::evidence::{Page, Reader, Recheck, Recorded, recheck as look_again};
use crate::ledger::{Anchor, Ledger, Quote, SourceId};

/// A quote by its source and its index there.
type Name = (SourceId, usize);

/// Checks every quote of the sources `ids`; `load` gives the page text of a recorded digest.
pub fn recheck(
    ledger: &Ledger,
    ids: &BTreeSet<SourceId>,
    load: impl Fn(&str) -> Result<String, NotLoaded> + Sync,
) -> Rechecks {
    let mut results = Rechecks::new();
    let mut pages: BTreeMap<(&str, &str), Vec<(Name, &Quote, &Anchor)>> = BTreeMap::new();
    for source in ids.iter().filter_map(|id| ledger.get(*id)) {
        for (at, quote) in source.quotes.iter().enumerate() {
            let name = (source.id, at);
            match &quote.anchor {
                Some(anchor) if anchor.kept => {
                    pages.entry((&anchor.sha256, &anchor.reader)).or_default().push((name, quote, anchor));
                }
                Some(_) => drop(results.insert(name, no_snapshot())),
                None => {
                    drop(results.insert(name, Recheck::NotRecheckable("it was never tied to a page".into())))
                }
            }
        }
    }
    let checked: Vec<Vec<(Name, Recheck)>> =
        pages.par_iter().map(|((digest, reader), quotes)| on_page(digest, reader, quotes, &load)).collect();
    results.extend(checked.into_iter().flatten());
    results
}

fn no_snapshot() -> Recheck {
    Recheck::NotRecheckable("no snapshot of its page was kept".into())
}

fn on_page(
    digest: &str,
    reader: &str,
    quotes: &[(Name, &Quote, &Anchor)],
    load: impl Fn(&str) -> Result<String, NotLoaded>,
) -> Vec<(Name, Recheck)> {
    let text = match load(digest) {
        Ok(text) => text,
        Err(cause) => {
            let result = Recheck::from(cause);
            return quotes.iter().map(|(name, ..)| (*name, result.clone())).collect();
        }
    };
    let page = Page::from_snapshot(text, Reader::named(reader).unwrap_or(Reader::Text));
    let recorded: Vec<Recorded> = quotes
        .iter()
        .map(|(_, quote, anchor)| Recorded { quote: &quote.text, span: anchor.start..anchor.end })
        .collect();
    let results = look_again::recheck(&page, &recorded);
    quotes.iter().map(|(name, ..)| *name).zip(results).collect()
}
