//! Which drafts do the arguments mean, and what do they hold? Files, folders (Markdown below them, what
//! `.gitignore` names left out), globs, and `-` for standard input.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cited::verify::parallel;
use cited::{Error, Result};
use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;

use super::input::read_text;

/// A draft and its text, or why it has none.
pub struct Given {
    /// As the user wrote it.
    pub path: PathBuf,
    /// What it holds.
    pub text: Result<String>,
}

/// Endings of Markdown files in a folder.
const ENDINGS: [&str; 5] = ["md", "markdown", "mdown", "mkd", "mkdn"];

const NAMING: &str = "name a draft, a folder with Markdown files below it, or a glob such as `docs/**/*.md`";

/// Every draft that the arguments name, each once, in path order.
pub fn read_all(arguments: &[PathBuf]) -> Vec<Given> {
    let mut found = BTreeMap::new();
    for argument in arguments {
        match expand(argument) {
            Ok(paths) => found.extend(paths.into_iter().map(|path| (path, None))),
            Err(error) => drop(found.insert(argument.clone(), Some(error))),
        }
    }
    let found: Vec<(PathBuf, Option<Error>)> = found.into_iter().collect();
    let texts = parallel::map(&found, |(path, error)| match error {
        None => read_text(path),
        Some(_) => Ok(String::new()),
    });
    let given = found.into_iter().zip(texts);
    given.map(|((path, error), text)| Given { path, text: error.map_or(text, Err) }).collect()
}

fn expand(argument: &Path) -> Result<Vec<PathBuf>> {
    if argument.is_dir() {
        let found = walk(argument, is_markdown)?;
        return non_empty(found, || format!("no Markdown files below `{}`", argument.display()));
    }
    if argument.as_os_str() == "-" || argument.exists() {
        return Ok(vec![argument.to_owned()]);
    }
    match glob(argument)? {
        None => Ok(vec![argument.to_owned()]),
        Some(pattern) => {
            let found = walk(fixed_part(argument), |path| pattern.is_match(path))?;
            non_empty(found, || format!("no file matches `{}`", argument.display()))
        }
    }
}

fn non_empty(found: Vec<PathBuf>, message: impl FnOnce() -> String) -> Result<Vec<PathBuf>> {
    if found.is_empty() { Err(Error::not_judged(message()).with_help(NAMING)) } else { Ok(found) }
}

fn walk(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>> {
    let is_here = folder.as_os_str().is_empty();
    let start = if is_here { Path::new(".") } else { folder };
    let mut found = Vec::new();
    for entry in WalkBuilder::new(start).require_git(false).build() {
        let entry =
            entry.map_err(|error| Error::Unreadable { path: folder.to_owned(), found: error.to_string() })?;
        let path = entry.path();
        let path = if is_here { path.strip_prefix(".").unwrap_or(path) } else { path };
        if path.is_file() && wanted(path) {
            found.push(path.to_owned());
        }
    }
    Ok(found)
}

fn is_markdown(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

fn glob(argument: &Path) -> Result<Option<GlobMatcher>> {
    let text = argument.to_string_lossy();
    if !text.contains(['*', '?', '[', '{']) {
        return Ok(None);
    }
    let glob = GlobBuilder::new(&text).literal_separator(true).build();
    let glob = glob.map_err(|error| {
        Error::not_judged(format!("`{text}` is no file and no glob: {}", error.kind())).with_help(NAMING)
    })?;
    Ok(Some(glob.compile_matcher()))
}

/// The folders of a glob before its first special character.
fn fixed_part(glob: &Path) -> &Path {
    let special = |part: &Path| part.to_string_lossy().contains(['*', '?', '[', '{']);
    glob.ancestors().find(|part| !special(part)).unwrap_or(Path::new(""))
}
