//! The query as a vector, from a server that the user configured: OpenAI's `/v1/embeddings` or Ollama's `/api/embed`.

use serde_json::{Value, json};

use crate::recall::http::{Client, Request};
use crate::recall::settings::Embedding;

/// Vectors have at most this many numbers.
const MAX_DIMENSIONS: usize = 16_384;

/// The vector of `text`.
pub fn embed(client: &Client, embedding: &Embedding, text: &str) -> Result<Vec<f64>, String> {
    let body = json!({"model": embedding.model, "input": text});
    let request = Request::post(&embedding.url, "", body)?.bearer(embedding.api_key.as_ref());
    let reply = client.send(request).and_then(|reply| reply.json());
    let reply = reply.map_err(|error| format!("embedding: {error}"))?;
    vector(&reply).ok_or_else(|| "embedding: the reply holds no vector".to_owned())
}

/// All numbers, and at least one.
fn vector(reply: &Value) -> Option<Vec<f64>> {
    let places = ["/data/0/embedding", "/embeddings/0", "/embedding"];
    let numbers = places.iter().find_map(|place| reply.pointer(place)?.as_array())?;
    let fits = (1..=MAX_DIMENSIONS).contains(&numbers.len());
    numbers.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>().filter(|_| fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_read_from_both_kinds_of_server() {
        for reply in [
            json!({"data": [{"embedding": [0.5, 1]}]}),
            json!({"embeddings": [[0.5, 1]]}),
            json!({"embedding": [0.5, 1]}),
        ] {
            assert_eq!(vector(&reply), Some(vec![0.5, 1.0]));
        }
        assert_eq!(vector(&json!({"embeddings": [[]]})), None);
        assert_eq!(vector(&json!({"embeddings": [["x"]]})), None);
    }
}
