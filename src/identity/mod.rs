//! Which page is it? A URL or locator as it was given goes in; its canonical [`Key`] and the form to print
//! come out. Two locators with one key are one source. No IO, no ledger: whether a local path exists is asked
//! by the caller, who then takes [`local`].
//!
//! `web` reads http and https, `shorthand` expands DOI and arXiv names, `family` tells which keys look like
//! one page without being one, `refusal` finds the words for a text that names no page.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

mod family;
mod refusal;
mod shorthand;
mod web;

pub use family::family;

/// The `n` in `[n]`: a number that the ledger issued, or that a draft claims it did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// What is printed and stored: as given, cleaned. Holds no white space and no control character.
    pub url: String,
    /// What decides identity.
    pub key: Key,
    /// Lines for the user: a password was dropped, a token is signed and will expire.
    pub warnings: Vec<String>,
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

/// Understands `given` as a locator: a URL of any scheme, a DOI or an arXiv name.
///
/// # Errors
/// The text to show the user (one line, then an optional help) when `given` names no page. A caller that finds
/// a local file of that name takes [`local`] instead.
pub fn locate(given: &str, options: &Options) -> Result<Locator, NoLocator> {
    let bare = bare(given);
    if bare.is_empty() {
        return Err(refusal::blank());
    }
    let text = match shorthand::expand(bare)? {
        Some(expanded) => Cow::Owned(expanded),
        None => visible(bare),
    };
    let Some((scheme, rest)) = scheme(&text) else {
        return Err(refusal::no_scheme(bare, options));
    };
    match scheme.as_str() {
        "http" | "https" => web::locate(&scheme, rest, options),
        "javascript" | "vbscript" | "data" | "blob" | "about" => Err(refusal::no_page(&scheme, bare)),
        _ => other(&scheme, rest).ok_or_else(|| refusal::no_scheme(bare, options)),
    }
}

/// The locator of a local path that exists: as given, without a leading `./` and trailing slashes.
pub fn local(path: &str) -> Locator {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    let cut = path.trim_end_matches('/');
    let url = match (cut, path) {
        ("", "") => ".".to_owned(),
        ("", _) => "/".to_owned(),
        _ => visible(cut).into_owned(),
    };
    Locator { key: Key(url.clone()), url, warnings: Vec::new() }
}

/// The key of the Python script, by which its own entries are found: the text before `#`, all trailing slashes cut.
pub fn script_key(url: &str) -> &str {
    let page = url.split('#').next().unwrap_or_default();
    page.trim_end_matches('/')
}

/// `given` as it may be stored beside the cleaned URL: trimmed, on one line, without user name and password.
pub fn as_given(given: &str) -> String {
    let text = visible(bare(given));
    match text.split_once(':') {
        Some((scheme, rest)) => format!("{scheme}:{}", web::without_credentials(rest)),
        None => text.into_owned(),
    }
}

/// `given` without what surrounds it: white space, invisible characters and the `<…>` of an autolink.
fn bare(given: &str) -> &str {
    let mut text = given.trim_matches(breaks);
    while let Some(inner) = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
        text = inner.trim_matches(breaks);
    }
    text
}

/// `text` with white space, controls and invisible characters percent-encoded.
fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(breaks) {
        return Cow::Borrowed(text);
    }
    let mut encoded = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if breaks(c) {
            encoded.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), NON_ALPHANUMERIC));
        } else {
            encoded.push(c);
        }
    }
    Cow::Owned(encoded)
}

/// A character that may end a line, hide, or turn the text around it: never part of a locator.
fn breaks(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The scheme in lower case, and what follows its colon.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let named = scheme.len() > 1 && scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    (named && scheme.chars().all(plain)).then(|| (scheme.to_ascii_lowercase(), rest))
}

/// Words around a colon, a host with a port, or nothing at all: no locator, whatever stands before the colon.
fn is_words(scheme: &str, rest: &str) -> bool {
    let host = scheme.contains('.') || scheme == "localhost";
    let port = rest.starts_with(|c: char| c.is_ascii_digit());
    let spaced = !rest.starts_with('/') && rest.contains("%20");
    rest.trim_matches('/').is_empty() || (host && port) || spaced
}

/// A locator of any other scheme, as given; of a file the fragment goes, which is a place in it.
fn other(scheme: &str, rest: &str) -> Option<Locator> {
    let page = if scheme == "file" { script_key(rest) } else { rest };
    let kept = web::without_credentials(page);
    if is_words(scheme, &kept) {
        return None;
    }
    let url = format!("{scheme}:{kept}");
    let warnings = if kept == page { Vec::new() } else { vec![web::dropped_credentials(&url)] };
    Some(Locator { key: Key(url.clone()), url, warnings })
}
