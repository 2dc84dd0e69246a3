//! `session`: what was said in past sessions, from Hermes' `state.db`. Candidates come from the full-text index, in
//! whichever shape it has, or from reading the messages where it has none that can be used; then each is read, its
//! noise left out, and the best of every session lineage kept.

use std::collections::HashSet;
use std::path::PathBuf;

use rusqlite::Connection;

use super::session_row::{Reader, Row};
use super::session_text;
use super::sqlite;
use super::{Adapter, Ask};
use crate::recall::chunk::{Chunk, ScoreKind};
use crate::recall::query::{Query, TermSet};
use crate::recall::relevance::Rarity;
use crate::recall::settings::Settings;

pub(super) const ADAPTER: Adapter = Adapter { name: "session", weight: 700, own: false, search, probe, asks };

/// Sessions of these sources are other programs talking to themselves.
const OUT: &[&str] = &["kanban", "subagent", "tool"];
/// Sessions of these sources come after all others.
const DEMOTED: &[&str] = &["cron"];
/// The most messages that are read where no index can be used.
const MAX_SCANNED: u32 = 200_000;

/// A message that may answer, and how its index rated it.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    id: i64,
    score: f64,
    kind: ScoreKind,
}

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let database = sqlite::open(&place(&ask.settings))?;
    let connection = &database.connection;
    let reader = Reader::new(connection)?;
    let candidates = candidates(connection, &ask.query)?;
    pick(&candidates, &reader, ask).map(Some).map_err(|error| sqlite::plain(&error))
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let database = sqlite::open(&place(settings))?;
    Reader::new(&database.connection)?;
    let count =
        database.connection.query_row("SELECT count(*) FROM messages", [], |row| row.get::<_, i64>(0));
    Ok(Some(format!("{} messages", count.map_err(|error| sqlite::plain(&error))?)))
}

fn asks(settings: &Settings) -> String {
    format!("read {}: full-text search in messages of users and assistants", place(settings).display())
}

fn place(settings: &Settings) -> PathBuf {
    match &settings.session.path {
        Some(path) => settings.folder.join(path),
        None => settings.hermes_home.join("state.db"),
    }
}

/// Messages that hold a word of the query, best first. An index that is missing, broken or of an unknown tokenizer
/// is not used; a script without spaces needs the trigram index.
fn candidates(connection: &Connection, query: &Query) -> Result<Vec<Candidate>, String> {
    let (table, expression) = match query.has_unspaced() {
        true => ("messages_fts_trigram", query.trigrams()),
        false => ("messages_fts", query.fts()),
    };
    if query.terms().is_empty() {
        return Ok(Vec::new());
    }
    if let Some(expression) = expression
        && indexes_content(connection, table)
        && let Ok(found) = matching(connection, table, &expression)
    {
        return Ok(found);
    }
    scan(connection, query).map_err(|error| sqlite::plain(&error))
}

/// The stored statement makes a full-text table with a column `content` whose row ids are message ids: so do all
/// three shapes (external content, a copy of its own, and content with tool columns beside it).
fn indexes_content(connection: &Connection, table: &str) -> bool {
    let Some(ddl) = sqlite::ddl(connection, table) else { return false };
    let columns = ddl.to_ascii_lowercase();
    let Some((_, inside)) = columns.split_once("fts5") else { return false };
    let names = inside.trim_start().trim_start_matches('(').split(',').map(str::trim);
    names.take_while(|name| !name.contains('=')).any(|name| name.trim_end_matches(')') == "content")
}

fn matching(connection: &Connection, table: &str, expression: &str) -> rusqlite::Result<Vec<Candidate>> {
    let sql = format!("SELECT rowid, rank FROM {table} WHERE {table} MATCH ?1 ORDER BY rank, rowid");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([format!("content : {expression}")], |row| {
        let score: f64 = row.get(1)?;
        Ok(Candidate { id: row.get(0)?, score: -score, kind: ScoreKind::Bm25 })
    })?;
    rows.collect()
}

/// Reads the newest messages and ranks them by the query's words that they hold.
fn scan(connection: &Connection, query: &Query) -> rusqlite::Result<Vec<Candidate>> {
    let sql = "SELECT id, CAST(content AS BLOB) FROM messages WHERE role IN ('user', 'assistant') \
               AND content IS NOT NULL ORDER BY id DESC LIMIT ?1";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([MAX_SCANNED])?;
    let mut found: Vec<(i64, TermSet)> = Vec::new();
    while let Some(row) = rows.next()? {
        let terms = query.terms_in(&String::from_utf8_lossy(row.get_ref(1)?.as_bytes()?));
        if !terms.is_empty() {
            found.push((row.get(0)?, terms));
        }
    }
    let terms: Vec<TermSet> = found.iter().map(|(_, terms)| *terms).collect();
    let rarity = Rarity::over(query, &terms);
    let mut candidates: Vec<Candidate> = found
        .into_iter()
        .map(|(id, terms)| Candidate { id, score: rarity.share(terms), kind: ScoreKind::WordShare })
        .collect();
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
    Ok(candidates)
}

/// Reads candidates in order until enough lineages have spoken; those of demoted sources only fill what is left.
fn pick(candidates: &[Candidate], reader: &Reader, ask: &Ask) -> rusqlite::Result<Vec<Chunk>> {
    let mut lineages = HashSet::new();
    let (mut chunks, mut demoted) = (Vec::new(), Vec::new());
    for candidate in candidates {
        if chunks.len() >= ask.limit {
            break;
        }
        let Some(row) = reader.row(candidate.id)? else { continue };
        let Some(text) = citable(&row, reader, &ask.query)? else { continue };
        let last = is_from(&row, DEMOTED);
        if last && demoted.len() >= ask.limit || !lineages.insert((last, reader.root(&row.session)?)) {
            continue;
        }
        let chunk = chunk(row, text).scored(candidate.score, candidate.kind);
        if last { demoted.push(chunk) } else { chunks.push(chunk) }
    }
    chunks.extend(demoted);
    chunks.truncate(ask.limit);
    Ok(chunks)
}

/// The message's text, where a person said it or was told it, and it answers rather than asks.
fn citable(row: &Row, reader: &Reader, query: &Query) -> rusqlite::Result<Option<String>> {
    if row.is_hidden || is_from(row, OUT) {
        return Ok(None);
    }
    let Some(text) = session_text::readable(&row.content) else { return Ok(None) };
    if query.is_echoed_by(&text) || query.terms_in(&text).is_empty() {
        return Ok(None);
    }
    if row.role == "user" && session_text::only_asks(&text) {
        return Ok(None);
    }
    let answers_us = row.role == "assistant" && reader.asked_by_us(row)?;
    Ok((!answers_us).then_some(text))
}

/// `cron:nightly` is of the source `cron`.
fn is_from(row: &Row, sources: &[&str]) -> bool {
    let kind = row.source.split(':').next().unwrap_or_default().trim();
    sources.iter().any(|source| kind.eq_ignore_ascii_case(source))
}

fn chunk(row: Row, text: String) -> Chunk {
    let mut chunk = Chunk::new(text);
    chunk.native_id = Some(format!("{}#{}", row.session, row.id));
    chunk.title = row.title;
    chunk.created_at = row.created_at;
    chunk.metadata.insert("role".into(), row.role.into());
    if !row.source.is_empty() {
        chunk.metadata.insert("session_source".into(), row.source.into());
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_the_index_is_recognised_by_its_statement() {
        let with = |ddl: &str| {
            let connection = Connection::open_in_memory().unwrap();
            connection.execute_batch(ddl).unwrap();
            indexes_content(&connection, "messages_fts")
        };
        assert!(with(
            "CREATE VIRTUAL TABLE messages_fts USING fts5(content, content=messages, content_rowid=id)"
        ));
        assert!(with("CREATE VIRTUAL TABLE messages_fts USING fts5(content)"));
        assert!(with(
            "CREATE VIRTUAL TABLE messages_fts USING fts5(content, tool_name, tool_calls, content='m')"
        ));
        assert!(!with("CREATE VIRTUAL TABLE messages_fts USING fts5(body, content=messages)"));
        assert!(!with("CREATE TABLE messages_fts (content)"));
    }
}
