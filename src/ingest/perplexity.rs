//! Perplexity: `search_results[]` and bare `citations[]`; the answer's `[n]` is a place in that list, from 1.

use super::json::Json;
use super::reader::{Entry, Reader};
use super::{Answer, Shape, generic};

pub(super) const SHAPE: Shape = Shape { name: "perplexity", recognises, read };

/// An output item of its Responses interface.
pub(super) const RESULTS: Shape = Shape { name: "perplexity", recognises: is_results, read: read_results };

fn recognises(json: &Json<'_>) -> bool {
    let list = |name: &str| json.get(name).is_some_and(|value| !value.items().is_empty());
    json.has("choices") && (list("citations") || list("search_results"))
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let first = reader.findings.found.len();
    for (name, value) in json.fields_mut() {
        match name.as_ref() {
            "citations" | "search_results" => numbered(value, reader),
            _ => reader.pass_over(name, value),
        }
    }
    let scope = first..reader.findings.found.len();
    for choice in json.get_mut("choices").into_iter().flat_map(|choices| choices.items_mut()) {
        let content = choice.get_mut("message").and_then(|message| message.get_mut("content"));
        if let Some(text) = content.and_then(Json::take_text) {
            reader.answer(Answer::bracketed(text, scope.clone()));
        }
    }
}

/// A list whose places are the answer's local numbers.
fn numbered<'a>(list: &mut Json<'a>, reader: &mut Reader<'a>) {
    for (at, item) in list.items_mut().iter_mut().enumerate() {
        let found = match item {
            Json::Text(_) if super::names::address(item).is_some() => generic::bare(item, reader),
            Json::Object(_) => reader.entry(item, &Entry::default()),
            _ => None,
        };
        if let Some(found) = found {
            reader.findings.found[found].local = Some((at + 1).to_string().into());
        }
    }
}

fn is_results(json: &Json<'_>) -> bool {
    json.str("type") == Some("search_results") && json.has("results")
}

fn read_results<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    json.get_mut("results").into_iter().for_each(|results| numbered(results, reader));
}
