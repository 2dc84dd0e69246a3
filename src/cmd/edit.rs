//! `cited edit`: a source's right title.

use cited::ledger::SourceId;

use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::EditArgs;

pub fn run(args: EditArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let id = SourceId(args.id);
    session.store()?.update(|ledger| ledger.set_title(id, &args.title))?;
    terminal.line(&format!("[{id}] title corrected"))?;
    Ok(Outcome::Fine)
}
