//! The models that may word an answer. A provider is a plain struct in [`PROVIDERS`]; which of them are asked, and
//! in which order, is a [`Choice`].

mod chat;
mod hermes;
mod ollama;
mod openai;

use std::time::Duration;

use super::prompt::Prompt;
use super::settings::Settings;

/// A server that words answers.
#[derive(Debug)]
pub struct Provider {
    /// Its name in reports.
    pub name: &'static str,
    /// Whether it can be reached, found out in about a second: what was found, `Ok(None)` where it is off.
    pub probe: fn(&Settings) -> Result<Option<String>, String>,
    /// What it is asked, in one line without secrets.
    pub asks: fn(&Settings) -> String,
    /// Words an answer.
    pub answer: fn(&Settings, &Prompt) -> Result<Reply, String>,
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its text.
    pub text: String,
    /// Which model it was, where it is known.
    pub model: Option<String>,
}

/// What `--llm` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The first that can be reached, in the order of [`PROVIDERS`].
    #[default]
    Auto,
    /// This one only.
    Only(&'static str),
    /// None: no memory text leaves the machine for an answer.
    None,
}

/// Every provider, in the order in which `auto` tries them.
pub const PROVIDERS: &[Provider] = &[openai::PROVIDER, hermes::PROVIDER, ollama::PROVIDER];

impl Choice {
    /// All that `--llm` takes.
    pub fn names() -> Vec<&'static str> {
        let providers = PROVIDERS.iter().map(|provider| provider.name);
        ["auto"].into_iter().chain(providers).chain(["none"]).collect()
    }

    /// What `--llm` was given.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "none" => Some(Self::None),
            other => {
                PROVIDERS.iter().find(|provider| provider.name == other).map(|found| Self::Only(found.name))
            }
        }
    }

    /// As `--llm` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Only(name) => name,
            Self::None => "none",
        }
    }

    /// The providers that are asked, in order.
    pub fn providers(self) -> impl Iterator<Item = &'static Provider> {
        PROVIDERS.iter().filter(move |provider| match self {
            Self::Auto => true,
            Self::Only(name) => provider.name == name,
            Self::None => false,
        })
    }
}

/// How long an answer may take; a model on a slow machine needs a while for its first word.
const ANSWER: Duration = Duration::from_secs(120);

fn timeout(settings: &Settings, name: &str) -> Duration {
    let own = settings.timeouts.get(name).and_then(|seconds| Duration::try_from_secs_f64(*seconds).ok());
    own.unwrap_or(ANSWER)
}
