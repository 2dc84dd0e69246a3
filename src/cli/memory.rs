//! The options of `cited memory`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub struct MemoryArgs {
    /// The memory file [default: memory.sqlite beside the ledger]
    #[arg(long, global = true, value_name = "PATH")]
    pub memory: Option<PathBuf>,

    #[command(subcommand)]
    pub command: MemoryCommand,
}

#[derive(Debug, Subcommand)]
pub enum MemoryCommand {
    /// Take notes (Markdown, text) into memory, or bring memory up to date with them
    Index(IndexArgs),
    /// Look around: passages near a query, each with its verdict
    Search(SearchArgs),
    /// The evidence for a query, as JSON; or why there is none
    Evidence(EvidenceArgs),
    /// Check an answer against the bundle it was made from
    Validate(ValidateArgs),
    /// Remove notes for good
    Forget(ForgetArgs),
    /// What is in memory
    Stats(StatsArgs),
    /// What is wrong with the notes: supersessions, dates, versions
    Lint(LintArgs),
    /// Measure the threshold on labelled questions
    Calibrate(CalibrateArgs),
}

#[derive(Debug, Args)]
pub struct IndexArgs {
    /// Folders and files
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Remove vanished notes even where that is half of them
    #[arg(long)]
    pub prune: bool,
}

/// What narrows a query.
#[derive(Debug, Args)]
pub struct Narrow {
    /// Only this note: its path beneath the folder that was indexed
    #[arg(long, value_name = "S")]
    pub source: Option<String>,

    /// How many passages, 1 to 50; a number outside counts as the nearest
    #[arg(short, value_name = "N", default_value_t = 5, allow_negative_numbers = true)]
    pub k: i64,

    /// What a retrieval may cost
    #[arg(long, value_name = "NAME", default_value = "legacy")]
    pub profile: CostProfile,
}

/// What a retrieval may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CostProfile {
    /// As many passages as are asked for, no time limit
    Legacy,
    /// Five passages, 250 ms
    Fast,
    /// Five passages, 1500 ms
    Quality,
}

#[derive(Debug, Args)]
pub struct SearchArgs {
    /// What is looked for
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub query: String,

    #[command(flatten)]
    pub narrow: Narrow,

    /// Print the hits as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct EvidenceArgs {
    /// The question
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub query: String,

    #[command(flatten)]
    pub narrow: Narrow,

    /// At most so many passages, where that is fewer
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_items: Option<i64>,
}

#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// The answer; `-` reads stdin
    #[arg(value_name = "ANSWER.json")]
    pub answer: PathBuf,

    /// The bundle that `evidence` printed
    #[arg(long, value_name = "BUNDLE.json")]
    pub bundle: PathBuf,

    /// Print the faults as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ForgetArgs {
    /// Notes, by their paths beneath the folder that was indexed
    #[arg(value_name = "SOURCE", required = true)]
    pub sources: Vec<String>,
}

#[derive(Debug, Args)]
pub struct StatsArgs {
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct LintArgs {
    /// Print the findings as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CalibrateArgs {
    /// A question a line: {"query": "…", "answerable": true}; `-` reads stdin
    #[arg(value_name = "LABELS.jsonl")]
    pub labels: PathBuf,
}
