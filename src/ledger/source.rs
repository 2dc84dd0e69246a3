//! What a ledger holds: sources, their quotes and where those stand. Plain values; what was loaded from a file
//! is as trustworthy as the file.

use super::{Extra, SourceId};
use crate::identity::Key;

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
    /// Page texts that were kept for it, the newest last.
    pub snapshots: Vec<Snapshot>,
    /// Keys of the file that this program does not know.
    pub extra: Extra,
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
    pub extra: Extra,
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

/// A page text that was kept.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// SHA-256 of the text, 64 lower-case hex digits in a sound file. Untrusted as loaded.
    pub sha256: String,
    /// How the page is read: `text`, `markdown`, `html` or `pdf`.
    pub reader: String,
    /// The day it was kept, `YYYY-MM-DD`.
    pub taken: String,
    /// Keys of the file that this program does not know.
    pub extra: Extra,
}
