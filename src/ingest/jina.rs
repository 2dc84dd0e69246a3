//! Jina reader: one page or a list of pages in `data`, each with its text in `content`.

use super::Shape;
use super::json::Json;
use super::names::Facts;
use super::reader::{Entry, Reader};

pub(super) const SHAPE: Shape = Shape { name: "jina", recognises, read };

const ENTRY: Entry = Entry { body: &["content"], quotes: &[] };

fn recognises(json: &Json<'_>) -> bool {
    let Some(data) = json.get("data") else {
        return false;
    };
    let page = match data {
        Json::List(pages) if json.has("code") => pages.first(),
        data => Some(data),
    };
    page.is_some_and(|page| page.str("content").is_some() && Facts::of(page.fields()).address.is_some())
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    if let Some(data) = json.get_mut("data") {
        reader.entries(data, &ENTRY);
    }
}
