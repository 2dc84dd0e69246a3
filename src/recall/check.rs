//! Which sources and models can be reached, found out without asking them anything: what `--check` prints.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::adapters::ADAPTERS;
use super::models::PROVIDERS;
use super::secret::scrubbed;
use super::settings::Settings;

/// One source or model.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// `source` or `model`.
    pub kind: &'static str,
    /// Its name.
    pub name: &'static str,
    /// `ok`, `off` or `error`.
    pub state: &'static str,
    /// What was found, or what went wrong.
    pub found: String,
    /// What it would be asked.
    pub asks: String,
}

type Probe = fn(&Settings) -> Result<Option<String>, String>;
type Asks = fn(&Settings) -> String;

/// Looks at every source and model at once; none is waited for past its time-out.
pub fn check(settings: &Settings) -> Vec<Line> {
    let sources = ADAPTERS.iter().map(|adapter| ("source", adapter.name, adapter.probe, adapter.asks));
    let models = PROVIDERS.iter().map(|provider| ("model", provider.name, provider.probe, provider.asks));
    let all: Vec<(&'static str, &'static str, Probe, Asks)> = sources.chain(models).collect();
    let begun = Instant::now();
    let (send, receive) = mpsc::channel();
    for (at, (.., probe, _)) in all.iter().copied().enumerate() {
        let (send, settings) = (send.clone(), settings.clone());
        thread::spawn(move || send.send((at, probe(&settings))));
    }
    drop(send);
    let longest = all.iter().map(|(_, name, ..)| settings.timeout_of(name)).max().unwrap_or_default();
    let mut found: Vec<Option<Result<Option<String>, String>>> = all.iter().map(|_| None).collect();
    while let Ok((at, probed)) = receive.recv_timeout(longest.saturating_sub(begun.elapsed())) {
        found[at] = Some(probed);
    }
    let lines = all.iter().zip(found);
    lines.map(|((kind, name, _, asks), probed)| line(kind, name, probed, asks(settings), settings)).collect()
}

fn line(
    kind: &'static str,
    name: &'static str,
    probed: Option<Result<Option<String>, String>>,
    asks: String,
    settings: &Settings,
) -> Line {
    let seconds = Duration::as_secs_f64(&settings.timeout_of(name));
    let (state, found) = match probed {
        Some(Ok(Some(found))) => ("ok", found),
        Some(Ok(None)) => ("off", "not configured".to_owned()),
        Some(Err(message)) => ("error", scrubbed(&message, settings.secrets())),
        None => ("error", format!("timed out after {seconds} s")),
    };
    Line { kind, name, state, found, asks }
}
