//! What `merge` and `adopt` share: the drafts to rewrite, new numbers for them, and one run for all.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cited::Error;
use cited::draft::renumber::{Numbers, renumbered};
use cited::draft::{self, Draft};
use cited::journal::{self, Journal, Rewrite};
use cited::ledger::{Ledger, SourceId, Store};

use super::input::read_text;
use super::{Failure, Terminal};

/// A draft that is to be rewritten.
pub struct Given {
    pub path: PathBuf,
    pub text: String,
}

/// The drafts that the arguments name, in their order, each once.
pub fn read_drafts(paths: &[PathBuf]) -> cited::Result<Vec<Given>> {
    let mut seen = BTreeSet::new();
    let mut given = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            let refused = Error::not_judged("standard input cannot be rewritten in place");
            return Err(refused.with_help("name the draft's file"));
        }
        let text = read_text(path)?;
        if seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())) {
            given.push(Given { path: path.clone(), text });
        }
    }
    Ok(given)
}

/// Numbers without a page that the ledger has given to a page of its own get others, which it will never issue:
/// else they would cite that page. Returns those that moved.
pub fn set_aside(
    without_page: &BTreeSet<SourceId>,
    ledger: &mut Ledger,
    numbers: &mut Numbers,
) -> Vec<(SourceId, SourceId)> {
    let mut moved = Vec::new();
    for id in without_page.iter().filter(|id| ledger.get(**id).is_some()).copied().collect::<Vec<_>>() {
        let aside = ledger.retire_id();
        numbers.insert(id, aside);
        moved.push((id, aside));
    }
    moved
}

/// The draft with new numbers, held against what it must read as; `None` where nothing changes.
pub fn rewrite(
    given: &Given,
    draft: &Draft,
    numbers: Numbers,
    ledger: &Ledger,
    reading: &draft::Options,
) -> cited::Result<Option<Rewrite>> {
    let new = renumbered(draft, &numbers);
    if new.text == given.text {
        return Ok(None);
    }
    if let Some(at) = new.expected.differs_in(&Draft::parse(&new.text, reading, ledger)) {
        let line = draft.text.get(..at).unwrap_or_default().matches('\n').count() + 1;
        let message =
            format!("`{}` line {line} would not read the same with new numbers", given.path.display());
        return Err(Error::no(message).with_help("write the citations as `[1][2]` right after the statement"));
    }
    Ok(Some(Rewrite { path: given.path.clone(), before: given.text.clone(), after: new.text, numbers }))
}

/// Finishes or undoes what an interrupted run left, and says so.
pub fn settle(journal: &mut Journal, terminal: &mut Terminal) -> Result<(), Failure> {
    let Some(settled) = journal.settle()? else { return Ok(()) };
    let done = if settled.finished { "finished" } else { "undone" };
    terminal.hint(&format!("`{}` had been cut short; it is {done} now", settled.what))?;
    warn_of(&settled.left, terminal)
}

/// Writes the ledger and the drafts, all or nothing.
pub fn carry_out(
    journal: &mut Journal,
    what: &str,
    ledger: &Ledger,
    rewrites: &[Rewrite],
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let left = journal.carry_out(what, ledger, rewrites)?;
    warn_of(&left, terminal)
}

fn warn_of(left: &[PathBuf], terminal: &mut Terminal) -> Result<(), Failure> {
    for path in left {
        terminal.warn(&format!("`{}` was changed in between and keeps its old numbers", path.display()))?;
    }
    Ok(())
}

/// Says that a run was cut short, for commands that change nothing.
pub fn mention(store: &Store, terminal: &mut Terminal) -> Result<(), Failure> {
    if journal::is_pending(store) {
        terminal.warn("`merge` or `adopt` was cut short, so drafts may still have old numbers; the next `merge` or `adopt` finishes or undoes it")?;
    }
    Ok(())
}
