//! `[^id]: url — title`: footnote definitions, for drafts that cite with `[^1]`.

use super::{Block, Opening, Style, entries, escape, with_title};
use crate::ledger::Source;

pub const STYLE: Style =
    Style { name: "footnotes", summary: "Markdown footnote definitions", in_draft: true, write };

fn write(sources: &[&Source]) -> Block {
    Block { opening: Opening::Nothing, body: entries(sources, entry) }
}

fn entry(source: &Source) -> String {
    format!(
        "[^{}]: {}",
        source.id,
        with_title(&escape::markdown_url(&source.url), &escape::markdown(&source.title))
    )
}
