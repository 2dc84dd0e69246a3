//! `cited man`: the manual page of the program, or of one of its commands, as roff to stdout.

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use cited::Error;

use super::{Done, Outcome, Terminal};
use crate::cli::{Cli, ManArgs};

pub fn run(args: &ManArgs, terminal: &mut Terminal) -> Done {
    let mut page = Vec::new();
    Man::new(command(&args.command)?).render(&mut page)?;
    terminal.raw(&page)?;
    Ok(Outcome::Fine)
}

/// The command that `names` lead to.
fn command(names: &[String]) -> Result<Command, Error> {
    let mut whole = Cli::command();
    whole.build();
    let mut found = &whole;
    for name in names {
        found = found.find_subcommand(name).ok_or_else(|| {
            Error::not_judged(format!("no command `{name}`"))
                .with_help("`cited --help` lists the commands; `cited man verify` prints a page")
        })?;
    }
    Ok(found.clone())
}
