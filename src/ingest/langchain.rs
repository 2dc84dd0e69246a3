//! Documents of LangChain and LlamaIndex: the address is `metadata.source`. Their text is a chunk, not the page.

use super::json::Json;
use super::names::{self, Facts};
use super::reader::Reader;
use super::{Found, Shape};

pub(super) const SHAPE: Shape = Shape { name: "langchain", recognises, read };

fn recognises(json: &Json<'_>) -> bool {
    let text = ["page_content", "pageContent", "text", "content"].iter().any(|name| json.has(name));
    let source = json.get("metadata").and_then(|metadata| metadata.get("source"));
    let named = source.is_some_and(|source| names::address(source).is_some());
    text && named && Facts::of(json.fields()).address.is_none()
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let mut take = |name: &str| json.get_mut("metadata")?.get_mut(name)?.take_text();
    let title = take("title").unwrap_or_default();
    if let Some(url) = take("source") {
        reader.push(Found { url, title, ..Found::default() });
    }
}
