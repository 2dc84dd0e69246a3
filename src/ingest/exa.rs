//! Exa search, contents and answer: `results[]` or `citations[]`, the page's text in `text`, passages from it in
//! `highlights`; pages found below a page are in `subpages`.

use super::Shape;
use super::json::Json;
use super::reader::{Entry, Reader};

pub(super) const SHAPE: Shape = Shape { name: "exa", recognises, read };

const ENTRY: Entry = Entry { body: &["text"], quotes: &["highlights"] };

fn recognises(json: &Json<'_>) -> bool {
    let own = [
        "autoDate",
        "autopromptString",
        "costDollars",
        "requestId",
        "resolvedSearchType",
        "searchTime",
        "searchType",
        "statuses",
    ];
    (json.has("results") || json.has("citations")) && own.iter().any(|name| json.get(name).is_some())
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    for (name, value) in json.fields_mut() {
        match name.as_ref() {
            "results" | "citations" => value.items_mut().iter_mut().for_each(|page| self::page(page, reader)),
            _ => reader.pass_over(name, value),
        }
    }
}

fn page<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    reader.entry(json, &ENTRY);
    if let Some(below) = json.get_mut("subpages") {
        reader.entries(below, &ENTRY);
    }
}
