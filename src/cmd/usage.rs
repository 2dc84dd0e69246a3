//! A command line that clap does not take: help and version as clap prints them, a usage error as one line and a way
//! out, like every other error.

use clap::error::ErrorKind;

use super::Terminal;
use crate::cli::Color;

/// Prints it and returns the exit code.
pub fn print(error: &clap::Error) -> u8 {
    let shown = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if shown || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return if shown { 0 } else { 2 };
    }
    let text = error.render().to_string();
    let (message, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let message: Vec<&str> = message.trim_start_matches("error: ").split_whitespace().collect();
    let tip = rest
        .lines()
        .find_map(|line| line.trim().strip_prefix("tip: ").or(line.trim().strip_prefix("Usage: ")));
    let mut terminal = Terminal::new(Color::Never, false);
    let _ = terminal.error(&message.join(" "), Some(tip.unwrap_or("`cited --help`")));
    2
}
