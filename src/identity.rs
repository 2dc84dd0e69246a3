//! Which page is it? A URL or locator as it was given goes in; its canonical [`Key`] and the form to print
//! come out. Two locators with one key are one source. No IO, no ledger.

use std::fmt;

/// The `n` in `[n]`: a number that the ledger issued, or that a draft claims it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SourceId(pub u32);

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The canonical form of a locator: what decides whether two of them name one page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// The key as text, as the ledger file stores it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A key that was stored earlier.
    pub fn from_stored(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// What is known about ids and URLs outside a draft; the ledger is one.
///
/// Reading a draft needs it to tell a citation from a bracketed number and an entry's URL from the text that
/// runs on after it.
pub trait Register {
    /// The key of the source with this id, if it was ever issued.
    fn key_of(&self, id: SourceId) -> Option<&Key>;
    /// The id of the source that `url` names.
    fn id_of(&self, url: &str) -> Option<SourceId>;
}

/// A register that knows nothing: for reading a draft on its own.
pub struct Unknown;

impl Register for Unknown {
    fn key_of(&self, _: SourceId) -> Option<&Key> {
        None
    }
    fn id_of(&self, _: &str) -> Option<SourceId> {
        None
    }
}

/// A locator that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locator {
    /// What is printed and stored: as given, cleaned.
    pub url: String,
    /// What decides identity.
    pub key: Key,
    /// Lines for the user: a password was dropped, a token is signed and will expire.
    pub warnings: Vec<String>,
}

/// Understands `given` as a locator.
///
/// # Errors
/// The text to show the user (one line, then an optional help) when `given` names no page.
pub fn locate(given: &str, _options: &Options) -> Result<Locator, NoLocator> {
    let url = given.trim().to_owned();
    Ok(Locator { key: Key(url.clone()), url, warnings: Vec::new() })
}

/// How locators are understood.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Drop the tracking names of the closed list from the query (`strip-tracking` in cited.toml).
    pub strip_tracking: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { strip_tracking: true }
    }
}

/// Why a text is no locator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoLocator {
    /// What was found, one line.
    pub found: String,
    /// What would work.
    pub help: Option<String>,
}
