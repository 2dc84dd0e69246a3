//! Arguments of `cited verify`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Drafts, folders of Markdown, globs; `-` reads stdin
    #[arg(value_name = "DRAFT", required = true)]
    pub drafts: Vec<PathBuf>,

    /// Warnings fail too; `=all` adds notes
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "warnings")]
    pub strict: Option<Strict>,

    /// The least share of sentences with declared provenance, 0 to 1 or `60%`
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share)]
    pub min_coverage: Option<f64>,

    /// Every cited source needs a quote that still stands on its page
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "source")]
    pub evidence: Option<Evidence>,

    /// Each figure of a cited sentence must stand in a quote of its sources
    #[arg(long)]
    pub figures: bool,

    /// Words in quotation marks in a cited sentence must stand on a page of its sources
    #[arg(long)]
    pub quotations: bool,

    /// How findings are written [default: pretty on a terminal, else text]
    #[arg(long, value_name = "NAME", value_parser = formats())]
    pub format: Option<String>,

    /// Write the report there in that format, and the usual lines to stdout; `-` is stdout alone
    #[arg(long, short, value_name = "FILE", requires = "format")]
    pub output: Option<PathBuf>,

    /// Accept the findings that this file holds
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write every finding of today to this file, to be accepted with --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,

    /// Apply the safe rewrites to the drafts, then verify
    #[arg(long)]
    pub fix: bool,
}

fn formats() -> clap::builder::PossibleValuesParser {
    cited::report::FORMATS
        .iter()
        .map(|format| clap::builder::PossibleValue::new(format.name).help(format.summary))
        .collect::<Vec<_>>()
        .into()
}

/// What `--strict` promotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Strict {
    /// listed-not-cited, uncited-source, over-cited, title-mismatch
    Warnings,
    /// Every warning and note
    All,
}

/// What `--evidence` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Evidence {
    /// A quote for each cited source
    Source,
    /// A quote that bears on each cited sentence
    Sentence,
}

/// `0.6` or `60%`; whether it lies between 0 and 1 is for the options of the library to say.
fn share(written: &str) -> Result<f64, String> {
    let written = written.trim();
    let number = written.strip_suffix('%').map(str::trim_end);
    let read = number.unwrap_or(written).parse::<f64>();
    let share =
        read.map_err(|_| "a share is a number from 0 to 1, or a percentage such as `60%`".to_owned())?;
    Ok(if number.is_some() { share / 100.0 } else { share })
}
