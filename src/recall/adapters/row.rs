//! One row of a service's reply as a chunk. Services name the same thing differently; the names that they are known
//! to use are here, and nothing is taken from a field of another type.

use serde_json::Value;

use crate::recall::chunk::{Chunk, ScoreKind};

const CONTENT: &[&str] = &["content", "text", "document", "thought", "memory", "fact"];
const ID: &[&str] = &["id", "uuid", "memory_id", "document_id"];
const TIME: &[&str] =
    &["created_at", "createdAt", "occurred_start", "mentioned_at", "timestamp", "event_date", "date"];
const LINK: &[&str] = &["uri", "url", "source_url"];
const LISTS: &[&str] =
    &["results", "data", "items", "matches", "memories", "messages", "thoughts", "documents"];

/// The rows of a reply: the list itself, or the list under a name that services use.
pub fn rows(reply: &Value) -> Result<&[Value], String> {
    let list = reply.as_array().or_else(|| LISTS.iter().find_map(|name| reply.get(name)?.as_array()));
    list.map(Vec::as_slice).ok_or_else(|| "the reply holds no list of results".to_owned())
}

/// The row as a chunk without a score; `None` where it has no text.
pub fn chunk(row: &Value) -> Option<Chunk> {
    let content = match row {
        Value::String(text) => text,
        _ => text_under(row, CONTENT)?,
    };
    if content.trim().is_empty() {
        return None;
    }
    let metadata = row.get("metadata").filter(|metadata| metadata.is_object());
    let anywhere = |names: &[&str]| text_under(row, names).or_else(|| text_under(metadata?, names));
    let mut chunk = Chunk::new(content);
    chunk.native_id = ID.iter().find_map(|name| id(row.get(name)?));
    chunk.created_at = anywhere(TIME).map(str::to_owned);
    chunk.uri = anywhere(LINK).filter(|link| is_web(link)).map(str::to_owned);
    chunk.title = anywhere(&["title"]).filter(|title| !title.trim().is_empty()).map(str::to_owned);
    if let Some(Value::Object(fields)) = metadata {
        chunk.metadata.extend(fields.clone());
    }
    Some(chunk)
}

/// The chunk with the first of these numbers that the row has as a likeness in 0..1.
pub fn with_similarity(chunk: Chunk, row: &Value) -> Chunk {
    match number_under(row, &["similarity", "score", "relevance"]) {
        Some(score) if (0.0..=1.0).contains(&score) => chunk.scored(score, ScoreKind::Similarity),
        Some(score) => chunk.scored(score, ScoreKind::TextRank),
        None => match number_under(row, &["distance"]) {
            Some(distance) if distance >= 0.0 => chunk.scored(1.0 / (1.0 + distance), ScoreKind::Similarity),
            _ => chunk,
        },
    }
}

/// The first text under one of these names.
pub fn text_under<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| value.get(name)?.as_str())
}

/// The first number under one of these names.
pub fn number_under(value: &Value, names: &[&str]) -> Option<f64> {
    names.iter().find_map(|name| value.get(name)?.as_f64())
}

fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn is_web(link: &str) -> bool {
    url::Url::parse(link).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_is_read_under_the_names_that_services_use() {
        let row = json!({"id": 7, "thought": "Ice floats.", "similarity": 0.8,
            "metadata": {"url": "https://a.example/x", "title": "Ice"}, "created_at": "2026-01-02"});
        let chunk = with_similarity(chunk(&row).unwrap(), &row);
        assert_eq!((chunk.content(), chunk.native_id.as_deref()), ("Ice floats.", Some("7")));
        assert_eq!(chunk.uri.as_deref(), Some("https://a.example/x"));
        assert_eq!(chunk.score.unwrap().kind, ScoreKind::Similarity);
    }

    #[test]
    fn a_row_of_another_shape_is_no_chunk() {
        for row in [json!({}), json!(7), json!({"content": 7}), json!({"content": " "}), json!([["x"]])] {
            assert!(super::chunk(&row).is_none(), "{row}");
        }
        assert!(super::chunk(&json!({"content": "x", "url": "javascript:alert(1)"})).unwrap().uri.is_none());
        assert!(rows(&json!({"ok": true})).is_err());
    }
}
