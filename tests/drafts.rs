//! Drafts with the facts that are read from them: fixtures/drafts.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use cited::draft::{Draft, Options, Span};
use cited::identity::{Key, Register, SourceId, locate};

/// The sources of `register.txt`.
struct Known(HashMap<SourceId, Key>);

impl Known {
    fn read(folder: &Path) -> Self {
        let table = std::fs::read_to_string(folder.join("register.txt")).unwrap();
        let sources = table.lines().map(|line| {
            let (id, url) = line.split_once(' ').unwrap();
            (SourceId(id.parse().unwrap()), locate(url, &Default::default()).unwrap().key)
        });
        Self(sources.collect())
    }
}

impl Register for Known {
    fn key_of(&self, id: SourceId) -> Option<&Key> {
        self.0.get(&id)
    }

    fn id_of(&self, url: &str) -> Option<SourceId> {
        let key = locate(url, &Default::default()).ok()?.key;
        self.0.iter().find(|(_, known)| **known == key).map(|(id, _)| *id)
    }
}

/// Everything a draft says, one fact a line.
fn facts(draft: &Draft<'_>) -> String {
    let mut facts = String::new();
    let place = |span: &Span| {
        let (line, column) = draft.lines.place(draft.text, span.start);
        format!("{line}:{column}")
    };
    let shown = |span: &Span| draft.text[span.clone()].replace('\r', "␍").replace('\n', "⏎");
    for sentence in &draft.sentences {
        let marks = sentence.citations.len() + sentence.markers.len();
        let _ = writeln!(
            facts,
            "sentence {} {}w {marks}m {}",
            place(&sentence.span),
            sentence.words,
            shown(&sentence.span)
        );
    }
    for citation in &draft.citations {
        let spaced = if citation.spaced { " spaced" } else { "" };
        let sentence = if citation.sentence.is_some() { "" } else { " outside" };
        let _ = writeln!(
            facts,
            "citation {} {} {:?} {:?}{spaced}{sentence}",
            place(&citation.span),
            shown(&citation.span),
            citation.form,
            citation.target
        );
    }
    for marker in &draft.markers {
        let _ = writeln!(facts, "marker {} {} {}", place(&marker.span), marker.kind, shown(&marker.span));
    }
    let spans = [("foreign", &draft.foreign), ("year", &draft.years), ("escaped", &draft.escaped)];
    for (name, spans) in spans {
        for span in spans {
            let _ = writeln!(facts, "{name} {} {}", place(span), shown(span));
        }
    }
    for span in &draft.unclosed_fences {
        let _ = writeln!(facts, "unclosed {} to {}", place(span), draft.lines.line(span.end));
    }
    for allow in &draft.allows {
        let _ =
            writeln!(facts, "allow {} {} covers {}", place(&allow.span), allow.rule, shown(&allow.covers));
    }
    for block in &draft.blocks {
        let heading = block.heading.as_ref().map(|heading| (heading.level, heading.title.as_str()));
        let end = draft.lines.line(block.span.end);
        let _ = writeln!(
            facts,
            "block {} to {end} {:?} {heading:?} generated={}",
            place(&block.span),
            block.kind,
            block.generated
        );
        for entry in &block.entries {
            let url = entry.url.as_ref().map(|url| (url.url.as_str(), url.matches));
            let _ = writeln!(facts, "  [{}] {url:?} {:?}", entry.id, entry.title);
            for (_, quote) in &entry.quotes {
                let _ = writeln!(facts, "    > {quote}");
            }
        }
    }
    facts
}

#[test]
fn drafts_say_what_their_facts_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/drafts");
    let known = Known::read(&folder);
    let mut options = Options { headings: vec!["Belege".into()], ..Options::default() };
    options.markers = vec![("tool".into(), "[tool:NAME]".into()), ("policy".into(), "[policy]".into())];
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = String::new();
    let mut read = 0;
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|end| end == "md") && !file.ends_with("README.md"))
    {
        let text = std::fs::read_to_string(file).unwrap();
        let found = facts(&Draft::parse(&text, &options, &known));
        let beside = file.with_extension("facts");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&beside, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if found != expected {
            let _ = writeln!(wrong, "{}\n--- expected\n{expected}--- found\n{found}", file.display());
        }
        read += 1;
    }
    assert!(read > 0);
    assert!(wrong.is_empty(), "\n{wrong}");
}
