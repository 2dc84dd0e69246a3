//! `honcho`: messages and conclusions of a Honcho workspace. It gives no scores; what it concluded by itself is labelled,
//! so that nobody takes it for something that was said. Off unless a URL is configured.

use serde_json::{Value, json};

use super::{Adapter, Ask, row};
use crate::recall::chunk::Chunk;
use crate::recall::http::{Client, Request, segment, shown, status_error};
use crate::recall::settings::{Honcho, Settings};

pub(super) const ADAPTER: Adapter = Adapter { name: "honcho", weight: 600, own: false, search, probe, asks };

/// Fields that only a conclusion has.
const OF_CONCLUSIONS: &[&str] = &["observer_id", "observed_id", "conclusion", "premises", "level"];

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let honcho = &ask.settings.honcho;
    let Some(url) = &honcho.url else { return Ok(None) };
    let client = Client::new(ask.settings.timeout_of("honcho"));
    let body = json!({"query": ask.query.text(), "limit": ask.limit});
    let request = Request::post(url, &path(honcho), body)?.bearer(honcho.api_key.as_ref());
    let reply = client.send(request)?.json()?;
    let rows = row::rows(&reply)?.iter();
    Ok(Some(rows.filter_map(|found| chunk(found, honcho)).take(ask.limit).collect()))
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let Some(url) = &settings.honcho.url else { return Ok(None) };
    let client = Client::new(settings.timeout_of("honcho"));
    let reply = client.send(Request::get(url, "/health")?.bearer(settings.honcho.api_key.as_ref()))?;
    match reply.status {
        200..=299 | 404 => Ok(Some(shown(url))),
        status => Err(status_error(status)),
    }
}

fn asks(settings: &Settings) -> String {
    let url = settings.honcho.url.as_deref().map_or("(no URL)".to_owned(), shown);
    format!("POST {url}{} {{the query, the limit}}", path(&settings.honcho))
}

fn workspace(honcho: &Honcho) -> &str {
    honcho.workspace.as_deref().unwrap_or("default")
}

fn path(honcho: &Honcho) -> String {
    format!("/v3/workspaces/{}/search", segment(workspace(honcho)))
}

fn chunk(found: &Value, honcho: &Honcho) -> Option<Chunk> {
    let derived = OF_CONCLUSIONS.iter().any(|name| found.get(name).is_some_and(|value| !value.is_null()))
        || row::text_under(found, &["type", "kind"]) == Some("conclusion");
    let mut chunk = row::chunk(found).or_else(|| row::text_under(found, &["conclusion"]).map(Chunk::new))?;
    chunk.store_id = Some(workspace(honcho).to_owned());
    for name in ["peer_id", "session_id"] {
        if let Some(text) = row::text_under(found, &[name]) {
            chunk.metadata.insert(name.into(), text.into());
        }
    }
    if derived {
        chunk.metadata.insert("derived".into(), true.into());
        chunk.title.get_or_insert_with(|| "derived conclusion".into());
    }
    Some(chunk)
}
