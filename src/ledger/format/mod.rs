//! The ledger file's text: UTF-8 JSON of the Python script's shape with keys of our own added. Text comes in
//! and a ledger goes out, and back; keys that we do not know are carried along. No file is touched here.
//!
//! What a foreign or hostile file can hold is either understood or refused with the place that is wrong; only
//! our own additions (`key`, `as_given`, `via`, an anchor) are passed over when they are misshapen.

mod json;
mod read;
mod write;

pub use read::{Unreadable, read};
pub use write::{entries, write, write_to};

/// The version of the file that this program writes, and the highest that it reads.
const VERSION: u64 = 1;

/// Keys of a quote that make its anchor.
pub(super) const ANCHOR_KEYS: &[&str] =
    &["sha256", "start", "end", "prefix", "suffix", "rules", "reader", "kept"];

#[cfg(test)]
mod tests;
