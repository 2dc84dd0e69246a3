//! OpenAI's chat interface, which many servers speak: one request, one reply.

use serde_json::{Value, json};

use super::Reply;
use crate::recall::http::{self, Client, Request, status_error};
use crate::recall::prompt::Prompt;
use crate::recall::secret::Secret;

/// Asks `{base}{path}` for an answer.
pub fn complete(
    client: &Client,
    (base, path): (&str, &str),
    key: Option<&Secret>,
    model: &str,
    prompt: &Prompt,
) -> Result<Reply, String> {
    let body = json!({
        "model": model,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ],
        "temperature": 0,
        "stream": false,
    });
    let reply = client.send(Request::post(base, path, body)?.bearer(key))?;
    let answer = with_reason(&reply)?;
    let text = answer.pointer("/choices/0/message/content").and_then(text_of);
    let text = text.ok_or_else(|| "the reply holds no message".to_owned())?;
    let model = answer.get("model").and_then(Value::as_str).unwrap_or(model).to_owned();
    Ok(Reply { text, model: Some(model) })
}

/// The reply's JSON; of a failure, the status and what the server says about it.
pub fn with_reason(reply: &http::Reply) -> Result<Value, String> {
    if (200..=299).contains(&reply.status) {
        return reply.json();
    }
    let said = reply.any_json().ok().and_then(|body| reason(&body));
    let status = status_error(reply.status);
    Err(said.map_or(status.clone(), |said| format!("{status} ({said})")))
}

/// A message's content: a text, or parts of which some are texts.
fn text_of(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
            Some(texts.collect::<Vec<_>>().concat()).filter(|text| !text.is_empty())
        }
        _ => None,
    }
}

/// What a server says about a failure, on one short line.
fn reason(body: &Value) -> Option<String> {
    let places = ["/error/message", "/error", "/message", "/detail"];
    let said = places.iter().find_map(|place| body.pointer(place)?.as_str())?;
    Some(crate::text::printable::one_line(said).chars().take(200).collect())
}
