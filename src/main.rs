//! Parse the arguments, run, print the error, exit.

#![deny(clippy::exit, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::dbg_macro)]

mod cli;
mod cmd;

use std::process::ExitCode;

use clap::Parser;

use cited::error::Exit;
use cmd::{Failure, Outcome, Terminal};

fn main() -> ExitCode {
    if let Some(code) = cmd::pdf::serve_if_child() {
        return code;
    }
    outlive_size_limits();
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(cmd::usage::print(&error)),
    };
    let mut terminal = Terminal::new(cli.color, cli.quiet);
    match cmd::run(cli, &mut terminal) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::No) => ExitCode::from(1),
        Ok(Outcome::NotJudged) => ExitCode::from(2),
        Err(Failure::Cited(error)) => {
            let _ = terminal.error(&error.to_string(), error.help().as_deref());
            ExitCode::from(if error.exit() == Exit::No { 1 } else { 2 })
        }
        Err(Failure::Output(error)) => {
            let _ =
                terminal.error(&format!("cannot write the output: {}", cited::error::plain(&error)), None);
            ExitCode::from(1)
        }
    }
}

/// Makes a write beyond the file-size limit of the process an error like a full disk, where it would else end
/// the process in the middle of a write.
#[cfg(unix)]
fn outlive_size_limits() {
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

#[cfg(not(unix))]
fn outlive_size_limits() {}
