//! The Markdown block with each source's quotes under its entry, so that a reader sees what backs it.

use super::{Block, Opening, Style, entries, escape, markdown};
use crate::ledger::Source;

pub const STYLE: Style = Style {
    name: "evidence",
    summary: "the Markdown section with each source's quotes",
    in_draft: true,
    write,
};

fn write(sources: &[&Source]) -> Block {
    Block { opening: Opening::Heading, body: entries(sources, entry) }
}

fn entry(source: &Source) -> String {
    let mut text = markdown::entry(source);
    for quote in &source.quotes {
        text.push_str("\n    > \"");
        text.push_str(&escape::markdown(&quote.text));
        text.push('"');
    }
    text
}
