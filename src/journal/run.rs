//! The drafts of a run that is ready: each staged text takes its place. A journal is not believed: a file is
//! only ever replaced by the one staged beside it, and only where both are what the journal says.

use std::fs;
use std::path::{Path, PathBuf};

use super::wire::{Change, Run};
use crate::error::{Error, Result};
use crate::evidence::snapshot::Digest;
use crate::file;

/// Hex digits of the hash that stand in the name of a staged file.
const NAME_DIGITS: usize = 16;

impl Run {
    /// Renames every staged draft; the drafts below `folder` that somebody changed since are left alone and named.
    pub(super) fn finish(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let mut left = Vec::new();
        for change in &self.files {
            let target = folder.join(&change.path);
            if !take(&target, change)? {
                left.push(target);
            }
        }
        Ok(left)
    }
}

/// The new text takes its place; false where the draft is neither as it was nor as it shall be.
fn take(target: &Path, change: &Change) -> Result<bool> {
    let staged = staged(target, &change.after);
    if holds(target, &change.after) {
        return Ok(true);
    }
    if !holds(&staged, &change.after) {
        // It was renamed before the run was cut short, and has changed since.
        return Ok(!holds(target, &change.before));
    }
    if !holds(target, &change.before) {
        return Ok(false);
    }
    let placed = file::put_in_place(&staged, target);
    placed.map_err(|error| Error::unwritable(target, error))?;
    Ok(true)
}

/// Where the new text of `target` waits.
pub(super) fn staged(target: &Path, after: &str) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(60).collect();
    let digits: String = after.chars().filter(char::is_ascii_hexdigit).take(NAME_DIGITS).collect();
    target.with_file_name(format!(".{name}.cited-staged-{digits}"))
}

/// A regular file, no link, with this digest.
pub(super) fn holds(path: &Path, digest_of: &str) -> bool {
    let regular = fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    regular && fs::read(path).is_ok_and(|bytes| digest(&bytes) == digest_of)
}

/// The SHA-256 of a text; of bytes that are none, a word that no digest is.
pub(super) fn digest(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes)
        .map_or_else(|_| "not UTF-8".to_owned(), |text| Digest::of(text).as_str().to_owned())
}
