//! Keys of a ledger file that this program does not know. Each value is kept as the very text it was written
//! with, so that a rewrite changes no digit of another program's numbers and no depth of nesting matters.

use serde_json::value::RawValue;

/// Unknown keys and their values, in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Extra(Vec<(String, Box<RawValue>)>);

impl Extra {
    /// Each key with the JSON text of its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.get()))
    }

    /// The JSON text under `name`; the last where the file holds it twice.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().filter(|(known, _)| *known == name).map(|(_, value)| value).last()
    }

    /// No unknown key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn push(&mut self, name: &str, value: &RawValue) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    pub(super) fn remove(&mut self, names: &[&str]) {
        self.0.retain(|(name, _)| !names.contains(&name.as_str()));
    }

    pub(super) fn raw(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_ref()))
    }
}
