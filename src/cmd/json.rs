//! Sources as `--json` prints them: the bare array that the Python script printed, with more keys.

use cited::ledger::Source;
use serde::Serialize;

/// One source on the wire.
#[derive(Serialize)]
struct Entry<'s> {
    id: u32,
    url: &'s str,
    title: &'s str,
    accessed: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_given: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    withdrawn: Option<&'s str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quotes: Vec<Quote<'s>>,
}

#[derive(Serialize)]
struct Quote<'s> {
    text: &'s str,
    added: &'s str,
}

/// The array, pretty-printed, with a line end.
pub fn entries(sources: &[&Source]) -> Vec<u8> {
    let entries: Vec<Entry> = sources.iter().map(|source| entry(source)).collect();
    // Strings, numbers and lists of them always serialise.
    let mut json = serde_json::to_vec_pretty(&entries).unwrap_or_default();
    json.push(b'\n');
    json
}

fn entry(source: &Source) -> Entry<'_> {
    Entry {
        id: source.id.0,
        url: &source.url,
        title: &source.title,
        accessed: &source.accessed,
        via: source.via.as_deref(),
        as_given: source.as_given.as_deref(),
        withdrawn: source.withdrawn.as_deref(),
        quotes: source.quotes.iter().map(|quote| Quote { text: &quote.text, added: &quote.added }).collect(),
    }
}
