//! Every file in `fixtures/ingest` is read and compared with the `.expected` beside it. `BLESS=1` rewrites those.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cited::identity::SourceId;
use cited::ingest::{self, Findings, Found};

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
