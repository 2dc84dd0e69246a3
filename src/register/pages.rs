//! Pages to ids: all of them in one write.

use super::{Desk, Registered};
use crate::error::{Error, Result};
use crate::identity::Locator;

/// What is recorded about pages that are new.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The page's title; may be empty.
    pub title: &'a str,
    /// The day it was retrieved, `YYYY-MM-DD`.
    pub accessed: &'a str,
    /// How it was found.
    pub via: Option<&'a str>,
}

/// Registers pages, each with the text that names it; the sources come back in the same order, with hints at
/// look-alikes.
///
/// # Errors
/// Those of [`crate::ledger::Store::update`].
pub fn add(desk: &Desk, pages: &[(&str, Locator)], about: About) -> Result<Registered> {
    desk.store.update(|ledger| {
        let mut ids = Vec::new();
        let mut notes = Vec::new();
        for (given, locator) in pages {
            let added = ledger.add(locator, given, about.title, about.accessed, about.via);
            if let Some(other) = added.new.then(|| ledger.looks_like(locator)).flatten() {
                notes.push(format!("[{}] looks like [{other}]", added.id));
            }
            ids.push(added.id);
        }
        let sources = ids.iter().filter_map(|id| ledger.get(*id)).cloned().collect();
        Ok(Registered { sources, notes })
    })
}

/// A day as it is recorded.
///
/// # Errors
/// It is no date.
pub fn day(text: &str) -> Result<String> {
    match text.trim().parse::<jiff::civil::Date>() {
        Ok(date) => Ok(date.to_string()),
        Err(_) => Err(Error::not_judged(format!("`{text}` is no date")).with_help("`--accessed 2026-01-31`")),
    }
}
