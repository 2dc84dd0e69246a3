//! What single characters and words mean to the end of a sentence: data and look-ups for [`super::sentences`].

use super::boundary;
use super::words::is_unspaced;

/// How far back the word before a period is looked at, in bytes; longer words are no abbreviations.
pub(super) const LONGEST_WORD: usize = 48;

/// A byte that sentence punctuation may begin with.
pub(super) fn may_stop(byte: u8) -> bool {
    matches!(byte, b'.' | b'!' | b'?' | 0xcd | 0xd6 | 0xd8 | 0xdb | 0xe0 | 0xe1 | 0xe2 | 0xe3 | 0xef)
}

/// The sentence punctuation at `at`, and whether it ends a sentence whatever follows.
pub(super) fn stop_at(text: &str, at: usize) -> Option<(char, bool)> {
    if !text.is_char_boundary(at) {
        return None;
    }
    let c = text[at..].chars().next()?;
    match c {
        '.' | '!' | '?' | '…' => Some((c, false)),
        '。' | '！' | '？' | '｡' | '．' | '।' | '॥' | '؟' | '۔' | '։' | '።' | '፧' | '፨' | '။' | '។' | '៕'
        | '\u{37e}' | '‼' | '⁇' | '⁈' | '⁉' => Some((c, true)),
        _ => None,
    }
}

/// Closes a quotation or a bracket.
pub(super) fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '}'
            | '”'
            | '’'
            | '»'
            | '›'
            | '」'
            | '』'
            | '）'
            | '》'
            | '〉'
            | '】'
            | '〕'
            | '“'
    )
}

/// Opens a quotation, a bracket or emphasis.
pub(super) fn is_opener(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '('
            | '['
            | '{'
            | '“'
            | '‘'
            | '«'
            | '»'
            | '‹'
            | '„'
            | '‚'
            | '「'
            | '『'
            | '（'
            | '《'
            | '¿'
            | '¡'
            | '*'
            | '_'
    )
}

/// A dash that opens a remark, with the space behind it.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '—' | '–' | ' ')
}

/// After a closing quotation mark the sentence goes on: a comma, or a particle that leans on the quotation.
pub(super) fn continues(rest: &str) -> bool {
    const PARTICLES: &[&str] = &[
        "，",
        "、",
        "；",
        "：",
        ",",
        "と",
        "って",
        "という",
        "の",
        "が",
        "を",
        "は",
        "に",
        "で",
        "も",
        "へ",
        "など",
        "的",
        "他说",
        "她说",
        "他們說",
        "他们说",
        "他說",
        "她說",
        "这",
        "라고",
        "라는",
        "이라고",
        "고",
    ];
    PARTICLES.iter().any(|particle| rest.starts_with(particle))
}

/// The length of a group in square brackets that is glued to a full stop, such as `[sic]`.
pub(super) fn bracketed(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('[')?;
    let close = inner.bytes().take(LONGEST_WORD).position(|b| matches!(b, b']' | b'\n' | b' '))?;
    let behind = inner[close..].strip_prefix(']')?;
    let behind = behind.trim_start_matches(']');
    let length = rest.len() - behind.len();
    behind.starts_with(char::is_whitespace).then_some(length)
}

/// The word before a period: back to white space or opening punctuation.
pub(super) fn word_before(text: &str) -> &str {
    let text = &text[boundary::floor(text, text.len().saturating_sub(LONGEST_WORD))..];
    let from = text
        .rfind(|c: char| c.is_whitespace() || is_opener(c) || matches!(c, '/' | '—' | '–' | ')' | ']'))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    &text[from..]
}

/// One capital letter, or one letter of a script without case that writes with spaces.
pub(super) fn is_initial(word: &str) -> bool {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => c.is_alphabetic() && !c.is_lowercase() && !is_unspaced(c),
        _ => false,
    }
}

/// A Roman numeral in capitals.
pub(super) fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'L' | b'C'))
}

/// A character that Korean is written with.
pub(super) fn is_hangul(c: char) -> bool {
    matches!(c as u32, 0x1100..=0x11ff | 0xac00..=0xd7af)
}
