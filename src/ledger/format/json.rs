//! JSON that is taken apart level by level: an object becomes its keys and the text of their values, so that
//! what is not understood can be put back letter by letter, and no depth of nesting is ever walked.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::ledger::Extra;

/// An object's keys and the text of their values, in the order of the file.
pub(super) struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Fields<'a> {
    pub(super) fn of(raw: &'a RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }

    /// The value under `name`; the last, as in Python, where the key stands twice.
    pub(super) fn last(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    pub(super) fn unknown(&self, known: &[&str]) -> Extra {
        let mut extra = Extra::default();
        for (name, value) in self.0.iter().filter(|(name, _)| !known.contains(&name.as_ref())) {
            extra.push(name, value);
        }
        extra
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            fields.push((name, map.next_value()?));
        }
        Ok(Fields(fields))
    }
}

/// A key, borrowed from the file where it holds no escape.
#[derive(Deserialize)]
#[serde(transparent)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// The value under `name` in the type that is asked for; `absent` where the key is missing.
pub(super) fn part<'a, T: Deserialize<'a>>(fields: &Fields<'a>, name: &str, absent: Option<T>) -> Option<T> {
    match fields.last(name) {
        Some(raw) => serde_json::from_str(raw.get()).ok(),
        None => absent,
    }
}

/// The items of a list.
pub(super) fn list(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw.get()).ok()
}

/// A text; half of a surrogate pair, which other programs write, becomes the replacement character.
pub(super) fn string(raw: &RawValue) -> Option<String> {
    let text = raw.get();
    if !text.starts_with('"') {
        return None;
    }
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&whole_surrogates(text))).ok()
}

/// A JSON string with every `\ud83d` that has no partner replaced.
fn whole_surrogates(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(true), Some(false)) => 12,
            (Some(_), _) => {
                whole.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            (None, _) => 2,
        };
        let (kept, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        whole.push_str(kept);
        rest = after;
    }
    whole + rest
}

/// The escape that starts `text` is a surrogate, and if so whether the first of a pair.
fn surrogate(text: &str) -> Option<bool> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u32::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(true),
        0xdc00..=0xdfff => Some(false),
        _ => None,
    }
}

/// Says what stands at `place` instead of what should.
pub(super) fn wrong(place: &str, expected: &str, found: &RawValue) -> String {
    let found = match found.get().as_bytes().first() {
        Some(b'{') => "an object".to_owned(),
        Some(b'[') => "a list".to_owned(),
        Some(b'"') => "text".to_owned(),
        _ => format!("`{}`", found.get().chars().take(40).collect::<String>()),
    };
    format!("{place} is {found}, not {expected}")
}
