//! Markdown and text files as notes: cut into [`sections`], ranked by the query's words that each
//! holds. In: a list of files. Out: chunks, best first. What is true of a note (validity, succession) is not judged here.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::sections::{Section, sections};
use crate::recall::adapters::Ask;
use crate::recall::chunk::{Chunk, ScoreKind};
use crate::recall::query::TermSet;
use crate::recall::relevance::Rarity;

/// Longer files are read up to here.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// The most files of one folder.
const MAX_FILES: usize = 5_000;
/// Folders below folders.
const MAX_DEPTH: usize = 16;

/// A file of notes and how its chunks are named.
#[derive(Debug)]
pub struct NoteFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its name in native ids: relative, with `/`.
    pub name: String,
    /// Which store it belongs to.
    pub store: Option<String>,
}

/// The sections of `files` that hold a word of the query and do not only repeat it, best first.
pub fn search(files: &[NoteFile], ask: &Ask) -> Vec<Chunk> {
    let mut found: Vec<(TermSet, &NoteFile, Section, String)> = Vec::new();
    let mut all: Vec<TermSet> = Vec::new();
    for file in files {
        let Ok(text) = read(&file.path) else { continue };
        let mut slugs = Slugs::default();
        for section in sections(&text) {
            let terms = ask.query.terms_in(&section.text);
            let slug = slugs.next(&section.heading);
            all.push(terms);
            if !terms.is_empty() && !ask.query.is_echoed_by(&section.text) {
                found.push((terms, file, section, slug));
            }
        }
    }
    let rarity = Rarity::over(&ask.query, &all);
    found.sort_by(|(a, ..), (b, ..)| rarity.share(*b).total_cmp(&rarity.share(*a)));
    found.truncate(ask.limit);
    let scored = found.into_iter().map(|(terms, file, section, slug)| {
        chunk(file, section, &slug).scored(rarity.share(terms), ScoreKind::WordShare)
    });
    scored.collect()
}

/// The Markdown and text files below `folder`, sorted; hidden files and links are passed over.
pub fn files_in(folder: &Path, store: Option<&str>) -> Vec<NoteFile> {
    let mut files = Vec::new();
    collect(folder, "", 0, &mut files);
    files.sort();
    let named = files.into_iter().map(|name| NoteFile {
        path: folder.join(&name),
        name,
        store: store.map(str::to_owned),
    });
    named.collect()
}

fn collect(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    // In order, so that of too many files always the same are read.
    let mut entries: Vec<fs::DirEntry> = entries.flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        if name.starts_with('.') || files.len() >= MAX_FILES {
            continue;
        }
        let inner = format!("{prefix}{name}");
        if kind.is_dir() && depth < MAX_DEPTH {
            collect(&entry.path(), &format!("{inner}/"), depth + 1, files);
        } else if kind.is_file() && is_note(&name) {
            files.push(inner);
        }
    }
}

fn is_note(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["md", "markdown", "txt", "text"].iter().any(|note| ending.eq_ignore_ascii_case(note))
}

fn read(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_FILE_BYTES).read_to_end(&mut bytes)?;
    Ok(match encoding_rs::Encoding::for_bom(&bytes) {
        Some((encoding, _)) => encoding.decode(&bytes).0.into_owned(),
        None => String::from_utf8_lossy(&bytes).into_owned(),
    })
}

fn chunk(file: &NoteFile, section: Section, slug: &str) -> Chunk {
    let mut chunk = Chunk::new(section.text);
    chunk.native_id = Some(format!("{}{slug}", file.name));
    chunk.store_id.clone_from(&file.store);
    chunk.title = (!section.heading.is_empty()).then_some(section.heading);
    chunk
}

/// `#heading`, `#heading-2` for the second piece under the same heading.
#[derive(Default)]
struct Slugs(std::collections::HashMap<String, u32>);

impl Slugs {
    fn next(&mut self, heading: &str) -> String {
        let words: Vec<String> = heading
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let slug = words.join("-");
        let seen = self.0.entry(slug.clone()).or_insert(0);
        *seen += 1;
        match (slug.as_str(), *seen) {
            ("", 1) => String::new(),
            (_, 1) => format!("#{slug}"),
            ("", n) => format!("#{n}"),
            (_, n) => format!("#{slug}-{n}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_under_one_heading_have_different_ids() {
        let mut slugs = Slugs::default();
        let names: Vec<String> =
            ["", "", "Ice & Water", "Ice, water"].iter().map(|heading| slugs.next(heading)).collect();
        assert_eq!(names, ["", "#2", "#ice-water", "#ice-water-2"]);
    }
}
