//! The journal's file: JSON, private to this room.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The version of the file that this program writes and reads.
const VERSION: u32 = 1;

/// Everything that is remembered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Wire {
    version: u32,
    /// The run that is under way, or was cut short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<Run>,
    /// Drafts as they came out.
    #[serde(default)]
    pub rewritten: Vec<Rewritten>,
}

/// One run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Run {
    /// The command.
    pub what: String,
    /// Every new text is on the disk.
    pub ready: bool,
    /// `None` where the ledger stays as it is.
    #[serde(default)]
    pub ledger: Option<LedgerChange>,
    pub files: Vec<Change>,
}

/// The ledger's SHA-256 before (`None`: no file) and after.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LedgerChange {
    pub before: Option<String>,
    pub after: String,
}

/// A draft, its SHA-256 before and after, and what its numbers become.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Change {
    pub path: PathBuf,
    pub before: String,
    pub after: String,
    pub map: BTreeMap<u32, u32>,
}

/// A draft as it came out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Rewritten {
    pub path: PathBuf,
    pub sha256: String,
}

impl Default for Wire {
    fn default() -> Self {
        Self { version: VERSION, pending: None, rewritten: Vec::new() }
    }
}

impl Wire {
    /// What the file holds; nothing where there is none. The error says what was found.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            read => read.map_err(|error| crate::error::plain(&error))?,
        };
        let wire: Self = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        match wire.version {
            VERSION => Ok(wire),
            other => Err(format!("it has version {other}, and this program reads version {VERSION}")),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.pending.is_none() && self.rewritten.is_empty()
    }

    /// Fails on a path that is not UTF-8.
    pub fn text(&self) -> io::Result<String> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}
