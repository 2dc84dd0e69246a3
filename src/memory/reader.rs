//! Reading the memory file: counts, the generation, the passages that BM25 ranks first, claims. Rows in, plain
//! values out; nothing is judged here.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use super::names::name_key;
use super::store::{PIPELINE, check_schema, unusable};
use super::supersession::Claim;
use super::terms::Term;
use crate::error::{Error, Result};

/// How long a reader waits where a writer is in its way.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A passage as the index holds it, without its words.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Its row.
    pub row: i64,
    /// Its id.
    pub chunk_id: String,
    /// Root-relative path of its note.
    pub source: String,
    /// Its place in the note, from 0.
    pub ordinal: u32,
    /// When it was first seen, RFC 3339.
    pub indexed_at: String,
    /// Its terms, each between two spaces.
    pub terms: String,
    /// As the note says.
    pub valid_from: Option<String>,
    /// As the note says.
    pub valid_until: Option<String>,
    /// BM25, lower is better; 0 where it was not ranked.
    pub rank: f64,
}

/// The index in figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Hash of the pipeline and every note.
    pub generation: String,
    /// How many passages.
    pub chunks: u32,
}

/// An open memory file, to be read.
pub struct Reader<'a> {
    path: &'a Path,
    connection: &'a Connection,
}

/// What tells a file from another that has taken its place under the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    #[cfg(unix)]
    device_and_node: (u64, u64),
    #[cfg(not(unix))]
    created: Option<std::time::SystemTime>,
}

/// The identity of the file that is at `path` now; `None` where there is none.
pub fn identity(path: &Path) -> Option<Identity> {
    let found = path.metadata().ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some(Identity { device_and_node: (found.dev(), found.ino()) })
    }
    #[cfg(not(unix))]
    Some(Identity { created: found.created().ok() })
}

/// Opens a memory file without ever writing to it.
///
/// # Errors
/// There is none; it can not be opened; it is something else.
pub fn open(path: &Path) -> Result<Connection> {
    if !path.exists() {
        return Err(Error::NoMemory { path: path.to_owned() });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|found| unusable(path, &found))?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(|found| unusable(path, &found))?;
    match check_schema(&connection).map_err(|found| unusable(path, &found))? {
        Ok(()) => Ok(connection),
        Err(found) => Err(unusable(path, &found)),
    }
}

impl<'a> Reader<'a> {
    /// Reads through an open connection; `path` is for errors.
    pub fn new(path: &'a Path, connection: &'a Connection) -> Self {
        Self { path, connection }
    }

    /// Runs `work` on one state of the file, whatever others write meanwhile.
    pub fn snapshot<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let transaction =
            self.connection.unchecked_transaction().map_err(|found| unusable(self.path, &found))?;
        let outcome = work();
        drop(transaction);
        outcome
    }

    /// A value kept under its name.
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        self.run(|connection| {
            let mut row = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
            row.query_row([key], |row| row.get(0)).optional()
        })
    }

    /// The generation and the number of passages, kept or counted.
    pub fn size(&self) -> Result<Size> {
        let kept = self.meta("chunks")?.and_then(|chunks| chunks.parse().ok());
        match (self.meta("generation")?, kept) {
            (Some(generation), Some(chunks)) => Ok(Size { generation, chunks }),
            _ => Ok(Size { generation: self.compute_generation()?, chunks: self.count_chunks()? }),
        }
    }

    /// Hash of the pipeline and of every note's path and text: 16 hex digits, the same on every machine.
    pub fn compute_generation(&self) -> Result<String> {
        let mut hash = Sha256::new();
        hash.update(PIPELINE.as_bytes());
        self.run(|connection| {
            let mut files = connection.prepare("SELECT source, sha256 FROM files ORDER BY source")?;
            let mut rows = files.query([])?;
            while let Some(row) = rows.next()? {
                for column in 0..2 {
                    let value: String = row.get(column)?;
                    hash.update((value.len() as u64).to_le_bytes());
                    hash.update(value.as_bytes());
                }
            }
            Ok(())
        })?;
        Ok(super::index::hex(&hash.finalize()[..8]))
    }

    /// How many passages there are.
    pub fn count_chunks(&self) -> Result<u32> {
        self.count("SELECT count(*) FROM chunks")
    }

    /// The single number that a query gives.
    pub fn count(&self, sql: &str) -> Result<u32> {
        self.run(|connection| connection.query_row(sql, [], |row| row.get(0)))
    }

    /// In how many passages a term stands; for a single character, an upper bound.
    pub fn document_frequency(&self, term: &Term) -> Result<u32> {
        let until = format!("{}\u{10ffff}", term.text);
        self.run(|connection| {
            if term.prefix {
                let sql = "SELECT coalesce(sum(doc), 0) FROM vocabulary WHERE term >= ?1 AND term <= ?2";
                return connection.prepare_cached(sql)?.query_row([&term.text, &until], |row| row.get(0));
            }
            let mut row = connection.prepare_cached("SELECT doc FROM vocabulary WHERE term = ?1")?;
            Ok(row.query_row([&term.text], |row| row.get(0)).optional()?.unwrap_or(0))
        })
    }

    /// The passages that hold any of the terms, best first, at most `limit`; of one note where `source` names it.
    pub fn ranked(&self, terms: &[Term], source: Option<&str>, limit: usize) -> Result<Vec<Passage>> {
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let wanted = match_expression(terms);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut passages: Vec<Passage> = self.run(|connection| match source {
            None => connection.prepare_cached(RANKED)?.query_map(params![wanted, limit], passage)?.collect(),
            Some(source) => connection
                .prepare_cached(RANKED_IN_SOURCE)?
                .query_map(params![wanted, limit, source], passage)?
                .collect(),
        })?;
        passages.sort_by(|a, b| {
            a.rank.total_cmp(&b.rank).then_with(|| (&a.source, a.ordinal).cmp(&(&b.source, b.ordinal)))
        });
        Ok(passages)
    }

    /// Every passage of a note, in order.
    pub fn passages_of(&self, source: &str) -> Result<Vec<Passage>> {
        self.run(|connection| connection.prepare_cached(OF_SOURCE)?.query_map([source], passage)?.collect())
    }

    /// The words of a passage.
    pub fn text(&self, row: i64) -> Result<String> {
        self.run(|connection| {
            connection
                .prepare_cached("SELECT text FROM chunks WHERE id = ?1")?
                .query_row([row], |row| row.get(0))
        })
    }

    /// Every claim to replace a note, in order of the claimants.
    pub fn claims(&self) -> Result<Vec<Claim>> {
        self.run(|connection| {
            let sql = "SELECT source, name FROM claims JOIN files ON files.id = file ORDER BY source, name";
            let mut rows = connection.prepare_cached(sql)?;
            rows.query_map([], |row| Ok(Claim { by: row.get(0)?, name: row.get(1)? }))?.collect()
        })
    }

    /// Every note that answers to the last component of one of the claims' names.
    pub fn sources_named(&self, claims: &[Claim]) -> Result<Vec<String>> {
        let mut keys: Vec<String> = claims.iter().map(|claim| name_key(&claim.name)).collect();
        keys.sort();
        keys.dedup();
        let mut sources = Vec::new();
        for key in keys {
            let mut found: Vec<String> = self.run(|connection| {
                let mut rows = connection.prepare_cached("SELECT source FROM files WHERE name_key = ?1")?;
                rows.query_map([key], |row| row.get(0))?.collect()
            })?;
            sources.append(&mut found);
        }
        Ok(sources)
    }

    /// Runs a query of one's own; errors name the file.
    pub fn run<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(self.connection).map_err(|found| unusable(self.path, &found))
    }

    /// The file, as the user named it.
    pub fn path(&self) -> PathBuf {
        self.path.to_owned()
    }
}

const RANKED: &str = "
SELECT c.id, c.chunk_id, f.source, c.ordinal, c.first_seen, c.terms, f.valid_from, f.valid_until, hit.rank
FROM (SELECT rowid, rank FROM fts WHERE fts MATCH ?1 ORDER BY rank LIMIT ?2) AS hit
JOIN chunks AS c ON c.id = hit.rowid JOIN files AS f ON f.id = c.file";

const RANKED_IN_SOURCE: &str = "
SELECT c.id, c.chunk_id, f.source, c.ordinal, c.first_seen, c.terms, f.valid_from, f.valid_until, fts.rank
FROM fts JOIN chunks AS c ON c.id = fts.rowid JOIN files AS f ON f.id = c.file
WHERE fts MATCH ?1 AND f.source = ?3 ORDER BY fts.rank LIMIT ?2";

const OF_SOURCE: &str = "
SELECT c.id, c.chunk_id, f.source, c.ordinal, c.first_seen, c.terms, f.valid_from, f.valid_until, 0.0
FROM files AS f JOIN chunks AS c ON c.file = f.id WHERE f.source = ?1 ORDER BY c.ordinal";

fn passage(row: &Row) -> rusqlite::Result<Passage> {
    Ok(Passage {
        row: row.get(0)?,
        chunk_id: row.get(1)?,
        source: row.get(2)?,
        ordinal: row.get(3)?,
        indexed_at: row.get(4)?,
        terms: row.get(5)?,
        valid_from: row.get(6)?,
        valid_until: row.get(7)?,
        rank: row.get(8)?,
    })
}

/// Quoted terms joined by OR: nothing of a query is ever syntax.
fn match_expression(terms: &[Term]) -> String {
    let quoted = terms.iter().map(|term| {
        let text = term.text.replace('"', "\"\"");
        if term.prefix { format!("\"{text}\" *") } else { format!("\"{text}\"") }
    });
    quoted.collect::<Vec<_>>().join(" OR ")
}
