//! `ollama`: a model on this machine or in the same house, asked without chat and without tools.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Provider, Reply, chat, timeout};
use crate::recall::elements::without_thought;
use crate::recall::http::{Client, Request, shown, status_error};
use crate::recall::prompt::Prompt;
use crate::recall::settings::Settings;

pub(super) const PROVIDER: Provider = Provider { name: "ollama", probe, asks, answer };

/// Where a server on this machine listens.
const LOCAL: &str = "http://127.0.0.1:11434";
const PORT: u16 = 11434;
const PROBE: Duration = Duration::from_secs(1);
const MODEL: &str = "qwen2.5:7b";
/// Room for the answer, in tokens.
const ANSWER_TOKENS: usize = 1024;

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let url = url(settings);
    match Client::new(PROBE).send(Request::get(&url, "/api/version")?)?.status {
        200..=299 => Ok(Some(shown(&url))),
        status => Err(status_error(status)),
    }
}

fn asks(settings: &Settings) -> String {
    format!(
        "POST {}/api/generate {{the query, the citations}} with {}",
        shown(&url(settings)),
        model(settings)
    )
}

fn answer(settings: &Settings, prompt: &Prompt) -> Result<Reply, String> {
    let body = json!({
        "model": model(settings),
        "system": prompt.system,
        "prompt": prompt.user,
        "stream": false,
        "options": {"temperature": 0, "num_ctx": context_tokens(prompt)},
    });
    let client = Client::new(timeout(settings, "ollama"));
    let request = Request::post(&url(settings), "/api/generate", body)?;
    let reply = client.send(request.bearer(settings.ollama.api_key.as_ref()))?;
    let answer = chat::with_reason(&reply)?;
    let text = answer.get("response").and_then(Value::as_str).ok_or("the reply holds no answer")?;
    let model = answer.get("model").and_then(Value::as_str).unwrap_or(model(settings)).to_owned();
    Ok(Reply { text: without_thought(text).trim().to_owned(), model: Some(model) })
}

fn model(settings: &Settings) -> &str {
    settings.ollama.model.as_deref().unwrap_or(MODEL)
}

/// `$OLLAMA_HOST` may be a URL, a host, `:port` alone, or the address that the server listens on, also in quotes, as
/// Ollama itself reads it.
fn url(settings: &Settings) -> String {
    let Some(given) = settings.ollama.url.as_deref() else { return LOCAL.to_owned() };
    let given = given.trim().trim_matches(['"', '\'']).trim_end_matches('/');
    let (scheme, rest) = given.split_once("://").unwrap_or(("http", given));
    let rest = if rest.starts_with(':') { format!("127.0.0.1{rest}") } else { rest.to_owned() };
    let any = ["0.0.0.0", "[::]"].iter().find_map(|any| rest.strip_prefix(any));
    let rest = any.map(|port| format!("127.0.0.1{port}")).unwrap_or(rest);
    let has_port =
        rest.rsplit(']').next().is_some_and(|end| end.split('/').next().unwrap_or(end).contains(':'));
    let is_whole = given.contains("://") || has_port;
    if is_whole { format!("{scheme}://{rest}") } else { format!("{scheme}://{rest}:{PORT}") }
}

/// Three bytes a token is a cautious guess for any language; in steps, so that a model is not loaded anew each time.
fn context_tokens(prompt: &Prompt) -> usize {
    let tokens = (prompt.system.len() + prompt.user.len()) / 3 + ANSWER_TOKENS;
    tokens.next_multiple_of(2048).min(32_768)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_ollama_host_is_understood() {
        for (given, expected) in [
            ("0.0.0.0:11434", "http://127.0.0.1:11434"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            (":9999", "http://127.0.0.1:9999"),
            ("gpu.example", "http://gpu.example:11434"),
            ("https://gpu.example", "https://gpu.example"),
            ("http://127.0.0.1:1/", "http://127.0.0.1:1"),
            ("\"127.0.0.1:1\"", "http://127.0.0.1:1"),
            ("[::]:1", "http://127.0.0.1:1"),
            ("[::1]:1", "http://[::1]:1"),
        ] {
            let mut settings = Settings::default();
            settings.ollama.url = Some(given.into());
            assert_eq!(url(&settings), expected);
        }
    }

    #[test]
    fn the_context_is_as_large_as_the_prompt_needs() {
        let prompt = |bytes: usize| Prompt { system: "", user: "x".repeat(bytes), shown: 1 };
        assert_eq!(context_tokens(&prompt(10)), 2048);
        assert_eq!(context_tokens(&prompt(9_000)), 4096);
        assert_eq!(context_tokens(&prompt(1_000_000)), 32_768);
    }
}
