//! A text cut into numbers, words and signs, each with its bytes. Digits of every script become ASCII; what a number
//! means is not decided here.

use std::ops::Range;

use super::numerals;
use crate::text::digits;
use crate::text::fold::unseen;
use crate::text::words::is_unspaced;

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// No white space stands before it.
    pub glued: bool,
}

/// What a piece of text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// ASCII digits with the separators between them: `1,500`, `3.14`, `1 000`, `1½`.
    Digits(String),
    /// Chinese numerals.
    Numerals(String),
    /// Letters, in lower case.
    Word(String),
    /// Anything else, and each character of a script without spaces.
    Sign(char),
}

/// Cuts `text`.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut rest = text.char_indices().peekable();
    let mut glued = false;
    while let Some((at, c)) = rest.peek().copied() {
        if c.is_whitespace() || unseen(c) {
            glued &= unseen(c);
            rest.next();
            continue;
        }
        let (kind, length) = piece(&text[at..], c, found.last().filter(|_| glued));
        while rest.peek().is_some_and(|(next, _)| *next < at + length) {
            rest.next();
        }
        found.push(Token { kind, span: at..at + length, glued });
        glued = true;
    }
    found
}

/// The piece that `text` begins with and its length; `before` is glued to it.
fn piece(text: &str, c: char, before: Option<&Token>) -> (Kind, usize) {
    let bare_point = c == '.'
        && text[1..].starts_with(|c| digits::value(c).is_some())
        && !before
            .is_some_and(|token| matches!(token.kind, Kind::Word(_) | Kind::Digits(_) | Kind::Sign('.')));
    if digits::value(c).is_some() || bare_point || fraction(c).is_some() {
        return literal(text);
    }
    if numerals::is_numeral(c) {
        let length = text.find(|c| !numerals::is_numeral(c)).unwrap_or(text.len());
        return (Kind::Numerals(text[..length].to_owned()), length);
    }
    let in_word = |c: char| c.is_alphabetic() && !is_unspaced(c) || matches!(c, '\u{300}'..='\u{36f}');
    if in_word(c) {
        let length = text.find(|c| !in_word(c) && !unseen(c)).unwrap_or(text.len());
        let word = text[..length].trim_end_matches(unseen);
        return (Kind::Word(word.replace(unseen, "").to_lowercase()), word.len());
    }
    (Kind::Sign(c), c.len_utf8())
}

/// Digits and what joins them.
fn literal(text: &str) -> (Kind, usize) {
    let chars: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !unseen(*c)).take(80).collect();
    let digit = |at: usize| chars.get(at).and_then(|(_, c)| digits::value(*c));
    let char_at = |at: usize| chars.get(at).map(|(_, c)| *c);
    let mut shown = String::new();
    let mut at = 0;
    let mut leading = 0;
    loop {
        while let Some(value) = digit(at) {
            shown.extend(char::from_digit(value, 10));
            at += 1;
            leading += usize::from(!shown.contains(['.', ',', ' ', '\'']));
        }
        let Some(separator) = char_at(at).and_then(separator) else { break };
        let thin = separator == ' ' || separator == '\'';
        let group =
            (1..=3).all(|n| digit(at + n).is_some()) && digit(at + 4).is_none() && (1..=3).contains(&leading);
        let decimals_behind = !shown.contains(['.', ',']);
        if digit(at + 1).is_none() || thin && !(group && decimals_behind) {
            break;
        }
        shown.push(separator);
        at += 1;
    }
    let gap = usize::from(at > 0 && char_at(at) == Some(' '));
    if let Some(half) = char_at(at + gap).and_then(fraction).filter(|_| !shown.contains(['.', ','])) {
        shown.push_str(half);
        at += gap + 1;
    }
    let end =
        chars.get(at).map_or_else(|| chars.last().map_or(0, |(at, c)| at + c.len_utf8()), |(at, _)| *at);
    (Kind::Digits(shown), end)
}

/// What joins digits, in one spelling.
fn separator(c: char) -> Option<char> {
    match c {
        '.' | '．' | '·' | '٫' => Some('.'),
        ',' | '，' | '٬' => Some(','),
        '\'' | '’' => Some('\''),
        c if c.is_whitespace() && c != '\n' && c != '\t' => Some(' '),
        _ => None,
    }
}

/// The decimals of a fraction character.
fn fraction(c: char) -> Option<&'static str> {
    Some(match c {
        '½' => ".5",
        '¼' => ".25",
        '¾' => ".75",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_are_whole_and_words_are_lower_case() {
        for number in ["1,500", "3.14", "1 500", "1'000'000", "12.03.2024"] {
            assert_eq!(kinds(number), [Kind::Digits(number.into())], "{number}");
        }
        assert_eq!(kinds("1\u{202f}500"), [Kind::Digits("1 500".into())]);
        assert_eq!(kinds("1½"), [Kind::Digits("1.5".into())]);
        assert_eq!(kinds(".5"), [Kind::Digits(".5".into())]);
        assert_eq!(kinds("4\u{200b}1\u{ad}.\u{2060}5"), [Kind::Digits("41.5".into())]);
        assert_eq!(kinds("fif\u{ad}ty\u{ad}"), [Kind::Word("fifty".into())]);
        assert_eq!(kinds("𝟒𝟏"), [Kind::Digits("41".into())]);
        assert_eq!(kinds("２０"), [Kind::Digits("20".into())]);
        assert_eq!(
            kinds("In 2010, 500"),
            [
                Kind::Word("in".into()),
                Kind::Digits("2010".into()),
                Kind::Sign(','),
                Kind::Digits("500".into())
            ]
        );
        assert_eq!(kinds("三十五万人"), [Kind::Numerals("三十五万".into()), Kind::Sign('人')]);
    }

    #[test]
    fn every_token_stands_where_it_says() {
        for text in
            ["Ice at −5 °C, 三百 km", "4\u{ad}1\u{ad} a\u{ad}", "a\u{301}b 12 345 67", "é5ü", "", "…½…"]
        {
            let mut last = 0;
            for token in tokens(text) {
                assert!(
                    token.span.start >= last && text.get(token.span.clone()).is_some(),
                    "{text} {token:?}"
                );
                last = token.span.end;
            }
        }
    }
}
