//! `cited man`: the manual page of the program, or of one of its commands, as roff to stdout.

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use cited::Error;

use super::{Done, Outcome, Terminal};
use crate::cli::{Cli, ManArgs};

pub fn run(args: &ManArgs, terminal: &mut Terminal) -> Done {
    let mut page = Vec::new();
    let source = concat!("cited ", env!("CARGO_PKG_VERSION"));
    Man::new(command(&args.command)?).source(source).render(&mut page)?;
    // What stands below the options in `--help` has no name of its own for the generator; here it has.
    let page = String::from_utf8_lossy(&page).replacen(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n", 1);
    terminal.raw(page.as_bytes())?;
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
