//! `cited reset`: an empty ledger; the old one is kept beside it.

use super::session::{Session, stamp};
use super::{Done, Outcome, Terminal};
use crate::cli::ResetArgs;

pub fn run(args: ResetArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let store = session.store()?;
    let kept = store.reset(!args.no_backup, &stamp())?;
    terminal.line(&format!("ledger reset: {}", store.path().display()))?;
    if let Some(copy) = kept {
        terminal.hint(&format!("the old ledger is kept as `{}`", copy.display()))?;
    }
    Ok(Outcome::Fine)
}
