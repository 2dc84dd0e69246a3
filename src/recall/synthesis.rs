//! An answer worded by a model over the citations, checked before it is shown. In: the findings and which models may
//! be asked. Out: an answer, an abstention, or a note that no model was reachable; never an error.

use super::answer::{self, Checked};
use super::models::{Choice, Provider};
use super::pipeline::Findings;
use super::prompt;
use super::query::Query;
use super::secret::scrubbed;
use super::settings::Settings;

/// What a model made of the evidence; empty where none was asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synthesis {
    /// The answer, with valid citations only.
    pub answer: Option<String>,
    /// Why the model's answer is none.
    pub abstention: Option<String>,
    /// Who answered.
    pub provider: Option<&'static str>,
    /// With which model, where it is known.
    pub model: Option<String>,
    /// The citations that the answer uses, ascending.
    pub used: Vec<usize>,
    /// Ids in the model's text that stand for nothing, ascending.
    pub invalid: Vec<u64>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// Asks the first model of `choice` that can be reached, and the next where it fails.
pub fn synthesise(findings: &Findings, query: &Query, choice: Choice, settings: &Settings) -> Synthesis {
    let mut notes = Vec::new();
    if choice == Choice::None {
        notes.push("no model was asked; the extractive answer quotes the citations".to_owned());
        return Synthesis { notes, ..Synthesis::default() };
    }
    let prompt = prompt::write(query.text(), &findings.citations);
    for provider in choice.providers() {
        match ask(provider, settings, &prompt) {
            Ok(Some(reply)) => return checked(provider, reply, prompt.shown, notes),
            Ok(None) => {}
            Err(message) => {
                let message = scrubbed(&message, settings.secrets());
                notes.push(format!(
                    "{} not used: {}",
                    provider.name,
                    crate::text::printable::one_line(&message)
                ));
            }
        }
    }
    notes.push("no model was reachable; the extractive answer quotes the citations".to_owned());
    Synthesis { notes, ..Synthesis::default() }
}

fn ask(
    provider: &Provider,
    settings: &Settings,
    prompt: &prompt::Prompt,
) -> Result<Option<super::models::Reply>, String> {
    match (provider.probe)(settings)? {
        Some(_) => (provider.answer)(settings, prompt).map(Some),
        None => Ok(None),
    }
}

fn checked(provider: &Provider, reply: super::models::Reply, count: usize, notes: Vec<String>) -> Synthesis {
    let known =
        Synthesis { provider: Some(provider.name), model: reply.model, notes, ..Synthesis::default() };
    match answer::check(&reply.text, count) {
        Checked::Answer { text, used, invalid } => Synthesis { answer: Some(text), used, invalid, ..known },
        Checked::Abstains(reason) => Synthesis { abstention: Some(reason), ..known },
        Checked::Uncited(invalid) => {
            Synthesis { abstention: Some("Answer carried no valid citations.".into()), invalid, ..known }
        }
    }
}
