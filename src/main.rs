//! Parse the arguments, run, print the error, exit.

mod cli;
mod cmd;

use std::io;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use cited::error::Exit;
use cmd::{Failure, Outcome, Terminal};

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
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
        // A reader that has seen enough is no failure.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            let _ =
                terminal.error(&format!("cannot write the output: {}", cited::error::plain(&error)), None);
            ExitCode::from(1)
        }
    }
}

/// Help and version as clap prints them; a usage error as one line and a way out, like every other error.
fn usage(error: &clap::Error) -> ExitCode {
    let shown = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if shown || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(if shown { 0 } else { 2 });
    }
    let text = error.render().to_string();
    let (message, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let message: Vec<&str> = message.trim_start_matches("error: ").split_whitespace().collect();
    let tip = rest
        .lines()
        .find_map(|line| line.trim().strip_prefix("tip: ").or(line.trim().strip_prefix("Usage: ")));
    let mut terminal = Terminal::new(cli::Color::Never, false);
    let _ = terminal.error(&message.join(" "), Some(tip.unwrap_or("`cited --help`")));
    ExitCode::from(2)
}
