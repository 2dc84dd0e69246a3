//! What raised and lowered text is: part of a figure, a reference mark, or letters like any others. One answer
//! for HTML and for HTML inside Markdown.

/// How raised or lowered text reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// No match crosses it: `10²` is not `102`.
    Wall,
    /// A number that refers to a note; a match may leave it out.
    Reference,
    /// Text: `H₂O`, `19th`, `[3]`.
    Text,
}

/// Judges `content`, which stands raised (`sup`) or lowered after `before`, the visible text up to it.
pub fn judge(raised: bool, before: impl DoubleEndedIterator<Item = char>, content: &str) -> Script {
    let content = content.trim();
    let mut back = before.rev().skip_while(|c| c.is_whitespace());
    let last = back.next().unwrap_or(' ');
    let letters = || content.chars().all(char::is_alphabetic);
    if content.is_empty() || content.starts_with('[') && content.ends_with(']') {
        return Script::Text;
    }
    if last.is_numeric() {
        return if ["st", "nd", "rd", "th"].contains(&content) { Script::Text } else { Script::Wall };
    }
    if !raised || letters() {
        return Script::Text;
    }
    if !is_note_number(content) || is_unit_of_figure(last, back) {
        return Script::Wall;
    }
    Script::Reference
}

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
            (true, "ice", "[3]", Script::Text),
            (true, "in 2019", "[3]", Script::Text),
            (true, "ice", "3", Script::Reference),
            (true, "ice.", "1,2", Script::Reference),
        ] {
            assert_eq!(judge(raised, before.chars(), content), script, "{before}^{content}");
        }
    }
}
