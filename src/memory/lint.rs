//! What is wrong with the notes themselves: claims that say nothing, dates that are none, versions of a note that
//! no claim links, prose that says superseded where no key does. Facts in, findings out, sorted.

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;

use super::names::name_key;
use super::reader::Reader;
use super::supersession::{Problem, Supersession};
use super::trust::Window;
use crate::error::Result;

/// One finding about one note.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Root-relative path of the note.
    pub source: String,
    /// Its kind, in kebab case.
    pub code: &'static str,
    /// One line, in words.
    pub message: String,
}

/// A note as far as lint looks at it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note {
    /// Root-relative path.
    pub source: String,
    /// As the front matter says.
    pub valid_from: Option<String>,
    /// As the front matter says.
    pub valid_until: Option<String>,
    /// It claims to replace another note.
    pub claims: bool,
    /// Its prose speaks of being superseded.
    pub says_superseded: bool,
}

/// Words by which prose says that a note is replaced, or replaces one.
const SAYS_SUPERSEDED: [&str; 4] = ["superseded", "supersedes", "supersede ", "obsoleted by"];

/// Every finding about the notes of a memory.
pub fn run(reader: &Reader) -> Result<Vec<Finding>> {
    let notes = notes(reader)?;
    let sources: Vec<String> = notes.iter().map(|note| note.source.clone()).collect();
    let links = Supersession::resolve(&sources, &reader.claims()?);
    Ok(findings(&notes, &links))
}

/// Every finding about these notes, sorted by note.
pub fn findings(notes: &[Note], links: &Supersession) -> Vec<Finding> {
    let mut findings: Vec<Finding> = links.problems().iter().flat_map(claim_findings).collect();
    findings.extend(notes.iter().filter_map(window_finding));
    findings.extend(sibling_findings(notes, links));
    findings.extend(notes.iter().filter_map(|note| prose_finding(note, links)));
    findings.sort();
    findings
}

fn notes(reader: &Reader) -> Result<Vec<Note>> {
    let mut notes = reader.run(|connection| {
        let mut rows = connection.prepare(
            "SELECT source, valid_from, valid_until, EXISTS (SELECT 1 FROM claims WHERE file = id)
             FROM files ORDER BY source",
        )?;
        let notes = rows.query_map([], |row| {
            Ok(Note {
                source: row.get(0)?,
                valid_from: row.get(1)?,
                valid_until: row.get(2)?,
                claims: row.get(3)?,
                says_superseded: false,
            })
        })?;
        notes.collect::<rusqlite::Result<Vec<Note>>>()
    })?;
    let Ok(words) = AhoCorasick::builder().ascii_case_insensitive(true).build(SAYS_SUPERSEDED) else {
        return Ok(notes);
    };
    for note in &mut notes {
        for passage in reader.passages_of(&note.source)? {
            note.says_superseded |= words.is_match(&reader.text(passage.row)?);
        }
    }
    Ok(notes)
}

fn claim_findings(problem: &Problem) -> Vec<Finding> {
    let finding = |source: &String, code, message| Finding { source: source.clone(), code, message };
    match problem {
        Problem::Dangling { by, name } => {
            vec![finding(
                by,
                "dangling-supersedes",
                format!("supersedes `{name}`, but no note has that name"),
            )]
        }
        Problem::OnItself { by } => vec![finding(by, "self-supersedes", "supersedes itself".into())],
        Problem::Ambiguous { by, name, shared_by } => {
            let shared = shared_by.join("`, `");
            let message = format!("supersedes `{name}`, a name that `{shared}` share: name one by its path");
            vec![finding(by, "ambiguous-supersedes", message)]
        }
        Problem::Cycle { sources } => {
            let circle = sources.join("`, `");
            let message = format!("`{circle}` supersede one another in a circle, so none of them does");
            vec![finding(&sources[0], "cyclic-supersedes", message)]
        }
    }
}

fn window_finding(note: &Note) -> Option<Finding> {
    let (from, until) = (note.valid_from.as_deref(), note.valid_until.as_deref());
    let (code, message) = match Window::read(from, until) {
        Window::Days(..) => return None,
        Window::Unparseable => {
            let dates = [from, until].into_iter().flatten().collect::<Vec<_>>().join("`, `");
            ("bad-date", format!("`{dates}`: a date is YYYY-MM-DD"))
        }
        Window::Empty => {
            let (from, until) = (from.unwrap_or_default(), until.unwrap_or_default());
            ("empty-window", format!("valid from `{from}` until `{until}`: it ends before it begins"))
        }
    };
    Some(Finding { source: note.source.clone(), code, message })
}

/// Versions of one note (`x_v1`, `x_v2`) of which an older one is not replaced.
fn sibling_findings(notes: &[Note], links: &Supersession) -> Vec<Finding> {
    let mut families: BTreeMap<String, Vec<(u64, &str)>> = BTreeMap::new();
    for note in notes {
        if let Some((family, version)) = version(&note.source) {
            families.entry(family).or_default().push((version, &note.source));
        }
    }
    let mut findings = Vec::new();
    for versions in families.values_mut() {
        versions.sort_unstable();
        for pair in versions.windows(2) {
            let ((old_version, old), (new_version, new)) = (pair[0], pair[1]);
            if old_version < new_version && !links.is_superseded(old) {
                let message = format!("`{new}` looks newer, but no `supersedes` says so");
                findings.push(Finding { source: old.to_owned(), code: "unlinked-version", message });
            }
        }
    }
    findings
}

/// `notes/plan_v2.md` is version 2 of `notes/plan`.
fn version(source: &str) -> Option<(String, u64)> {
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let stem = name_key(source);
    let digits = stem.len() - stem.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (head, number) = stem.split_at(stem.len() - digits);
    let head = head.strip_suffix('v')?;
    let base = head.strip_suffix(['_', '-', ' ', '.'])?;
    Some((format!("{folder}/{base}"), number.parse().ok()?))
}

fn prose_finding(note: &Note, links: &Supersession) -> Option<Finding> {
    let has_key = note.claims || note.valid_until.is_some() || links.is_superseded(&note.source);
    let message = "its text says superseded, but neither `supersedes` nor `valid_until` does".to_owned();
    (note.says_superseded && !has_key).then(|| Finding {
        source: note.source.clone(),
        code: "unkeyed-supersession",
        message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::supersession::Claim;

    fn note(source: &str) -> Note {
        Note { source: source.into(), ..Note::default() }
    }

    fn codes(notes: &[Note], claims: &[(&str, &str)]) -> Vec<(String, &'static str)> {
        let sources: Vec<String> = notes.iter().map(|note| note.source.clone()).collect();
        let claims: Vec<Claim> =
            claims.iter().map(|(by, name)| Claim { by: (*by).into(), name: (*name).into() }).collect();
        let found = findings(notes, &Supersession::resolve(&sources, &claims));
        found.into_iter().map(|finding| (finding.source, finding.code)).collect()
    }

    #[test]
    fn notes_in_order_give_no_finding() {
        let dated = Note { valid_from: Some("2024-01-01".into()), ..note("plan_v2.md") };
        assert!(codes(&[note("plan_v1.md"), dated], &[("plan_v2.md", "plan_v1")]).is_empty());
    }

    #[test]
    fn a_claim_that_says_nothing_is_found_at_its_note() {
        let notes = ["a.md", "b.md", "x/o.md", "y/o.md"].map(note);
        let found = |claims| codes(&notes, claims);
        assert_eq!(found(&[("a.md", "gone")]), [("a.md".into(), "dangling-supersedes")]);
        assert_eq!(found(&[("a.md", "a")]), [("a.md".into(), "self-supersedes")]);
        assert_eq!(found(&[("a.md", "o")]), [("a.md".into(), "ambiguous-supersedes")]);
        assert_eq!(found(&[("a.md", "b"), ("b.md", "a")]), [("a.md".into(), "cyclic-supersedes")]);
    }

    #[test]
    fn bad_dates_and_empty_windows_are_found() {
        let bad = Note { valid_from: Some("soon".into()), ..note("a.md") };
        let empty = Note {
            valid_from: Some("2025-01-02".into()),
            valid_until: Some("2025-01-01".into()),
            ..note("b.md")
        };
        assert_eq!(codes(&[bad, empty], &[]), [("a.md".into(), "bad-date"), ("b.md".into(), "empty-window")]);
    }

    #[test]
    fn versions_of_one_note_without_a_link_are_found() {
        let notes = ["n/plan_v1.md", "n/plan_v2.md", "n/plan-v10.md", "m/plan_v3.md", "ipv6.md", "ipv4.md"];
        let found = codes(&notes.map(note), &[]);
        assert_eq!(
            found,
            [("n/plan_v1.md".into(), "unlinked-version"), ("n/plan_v2.md".into(), "unlinked-version")]
        );
    }

    #[test]
    fn prose_that_says_superseded_needs_a_key() {
        let says = |source: &str| Note { says_superseded: true, ..note(source) };
        assert_eq!(codes(&[says("a.md")], &[]), [("a.md".into(), "unkeyed-supersession")]);
        let dated = Note { valid_until: Some("2024-01-01".into()), ..says("a.md") };
        assert!(codes(&[dated], &[]).is_empty());
        assert!(codes(&[says("a.md"), note("b.md")], &[("b.md", "a")]).is_empty());
    }
}
