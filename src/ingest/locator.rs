//! Locators for what has no web address: a chunk of memory is `mem://<kind>/<store or ->/<native id>`, or
//! `mem://<kind>/-/sha256-<hash of its content>` where its store gave it no id. Every part is percent-encoded.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};

/// A title made of a chunk's first words has at most this many characters.
const TITLE_CHARS: usize = 80;

/// The locator of a memory chunk. `kind` is the memory it came from (`session`, `hindsight`, …).
pub fn memory(kind: &str, store: Option<&str>, native_id: Option<&str>, content: &str) -> String {
    let kind = encoded(Some(kind).filter(|kind| !kind.trim().is_empty()).unwrap_or("memory"));
    match native_id.filter(|id| !id.trim().is_empty()) {
        Some(id) => {
            let store = store.filter(|store| !store.trim().is_empty()).map_or("-".into(), encoded);
            format!("mem://{kind}/{store}/{}", encoded(id))
        }
        None => format!("mem://{kind}/-/sha256-{}", sha256(content)),
    }
}

/// What is no unreserved character of a URI.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Everything but unreserved characters as `%XX`; a part that is only dots too, so that no reader folds it away.
fn encoded(part: &str) -> String {
    let dots = part.bytes().all(|b| b == b'.');
    utf8_percent_encode(part, if dots { NON_ALPHANUMERIC } else { RESERVED }).to_string()
}

/// SHA-256 of `content` in lower-case hex.
fn sha256(content: &str) -> String {
    Sha256::digest(content.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first words of `content`, as a title.
pub fn first_words(content: &str) -> String {
    let mut title = String::new();
    for word in content.split_whitespace() {
        let more = usize::from(!title.is_empty()) + word.chars().take(TITLE_CHARS + 1).count();
        if title.chars().count() + more > TITLE_CHARS {
            if title.is_empty() {
                title.extend(word.chars().take(TITLE_CHARS - 1));
            }
            title.push('…');
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_encoded_so_that_parts_stay_parts() {
        assert_eq!(memory("session", None, Some("s_1#42"), "x"), "mem://session/-/s_1%2342");
        assert_eq!(memory("ob1", Some("a/b"), Some("é"), "x"), "mem://ob1/a%2Fb/%C3%A9");
        assert_eq!(memory("x", Some(".."), Some("../../y"), "x"), "mem://x/%2E%2E/..%2F..%2Fy");
    }

    #[test]
    fn a_chunk_without_an_id_is_known_by_its_content() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(memory("context", Some("s"), None, ""), format!("mem://context/-/sha256-{empty}"));
        assert_eq!(memory("", None, Some(" "), ""), format!("mem://memory/-/sha256-{empty}"));
    }

    #[test]
    fn a_title_is_made_of_first_words() {
        assert_eq!(first_words("# Ice\n\nfloats on  water."), "# Ice floats on water.");
        assert_eq!(first_words(&"word ".repeat(40)).chars().count(), 80);
        assert_eq!(first_words(&"x".repeat(500)).chars().count(), 80);
        assert_eq!(first_words(" \n"), "");
    }
}
