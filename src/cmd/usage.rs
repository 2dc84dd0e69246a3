//! A command line that clap does not take: help and version as clap prints them, a usage error as one line and a way
//! out, like every other error.

use clap::CommandFactory;
use clap::error::ErrorKind;

use super::Terminal;
use crate::cli::{Cli, Color};

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
    let mut terminal = Terminal::new(Color::Never, false);
    let help = way_out(error.kind(), rest).unwrap_or_else(help_of_the_command);
    let _ = terminal.error(&in_plain_words(&message.join(" ")), Some(&help));
    2
}

/// What clap proposes, where following it would help: a similar word, or what is missing.
fn way_out(kind: ErrorKind, rest: &str) -> Option<String> {
    let line = |start: &str| rest.lines().find_map(|line| line.trim().strip_prefix(start));
    let similar = line("tip: ").filter(|tip| !tip.starts_with("to pass "));
    let missing = line("Usage: ").filter(|_| kind == ErrorKind::MissingRequiredArgument);
    similar.or(missing).map(str::to_owned)
}

/// The `--help` of the command that was asked for.
fn help_of_the_command() -> String {
    let (mut found, mut names) = (&Cli::command(), vec!["cited".to_owned()]);
    for word in std::env::args().skip(1) {
        if let Some(command) = found.find_subcommand(&word) {
            names.push(word);
            found = command;
        }
    }
    format!("`{} --help`", names.join(" "))
}

/// The words of the standard library about numbers, as a user would say it.
fn in_plain_words(message: &str) -> String {
    let said = ["invalid digit found in string", "cannot parse integer from empty string"];
    let whole =
        said.iter().fold(message.to_owned(), |text, said| text.replace(said, "it is no whole number"));
    whole.replace("invalid float literal", "it is no number")
}
