//! RIS records, for Zotero, EndNote and Mendeley.

use super::{Block, Opening, Style, entries};
use crate::ledger::Source;
use crate::text::printable::one_line;

pub const STYLE: Style =
    Style { name: "ris", summary: "RIS records for reference managers", in_draft: false, write };

fn write(sources: &[&Source]) -> Block {
    Block { opening: Opening::Nothing, body: entries(sources, entry) }
}

fn entry(source: &Source) -> String {
    let mut record = format!("TY  - ELEC\nID  - source{}\n", source.id);
    if !source.title.is_empty() {
        record.push_str(&format!("TI  - {}\n", one_line(&source.title)));
    }
    record.push_str(&format!("UR  - {}\n", one_line(&source.url)));
    if !source.accessed.is_empty() {
        record.push_str(&format!("Y2  - {}\n", one_line(&source.accessed).replace('-', "/")));
    }
    record.push_str("ER  - ");
    record
}
