//! Arguments of the commands that carry drafts from one numbering into another.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Ledgers to take in; ids of this ledger never move
    #[arg(value_name = "OTHER", required = true)]
    pub others: Vec<PathBuf>,

    /// Drafts that cite the other ledger's ids (with one OTHER); they get this ledger's
    #[arg(long, value_name = "DRAFT", num_args = 1..)]
    pub rewrite: Vec<PathBuf>,

    /// Print what each id becomes; change nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct AdoptArgs {
    /// Drafts with a numbered list of sources
    #[arg(value_name = "DRAFT", required = true)]
    pub drafts: Vec<PathBuf>,

    /// Print what each number becomes; change nothing
    #[arg(long)]
    pub dry_run: bool,
}
