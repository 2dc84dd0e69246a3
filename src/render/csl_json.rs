//! CSL-JSON, for pandoc's citeproc and reference managers.

use serde::Serialize;

use super::{Block, Opening, Style};
use crate::ledger::Source;
use crate::text::printable::one_line;

pub const STYLE: Style = Style { name: "csl-json", summary: "CSL-JSON for citeproc", in_draft: false, write };

/// One item of the CSL data schema.
#[derive(Serialize)]
struct Item {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(rename = "URL")]
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    accessed: Option<Date>,
}

/// A CSL date: `{"date-parts": [[2026, 1, 31]]}`.
#[derive(Serialize)]
struct Date {
    #[serde(rename = "date-parts")]
    parts: [Vec<u32>; 1],
}

fn write(sources: &[&Source]) -> Block {
    let items: Vec<Item> = sources.iter().map(|source| item(source)).collect();
    // Strings, numbers and lists of them always serialise.
    let mut body = serde_json::to_string_pretty(&items).unwrap_or_default();
    body.push('\n');
    Block { opening: Opening::Nothing, body }
}

fn item(source: &Source) -> Item {
    Item {
        id: format!("source{}", source.id),
        kind: "webpage",
        title: one_line(&source.title),
        url: source.url.clone(),
        accessed: date(&source.accessed),
    }
}

/// `YYYY-MM-DD` as numbers; `None` for anything else, since the schema takes nothing else.
fn date(text: &str) -> Option<Date> {
    let parts: Vec<u32> = text.split('-').map(str::parse).collect::<Result<_, _>>().ok()?;
    (parts.len() == 3).then_some(Date { parts: [parts] })
}
