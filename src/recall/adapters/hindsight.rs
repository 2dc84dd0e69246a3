//! `hindsight`: a memory bank of a Hindsight server; a server without `/version` is an old one, asked the old way.

use serde_json::{Value, json};

use super::{Adapter, Ask, row};
use crate::recall::chunk::{Chunk, ScoreKind};
use crate::recall::http::{Client, Request, segment, shown, status_error};
use crate::recall::settings::{Hindsight, Settings};

pub(super) const ADAPTER: Adapter =
    Adapter { name: "hindsight", weight: 800, own: false, search, probe, asks };

/// Where a server on this machine listens.
const LOCAL: &str = "http://127.0.0.1:8888";

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let client = Client::new(ask.settings.timeout_of("hindsight"));
    let hindsight = &ask.settings.hindsight;
    let url = url(hindsight);
    let body = json!({
        "query": ask.query.text(),
        "budget": hindsight.budget,
        "max_tokens": hindsight.max_tokens,
        "types": hindsight.types,
    });
    let request = Request::post(url, &path(hindsight), body)?.bearer(hindsight.api_key.as_ref());
    let reply = client.send(request)?;
    let reply = match reply.status {
        404 | 405 if is_old(&client, hindsight)? => {
            let limit = ask.limit.to_string();
            let search = Request::get(url, "/search")?.query("q", ask.query.text()).query("limit", &limit);
            client.send(search.bearer(hindsight.api_key.as_ref()))?
        }
        _ => reply,
    };
    let reply = reply.json()?;
    let rows = row::rows(&reply)?.iter();
    Ok(Some(rows.filter_map(|found| chunk(found, hindsight)).take(ask.limit).collect()))
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let hindsight = &settings.hindsight;
    let client = Client::new(settings.timeout_of("hindsight"));
    let reply = client.send(Request::get(url(hindsight), "/version")?.bearer(hindsight.api_key.as_ref()))?;
    match reply.status {
        200..=299 => Ok(Some(shown(url(hindsight)))),
        404 => Ok(Some(format!("{} (an old server)", shown(url(hindsight))))),
        status => Err(status_error(status)),
    }
}

fn asks(settings: &Settings) -> String {
    let hindsight = &settings.hindsight;
    format!("POST {}{} {{the query, budget {}}}", shown(url(hindsight)), path(hindsight), hindsight.budget)
}

fn url(hindsight: &Hindsight) -> &str {
    hindsight.url.as_deref().unwrap_or(LOCAL)
}

fn path(hindsight: &Hindsight) -> String {
    format!("/v1/default/banks/{}/memories/recall", segment(&hindsight.bank))
}

fn is_old(client: &Client, hindsight: &Hindsight) -> Result<bool, String> {
    let request = Request::get(url(hindsight), "/version")?.bearer(hindsight.api_key.as_ref());
    Ok(client.send(request)?.status == 404)
}

fn chunk(found: &Value, hindsight: &Hindsight) -> Option<Chunk> {
    let mut chunk = row::chunk(found)?;
    chunk.store_id = Some(hindsight.bank.clone());
    for name in ["type", "document_id", "context"] {
        if let Some(text) = row::text_under(found, &[name]) {
            chunk.metadata.insert(name.into(), text.into());
        }
    }
    let Some(scores) = found.get("scores") else { return Some(row::with_similarity(chunk, found)) };
    let is_share = |score: &f64| (0.0..=1.0).contains(score);
    if let Some(score) = row::number_under(scores, &["reranker", "cross_encoder"]).filter(is_share) {
        return Some(chunk.scored(score, ScoreKind::Reranker));
    }
    match row::number_under(scores, &["semantic", "similarity"]).filter(is_share) {
        Some(score) => Some(chunk.scored(score, ScoreKind::Similarity)),
        None => Some(chunk),
    }
}
