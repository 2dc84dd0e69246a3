//! Sources as `add` and `ingest` print them.

use cited::ledger::{Source, format};
use cited::text::printable::printable;

/// `[id] url` a line; or, as `json`, the bare array of entries that the Python script printed.
pub fn listing(sources: &[Source], json: bool) -> String {
    if json {
        return format::entries(sources);
    }
    sources.iter().map(|source| format!("[{}] {}\n", source.id, printable(&source.url))).collect()
}
