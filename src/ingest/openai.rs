//! OpenAI Responses and Chat: `annotations[]` of type `url_citation`, flat or nested, each with a span of the
//! answer in characters; a web search call's `action.sources[]` and the page that it opened.

use super::answer::Span;
use super::json::Json;
use super::names::Skip;
use super::reader::{Entry, Reader};
use super::{Answer, Shape, generic};

/// A part of an answer, or a message, with annotations.
pub(super) const ANNOTATED: Shape = Shape { name: "openai", recognises: is_annotated, read: read_annotated };

/// What the search tool did.
pub(super) const SEARCH_CALL: Shape = Shape { name: "openai", recognises: is_call, read: read_call };

fn is_annotated(json: &Json<'_>) -> bool {
    json.get("annotations").is_some_and(|list| list.items().iter().any(|item| item.str("type").is_some()))
}

fn read_annotated<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let mut places = Vec::new();
    for annotation in json.get_mut("annotations").into_iter().flat_map(|list| list.items_mut()) {
        places.extend(read_annotation(annotation, reader));
    }
    let text = ["text", "content"].iter().find_map(|name| json.get(name)?.text());
    let spans = spans(text.as_deref().unwrap_or_default(), places);
    if let Some(text) = text.filter(|_| !spans.is_empty()) {
        reader.answer(Answer::spanned(text, spans));
    }
}

/// Where an annotation stands, in characters, and its source.
type Place = (u64, u64, usize);

fn read_annotation<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) -> Option<Place> {
    if json.str("type") != Some("url_citation") {
        return None;
    }
    let citation = match json.has("url_citation") {
        true => json.get_mut("url_citation")?,
        false => json,
    };
    let found = reader.entry(citation, &Entry::default())?;
    let number = |name: &str| citation.get(name).and_then(Json::as_u64);
    Some((number("start_index")?, number("end_index")?, found))
}

/// The same places in bytes; one that lies outside the text is kept outside it.
fn spans(text: &str, places: Vec<Place>) -> Vec<Span> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let byte =
        |at: u64| usize::try_from(at).ok().and_then(|at| starts.get(at).copied()).unwrap_or(usize::MAX);
    let place = |start, end| if start <= end { byte(start)..byte(end) } else { usize::MAX..usize::MAX };
    let span =
        |(start, end, source): Place| Span { at: place(start, end), sources: vec![source], lost: vec![] };
    places.into_iter().map(span).collect()
}

fn is_call(json: &Json<'_>) -> bool {
    json.str("type") == Some("web_search_call") && json.has("action")
}

fn read_call<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let failed = json.str("status") == Some("failed");
    let Some(action) = json.get_mut("action") else {
        return;
    };
    match action.str("type") {
        _ if failed => reader.skip_all(Skip::Failed, action),
        Some("open_page") => _ = reader.entry(action, &Entry::default()),
        _ => match action.get_mut("sources") {
            Some(sources) => generic::citations(sources, reader),
            None => reader.skip_all(Skip::Request, action),
        },
    }
}
