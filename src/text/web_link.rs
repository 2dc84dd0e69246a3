//! Links that a page may hold: an address of the web, and one that opens it at some words by text fragment.
//! Anything that is not http or https is no link. Nothing is fetched here.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use super::printable::one_line;

/// Characters up to which words are named whole; of longer ones the beginning and the end are.
const WHOLE: usize = 200;
/// Words of a beginning and of an end.
const WORDS_AT_ENDS: usize = 6;
/// Bytes of encoded words in a link; browsers cut longer addresses.
const MAX_BYTES: usize = 3_000;

/// `url` as a browser reads it, in ASCII; `None` unless it is http or https.
pub fn web_link(url: &str) -> Option<String> {
    let parsed = Url::parse(url).ok()?;
    matches!(parsed.scheme(), "http" | "https").then(|| parsed.into())
}

/// A link that opens `url` where `words` stand. Context is not named: what stands around the words in a text
/// with markup is not what the browser sees, and then nothing would be found.
pub fn link_to_words(url: &str, words: &str) -> Option<String> {
    let mut link = web_link(url)?;
    if let Some(directive) = link.find(":~:") {
        link.truncate(directive);
    }
    let Some(fragment) = text_fragment(words) else { return Some(link) };
    if !link.contains('#') {
        link.push('#');
    }
    link.push_str(":~:text=");
    link.push_str(&fragment);
    Some(link)
}

/// The value of a text directive: `words`, or `first,last` for long ones; `None` where they are too long to name.
fn text_fragment(words: &str) -> Option<String> {
    let line = one_line(words);
    let fragment = match line.chars().count() {
        0 => return None,
        count if count <= WHOLE => encode(&line),
        _ => {
            let all: Vec<&str> = line.split(' ').collect();
            let last = all.len().checked_sub(WORDS_AT_ENDS).filter(|last| *last >= WORDS_AT_ENDS)?;
            format!("{},{}", encode(&all[..WORDS_AT_ENDS].join(" ")), encode(&all[last..].join(" ")))
        }
    };
    (fragment.len() <= MAX_BYTES).then_some(fragment)
}

/// Percent-encodes all but letters and digits: `-`, `,` and `&` have a meaning in a text directive.
fn encode(words: &str) -> String {
    utf8_percent_encode(words, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_encoded_so_that_none_is_syntax() {
        for (words, fragment) in [
            ("Ice floats", "Ice%20floats"),
            ("a-b, c & d", "a%2Db%2C%20c%20%26%20d"),
            ("10% \"cold\"\n#water", "10%25%20%22cold%22%20%23water"),
            ("冰", "%E5%86%B0"),
        ] {
            let expected = format!("https://a.example/ice#:~:text={fragment}");
            assert_eq!(link_to_words("https://a.example/ice", words), Some(expected));
        }
    }

    #[test]
    fn only_the_web_is_linked() {
        for url in [
            "javascript:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "/ice",
            "",
        ] {
            assert_eq!((web_link(url), link_to_words(url, "ice")), (None, None), "{url}");
        }
        assert_eq!(web_link(" HTTP://A.example/\"><b>").as_deref(), Some("http://a.example/%22%3E%3Cb%3E"));
    }

    #[test]
    fn a_route_keeps_its_fragment_and_an_old_directive_is_replaced() {
        let link = |url| link_to_words(url, "ice").unwrap();
        assert_eq!(link("https://a.example/#/docs"), "https://a.example/#/docs:~:text=ice");
        assert_eq!(link("https://a.example/#:~:text=steam&text=x"), "https://a.example/#:~:text=ice");
    }

    #[test]
    fn long_words_are_named_by_their_ends_and_endless_ones_not_at_all() {
        let long: Vec<String> = (0..100).map(|n| format!("w{n}")).collect();
        assert_eq!(
            link_to_words("https://a.example/", &long.join(" ")).unwrap(),
            "https://a.example/#:~:text=w0%20w1%20w2%20w3%20w4%20w5,w94%20w95%20w96%20w97%20w98%20w99"
        );
        assert_eq!(link_to_words("https://a.example/", &"x".repeat(5_000)).unwrap(), "https://a.example/");
        let wide = format!("{0} a b c d e f g h i j {0}", "x".repeat(5_000));
        assert_eq!(link_to_words("https://a.example/", &wide).unwrap(), "https://a.example/");
        assert_eq!(link_to_words("https://a.example/", " \n").unwrap(), "https://a.example/");
    }
}
