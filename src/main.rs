//! Parse the arguments, run, print the error, exit.

mod cli;

use clap::Parser;

fn main() {
    let _ = cli::Cli::parse();
}
