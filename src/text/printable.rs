//! What may reach a terminal or one line of a file: text from the web is hostile, whatever field holds it.

use std::borrow::Cow;

/// `text` with every character that could steer a terminal or hide text shown as `\u{..}`: C0, C1, DEL, bidi
/// controls and tag characters. Line breaks and tabs are shown too, so the result is always one line.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if steers(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// `text` on one line: control characters, line and paragraph separators and runs of white space fold to one
/// space each; bidi controls and tag characters are dropped; the ends are trimmed.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        let space = c.is_whitespace() || c.is_control();
        if space {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
        } else if !hidden(c) {
            line.push(c);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// A character that could steer a terminal or end a line.
pub fn steers(c: char) -> bool {
    c.is_control() || hidden(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// A character that is invisible and changes how its neighbours are shown: bidi controls and tag characters.
fn hidden(c: char) -> bool {
    matches!(c,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_is_printed() {
        assert_eq!(printable("ice\u{1b}[2Jfloats\r"), "ice\\u{1b}[2Jfloats\\u{d}");
        assert_eq!(printable("\u{202e}abc\u{e0041}"), "\\u{202e}abc\\u{e0041}");
        assert_eq!(printable("Eis schwimmt — 冰"), "Eis schwimmt — 冰");
    }

    #[test]
    fn a_title_can_not_start_a_line() {
        assert_eq!(
            one_line(" Page A\n[7] https://evil.example\u{2028}x\u{0085}y "),
            "Page A [7] https://evil.example x y"
        );
    }
}
