//! Other programs' SQLite files, read and never changed: opened read-only with `query_only` and a short wait for
//! locks, never as immutable, so that what a live writer has in its WAL is seen. A file whose folder does not allow the
//! WAL's shared memory is read from a private copy.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;

/// How long another process's lock is waited for.
const BUSY: Duration = Duration::from_millis(2_000);
/// The largest file that is copied to be read, in bytes.
const MAX_COPY_BYTES: u64 = 1024 * 1024 * 1024;

/// An open database; a copy lives as long as it is read.
pub struct Database {
    /// The connection.
    pub connection: Connection,
    _copy: Option<TempDir>,
}

/// Opens the database at `path` for reading. The error is one line.
pub fn open(path: &Path) -> Result<Database, String> {
    if !path.is_file() {
        return Err(format!("no database at {}", path.display()));
    }
    match open_in_place(path) {
        Ok(connection) => Ok(Database { connection, _copy: None }),
        Err(error) if needs_copy(&error) => open_copy(path),
        Err(error) => Err(plain(&error)),
    }
}

/// The columns of `table`, none where there is no such table.
pub fn columns(connection: &Connection, table: &str) -> Result<Vec<String>, String> {
    let read = || -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
        statement.query_map([table], |row| row.get(0))?.collect()
    };
    read().map_err(|error| plain(&error))
}

/// The statement that made `table`, as the file stores it.
pub fn ddl(connection: &Connection, table: &str) -> Option<String> {
    let sql = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?1";
    connection.query_row(sql, [table], |row| row.get(0)).ok()
}

/// What SQLite said, in one line.
pub fn plain(error: &rusqlite::Error) -> String {
    let text = match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    };
    text.lines().next().unwrap_or_default().to_owned()
}

fn open_in_place(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // The first look at the file is where a WAL that cannot be shared shows.
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))?;
    Ok(connection)
}

fn needs_copy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn open_copy(path: &Path) -> Result<Database, String> {
    let folder = TempDir::new().map_err(|error| crate::error::plain(&error))?;
    let copy = folder.path().join("copy.db");
    copy_settled(path, &copy)?;
    let connection = open_in_place(&copy).map_err(|error| plain(&error))?;
    Ok(Database { connection, _copy: Some(folder) })
}

/// Copies the file and its WAL, again when a writer was at work meanwhile.
fn copy_settled(from: &Path, to: &Path) -> Result<(), String> {
    for _ in 0..3 {
        let before = (stamp(from), stamp(&wal(from)));
        if before.0.is_some_and(|(bytes, _)| bytes > MAX_COPY_BYTES) {
            return Err(format!("its folder is read-only and it is too large to copy: {}", from.display()));
        }
        let copied = fs::copy(from, to).and_then(|_| match wal(from) {
            wal_file if wal_file.is_file() => fs::copy(wal_file, wal(to)).map(|_| ()),
            _ => Ok(()),
        });
        copied.map_err(|error| format!("cannot copy {}: {}", from.display(), crate::error::plain(&error)))?;
        if before == (stamp(from), stamp(&wal(from))) {
            return Ok(());
        }
    }
    Err(format!("{} is being written all the time", from.display()))
}

fn wal(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

fn stamp(path: &Path) -> Option<(u64, SystemTime)> {
    let meta = fs::metadata(path).ok()?;
    Some((meta.len(), meta.modified().ok()?))
}
