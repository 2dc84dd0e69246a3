//! From the bytes of a file to JSON documents: byte order marks, UTF-16, one document or many, JSON Lines with
//! broken lines. Errors name line, column and what was found there.
//!
//! What is not quite JSON but common in tool output (half a surrogate pair, `NaN`) is mended only after plain
//! reading failed, so that it costs the plain path nothing.

use std::borrow::Cow;

use crate::text::printable::printable;

use super::json::{self, Json};

/// Characters of the input that an error shows.
const SHOWN_CHARS: usize = 20;

/// How the reader names a word that is none of `null`, `true` and `false`; it points into the word.
const IDENT: &str = "expected ident";

/// Why an input holds no JSON documents; reads on from the name of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotJson {
    /// The text breaks off or breaks the grammar.
    #[error("is not valid JSON: line {line}, column {column}: {cause}")]
    Broken {
        /// Line in the input, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What was expected and what was found.
        cause: String,
    },
    /// There is nothing but white space.
    #[error("is not valid JSON: it is empty")]
    Empty,
    /// Lists and objects inside each other beyond the limit.
    #[error(
        "is nested too deep: more than 256 lists or objects inside each other at line {line}, column {column}"
    )]
    TooDeep {
        /// Line in the input, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
    },
}

/// A line of JSON Lines that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenLine {
    /// Line in the input, from 1.
    pub line: usize,
    /// What was expected and what was found.
    pub cause: String,
}

/// The input as text, and whether bytes had to be replaced.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [first, 0, _, 0, ..] if *first != 0 => utf16(bytes, u16::from_le_bytes),
        [0, second, 0, _, ..] if *second != 0 => utf16(bytes, u16::from_be_bytes),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), false),
        Err(_) => (Cow::Owned(String::from_utf8_lossy(bytes).into_owned()), true),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (Cow<'_, str>, bool) {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    (Cow::Owned(text), false)
}

/// Hands every document of `text` to `each`, in order; lines of JSON Lines that are no document come back.
///
/// # Errors
/// The text is empty, nested too deep, or not JSON and not JSON Lines either.
pub fn documents<'a>(text: &'a str, mut each: impl FnMut(Json<'a>)) -> Result<Vec<BrokenLine>, NotJson> {
    let mut at = skip_space(text, 0);
    if at == text.len() {
        return Err(NotJson::Empty);
    }
    while at < text.len() {
        let (document, used) = match json::read_one(&text[at..]) {
            Ok(read) => read,
            Err(error) => return lines(text, at, each).ok_or_else(|| not_json(text, at, &error)),
        };
        each(document);
        at = skip_space(text, at + used);
    }
    Ok(Vec::new())
}

fn skip_space(text: &str, from: usize) -> usize {
    from + text.as_bytes()[from..].iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// Reads `text` from `from` as JSON Lines; `None` when it is something else: a document that breaks off has
/// lines that begin with white space or a closing bracket.
fn lines<'a>(text: &'a str, from: usize, mut each: impl FnMut(Json<'a>)) -> Option<Vec<BrokenLine>> {
    let rest = &text[from..];
    if rest.lines().any(|line| line.starts_with([' ', '\t', '}', ']'])) {
        return None;
    }
    let before = line_number(text, from);
    let (mut broken, mut good) = (Vec::new(), from > skip_space(text, 0));
    for (line, number) in rest.lines().zip(before..).filter(|(line, _)| !line.trim().is_empty()) {
        match whole_line(line) {
            Ok(document) => {
                good = true;
                each(document);
            }
            Err(cause) => broken.push(BrokenLine { line: number, cause }),
        }
    }
    good.then_some(broken)
}

/// A line that is one list or object and nothing else.
fn whole_line(line: &str) -> Result<Json<'_>, String> {
    let (document, used) = json::read_one(line).map_err(|error| cause(line, &error))?;
    let after = line[used..].trim();
    match after.is_empty() && document.is_composite() {
        true => Ok(document),
        false => Err(format!("expected one object, {}", found(&line[used..], skip_space(&line[used..], 0)))),
    }
}

fn line_number(text: &str, at: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count()
}

/// The error of a document that begins at `from`, with its place in the whole text.
fn not_json(text: &str, from: usize, error: &serde_json::Error) -> NotJson {
    let at = place(&text[from..], error) + from;
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let (line, column) = (line_number(text, at), text[start..at].chars().count() + 1);
    match error.to_string().starts_with(json::TOO_DEEP) {
        true => NotJson::TooDeep { line, column },
        false => NotJson::Broken { line, column, cause: cause(&text[from..], error) },
    }
}

/// What was expected, in the words of the reader, and what was found there.
fn cause(text: &str, error: &serde_json::Error) -> String {
    let words = error.to_string();
    let expected = words.split(" at line ").next().unwrap_or_default().replace(IDENT, "expected value");
    match error.is_eof() {
        true => "it breaks off in the middle".into(),
        false => format!("{expected}, {}", found(text, place(text, error))),
    }
}

/// The byte that `error` points at.
fn place(text: &str, error: &serde_json::Error) -> usize {
    let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
    let line = match error.line() {
        0 | 1 => 0,
        line => newlines.take(line - 1).last().map_or(0, |at| at + 1),
    };
    let mut at = (line + error.column().saturating_sub(1)).min(text.len());
    if error.to_string().starts_with(IDENT) {
        at -= text.as_bytes()[line..at].iter().rev().take_while(|b| b.is_ascii_alphabetic()).count();
    }
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn found(text: &str, at: usize) -> String {
    let shown: String = text[at..].chars().take_while(|c| *c != '\n').take(SHOWN_CHARS).collect();
    match shown.trim() {
        "" => "found the end".into(),
        shown => format!("found `{}`", printable(shown)),
    }
}

/// `text` with what plain JSON does not allow put right: half a surrogate pair becomes U+FFFD; `NaN` and
/// `Infinity` become `null`; byte order marks and record separators between documents go. `None` when there is nothing of the kind.
pub fn mended(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut at, mut quoted) = (String::new(), 0, 0, false);
    while at < bytes.len() {
        let (length, instead) = match bytes[at] {
            b'\\' if quoted => escape(&bytes[at..]),
            b'"' => {
                quoted = !quoted;
                (1, None)
            }
            b'\n' => {
                quoted = false;
                (1, None)
            }
            b'N' | b'I' | b'-' if !quoted => not_finite(&text[at..]),
            0xef if !quoted && text[at..].starts_with('\u{feff}') => (3, Some("")),
            0x1e if !quoted => (1, Some("")),
            _ => (1, None),
        };
        if let Some(instead) = instead {
            out.push_str(&text[copied..at]);
            out.push_str(instead);
            copied = at + length;
        }
        at += length;
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

/// The length of the escape that `bytes` begin with, and what stands for it where it is half a pair.
fn escape(bytes: &[u8]) -> (usize, Option<&'static str>) {
    match (unit(bytes), unit(bytes.get(6..).unwrap_or_default())) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, None),
        (Some(0xd800..=0xdfff), _) => (6, Some("\\ufffd")),
        (Some(_), _) => (6, None),
        (None, _) => (2, None),
    }
}

/// The code unit of a `\uXXXX` that `bytes` begin with.
fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.get(..6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn not_finite(text: &str) -> (usize, Option<&'static str>) {
    let word = ["NaN", "Infinity", "-Infinity"].into_iter().find(|word| text.starts_with(word));
    word.map_or((1, None), |word| (word.len(), Some("null")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(usize, Vec<BrokenLine>), String> {
        let mut count = 0;
        let broken = documents(text, |_| count += 1).map_err(|error| error.to_string())?;
        Ok((count, broken))
    }

    fn broken(line: usize, cause: &str) -> BrokenLine {
        BrokenLine { line, cause: cause.into() }
    }

    #[test]
    fn documents_may_follow_each_other_on_lines_or_not() {
        assert_eq!(read("{\"a\":1}\n{\"b\":2}\n\n[3]\n"), Ok((3, vec![])));
        assert_eq!(read("{\"a\":1}{\"b\":2}"), Ok((2, vec![])));
    }

    #[test]
    fn a_broken_line_is_named_and_the_rest_is_kept() {
        let text = "{\"a\":1}\n{\"b\":\nnot json\n{\"c\":3}\n";
        let broken =
            vec![broken(2, "it breaks off in the middle"), broken(3, "expected value, found `not json`")];
        assert_eq!(read(text), Ok((2, broken)));
        assert_eq!(read("oops\n{\"c\":3}\n").map(|(count, broken)| (count, broken[0].line)), Ok((1, 1)));
    }

    #[test]
    fn errors_name_place_and_what_was_found() {
        let error = |text: &str| read(text).unwrap_err();
        assert_eq!(error(" \n"), "is not valid JSON: it is empty");
        assert_eq!(
            error("{\"a\": 1,\n  \"é\": <b>}"),
            "is not valid JSON: line 2, column 8: expected value, found `<b>}`"
        );
        assert_eq!(
            error("{\"results\": [{\"url\": \"https://a.example"),
            "is not valid JSON: line 1, column 39: it breaks off in the middle"
        );
        assert_eq!(
            error("{\"a\": 1,\n  trailing}"),
            "is not valid JSON: line 2, column 3: key must be a string, found `trailing}`"
        );
    }

    #[test]
    fn a_document_that_breaks_off_is_no_json_lines() {
        assert!(read("{\n \"results\": [\n  {\"url\": \"https://a.example\"}\n").is_err());
        assert!(read("{\"results\": [{\"url\": \"https://a.example\"},").is_err());
    }

    #[test]
    fn too_deep_is_said_as_such() {
        assert_eq!(
            read(&"[".repeat(100_000)).unwrap_err(),
            "is nested too deep: more than 256 lists or objects inside each other at line 1, column 257"
        );
    }

    #[test]
    fn utf16_and_byte_order_marks_are_understood() {
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let text = "{\"a\":\"é\"}";
        assert_eq!(decode(&utf16(text)).0, text);
        assert_eq!(decode(&[&[0xff, 0xfe][..], &utf16(text)].concat()).0, text);
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&[&[0xfe, 0xff][..], &big].concat()).0, text);
        assert_eq!(decode(&big).0, text);
        assert_eq!(decode("\u{feff}{}".as_bytes()), (Cow::Borrowed("{}"), false));
        assert_eq!(decode(b"\"caf\xe9\""), (Cow::Borrowed("\"caf\u{fffd}\""), true));
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced_and_a_whole_one_kept() {
        assert_eq!(mended(r#""ok \ud83d""#).as_deref(), Some(r#""ok \ufffd""#));
        assert_eq!(mended(r#""\ude00\ud83dx""#).as_deref(), Some(r#""\ufffd\ufffdx""#));
        assert_eq!(mended(r#""\ud83d\ude00 \\ud83d \"""#), None);
    }

    #[test]
    fn marks_between_documents_go() {
        assert_eq!(
            mended("\u{1e}{\"a\":\"\u{feff}\"}\n\u{feff}{}").as_deref(),
            Some("{\"a\":\"\u{feff}\"}\n{}")
        );
    }

    #[test]
    fn a_string_that_does_not_end_ends_with_its_line() {
        assert_eq!(mended("{\"a\n[NaN]").as_deref(), Some("{\"a\n[null]"));
    }

    #[test]
    fn not_a_number_is_null() {
        assert_eq!(
            mended(r#"[NaN,-Infinity,"NaN",-1,Infinity]"#).as_deref(),
            Some(r#"[null,null,"NaN",-1,null]"#)
        );
    }
}
