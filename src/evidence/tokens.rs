//! Words, figures and signs of a passage, for comparing it with a quote. A figure is one token with its sign and
//! unit, so that what differs is shown whole.

use std::ops::Range;

use super::judge::Reading;
use crate::text::figures::{figures, is_digit};
use crate::text::words::is_unspaced;

/// One of them.
#[derive(Debug, Clone)]
pub struct Token {
    /// Folded characters: what is compared.
    pub text: String,
    /// Bytes of the text it stands in.
    pub span: Range<usize>,
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Token {}

impl PartialOrd for Token {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Token {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(&other.text)
    }
}

impl std::hash::Hash for Token {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl Token {
    /// It holds a letter or digit.
    pub fn is_word(&self) -> bool {
        self.text.chars().any(char::is_alphanumeric)
    }

    /// It holds a digit.
    pub fn is_figure(&self) -> bool {
        self.text.chars().any(is_digit)
    }
}

/// Tokens of folded `range`.
pub fn tokens(reading: Reading<'_>, range: &Range<usize>) -> Vec<Token> {
    let text = reading.view.folded.text().get(range.clone()).unwrap_or_default();
    let seen: Vec<(usize, char, char)> = text
        .char_indices()
        .map(|(at, c)| {
            (range.start + at, c, reading.view.shown(reading.raw, range.start + at, c).unwrap_or(c))
        })
        .collect();
    let shown: Vec<char> = seen.iter().map(|(_, _, shown)| *shown).collect();
    let mut figures = figures(&shown).into_iter().peekable();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < seen.len() {
        let figure = figures.next_if(|figure| figure.start <= at).map(|figure| figure.end);
        let end = figure.unwrap_or_else(|| token_end(&shown, at)).max(at + 1);
        if !shown[at].is_whitespace() {
            tokens.push(token(reading, &seen[at..end]));
        }
        at = end;
    }
    tokens
}

fn token(reading: Reading<'_>, seen: &[(usize, char, char)]) -> Token {
    let text = seen.iter().map(|(_, c, _)| *c).collect();
    let folded = match (seen.first(), seen.last()) {
        (Some(first), Some(last)) => first.0..last.0 + last.1.len_utf8(),
        _ => 0..0,
    };
    let raw = || reading.view.folded.raw(folded.start)..reading.view.folded.raw(folded.end);
    Token { text, span: reading.view.raw_span(reading.raw, &folded).unwrap_or_else(raw) }
}

fn token_end(shown: &[char], at: usize) -> usize {
    let c = shown[at];
    if !c.is_alphanumeric() || is_unspaced(c) {
        return at + 1;
    }
    let inside = |at: usize| {
        let letter = |at: usize| shown.get(at).is_some_and(|c| c.is_alphanumeric() && !is_unspaced(*c));
        letter(at) || matches!(shown.get(at), Some('\'' | '’')) && letter(at + 1)
    };
    (at + 1..).find(|at| !inside(*at)).unwrap_or(at + 1)
}
