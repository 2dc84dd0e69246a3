//! What a command line and a client of the server both do to a ledger: register pages, register what a tool
//! returned, attach quotes. In: a [`Desk`] and what was given. Out: the sources as they stand in the ledger now,
//! and what is worth knowing. How it was asked for and how it is shown is not here.

pub mod pages;
pub mod quotes;
pub mod replies;

use std::path::Path;

use crate::config::Project;
use crate::evidence::Snapshots;
use crate::identity::{self, Locator, NoLocator};
use crate::ledger::{Source, Store};

/// A ledger with what belongs to it, on a day.
#[derive(Debug, Clone)]
pub struct Desk {
    /// The ledger.
    pub store: Store,
    /// Page texts beside it.
    pub snapshots: Snapshots,
    /// What `cited.toml` says.
    pub project: Project,
    /// The day that is recorded, `YYYY-MM-DD`.
    pub today: String,
}

/// What registering came to.
#[derive(Debug, Clone, Default)]
pub struct Registered {
    /// The sources as the ledger holds them.
    pub sources: Vec<Source>,
    /// Lines for the user.
    pub notes: Vec<String>,
}

impl Desk {
    /// The ledger in the file `ledger`, with its snapshots beside it.
    pub fn new(store: Store, project: Project, today: String) -> Self {
        Self { snapshots: snapshots_beside(store.path()), store, project, today }
    }

    /// Understands a URL or a locator as this project does.
    ///
    /// # Errors
    /// It names no page; the reason says what it is.
    pub fn locate(&self, given: &str) -> Result<Locator, NoLocator> {
        identity::locate(given, &self.project.identity)
    }
}

/// The page texts that belong to the ledger in the file `ledger`.
pub fn snapshots_beside(ledger: &Path) -> Snapshots {
    Snapshots::new(ledger.parent().unwrap_or(Path::new("")).join("evidence"))
}
