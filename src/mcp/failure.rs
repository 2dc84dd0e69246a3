//! Why a call did not do what was asked: a code, a line for the reader, a way out. Never the text of a file.

use serde_json::{Map, Value};

use crate::error::{Error, Exit};

/// A call that did not do all that was asked.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What went wrong, as one word.
    pub code: &'static str,
    /// One line.
    pub message: String,
    /// What would work.
    pub help: Option<String>,
    /// Why it was turned away and when to come back, where it may be tried again.
    pub retry: Option<(&'static str, u64)>,
    /// What was done all the same.
    pub done: Option<Box<Map<String, Value>>>,
}

impl Failure {
    /// A failure with a way out.
    pub fn new(code: &'static str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: Some(help.into()), retry: None, done: None }
    }

    /// Arguments that do not mean anything.
    pub fn arguments(message: impl Into<String>) -> Self {
        Self::new("InvalidArguments", message, "the tool's input schema says what it takes")
    }

    /// The same, and what was done before.
    #[must_use]
    pub fn after(mut self, done: Value) -> Self {
        if let Value::Object(done) = done {
            self.done = Some(Box::new(done));
        }
        self
    }

    /// As a client reads it.
    pub fn to_json(&self) -> Value {
        let mut json = self.done.as_deref().cloned().unwrap_or_default();
        json.insert("error".into(), self.code.into());
        json.insert("message".into(), self.message.as_str().into());
        if let Some(help) = &self.help {
            json.insert("help".into(), help.as_str().into());
        }
        json.insert("retryable".into(), self.retry.is_some().into());
        if let Some((reason, seconds)) = self.retry {
            json.insert("reason".into(), reason.into());
            json.insert("retry_after_seconds".into(), seconds.into());
        }
        Value::Object(json)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let retry = match &error {
            Error::RetrievalOverloaded { reason, retry_after_seconds } => {
                Some((*reason, *retry_after_seconds))
            }
            _ => None,
        };
        Self { code: code(&error), message: error.to_string(), help: error.help(), retry, done: None }
    }
}

fn code(error: &Error) -> &'static str {
    match error {
        Error::RetrievalOverloaded { .. } => "RetrievalOverloaded",
        Error::NoSuchSource { .. } => "NoSuchSource",
        Error::NoMemory { .. } => "NoMemory",
        Error::MemoryUnusable { .. } => "MemoryUnusable",
        Error::LedgerUnreadable { .. } | Error::LedgerNewer { .. } => "LedgerUnreadable",
        Error::LedgerUnwritable { .. } => "LedgerUnwritable",
        Error::LedgerBusy { .. } => "LedgerBusy",
        Error::Unreadable { .. } => "Unreadable",
        Error::Unwritable { .. } => "Unwritable",
        other if other.exit() == Exit::No => "Refused",
        _ => "NotJudged",
    }
}
