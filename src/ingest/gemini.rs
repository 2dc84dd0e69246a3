//! Gemini: `groundingChunks[]` (`web.uri`, `retrievedContext.uri`), `urlMetadata[].retrievedUrl` and
//! `citationMetadata`; `groundingSupports[]` gives the answer's spans, in bytes of a part's text.

use std::borrow::Cow;

use super::answer::Span;
use super::json::Json;
use super::names::{self, Skip};
use super::reader::{Entry, Reader};
use super::{Answer, Found, Shape};

/// A candidate: the answer and what it rests on.
pub(super) const CANDIDATE: Shape = Shape { name: "gemini", recognises: is_candidate, read: read_candidate };

/// Grounding metadata on its own.
pub(super) const GROUNDING: Shape = Shape { name: "gemini", recognises: is_grounding, read: read_grounding };

/// The pages that the URL context tool retrieved.
pub(super) const URL_CONTEXT: Shape = Shape { name: "gemini", recognises: is_context, read: read_context };

/// Pages that an answer recites from.
pub(super) const CITATIONS: Shape = Shape { name: "gemini", recognises: is_citations, read: read_citations };

/// The field of this name, in the spelling of either client.
fn either<'j, 'a>(json: &'j Json<'a>, camel: &str, snake: &str) -> Option<&'j Json<'a>> {
    json.get(camel).or_else(|| json.get(snake)).filter(|value| **value != Json::Null)
}

fn either_mut<'j, 'a>(json: &'j mut Json<'a>, camel: &str, snake: &str) -> Option<&'j mut Json<'a>> {
    let name = if json.has(camel) { camel } else { snake };
    json.get_mut(name)
}

fn is_candidate(json: &Json<'_>) -> bool {
    json.get("content").is_some_and(|content| content.has("parts"))
        && either(json, "groundingMetadata", "grounding_metadata").is_some_and(is_grounding)
}

fn read_candidate<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let parts = parts(json);
    let mut spans = Vec::new();
    for (name, value) in json.fields_mut() {
        match name.as_ref() {
            "groundingMetadata" | "grounding_metadata" => spans = read_supports(value, &parts, reader),
            "content" => {}
            _ => reader.walk(value),
        }
    }
    reader.answer(Answer::spanned(parts.concat().into(), spans));
}

/// The texts of the answer's parts.
fn parts<'a>(json: &mut Json<'a>) -> Vec<Cow<'a, str>> {
    let parts = json.get_mut("content").and_then(|content| content.get_mut("parts"));
    let parts = parts.into_iter().flat_map(|parts| parts.items_mut());
    parts.map(|part| part.get_mut("text").and_then(Json::take_text).unwrap_or_default()).collect()
}

fn is_grounding(json: &Json<'_>) -> bool {
    either(json, "groundingChunks", "grounding_chunks").is_some()
}

fn read_grounding<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    read_chunks(json, reader);
}

/// Reads the chunks; where each landed in the findings.
fn read_chunks<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) -> Vec<Option<usize>> {
    let chunks = either_mut(json, "groundingChunks", "grounding_chunks").into_iter();
    chunks.flat_map(|chunks| chunks.items_mut()).map(|chunk| read_chunk(chunk, reader)).collect()
}

fn read_chunk<'a>(chunk: &mut Json<'a>, reader: &mut Reader<'a>) -> Option<usize> {
    let page = chunk.fields_mut().iter_mut().map(|(_, value)| value).find(|value| value.get("uri").is_some());
    let Some(page) = page else {
        reader.skip(Skip::NoAddress, 1);
        return None;
    };
    reader.entry(page, &Entry::default())
}

fn read_supports<'a>(json: &mut Json<'a>, parts: &[Cow<'_, str>], reader: &mut Reader<'a>) -> Vec<Span> {
    let chunks = read_chunks(json, reader);
    let mut starts = vec![0];
    starts.extend(parts.iter().scan(0, |end, part| {
        *end += part.len();
        Some(*end)
    }));
    let supports = either(json, "groundingSupports", "grounding_supports").into_iter().flat_map(Json::items);
    supports.map(|support| span(support, parts, &starts, &chunks)).collect()
}

/// Where a claim ends, and the sources it rests on; outside the text where the place does not fit.
fn span(support: &Json<'_>, parts: &[Cow<'_, str>], starts: &[usize], chunks: &[Option<usize>]) -> Span {
    let number = |place: &Json<'_>, camel: &str, snake: &str| {
        either(place, camel, snake).and_then(Json::as_u64).and_then(|number| usize::try_from(number).ok())
    };
    let segment = support.get("segment").unwrap_or(&Json::Null);
    let part = number(segment, "partIndex", "part_index").unwrap_or(0);
    let end = number(segment, "endIndex", "end_index");
    let fits = |end: &usize| {
        let upto = parts.get(part).and_then(|text| text.get(..*end));
        upto.is_some_and(|upto| segment.str("text").is_none_or(|claim| upto.ends_with(claim)))
    };
    let at = end.filter(fits).zip(starts.get(part)).map_or(usize::MAX, |(end, start)| start + end);
    let indices = either(support, "groundingChunkIndices", "grounding_chunk_indices");
    let (mut sources, mut lost) = (Vec::new(), Vec::new());
    for index in indices.into_iter().flat_map(Json::items).filter_map(Json::as_u64) {
        match usize::try_from(index).ok().and_then(|index| chunks.get(index).copied().flatten()) {
            Some(source) => sources.push(source),
            None => lost.push(format!("grounding chunk {index}")),
        }
    }
    Span { at: at..at, sources, lost }
}

fn is_context(json: &Json<'_>) -> bool {
    either(json, "urlMetadata", "url_metadata").is_some()
}

fn read_context<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let pages =
        either_mut(json, "urlMetadata", "url_metadata").into_iter().flat_map(|pages| pages.items_mut());
    for page in pages {
        let status = either(page, "urlRetrievalStatus", "url_retrieval_status").and_then(Json::as_str);
        let retrieved = status.is_none_or(|status| status.ends_with("SUCCESS"));
        let url = either_mut(page, "retrievedUrl", "retrieved_url");
        match url.filter(|url| names::address(url).is_some()).and_then(Json::take_text) {
            Some(url) if retrieved => _ = reader.push(Found { url, ..Found::default() }),
            Some(_) => reader.skip(Skip::Failed, 1),
            None => reader.skip(Skip::NoAddress, 1),
        }
    }
}

fn is_citations(json: &Json<'_>) -> bool {
    either(json, "citationSources", "citation_sources").is_some()
}

fn read_citations<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    if let Some(list) = either_mut(json, "citationSources", "citation_sources") {
        reader.entries(list, &Entry::default());
    }
}
