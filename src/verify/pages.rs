//! The kept pages behind some drafts: the quotes of cited sources checked again, quotations looked up, each where it
//! is asked for. How a page is loaded is the caller's.

use std::collections::BTreeSet;

use super::facts::Evidence;
use super::{look_up, recheck};
use crate::draft::Draft;
use crate::evidence::snapshot::NotLoaded;
use crate::identity::SourceId;
use crate::ledger::Ledger;

/// What is looked for on kept pages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// The stored quotes of cited sources.
    pub quotes: bool,
    /// The quotations in cited sentences.
    pub quotations: bool,
}

impl Evidence {
    /// Looks at the pages of what the drafts cite; `load` gives the text of a page by its digest.
    pub fn of(
        asked: Asked,
        drafts: &[Option<Draft>],
        ledger: &Ledger,
        load: impl Fn(&str) -> Result<String, NotLoaded> + Sync,
    ) -> Self {
        let drafts: Vec<&Draft> = drafts.iter().flatten().collect();
        let rechecks = asked.quotes.then(|| {
            let cited: BTreeSet<SourceId> = drafts.iter().flat_map(|draft| draft.cited()).collect();
            recheck(ledger, &cited, &load)
        });
        let quotations = asked.quotations.then(|| look_up(&drafts, ledger, &load));
        Self { rechecks, quotations }
    }
}
