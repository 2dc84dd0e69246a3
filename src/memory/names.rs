//! Names of notes as people write them: with or without ending, folder and `[[…]]`, in any case. A name and the
//! paths of notes come in; the notes that it may mean go out. Whether they are one too many is decided elsewhere.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

/// File endings that a name may leave out.
pub(super) const ENDINGS: &[&str] =
    &["md", "markdown", "mdown", "mkd", "mdx", "txt", "text", "rst", "org", "adoc"];

/// Sources by the name they answer to.
pub struct Names<'a> {
    by_key: HashMap<String, Vec<Named<'a>>>,
}

impl<'a> Names<'a> {
    /// Looks notes up by their root-relative paths.
    pub fn of(sources: &'a [String]) -> Self {
        let mut by_key: HashMap<String, Vec<Named>> = HashMap::new();
        for source in sources {
            by_key.entry(name_key(source)).or_default().push(Named { source, path: folded(source) });
        }
        Self { by_key }
    }

    /// The notes that a name may mean: those whose path ends in it as it is written, ending and all; else, without
    /// the ending, that very path, paths that end in it, its last component. A claimant means another note where
    /// one shares its name.
    pub fn candidates(&self, name: &str, by: &str) -> Vec<&'a str> {
        let wanted = folded(written(name));
        let (stem, ending) = split_ending(&wanted);
        let Some(sharing) = self.by_key.get(&name_key(name)) else { return Vec::new() };
        let mut found: Vec<&Named> = sharing.iter().collect();
        if ending.is_some() {
            narrow(&mut found, |named| is_end(&named.path, &wanted));
        }
        if stem.contains('/') {
            narrow(&mut found, |named| is_end(named.stem(), stem));
            narrow(&mut found, |named| named.stem() == stem);
        }
        if found.len() > 1 {
            found.retain(|named| named.source != by);
        }
        found.into_iter().map(|named| named.source).collect()
    }
}

/// Is `end` the path, or its last components?
fn is_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// Keeps those that fit, where any does.
fn narrow(found: &mut Vec<&Named>, fits: impl Fn(&Named) -> bool) {
    if found.iter().any(|named| fits(named)) {
        found.retain(|named| fits(named));
    }
}

/// A source as names are held against it.
struct Named<'a> {
    source: &'a str,
    /// Its folded path.
    path: String,
}

impl Named<'_> {
    fn stem(&self) -> &str {
        split_ending(&self.path).0
    }
}

/// The part of a name or path that notes are looked up by: its last component, without ending, case folded.
pub fn name_key(name: &str) -> String {
    let path = folded(written(name));
    let (stem, _) = split_ending(&path);
    stem.rsplit('/').next().unwrap_or_default().to_owned()
}

/// `Folder/Old.md` of `[[Folder/Old.md#part|label]]`; any other name as it stands.
fn written(name: &str) -> &str {
    let name = name.trim();
    match name.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        Some(link) => link.split(['|', '#']).next().unwrap_or_default().trim(),
        None => name,
    }
}

/// A path with everything that may be written or left out before its ending folded away: `.\Folder\Old.md` is
/// `folder/old.md`.
fn folded(path: &str) -> String {
    let path: String = path.replace('\\', "/").nfc().collect::<String>().to_lowercase();
    let mut path = path.as_str();
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix('/')) {
        path = rest;
    }
    path.to_owned()
}

/// A folded path without its ending, and the ending, where it is one that a name may leave out.
fn split_ending(path: &str) -> (&str, Option<&str>) {
    match path.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ENDINGS.contains(&ending) => (stem, Some(ending)),
        _ => (path, None),
    }
}
