//! `openai`: any server with OpenAI's chat interface, where the user has configured one.

use std::time::Duration;

use serde_json::Value;

use super::{Provider, Reply, chat, timeout};
use crate::recall::http::{Client, Request, shown, status_error};
use crate::recall::prompt::Prompt;
use crate::recall::settings::Settings;

pub(super) const PROVIDER: Provider = Provider { name: "openai", probe, asks, answer };

const PROBE: Duration = Duration::from_secs(2);
const CHAT: &str = "/chat/completions";

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let Some(base) = base(settings) else { return Ok(None) };
    let request = Request::get(&base, "/models")?.bearer(settings.openai.api_key.as_ref());
    match Client::new(PROBE).send(request)?.status {
        // Not every server lists its models.
        200..=299 | 404 | 405 => Ok(Some(shown(&base))),
        status => Err(status_error(status)),
    }
}

fn asks(settings: &Settings) -> String {
    let base = base(settings).map_or("(no URL)".to_owned(), |base| shown(&base));
    format!("POST {base}{CHAT} {{the query, the citations}}")
}

fn answer(settings: &Settings, prompt: &Prompt) -> Result<Reply, String> {
    let base = base(settings).ok_or("no URL configured (CITED_LLM_URL)")?;
    let key = settings.openai.api_key.as_ref();
    let client = Client::new(timeout(settings, "openai"));
    let model = match &settings.openai.model {
        Some(model) => model.clone(),
        None => first_model(&client, &base, settings).unwrap_or_else(|| "default".into()),
    };
    chat::complete(&client, (&base, CHAT), key, &model, prompt)
}

/// The URL below which the interface lies: what was configured may name the host, `/v1`, or the whole path.
fn base(settings: &Settings) -> Option<String> {
    let url = settings.openai.url.as_deref()?.trim().trim_end_matches('/');
    if let Some(base) = url.strip_suffix(CHAT) {
        return Some(base.to_owned());
    }
    let path = url.split_once("://").map_or(url, |(_, rest)| rest).split_once('/').map(|(_, path)| path);
    Some(if path.is_none() { format!("{url}/v1") } else { url.to_owned() })
}

fn first_model(client: &Client, base: &str, settings: &Settings) -> Option<String> {
    let request = Request::get(base, "/models").ok()?.bearer(settings.openai.api_key.as_ref());
    let models = client.send(request).ok()?.json().ok()?;
    models.pointer("/data/0/id").and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_may_name_the_host_the_version_or_the_whole_path() {
        for (given, expected) in [
            ("https://llm.example", "https://llm.example/v1"),
            ("https://llm.example/v1/", "https://llm.example/v1"),
            ("https://llm.example/api/v1/chat/completions", "https://llm.example/api/v1"),
            ("127.0.0.1:1234", "127.0.0.1:1234/v1"),
        ] {
            let mut settings = Settings::default();
            settings.openai.url = Some(given.into());
            assert_eq!(base(&settings).as_deref(), Some(expected));
        }
        assert_eq!(probe(&Settings::default()), Ok(None));
    }
}
