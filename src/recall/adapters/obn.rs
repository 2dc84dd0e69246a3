//! `obn`: a Chroma store, through a bridge or directly. A server that does not know the bridge's path is asked as
//! Chroma 2: by the query's vector where there is a server for vectors, else by the query's words.

use serde_json::{Value, json};

use super::{Adapter, Ask, chroma, row};
use crate::recall::chunk::Chunk;
use crate::recall::http::{Client, Request, shown, status_error};
use crate::recall::settings::{Obn, Settings};

pub(super) const ADAPTER: Adapter = Adapter { name: "obn", weight: 900, own: false, search, probe, asks };

/// Where a server on this machine listens.
const LOCAL: &str = "http://127.0.0.1:8000";

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let client = Client::new(ask.settings.timeout_of("obn"));
    let obn = &ask.settings.obn;
    let body = json!({"query": ask.query.text(), "limit": ask.limit});
    let reply = client.send(with_key(Request::post(url(obn), "/api/v1/search", body)?, obn))?;
    if matches!(reply.status, 404 | 405 | 410) && is_chroma(&client, obn)? {
        return chroma::search(&client, url(obn), ask).map(Some);
    }
    let reply = reply.json()?;
    let rows = row::rows(&reply)?.iter();
    let chunks = rows.filter_map(|found| Some(row::with_similarity(row::chunk(found)?, found)));
    Ok(Some(chunks.take(ask.limit).collect()))
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let obn = &settings.obn;
    let client = Client::new(settings.timeout_of("obn"));
    let reply = client.send(with_key(Request::get(url(obn), "/api/v2/heartbeat")?, obn))?;
    match reply.status {
        200..=299 => Ok(Some(format!("{} (Chroma 2)", shown(url(obn))))),
        404 | 405 | 410 => Ok(Some(format!("{} (a bridge)", shown(url(obn))))),
        status => Err(status_error(status)),
    }
}

fn asks(settings: &Settings) -> String {
    let url = shown(url(&settings.obn));
    format!("POST {url}/api/v1/search {{the query, the limit}}, or the collections of Chroma 2")
}

fn url(obn: &Obn) -> &str {
    obn.url.as_deref().unwrap_or(LOCAL)
}

/// Chroma takes its token under either name.
pub(super) fn with_key(request: Request, obn: &Obn) -> Request {
    let request = request.bearer(obn.api_key.as_ref());
    match &obn.api_key {
        Some(key) => request.key("x-chroma-token", key),
        None => request,
    }
}

fn is_chroma(client: &Client, obn: &Obn) -> Result<bool, String> {
    let reply = client.send(with_key(Request::get(url(obn), "/api/v2/heartbeat")?, obn))?;
    Ok(reply.json().is_ok_and(|beat: Value| beat.is_object()))
}
