//! Files of this program, of the script, of strangers and of vandals.

use proptest::prelude::*;

use super::*;
use crate::identity::SourceId;
use crate::ledger::{Anchor, Ledger, Quote, Source};

fn load(text: &str) -> Ledger {
    read(text.as_bytes()).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}

fn refusal(bytes: &[u8]) -> String {
    match read(bytes) {
        Err(Unreadable::Misshapen(found)) => found,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_empty_ledger_has_the_scripts_shape() {
    assert_eq!(write(&Ledger::default()), "{\n  \"version\": 1,\n  \"sources\": []\n}\n");
}

#[test]
fn what_is_written_loads_the_same() {
    let anchor = Anchor {
        sha256: "ab".repeat(32),
        start: 0,
        end: 10,
        prefix: "\"".into(),
        suffix: "冰".into(),
        rules: vec!["case".into()],
        reader: "html".into(),
        kept: false,
    };
    let source = Source {
        id: SourceId(3),
        url: "https://a.example/1".into(),
        title: "Ice \"floats\"".into(),
        accessed: "2026-01-31".into(),
        key: Some(crate::identity::Key::from_stored("https://a.example/1")),
        as_given: Some("https://a.example/1/".into()),
        via: Some("web".into()),
        withdrawn: Some("retracted".into()),
        quotes: vec![Quote { text: "ice\nfloats".into(), anchor: Some(anchor.clone()), ..Quote::default() }],
        ..Source::default()
    };
    let text = write(&Ledger::loaded(vec![source], 0, Default::default()));
    let again = load(&text);
    assert_eq!(again.sources()[0].quotes[0].anchor.as_ref(), Some(&anchor));
    assert_eq!(again.sources()[0].withdrawn.as_deref(), Some("retracted"));
    assert_eq!(write(&again), text);
    assert!(text.ends_with("  ],\n  \"next_id\": 4\n}\n"), "{text}");
}

#[test]
fn files_of_the_script_load() {
    let ledger = load(
        r#"{"version": 1, "sources": [
            {"id": 1, "url": "https://a.example", "title": null, "accessed": "2025-01-01", "quotes": null},
            {"id": 2, "url": "https://b.example", "quotes": [{"text": "ice floats", "added": null}, {"text": "x"}]},
            {"id": 3, "url": "https://c.example", "title": "ok \ud83d, \ud83d\ude00, \\ud83d", "quotes": []}]}"#,
    );
    assert_eq!(ledger.sources()[1].quotes.len(), 2);
    assert_eq!(ledger.sources()[2].title, "ok \u{fffd}, 😀, \\ud83d");
    assert!(load("{\"sources\":[]}").sources().is_empty());
    assert!(load("\u{feff}{\"version\":1,\"sources\":[]}\r\n").sources().is_empty());
}

#[test]
fn unknown_keys_survive_at_every_level_digit_by_digit() {
    let text = r#"{
  "version": 1,
  "sources": [
    {
      "id": 1,
      "url": "https://a.example",
      "title": "",
      "accessed": "",
      "quotes": [
        {
          "text": "ice floats",
          "added": "",
          "by": {"name": [1.50, 1e400, 123456789012345678901234567890]}
        }
      ],
      "zeta": null,
      "alpha": {
        "b": 1,
        "a": "\ud83d"
      }
    }
  ],
  "next_id": 2,
  "tool": "x",
  "about": []
}
"#;
    assert_eq!(write(&load(text)), text);
}

#[test]
fn our_own_keys_in_the_wrong_shape_are_left_where_they_are() {
    let text = r#"{"sources":[{"id":1,"url":"https://a.example","key":5,"via":["web"],"as_given":null,"withdrawn":false,
        "quotes":[{"text":"ice","sha256":7,"start":0,"end":3},{"text":"water","sha256":"x","start":-1,"end":3}]}]}"#;
    let ledger = load(text);
    let source = &ledger.sources()[0];
    assert_eq!((&source.key, &source.via, &source.withdrawn), (&None, &None, &None));
    assert_eq!(source.extra.get("key"), Some("5"));
    assert!(source.quotes.iter().all(|quote| quote.anchor.is_none() && quote.extra.get("end") == Some("3")));
    assert!(write(&ledger).contains("\"via\": [\"web\"]"));
    assert!(load(r#"{"sources":[{"id":1,"url":"x:y","withdrawn":true}]}"#).sources()[0].withdrawn.is_some());
}

#[test]
fn a_later_version_is_told_apart() {
    assert_eq!(read(br#"{"version": 2, "sources": {"later": true}}"#).unwrap_err(), Unreadable::Newer(2));
}

#[test]
fn a_misshapen_file_is_refused_with_the_place() {
    let entry = |fields: &str| {
        format!(r#"{{"version":1,"sources":[{{"id":1,"url":"https://a.example"}},{{{fields}}}]}}"#)
    };
    let id = |id: &str| entry(&format!(r#""url":"https://b.example","id":{id}"#));
    for (text, found) in [
        (String::new(), "it is empty"),
        (" \n".into(), "it is empty"),
        ("[]".into(), "it holds no object with `version` and `sources`"),
        ("5".into(), "it holds no object with `version` and `sources`"),
        ("{}".into(), "`sources` is missing"),
        ("{\"sources\":{}}".into(), "`sources` is an object, not a list"),
        ("{\"version\":\"1\",\"sources\":[]}".into(), "`version` is text, not a positive whole number"),
        ("{\"version\":0,\"sources\":[]}".into(), "`version` is `0`, not a positive whole number"),
        ("{\"sources\":[],\"next_id\":-1}".into(), "`next_id` is `-1`, not a positive whole number"),
        ("{\"sources\":[5]}".into(), "`sources[0]` is `5`, not an object"),
        (entry(r#""id":2"#), "`sources[1].url` is missing"),
        (entry(r#""url":"https://b.example""#), "`sources[1].id` is missing"),
        (entry(r#""id":2,"url":5"#), "`sources[1].url` is `5`, not text"),
        (entry(r#""id":2,"url":" ""#), "`sources[1].url` is blank"),
        (id("\"2\""), "`sources[1].id` is text, not a positive whole number"),
        (id("true"), "`sources[1].id` is `true`, not a positive whole number"),
        (id("1.5"), "`sources[1].id` is `1.5`, not a positive whole number"),
        (id("2.0"), "`sources[1].id` is `2.0`, not a positive whole number"),
        (id("-1"), "`sources[1].id` is `-1`, not a positive whole number"),
        (id("0"), "`sources[1].id` is `0`, not a positive whole number"),
        (id("1e30"), "`sources[1].id` is `1e30`, not a positive whole number"),
        (id("4294967295"), "`sources[1].id` is `4294967295`, not a positive whole number"),
        (id("null"), "`sources[1].id` is `null`, not a positive whole number"),
        (id("[2]"), "`sources[1].id` is a list, not a positive whole number"),
        (entry(r#""id":2,"url":"x:y","title":5"#), "`sources[1].title` is `5`, not text"),
        (entry(r#""id":2,"url":"x:y","quotes":{}"#), "`sources[1].quotes` is an object, not a list"),
        (entry(r#""id":2,"url":"x:y","quotes":["ice"]"#), "`sources[1].quotes[0]` is text, not an object"),
        (entry(r#""id":2,"url":"x:y","quotes":[{}]"#), "`sources[1].quotes[0].text` is missing"),
        (
            entry(r#""id":2,"url":"x:y","quotes":[{"text":5}]"#),
            "`sources[1].quotes[0].text` is `5`, not text",
        ),
    ] {
        assert_eq!(refusal(text.as_bytes()), found, "{text}");
    }
}

#[test]
fn broken_json_is_refused_with_line_and_column() {
    for (text, place) in [
        ("{\"version\":1,\n\"sources\":[", "line 2 column 11"),
        ("{\"version\":1,\n\"sources\":[]", "line 2 column 12"),
        ("{\"version\":1,\n\"sources\":[]}x", "line 2 column 14"),
        ("{\"version\":1,\n\"sources\":NaN}", "line 2 column 11"),
        ("{'version':1}", "line 1 column 2"),
        ("nonsense", "line 1 column 2"),
    ] {
        let found = refusal(text.as_bytes());
        assert!(found.starts_with("it is not valid JSON: ") && found.ends_with(place), "{text}: {found}");
    }
    assert_eq!(refusal(b"{\"version\":1,\n\"a\":\"\xff\"}"), "it is not UTF-8 at line 2");
    assert_eq!(refusal(b"\xff\xfe{\0}\0"), "it is UTF-16, and a ledger is UTF-8");
}

#[test]
fn no_depth_of_nesting_overflows() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let text = format!(r#"{{"sources":[{{"id":1,"url":"https://a.example","x":{deep}}}],"y":{deep}}}"#);
    let ledger = load(&text);
    assert!(load(&write(&ledger)).sources()[0].extra.get("x") == Some(&deep));
    assert!(read("[".repeat(200_000).as_bytes()).is_err());
    assert!(read(format!(r#"{{"sources":{deep}}}"#).as_bytes()).is_err());
    assert!(read(format!(r#"{{"sources":[{{"id":{deep},"url":"x:y"}}]}}"#).as_bytes()).is_err());
}

#[test]
fn entries_are_a_bare_array_in_the_files_form() {
    let ledger = load(r#"{"sources":[{"id":1,"url":"https://a.example","title":"Ice"}]}"#);
    let text = entries(ledger.sources());
    assert!(
        text.starts_with(
            "[\n  {\n    \"id\": 1,\n    \"url\": \"https://a.example\",\n    \"title\": \"Ice\""
        ),
        "{text}"
    );
    assert_eq!(entries([]), "[]\n");
}

/// Values that may stand anywhere in a file, sound or not.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "2",
        "0",
        "-1",
        "1e3",
        "true",
        "null",
        "\"\"",
        "\"x:y\"",
        "\"\\ud83d\"",
        "\"冰\"",
        "{}",
        "[]",
        "NaN",
        "{",
        "1 2",
    ]);
    let key = prop::sample::select(vec![
        "version",
        "sources",
        "id",
        "url",
        "title",
        "accessed",
        "quotes",
        "key",
        "via",
        "withdrawn",
        "text",
        "added",
        "sha256",
        "start",
        "end",
        "rules",
        "kept",
        "snapshots",
        "next_id",
        "x",
        "\\u0069d",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(5, 60, 8, move |value| {
        let list =
            prop::collection::vec(value.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(",")));
        let pair = (key.clone(), value).prop_map(|(key, value)| format!("\"{key}\":{value}"));
        prop_oneof![
            list,
            prop::collection::vec(pair, 0..8).prop_map(|pairs| format!("{{{}}}", pairs.join(",")))
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_hostile_file_loads_the_same_after_a_rewrite_or_is_refused(source in json(), quotes in json(), extra in json()) {
        for text in [
            source.clone(),
            format!(r#"{{"sources":[{source}],"x":{extra}}}"#),
            format!(r#"{{"sources":[{{"id":1,"url":"x:y","quotes":[{quotes}],"x":{extra}}}]}}"#),
            format!(r#"{{"sources":[{{"id":1,"url":"x:y","quotes":[{{"text":"ice","start":0,"x":{extra}}}],"key":{extra}}}]}}"#),
        ] {
            if let Ok(ledger) = read(text.as_bytes()) {
                let once = write(&ledger);
                prop_assert_eq!(&write(&load(&once)), &once);
            }
        }
    }
}
