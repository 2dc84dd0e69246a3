//! A ledger and drafts rewritten as one: all of them or none. The new texts are written beside the old ones, a
//! journal in the ledger's folder names them, and only then is anything renamed, the ledger first. Whoever is
//! killed in between leaves a journal that the next run finishes or undoes: [`Journal::settle`].
//!
//! The journal also remembers which texts came out, so that no draft is renumbered twice. Everything here
//! happens under the ledger's lock. What the new texts are is decided elsewhere.

mod run;
mod wire;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::draft::renumber::Numbers;
use crate::error::{Error, Result};
use crate::evidence::snapshot::Digest;
use crate::file;
use crate::ledger::{Ledger, Locked, Store};
use wire::{Rewritten, Run, Wire};

/// Ends the journal's name, as in `.ledger.json.cited-journal`.
const NAME: &str = "journal";

/// A draft with its new text.
#[derive(Debug, Clone)]
pub struct Rewrite {
    /// The draft's file.
    pub path: PathBuf,
    /// What it holds now.
    pub before: String,
    /// What it shall hold.
    pub after: String,
    /// What its numbers become.
    pub numbers: Numbers,
}

/// What became of a run that was interrupted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// `merge` or `adopt`.
    pub what: String,
    /// It was finished; else it was undone, and nothing of it is left.
    pub finished: bool,
    /// Drafts that somebody changed in between: they keep their text, with the old numbers.
    pub left: Vec<PathBuf>,
}

/// What the journal remembers about a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// It was never rewritten.
    New,
    /// It stands as it was rewritten: its numbers are the ledger's.
    Rewritten,
    /// It was rewritten and has changed since.
    Changed,
}

/// The journal of a ledger whose lock is held.
#[derive(Debug)]
pub struct Journal<'l> {
    locked: &'l Locked<'l>,
    path: PathBuf,
    /// Where the ledger's file is, behind its symbolic links.
    target: PathBuf,
    wire: Wire,
}

/// A run was interrupted, and the next `merge` or `adopt` will settle it.
pub fn is_pending(store: &Store) -> bool {
    let wire = store.companion(NAME).ok().and_then(|path| Wire::read(&path).ok());
    wire.is_some_and(|wire| wire.pending.is_some())
}

/// What is remembered about the draft `path`, which holds `text`.
pub fn memory(store: &Store, path: &Path, text: &str) -> Memory {
    let wire = store.companion(NAME).ok().and_then(|journal| Wire::read(&journal).ok()).unwrap_or_default();
    let known = file::target(store.path()).and_then(|target| stored(path, &real_folder(&target)));
    let known = wire.rewritten.iter().find(|one| known.as_ref().is_ok_and(|path| one.path == *path));
    match known {
        None => Memory::New,
        Some(known) if known.sha256 == Digest::of(text).as_str() => Memory::Rewritten,
        Some(_) => Memory::Changed,
    }
}

/// Removes the journal of a ledger that starts anew.
///
/// # Errors
/// It is there and stays.
pub fn forget(store: &Store) -> Result<()> {
    let path = store.companion(NAME).map_err(|error| Error::unwritable(store.path(), error))?;
    file::remove(&path).map_err(|error| Error::unwritable(&path, error))
}

impl<'l> Journal<'l> {
    /// Reads the journal; an empty one where there is none.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(locked: &'l Locked<'l>) -> Result<Self> {
        let store = locked.store();
        let place = || Ok((store.companion(NAME)?, file::target(store.path())?));
        let (path, target) = place().map_err(|error| Error::unwritable(store.path(), error))?;
        let wire = Wire::read(&path).map_err(|found| {
            Error::no(format!("cannot read the journal `{}`: {found}", path.display()))
                .with_help("it names drafts that were rewritten; move it away if they are as they should be")
        })?;
        Ok(Self { locked, path, target, wire })
    }

    /// Finishes or undoes what an interrupted run left; `None` where there is nothing.
    ///
    /// # Errors
    /// A file that is to be renamed or removed cannot be; the next run tries again.
    pub fn settle(&mut self) -> Result<Option<Settled>> {
        let Some(run) = self.wire.pending.clone() else { return Ok(None) };
        let finished = run.ready && self.take_ledger(&run)?;
        let mut left = Vec::new();
        if finished {
            left = run.finish(&self.folder())?;
        }
        self.close(&run, finished.then_some(left.as_slice()))?;
        Ok(Some(Settled { what: run.what, finished, left }))
    }

    /// Writes the ledger and every draft, or nothing; `what` names the command. Returns the drafts that somebody
    /// changed at this very moment: they keep their text, with the old numbers.
    ///
    /// # Errors
    /// Before the first rename: nothing has changed. After it: the next run finishes.
    pub fn carry_out(&mut self, what: &str, ledger: &Ledger, rewrites: &[Rewrite]) -> Result<Vec<PathBuf>> {
        if rewrites.is_empty() {
            self.locked.write(ledger)?;
            return Ok(Vec::new());
        }
        rewrites.iter().try_for_each(|rewrite| check_writable(&rewrite.path))?;
        let (run, ledger_text) = self.plan(what, ledger, rewrites)?;
        self.wire.pending = Some(run.clone());
        let staged = self.write().and_then(|()| self.stage(&run, ledger_text.as_deref(), rewrites));
        let taken = staged.and_then(|()| self.begin()).and_then(|()| self.take_ledger(&run));
        let failed = match taken {
            Ok(true) => None,
            Ok(false) => Some(changed_in_between()),
            Err(error) => Some(error),
        };
        if let Some(error) = failed {
            self.close(&run, None)?;
            return Err(error);
        }
        let left = run.finish(&self.folder())?;
        self.close(&run, Some(&left))?;
        Ok(left)
    }

    /// The run as the journal names it, and the ledger's new text where it changes.
    fn plan(&self, what: &str, ledger: &Ledger, rewrites: &[Rewrite]) -> Result<(Run, Option<String>)> {
        let old = fs::read(&self.target).ok();
        let text = ledger.is_changed().then(|| crate::ledger::format::write(ledger));
        let files = rewrites.iter().map(|rewrite| self.change(rewrite)).collect::<Result<_>>()?;
        let run = Run {
            what: what.to_owned(),
            ready: false,
            ledger: text.as_ref().map(|text| wire::LedgerChange {
                before: old.map(|old| run::digest(&old)),
                after: Digest::of(text).as_str().to_owned(),
            }),
            files,
        };
        Ok((run, text))
    }

    fn change(&self, rewrite: &Rewrite) -> Result<wire::Change> {
        let numbers: BTreeMap<u32, u32> = rewrite.numbers.iter().map(|(from, to)| (from.0, to.0)).collect();
        Ok(wire::Change {
            path: stored(&rewrite.path, &self.folder())
                .map_err(|error| Error::unwritable(&rewrite.path, error))?,
            before: Digest::of(&rewrite.before).as_str().to_owned(),
            after: Digest::of(&rewrite.after).as_str().to_owned(),
            map: numbers,
        })
    }

    /// Writes the new texts beside the old ones.
    fn stage(&self, run: &Run, ledger: Option<&str>, rewrites: &[Rewrite]) -> Result<()> {
        if let (Some(change), Some(text)) = (&run.ledger, ledger) {
            let staged = run::staged(&self.target, &change.after);
            file::stage(&staged, &self.target, self.locked.store().access(), text.as_bytes())
                .map_err(|error| Error::unwritable(&self.target, error))?;
        }
        for (change, rewrite) in run.files.iter().zip(rewrites) {
            let target = self.folder().join(&change.path);
            let staged = run::staged(&target, &change.after);
            file::stage(&staged, &target, file::Access::Default, rewrite.after.as_bytes())
                .map_err(|error| Error::unwritable(&rewrite.path, error))?;
        }
        Ok(())
    }

    /// From here on the run is finished, not undone.
    fn begin(&mut self) -> Result<()> {
        if let Some(run) = &mut self.wire.pending {
            run.ready = true;
        }
        self.write()
    }

    /// The new ledger takes its place; false where the old one changed since, so that the run must be undone.
    fn take_ledger(&self, run: &Run) -> Result<bool> {
        let Some(change) = &run.ledger else { return Ok(true) };
        let staged = run::staged(&self.target, &change.after);
        let now = fs::read(&self.target).ok().map(|bytes| run::digest(&bytes));
        match run::holds(&staged, &change.after) {
            _ if now.as_deref() == Some(&change.after) => Ok(true),
            true if now == change.before => {
                file::put_in_place(&staged, &self.target)
                    .map_err(|error| Error::unwritable(&self.target, error))?;
                Ok(true)
            }
            true => Ok(false),
            // It was renamed before the run was cut short, and has grown since.
            false => Ok(now != change.before),
        }
    }

    /// Removes what was staged and ends the run. `finished` names the drafts that were left alone.
    fn close(&mut self, run: &Run, finished: Option<&[PathBuf]>) -> Result<()> {
        let folder = self.folder();
        if let Some(change) = &run.ledger {
            let staged = run::staged(&self.target, &change.after);
            file::remove(&staged).map_err(|error| Error::unwritable(&staged, error))?;
        }
        for change in &run.files {
            let target = folder.join(&change.path);
            let staged = run::staged(&target, &change.after);
            if file::folder(&staged).is_dir() {
                file::remove(&staged).map_err(|error| Error::unwritable(&staged, error))?;
            }
            if finished.is_some_and(|left| !left.contains(&target)) {
                self.wire.rewritten.retain(|known| known.path != change.path);
                self.wire
                    .rewritten
                    .push(Rewritten { path: change.path.clone(), sha256: change.after.clone() });
            }
        }
        self.wire.pending = None;
        self.write()
    }

    /// Puts the journal on the disk; an empty one is none.
    fn write(&self) -> Result<()> {
        file::remove_leftovers(&self.path);
        let written = match self.wire.is_empty() {
            true => file::remove(&self.path),
            false => self.wire.text().and_then(|text| file::replace(&self.path, text.as_bytes())),
        };
        written.map_err(|error| Error::unwritable(&self.path, error))
    }

    fn folder(&self) -> PathBuf {
        real_folder(&self.target)
    }
}

/// The folder of `target`, by its real name.
fn real_folder(target: &Path) -> PathBuf {
    let folder = file::folder(target);
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// How the journal of a ledger in `folder` names a draft: below it where it lies there, else by its real name.
fn stored(path: &Path, folder: &Path) -> io::Result<PathBuf> {
    let real = fs::canonicalize(path)?;
    let below = real.strip_prefix(folder).map(Path::to_owned);
    Ok(below.unwrap_or(real))
}

/// A ledger that changes under its own lock was written by something that takes none.
fn changed_in_between() -> Error {
    Error::no("the ledger changed while it was locked; nothing was rewritten")
        .with_help("run the command again when the program that changed it has ended")
}

/// A file that its owner made read-only is not replaced, although its folder would let us.
fn check_writable(path: &Path) -> Result<()> {
    let about = fs::metadata(path).map_err(|error| Error::unwritable(path, error))?;
    match about.permissions().readonly() {
        true => Err(Error::unwritable(path, io::Error::other("it is read-only"))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests;
