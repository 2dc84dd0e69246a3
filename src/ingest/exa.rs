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
        "auto_date",
        "autopromptString",
        "autoprompt_string",
        "costDollars",
        "cost_dollars",
        "requestId",
        "resolvedSearchType",
        "resolved_search_type",
        "searchTime",
        "searchType",
        "statuses",
    ];
    let listed = json.has("results") || json.has("citations");
    listed && (own.iter().any(|name| json.get(name).is_some()) || known_by_address(json))
}

/// Its results carry their address as their id too.
fn known_by_address(json: &Json<'_>) -> bool {
    let lists = ["results", "citations"].iter().filter_map(|name| json.get(name));
    let first = lists.filter_map(|list| list.items().first()).next();
    first.is_some_and(|page| page.str("id").is_some() && page.str("id") == page.str("url"))
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
