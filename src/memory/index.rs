//! Folders into memory: what changed is written, what vanished is removed, everything else stays as it is. One
//! transaction a note, so that a run that was killed is simply run again; a note that can not be read is reported
//! and the others go on.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::store::{Known, NewChunk, NewFile, Store, Tombstone};
use super::terms::Analyser;
use super::walk::{self, Found, Unread, Walk};
use super::{chunk, front_matter};
use crate::error::{Error, Result, plain};

/// Notes prepared at once, by all cores together.
const BATCH: usize = 64;
/// From so many known notes on, a run that would remove half of them is refused.
const GUARDED_FROM: usize = 5;

/// What a run is asked to do.
#[derive(Debug)]
pub struct Request<'a> {
    /// Folders and files.
    pub paths: &'a [PathBuf],
    /// The time that is written, RFC 3339.
    pub now: &'a str,
    /// Remove vanished notes however many there are.
    pub prune: bool,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Notes done.
    pub done: usize,
    /// Notes in all, of the folder at hand.
    pub total: usize,
}

/// What a run did, in notes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Report {
    /// New to memory.
    pub added: usize,
    /// Changed since the last run.
    pub changed: usize,
    /// As they were.
    pub unchanged: usize,
    /// Vanished, and removed.
    pub removed: usize,
    /// Forgotten earlier, so left out.
    pub forgotten: usize,
    /// Left out on purpose.
    pub skipped: Vec<Unread>,
    /// Could not be read.
    pub failed: Vec<Unread>,
    /// Vanished, but too many at once to be removed unasked.
    pub kept: Vec<String>,
    /// The index that came of it.
    pub generation: String,
}

/// Brings memory up to date with `request.paths`; `progress` is called after each note.
///
/// # Errors
/// The memory file fails; a folder is over the limits.
pub fn run(store: &mut Store, request: &Request, progress: &mut dyn FnMut(Progress)) -> Result<Report> {
    let mut report = Report::default();
    for path in request.paths {
        match place(path, store) {
            Ok(place) => Run { store, request, report: &mut report }.folder(&place?, progress)?,
            Err(why) => report.failed.push(Unread { source: path.display().to_string(), why }),
        }
    }
    report.generation = store.seal(request.now)?;
    Ok(report)
}

/// Lower-case hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A root, and the part of it that a run looks at.
struct Place {
    root: PathBuf,
    scope: PathBuf,
}

/// The place of a path: within the outermost root that memory knows above it and whose walk reaches it, else its own
/// root. The outer error is about the path, the inner one about the memory file.
fn place(path: &Path, store: &Store) -> std::result::Result<Result<Place>, String> {
    let scope = path.canonicalize().map_err(|error| plain(&error))?;
    let known = match store.known() {
        Ok(known) => known,
        Err(error) => return Ok(Err(error)),
    };
    let above = known.into_values().map(|known| PathBuf::from(known.root));
    let above = above.filter(|root| walk::reaches(root, &scope)).min_by_key(|root| root.as_os_str().len());
    let own = if scope.is_dir() { scope.clone() } else { scope.parent().unwrap_or(&scope).to_owned() };
    Ok(Ok(Place { root: above.unwrap_or(own), scope }))
}

/// One run over one place.
struct Run<'a, 'b> {
    store: &'a mut Store,
    request: &'a Request<'b>,
    report: &'a mut Report,
}

/// What becomes of a file that was found.
enum Step {
    Write(NewFile, bool),
    Moved(String),
    Unchanged,
    Failed(Unread),
}

impl Run<'_, '_> {
    fn folder(&mut self, place: &Place, progress: &mut dyn FnMut(Progress)) -> Result<()> {
        let walk = walk::walk(&place.root, &place.scope)?;
        let forgotten = Forgotten::of(&self.store.tombstones()?);
        self.take_over(&place.root, &walk)?;
        let known = self.store.known()?;
        let root = place.root.to_string_lossy().into_owned();
        let (buried, open): (Vec<&Found>, Vec<&Found>) =
            walk.found.iter().partition(|found| forgotten.holds(&root, &found.source));
        self.report.forgotten += buried.len();
        let mut done = 0;
        for batch in open.chunks(BATCH) {
            let prepare = |found: &&Found| step(found, &root, known.get(&found.source));
            let steps: Vec<Step> = batch.par_iter().map(prepare).collect();
            for taken in steps {
                self.take(taken, &root)?;
                done += 1;
                progress(Progress { done, total: open.len() });
            }
        }
        self.remove_vanished(place, &walk, &known)?;
        self.report.skipped.extend(walk.skipped);
        self.report.failed.extend(walk.failed);
        Ok(())
    }

    fn take(&mut self, step: Step, root: &str) -> Result<()> {
        match step {
            Step::Write(file, is_new) => {
                self.store.put(&file, self.request.now)?;
                let count = if is_new { &mut self.report.added } else { &mut self.report.changed };
                *count += 1;
            }
            Step::Moved(source) => {
                self.store.move_to(&source, root, self.request.now)?;
                self.report.unchanged += 1;
            }
            Step::Unchanged => self.report.unchanged += 1,
            Step::Failed(unread) => self.report.failed.push(unread),
        }
        Ok(())
    }

    /// Notes of a root beneath this one that were found again go by their names in this one.
    fn take_over(&mut self, root: &Path, walk: &Walk) -> Result<()> {
        let found: HashSet<&str> = walk.found.iter().map(|found| found.source.as_str()).collect();
        for (source, known) in self.store.known()? {
            let name = name_beneath(root, &source, &known);
            if Path::new(&known.root) != root && name.is_some_and(|name| found.contains(name.as_str())) {
                self.store.remove(&source, self.request.now)?;
            }
        }
        Ok(())
    }

    fn remove_vanished(&mut self, place: &Place, walk: &Walk, known: &HashMap<String, Known>) -> Result<()> {
        let scope = walk::source_name(&place.root, &place.scope).unwrap_or_default();
        let found: HashSet<&str> = walk.found.iter().map(|found| found.source.as_str()).collect();
        let named = known
            .iter()
            .filter_map(|(source, known)| Some((source, name_beneath(&place.root, source, known)?)));
        let in_scope: Vec<(&String, String)> = named.filter(|(_, name)| is_beneath(name, &scope)).collect();
        let unseen = |name: &str| walk.failed.iter().any(|failed| is_beneath(name, &failed.source));
        let mut vanished: Vec<String> = in_scope
            .iter()
            .filter(|(_, name)| !found.contains(name.as_str()) && !unseen(name))
            .map(|(source, _)| (*source).clone())
            .collect();
        vanished.sort();
        if !self.request.prune && in_scope.len() >= GUARDED_FROM && vanished.len() * 2 >= in_scope.len() {
            self.report.kept.append(&mut vanished);
        }
        self.report.removed += vanished.len();
        vanished.iter().try_for_each(|source| self.store.remove(source, self.request.now))
    }
}

/// Notes that were forgotten: by their names, and by where they lay, whatever a later run calls them.
struct Forgotten {
    names: HashSet<String>,
    places: HashSet<String>,
}

impl Forgotten {
    fn of(tombstones: &[Tombstone]) -> Self {
        Self {
            names: tombstones.iter().map(|stone| stone.source.clone()).collect(),
            places: tombstones.iter().map(|stone| whole(&stone.root, &stone.source)).collect(),
        }
    }

    fn holds(&self, root: &str, source: &str) -> bool {
        self.names.contains(source) || self.places.contains(&whole(root, source))
    }
}

fn whole(root: &str, source: &str) -> String {
    format!("{}/{source}", root.trim_end_matches('/')).nfc().collect()
}

/// The name of a known note beneath `root`, where a walk from there reaches its own root.
fn name_beneath(root: &Path, source: &str, known: &Known) -> Option<String> {
    let own = Path::new(&known.root);
    if !walk::reaches(root, own) {
        return None;
    }
    let folder = walk::source_name(root, own)?;
    Some(if folder.is_empty() { source.to_owned() } else { format!("{folder}/{source}") })
}

/// Is `source` that very path or beneath it? Everything is beneath the root, whose name is empty.
fn is_beneath(source: &str, folder: &str) -> bool {
    let Some(rest) = source.strip_prefix(folder) else { return false };
    folder.is_empty() || rest.is_empty() || rest.starts_with('/')
}

/// Reads a file and decides; runs on any core.
fn step(found: &Found, root: &str, known: Option<&Known>) -> Step {
    let failed = |why: String| Step::Failed(Unread { source: found.source.clone(), why });
    if let Some(elsewhere) = known.filter(|known| known.root != root)
        && Path::new(&elsewhere.root).join(&found.source).exists()
    {
        return failed(format!("memory has a note of that name from `{}`", elsewhere.root));
    }
    let text = match walk::read(found) {
        Ok(text) => text,
        Err(why) => return failed(why),
    };
    let sha256 = hex(&Sha256::digest(text.as_bytes()));
    match known.filter(|known| known.is_current && known.sha256 == sha256) {
        Some(known) if known.root == root => Step::Unchanged,
        Some(_) => Step::Moved(found.source.clone()),
        None => Step::Write(note(&found.source, root, sha256, &text), known.is_none()),
    }
}

fn note(source: &str, root: &str, sha256: String, text: &str) -> NewFile {
    let (front_matter, body) = front_matter::split(text);
    let is_plain = [".txt", ".text"].iter().any(|ending| source.to_lowercase().ends_with(ending));
    let chunks = if is_plain { chunk::plain(body) } else { chunk::markdown(body) };
    let analyser = Analyser::default();
    let mut occurrences: HashMap<[u8; 32], u64> = HashMap::new();
    let chunks = chunks.into_iter().map(|chunk| {
        let hash: [u8; 32] = Sha256::digest(chunk.text.as_bytes()).into();
        let occurrence = occurrences.entry(hash).or_default();
        *occurrence += 1;
        let chunk_id = chunk_id(source, &hash, *occurrence - 1);
        let mut terms = String::with_capacity(chunk.heading.len() + chunk.text.len() + 2);
        analyser.append(&chunk.heading, &mut terms);
        analyser.append(&chunk.text, &mut terms);
        terms.push(' ');
        NewChunk { chunk_id, heading: chunk.heading, text: chunk.text, terms }
    });
    let chunks = chunks.collect();
    NewFile { source: source.to_owned(), root: root.to_owned(), sha256, front_matter, chunks }
}

/// First 16 hex digits of SHA-256 over path, text hash and occurrence, the path closed by a NUL, which none holds.
fn chunk_id(source: &str, text_hash: &[u8; 32], occurrence: u64) -> String {
    let mut hash = Sha256::new();
    hash.update(source.as_bytes());
    hash.update([0]);
    hash.update(text_hash);
    hash.update(occurrence.to_le_bytes());
    hex(&hash.finalize()[..8])
}

/// Removes notes for good. One that was forgotten before stays so.
///
/// # Errors
/// A source that memory never knew; nothing is removed then.
pub fn forget(store: &mut Store, sources: &[String], now: &str) -> Result<()> {
    let known = store.known()?;
    let forgotten = store.tombstones()?;
    let sources: Vec<String> = sources.iter().map(|source| walk::as_source(source)).collect();
    let is_known =
        |source: &str| known.contains_key(source) || forgotten.iter().any(|stone| stone.source == source);
    if let Some(unknown) = sources.iter().find(|source| !is_known(source)) {
        return Err(Error::no(format!("memory has no note `{unknown}`; it has {} note(s)", known.len()))
            .with_help(
                "name it as `cited memory search` prints it: its path beneath the folder that was indexed",
            ));
    }
    sources.iter().try_for_each(|source| store.forget(source, now))?;
    store.seal(now)?;
    store.checkpoint()
}
