//! `cited show --json`: one document with a version. The shape is this file's own.

use cited::evidence::Recheck;
use cited::{Error, Result};
use serde::Serialize;

use super::{Shown, ShownQuote, ShownSnapshot};

#[derive(Serialize)]
struct Document<'l> {
    schema_version: u32,
    id: u32,
    url: &'l str,
    title: &'l str,
    accessed: &'l str,
    via: Option<&'l str>,
    as_given: Option<&'l str>,
    withdrawn: Option<&'l str>,
    quotes: Vec<QuoteObject<'l>>,
    snapshots: Vec<SnapshotObject<'l>>,
}

#[derive(Serialize)]
struct QuoteObject<'l> {
    text: &'l str,
    added: &'l str,
    state: &'static str,
    why: Option<&'l str>,
    place: Option<PlaceObject<'l>>,
}

#[derive(Serialize)]
struct PlaceObject<'l> {
    sha256: &'l str,
    start_byte: usize,
    end_byte: usize,
    line: Option<usize>,
    page: Option<usize>,
    prefix: &'l str,
    suffix: &'l str,
    reader: &'l str,
    rules: &'l [String],
    kept: bool,
}

#[derive(Serialize)]
struct SnapshotObject<'l> {
    sha256: &'l str,
    kept_on: &'l str,
    reader: &'l str,
    missing: Option<&'l str>,
}

/// The document, with a line end.
pub fn document(shown: &Shown<'_>) -> Result<String> {
    let source = shown.source;
    let document = Document {
        schema_version: 1,
        id: source.id.0,
        url: &source.url,
        title: &source.title,
        accessed: &source.accessed,
        via: source.via.as_deref(),
        as_given: source.as_given.as_deref(),
        withdrawn: source.withdrawn.as_deref(),
        quotes: shown.quotes.iter().map(quote).collect(),
        snapshots: shown.snapshots.iter().map(snapshot).collect(),
    };
    let text = serde_json::to_string_pretty(&document).map_err(|error| Error::no(error.to_string()))?;
    Ok(text + "\n")
}

fn quote<'l>(shown: &'l ShownQuote<'l>) -> QuoteObject<'l> {
    let (state, why) = match &shown.recheck {
        Recheck::Sound => ("holds", None),
        Recheck::Broken(why) => ("broken", Some(why.as_str())),
        Recheck::NotRecheckable(why) => ("not re-checkable", Some(why.as_str())),
    };
    let place = shown.quote.anchor.as_ref().map(|anchor| PlaceObject {
        sha256: &anchor.sha256,
        start_byte: anchor.start,
        end_byte: anchor.end,
        line: shown.place.as_ref().map(|place| place.line),
        page: shown.place.as_ref().and_then(|place| place.page),
        prefix: &anchor.prefix,
        suffix: &anchor.suffix,
        reader: &anchor.reader,
        rules: &anchor.rules,
        kept: anchor.kept,
    });
    QuoteObject { text: &shown.quote.text, added: &shown.quote.added, state, why, place }
}

fn snapshot<'l>(shown: &'l ShownSnapshot<'l>) -> SnapshotObject<'l> {
    let snapshot = shown.snapshot;
    SnapshotObject {
        sha256: &snapshot.sha256,
        kept_on: &snapshot.taken,
        reader: &snapshot.reader,
        missing: shown.missing.as_deref(),
    }
}
