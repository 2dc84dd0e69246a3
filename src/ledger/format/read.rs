//! From text to a [`Ledger`].

use serde_json::value::RawValue;

use super::json::{Fields, list, part, string, wrong};
use super::{ANCHOR_KEYS, VERSION};
use crate::identity::{Key, SourceId};
use crate::ledger::{Anchor, Ledger, Quote, Snapshot, Source};

/// The highest id that a file may hold: leaves room for as many again.
const HIGHEST_ID: u32 = u32::MAX / 2;

/// Why a text is no ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// Written by a later version of the program; the file's version.
    Newer(u64),
    /// What is wrong and where.
    Misshapen(String),
}

/// The ledger that `bytes` hold.
///
/// # Errors
/// Names the place: line and column of broken JSON, the path (`sources[3].url`) of a misshapen value.
pub fn read(bytes: &[u8]) -> Result<Ledger, Unreadable> {
    let text = decoded(bytes).map_err(Unreadable::Misshapen)?;
    let top: Fields = serde_json::from_str(text).map_err(|error| broken(text, &error))?;
    match version(&top).map_err(Unreadable::Misshapen)? {
        newer if newer > VERSION => Err(Unreadable::Newer(newer)),
        _ => ledger(&top).map_err(Unreadable::Misshapen),
    }
}

fn decoded(bytes: &[u8]) -> Result<&str, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err("it is UTF-16, and a ledger is UTF-8".into());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        format!("it is not UTF-8 at line {}", 1 + memchr::memchr_iter(b'\n', before).count())
    })?;
    match text.trim().is_empty() {
        true => Err("it is empty".into()),
        false => Ok(text),
    }
}

fn broken(text: &str, error: &serde_json::Error) -> Unreadable {
    let found = match text.trim_start().starts_with('{') {
        true => format!("it is not valid JSON: {error}"),
        false if error.is_data() => "it holds no object with `version` and `sources`".to_owned(),
        false => format!("it is not valid JSON: {error}"),
    };
    Unreadable::Misshapen(found)
}

/// The file's version; 1 where it names none.
fn version(top: &Fields) -> Result<u64, String> {
    let Some(raw) = top.last("version") else { return Ok(VERSION) };
    let version = serde_json::from_str(raw.get()).ok().filter(|version| *version > 0);
    version.ok_or_else(|| wrong("`version`", "a positive whole number", raw))
}

fn ledger(top: &Fields) -> Result<Ledger, String> {
    let listed = top.last("sources").ok_or("`sources` is missing")?;
    let sources = list(listed).ok_or_else(|| wrong("`sources`", "a list", listed))?;
    let sources = sources.iter().enumerate().map(|(at, raw)| source(at, raw)).collect::<Result<_, _>>()?;
    let next_id = match top.last("next_id") {
        None => 1,
        Some(raw) => id(raw).ok_or_else(|| wrong("`next_id`", "a positive whole number", raw))?,
    };
    Ok(Ledger::loaded(sources, next_id - 1, top.unknown(&["version", "sources", "next_id"])))
}

fn source(at: usize, raw: &RawValue) -> Result<Source, String> {
    let place = |name: &str| format!("`sources[{at}]{name}`");
    let fields = Fields::of(raw).ok_or_else(|| wrong(&place(""), "an object", raw))?;
    let required =
        |name: &str| fields.last(name).ok_or_else(|| format!("{} is missing", place(&format!(".{name}"))));
    let text = |name: &str| optional_text(&fields, name, &|| place(&format!(".{name}")));
    let (raw_id, raw_url) = (required("id")?, required("url")?);
    let url = string(raw_url).ok_or_else(|| wrong(&place(".url"), "text", raw_url))?;
    if url.trim().is_empty() {
        return Err(format!("{} is blank", place(".url")));
    }
    let mut known = vec!["id", "url", "title", "accessed", "quotes"];
    Ok(Source {
        id: SourceId(id(raw_id).ok_or_else(|| wrong(&place(".id"), "a positive whole number", raw_id))?),
        url,
        title: text("title")?,
        accessed: text("accessed")?,
        key: ours(&fields, "key", &mut known).map(Key::from_stored),
        as_given: ours(&fields, "as_given", &mut known),
        via: ours(&fields, "via", &mut known),
        withdrawn: withdrawn(&fields, &mut known),
        quotes: quotes(at, &fields)?,
        snapshots: snapshots(&fields, &mut known),
        extra: fields.unknown(&known),
    })
}

/// A text that may be missing or null, as the script writes it.
fn optional_text(fields: &Fields, name: &str, place: &dyn Fn() -> String) -> Result<String, String> {
    match fields.last(name) {
        None => Ok(String::new()),
        Some(raw) if raw.get() == "null" => Ok(String::new()),
        Some(raw) => string(raw).ok_or_else(|| wrong(&place(), "text", raw)),
    }
}

/// A text that we add to an entry; one of another type is another program's, and stays where it is.
fn ours(fields: &Fields, name: &'static str, known: &mut Vec<&'static str>) -> Option<String> {
    let text = fields.last(name).and_then(string)?;
    known.push(name);
    Some(text)
}

/// Why a source is withdrawn: a reason, or a bare `true` that somebody wrote by hand.
fn withdrawn(fields: &Fields, known: &mut Vec<&'static str>) -> Option<String> {
    if fields.last("withdrawn").is_some_and(|raw| raw.get() == "true") {
        known.push("withdrawn");
        return Some(String::new());
    }
    ours(fields, "withdrawn", known)
}

/// The page texts that were kept, if the list is one of ours; what its parts say is not believed here.
fn snapshots(fields: &Fields, known: &mut Vec<&'static str>) -> Vec<Snapshot> {
    let listed = fields.last("snapshots").and_then(list);
    let Some(snapshots) = listed.and_then(|listed| listed.into_iter().map(snapshot).collect()) else {
        return Vec::new();
    };
    known.push("snapshots");
    snapshots
}

fn snapshot(raw: &RawValue) -> Option<Snapshot> {
    let fields = Fields::of(raw)?;
    Some(Snapshot {
        sha256: string(fields.last("sha256")?)?,
        reader: part(&fields, "reader", Some("text".into()))?,
        taken: part(&fields, "taken", Some(String::new()))?,
        extra: fields.unknown(&["sha256", "reader", "taken"]),
    })
}

fn quotes(at: usize, fields: &Fields) -> Result<Vec<Quote>, String> {
    let Some(raw) = fields.last("quotes").filter(|raw| raw.get() != "null") else { return Ok(Vec::new()) };
    let listed = list(raw).ok_or_else(|| wrong(&format!("`sources[{at}].quotes`"), "a list", raw))?;
    listed.iter().enumerate().map(|(number, raw)| quote(at, number, raw)).collect()
}

fn quote(at: usize, number: usize, raw: &RawValue) -> Result<Quote, String> {
    let place = |name: &str| format!("`sources[{at}].quotes[{number}]{name}`");
    let fields = Fields::of(raw).ok_or_else(|| wrong(&place(""), "an object", raw))?;
    let text = fields.last("text").ok_or_else(|| format!("{} is missing", place(".text")))?;
    let mut known = vec!["text", "added"];
    let anchor = anchor(&fields);
    if anchor.is_some() {
        known.extend(ANCHOR_KEYS);
    }
    Ok(Quote {
        text: string(text).ok_or_else(|| wrong(&place(".text"), "text", text))?,
        added: optional_text(&fields, "added", &|| place(".added"))?,
        anchor,
        extra: fields.unknown(&known),
    })
}

/// Where a quote stands, if every part of it has the right type; what the parts say is not believed here.
fn anchor(fields: &Fields) -> Option<Anchor> {
    let sha256 = string(fields.last("sha256")?)?;
    Some(Anchor {
        sha256,
        start: part(fields, "start", None)?,
        end: part(fields, "end", None)?,
        prefix: part(fields, "prefix", Some(String::new()))?,
        suffix: part(fields, "suffix", Some(String::new()))?,
        rules: part(fields, "rules", Some(Vec::new()))?,
        reader: part(fields, "reader", Some("text".into()))?,
        kept: part(fields, "kept", Some(true))?,
    })
}

/// A whole number from 1 up, in digits only.
fn id(raw: &RawValue) -> Option<u32> {
    serde_json::from_str(raw.get()).ok().filter(|id| (1..=HIGHEST_ID).contains(id))
}
