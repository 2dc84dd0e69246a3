//! `memory`, tier 0: notes of our own. A plain folder of Markdown and text: the one that the user names, else
//! `./memory`.

use std::path::PathBuf;

use super::notes;
use super::{Adapter, Ask};
use crate::recall::chunk::Chunk;
use crate::recall::settings::Settings;

pub(super) const ADAPTER: Adapter = Adapter { name: "memory", weight: 900, own: true, search, probe, asks };

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let folder = existing(&ask.settings)?;
    Ok(Some(notes::search(&notes::files_in(&folder, None), ask)))
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let files = notes::files_in(&existing(settings)?, None);
    Ok(Some(format!("{} notes", files.len())))
}

fn asks(settings: &Settings) -> String {
    format!("read the notes in {}", place(settings).display())
}

fn place(settings: &Settings) -> PathBuf {
    settings.folder.join(settings.memory.path.as_deref().unwrap_or("memory".as_ref()))
}

fn existing(settings: &Settings) -> Result<PathBuf, String> {
    let place = place(settings);
    if place.is_dir() { Ok(place) } else { Err(format!("no folder of notes at {}", place.display())) }
}
