//! `cited withdraw`: a source that must not be cited any more keeps its id.

use cited::ledger::SourceId;

use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::WithdrawArgs;

pub fn run(args: WithdrawArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let id = SourceId(args.id);
    session.store()?.update(|ledger| ledger.withdraw(id, &args.why))?;
    terminal.line(&format!("[{id}] withdrawn"))?;
    Ok(Outcome::Fine)
}
