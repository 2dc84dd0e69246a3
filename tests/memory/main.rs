//! The embedded memory from outside: folders in, judged hits and bundles out.

#![cfg(feature = "recall")]

mod cli;
mod evidence;
mod index;
mod injection;
mod threshold;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cited::memory::index::{Report, Request};
use cited::memory::{Args, Bundle, Memory, Now};

/// When everything happens.
const NOW: &str = "2025-06-15T12:00:00Z";

/// A folder of notes and a memory beside it.
struct Place {
    folder: tempfile::TempDir,
    memory: Memory,
}

impl Place {
    /// A place with these notes, not indexed yet.
    fn new(notes: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::open(folder.path().join("memory.sqlite"));
        let place = Self { folder, memory };
        fs::create_dir(place.notes()).unwrap();
        notes.iter().for_each(|(name, text)| place.write(name, text));
        place
    }

    /// A place with these notes, indexed.
    fn indexed(notes: &[(&str, &str)]) -> Self {
        let place = Self::new(notes);
        place.index();
        place
    }

    fn notes(&self) -> PathBuf {
        self.folder.path().join("notes")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.notes().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn index(&self) -> Report {
        self.index_at(&self.notes(), NOW)
    }

    fn index_at(&self, path: &Path, now: &str) -> Report {
        let request = Request { paths: &[path.to_owned()], now, prune: false };
        self.memory.index(&request, &mut |_| {}).unwrap()
    }

    fn ask(&self, query: &str) -> Bundle {
        self.ask_with(query, &Args::default())
    }

    fn ask_with(&self, query: &str, args: &Args) -> Bundle {
        self.memory.evidence(query, args, at(NOW)).unwrap()
    }
}

/// An instant at which no time passes.
fn at(now: &str) -> Now<'static> {
    Now { at: now.parse().unwrap(), ticks: &|| Duration::ZERO }
}

/// Sources of a bundle's items, in order.
fn sources(bundle: &Bundle) -> Vec<&str> {
    bundle.items.iter().map(|item| item.source.as_str()).collect()
}
