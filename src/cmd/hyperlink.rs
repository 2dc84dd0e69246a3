//! Text that a terminal opens as a page (OSC 8). The address is from the web: only http and https, and no byte
//! that could end the sequence or steer the terminal.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// What no address holds as it stands; all that is not ASCII comes on top.
const UNSEEN: &AsciiSet = &CONTROLS.add(b' ');

/// `text` as a link to `url`; plain where `url` is no web page.
pub fn hyperlink(url: &str, text: &str) -> String {
    match address(url) {
        Some(address) => format!("\u{1b}]8;;{address}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\"),
        None => text.to_owned(),
    }
}

/// The address with every byte outside `!`..`~` percent-encoded.
fn address(url: &str) -> Option<String> {
    let (scheme, _) = url.split_once("://")?;
    if !["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web)) {
        return None;
    }
    Some(utf8_percent_encode(url, UNSEEN).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_page_becomes_a_link() {
        assert_eq!(
            hyperlink("https://a.example/1", "ice"),
            "\u{1b}]8;;https://a.example/1\u{1b}\\ice\u{1b}]8;;\u{1b}\\"
        );
        assert_eq!(address("HTTP://a.example").as_deref(), Some("HTTP://a.example"));
    }

    #[test]
    fn no_byte_of_an_address_ends_the_sequence() {
        assert_eq!(
            address("https://a.example/\u{1b}\\x\u{7}冰 ").as_deref(),
            Some("https://a.example/%1B\\x%07%E5%86%B0%20")
        );
    }

    #[test]
    fn what_is_no_web_page_stays_text() {
        for url in ["file:///etc/passwd", "javascript:alert(1)", "mem://x", "page.txt", "https:a"] {
            assert_eq!(hyperlink(url, "ice"), "ice", "{url}");
        }
    }
}
