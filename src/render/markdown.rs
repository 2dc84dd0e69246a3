//! `## Sources`, then `[id] url — title`: what a Markdown report carries.

use super::{Block, Opening, Style, entries, escape, with_title};
use crate::ledger::Source;

pub const STYLE: Style =
    Style { name: "markdown", summary: "a `## Sources` section (default)", in_draft: true, write };

fn write(sources: &[&Source]) -> Block {
    Block { opening: Opening::Heading, body: entries(sources, entry) }
}

/// `[id] url — title`, with what Markdown gives a meaning escaped in the title.
pub fn entry(source: &Source) -> String {
    format!(
        "[{}] {}",
        source.id,
        with_title(&escape::markdown_url(&source.url), &escape::markdown(&source.title))
    )
}
