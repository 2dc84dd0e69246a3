//! Is an answer well formed over its bundle? Every fault is collected: of form (exactly the envelope's keys and
//! types), of identity (only ids of the bundle, each once), and, where quotes are given, of words (each stands
//! verbatim in its passage). Whether the answer is true is not judged.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::retrieve::is_blank;

/// Looks for a quote in a text: `(text, quote)` gives `Err` with the refusal's words.
pub type QuoteCheck<'a> = &'a dyn Fn(&str, &str) -> Result<(), String>;

/// One fault of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its kind, in snake case.
    pub code: &'static str,
    /// One line, in words.
    pub message: String,
}

/// What of a bundle an answer is held against.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grounds {
    /// The bundle abstained.
    pub abstained: bool,
    /// Its passages by id.
    pub texts: HashMap<String, String>,
}

impl Grounds {
    /// Reads a bundle.
    ///
    /// # Errors
    /// It is no bundle; in words.
    pub fn read(json: &str) -> Result<Self, String> {
        let bundle: Value = serde_json::from_str(json).map_err(|error| format!("not JSON: {error}"))?;
        let abstained = match bundle["decision"].as_str() {
            Some("answer") => false,
            Some("abstain") => true,
            _ => return Err("it has no `decision` of `answer` or `abstain`".into()),
        };
        let items = bundle["items"].as_array().ok_or("it has no list of `items`")?;
        let text =
            |item: &Value| Some((item["chunk_id"].as_str()?.to_owned(), item["text"].as_str()?.to_owned()));
        let texts = items.iter().map(text).collect::<Option<_>>();
        let texts = texts.ok_or("one of its `items` has no `chunk_id` or no `text`")?;
        Ok(Self { abstained, texts })
    }
}

/// Every fault of `answer`, in the order of the envelope's keys; none where it is valid.
pub fn validate(answer: &str, grounds: &Grounds, quote_check: QuoteCheck) -> Vec<Fault> {
    let mut faults = Faults(Vec::new());
    match serde_json::from_str::<Entries>(answer) {
        Ok(entries) => faults.judge(&entries, grounds, quote_check),
        Err(error) => faults.add("not_an_envelope", format!("the answer is no JSON object: {error}")),
    }
    faults.0
}

/// The entries of a JSON object, doubles included.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

impl Entries {
    fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

const KEYS: [&str; 3] = ["answer", "citations", "insufficient_evidence"];

struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, code: &'static str, message: impl Into<String>) {
        self.0.push(Fault { code, message: message.into() });
    }

    fn judge(&mut self, entries: &Entries, grounds: &Grounds, quote_check: QuoteCheck) {
        self.keys(entries);
        let answer = self.answer(entries);
        let flag = self.flag(entries);
        let citations = self.citations(entries, grounds);
        self.together(answer, flag, citations, grounds);
        if let Some(quotes) = entries.get("quotes") {
            self.quotes(quotes, grounds, quote_check);
        }
    }

    fn keys(&mut self, entries: &Entries) {
        let mut seen = HashSet::new();
        for (key, _) in &entries.0 {
            if !seen.insert(key.as_str()) {
                self.add("duplicate_key", format!("the key `{key}` stands there twice"));
            } else if !KEYS.contains(&key.as_str()) && key != "quotes" {
                self.add("unknown_key", format!("the envelope has no key `{key}`"));
            }
        }
        for key in KEYS.iter().filter(|key| !seen.contains(**key)) {
            self.add("missing_key", format!("the key `{key}` is missing"));
        }
    }

    /// Whether there are words, where that can be told.
    fn answer(&mut self, entries: &Entries) -> Option<bool> {
        match entries.get("answer")? {
            Value::Null => Some(false),
            Value::String(words) => Some(!is_blank(words)),
            other => {
                self.wrong_type("answer", "a string or null", other);
                None
            }
        }
    }

    fn flag(&mut self, entries: &Entries) -> Option<bool> {
        let value = entries.get("insufficient_evidence")?;
        if !value.is_boolean() {
            self.wrong_type("insufficient_evidence", "true or false", value);
        }
        value.as_bool()
    }

    /// How many citations there are, where that can be told.
    fn citations(&mut self, entries: &Entries, grounds: &Grounds) -> Option<usize> {
        let value = entries.get("citations")?;
        let Some(list) = value.as_array() else {
            self.wrong_type("citations", "a list of chunk_id strings", value);
            return None;
        };
        let mut seen = HashSet::new();
        for citation in list {
            match citation.as_str() {
                None => self.wrong_type("citations", "a list of chunk_id strings", citation),
                Some(id) if !seen.insert(id) => {
                    self.add("duplicate_citation", format!("`{id}` is cited twice"));
                }
                Some(id) if !grounds.texts.contains_key(id) => {
                    self.add("unknown_chunk_id", format!("the bundle has no item `{id}`"));
                }
                Some(_) => {}
            }
        }
        Some(list.len())
    }

    /// What only the parts together can break.
    fn together(&mut self, words: Option<bool>, flag: Option<bool>, cited: Option<usize>, grounds: &Grounds) {
        let flagged = flag == Some(true);
        if words == Some(false) && flag == Some(false) {
            self.add("blank_answer", "the answer is blank, but insufficient_evidence is false");
        }
        if words == Some(true) && flagged {
            self.add("answer_with_flag", "there is an answer, but insufficient_evidence is true");
        }
        if cited.is_some_and(|cited| cited > 0) && flagged {
            self.add("citations_with_flag", "there are citations, but insufficient_evidence is true");
        }
        if words == Some(true) && cited == Some(0) && !flagged {
            self.add("uncited_answer", "the answer cites nothing");
        }
        if grounds.abstained && flag == Some(false) {
            self.add("answer_over_abstention", "the bundle abstained, so insufficient_evidence must be true");
        }
    }

    fn quotes(&mut self, quotes: &Value, grounds: &Grounds, quote_check: QuoteCheck) {
        const FORM: &str = "a list of {chunk_id, quote}";
        let Some(list) = quotes.as_array() else { return self.wrong_type("quotes", FORM, quotes) };
        for entry in list {
            let fields = entry.as_object().filter(|fields| fields.len() == 2);
            let id = fields.and_then(|fields| fields.get("chunk_id")?.as_str());
            let quote = fields.and_then(|fields| fields.get("quote")?.as_str());
            let (Some(id), Some(quote)) = (id, quote) else {
                self.wrong_type("quotes", FORM, entry);
                continue;
            };
            match grounds.texts.get(id) {
                None => {
                    self.add("unknown_chunk_id", format!("a quote names `{id}`; the bundle has no such item"))
                }
                Some(text) => {
                    if let Err(refusal) = quote_check(text, quote) {
                        self.add("quote_refused", format!("`{id}`: {refusal}"));
                    }
                }
            }
        }
    }

    fn wrong_type(&mut self, key: &str, wanted: &str, found: &Value) {
        let kind = match found {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.add("wrong_type", format!("`{key}` takes {wanted}; found {kind}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grounds(abstained: bool) -> Grounds {
        let texts = [("aa", "Ice floats on water."), ("bb", "Water boils at 100 °C.")];
        let texts = texts.map(|(id, text)| (id.to_owned(), text.to_owned())).into();
        Grounds { abstained, texts: if abstained { HashMap::new() } else { texts } }
    }

    fn contains(text: &str, quote: &str) -> Result<(), String> {
        if text.contains(quote) { Ok(()) } else { Err("quote not found verbatim".into()) }
    }

    fn codes(answer: &str) -> Vec<&'static str> {
        validate(answer, &grounds(false), &contains).into_iter().map(|fault| fault.code).collect()
    }

    #[test]
    fn an_answer_with_its_citations_is_valid() {
        assert!(
            codes(r#"{"answer":"Ice floats.","citations":["aa"],"insufficient_evidence":false}"#).is_empty()
        );
        assert!(codes(r#"{"insufficient_evidence":true,"citations":[],"answer":null}"#).is_empty());
    }

    #[test]
    fn each_fault_has_its_code() {
        let table = [
            ("Ice floats.", vec!["not_an_envelope"]),
            ("[]", vec!["not_an_envelope"]),
            (
                r#"{"answer":"x","citations":["aa"],"insufficient_evidence":false} trailing"#,
                vec!["not_an_envelope"],
            ),
            ("{}", vec!["missing_key", "missing_key", "missing_key"]),
            (
                r#"{"answer":"x","citations":["aa"],"insufficient_evidence":false,"note":1}"#,
                vec!["unknown_key"],
            ),
            (
                r#"{"answer":"x","answer":"y","citations":["aa"],"insufficient_evidence":false}"#,
                vec!["duplicate_key"],
            ),
            (r#"{"answer":5,"citations":["aa"],"insufficient_evidence":false}"#, vec!["wrong_type"]),
            (r#"{"answer":"x","citations":"aa","insufficient_evidence":false}"#, vec!["wrong_type"]),
            (r#"{"answer":"x","citations":[1],"insufficient_evidence":false}"#, vec!["wrong_type"]),
            (r#"{"answer":"x","citations":["aa"],"insufficient_evidence":"false"}"#, vec!["wrong_type"]),
            (r#"{"answer":"x","citations":["zz"],"insufficient_evidence":false}"#, vec!["unknown_chunk_id"]),
            (r#"{"answer":"x","citations":["AA"],"insufficient_evidence":false}"#, vec!["unknown_chunk_id"]),
            (
                r#"{"answer":"x","citations":["aa","aa"],"insufficient_evidence":false}"#,
                vec!["duplicate_citation"],
            ),
            (r#"{"answer":" ","citations":["aa"],"insufficient_evidence":false}"#, vec!["blank_answer"]),
            (
                r#"{"answer":"\u200b\ufeff","citations":["aa"],"insufficient_evidence":false}"#,
                vec!["blank_answer"],
            ),
            (
                r#"{"answer":null,"citations":["aa"],"insufficient_evidence":true}"#,
                vec!["citations_with_flag"],
            ),
            (r#"{"answer":"x","citations":[],"insufficient_evidence":true}"#, vec!["answer_with_flag"]),
            (r#"{"answer":"x","citations":[],"insufficient_evidence":false}"#, vec!["uncited_answer"]),
        ];
        for (answer, expected) in table {
            assert_eq!(codes(answer), expected, "{answer}");
        }
    }

    #[test]
    fn all_faults_of_one_answer_are_said() {
        let answer = r#"{"answer":"","citations":["zz","zz"],"insufficient_evidence":false,"x":1}"#;
        assert_eq!(codes(answer), ["unknown_key", "unknown_chunk_id", "duplicate_citation", "blank_answer"]);
    }

    #[test]
    fn an_answer_over_an_abstained_bundle_is_refused() {
        let judged = |answer: &str| validate(answer, &grounds(true), &contains);
        let answer = r#"{"answer":"x","citations":["aa"],"insufficient_evidence":false}"#;
        assert_eq!(judged(answer).last().unwrap().code, "answer_over_abstention");
        assert!(judged(r#"{"answer":null,"citations":[],"insufficient_evidence":true}"#).is_empty());
    }

    #[test]
    fn each_quote_must_stand_in_the_passage_it_names() {
        let quoted = |id: &str, quote: &str| {
            codes(&format!(
                r#"{{"answer":"x","citations":["aa"],"insufficient_evidence":false,"quotes":[{{"chunk_id":"{id}","quote":"{quote}"}}]}}"#
            ))
        };
        assert!(quoted("aa", "Ice floats").is_empty());
        assert_eq!(quoted("aa", "Ice sinks"), ["quote_refused"]);
        assert_eq!(quoted("bb", "Ice floats"), ["quote_refused"]);
        assert_eq!(quoted("zz", "Ice floats"), ["unknown_chunk_id"]);
    }

    #[test]
    fn quotes_of_another_form_are_refused() {
        for quotes in ["{}", "[1]", r#"[{"chunk_id":"aa"}]"#, r#"[{"chunk_id":"aa","quote":1}]"#] {
            let answer = format!(
                r#"{{"answer":"x","citations":["aa"],"insufficient_evidence":false,"quotes":{quotes}}}"#
            );
            assert_eq!(codes(&answer), ["wrong_type"], "{quotes}");
        }
    }

    #[test]
    fn a_bundle_is_read_for_its_decision_and_its_passages() {
        let bundle = r#"{"decision":"answer","items":[{"chunk_id":"aa","text":"Ice floats."}]}"#;
        assert_eq!(Grounds::read(bundle).unwrap().texts["aa"], "Ice floats.");
        for no_bundle in [
            "",
            "[]",
            r#"{"decision":"maybe","items":[]}"#,
            r#"{"decision":"answer"}"#,
            r#"{"decision":"answer","items":[{}]}"#,
        ] {
            assert!(Grounds::read(no_bundle).is_err(), "{no_bundle}");
        }
    }

    proptest! {
        #[test]
        fn any_answer_is_judged(answer in "\\PC{0,80}", key in "[a-z_]{1,22}") {
            validate(&answer, &grounds(false), &contains);
            validate(&format!("{{\"{key}\":{answer:?}}}"), &grounds(false), &contains);
        }
    }
}
