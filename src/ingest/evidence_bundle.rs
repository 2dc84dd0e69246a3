//! The bundle of `recall_evidence`: `items[]`, each a passage with its `chunk_id`; and the envelope of an answer
//! over it, which cites by `chunk_id`.

use super::json::Json;
use super::reader::Reader;
use super::{Answer, Shape, recall};

pub(super) const SHAPE: Shape = Shape { name: "evidence_bundle", recognises, read };

/// An answer over a bundle: `answer`, `citations`, `insufficient_evidence`.
pub(super) const ENVELOPE: Shape =
    Shape { name: "evidence_bundle", recognises: is_envelope, read: read_envelope };

fn recognises(json: &Json<'_>) -> bool {
    let item = |item: &Json<'_>| item.has("chunk_id") && item.get("text").is_some();
    let Some(items) = json.get("items") else {
        return false;
    };
    items.items().first().is_some_and(item)
        || (json.get("decision").is_some() && json.get("trust_state").is_some())
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    if json.str("decision") == Some("abstain") {
        let reason = json.str("reason_code").unwrap_or("no reason given");
        reader.warn(format!("the evidence abstained: {reason}"));
    }
    for item in json.get_mut("items").into_iter().flat_map(|items| items.items_mut()) {
        let local = item.get("chunk_id").and_then(Json::text);
        recall::chunk(item, "text", local, reader);
    }
}

fn is_envelope(json: &Json<'_>) -> bool {
    json.get("answer").is_some() && json.has("citations") && json.get("insufficient_evidence").is_some()
}

fn read_envelope<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    if json.get("insufficient_evidence") == Some(&Json::Bool(true)) {
        reader.warn("the answer abstained: the evidence is insufficient".into());
    }
    let citations = json.get("citations").into_iter().flat_map(Json::items);
    let cited = citations.filter_map(Json::as_str).map(str::to_owned).collect();
    if let Some(text) = json.get_mut("answer").and_then(Json::take_text) {
        reader.answer(Answer::listed(text, 0..0, cited));
    }
}
