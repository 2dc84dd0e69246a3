//! `cited verify --fix`: markers are written the canonical way, and the Sources block is written anew where
//! only the block is at fault. Where a finding says that numbers and pages do not belong together, the block
//! stays: a new one would make a wrong citation look right.

use std::path::Path;

use cited::diagnostic::Diagnostic;
use cited::draft::rewrite::{Opening, replace_blocks};
use cited::draft::{self, BlockKind, Draft};
use cited::ledger::Ledger;
use cited::render::selection::Selection;
use cited::render::{self, Style};
use cited::report::{self, Judged, Report};
use cited::verify::fix;
use cited::{Error, Result, file};

use super::drafts::Given;

/// Findings that a new block mends.
const MENDED: [&str; 4] = ["no-sources-block", "not-listed", "listed-not-cited", "title-mismatch"];
/// Findings that a new block would hide.
const HIDDEN: [&str; 5] = ["unknown-id", "url-mismatch", "listed-unknown", "duplicate-entry", "ambiguous-id"];

/// Writes every draft that a fix changes; says whether there was one.
///
/// # Errors
/// A draft cannot be written, or is standard input.
pub fn fix_all(
    given: &mut [Given],
    report: &Report,
    ledger: &Ledger,
    reading: &draft::Options,
) -> Result<bool> {
    let mut changed = false;
    for (one, draft) in given.iter_mut().zip(&report.drafts) {
        let report::Outcome::Judged(judged) = &draft.outcome else { continue };
        let Some(fixed) = fixed(judged, ledger, reading) else { continue };
        save(&one.path, &fixed)?;
        one.text = Ok(fixed);
        changed = true;
    }
    Ok(changed)
}

fn save(path: &Path, text: &str) -> Result<()> {
    if path.as_os_str() == "-" {
        let refused = Error::not_judged("standard input cannot be fixed in place");
        return Err(refused.with_help("name the draft's file"));
    }
    file::replace(path, text.as_bytes()).map_err(|error| Error::unwritable(path, error))
}

fn fixed(judged: &Judged, ledger: &Ledger, reading: &draft::Options) -> Option<String> {
    let markers = fix::apply(&judged.text, &judged.findings, reading, ledger);
    let text = markers.as_deref().unwrap_or(&judged.text);
    let block = needs_block(&judged.findings).then(|| with_block(text, ledger, reading)).flatten();
    block.or(markers).filter(|fixed| *fixed != judged.text)
}

fn needs_block(findings: &[Diagnostic]) -> bool {
    let any = |rules: &[&str]| findings.iter().any(|finding| rules.contains(&finding.rule));
    any(&MENDED) && !any(&HIDDEN)
}

/// The draft with a block of what it cites, in the style of the block that it has.
fn with_block(text: &str, ledger: &Ledger, reading: &draft::Options) -> Option<String> {
    let draft = Draft::parse(text, reading, ledger);
    let sources = Selection::of(&draft.cited()).choose(ledger);
    let (style, opening) = style(&draft)?;
    (!sources.is_empty()).then(|| replace_blocks(&draft, &(style.write)(&sources).body, opening))
}

fn style(draft: &Draft) -> Option<(&'static Style, Opening)> {
    let block = draft.blocks.iter().rfind(|block| block.generated);
    let (name, opening) = match block.map(|block| block.kind) {
        Some(BlockKind::Footnotes) => ("footnotes", Opening::Nothing),
        Some(BlockKind::Bibtex) => ("bibtex", Opening::Nothing),
        Some(BlockKind::List) if block.is_some_and(|b| b.entries.iter().any(|e| !e.quotes.is_empty())) => {
            ("evidence", Opening::Heading)
        }
        Some(BlockKind::List) if block.is_some_and(|b| b.heading.as_ref().is_some_and(|h| h.level == 0)) => {
            ("plain", Opening::Line)
        }
        Some(BlockKind::List) | None => ("markdown", Opening::Heading),
    };
    Some((render::style(name)?, opening))
}
