//! `cited reset`: an empty ledger; the old one is kept beside it.

use cited::journal::{self, Journal};

use super::renumber;
use super::session::{Session, file_stamp};
use super::{Done, Failure, Outcome, Terminal};
use crate::cli::ResetArgs;

pub fn run(args: ResetArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let store = session.store()?;
    settle(session, terminal)?;
    let backup = (!args.no_backup).then(file_stamp);
    let kept = store.reset(backup.as_deref())?;
    journal::forget(&store)?;
    terminal.line(&format!("ledger reset: {}", store.path().display()))?;
    if let Some(copy) = kept {
        terminal.hint(&format!("the old ledger is kept as `{}`", copy.display()))?;
    }
    Ok(Outcome::Fine)
}

/// A draft that waits for its numbers gets them before they mean nothing.
fn settle(session: &Session, terminal: &mut Terminal) -> Result<(), Failure> {
    let store = session.store()?;
    if journal::is_pending(&store) {
        let locked = store.locked()?;
        renumber::settle(&mut Journal::open(&locked)?, terminal)?;
    }
    Ok(())
}
