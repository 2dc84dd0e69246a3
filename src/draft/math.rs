//! What is no prose though it stands among words: formulas, told by their look alone, and bare URLs. Both become
//! stretches of the plain text in which no citation can stand.

use super::bracket;
use super::prose::{Prose, Stretch};

/// Citations in a row that are looked at behind a URL.
const MAX_GROUP: usize = 16;

/// Formulas and bare URLs of one unit, in text order; they never overlap.
pub(super) fn opaque(draft: &str, prose: &Prose, unit: &Stretch) -> Vec<Stretch> {
    let mut found = Vec::new();
    let bytes = prose.text.as_bytes();
    let mut at = unit.start;
    while let Some(next) = next_candidate(bytes, at, unit.end) {
        let stretch = match bytes[next] {
            b'$' => dollars(draft, prose, next, unit.end),
            b':' => bare_url(&prose.text, at.max(unit.start), next, unit.end),
            _ => escaped_formula(draft, prose, next, unit.end),
        };
        at = match stretch {
            Ok(stretch) => {
                let end = stretch.end;
                found.push(stretch);
                end
            }
            Err(resume) => resume,
        };
    }
    found
}

/// The next dollar sign, `://`, or bracket that may open an escaped formula.
fn next_candidate(bytes: &[u8], from: usize, end: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let found = at + bytes.get(at..end)?.iter().position(|b| matches!(b, b'$' | b':' | b'[' | b'('))?;
        if bytes[found] != b':' || bytes[found..end].starts_with(b"://") {
            return Some(found);
        }
        at = found + 1;
    }
}

/// A formula between dollar signs; else where to look on.
fn dollars(draft: &str, prose: &Prose, open: usize, end: usize) -> Result<Stretch, usize> {
    let bytes = &prose.text.as_bytes()[..end];
    let width = 1 + usize::from(bytes.get(open + 1) == Some(&b'$'));
    if is_escaped(prose, open) {
        return Err(open + 1);
    }
    let from = open + width;
    let Some(close) = closing_dollar(prose, from, end, width) else { return Err(from) };
    let digit_follows = bytes.get(close + width).is_some_and(u8::is_ascii_digit);
    let inner = &prose.text[from..close];
    let source = &draft[prose.original(&(from..close))];
    let tight = !inner.contains(char::is_whitespace) && !inner.starts_with(|c: char| c.is_ascii_digit());
    let formula = !inner.is_empty() && !digit_follows && (has_formula_marks(source) || tight);
    if formula { Ok(open..close + width) } else { Err(close) }
}

/// The next run of `width` dollar signs that no backslash escapes.
fn closing_dollar(prose: &Prose, from: usize, end: usize, width: usize) -> Option<usize> {
    let bytes = prose.text.as_bytes();
    let mut at = from;
    while let Some(found) = memchr::memchr(b'$', bytes.get(at..end)?).map(|found| at + found) {
        let wide = bytes.get(found + 1) == Some(&b'$') && found + 1 < end;
        if !is_escaped(prose, found) && (width == 1 || wide) {
            return Some(found);
        }
        at = found + 1;
    }
    None
}

/// A formula in `\(…\)` or `\[…\]`; else where to look on.
fn escaped_formula(draft: &str, prose: &Prose, open: usize, end: usize) -> Result<Stretch, usize> {
    if !is_escaped(prose, open) {
        return Err(open + 1);
    }
    let closer = if prose.text.as_bytes()[open] == b'(' { b')' } else { b']' };
    let next = prose.escapes.partition_point(|escape| *escape <= open);
    let escapes = prose.escapes[next..].iter().take_while(|escape| **escape < end).take(64);
    for close in escapes {
        if prose.text.as_bytes()[*close] == closer {
            let source = &draft[prose.original(&(open + 1..*close))];
            let formula = has_formula_marks(source.trim_end_matches('\\')) || source.contains('=');
            return if formula { Ok(open..close + 1) } else { Err(open + 1) };
        }
    }
    Err(open + 1)
}

fn has_formula_marks(source: &str) -> bool {
    source.bytes().any(|b| matches!(b, b'\\' | b'^' | b'_' | b'{'))
}

pub(super) fn is_escaped(prose: &Prose, at: usize) -> bool {
    prose.escapes.binary_search(&at).is_ok()
}

/// The bare URL around the `://` at `colon`; else where to look on.
fn bare_url(text: &str, from: usize, colon: usize, end: usize) -> Result<Stretch, usize> {
    let scheme =
        text[from..colon].bytes().rev().take_while(|b| b.is_ascii_alphanumeric() || *b == b'+').count();
    if scheme == 0 {
        return Err(colon + 3);
    }
    let mut at = colon + 3;
    for (offset, c) in text[at..end].char_indices() {
        let here = colon + 3 + offset;
        let stops = c.is_whitespace() || !c.is_ascii() || matches!(c, '<' | '>' | '"' | '`');
        if stops || (c == '[' && ends_in_citation(&text[..end], here)) {
            break;
        }
        at = here + 1;
    }
    let url = &text[colon - scheme..at];
    Ok(colon - scheme
        ..colon - scheme + url.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', '\'']).len())
}

/// The brackets from `at` on are citations behind a URL, not part of it.
fn ends_in_citation(text: &str, at: usize) -> bool {
    let mut end = at;
    for _ in 0..MAX_GROUP {
        let Some(found) = bracket::read(text, end) else { break };
        end = found.end;
    }
    let next = text[end..].chars().next();
    end > at && next.is_none_or(|c| c.is_whitespace() || !c.is_ascii() || ".,;:!?)".contains(c))
}
