//! What raised and lowered text is: part of a figure, a reference mark, or letters like any others. One answer
//! for HTML and for HTML inside Markdown.

use super::marker::is_marker;

/// How raised or lowered text reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// No match crosses it: `10²` is not `102`.
    Wall,
    /// A number that refers to a note; a match may leave it out.
    Reference,
    /// A number in brackets that refers to a note; it is text too, but a match may leave it out.
    Marker,
    /// Text: `H₂O`, `19th`.
    Text,
}

/// Judges `content`, which stands raised (`sup`) or lowered after `before`, the visible text up to it.
pub fn judge(raised: bool, before: impl DoubleEndedIterator<Item = char>, content: &str) -> Script {
    let content = content.trim();
    let mut back = before.rev().skip_while(|c| c.is_whitespace());
    let last = back.next().unwrap_or(' ');
    let letters = || content.chars().all(char::is_alphabetic);
    if let Some(label) = content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return if is_marker(&label.to_lowercase()) { Script::Marker } else { Script::Text };
    }
    if content.is_empty() || content.chars().all(|c| SIGNS.contains(&c)) {
        return Script::Text;
    }
    if last.is_numeric() {
        return if ORDINALS.contains(&content) { Script::Text } else { Script::Wall };
    }
    if !raised || letters() {
        return Script::Text;
    }
    if content.chars().all(|c| NOTE_SIGNS.contains(&c)) {
        return Script::Reference;
    }
    if !is_note_number(content) || is_unit_of_figure(last, back) {
        return Script::Wall;
    }
    Script::Reference
}

/// Signs that mean the same wherever they stand.
const SIGNS: &[char] = &['®', '™', '℠', '©', '°', 'º', 'ª'];

/// Signs that refer to a note, where they are raised after a word.
const NOTE_SIGNS: &[char] = &['*', '†', '‡', '§', '¶'];

/// Endings of ordinals, as they are raised after a number.
const ORDINALS: &[&str] = &[
    "st", "nd", "rd", "th", "e", "er", "ers", "re", "res", "ère", "ème", "èmes", "eme", "de", "nde", "o",
    "os", "a", "as", "ª", "º",
];

/// `3`, `1,2`, `4–6`.
fn is_note_number(content: &str) -> bool {
    let mut chars = content.chars();
    chars.next().is_some_and(|c| c.is_ascii_digit())
        && content.len() <= 24
        && content.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | '–' | ' '))
}

/// `m` of `5 m`: a power belongs to it.
fn is_unit_of_figure(last: char, before: impl Iterator<Item = char>) -> bool {
    if !last.is_alphabetic() {
        return false;
    }
    let mut rest = before.take(8).skip_while(|c| c.is_alphabetic() || matches!(c, '/' | '·' | 'µ'));
    match rest.next() {
        Some(c) if c.is_numeric() => true,
        Some(c) if c.is_whitespace() => rest.next().is_some_and(char::is_numeric),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_a_wall_and_a_note_is_not() {
        for (raised, before, content, script) in [
            (true, "10", "2", Script::Wall),
            (false, "10", "2", Script::Wall),
            (true, "5 m", "2", Script::Wall),
            (true, "5 mm", "3", Script::Wall),
            (true, "s", "-1", Script::Wall),
            (false, "H", "2", Script::Text),
            (true, "19", "th", Script::Text),
            (true, "1", "er", Script::Text),
            (true, "10", "n", Script::Wall),
            (true, "Ice", "®", Script::Text),
            (true, "10 ", "°", Script::Text),
            (true, "ice", "†", Script::Reference),
            (true, "10", "*", Script::Wall),
            (true, "ice", "[3]", Script::Marker),
            (true, "in 2019", "[Note 3]", Script::Marker),
            (true, "ice", "[not]", Script::Text),
            (true, "ice", "3", Script::Reference),
            (true, "ice.", "1,2", Script::Reference),
        ] {
            assert_eq!(judge(raised, before.chars(), content), script, "{before}^{content}");
        }
    }
}
