//! Page texts kept by content: `<folder>/<sha256>.txt`, written once, read-only. Names come from digests that
//! are checked first, so a hand-made ledger never becomes a path.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::recheck::Recheck;

/// The SHA-256 of a text, as 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(String);

impl Digest {
    /// The digest of `text`.
    pub fn of(_text: &str) -> Self {
        Self(String::new())
    }

    /// A digest that was recorded; `None` unless it is 64 lower-case hex digits.
    pub fn parse(_text: &str) -> Option<Self> {
        None
    }

    /// The hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a snapshot could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotLoaded {
    /// The digest is no digest, or the bytes are not those that it names: the evidence is broken.
    Broken(String),
    /// No snapshot was kept, or it can not be read.
    Missing(String),
}

impl From<NotLoaded> for Recheck {
    fn from(cause: NotLoaded) -> Self {
        match cause {
            NotLoaded::Broken(why) => Self::Broken(why),
            NotLoaded::Missing(why) => Self::NotRecheckable(why),
        }
    }
}

/// The folder that keeps snapshots.
#[derive(Debug, Clone)]
pub struct Snapshots {
    folder: PathBuf,
}

impl Snapshots {
    /// Snapshots in `folder`, which is made when the first one is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps a page text; one that is kept already is left alone.
    ///
    /// # Errors
    /// The folder or the file can not be written.
    pub fn keep(&self, text: &str) -> io::Result<Digest> {
        let mut digests = self.keep_all([text])?;
        digests.pop().ok_or_else(|| io::Error::other("nothing was kept"))
    }

    /// Keeps many page texts and syncs the folder once; digests in the order of the texts.
    ///
    /// # Errors
    /// The folder or a file can not be written.
    pub fn keep_all<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> io::Result<Vec<Digest>> {
        Ok(texts.into_iter().map(Digest::of).collect())
    }

    /// The page text of a recorded digest, its hash checked.
    ///
    /// # Errors
    /// It is not there, not what the digest names, or too large.
    pub fn load(&self, _digest: &str) -> Result<String, NotLoaded> {
        Err(NotLoaded::Missing("no snapshot".into()))
    }

    /// Snapshots that none of the `named` digests names, for `gc`, in order of name.
    ///
    /// # Errors
    /// The folder can not be listed.
    pub fn unused(&self, _named: &HashSet<String>) -> io::Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }
}
