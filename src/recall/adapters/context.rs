//! `context`, tier 0: what an agent carries with it anyway. `$HERMES_HOME/memories/MEMORY.md`, `./MEMORY.md` and
//! the files and folders that the user names, cut at their headings.

use std::path::{Path, PathBuf};

use super::notes::{self, NoteFile};
use super::{Adapter, Ask};
use crate::recall::chunk::Chunk;
use crate::recall::settings::Settings;

pub(super) const ADAPTER: Adapter = Adapter { name: "context", weight: 1000, own: true, search, probe, asks };

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let files = files(&ask.settings)?;
    Ok(Some(notes::search(&files, ask)))
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let files = files(settings)?;
    Ok(Some(match files.len() {
        1 => "1 file".into(),
        many => format!("{many} files"),
    }))
}

fn asks(settings: &Settings) -> String {
    let places: Vec<String> = usual(settings).iter().map(|(_, path)| path.display().to_string()).collect();
    let named = settings.context.files.iter().map(|path| path.display().to_string());
    let all: Vec<String> = places.into_iter().chain(named).collect();
    format!("read {}", all.join(", "))
}

/// The places that are looked at without being named, and the store that each is.
fn usual(settings: &Settings) -> [(&'static str, PathBuf); 2] {
    [
        ("hermes", settings.hermes_home.join("memories").join("MEMORY.md")),
        ("folder", settings.folder.join("MEMORY.md")),
    ]
}

/// Every file that is there. A named one that is missing is an error: the user meant it.
fn files(settings: &Settings) -> Result<Vec<NoteFile>, String> {
    let mut files = Vec::new();
    for (store, path) in usual(settings) {
        if path.is_file() {
            files.push(NoteFile { path, name: "MEMORY.md".into(), store: Some(store.into()) });
        }
    }
    for named in &settings.context.files {
        let path = settings.folder.join(named);
        if path.is_dir() {
            files.extend(notes::files_in(&path, Some(&named.display().to_string())));
        } else if path.is_file() {
            files.push(named_file(path, named));
        } else {
            return Err(format!("no file at {}", path.display()));
        }
    }
    if files.is_empty() {
        let missing = usual(settings).map(|(_, path)| path.display().to_string());
        return Err(format!("no file at {}", missing.join(" or ")));
    }
    Ok(files)
}

fn named_file(path: PathBuf, named: &Path) -> NoteFile {
    let name = named.file_name().unwrap_or(named.as_os_str()).to_string_lossy().into_owned();
    let folder = named.parent().map(|folder| folder.display().to_string());
    NoteFile { path, name, store: folder.filter(|folder| !folder.is_empty()) }
}
