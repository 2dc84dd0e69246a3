//! The ledger: which number stands for which page, and the quotes that back it. Pure values; `format` turns
//! them into a file's text and back, `store` owns the file itself.
//!
//! Ids are issued here and nowhere else, never reused and never renumbered.

use std::collections::HashMap;

use serde_json::{Map, Value};

pub use crate::identity::SourceId;
use crate::identity::{self, Key, Locator, Register};

/// A source and everything kept about it.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The number in `[n]`.
    pub id: SourceId,
    /// What is printed.
    pub url: String,
    /// May be empty.
    pub title: String,
    /// The day it was retrieved, `YYYY-MM-DD`; may be empty in old files.
    pub accessed: String,
    /// Canonical key; `None` in entries that another program wrote.
    pub key: Option<Key>,
    /// The URL as it was given, where that differs from `url`.
    pub as_given: Option<String>,
    /// How it was found: web, reddit, rss, video, code, draft…
    pub via: Option<String>,
    /// Why it must not be cited any more.
    pub withdrawn: Option<String>,
    /// Verbatim evidence.
    pub quotes: Vec<Quote>,
    /// Keys of the file that this program does not know.
    pub extra: Map<String, Value>,
}

/// A stored quote: words that stand on the page.
#[derive(Debug, Clone, Default)]
pub struct Quote {
    /// The words as the writer gave them.
    pub text: String,
    /// The day it was attached, `YYYY-MM-DD`.
    pub added: String,
    /// Where it was found; `None` in quotes that another program wrote.
    pub anchor: Option<Anchor>,
    /// Keys of the file that this program does not know.
    pub extra: Map<String, Value>,
}

/// Where a quote stands in the snapshot of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// SHA-256 of the page text, 64 lower-case hex digits in a sound file. Untrusted as loaded.
    pub sha256: String,
    /// First byte of the match in the page text. Untrusted as loaded.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Up to 32 characters before the match.
    pub prefix: String,
    /// Up to 32 characters after it.
    pub suffix: String,
    /// Folding rules that the match needed; empty for an exact one.
    pub rules: Vec<String>,
    /// How the page was read: `text`, `markdown`, `html` or `pdf`.
    pub reader: String,
    /// The snapshot's text was kept (not `--no-snapshot`).
    pub kept: bool,
}

/// What `add` found or made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// The source's id, new or old.
    pub id: SourceId,
    /// It was not in the ledger before.
    pub new: bool,
}

/// The sources, in the order they were registered.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    sources: Vec<Source>,
    next_id: u32,
    by_key: HashMap<Key, usize>,
    by_script_key: HashMap<String, usize>,
    by_id: HashMap<SourceId, usize>,
    ambiguous: Vec<SourceId>,
    changed: bool,
    extra: Map<String, Value>,
}

impl Ledger {
    /// Every source, in order.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The source with this id; the first where a damaged file holds it twice.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.by_id.get(&id).map(|at| &self.sources[*at])
    }

    /// Ids that the file holds more than once.
    pub fn ambiguous(&self) -> &[SourceId] {
        &self.ambiguous
    }

    /// Registers a page, or finds it: one page, one id. A title fills an empty one.
    pub fn add(
        &mut self,
        _locator: &Locator,
        _as_given: &str,
        _title: &str,
        _accessed: &str,
        _via: Option<&str>,
    ) -> Added {
        Added { id: SourceId(self.next_id), new: false }
    }
}

impl Register for Ledger {
    fn key_of(&self, id: SourceId) -> Option<&Key> {
        self.get(id).and_then(|source| source.key.as_ref())
    }

    fn id_of(&self, url: &str) -> Option<SourceId> {
        let locator = identity::locate(url, &identity::Options::default()).ok()?;
        self.by_key.get(&locator.key).map(|at| self.sources[*at].id)
    }
}
