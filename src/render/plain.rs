//! `Sources:`, then `[id] url — title`: for mail, chat and text files.

use super::{Block, Opening, Style, entries, escape, with_title};
use crate::ledger::Source;

pub const STYLE: Style =
    Style { name: "plain", summary: "a `Sources:` list for plain text", in_draft: true, write };

fn write(sources: &[&Source]) -> Block {
    Block { opening: Opening::Line, body: entries(sources, entry) }
}

fn entry(source: &Source) -> String {
    format!("[{}] {}", source.id, with_title(&source.url, &escape::plain(&source.title)))
}
