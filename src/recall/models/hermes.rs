//! `hermes`: the API server of a Hermes agent. It is an agent with a terminal: what it is sent could move it to act,
//! which is why `--llm none` and `--llm ollama` keep memory text away from it.

use std::time::Duration;

use super::{Provider, Reply, chat, timeout};
use crate::recall::http::{Client, Request, shown, status_error};
use crate::recall::prompt::Prompt;
use crate::recall::settings::Settings;

pub(super) const PROVIDER: Provider = Provider { name: "hermes", probe, asks, answer };

/// Where a server on this machine listens.
const LOCAL: &str = "http://127.0.0.1:8642";
const PROBE: Duration = Duration::from_secs(1);
const MODEL: &str = "hermes-agent";

fn probe(settings: &Settings) -> Result<Option<String>, String> {
    let request = Request::get(url(settings), "/health")?.bearer(settings.hermes.api_key.as_ref());
    match Client::new(PROBE).send(request)?.status {
        200..=299 => Ok(Some(shown(url(settings)))),
        status => Err(status_error(status)),
    }
}

fn asks(settings: &Settings) -> String {
    format!(
        "POST {}/v1/chat/completions {{the query, the citations}} to an agent with tools",
        shown(url(settings))
    )
}

fn answer(settings: &Settings, prompt: &Prompt) -> Result<Reply, String> {
    let client = Client::new(timeout(settings, "hermes"));
    let place = (url(settings), "/v1/chat/completions");
    let model = settings.hermes.model.as_deref().unwrap_or(MODEL);
    chat::complete(&client, place, settings.hermes.api_key.as_ref(), model, prompt)
}

fn url(settings: &Settings) -> &str {
    settings.hermes.url.as_deref().unwrap_or(LOCAL)
}
