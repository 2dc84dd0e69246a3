//! `cited completions`: what a shell needs to complete command lines, to stdout.

use clap::CommandFactory;

use super::{Done, Outcome, Terminal};
use crate::cli::{Cli, CompletionsArgs};

pub fn run(args: &CompletionsArgs, terminal: &mut Terminal) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cited", &mut script);
    terminal.raw(&script)?;
    Ok(Outcome::Fine)
}
