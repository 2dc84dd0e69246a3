//! `memory_store`: facts with a trust score, from Hermes' `memory_store.db`. Read-only, so that the counters it keeps of
//! its own retrievals stay as they are.

use std::path::PathBuf;

use rusqlite::{Connection, Row};

use super::session_row::{text, time};
use super::sqlite;
use super::{Adapter, Ask};
use crate::recall::chunk::{Chunk, ScoreKind};
use crate::recall::query::{Query, TermSet};
use crate::recall::relevance::Rarity;
use crate::recall::settings::Settings;

pub(super) const ADAPTER: Adapter =
    Adapter { name: "memory_store", weight: 500, own: false, search, probe, asks };

/// Facts that are trusted less are not told.
const LEAST_TRUST: f64 = 0.3;
/// The most facts that are read where the index cannot be used.
const MAX_SCANNED: u32 = 100_000;

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let database = sqlite::open(&place(&ask.settings))?;
    let facts = facts(&database.connection)?;
    let indexed = ask.query.fts().filter(|_| !ask.query.has_unspaced());
    if let Some(expression) = indexed
        && let Ok(found) = matching(&database.connection, &facts, &expression, ask)
    {
        return Ok(Some(found));
    }
    scan(&database.connection, &facts, ask).map(Some).map_err(|error| sqlite::plain(&error))
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let database = sqlite::open(&place(settings))?;
    facts(&database.connection)?;
    let count = database.connection.query_row("SELECT count(*) FROM facts", [], |row| row.get::<_, i64>(0));
    Ok(Some(format!("{} facts", count.map_err(|error| sqlite::plain(&error))?)))
}

fn asks(settings: &Settings) -> String {
    format!("read {}: full-text search in facts of trust {LEAST_TRUST} and above", place(settings).display())
}

fn place(settings: &Settings) -> PathBuf {
    match &settings.memory_store.path {
        Some(path) => settings.folder.join(path),
        None => settings.hermes_home.join("memory_store.db"),
    }
}

/// How facts are selected from this file.
struct Facts {
    /// The columns; those that the file lacks as NULL.
    fields: String,
    /// Holds for a fact that is trusted: for every one where the file has no trust.
    trusted: String,
}

fn facts(connection: &Connection) -> Result<Facts, String> {
    let columns = sqlite::columns(connection, "facts")?;
    let has = |name: &str| columns.iter().any(|column| column == name);
    if !has("fact_id") || !has("content") {
        return Err("not a fact database: no columns `fact_id` and `content` in a table `facts`".into());
    }
    let or_null = |name: &str| if has(name) { format!("f.{name}") } else { "NULL".to_owned() };
    let optional = ["trust_score", "category", "tags", "updated_at", "created_at"].map(or_null);
    let trusted = match has("trust_score") {
        true => format!("CAST(f.trust_score AS REAL) >= {LEAST_TRUST}"),
        false => "1".to_owned(),
    };
    Ok(Facts { fields: format!("f.fact_id, f.content, {}", optional.join(", ")), trusted })
}

fn matching(
    connection: &Connection,
    Facts { fields, trusted }: &Facts,
    expression: &str,
    ask: &Ask,
) -> rusqlite::Result<Vec<Chunk>> {
    let sql = format!(
        "SELECT {fields}, x.rank FROM facts_fts x JOIN facts f ON f.fact_id = x.rowid \
         WHERE facts_fts MATCH ?1 AND {trusted} ORDER BY x.rank, f.fact_id"
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([format!("{{content tags}} : {expression}")])?;
    let mut chunks = Vec::new();
    while let Some(row) = rows.next()?
        && chunks.len() < ask.limit
    {
        let score: f64 = row.get(7)?;
        chunks.extend(citable(row, &ask.query)?.map(|chunk| chunk.scored(-score, ScoreKind::Bm25)));
    }
    Ok(chunks)
}

fn scan(
    connection: &Connection,
    Facts { fields, trusted }: &Facts,
    ask: &Ask,
) -> rusqlite::Result<Vec<Chunk>> {
    let sql = format!("SELECT {fields} FROM facts f WHERE {trusted} ORDER BY f.fact_id LIMIT ?1");
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([MAX_SCANNED])?;
    let mut found: Vec<(TermSet, Chunk)> = Vec::new();
    while let Some(row) = rows.next()? {
        let chunk = citable(row, &ask.query)?;
        let held = chunk.map(|chunk| (ask.query.terms_in(chunk.content()), chunk));
        found.extend(held.filter(|(terms, _)| !terms.is_empty()));
    }
    let terms: Vec<TermSet> = found.iter().map(|(terms, _)| *terms).collect();
    let rarity = Rarity::over(&ask.query, &terms);
    let share = |terms: &TermSet| rarity.share(*terms);
    found.sort_by(|(a, _), (b, _)| share(b).total_cmp(&share(a)));
    found.truncate(ask.limit);
    Ok(found.into_iter().map(|(t, chunk)| chunk.scored(share(&t), ScoreKind::WordShare)).collect())
}

/// The fact as a chunk, where it does not only repeat the question.
fn citable(row: &Row, query: &Query) -> rusqlite::Result<Option<Chunk>> {
    let trust = match row.get_ref(2)? {
        rusqlite::types::ValueRef::Null => None,
        value => text(value).and_then(|written| written.parse::<f64>().ok()),
    };
    let content = text(row.get_ref(1)?).unwrap_or_default();
    if query.is_echoed_by(&content) {
        return Ok(None);
    }
    let mut chunk = Chunk::new(content);
    chunk.native_id = text(row.get_ref(0)?);
    chunk.created_at = time(row.get_ref(6)?);
    let mut note = |name: &str, value: Option<serde_json::Value>| {
        if let Some(value) = value {
            chunk.metadata.insert(name.into(), value);
        }
    };
    note("trust", trust.map(Into::into));
    note("category", text(row.get_ref(3)?).map(Into::into));
    note("tags", text(row.get_ref(4)?).filter(|tags| !tags.is_empty()).map(Into::into));
    note("updated_at", time(row.get_ref(5)?).map(Into::into));
    Ok(Some(chunk))
}
