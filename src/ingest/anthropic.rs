//! Anthropic: blocks of a message. Search results and fetched pages are sources, so is a `search_result` whose
//! `source` is an address; `cited_text` is a passage to be checked; fetched text is a snapshot. Errors and the
//! address that a fetch asked for are no sources.

use std::borrow::Cow;

use super::answer::Span;
use super::json::Json;
use super::names::{self, Skip};
use super::reader::{Entry, Reader};
use super::{Answer, Found, Shape};

/// A message whose text blocks carry citations.
pub(super) const MESSAGE: Shape = Shape { name: "anthropic", recognises: is_message, read: read_message };

/// A page that the fetch tool retrieved.
pub(super) const FETCHED: Shape = Shape { name: "anthropic", recognises: is_fetched, read: read_fetched };

/// Passages that a program handed to the model, with the address they come from.
pub(super) const PASSAGES: Shape = Shape { name: "anthropic", recognises: is_passages, read: read_passages };

fn is_message(json: &Json<'_>) -> bool {
    json.get("content").is_some_and(|content| content.items().iter().any(is_cited_text))
}

fn is_cited_text(block: &Json<'_>) -> bool {
    let cites = |citation: &Json<'_>| citation.str("type").is_some_and(|kind| kind.ends_with("_location"));
    block.get("citations").is_some_and(|list| list.items().iter().any(cites))
}

fn read_message<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let (mut text, mut spans) = (String::new(), Vec::new());
    for block in json.get_mut("content").into_iter().flat_map(|content| content.items_mut()) {
        if block.str("type") != Some("text") {
            reader.walk(block);
            continue;
        }
        text.push_str(block.str("text").unwrap_or_default());
        let sources = read_citations(block, reader);
        if !sources.is_empty() {
            spans.push(Span { at: text.len()..text.len(), sources, lost: vec![] });
        }
    }
    reader.answer(Answer::spanned(text.into(), spans));
}

fn read_citations<'a>(block: &mut Json<'a>, reader: &mut Reader<'a>) -> Vec<usize> {
    let citations = block.get_mut("citations").into_iter().flat_map(|list| list.items_mut());
    citations.filter_map(|citation| read_citation(citation, reader)).collect()
}

fn read_citation<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) -> Option<usize> {
    let address = ["url", "source"]
        .iter()
        .find(|name| json.get(name).is_some_and(|url| names::address(url).is_some()))?;
    let url = json.get_mut(address)?.take_text()?;
    let mut take = |name: &str| json.get_mut(name).and_then(Json::take_text);
    let title = take("title").unwrap_or_default();
    let quotes = take("cited_text").filter(|quote| !quote.trim().is_empty()).into_iter().collect();
    reader.push(Found { url, title, quotes, ..Found::default() })
}

fn is_fetched(json: &Json<'_>) -> bool {
    json.str("type") == Some("web_fetch_result")
}

fn read_fetched<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let document = json.get_mut("content");
    let (title, body) = document.map(|document| (title(document), body(document))).unwrap_or_default();
    if let Some(found) = reader.entry(json, &Entry::default()) {
        let found = &mut reader.findings.found[found];
        found.title = title.unwrap_or_default();
        found.body = body;
    }
}

fn title<'a>(document: &mut Json<'a>) -> Option<Cow<'a, str>> {
    document.get_mut("title")?.take_text()
}

/// The text of a fetched document; not the bytes of a PDF in disguise.
fn body<'a>(document: &mut Json<'a>) -> Option<Cow<'a, str>> {
    const PDF_IN_BASE64: &str = "JVBERi0";
    let source = document.get_mut("source")?;
    let text = source.str("type") == Some("text") && !source.str("data")?.starts_with(PDF_IN_BASE64);
    source.get_mut("data").filter(|_| text)?.take_text().filter(|text| !text.trim().is_empty())
}

fn is_passages(json: &Json<'_>) -> bool {
    json.str("type") == Some("search_result") && json.str("source").is_some()
}

fn read_passages<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let title = title(json).unwrap_or_default();
    match json.get_mut("source").filter(|source| names::address(source).is_some()).and_then(Json::take_text) {
        Some(url) => _ = reader.push(Found { url, title, ..Found::default() }),
        None => reader.skip(Skip::NoAddress, 1),
    }
}
