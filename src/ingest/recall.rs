//! The output of `cited recall`: `citations[]` with their chunks of memory, and an answer that cites them by
//! `citation_id` (synthesized, or extractive where no model was there).
//!
//! A chunk without a web address gets a `mem://` locator; it is the whole source, so its content is its snapshot.

use std::borrow::Cow;

use super::json::Json;
use super::names::{self, Facts};
use super::reader::Reader;
use super::{Answer, Found, Shape, locator};

pub(super) const SHAPE: Shape = Shape { name: "recall", recognises, read };

fn recognises(json: &Json<'_>) -> bool {
    let chunk = |citation: &Json<'_>| citation.has("citation_id") && citation.get("content").is_some();
    let chunks = json.get("citations").is_some_and(|list| list.items().first().is_some_and(chunk));
    chunks || (json.get("synthesized_answer").is_some() && json.get("abstained").is_some())
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    if json.get("abstained") == Some(&Json::Bool(true)) {
        let reason = json.str("abstention_reason").unwrap_or("no reason given");
        reader.warn(format!("the answer abstained: {reason}"));
    }
    let first = reader.findings.found.len();
    for citation in json.get_mut("citations").into_iter().flat_map(|list| list.items_mut()) {
        let local = id(citation, "citation_id");
        chunk(citation, "content", local, reader);
    }
    let scope = first..reader.findings.found.len();
    let name = if json.has("synthesized_answer") { "synthesized_answer" } else { "extractive_answer" };
    if let Some(text) = json.get_mut(name).and_then(Json::take_text) {
        reader.answer(Answer::bracketed(text, scope));
    }
}

/// Adds a chunk of memory whose text is in the field `content`.
pub(super) fn chunk<'a>(
    json: &mut Json<'a>,
    content: &str,
    local: Option<Cow<'a, str>>,
    reader: &mut Reader<'a>,
) {
    let address = Facts::of(json.fields()).address.map(|at| json.fields()[at].1.text().unwrap_or_default());
    let native_id = ["native_id", "chunk_id"].iter().find_map(|name| id(json, name));
    let text = json.str(content).unwrap_or_default();
    if address.is_none() && native_id.is_none() && text.trim().is_empty() {
        return reader.skip(names::Skip::NoAddress, 1);
    }
    let kind = json.str("source_type").unwrap_or("memory");
    let memory = || locator::memory(kind, id(json, "store_id").as_deref(), native_id.as_deref(), text).into();
    let given = json.str("title").filter(|_| address.is_some() || text.trim().is_empty());
    let title = given
        .filter(|title| !title.trim().is_empty())
        .map_or_else(|| locator::first_words(text), str::to_owned);
    let url = address.unwrap_or_else(memory);
    let body = json.get_mut(content).and_then(Json::take_text).filter(|body| !body.trim().is_empty());
    reader.push(Found { url, title: title.into(), via: Some("memory"), body, local, ..Found::default() });
}

/// An id: a string or a whole number.
fn id<'a>(json: &Json<'a>, name: &str) -> Option<Cow<'a, str>> {
    match json.get(name)? {
        Json::Text(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Json::Number(number) => Some(number.to_string().into()),
        _ => None,
    }
}
