//! The procedures that teach an agent to work with this program, as the files in docs/skills: front matter with a name
//! and a description, then what to do. A table; installing writes each as `NAME/SKILL.md`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A procedure for agents.
#[derive(Debug)]
pub struct Skill {
    /// Its name: that of its folder, and the `name` of its front matter.
    pub name: &'static str,
    /// One line for a list.
    pub summary: &'static str,
    /// The file.
    pub text: &'static str,
}

/// Every skill.
pub const SKILLS: &[Skill] = &[
    Skill {
        name: "cited-research",
        summary: "register while researching, cite while drafting, verify before delivering",
        text: include_str!("../docs/skills/cited-research/SKILL.md"),
    },
    Skill {
        name: "cited-recall",
        summary: "ask the memory before answering, and say when it has no evidence",
        text: include_str!("../docs/skills/cited-recall/SKILL.md"),
    },
];

/// The skill of that name.
pub fn skill(name: &str) -> Option<&'static Skill> {
    SKILLS.iter().find(|skill| skill.name == name)
}

/// Writes every skill below `folder`, which is made where it is missing; gives the files.
///
/// # Errors
/// [`Error::Unwritable`] for the first file that can not be written.
pub fn install(folder: &Path) -> Result<Vec<PathBuf>> {
    let write = |skill: &Skill| {
        let path = folder.join(skill.name).join("SKILL.md");
        let written = fs::create_dir_all(crate::file::folder(&path))
            .and_then(|()| crate::file::replace(&path, skill.text.as_bytes()));
        written.map_err(|error| Error::unwritable(&path, error)).map(|()| path)
    };
    SKILLS.iter().map(write).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a key in the front matter.
    fn key<'t>(text: &'t str, name: &str) -> &'t str {
        let front = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap().0;
        front.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap()
    }

    #[test]
    fn a_skill_opens_with_its_name_and_when_to_use_it() {
        for skill in SKILLS {
            assert_eq!(key(skill.text, "name"), skill.name);
            let description = key(skill.text, "description");
            assert!(description.len() > 40 && description.len() < 1024, "{description}");
        }
    }
}
