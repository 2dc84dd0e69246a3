//! BibTeX records in a draft: `@misc{source1, …}` as `render --style bibtex` writes them. Only records whose key
//! carries a source's number are read.

use super::block_lines::Lines;
use super::entry::{self, HeadStyle};
use super::sources_block::Reader;
use super::{BlockKind, Entry, EntryUrl, SourceId, SourcesBlock, Span, entry_url};
use crate::text::digits;

/// The longest record, in lines.
const MAX_LINES: usize = 200;

/// The run of records that begins on line `at`, and the line behind it.
pub(super) fn block(reader: &Reader<'_>, lines: &Lines<'_>, at: usize) -> Option<(SourcesBlock, usize)> {
    let mut entries = Vec::new();
    let mut next = at;
    let mut end = at;
    while let Some(line) = lines.get(next) {
        if line.content.trim().is_empty() {
            next += 1;
            continue;
        }
        let Some((entry, after)) = record(reader, lines, next) else { break };
        entries.push(entry);
        (next, end) = (after, after);
    }
    let span = entries.first()?.span.start..entries.last()?.span.end;
    let generated = entries.iter().any(|entry| reader.register.key_of(entry.id).is_some());
    Some((SourcesBlock { span, heading: None, kind: BlockKind::Bibtex, entries, generated }, end))
}

/// The record that begins on line `at`, and the line behind it.
pub(super) fn record(reader: &Reader<'_>, lines: &Lines<'_>, at: usize) -> Option<(Entry, usize)> {
    let first = lines.get(at).filter(|line| !line.hidden)?;
    let (_, key) = first.content.trim_start().strip_prefix('@')?.split_once('{')?;
    let key = key.trim_start();
    let number = key.get(..6).filter(|head| head.eq_ignore_ascii_case("source")).map(|_| &key[6..])?;
    let (id, _) = digits::leading_number(number)?;
    let start = first.offset_of(first.content);
    let mut open = 0usize;
    for index in at..at + MAX_LINES {
        let line = lines.get(index).filter(|line| !line.hidden)?;
        if index > at && line.content.starts_with('@') {
            return None;
        }
        let escaped = line.content.replace("\\{", "").replace("\\}", "");
        open = (open + escaped.matches('{').count()).saturating_sub(escaped.matches('}').count());
        if open == 0 {
            let span = start..line.trimmed().end;
            return Some((entry(reader, SourceId(id), span), index + 1));
        }
    }
    None
}

fn entry(reader: &Reader<'_>, id: SourceId, span: Span) -> Entry {
    let source = &reader.text[span.clone()];
    let url = match address(source) {
        Some(at) => {
            let found = entry_url::whole(&source[at.clone()], id, reader.register);
            Some(EntryUrl { span: span.start + at.start..span.start + at.end, ..found })
        }
        None => entry::body(reader.text, &span, Some(id), HeadStyle::Row, reader.register).url,
    };
    let title = field(source, "title").map(entry::unescape);
    Entry { span, id, url, title, quotes: Vec::new() }
}

/// Where the URL of a record stands: the argument of `\url`, or the value of the field `url`.
fn address(record: &str) -> Option<Span> {
    let openings = ["\\url{", "url = {", "url={"];
    let start = openings.iter().find_map(|name| Some(record.find(name)? + name.len()))?;
    let mut open = 1usize;
    for (at, byte) in record[start..].bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' => open -= 1,
            b'\n' | b'\r' => return None,
            _ => {}
        }
        if open == 0 {
            return (at > 0).then_some(start..start + at);
        }
    }
    None
}

/// The value of a field in braces.
fn field<'t>(record: &'t str, name: &str) -> Option<&'t str> {
    let line = record.lines().find(|line| line.trim_start().starts_with(name))?;
    let (_, value) = line.split_once('{')?;
    let value = value.trim_end().trim_end_matches(',').trim_end();
    let value = value.strip_suffix('}').unwrap_or(value).trim();
    (!value.is_empty()).then_some(value)
}
