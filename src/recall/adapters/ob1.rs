//! `ob1`: Open Brain on Supabase, asked through one of its SQL functions. A function that the project does not have
//! (`PGRST202`) is followed by the next one, each tried once.

use serde_json::{Value, json};

use super::{Adapter, Ask, embed, ob1_key, row};
use crate::recall::chunk::{Chunk, ScoreKind};
use crate::recall::http::{Client, Reply, Request, shown, status_error};
use crate::recall::secret::Secret;
use crate::recall::settings::{Ob1, Settings};

pub(super) const ADAPTER: Adapter = Adapter { name: "ob1", weight: 1000, own: false, search, probe, asks };

/// The functions, in the order in which they are tried.
const PRESETS: &[Preset] = &[
    Preset { name: "text", function: "search_thoughts_text", scored: false },
    Preset { name: "match", function: "match_thoughts", scored: true },
    Preset { name: "seed", function: "search_thoughts", scored: true },
];

/// One way to search.
struct Preset {
    name: &'static str,
    function: &'static str,
    /// Its score is a likeness, so the minimum applies.
    scored: bool,
}

fn search(ask: &Ask) -> Result<Option<Vec<Chunk>>, String> {
    let client = Client::new(ask.settings.timeout_of("ob1"));
    let (url, key) = place(&ask.settings)?;
    let ob1 = &ask.settings.ob1;
    let mut last = String::new();
    for preset in presets(ob1)? {
        let body = body(preset, ask, &client)?;
        let reply = client.send(request(url, function(preset, ob1), body, &key)?)?;
        if !is_unknown_function(&reply) {
            return Ok(Some(chunks(&reply.json()?, preset, ask)?));
        }
        last = status_error(reply.status);
    }
    Err(last)
}

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let (url, key) = place(settings)?;
    let client = Client::new(settings.timeout_of("ob1"));
    let reply = client.send(with_key(Request::get(url, "/rest/v1/")?, &key))?;
    match reply.status {
        200..=299 => Ok(Some(shown(url))),
        status => Err(status_error(status)),
    }
}

fn asks(settings: &Settings) -> String {
    let ob1 = &settings.ob1;
    let url = ob1.url.as_deref().map_or("(no URL)".to_owned(), shown);
    let presets = presets(ob1).unwrap_or_default();
    let functions: Vec<&str> = presets.into_iter().map(|preset| function(preset, ob1)).collect();
    format!("POST {url}/rest/v1/rpc/{} {{the query, the limit}}", functions.join(", then "))
}

/// The URL and the key; the helper is only run where there is a URL to use its key on.
fn place(settings: &Settings) -> Result<(&str, Secret), String> {
    let no_key = || "no API key available".to_owned();
    match (settings.ob1.url.as_deref(), &settings.ob1.api_key) {
        (Some(url), Some(key)) => Ok((url, key.clone())),
        (Some(url), None) => Ok((url, ob1_key::from_helper(settings)?.ok_or_else(no_key)?)),
        (None, Some(_)) => Err("no URL configured (CITED_OB1_URL)".into()),
        (None, None) => Err(no_key()),
    }
}

/// The configured preset and those after it; `match` needs a vector.
fn presets(ob1: &Ob1) -> Result<Vec<&'static Preset>, String> {
    let first = PRESETS.iter().position(|preset| preset.name == ob1.preset);
    let first = first.ok_or_else(|| format!("no preset `{}`; there are text, match and seed", ob1.preset))?;
    let able = |preset: &&Preset| preset.name != "match" || ob1.embedding.is_some();
    let presets: Vec<&Preset> = PRESETS[first..].iter().filter(able).collect();
    if presets.first().is_some_and(|preset| preset.name != ob1.preset) {
        return Err("the preset `match` needs [recall.ob1.embedding]".into());
    }
    Ok(presets)
}

/// The user's own name stands for the function of the configured preset.
fn function<'a>(preset: &Preset, ob1: &'a Ob1) -> &'a str {
    match &ob1.function {
        Some(name) if preset.name == ob1.preset => name,
        _ => preset.function,
    }
}

fn body(preset: &Preset, ask: &Ask, client: &Client) -> Result<Value, String> {
    let (query, limit, ob1) = (ask.query.text(), ask.limit, &ask.settings.ob1);
    Ok(match (preset.name, &ob1.embedding) {
        ("text", _) => json!({"p_query": query, "p_limit": limit, "p_filter": {}, "p_offset": 0}),
        ("match", Some(embedding)) => json!({
            "query_embedding": embed::embed(client, embedding, query)?,
            "match_threshold": ob1.min_score,
            "match_count": limit,
            "filter": {},
        }),
        _ => json!({"query": query, "limit": limit}),
    })
}

fn request(url: &str, function: &str, body: Value, key: &Secret) -> Result<Request, String> {
    let path = format!("/rest/v1/rpc/{}", crate::recall::http::segment(function));
    Ok(with_key(Request::post(url, &path, body)?, key))
}

/// New keys (`sb_…`) are no tokens: as a bearer they would be refused.
fn with_key(request: Request, key: &Secret) -> Request {
    let request = request.key("apikey", key);
    if key.expose().starts_with("sb_") { request } else { request.bearer(Some(key)) }
}

fn is_unknown_function(reply: &Reply) -> bool {
    let code = |body: Value| body.get("code").and_then(Value::as_str).map(str::to_owned);
    reply.status == 404 && reply.any_json().ok().and_then(code).as_deref() == Some("PGRST202")
}

fn chunks(reply: &Value, preset: &Preset, ask: &Ask) -> Result<Vec<Chunk>, String> {
    let rows = row::rows(reply)?.iter();
    let chunks = rows.filter_map(|found| Some(scored(row::chunk(found)?, found, preset)));
    let enough = |chunk: &Chunk| match chunk.score {
        Some(score) if score.kind == ScoreKind::Similarity => score.value >= ask.settings.ob1.min_score,
        _ => true,
    };
    Ok(chunks.filter(enough).take(ask.limit).collect())
}

fn scored(chunk: Chunk, found: &Value, preset: &Preset) -> Chunk {
    if preset.scored || found.get("similarity").is_some() {
        return row::with_similarity(chunk, found);
    }
    match row::number_under(found, &["rank", "score"]) {
        Some(rank) => chunk.scored(rank, ScoreKind::TextRank),
        None => chunk,
    }
}
