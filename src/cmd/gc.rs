//! `cited gc`: snapshots that no ledger in the folder names are listed or, with `--yes`, removed. It runs under the
//! ledger's lock, as everything that keeps snapshots does.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use cited::Error;

use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::GcArgs;

/// Hex digits of a SHA-256.
const DIGEST_LEN: usize = 64;

pub fn run(args: GcArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let store = session.store()?;
    let unused = store.update(|_| {
        let unused = unused(session)?;
        if args.yes {
            unused.iter().try_for_each(|path| remove(path))?;
        }
        Ok(unused)
    })?;
    unused.iter().try_for_each(|path| terminal.line(&path.display().to_string()))?;
    match (unused.len(), args.yes) {
        (0, _) => terminal.hint("every snapshot is named by a ledger")?,
        (count, true) => terminal.hint(&format!("{count} removed"))?,
        (count, false) => {
            terminal.hint(&format!("{count} would be removed; `cited gc --yes` removes them"))?
        }
    }
    Ok(Outcome::Fine)
}

fn unused(session: &Session) -> cited::Result<Vec<PathBuf>> {
    let snapshots = session.snapshots()?;
    if !snapshots.folder().is_dir() {
        return Ok(Vec::new());
    }
    let ledger = session.ledger_path()?;
    let folder = cited::file::folder(&ledger);
    let named = named_in(folder).map_err(|error| Error::unreadable(folder, &error))?;
    snapshots.unused(&named).map_err(|error| Error::unreadable(snapshots.folder(), &error))
}

/// Every digest that stands in a JSON file of the folder: ledgers, their copies, and also files that are too
/// damaged to be read as a ledger and may be mended later.
fn named_in(folder: &Path) -> std::io::Result<HashSet<String>> {
    let mut named = HashSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && path.extension().is_some_and(|ending| ending == "json") {
            let bytes = fs::read(&path)?;
            let runs = bytes.split(|byte| !byte.is_ascii_hexdigit()).filter(|run| run.len() == DIGEST_LEN);
            named.extend(runs.map(|run| String::from_utf8_lossy(run).into_owned()));
        }
    }
    Ok(named)
}

fn remove(path: &Path) -> cited::Result<()> {
    fs::remove_file(path).map_err(|error| Error::unwritable(path, error))
}
