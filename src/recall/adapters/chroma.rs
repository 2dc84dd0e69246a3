//! Chroma 2 over HTTP: the collections of one tenant and database, each queried by vector or searched by word, and
//! the hits of all of them in one order.

use serde_json::{Value, json};

use super::obn::with_key;
use super::{Ask, embed, row};
use crate::recall::chunk::{Chunk, ScoreKind};
use crate::recall::http::{Client, Request, segment};
use crate::recall::query::TermSet;
use crate::recall::relevance::Rarity;
use crate::recall::settings::Obn;

/// The most collections that are asked.
const MAX_COLLECTIONS: usize = 50;
/// The most documents of a collection that a search by words looks at.
const MAX_DOCUMENTS: usize = 200;

/// A collection and how its distances are measured.
#[derive(Debug)]
struct Collection {
    id: String,
    name: String,
    space: String,
}

/// Searches every collection of the configured database. One that fails only counts where all fail.
pub fn search(client: &Client, url: &str, ask: &Ask) -> Result<Vec<Chunk>, String> {
    let obn = &ask.settings.obn;
    let collections = collections(client, url, obn)?;
    let vector = match &obn.embedding {
        Some(embedding) => Some(embed::embed(client, embedding, ask.query.text())?),
        None => None,
    };
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut failed = Vec::new();
    for collection in &collections {
        let found = match &vector {
            Some(vector) => by_vector(client, url, collection, vector, ask),
            None => by_words(client, url, collection, ask),
        };
        match found {
            Ok(found) => chunks.extend(found),
            Err(error) => failed.push(error),
        }
    }
    if !failed.is_empty() && failed.len() == collections.len() {
        return Err(failed.swap_remove(0));
    }
    if vector.is_none() {
        rank_by_words(&mut chunks, ask);
    }
    let score = |chunk: &Chunk| chunk.score.map_or(0.0, |score| score.value);
    chunks.sort_by(|a, b| {
        let order = score(b).total_cmp(&score(a));
        order.then_with(|| a.store_id.cmp(&b.store_id)).then_with(|| a.native_id.cmp(&b.native_id))
    });
    chunks.truncate(ask.limit);
    Ok(chunks)
}

fn root(obn: &Obn) -> String {
    format!("/api/v2/tenants/{}/databases/{}/collections", segment(&obn.tenant), segment(&obn.database))
}

/// By name; those that the user named, or all.
fn collections(client: &Client, url: &str, obn: &Obn) -> Result<Vec<Collection>, String> {
    let reply = client.send(with_key(Request::get(url, &root(obn))?, obn))?.json()?;
    let mut found: Vec<Collection> = row::rows(&reply)?.iter().filter_map(collection).collect();
    found.retain(|one| obn.collections.is_empty() || obn.collections.contains(&one.name));
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.truncate(MAX_COLLECTIONS);
    Ok(found)
}

fn collection(found: &Value) -> Option<Collection> {
    let id = row::text_under(found, &["id"])?.to_owned();
    let name = row::text_under(found, &["name"])?.to_owned();
    let spaces =
        ["/configuration_json/hnsw/space", "/configuration_json/spann/space", "/metadata/hnsw:space"];
    let space = spaces.iter().find_map(|place| found.pointer(place)?.as_str()).unwrap_or("l2").to_owned();
    Some(Collection { id, name, space })
}

fn by_vector(
    client: &Client,
    url: &str,
    collection: &Collection,
    vector: &[f64],
    ask: &Ask,
) -> Result<Vec<Chunk>, String> {
    let body = json!({
        "query_embeddings": [vector],
        "n_results": ask.limit,
        "include": ["documents", "metadatas", "distances"],
    });
    let reply = post(client, url, collection, "query", body, ask)?;
    let is_unit = (vector.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-3;
    let distances = reply.pointer("/distances/0").and_then(Value::as_array);
    let scored = documents(&reply, "/0", collection).into_iter().map(|(at, chunk)| {
        match distances.and_then(|all| all.get(at)?.as_f64()) {
            Some(distance) => {
                chunk.scored(similarity(distance, &collection.space, is_unit), ScoreKind::Similarity)
            }
            None => chunk,
        }
    });
    Ok(scored.collect())
}

/// A distance as a likeness. Chroma's `l2` is the squared distance: on unit vectors that is twice the cosine's.
fn similarity(distance: f64, space: &str, is_unit: bool) -> f64 {
    let likeness = match space {
        "cosine" => 1.0 - distance,
        "l2" if is_unit => 1.0 - distance / 2.0,
        _ => 1.0 / (1.0 + distance.max(0.0)),
    };
    likeness.clamp(0.0, 1.0)
}

fn by_words(client: &Client, url: &str, collection: &Collection, ask: &Ask) -> Result<Vec<Chunk>, String> {
    let mut wanted: Vec<Value> = needles(ask).into_iter().map(|word| json!({"$contains": word})).collect();
    let filter = match wanted.len() {
        0 => return Ok(Vec::new()),
        1 => wanted.remove(0),
        _ => json!({"$or": wanted}),
    };
    let body = json!({
        "where_document": filter,
        "limit": MAX_DOCUMENTS,
        "include": ["documents", "metadatas"],
    });
    let reply = post(client, url, collection, "get", body, ask)?;
    Ok(documents(&reply, "", collection).into_iter().map(|(_, chunk)| chunk).collect())
}

/// `$contains` tells upper from lower case: each word as it was asked, in lower case and capitalised.
fn needles(ask: &Ask) -> Vec<String> {
    let mut needles: Vec<String> = Vec::new();
    for term in ask.query.terms() {
        let mut letters = term.stem.chars();
        let capital: String =
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        needles.extend([term.stem.clone(), capital, term.stem.to_uppercase()]);
    }
    needles.dedup();
    needles
}

fn rank_by_words(chunks: &mut Vec<Chunk>, ask: &Ask) {
    let found: Vec<TermSet> = chunks.iter().map(|chunk| ask.query.terms_in(chunk.content())).collect();
    let rarity = Rarity::over(&ask.query, &found);
    let scored = std::mem::take(chunks).into_iter().zip(found).filter(|(_, terms)| !terms.is_empty());
    *chunks = scored.map(|(chunk, terms)| chunk.scored(rarity.share(terms), ScoreKind::WordShare)).collect();
}

fn post(
    client: &Client,
    url: &str,
    collection: &Collection,
    verb: &str,
    body: Value,
    ask: &Ask,
) -> Result<Value, String> {
    let obn = &ask.settings.obn;
    let path = format!("{}/{}/{verb}", root(obn), segment(&collection.id));
    client.send(with_key(Request::post(url, &path, body)?, obn))?.json()
}

/// The documents of a columnar reply with their places; `inner` leads to the first query's columns.
fn documents(reply: &Value, inner: &str, collection: &Collection) -> Vec<(usize, Chunk)> {
    let column = |name: &str| reply.pointer(&format!("/{name}{inner}")).and_then(Value::as_array);
    let texts = column("documents").map(Vec::as_slice).unwrap_or_default();
    let cell = |name: &str, at: usize| column(name).and_then(|cells| cells.get(at));
    let chunks = texts.iter().enumerate().filter_map(|(at, text)| {
        let id = cell("ids", at).cloned().unwrap_or_default();
        let metadata = cell("metadatas", at).cloned().unwrap_or_default();
        let mut chunk = row::chunk(&json!({"id": id, "content": text, "metadata": metadata}))?;
        chunk.store_id = Some(collection.name.clone());
        Some((at, chunk))
    });
    chunks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_read_by_the_collections_space() {
        assert_eq!(similarity(0.25, "cosine", true), 0.75);
        assert_eq!(similarity(0.5, "l2", true), 0.75);
        assert_eq!(similarity(1.0, "l2", false), 0.5);
        assert_eq!(similarity(1.0, "ip", true), 0.5);
        assert_eq!(similarity(3.0, "cosine", true), 0.0);
    }
}
