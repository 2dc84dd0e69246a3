//! What a command finds around it: the ledger's place, the project's configuration, the day.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use cited::Result;
use cited::config::{self, Environment, Project};
use cited::evidence::snapshot::Snapshots;
use cited::identity::{self, Locator, NoLocator};
use cited::ledger::Store;
use cited::register::{Desk, snapshots_beside};

/// The surroundings of one command; the parts that cost something are read when first asked for.
pub struct Session {
    flag: Option<PathBuf>,
    environment: Environment,
    project: OnceCell<Project>,
}

impl Session {
    /// Reads the environment.
    pub fn new(ledger: Option<PathBuf>) -> Result<Self> {
        Ok(Self { flag: ledger, environment: environment(), project: OnceCell::new() })
    }

    /// The project's configuration: the nearest `cited.toml` above the working folder.
    pub fn project(&self) -> Result<&Project> {
        if self.project.get().is_none() {
            let folder = std::env::current_dir().unwrap_or_default();
            let _ = self.project.set(Project::find(&folder)?);
        }
        Ok(self.project.get_or_init(Project::default))
    }

    /// The ledger file, as the user named it.
    pub fn ledger_path(&self) -> Result<PathBuf> {
        config::ledger_path(self.flag.as_deref(), &self.environment, || {
            Ok(self.project()?.ledger.as_deref().map(shown))
        })
    }

    /// The ledger.
    pub fn store(&self) -> Result<Store> {
        let store = Store::new(self.ledger_path()?);
        Ok(match &self.environment.home {
            Some(home) => store.private_below(home),
            None => store,
        })
    }

    /// The ledger with what belongs to it, today.
    pub fn desk(&self) -> Result<Desk> {
        Ok(Desk::new(self.store()?, self.project()?.clone(), today()))
    }

    /// The snapshots that belong to the ledger.
    pub fn snapshots(&self) -> Result<Snapshots> {
        Ok(snapshots_beside(&self.ledger_path()?))
    }

    /// Understands what a user gave as a page: a URL, a locator, or a file that is there.
    pub fn locate(&self, given: &str) -> Result<std::result::Result<Locator, NoLocator>> {
        let options = self.project()?.identity;
        Ok(match identity::locate(given, &options) {
            Err(_) if Path::new(given.trim()).exists() => Ok(identity::local(given.trim())),
            found => found,
        })
    }
}

/// A path below the working folder as a user would write it.
fn shown(path: &Path) -> PathBuf {
    let folder = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(folder).unwrap_or(path).to_owned()
}

/// Today as `YYYY-MM-DD`, where the user is.
pub fn today() -> String {
    jiff::ZonedDateTime::now().date().to_string()
}

/// This instant as reports and memory have it: RFC 3339, UTC, whole seconds.
#[cfg(feature = "recall")]
pub fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// This instant for the name of a file, in UTC: `20260131T120000Z`.
pub fn file_stamp() -> String {
    jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn environment() -> Environment {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let folders = directories::ProjectDirs::from("", "", "cited");
    Environment {
        cited_ledger: path("CITED_LEDGER"),
        hermes_ledger: path("HERMES_CITATION_LEDGER"),
        hermes_home: path("HERMES_HOME"),
        home: directories::BaseDirs::new().map(|base| base.home_dir().to_owned()),
        data: folders.map(|folders| folders.data_dir().to_owned()),
    }
}
