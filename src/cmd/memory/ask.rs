//! Asking: `search` for a person, `evidence` for a model.

use std::path::PathBuf;

use cited::memory::bundle::{INDEX_NOT_READY, Item};
use cited::memory::hits::HitsReport;
use cited::memory::{Args, Decision, Memory, count};
use cited::text::printable::one_line;

use super::super::{Done, Outcome, Terminal};
use super::{at_this_instant, print_json, profile};
use crate::cli::memory::{EvidenceArgs, Narrow, SearchArgs};

/// How much of a passage a person is shown, in characters.
const SNIPPET_CHARS: usize = 160;

pub fn evidence(args: EvidenceArgs, path: PathBuf, terminal: &mut Terminal) -> Done {
    let memory = Memory::with_profile(path, profile(args.narrow.profile), None);
    let narrow = Args { max_items: args.max_items.map(count), ..narrowed(&args.narrow) };
    let bundle = at_this_instant(|now| memory.evidence(&args.query, &narrow, now))?;
    print_json(&bundle, terminal)?;
    if bundle.failure_code == Some(INDEX_NOT_READY) {
        let missing = format!("no notes in the memory `{}`", memory.path().display());
        terminal.error(&missing, Some("`cited memory index PATH...` takes notes in"))?;
        return Ok(Outcome::NotJudged);
    }
    Ok(if bundle.decision == Decision::Answer { Outcome::Fine } else { Outcome::No })
}

pub fn search(args: SearchArgs, path: PathBuf, terminal: &mut Terminal) -> Done {
    let memory = Memory::with_profile(path, profile(args.narrow.profile), None);
    let found = at_this_instant(|now| memory.search(&args.query, &narrowed(&args.narrow), now))?;
    if args.json {
        print_json(&HitsReport::of(&args.query, memory.profile(), &found), terminal)?;
    } else if found.hits.is_empty() {
        terminal.line("nothing in memory has a word of it")?;
    } else {
        found.hits.iter().try_for_each(|hit| print_hit(hit, terminal))?;
    }
    Ok(if found.hits.is_empty() { Outcome::No } else { Outcome::Fine })
}

fn narrowed(narrow: &Narrow) -> Args<'_> {
    Args { source: narrow.source.as_deref(), k: Some(count(narrow.k)), ..Args::default() }
}

/// `ok 0.83  ice.md#0  0123456789abcdef` and the beginning of the passage below it.
fn print_hit(hit: &Item, terminal: &mut Terminal) -> std::io::Result<()> {
    let verdict = hit.verdict.name();
    terminal
        .line(&format!("{verdict} {:.2}  {}#{}  {}", hit.score, hit.source, hit.ordinal, hit.chunk_id))?;
    let snippet: String = one_line(&hit.text).chars().take(SNIPPET_CHARS).collect();
    terminal.line(&format!("    {snippet}"))
}
