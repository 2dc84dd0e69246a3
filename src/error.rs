//! What can go wrong, said in one line: what was tried, on what, and what was found.
//!
//! An [`Error`] carries its subject and its cause; [`Error::help`] names a command or an action that would
//! work, and [`Error::exit`] tells a refusal ("the answer is no") from something that could not be judged.

use std::io;
use std::path::{Path, PathBuf};

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// How a failed command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The answer is no: exit code 1.
    No,
    /// It could not be judged (usage, unreadable input): exit code 2.
    NotJudged,
}

/// Every way in which an operation of this library fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The ledger file could not be read, or what it holds is no ledger.
    #[error("cannot read the ledger `{path}`: {found}")]
    LedgerUnreadable {
        /// The ledger file, as the user named it.
        path: PathBuf,
        /// What was found there, naming the place inside the file.
        found: String,
    },
    /// The ledger was written by a later version of this program.
    #[error("cannot read the ledger `{path}`: it has version {version}, and this program reads version 1")]
    LedgerNewer {
        /// The ledger file, as the user named it.
        path: PathBuf,
        /// The version that the file names.
        version: u64,
    },
    /// The ledger could not be written; the old file is whole.
    #[error("cannot write the ledger `{path}`: {}", plain(source))]
    LedgerUnwritable {
        /// The ledger file, as the user named it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process held the ledger's lock for too long.
    #[error("the ledger is busy: `{path}` has been locked by another process for {seconds} s")]
    LedgerBusy {
        /// The lock file.
        path: PathBuf,
        /// How long was waited, in seconds.
        seconds: u64,
    },
    /// An id that the ledger never issued.
    #[error("no source [{id}] in the ledger; {have}")]
    NoSuchSource {
        /// The id that was asked for.
        id: u32,
        /// What the ledger holds, in words.
        have: String,
    },
    /// A file that the user named cannot be read.
    #[error("cannot read `{path}`: {found}")]
    Unreadable {
        /// The file, as the user named it.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// A file that the user named cannot be written; the old file is whole.
    #[error("cannot write `{path}`: {}", plain(source))]
    Unwritable {
        /// The file, as the user named it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The memory file holds no index yet.
    #[error("no memory at `{path}`")]
    NoMemory {
        /// The memory file, as the user named it.
        path: PathBuf,
    },
    /// The memory file could not be read or written; what it held is whole.
    #[error("cannot use the memory `{path}`: {found}")]
    MemoryUnusable {
        /// The memory file, as the user named it.
        path: PathBuf,
        /// What was found there, or what the system said.
        found: String,
    },
    /// A retrieval was turned away before anything was read; it may be tried again.
    #[error("the memory is overloaded ({reason}); try again in {retry_after_seconds} s")]
    RetrievalOverloaded {
        /// `queue_full` or `budget_exhausted`.
        reason: &'static str,
        /// When to come back, in seconds, 1 to 5.
        retry_after_seconds: u64,
    },
    /// Anything else: a ready message, a way out and how it ends.
    #[error("{message}")]
    Other {
        /// One line, lower case.
        message: String,
        /// A command or an action that would work.
        help: Option<String>,
        /// How the command ends.
        exit: Exit,
    },
}

impl Error {
    /// A refusal: the answer is no.
    pub fn no(message: impl Into<String>) -> Self {
        Self::Other { message: message.into(), help: None, exit: Exit::No }
    }

    /// Something that could not be judged.
    pub fn not_judged(message: impl Into<String>) -> Self {
        Self::Other { message: message.into(), help: None, exit: Exit::NotJudged }
    }

    /// The file at `path` cannot be read, for what the system said.
    pub fn unreadable(path: &Path, source: &io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), found: plain(source) }
    }

    /// The file at `path` cannot be written, for what the system said.
    pub fn unwritable(path: &Path, source: io::Error) -> Self {
        Self::Unwritable { path: path.to_owned(), source }
    }

    /// The same error with a way out.
    #[must_use]
    pub fn with_help(self, way_out: impl Into<String>) -> Self {
        match self {
            Self::Other { message, exit, .. } => Self::Other { message, help: Some(way_out.into()), exit },
            other => other,
        }
    }

    /// A command or an action that would work, where one is known.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::LedgerUnreadable { .. } => Some(
                "restore a copy of the file, or `cited reset` (keeps a copy, then starts an empty ledger)"
                    .into(),
            ),
            Self::LedgerNewer { .. } => Some("use the later version of `cited` that wrote it".into()),
            Self::LedgerUnwritable { .. } => {
                Some("name a writable place with `--ledger PATH` or CITED_LEDGER".into())
            }
            Self::LedgerBusy { .. } => Some("try again when the other command has ended".into()),
            Self::NoSuchSource { .. } => Some("`cited list` shows every source with its id".into()),
            Self::Unreadable { .. } | Self::Unwritable { .. } => {
                Some("check the path and its permissions".into())
            }
            Self::NoMemory { .. } => Some("`cited memory index PATH...` makes one".into()),
            Self::MemoryUnusable { .. } => Some("name another place with `--memory PATH`".into()),
            Self::RetrievalOverloaded { .. } => None,
            Self::Other { help, .. } => help.clone(),
        }
    }

    /// How the command ends.
    pub fn exit(&self) -> Exit {
        match self {
            Self::LedgerUnreadable { .. }
            | Self::LedgerNewer { .. }
            | Self::LedgerUnwritable { .. }
            | Self::LedgerBusy { .. }
            | Self::NoSuchSource { .. }
            | Self::Unwritable { .. } => Exit::No,
            Self::Unreadable { .. }
            | Self::NoMemory { .. }
            | Self::MemoryUnusable { .. }
            | Self::RetrievalOverloaded { .. } => Exit::NotJudged,
            Self::Other { exit, .. } => *exit,
        }
    }
}

/// An input or output error in words, without the trailing system error number.
pub fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}
