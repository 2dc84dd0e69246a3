//! The command line: clap structs only. What the options mean is decided in `cmd`.

pub mod agent;
mod examples;
mod joining;
#[cfg(feature = "recall")]
pub mod memory;
mod verify;

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

pub use joining::{AdoptArgs, MergeArgs};
pub use verify::{Evidence, Strict, VerifyArgs};

/// The heading in `--help` of what every command takes, below the options of its own.
const EVERYWHERE: &str = "Options of every command";

/// A citation ledger for grounded documents.
///
/// Register every page at the moment you retrieve it and cite it by the number you get back; `cited` keeps the
/// URLs, writes the Sources block and checks the draft.
#[derive(Debug, Parser)]
#[command(
    name = "cited",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    infer_long_args = true,
    args_override_self = true
)]
pub struct Cli {
    /// The ledger file [env: CITED_LEDGER, HERMES_CITATION_LEDGER]
    #[arg(long, global = true, value_name = "PATH", help_heading = EVERYWHERE)]
    pub ledger: Option<PathBuf>,

    /// When to use colour; auto: on a terminal, unless NO_COLOR or CLICOLOR say otherwise
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = EVERYWHERE)]
    pub color: Color,

    /// No hints and warnings on stderr
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub quiet: bool,

    #[command(subcommand)]
    pub command: Command,
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start an empty ledger; a copy of the old one is kept beside it
    #[command(after_help = examples::RESET)]
    Reset(ResetArgs),
    /// Register pages and print their ids
    #[command(after_help = examples::ADD)]
    Add(AddArgs),
    /// Register every source in what a search, extract or answer tool returned
    #[command(after_help = examples::INGEST)]
    Ingest(IngestArgs),
    /// Attach verbatim evidence to a source
    #[command(after_help = examples::QUOTE)]
    Quote(QuoteArgs),
    /// Print the sources
    #[command(after_help = examples::LIST)]
    List(ListArgs),
    /// Print a source with its quotes, where they stand, and whether they still hold
    #[command(after_help = examples::SHOW)]
    Show(ShowArgs),
    /// Write the Sources block
    #[command(after_help = examples::RENDER)]
    Render(RenderArgs),
    /// Check drafts against the ledger
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
    /// Take in other ledgers, and give the drafts that cite them this ledger's ids
    #[command(after_help = examples::MERGE)]
    Merge(MergeArgs),
    /// Take over drafts that came with a list of sources of their own
    #[command(after_help = examples::ADOPT)]
    Adopt(AdoptArgs),
    /// Ask every memory store that can be reached, and answer with citations or say why not
    #[cfg(feature = "recall")]
    #[command(after_help = examples::RECALL)]
    Recall(RecallArgs),
    /// Correct a source's title
    #[command(after_help = examples::EDIT)]
    Edit(EditArgs),
    /// Keep a source's id, but make citing it an error
    #[command(after_help = examples::WITHDRAW)]
    Withdraw(WithdrawArgs),
    /// List, or remove, evidence snapshots that no ledger in the folder names
    #[command(after_help = examples::GC)]
    Gc(GcArgs),
    /// Notes as evidence: index them, ask them, check answers against them
    #[cfg(feature = "recall")]
    #[command(after_help = examples::MEMORY)]
    Memory(memory::MemoryArgs),
    /// Print what a shell needs to complete command lines
    Completions(CompletionsArgs),
    /// Print the manual page of the program, or of one command
    Man(ManArgs),
    /// Serve ledger, memory and recall to an agent over stdio (Model Context Protocol)
    #[cfg(feature = "mcp")]
    Mcp(agent::McpArgs),
    /// Print, or install, the procedures that teach an agent to work with this program
    #[command(after_help = examples::SKILL)]
    Skill(agent::SkillArgs),
}

#[derive(Debug, Args)]
pub struct ResetArgs {
    /// Keep no copy of the old ledger
    #[arg(long)]
    pub no_backup: bool,
}

#[derive(Debug, Args)]
pub struct AddArgs {
    /// URLs, DOIs, arXiv ids or local files; `-` reads one a line from stdin
    #[arg(value_name = "URL", required = true)]
    pub urls: Vec<String>,

    /// The page's title (with one URL)
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub title: Option<String>,

    /// The day it was retrieved, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DATE")]
    pub accessed: Option<String>,

    /// How it was found: web, reddit, rss, video, code…
    #[arg(long, value_name = "NAME")]
    pub via: Option<String>,

    /// Print the entries as a JSON array
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct IngestArgs {
    /// JSON, JSON Lines or saved event streams; `-` reads stdin
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// How the sources were found: web, reddit, rss, video, code…
    #[arg(long, value_name = "NAME")]
    pub via: Option<String>,

    /// Print the entries as a JSON array
    #[arg(long)]
    pub json: bool,

    /// Attach the passages that the reply quotes, where they stand in the page text that came with it
    #[arg(long)]
    pub quotes: bool,

    /// Print the reply's own answer with ledger ids in place of its numbers, ready to be pasted into a draft
    #[arg(long, conflicts_with = "json")]
    pub answer: bool,

    /// Print what would be registered; change nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct QuoteArgs {
    /// The source's id
    #[arg(value_name = "ID")]
    pub id: u32,

    /// Words that stand on the page (repeatable)
    #[arg(long, value_name = "T", required = true, allow_hyphen_values = true, action = ArgAction::Append)]
    pub text: Vec<String>,

    /// The page as it was retrieved; `-` reads stdin [default: the source's snapshot]
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,

    /// How to read the page [default: told by its content]
    #[arg(long = "as", value_name = "KIND")]
    pub kind: Option<PageKind>,

    /// Keep the hash and the place of the quote, but not the page's text
    #[arg(long)]
    pub no_snapshot: bool,

    /// Refuse words that run from one block of the page into the next
    #[arg(long)]
    pub strict: bool,
}

/// How a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PageKind {
    /// As it stands
    Text,
    /// As Markdown
    Markdown,
    /// The visible text of an HTML page
    Html,
    /// The text of a PDF
    Pdf,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only sources without a quote
    #[arg(long)]
    pub unquoted: bool,

    /// Only sources that were found so: web, memory, draft…
    #[arg(long, value_name = "NAME")]
    pub via: Option<String>,

    /// Only sources with this text in title or URL, in upper or lower case
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub grep: Option<String>,

    /// Print the entries as a JSON array
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The source's id
    #[arg(value_name = "ID")]
    pub id: u32,

    /// Print it as a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RenderArgs {
    /// How the block is written
    #[arg(long, value_name = "STYLE", default_value = "markdown", value_parser = style_names())]
    pub style: String,

    /// Only these ids: 1,3,5-7
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    pub only: Option<String>,

    /// Only what this draft cites; `-` reads stdin
    #[arg(long, value_name = "DRAFT")]
    pub cited_in: Option<PathBuf>,

    /// Rewrite the Sources block of this draft in place
    #[arg(long, value_name = "DRAFT")]
    pub replace_in: Option<PathBuf>,
}

/// The style table decides what `--style` takes and `--help` lists.
fn style_names() -> clap::builder::PossibleValuesParser {
    cited::render::STYLES
        .iter()
        .map(|style| clap::builder::PossibleValue::new(style.name).help(style.summary))
        .into()
}

#[cfg(feature = "recall")]
#[derive(Debug, Args)]
pub struct RecallArgs {
    /// The question
    #[arg(
        long,
        short = 'q',
        value_name = "TEXT",
        required_unless_present = "check",
        allow_hyphen_values = true
    )]
    pub query: Option<String>,

    /// The most passages of each source, 1 to 1000
    #[arg(long, short, value_name = "N", default_value_t = 5)]
    pub limit: u32,

    /// Print the report as JSON (the default)
    #[arg(long)]
    pub json: bool,

    /// Write the report as a self-contained page [default file: cited_recall_output.html]
    #[arg(long)]
    pub html: bool,

    /// The file to write, `-` for stdout; with --json and --html together, the page's
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,

    #[arg(long, value_name = "NAMES", value_delimiter = ',', help = sources_help())]
    pub sources: Vec<String>,

    /// Who may word the answer: the first that is reachable, one of them, or nobody
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = llm_names())]
    pub llm: String,

    /// The fewest sources that an answer rests on; our own memory may answer alone
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_sources: u32,

    /// The least evidence that is answered from, 0 to 1 [default: 0.3]
    #[arg(long, value_name = "SHARE")]
    pub threshold: Option<f64>,

    /// How a text that several sources returned is scored
    #[arg(long, value_name = "HOW", default_value = "keep")]
    pub fusion: Fusion,

    /// A file or folder of notes to read beside MEMORY.md (repeatable)
    #[arg(long, value_name = "PATH", action = ArgAction::Append)]
    pub context: Vec<PathBuf>,

    /// Our own notes: an index or a folder [default: memory.sqlite beside the ledger, else ./memory]
    #[arg(long, value_name = "PATH")]
    pub memory: Option<PathBuf>,

    /// Say which sources and models can be reached and what each would be asked; ask nothing
    #[arg(long, conflicts_with_all = ["query", "html"])]
    pub check: bool,
}

/// The table of adapters decides what `--sources` takes; recall itself refuses other names.
#[cfg(feature = "recall")]
fn sources_help() -> String {
    let names: Vec<&str> = cited::recall::adapters::ADAPTERS.iter().map(|adapter| adapter.name).collect();
    format!("Ask only these, with commas between: {}", names.join(", "))
}

/// The provider table decides what `--llm` takes and `--help` lists.
#[cfg(feature = "recall")]
fn llm_names() -> clap::builder::PossibleValuesParser {
    cited::recall::models::Choice::names().into()
}

/// How a text that several sources returned is scored.
#[cfg(feature = "recall")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fusion {
    /// By its best place
    Keep,
    /// By the sum of its places
    Sum,
}

#[derive(Debug, Args)]
pub struct EditArgs {
    /// The source's id
    #[arg(value_name = "ID")]
    pub id: u32,

    /// Its right title
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub title: String,
}

#[derive(Debug, Args)]
pub struct WithdrawArgs {
    /// The source's id
    #[arg(value_name = "ID")]
    pub id: u32,

    /// Why it must not be cited
    #[arg(long, value_name = "REASON", allow_hyphen_values = true)]
    pub why: String,
}

#[derive(Debug, Args)]
pub struct GcArgs {
    /// Remove them; without it they are only listed
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// A command, such as `verify` or `memory index` [default: the program]
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,
}
