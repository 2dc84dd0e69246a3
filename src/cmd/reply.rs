//! What a reply holds besides its sources: passages that it quotes, attached where they stand in the page text
//! that came with them, and answers, printed with ledger ids.

use std::collections::{BTreeMap, BTreeSet};

use cited::evidence::snapshot::Digest;
use cited::evidence::{Page, Verdict};
use cited::ingest::{Findings, Found};
use cited::ledger::{Ledger, Quote, SourceId};
use cited::register::quotes::{Keep, anchor};
use cited::register::replies;
use cited::text::printable::{one_line, printable};

use super::session::today;
use super::{Failure, Outcome, Terminal};

/// What became of the passages that a reply quotes.
#[derive(Default)]
pub struct Offered {
    attached: usize,
    /// No page text came with them.
    without_page: usize,
    /// They are not on their page, word for word.
    refused: usize,
}

/// What the reply holds about one source.
#[derive(Default)]
struct Material<'f> {
    bodies: Vec<&'f str>,
    passages: BTreeSet<&'f str>,
}

/// Attaches the passages that stand in a body of their own source; `ids` holds the id of every finding.
pub fn attach_quotes(
    ledger: &mut Ledger,
    found: &[Found],
    ids: &[Option<SourceId>],
) -> cited::Result<Offered> {
    let mut by_id: BTreeMap<SourceId, Material> = BTreeMap::new();
    for (one, id) in found.iter().zip(ids) {
        let Some(id) = id else { continue };
        let material = by_id.entry(*id).or_default();
        material.bodies.extend(one.body.as_deref());
        material
            .passages
            .extend(one.quotes.iter().map(|quote| quote.trim()).filter(|quote| !quote.is_empty()));
    }
    let mut offered = Offered::default();
    for (id, material) in by_id.iter().filter(|(_, material)| !material.passages.is_empty()) {
        attach(ledger, *id, material, &mut offered)?;
    }
    Ok(offered)
}

fn attach(
    ledger: &mut Ledger,
    id: SourceId,
    material: &Material,
    offered: &mut Offered,
) -> cited::Result<()> {
    let mut open: Vec<&str> = material.passages.iter().copied().collect();
    // The newest text first: it is the one that is kept as the page.
    let pages: Vec<Page> =
        material.bodies.iter().rev().filter_map(|body| Some(replies::body(body)?.into_page())).collect();
    for page in &pages {
        let digest = Digest::of(page.text());
        let mut rest = Vec::new();
        for (text, verdict) in open.iter().zip(page.find_all(&open)) {
            let Verdict::Found(place) = verdict else {
                rest.push(*text);
                continue;
            };
            let anchor = Some(anchor(&place, page, digest.as_str(), Keep::Page));
            let quote = Quote { text: (*text).to_owned(), added: today(), anchor, ..Quote::default() };
            ledger.attach_quote(id, quote)?;
            offered.attached += 1;
        }
        open = rest;
    }
    let count = if pages.is_empty() { &mut offered.without_page } else { &mut offered.refused };
    *count += open.len();
    Ok(())
}

/// Says how many passages became evidence, and how many did not and why.
pub fn report(offered: &Offered, terminal: &mut Terminal) -> Result<(), Failure> {
    let passages =
        |count: usize| if count == 1 { "1 passage".to_owned() } else { format!("{count} passages") };
    terminal.hint(&format!("{} attached as evidence", passages(offered.attached)))?;
    if offered.refused > 0 {
        terminal.warn(&format!("{} left out: not on the page word for word", passages(offered.refused)))?;
    }
    if offered.without_page > 0 {
        let count = passages(offered.without_page);
        terminal.warn(&format!("{count} left out: no page text came with them to check them against"))?;
    }
    Ok(())
}

/// Prints every answer with ledger ids; local numbers without a source are left out and named.
pub fn print_answers(
    findings: &Findings,
    ids: &[Option<SourceId>],
    outcome: Outcome,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let mut left_out = Vec::new();
    for (at, answer) in findings.answers.iter().enumerate() {
        let rewritten = answer.rewritten(&findings.found, ids);
        if at > 0 {
            terminal.raw(b"\n")?;
        }
        print_text(&rewritten.text, terminal)?;
        left_out.extend(rewritten.left_out);
    }
    if !left_out.is_empty() {
        let names: Vec<String> = left_out.iter().map(|name| format!("`{}`", one_line(name))).collect();
        terminal
            .warn(&format!("left out of the answer, since no source explains them: {}", names.join(", ")))?;
    }
    if findings.answers.is_empty() {
        terminal.error(
            "the input holds no answer, only sources",
            Some("without --answer their ids are printed"),
        )?;
        return Ok(if outcome == Outcome::Fine { Outcome::No } else { outcome });
    }
    Ok(outcome)
}

/// Text for a draft: byte for byte into a file or pipe, harmless on a terminal.
fn print_text(text: &str, terminal: &mut Terminal) -> Result<(), Failure> {
    let text = text.trim_end_matches(['\n', '\r']);
    if terminal.is_terminal() {
        let shown: Vec<String> =
            text.lines().map(|line| line.split('\t').map(printable).collect::<Vec<_>>().join("\t")).collect();
        terminal.raw(shown.join("\n").as_bytes())?;
    } else {
        terminal.raw(text.as_bytes())?;
    }
    Ok(terminal.raw(b"\n")?)
}
