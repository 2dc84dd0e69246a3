//! One message of `state.db` with its session, whichever columns that file has: what is missing reads as absent.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Statement};

use super::session_text;
use super::sqlite;

/// A stored message.
#[derive(Debug)]
pub struct Row {
    /// Its id.
    pub id: i64,
    /// Its session's id.
    pub session: String,
    /// `user` or `assistant`; others are not read.
    pub role: String,
    /// The bytes of its content.
    pub content: Vec<u8>,
    /// When it was written, RFC 3339.
    pub created_at: Option<String>,
    /// Undone, or not meant to be shown.
    pub is_hidden: bool,
    /// Where the session came from (`cli`, `cron`…), empty where the file does not say.
    pub source: String,
    /// The session's title.
    pub title: Option<String>,
}

/// Reads messages by id.
pub struct Reader<'a> {
    message: RefCell<Statement<'a>>,
    parent: Option<RefCell<Statement<'a>>>,
    question: RefCell<Statement<'a>>,
    roots: RefCell<HashMap<String, String>>,
}

impl<'a> Reader<'a> {
    /// Looks at which columns there are.
    pub fn new(connection: &'a Connection) -> Result<Self, String> {
        let messages = sqlite::columns(connection, "messages")?;
        let sessions = sqlite::columns(connection, "sessions")?;
        let needed = ["id", "session_id", "role", "content"];
        if let Some(missing) = needed.iter().find(|name| !messages.iter().any(|column| column == *name)) {
            return Err(format!("not a session database: no column `{missing}` in a table `messages`"));
        }
        let prepare = |sql: &str| connection.prepare(sql).map_err(|error| sqlite::plain(&error));
        let parent = match sessions.iter().any(|column| column == "parent_session_id") {
            true => Some(RefCell::new(prepare("SELECT parent_session_id FROM sessions WHERE id = ?1")?)),
            false => None,
        };
        let question = "SELECT CAST(content AS BLOB) FROM messages \
                        WHERE session_id = ?1 AND id < ?2 AND role = 'user' ORDER BY id DESC LIMIT 1";
        Ok(Self {
            message: RefCell::new(prepare(&message_sql(&messages, &sessions))?),
            parent,
            question: RefCell::new(prepare(question)?),
            roots: RefCell::default(),
        })
    }

    /// The message `id`, where it is a user's or an assistant's.
    pub fn row(&self, id: i64) -> rusqlite::Result<Option<Row>> {
        let mut statement = self.message.borrow_mut();
        let row = statement.query_row([id], |row| {
            let is = |at: usize, wanted: i64| {
                Ok::<bool, rusqlite::Error>(number(row.get_ref(at)?) == Some(wanted))
            };
            let undone = is(4, 0)? && !is(5, 1)?;
            let display = text(row.get_ref(6)?).unwrap_or_default();
            Ok(Row {
                id,
                session: text(row.get_ref(0)?).unwrap_or_default(),
                role: text(row.get_ref(1)?).unwrap_or_default(),
                content: bytes(row.get_ref(2)?).to_vec(),
                created_at: time(row.get_ref(3)?),
                is_hidden: undone || display == "hidden",
                source: text(row.get_ref(7)?).unwrap_or_default(),
                title: text(row.get_ref(8)?).filter(|title| !title.trim().is_empty()),
            })
        });
        row.optional()
    }

    /// The first session of the lineage that `session` continues.
    pub fn root(&self, session: &str) -> rusqlite::Result<String> {
        if let Some(root) = self.roots.borrow().get(session) {
            return Ok(root.clone());
        }
        let mut seen = HashSet::from([session.to_owned()]);
        let mut root = session.to_owned();
        while let Some(parent) = self.parent_of(&root)?
            && seen.insert(parent.clone())
        {
            root = parent;
        }
        // Of sessions that are each other's parents, the first by name stands for all.
        let root =
            if self.parent_of(&root)?.is_some() { seen.into_iter().min().unwrap_or(root) } else { root };
        self.roots.borrow_mut().insert(session.to_owned(), root.clone());
        Ok(root)
    }

    fn parent_of(&self, session: &str) -> rusqlite::Result<Option<String>> {
        let Some(statement) = &self.parent else { return Ok(None) };
        let parent =
            statement.borrow_mut().query_row([session], |row| Ok(text(row.get_ref(0)?))).optional()?;
        Ok(parent.flatten().filter(|parent| !parent.is_empty()))
    }

    /// The last thing that the user said before `row` was a prompt of `cited recall`.
    pub fn asked_by_us(&self, row: &Row) -> rusqlite::Result<bool> {
        let mut statement = self.question.borrow_mut();
        let asked = statement.query_row((&row.session, row.id), |row| Ok(bytes(row.get_ref(0)?).to_vec()));
        let asked = asked.optional()?.unwrap_or_default();
        Ok(session_text::is_ours(&String::from_utf8_lossy(&asked)))
    }
}

/// Selects session, role, content, time, active, compacted, display kind, source, title: columns that the file
/// lacks as NULL.
fn message_sql(messages: &[String], sessions: &[String]) -> String {
    let message = |name: &str| column("m", name, messages);
    let session = |name: &str| column("s", name, sessions);
    let has_sessions = sessions.iter().any(|name| name == "id");
    let join = if has_sessions { "LEFT JOIN sessions s ON s.id = m.session_id" } else { "" };
    format!(
        "SELECT m.session_id, m.role, CAST(m.content AS BLOB), {}, {}, {}, {}, {}, {} FROM messages m {join} \
         WHERE m.id = ?1 AND m.role IN ('user', 'assistant')",
        message("timestamp"),
        message("active"),
        message("compacted"),
        message("display_kind"),
        session("source"),
        session("title"),
    )
}

fn column(table: &str, name: &str, columns: &[String]) -> String {
    if columns.iter().any(|column| column == name) { format!("{table}.{name}") } else { "NULL".into() }
}

/// A time as RFC 3339 in UTC: seconds since 1970, or text as SQLite writes it.
pub fn time(value: ValueRef) -> Option<String> {
    let seconds = match value {
        ValueRef::Integer(seconds) => seconds as f64,
        ValueRef::Real(seconds) => seconds,
        _ => return text(value).map(|written| rfc3339(&written)),
    };
    let millis = (seconds * 1000.0).round();
    let stamp = jiff::Timestamp::from_millisecond(millis as i64).ok()?;
    Some(stamp.to_string())
}

/// `2026-01-02 03:04:05` is UTC in SQLite; anything else stays as it is written.
fn rfc3339(written: &str) -> String {
    match written.trim().parse::<jiff::civil::DateTime>() {
        Ok(time) if !written.contains('T') && written.contains(':') => format!("{time}Z"),
        _ => written.trim().to_owned(),
    }
}

/// A text or number column as text.
pub fn text(value: ValueRef) -> Option<String> {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Null => None,
    }
}

fn bytes(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        _ => b"",
    }
}

fn number(value: ValueRef) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Real(number) => Some(number as i64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_time_becomes_utc() {
        assert_eq!(time(ValueRef::Real(1_767_323_045.5)).unwrap(), "2026-01-02T03:04:05.5Z");
        assert_eq!(time(ValueRef::Integer(1_767_323_045)).unwrap(), "2026-01-02T03:04:05Z");
        assert_eq!(time(ValueRef::Text(b"2026-01-02 03:04:05")).unwrap(), "2026-01-02T03:04:05Z");
        assert_eq!(time(ValueRef::Text(b"last week")).unwrap(), "last week");
        assert_eq!(time(ValueRef::Real(f64::MAX)), None);
        assert_eq!(time(ValueRef::Null), None);
    }
}
