//! From a [`Ledger`] to text: two-space indent, the script's keys first, ours after them, then those we do not
//! know, each as it was written.

use std::io;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::VERSION;
use crate::ledger::{Anchor, Extra, Ledger, Quote, Snapshot, Source};

/// Writes the file's text, with a line end.
///
/// # Errors
/// Those of `file`.
pub fn write_to(mut file: &mut dyn io::Write, ledger: &Ledger) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut file, &WireLedger(ledger))?;
    file.write_all(b"\n")
}

/// The file's text, with a line end.
pub fn write(ledger: &Ledger) -> String {
    pretty(&WireLedger(ledger))
}

/// The entries of `sources` as a bare JSON array, in the form that the file gives them.
pub fn entries<'a>(sources: impl IntoIterator<Item = &'a Source>) -> String {
    let wires: Vec<WireSource> = sources.into_iter().map(WireSource).collect();
    pretty(&wires)
}

/// Wire values are maps of text, numbers and checked JSON: writing them into memory cannot fail.
fn pretty<T: Serialize>(wire: &T) -> String {
    let mut text = serde_json::to_string_pretty(wire).unwrap_or_default();
    text.push('\n');
    text
}

struct WireLedger<'a>(&'a Ledger);

impl Serialize for WireLedger<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Ledger { sources, last_id, extra, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &VERSION)?;
        map.serialize_entry("sources", &sources.iter().map(WireSource).collect::<Vec<_>>())?;
        if *last_id > 0 {
            map.serialize_entry("next_id", &(u64::from(*last_id) + 1))?;
        }
        unknown(&mut map, extra)?;
        map.end()
    }
}

struct WireSource<'a>(&'a Source);

impl Serialize for WireSource<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &source.id.0)?;
        map.serialize_entry("url", &source.url)?;
        map.serialize_entry("title", &source.title)?;
        map.serialize_entry("accessed", &source.accessed)?;
        map.serialize_entry("quotes", &source.quotes.iter().map(WireQuote).collect::<Vec<_>>())?;
        some(&mut map, "key", source.key.as_ref().map(|key| key.as_str()))?;
        some(&mut map, "as_given", source.as_given.as_deref())?;
        some(&mut map, "via", source.via.as_deref())?;
        some(&mut map, "withdrawn", source.withdrawn.as_deref())?;
        if !source.snapshots.is_empty() {
            map.serialize_entry("snapshots", &source.snapshots.iter().map(WireSnapshot).collect::<Vec<_>>())?;
        }
        unknown(&mut map, &source.extra)?;
        map.end()
    }
}

struct WireSnapshot<'a>(&'a Snapshot);

impl Serialize for WireSnapshot<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Snapshot { sha256, reader, taken, extra } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("sha256", sha256)?;
        map.serialize_entry("reader", reader)?;
        map.serialize_entry("taken", taken)?;
        unknown(&mut map, extra)?;
        map.end()
    }
}

struct WireQuote<'a>(&'a Quote);

impl Serialize for WireQuote<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let quote = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("text", &quote.text)?;
        map.serialize_entry("added", &quote.added)?;
        if let Some(anchor) = &quote.anchor {
            anchored(&mut map, anchor)?;
        }
        unknown(&mut map, &quote.extra)?;
        map.end()
    }
}

fn anchored<M: SerializeMap>(map: &mut M, anchor: &Anchor) -> Result<(), M::Error> {
    map.serialize_entry("sha256", &anchor.sha256)?;
    map.serialize_entry("start", &anchor.start)?;
    map.serialize_entry("end", &anchor.end)?;
    map.serialize_entry("prefix", &anchor.prefix)?;
    map.serialize_entry("suffix", &anchor.suffix)?;
    map.serialize_entry("rules", &anchor.rules)?;
    map.serialize_entry("reader", &anchor.reader)?;
    map.serialize_entry("kept", &anchor.kept)
}

fn some<M: SerializeMap>(map: &mut M, name: &str, text: Option<&str>) -> Result<(), M::Error> {
    match text {
        Some(text) => map.serialize_entry(name, text),
        None => Ok(()),
    }
}

fn unknown<M: SerializeMap>(map: &mut M, extra: &Extra) -> Result<(), M::Error> {
    extra.raw().try_for_each(|(name, value)| map.serialize_entry(name, value))
}
