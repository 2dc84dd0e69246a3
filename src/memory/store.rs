//! The memory file: one SQLite database in WAL mode. Here are its schema and everything that writes to it, one
//! transaction a note; reading is in `reader`. Each passage is kept with its line of terms, which is what FTS5
//! indexes and what scores are taken from. Text that goes is overwritten, not only unlinked.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

use super::front_matter::FrontMatter;
use super::names::name_key;
use super::reader::Reader;
use crate::error::{Error, Result};

/// What the passages and terms were made with; a file made with another is read anew.
pub const PIPELINE: &str = "lexical-v1/chunks-800-80/terms-1/front-2";

/// `cite` in ASCII: marks the file as ours.
const APPLICATION_ID: i64 = 0x6369_7465;
const SCHEMA_VERSION: i64 = 2;
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

const SCHEMA: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL UNIQUE, root TEXT NOT NULL, sha256 TEXT NOT NULL,
    pipeline TEXT NOT NULL, name_key TEXT NOT NULL, valid_from TEXT, valid_until TEXT);
CREATE INDEX files_by_name ON files (name_key);
CREATE TABLE claims (file INTEGER NOT NULL, name TEXT NOT NULL);
CREATE INDEX claims_by_file ON claims (file);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, chunk_id TEXT NOT NULL UNIQUE, file INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    first_seen TEXT NOT NULL, terms TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX chunks_by_file ON chunks (file, ordinal);
CREATE TABLE tombstones (source TEXT PRIMARY KEY, root TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE fts USING fts5 (terms, content = 'chunks', content_rowid = 'id', tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab ('fts', 'row');
INSERT INTO fts (fts, rank) VALUES ('secure-delete', 1);
";

/// A note as it is written.
#[derive(Debug)]
pub struct NewFile {
    /// Root-relative path.
    pub source: String,
    /// The root it lies beneath.
    pub root: String,
    /// SHA-256 of its text, in hex.
    pub sha256: String,
    /// What it says about its standing.
    pub front_matter: FrontMatter,
    /// Its passages, in order.
    pub chunks: Vec<NewChunk>,
}

/// A passage as it is written.
#[derive(Debug)]
pub struct NewChunk {
    /// Its id: 16 hex digits.
    pub chunk_id: String,
    /// The headings above it.
    pub heading: String,
    /// Its words.
    pub text: String,
    /// The terms of both, each between two spaces.
    pub terms: String,
}

/// A note as memory knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The root it was read from.
    pub root: String,
    /// SHA-256 of the text that was read.
    pub sha256: String,
    /// Its passages were made by this version's [`PIPELINE`].
    pub is_current: bool,
}

/// A note that was forgotten for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    /// Root-relative path.
    pub source: String,
    /// The root it was read from.
    pub root: String,
}

/// The memory file, open for writing.
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens a memory file, making it where there is none.
    ///
    /// # Errors
    /// The folder can not be written; the file is something else.
    pub fn open(path: &Path) -> Result<Self> {
        create_private(path).map_err(|found| unusable(path, &found))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|e| unusable(path, &e))?;
        prepare(&connection).map_err(|found| unusable(path, &found))?;
        Ok(Self { path: path.to_owned(), connection })
    }

    /// The same file, to read from.
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(&self.path, &self.connection)
    }

    /// Every note by its source.
    pub fn known(&self) -> Result<HashMap<String, Known>> {
        self.run(|connection| {
            let mut rows = connection.prepare("SELECT source, root, sha256, pipeline = ?1 FROM files")?;
            let known = rows.query_map([PIPELINE], |row| {
                Ok((row.get(0)?, Known { root: row.get(1)?, sha256: row.get(2)?, is_current: row.get(3)? }))
            })?;
            known.collect()
        })
    }

    /// Every note that was forgotten for good.
    pub fn tombstones(&self) -> Result<Vec<Tombstone>> {
        self.run(|connection| {
            let mut rows = connection.prepare("SELECT source, root FROM tombstones")?;
            rows.query_map([], |row| Ok(Tombstone { source: row.get(0)?, root: row.get(1)? }))?.collect()
        })
    }

    /// Writes a note in place of what memory knows of it. A passage that stays keeps its id and its time.
    pub fn put(&mut self, file: &NewFile, now: &str) -> Result<()> {
        self.write(now, |tx| {
            let id = put_file(tx, file)?;
            put_chunks(tx, id, &file.chunks, now)
        })
    }

    /// Notes that a note is now read from another root.
    pub fn move_to(&mut self, source: &str, root: &str, now: &str) -> Result<()> {
        self.write(now, |tx| {
            tx.prepare_cached("UPDATE files SET root = ?2 WHERE source = ?1")?.execute([source, root])?;
            Ok(())
        })
    }

    /// Removes a note.
    pub fn remove(&mut self, source: &str, now: &str) -> Result<()> {
        self.write(now, |tx| remove_file(tx, source))
    }

    /// Removes a note for good: it is never indexed again, and its text is gone from the file.
    pub fn forget(&mut self, source: &str, now: &str) -> Result<()> {
        self.write(now, |tx| {
            tx.execute(
                "INSERT OR IGNORE INTO tombstones SELECT source, root, ?2 FROM files WHERE source = ?1",
                [source, now],
            )?;
            remove_file(tx, source)
        })
    }

    /// Ends a run: what was written is now the index. Keeps its generation and size for quick reading.
    pub fn seal(&mut self, now: &str) -> Result<String> {
        let generation = self.reader().compute_generation()?;
        let chunks = self.reader().count_chunks()?;
        self.write(now, |tx| {
            set_meta(tx, "generation", &generation)?;
            set_meta(tx, "chunks", &chunks.to_string())
        })?;
        Ok(generation)
    }

    /// Keeps a value under a name of its own.
    pub fn keep(&mut self, key: &str, value: &str) -> Result<()> {
        self.run_mut(|connection| {
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", [key, value]).map(drop)
        })
    }

    /// Empties the write-ahead log, so that removed text is in no file any more.
    pub fn checkpoint(&mut self) -> Result<()> {
        self.run(|connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
        })
        .map(drop)
    }

    fn write(&mut self, now: &str, work: impl FnOnce(&Transaction) -> rusqlite::Result<()>) -> Result<()> {
        self.run_mut(|connection| {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            tx.prepare_cached("DELETE FROM meta WHERE key IN ('generation', 'chunks')")?.execute([])?;
            work(&tx)?;
            set_meta(&tx, "last_write", now)?;
            tx.commit()
        })
    }

    fn run<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.connection).map_err(|found| unusable(&self.path, &found))
    }

    fn run_mut<T>(&mut self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&mut self.connection).map_err(|found| unusable(&self.path, &found))
    }
}

/// The error for a memory file that can not be used.
pub(super) fn unusable(path: &Path, found: &dyn std::fmt::Display) -> Error {
    Error::MemoryUnusable { path: path.to_owned(), found: found.to_string() }
}

/// Checks that an open file is a memory of this version.
pub(super) fn check_schema(connection: &Connection) -> rusqlite::Result<std::result::Result<(), String>> {
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    Ok(match (pragma("application_id")?, pragma("user_version")?) {
        (APPLICATION_ID, SCHEMA_VERSION) => Ok(()),
        (APPLICATION_ID, other) => {
            Err(format!("its format is version {other}, this program reads version {SCHEMA_VERSION}"))
        }
        _ => Err("it is a database of another program".into()),
    })
}

/// Makes the file readable by its owner alone; SQLite gives its log files the same mode.
fn create_private(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

fn prepare(connection: &Connection) -> std::result::Result<(), String> {
    let said = |error: rusqlite::Error| error.to_string();
    connection.busy_timeout(BUSY_TIMEOUT).map_err(said)?;
    let is_empty = connection
        .query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get::<_, bool>(0))
        .map_err(said)?;
    if !is_empty {
        check_schema(connection).map_err(said)??;
    }
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;")
        .map_err(said)?;
    if is_empty {
        create_schema(connection).map_err(said)?;
    }
    Ok(())
}

/// In one transaction; who comes second to it finds it done.
fn create_schema(connection: &Connection) -> rusqlite::Result<()> {
    let tx = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let is_empty = tx.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get::<_, bool>(0))?;
    if is_empty {
        tx.execute_batch(SCHEMA)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    tx.commit()
}

fn put_file(tx: &Transaction, file: &NewFile) -> rusqlite::Result<i64> {
    let front = &file.front_matter;
    let id: i64 = tx
        .prepare_cached(
            "INSERT INTO files (source, root, sha256, pipeline, name_key, valid_from, valid_until)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (source) DO UPDATE SET root = excluded.root, sha256 = excluded.sha256,
                 pipeline = excluded.pipeline, valid_from = excluded.valid_from, valid_until = excluded.valid_until
             RETURNING id",
        )?
        .query_row(
            params![
                file.source,
                file.root,
                file.sha256,
                PIPELINE,
                name_key(&file.source),
                front.valid_from,
                front.valid_until
            ],
            |row| row.get(0),
        )?;
    tx.prepare_cached("DELETE FROM claims WHERE file = ?1")?.execute([id])?;
    for name in &front.supersedes {
        tx.prepare_cached("INSERT INTO claims VALUES (?1, ?2)")?.execute(params![id, name])?;
    }
    Ok(id)
}

/// A passage that is in the index already.
struct Stored {
    id: i64,
    ordinal: i64,
    heading: String,
    first_seen: String,
}

fn put_chunks(tx: &Transaction, file: i64, chunks: &[NewChunk], now: &str) -> rusqlite::Result<()> {
    let mut stored = stored_chunks(tx, file)?;
    for (ordinal, chunk) in (0_i64..).zip(chunks) {
        match stored.remove(&chunk.chunk_id) {
            Some(old) if old.heading == chunk.heading => move_chunk(tx, &old, ordinal)?,
            Some(old) => {
                remove_chunk(tx, old.id)?;
                insert_chunk(tx, file, ordinal, chunk, &old.first_seen)?;
            }
            None => insert_chunk(tx, file, ordinal, chunk, now)?,
        }
    }
    stored.into_values().try_for_each(|gone| remove_chunk(tx, gone.id))
}

fn stored_chunks(tx: &Transaction, file: i64) -> rusqlite::Result<HashMap<String, Stored>> {
    let mut rows =
        tx.prepare_cached("SELECT chunk_id, id, ordinal, heading, first_seen FROM chunks WHERE file = ?1")?;
    let stored = rows.query_map([file], |row| {
        let stored =
            Stored { id: row.get(1)?, ordinal: row.get(2)?, heading: row.get(3)?, first_seen: row.get(4)? };
        Ok((row.get(0)?, stored))
    })?;
    stored.collect()
}

fn move_chunk(tx: &Transaction, old: &Stored, ordinal: i64) -> rusqlite::Result<()> {
    if old.ordinal != ordinal {
        tx.prepare_cached("UPDATE chunks SET ordinal = ?2 WHERE id = ?1")?.execute([old.id, ordinal])?;
    }
    Ok(())
}

fn insert_chunk(tx: &Transaction, file: i64, at: i64, chunk: &NewChunk, seen: &str) -> rusqlite::Result<()> {
    let id = tx
        .prepare_cached(
            "INSERT INTO chunks (chunk_id, file, ordinal, first_seen, terms, heading, text)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .insert(params![chunk.chunk_id, file, at, seen, chunk.terms, chunk.heading, chunk.text])?;
    tx.prepare_cached("INSERT INTO fts (rowid, terms) VALUES (?1, ?2)")?
        .execute(params![id, chunk.terms])
        .map(drop)
}

/// FTS5 must be told the very terms that it was given.
fn remove_chunk(tx: &Transaction, id: i64) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO fts (fts, rowid, terms) SELECT 'delete', id, terms FROM chunks WHERE id = ?1",
    )?
    .execute([id])?;
    tx.prepare_cached("DELETE FROM chunks WHERE id = ?1")?.execute([id]).map(drop)
}

fn remove_file(tx: &Transaction, source: &str) -> rusqlite::Result<()> {
    let found =
        tx.prepare_cached("SELECT id FROM files WHERE source = ?1")?.query_row([source], |row| row.get(0));
    let id: i64 = match found {
        Err(rusqlite::Error::QueryReturnedNoRows) => return Ok(()),
        other => other?,
    };
    for gone in stored_chunks(tx, id)?.into_values() {
        remove_chunk(tx, gone.id)?;
    }
    tx.execute("DELETE FROM claims WHERE file = ?1", [id])?;
    tx.execute("DELETE FROM files WHERE id = ?1", [id]).map(drop)
}

fn set_meta(tx: &Transaction, key: &str, value: &str) -> rusqlite::Result<()> {
    tx.prepare_cached("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?.execute([key, value]).map(drop)
}
