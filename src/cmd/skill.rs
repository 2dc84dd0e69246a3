//! `cited skill`: print a procedure for agents, list them, or install them.

use cited::skill::{self, SKILLS};

use super::{Done, Outcome, Terminal};
use crate::cli::agent::SkillArgs;

pub fn run(args: SkillArgs, terminal: &mut Terminal) -> Done {
    if let Some(folder) = &args.install {
        let files = skill::install(folder)?;
        files.iter().try_for_each(|path| terminal.line(&path.display().to_string()))?;
    } else if let Some(skill) = args.name.as_deref().and_then(skill::skill) {
        terminal.raw(skill.text.as_bytes())?;
    } else {
        SKILLS.iter().try_for_each(|skill| terminal.line(&format!("{}  {}", skill.name, skill.summary)))?;
    }
    Ok(Outcome::Fine)
}
