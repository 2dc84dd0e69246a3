//! Footnote and link definitions: which are sources and which are notes, and the blocks that runs of them make
//! without a title.

use std::collections::HashMap;

use super::citation::Footnote;
use super::entry::{self, Body, HeadStyle};
use super::outline::Outline;
use super::sources_block::Reader;
use super::{BlockKind, Entry, SourceId, SourcesBlock, Span, bracket, entry_url};
use crate::identity::Register;

/// The most words that may stand behind the URL of a source.
const MAX_WORDS_BEHIND: usize = 8;

/// Whether the text of a definition is a URL, alone or with a title, rather than a note.
pub(super) fn is_source(text: &str) -> bool {
    let text = text.trim();
    let Some(start) = entry_url::starts(text).first().copied() else { return false };
    let after = text[start..].find(char::is_whitespace).map_or("", |at| text[start + at..].trim());
    let before = text[..start].trim_matches(|c: char| !c.is_alphanumeric());
    before.is_empty() || text[..start].ends_with("](") || after.split_whitespace().count() <= MAX_WORDS_BEHIND
}

/// What the footnotes of a draft stand for, by label.
pub(super) fn meanings(
    text: &str,
    outline: &Outline<'_>,
    register: &dyn Register,
) -> HashMap<String, Footnote> {
    let mut meanings = HashMap::new();
    for (label, span) in &outline.footnotes {
        let (body, id) = (body(text, span), number(label));
        let source = is_source(body) || entry_url::is_known(body, id, register);
        let meaning = match entry_url::choose(body, id, register) {
            Some(chosen) if source => Footnote::Url(chosen.url),
            _ => Footnote::Note,
        };
        meanings.entry(label.clone()).or_insert(meaning);
    }
    meanings
}

/// What stands behind the colon of the definition at `span`.
fn body<'t>(text: &'t str, span: &Span) -> &'t str {
    let source = &text[span.clone()];
    source.split_once("]:").map_or("", |(_, body)| body)
}

/// Blocks without a title: runs of footnotes that are sources, and of link definitions that bare numbers use.
pub(super) fn runs(reader: &Reader<'_>, titled: &[SourcesBlock]) -> Vec<SourcesBlock> {
    let footnotes = reader.outline.footnotes.iter().filter_map(|(label, span)| {
        let body = body(reader.text, span);
        let source = is_source(body) || entry_url::is_known(body, number(label), reader.register);
        source.then_some((label.as_str(), span, BlockKind::Footnotes))
    });
    let definitions = reader.outline.definitions.iter().filter_map(|definition| {
        let bare = !reader.reference_only.contains(&definition.label);
        let url = super::prose::is_url(&definition.url);
        (bare && url).then_some((definition.label.as_str(), &definition.span, BlockKind::List))
    });
    let mut blocks: Vec<SourcesBlock> = Vec::new();
    for (label, span, kind) in footnotes.chain(definitions) {
        if titled.iter().any(|block| block.span.start <= span.start && span.start < block.span.end) {
            continue;
        }
        let Some(entry) = definition_entry(reader, label, span) else { continue };
        match blocks.last_mut() {
            Some(last) if last.kind == kind && follows(reader.text, last, &entry) => {
                last.span.end = entry.span.end;
                last.entries.push(entry);
            }
            _ => blocks.push(SourcesBlock {
                span: entry.span.clone(),
                heading: None,
                kind,
                entries: vec![entry],
                generated: false,
            }),
        }
    }
    for block in &mut blocks {
        block.generated = block.entries.iter().any(|entry| reader.register.key_of(entry.id).is_some());
    }
    blocks
}

/// Only white space stands between a block and the entry.
fn follows(text: &str, block: &SourcesBlock, entry: &Entry) -> bool {
    block.span.end <= entry.span.start && text[block.span.end..entry.span.start].trim().is_empty()
}

/// The entry that a definition makes.
fn definition_entry(reader: &Reader<'_>, label: &str, span: &Span) -> Option<Entry> {
    let source = reader.text[span.clone()].trim_end();
    let rest = source.find("]:").map_or(source.len(), |at| at + 2);
    let id = number(label);
    let span = span.start..span.start + source.len();
    let style = HeadStyle::Definition;
    let Body { url, title } =
        entry::body(reader.text, &(span.start + rest..span.end), id, style, reader.register);
    let (id, url) = entry::identified(id, url, reader.register)?;
    Some(Entry { span, id, url, title, quotes: Vec::new() })
}

/// The id that a label writes.
fn number(label: &str) -> Option<SourceId> {
    match bracket::read(&format!("[{label}]"), 0)?.target {
        super::Target::Ids(ids) if ids.len() == 1 => Some(ids[0]),
        _ => None,
    }
}
