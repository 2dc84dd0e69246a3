//! What a tool is, and the table of all: name, words for the model, schemas, hints, the function that does it.

use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::failure::Failure;
use super::files::Files;
use super::{Allowed, Server, draft, ledger, memory, quote, recall};
use crate::memory::Now;

/// A tool of the server.
pub struct Tool {
    /// What a call names.
    pub name: &'static str,
    /// What a person is shown.
    pub title: &'static str,
    /// What the model is told.
    pub about: &'static str,
    /// The schema of its arguments.
    pub input: fn() -> Map<String, Value>,
    /// The schema of its result, as a JSON text; the shape of a failure is added to it.
    pub output: &'static str,
    /// What it does to the world.
    pub hints: Hints,
    /// Whether these arguments name files, so that the roots must be known.
    pub names_files: fn(&Map<String, Value>) -> bool,
    /// Does it.
    pub call: fn(&Call) -> Result<Value, Failure>,
}

/// What a tool does to the world.
#[derive(Debug, Clone, Copy)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may remove or overwrite.
    pub destructive: bool,
    /// The same call again changes nothing more.
    pub idempotent: bool,
    /// It asks services beyond this machine's files.
    pub open_world: bool,
}

impl Hints {
    /// It only looks, at what lies here.
    pub const LOOKS: Self = Self { read_only: true, destructive: false, idempotent: true, open_world: false };
    /// It adds; what was there stays.
    pub const ADDS: Self = Self { read_only: false, destructive: false, idempotent: true, open_world: false };
    /// It removes or overwrites.
    pub const REPLACES: Self =
        Self { read_only: false, destructive: true, idempotent: true, open_world: false };
}

/// One call of a tool; it runs on a thread of its own.
pub struct Call<'a> {
    /// The server.
    pub server: &'a Server,
    /// As the client gave them.
    pub arguments: Map<String, Value>,
    /// The files that it may name.
    pub files: Files,
    /// Set when the client has lost interest.
    pub gone: &'a AtomicBool,
}

/// Every tool; the order is that of the list.
const TOOLS: &[Tool] = &[
    memory::EVIDENCE,
    memory::SEARCH,
    recall::RECALL,
    ledger::ADD,
    ledger::INGEST,
    quote::QUOTE,
    ledger::LIST,
    draft::RENDER,
    draft::VERIFY,
];

/// The tools that change the memory.
const MEMORY_TOOLS: &[Tool] = &[memory::INDEX, memory::FORGET];

/// The tools that the user allows.
pub fn allowed(allowed: Allowed) -> impl Iterator<Item = &'static Tool> {
    let memory = if allowed.write_memory { MEMORY_TOOLS } else { &[] };
    TOOLS.iter().chain(memory)
}

/// No argument of the tool is a file.
pub fn no_files(_: &Map<String, Value>) -> bool {
    false
}

impl Call<'_> {
    /// The arguments as the tool knows them.
    ///
    /// # Errors
    /// They are not what the schema says.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_value(Value::Object(self.arguments.clone()))
            .map_err(|error| Failure::arguments(error.to_string()))
    }

    /// Refuses a list of arguments with nothing in it.
    ///
    /// # Errors
    /// It is empty.
    pub fn some<'a, T>(&self, name: &str, list: &'a [T]) -> Result<&'a [T], Failure> {
        if list.is_empty() { Err(Failure::arguments(format!("`{name}` is empty"))) } else { Ok(list) }
    }

    /// This instant and a running clock.
    pub fn now(&self) -> Now<'_> {
        Now { at: (self.server.around.now)(), ticks: &*self.server.around.ticks }
    }

    /// This instant as it is recorded: RFC 3339, UTC, whole seconds.
    pub fn stamp(&self) -> String {
        (self.server.around.now)().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::adapters::ADAPTERS;
    use crate::render::STYLES;

    /// What the schema of a tool's arguments says about the property `name`.
    fn said(tool: &Tool, name: &str) -> String {
        (tool.input)()["properties"][name]["description"].as_str().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_client_is_told_every_style_and_every_memory_store() {
        let styles = said(&draft::RENDER, "style");
        let sources = said(&recall::RECALL, "sources");
        let untold = STYLES.iter().map(|style| style.name).filter(|name| !styles.contains(name));
        assert_eq!(untold.collect::<Vec<_>>(), [""; 0], "{styles}");
        let names: Vec<&str> = sources.rsplit(": ").next().unwrap_or_default().split(", ").collect();
        assert_eq!(names, ADAPTERS.iter().map(|adapter| adapter.name).collect::<Vec<_>>());
    }
}
