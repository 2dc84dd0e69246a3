//! `@misc{sourceN, …}` records for BibTeX and biber.

use super::{Block, Opening, Style, entries, escape};
use crate::ledger::Source;

pub const STYLE: Style = Style { name: "bibtex", summary: "BibTeX records", in_draft: true, write };

fn write(sources: &[&Source]) -> Block {
    Block { opening: Opening::Nothing, body: entries(sources, entry) }
}

fn entry(source: &Source) -> String {
    let mut record = format!("@misc{{source{},\n", source.id);
    if !source.title.is_empty() {
        record.push_str(&format!("  title = {{{}}},\n", escape::tex(&source.title)));
    }
    record.push_str(&format!("  howpublished = {{\\url{{{}}}}},\n", escape::tex_url(&source.url)));
    if !source.accessed.is_empty() {
        record.push_str(&format!("  note = {{Accessed {}}},\n", escape::tex(&source.accessed)));
    }
    record.push('}');
    record
}
