//! Golden tables of sentence boundaries: fixtures/sentences, one file a language.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use cited::text::sentences::{Mark, split};

/// Bracketed numbers of `text`, as the citation scanner would hand them over.
fn citations(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (open, _) in text.match_indices('[') {
        let digits = text[open + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let close = open + 1 + digits;
        if digits > 0 && text[close..].starts_with(']') {
            marks.push(Mark { span: open..close + 1, attached: true });
        }
    }
    marks
}

fn cut(text: &str) -> Vec<&str> {
    split(text, &citations(text)).into_iter().map(|span| &text[span]).collect()
}

#[test]
fn sentences_end_where_readers_of_the_language_end_them() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sentences");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut wrong, mut paragraphs) = (String::new(), 0);
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "txt")) {
        let table = std::fs::read_to_string(file).unwrap();
        for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let text = line.replace('‖', "");
            let expected: Vec<&str> = line.split('‖').map(str::trim).collect();
            let found = cut(&text);
            paragraphs += 1;
            if found != expected {
                let name = file.file_name().unwrap().to_string_lossy();
                let _ = writeln!(wrong, "{name}: {}\n   found {}", expected.join(" ‖ "), found.join(" ‖ "));
            }
        }
    }
    assert!(paragraphs > 150, "only {paragraphs} paragraphs were read");
    assert!(wrong.is_empty(), "\n{wrong}");
}
