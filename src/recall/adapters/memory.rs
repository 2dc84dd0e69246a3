//! `memory`, tier 0: notes of our own. The embedded index where there is one, with what is superseded or out of date
//! left out; else a plain folder of Markdown and text, the one that the user names or `./memory`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::notes;
use super::{Adapter, Ask};
use crate::memory::bundle::Item;
use crate::memory::trust::Verdict;
use crate::memory::{Args, MAX_K, Memory, Now};
use crate::recall::chunk::{Chunk, ScoreKind};
use crate::recall::settings::Settings;

pub(super) const ADAPTER: Adapter = Adapter { name: "memory", weight: 900, own: true, search, probe, asks };

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let place = existing(&ask.settings)?;
    if place.is_dir() {
        return Ok(Some(notes::search(&notes::files_in(&place, None), ask)));
    }
    in_index(&place, ask).map(Some)
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let place = existing(settings)?;
    if place.is_dir() {
        return Ok(Some(format!("{} note(s)", notes::files_in(&place, None).len())));
    }
    let passages = Memory::open(place).read(|reader| reader.count_chunks());
    Ok(Some(format!("{} passage(s)", passages.map_err(|error| error.to_string())?)))
}

fn asks(settings: &Settings) -> String {
    format!("search the notes in {}", place(settings).display())
}

fn place(settings: &Settings) -> PathBuf {
    settings.folder.join(settings.memory.path.as_deref().unwrap_or("memory".as_ref()))
}

fn existing(settings: &Settings) -> Result<PathBuf, String> {
    let place = place(settings);
    if place.exists() { Ok(place) } else { Err(format!("no notes at {}", place.display())) }
}

fn in_index(place: &Path, ask: &Ask) -> Result<Vec<Chunk>, String> {
    let start = Instant::now();
    let now = Now { at: ask.settings.now, ticks: &move || start.elapsed() };
    let args = Args { k: Some(ask.limit.min(MAX_K)), ..Args::default() };
    let found = Memory::open(place).search(ask.query.text(), &args, now);
    let found = found.map_err(|error| error.to_string())?;
    Ok(found.hits.into_iter().filter(|item| may_be_told(item.verdict)).map(chunk).collect())
}

/// What is only unlikely to answer is judged with everything else; what is no longer true is not told.
fn may_be_told(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Ok | Verdict::LowConfidence)
}

fn chunk(item: Item) -> Chunk {
    let mut chunk = Chunk::new(item.text).scored(item.score, ScoreKind::WordShare);
    chunk.native_id = Some(item.chunk_id);
    chunk.metadata.insert("note".into(), item.source.into());
    chunk.metadata.insert("indexed_at".into(), item.indexed_at.into());
    for (name, day) in [("valid_from", item.valid_from), ("valid_until", item.valid_until)] {
        if let Some(day) = day {
            chunk.metadata.insert(name.into(), day.into());
        }
    }
    chunk
}
