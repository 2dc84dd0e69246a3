//! Markdown and text files as notes: cut into sections at their headings, ranked by the query's words that each
//! holds. In: a list of files. Out: chunks, best first. What is true of a note (validity, succession) is not judged here.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

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
/// A section longer than this is cut at its blank lines, in bytes.
const SECTION_BYTES: usize = 800;

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

/// A piece of a file.
#[derive(Debug, PartialEq)]
pub struct Section {
    /// The nearest heading above it, empty before the first.
    pub heading: String,
    /// Its text, with the heading's line.
    pub text: String,
}

/// The sections of `files` that hold a word of the query, best first.
pub fn search(files: &[NoteFile], ask: &Ask) -> Vec<Chunk> {
    let mut found: Vec<(TermSet, Chunk)> = Vec::new();
    let mut all: Vec<TermSet> = Vec::new();
    for file in files {
        let Ok(text) = read(&file.path) else { continue };
        let mut slugs = Slugs::default();
        for section in sections(&text) {
            let terms = ask.query.terms_in(&section.text);
            let slug = slugs.next(&section.heading);
            all.push(terms);
            if !terms.is_empty() {
                found.push((terms, chunk(file, section, &slug)));
            }
        }
    }
    let rarity = Rarity::over(&ask.query, &all);
    let mut scored: Vec<Chunk> = found
        .into_iter()
        .map(|(terms, chunk)| chunk.scored(rarity.share(terms), ScoreKind::WordShare))
        .collect();
    let score = |chunk: &Chunk| chunk.score.map_or(0.0, |score| score.value);
    scored.sort_by(|a, b| score(b).total_cmp(&score(a)));
    scored.truncate(ask.limit);
    scored
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
    for entry in entries.flatten() {
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
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_start_matches('\u{feff}').to_owned())
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

/// Cuts a file at its headings and at lines of a lone `§`, and long sections at blank lines. A heading without
/// a text of its own is no section.
pub fn sections(text: &str) -> Vec<Section> {
    let mut cutter = Cutter::default();
    for line in without_front_matter(text).lines() {
        cutter.line(line);
    }
    cutter.end_section();
    cutter.sections
}

/// A block between `---` lines at the very start is data about the note, not its text.
fn without_front_matter(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return text;
    };
    let mut at = text.len() - inner.len();
    for line in inner.split_inclusive('\n') {
        at += line.len();
        if line.trim_end() == "---" {
            return &text[at..];
        }
    }
    text
}

#[derive(Default)]
struct Cutter {
    sections: Vec<Section>,
    heading: String,
    text: String,
    has_body: bool,
    in_code: bool,
}

impl Cutter {
    fn line(&mut self, line: &str) {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            self.in_code = !self.in_code;
        }
        let heading = if self.in_code { None } else { heading(line) };
        if heading.is_some() || bare == "§" {
            self.end_section();
        }
        if bare == "§" {
            return;
        }
        if let Some(heading) = &heading {
            heading.clone_into(&mut self.heading);
        } else if bare.is_empty() && self.text.len() >= SECTION_BYTES && !self.in_code
            || self.text.len() >= 4 * SECTION_BYTES
        {
            self.end_section();
        }
        self.has_body |= heading.is_none() && !bare.is_empty();
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn end_section(&mut self) {
        let text = std::mem::take(&mut self.text);
        if std::mem::take(&mut self.has_body) {
            self.sections.push(Section { heading: self.heading.clone(), text: text.trim().to_owned() });
        }
    }
}

/// The words of an ATX heading.
fn heading(line: &str) -> Option<String> {
    let words = line.trim_start_matches('#');
    let depth = line.len() - words.len();
    let is_one = (1..=6).contains(&depth) && words.starts_with([' ', '\t']);
    is_one.then(|| words.trim().trim_end_matches('#').trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        sections(text).into_iter().map(|section| section.text).collect()
    }

    #[test]
    fn a_file_is_cut_at_headings_and_section_signs() {
        let text = "---\ntags: x\n---\nIntro.\n# Water\n## Ice\nIce floats.\n§\nSteam rises.\n";
        assert_eq!(texts(text), ["Intro.", "## Ice\nIce floats.", "Steam rises."]);
        assert_eq!(sections(text)[1].heading, "Ice");
    }

    #[test]
    fn a_hash_in_code_is_no_heading() {
        assert_eq!(texts("# A\n```\n# not one\n```\nend").len(), 1);
        assert_eq!(texts("#tag is no heading\n####### nor seven").len(), 1);
    }

    #[test]
    fn a_long_section_is_cut_at_blank_lines() {
        let paragraph = "Ice floats on water. ".repeat(30);
        let pieces = sections(&format!("# Ice\n{paragraph}\n\n{paragraph}\n\n{paragraph}"));
        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().all(|piece| piece.heading == "Ice"));
        let line = "ice ".repeat(100);
        assert!(sections(&format!("{line}\n").repeat(100)).len() > 5);
    }

    #[test]
    fn pieces_under_one_heading_have_different_ids() {
        let mut slugs = Slugs::default();
        let names: Vec<String> =
            ["", "", "Ice & Water", "Ice, water"].iter().map(|heading| slugs.next(heading)).collect();
        assert_eq!(names, ["", "#2", "#ice-water", "#ice-water-2"]);
    }
}
