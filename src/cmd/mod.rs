//! One file a subcommand: options, a call of the library, what is printed. Together with `main` the only place
//! that reads the environment, the clock and the working folder, or writes to the terminal.

mod add;
mod adopt;
mod completions;
mod drafts;
mod edit;
mod fix;
mod gc;
mod hyperlink;
mod ingest;
mod input;
mod list;
mod listing;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "recall")]
mod memory;
mod merge;
pub mod pdf;
mod quote;
#[cfg(feature = "recall")]
mod recall;
mod render;
mod renumber;
mod reply;
mod reset;
mod session;
mod show;
mod skill;
mod terminal;
pub mod usage;
mod verify;
mod withdraw;

use std::io;

use cited::Error;

use crate::cli::{Cli, Command};
use session::Session;
pub use terminal::Terminal;

/// How a command ended that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Exit code 0.
    Fine,
    /// Exit code 1: the answer is no, and was printed.
    No,
    /// Exit code 2: something could not be judged, and was printed.
    NotJudged,
}

/// Why a command stopped before its end.
#[derive(Debug)]
pub enum Failure {
    /// The library's error, to be printed.
    Cited(Error),
    /// The output could not be written.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Cited(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// A command's result.
pub type Done = Result<Outcome, Failure>;

/// Runs the command that the arguments name.
pub fn run(cli: Cli, terminal: &mut Terminal) -> Done {
    #[cfg(feature = "mcp")]
    let flag = cli.ledger.clone();
    let session = Session::new(cli.ledger)?;
    let done = match cli.command {
        Command::Completions(args) => completions::run(&args, terminal),
        Command::Man(args) => man::run(&args, terminal),
        Command::Reset(args) => reset::run(args, &session, terminal),
        Command::Add(args) => add::run(args, &session, terminal),
        Command::Ingest(args) => ingest::run(args, &session, terminal),
        Command::Quote(args) => quote::run(args, &session, terminal),
        Command::List(args) => list::run(args, &session, terminal),
        Command::Show(args) => show::run(args, &session, terminal),
        #[cfg(feature = "recall")]
        Command::Recall(args) => recall::run(args, &session, terminal),
        Command::Verify(args) => verify::run(args, &session, terminal),
        Command::Render(args) => render::run(args, &session, terminal),
        Command::Merge(args) => merge::run(args, &session, terminal),
        Command::Adopt(args) => adopt::run(args, &session, terminal),
        Command::Edit(args) => edit::run(args, &session, terminal),
        Command::Withdraw(args) => withdraw::run(args, &session, terminal),
        Command::Gc(args) => gc::run(args, &session, terminal),
        #[cfg(feature = "recall")]
        Command::Memory(args) => memory::run(args, &session, terminal),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(args, flag),
        Command::Skill(args) => skill::run(args, terminal),
    };
    let flushed = terminal.flush();
    let outcome = done?;
    flushed?;
    Ok(outcome)
}
