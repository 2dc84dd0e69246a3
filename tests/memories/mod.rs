//! Real memory files for the tests: Hermes' `state.db` in each shape that it has had, and `memory_store.db`.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use cited::recall::{Params, Recall, Settings, Surroundings, recall};
use rusqlite::{Connection, params};

/// How the full-text index of messages is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The index points into `messages`.
    External,
    /// The index has a copy of content and tool columns in one text.
    OwnCopy,
    /// Content beside tool name and tool calls.
    WithTools,
    /// There is none.
    None,
}

pub const SHAPES: [Shape; 4] = [Shape::External, Shape::OwnCopy, Shape::WithTools, Shape::None];

/// Which columns the file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    Early,
    Later,
}

/// A folder that stands for `$HERMES_HOME`, the home and the working folder.
pub struct Home {
    pub folder: tempfile::TempDir,
}

impl Home {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn settings(&self) -> Settings {
        self.settings_with(&[])
    }

    pub fn settings_with(&self, variables: &[(&str, &str)]) -> Settings {
        let folder = self.folder.path();
        let variable = |name: &str| match name {
            "HERMES_HOME" => Some(folder.display().to_string()),
            _ => variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()),
        };
        let around = Surroundings {
            config: None,
            variable: &variable,
            home: Some(folder),
            folder,
            now: "2026-06-01T12:00:00Z".parse().unwrap(),
        };
        Settings::read(&around).unwrap()
    }

    /// Asks one source, with no model.
    pub fn ask(&self, source: &str, question: &str) -> Recall {
        ask(self.settings(), source, question)
    }

    pub fn state(&self, shape: Shape, columns: Columns) -> State {
        State::create(&self.path("state.db"), shape, columns)
    }

    pub fn facts(&self) -> Facts {
        Facts::create(&self.path("memory_store.db"))
    }
}

/// Asks `sources` (names with commas) and no model; one source is enough.
pub fn ask(settings: Settings, sources: &str, question: &str) -> Recall {
    let params = Params {
        sources: sources.split(',').map(str::to_owned).collect(),
        min_sources: 1,
        llm: cited::recall::models::Choice::None,
        ..Params::default()
    };
    recall(question, params, settings).unwrap()
}

/// The contents of the citations, best first.
pub fn contents(found: &Recall) -> Vec<&str> {
    found.findings.citations.iter().map(|cited| cited.fused.chunk.content()).collect()
}

/// The native ids of the citations, best first.
pub fn ids(found: &Recall) -> Vec<&str> {
    found.findings.citations.iter().map(|cited| cited.fused.chunk.native_id.as_deref().unwrap()).collect()
}

pub fn errors(found: &Recall) -> Vec<String> {
    cited::recall::report::errors(&found.replies)
}

/// A `state.db` that is being written.
pub struct State {
    pub connection: Connection,
    shape: Shape,
}

impl State {
    pub fn create(path: &Path, shape: Shape, columns: Columns) -> Self {
        let connection = Connection::open(path).unwrap();
        let (messages, sessions) = match columns {
            Columns::Early => ("", ""),
            Columns::Later => (
                ", reasoning TEXT, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, \
                 display_kind TEXT",
                ", title TEXT",
            ),
        };
        let tables = format!(
            "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, \
               parent_session_id TEXT, started_at REAL NOT NULL{sessions}); \
             CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, \
               role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, \
               timestamp REAL NOT NULL{messages});"
        );
        connection.execute_batch(&tables).unwrap();
        let index = match shape {
            Shape::External => {
                "CREATE VIRTUAL TABLE messages_fts USING fts5(content, content=messages, content_rowid=id);"
            }
            Shape::OwnCopy => "CREATE VIRTUAL TABLE messages_fts USING fts5(content);",
            Shape::WithTools => {
                "CREATE VIRTUAL TABLE messages_fts USING fts5(content, tool_name, tool_calls, \
                 content='messages', content_rowid='id');"
            }
            Shape::None => "",
        };
        connection.execute_batch(index).unwrap();
        Self { connection, shape }
    }

    /// Adds the trigram index of scripts without spaces.
    pub fn with_trigrams(self) -> Self {
        let sql = "CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tokenize='trigram')";
        self.connection.execute_batch(sql).unwrap();
        self
    }

    pub fn session(&self, id: &str, source: &str, parent: Option<&str>) {
        let sql = "INSERT INTO sessions (id, source, parent_session_id, started_at) VALUES (?1, ?2, ?3, 1.0)";
        self.connection.execute(sql, params![id, source, parent]).unwrap();
    }

    /// Stores a message and returns its id.
    pub fn say(&self, session: &str, role: &str, content: &str) -> i64 {
        self.say_with_tools(session, role, content, None, None)
    }

    pub fn say_with_tools(
        &self,
        session: &str,
        role: &str,
        content: &str,
        tool: Option<&str>,
        calls: Option<&str>,
    ) -> i64 {
        let sql = "INSERT INTO messages (session_id, role, content, tool_name, tool_calls, timestamp) \
                   VALUES (?1, ?2, ?3, ?4, ?5, 1767323045.0)";
        self.connection.prepare(sql).unwrap().execute(params![session, role, content, tool, calls]).unwrap();
        let id = self.connection.last_insert_rowid();
        self.index(id, content, tool, calls);
        id
    }

    fn index(&self, id: i64, content: &str, tool: Option<&str>, calls: Option<&str>) {
        let both = format!("{content} {} {}", tool.unwrap_or_default(), calls.unwrap_or_default());
        let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
            self.connection.prepare(sql).unwrap().execute(values).unwrap();
        };
        match self.shape {
            Shape::External => {
                run("INSERT INTO messages_fts (rowid, content) VALUES (?1, ?2)", &[&id, &content]);
            }
            Shape::OwnCopy => run("INSERT INTO messages_fts (rowid, content) VALUES (?1, ?2)", &[&id, &both]),
            Shape::WithTools => run(
                "INSERT INTO messages_fts (rowid, content, tool_name, tool_calls) VALUES (?1, ?2, ?3, ?4)",
                &[&id, &content, &tool, &calls],
            ),
            Shape::None => {}
        }
        let trigrams = "SELECT count(*) FROM sqlite_master WHERE name = 'messages_fts_trigram'";
        if self.connection.query_row(trigrams, [], |row| row.get::<_, i64>(0)).unwrap() > 0 {
            run("INSERT INTO messages_fts_trigram (rowid, content) VALUES (?1, ?2)", &[&id, &content]);
        }
    }

    pub fn set(&self, id: i64, column: &str, value: impl rusqlite::ToSql) {
        let sql = format!("UPDATE messages SET {column} = ?1 WHERE id = ?2");
        self.connection.execute(&sql, params![value, id]).unwrap();
    }
}

/// A `memory_store.db` that is being written.
pub struct Facts {
    pub connection: Connection,
}

impl Facts {
    pub fn create(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE facts (fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE, \
                   category TEXT DEFAULT 'general', tags TEXT DEFAULT '', trust_score REAL DEFAULT 0.5, \
                   retrieval_count INTEGER DEFAULT 0, helpful_count INTEGER DEFAULT 0, \
                   created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, \
                   hrr_vector BLOB); \
                 CREATE VIRTUAL TABLE facts_fts USING fts5(content, tags, content=facts, content_rowid=fact_id); \
                 CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN \
                   INSERT INTO facts_fts (rowid, content, tags) VALUES (new.fact_id, new.content, new.tags); END;",
            )
            .unwrap();
        Self { connection }
    }

    pub fn add(&self, content: &str, trust: f64) {
        let sql = "INSERT OR IGNORE INTO facts (content, trust_score, created_at, updated_at) \
                   VALUES (?1, ?2, '2026-01-02 03:04:05', '2026-01-02 03:04:05')";
        self.connection.prepare(sql).unwrap().execute(params![content, trust]).unwrap();
    }
}
