//! The options of what is for agents: `cited mcp` and `cited skill`.

use std::path::PathBuf;

use clap::Args;

#[cfg(feature = "mcp")]
#[derive(Debug, Args)]
pub struct McpArgs {
    /// What a retrieval may cost
    #[arg(long, value_name = "NAME", default_value = "legacy")]
    pub profile: super::memory::CostProfile,

    /// The memory file [default: memory.sqlite beside the ledger]
    #[arg(long, value_name = "PATH")]
    pub memory: Option<PathBuf>,

    /// Let the client replace the Sources block in drafts
    #[arg(long)]
    pub allow_write: bool,

    /// Let the client index notes and forget them
    #[arg(long)]
    pub allow_write_memory: bool,
}

#[derive(Debug, Args)]
pub struct SkillArgs {
    /// The skill to print; without one they are listed
    #[arg(value_name = "NAME", value_parser = skill_names(), conflicts_with = "install")]
    pub name: Option<String>,

    /// Write every skill below this folder, each in a folder of its own
    #[arg(long, value_name = "DIR")]
    pub install: Option<PathBuf>,
}

/// The skill table decides what there is.
fn skill_names() -> clap::builder::PossibleValuesParser {
    cited::skill::SKILLS
        .iter()
        .map(|skill| clap::builder::PossibleValue::new(skill.name).help(skill.summary))
        .collect::<Vec<_>>()
        .into()
}
