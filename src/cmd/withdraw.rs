//! `cited withdraw`: a source that must not be cited any more keeps its id.

use cited::Error;
use cited::ledger::SourceId;

use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::WithdrawArgs;

pub fn run(args: WithdrawArgs, session: &Session, terminal: &mut Terminal) -> Done {
    if args.why.trim().is_empty() {
        let help = format!("such as `cited withdraw {} --why 'retracted by its authors'`", args.id);
        return Err(Error::not_judged("`--why` is blank, and whoever cites the source is told it")
            .with_help(help)
            .into());
    }
    let id = SourceId(args.id);
    session.store()?.update(|ledger| ledger.withdraw(id, &args.why))?;
    terminal.line(&format!("[{id}] withdrawn"))?;
    Ok(Outcome::Fine)
}
