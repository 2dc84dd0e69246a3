//! Every file in `fixtures/ingest` is read and compared with the `.expected` beside it. `BLESS=1` rewrites those.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cited::identity::SourceId;
use cited::ingest::{self, Findings, Found};
use proptest::prelude::*;

#[test]
fn every_reply_gives_the_sources_written_beside_it() {
    let mut wrong = Vec::new();
    for path in replies() {
        let seen = shown(&fs::read(&path).unwrap());
        let expected = path.with_extension("expected");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &seen).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != seen {
            wrong.push(format!("{}:\n{seen}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_shape_has_a_reply_of_its_name() {
    for shape in ingest::SHAPES {
        assert!(folder().join(shape.name).with_extension("json").exists(), "no reply for `{}`", shape.name);
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ingest")
}

fn replies() -> Vec<PathBuf> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut replies: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|kind| kind != "expected")).collect();
    replies.sort();
    assert!(replies.len() > 20, "the replies are gone");
    replies
}

fn shown(bytes: &[u8]) -> String {
    match ingest::read(bytes) {
        Ok(findings) => shown_findings(&findings),
        Err(error) => format!("error\t{error}\n"),
    }
}

fn shown_findings(findings: &Findings<'_>) -> String {
    let mut out = String::new();
    findings.found.iter().for_each(|found| out += &shown_source(found));
    line(&mut out, "skipped", &findings.skipped_in_words());
    findings.warnings.iter().for_each(|warning| line(&mut out, "warning", warning));
    findings
        .broken
        .iter()
        .for_each(|broken| line(&mut out, "broken", &format!("{}\t{}", broken.line, broken.cause)));
    let ids = ids(findings);
    for answer in &findings.answers {
        let rewritten = answer.rewritten(&findings.found, &ids);
        line(&mut out, "answer", &rewritten.text);
        line(&mut out, "left out", &rewritten.left_out.join("\t"));
    }
    out
}

fn shown_source(found: &Found<'_>) -> String {
    let mut out = format!("source\t{}\t{}\n", found.url, found.title.escape_debug());
    line(&mut out, "  via", found.via.unwrap_or_default());
    line(&mut out, "  local", found.local.as_deref().unwrap_or_default());
    line(&mut out, "  body", found.body.as_deref().unwrap_or_default());
    found.quotes.iter().for_each(|quote| line(&mut out, "  quote", quote));
    out
}

fn line(out: &mut String, kind: &str, text: &str) {
    if !text.is_empty() {
        writeln!(out, "{kind}\t{}", text.replace('\n', "\\n")).unwrap();
    }
}

/// The ids that an empty ledger would give: one for each address.
fn ids(findings: &Findings<'_>) -> Vec<Option<SourceId>> {
    let mut ids = HashMap::new();
    let mut id = |url: &str| {
        let next = SourceId(u32::try_from(ids.len()).unwrap() + 1);
        Some(*ids.entry(url.to_owned()).or_insert(next))
    };
    findings.found.iter().map(|found| id(&found.url)).collect()
}

#[test]
fn no_nesting_overflows_the_stack() {
    let wrap = |inner: &str, open: &str, close: &str| open.repeat(250) + inner + &close.repeat(250);
    for (open, close) in [("[", "]"), (r#"{"results":"#, "}"), (r#"{"role":"tool","content":"#, "}")] {
        let mut text = r#"{"url":"https://a.example/1"}"#.to_owned();
        for _ in 0..2 {
            text = wrap(&serde_json::to_string(&text).unwrap(), open, close);
        }
        let read = std::thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(move || ingest::read(text.as_bytes()).map(|findings| findings.found.len()));
        assert!(read.unwrap().join().unwrap().is_ok());
    }
    for bomb in ["[", r#"{"a":"#, r#"[{"results":"#] {
        let error = ingest::read(bomb.repeat(500_000).as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("is nested too deep"), "{error}");
    }
}

#[test]
fn json_inside_strings_is_read_twice_and_no_deeper() {
    let mut text = r#"{"url":"https://a.example/1"}"#.to_owned();
    for (times, found) in [(0, 1), (1, 1), (2, 1), (3, 0)] {
        assert_eq!(ingest::read(text.as_bytes()).unwrap().found.len(), found, "{times} times");
        text = serde_json::to_string(&text).unwrap();
    }
}

#[test]
fn large_and_hostile_inputs_are_read_in_linear_time() {
    let many = 30_000;
    let reply = |id: usize| {
        format!(r#"{{"tool_call_id":"{id}","content":"{{\"url\":\"https://a.example/{id}\"}}"}}"#)
    };
    let call =
        |id: usize| format!(r#"{{"name":"fetch","id":"{id}","args":{{"url":"https://b.example/{id}"}}}}"#);
    let list =
        |item: &dyn Fn(usize) -> String| format!("[{}]", (0..many).map(item).collect::<Vec<_>>().join(","));
    let object = |id: usize| format!(r#""k{id}":{{"url":"https://a.example/{id}"}}"#);
    let inputs = [
        format!("{{{}}}", (0..many).map(object).collect::<Vec<_>>().join(",")),
        (0..many).map(|id| format!("{{\"url\":\"https://a.example/{id}\"}}\n")).collect(),
        (0..many).map(|id| format!("{{\"url\":\"https://a.example/{id}\"}}\n{{broken\n")).collect(),
        format!("[{},{}]", list(&call), list(&reply)),
    ];
    for input in inputs {
        let begun = Instant::now();
        assert_eq!(ingest::read(input.as_bytes()).unwrap().found.len(), many);
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn an_answer_is_rewritten_in_linear_time() {
    let begun = Instant::now();
    for part in ["[1](http", "[1,", "`[1]", "[[[", "[1]", "[1][2]"] {
        let content = part.repeat(30_000);
        let reply = serde_json::json!({"citations": ["https://a.example/1"], "choices": [{"message": {"content": content}}]});
        shown(reply.to_string().as_bytes());
    }
    assert!(begun.elapsed() < Duration::from_secs(10));
}

/// JSON made of the names that the shapes look for.
fn reply() -> impl Strategy<Value = serde_json::Value> {
    let word = |words: &'static [&'static str]| proptest::sample::select(words);
    let text = word(&[
        "https://a.example/1",
        "HTTP://b",
        "https://",
        "",
        "[1] [2](http://x) [00ff]",
        "{\"url\":\"https://c.example\"}",
        "url_citation",
        "web_search_call",
        "search_result",
        "web_fetch_result",
        "open_page",
        "assistant",
        "tool",
        "Éé🧊",
        "error",
        "search_results",
        "abstain",
        "gs://x",
        "\"[1]\"",
        "text",
    ]);
    let leaf = prop_oneof![
        text.prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        (0..5u64).prop_map(Into::into),
        any::<bool>().prop_map(Into::into),
        Just(serde_json::Value::Null),
        ".{0,8}".prop_map(Into::into),
    ];
    let name = word(&[
        "url",
        "title",
        "name",
        "link",
        "uri",
        "type",
        "role",
        "content",
        "text",
        "results",
        "citations",
        "data",
        "web",
        "annotations",
        "url_citation",
        "start_index",
        "end_index",
        "action",
        "sources",
        "groundingMetadata",
        "groundingChunks",
        "groundingSupports",
        "segment",
        "endIndex",
        "partIndex",
        "groundingChunkIndices",
        "parts",
        "choices",
        "message",
        "search_results",
        "citation_id",
        "native_id",
        "chunk_id",
        "items",
        "answer",
        "error",
        "insufficient_evidence",
        "synthesized_answer",
        "abstained",
        "tool_calls",
        "args",
        "arguments",
        "id",
        "tool_call_id",
        "output",
        "metadata",
        "sourceURL",
        "statusCode",
        "markdown",
        "raw_content",
        "response_time",
        "organic",
        "costDollars",
        "urlMetadata",
        "retrievedUrl",
        "citationSources",
        "source",
        "cited_text",
        "images",
        "page_content",
        "decision",
        "trust_state",
        "status",
        "code",
        "subpages",
        "requestId",
        "isError",
    ]);
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((name.clone(), inner.clone()), 0..7).prop_map(|fields| fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
            inner.prop_map(|value| value.to_string().into()),
        ]
    })
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        shown(&bytes);
    }

    #[test]
    fn no_text_panics(text in "[\\[\\]{}\":, \\n\\\\a-zNIu0-9\u{e9}\u{feff}-]{0,80}") {
        shown(text.as_bytes());
    }

    #[test]
    fn no_reply_panics_and_every_source_has_an_address(reply in reply()) {
        shown(reply.to_string().as_bytes());
        for found in ingest::read(reply.to_string().as_bytes()).unwrap().found {
            let address = found.url.to_ascii_lowercase();
            prop_assert!(["http://", "https://", "mem://"].iter().any(|scheme| address.starts_with(scheme)));
            prop_assert_eq!(found.url.trim(), &found.url);
        }
    }

    #[test]
    fn a_reply_cut_off_anywhere_is_an_error_or_nothing(cut in 1..70usize) {
        let whole = r#"{"results": [{"url": "https://a.example/1", "title": "Eis \u2744 ❄"}]}"#;
        let cut = (0..=cut.min(whole.len() - 1)).rev().find(|at| whole.is_char_boundary(*at)).unwrap();
        prop_assert!(ingest::read(&whole.as_bytes()[..cut]).is_err());
    }

    #[test]
    fn utf16_reads_like_utf8(reply in reply()) {
        let text = reply.to_string();
        let utf16: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        prop_assert_eq!(shown(&utf16), shown(text.as_bytes()));
    }
}
