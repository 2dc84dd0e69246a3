//! Keys. A [`Secret`] does not show itself; [`scrubbed`] takes secrets out of a text that came from elsewhere.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

/// A key or token; `{:?}` shows stars.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct Secret(String);

impl Secret {
    /// Takes a key; white space around it belongs to the file that it was copied from.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into().trim().to_owned())
    }

    /// The key itself, for a request's header.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(value: String) -> Self {
        Self::new(value)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("***")
    }
}

/// `text` with every secret of at least four characters as stars.
pub fn scrubbed<'a>(text: &str, secrets: impl IntoIterator<Item = &'a Secret>) -> String {
    let long_enough = secrets.into_iter().map(Secret::expose).filter(|secret| secret.len() >= 4);
    long_enough.fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
}

/// The same in every text of a JSON value, names of fields included.
pub fn scrub_json(value: &mut Value, secrets: &[Secret]) {
    match value {
        Value::String(text) => *text = scrubbed(text, secrets),
        Value::Array(items) => items.iter_mut().for_each(|item| scrub_json(item, secrets)),
        Value::Object(fields) => {
            let scrubbed_fields = std::mem::take(fields).into_iter().map(|(name, mut field)| {
                scrub_json(&mut field, secrets);
                (scrubbed(&name, secrets), field)
            });
            *fields = scrubbed_fields.collect();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_nowhere() {
        let secret = Secret::new(" sb_secret_1\n");
        assert_eq!(secret.expose(), "sb_secret_1");
        assert_eq!(format!("{secret:?}"), "***");
        assert_eq!(scrubbed("bad key sb_secret_1!", [&secret]), "bad key ***!");
        let mut reply = serde_json::json!({"sb_secret_1": [{"said": "Bearer sb_secret_1"}, 7, null]});
        scrub_json(&mut reply, &[secret]);
        assert_eq!(reply, serde_json::json!({"***": [{"said": "Bearer ***"}, 7, null]}));
    }
}
