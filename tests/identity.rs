//! Which page is it? Tables in `fixtures/identity`, and what must hold for every text.

// Helpers fail a test like the test itself.

use std::time::{Duration, Instant};

use cited::identity::{Locator, Options, family, locate, script_key};
use proptest::prelude::*;

/// The rows of a table, without its comment lines, escapes undone.
fn rows(table: &str) -> Vec<Vec<String>> {
    let lines = table.lines().filter(|line| !line.starts_with("# "));
    lines.map(|line| line.split('\t').map(unescaped).collect()).collect()
}

fn unescaped(cell: &str) -> String {
    let mut text = String::new();
    let mut rest = cell;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        rest = &escape[1..];
        match escape.as_bytes()[0] {
            b'n' => text.push('\n'),
            b'r' => text.push('\r'),
            b't' => text.push('\t'),
            b'\\' => text.push('\\'),
            b'u' => {
                let (digits, after) = rest[1..].split_once('}').unwrap();
                text.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap());
                rest = after;
            }
            other => panic!("no escape: {}", other as char),
        }
    }
    text + rest
}

fn understood(given: &str) -> Option<Locator> {
    locate(given, &Options::default()).ok()
}

#[test]
fn every_locator_is_printed_and_keyed_as_the_table_says() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("../fixtures/identity/locators.tsv")) {
        let [given, url, key] = &row[..] else { panic!("{row:?}") };
        let url = if url == "=" { given } else { url };
        let key = if key == "=" { url } else { key };
        match locate(given, &Options::default()) {
            Ok(found) if found.url == *url && found.key.as_str() == key => {}
            other => wrong.push(format!("{given:?}: {other:?}\n  not {url} {key}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_names_no_page_is_refused_with_a_way_out() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("../fixtures/identity/refused.tsv")) {
        let [given, help] = &row[..] else { panic!("{row:?}") };
        let Err(refusal) = locate(given, &Options::default()) else {
            wrong.push(format!("{given:?} was accepted"));
            continue;
        };
        let as_told = match (help.as_str(), refusal.help.as_deref()) {
            (_, None) => false,
            (help, Some(found)) => match help.strip_prefix('=') {
                Some(exactly) => found == exactly,
                None => found.starts_with(help),
            },
        };
        if !as_told || refusal.found.contains(char::is_control) {
            wrong.push(format!("{given:?}: {refusal:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn look_alikes_share_a_family_and_no_key() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("../fixtures/identity/families.tsv")) {
        let [kind, one, other] = &row[..] else { panic!("{row:?}") };
        let (a, b) = (understood(one).unwrap(), understood(other).unwrap());
        assert_ne!(a.key, b.key, "{one} and {other} are one page");
        if (family(&a.url) == family(&b.url)) != (kind == "alike") {
            wrong.push(format!("{kind}: {} and {}", family(&a.url), family(&b.url)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tracking_names_stay_when_that_is_switched_off() {
    let kept = locate("https://a.example/1?utm_source=x", &Options { strip_tracking: false }).unwrap();
    assert_eq!(kept.url, "https://a.example/1?utm_source=x");
    assert_eq!(kept.key.as_str(), kept.url);
}

#[test]
fn a_very_long_text_takes_no_longer_than_its_length() {
    let units = [
        "/",
        "%",
        "%7e",
        "é",
        "&utm_source=x",
        "a.",
        "<",
        "@",
        " ",
        "\u{202e}",
        "10.1000/",
        "/10.1",
        "冰.",
        "../",
        "#",
        "?",
        ":",
    ];
    for unit in units {
        let long = unit.repeat(250_000 / unit.len());
        for given in
            [format!("https://a.example/{long}"), format!("https://{long}"), format!("mem:{long}"), long]
        {
            let start = Instant::now();
            if let Some(locator) = understood(&given) {
                assert!(!locator.url.contains(char::is_whitespace));
                family(&locator.url);
            }
            assert!(start.elapsed() < Duration::from_secs(3), "{unit:?} took {:?}", start.elapsed());
        }
    }
}

/// Texts near a URL: pieces that matter, in any order.
fn near_url() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/",
        "//",
        "a",
        "B",
        ".",
        "..",
        "%7e",
        "%2F",
        "%2f",
        "%",
        "%25",
        "?",
        "&",
        "=",
        "#",
        "#/",
        "#!",
        ":",
        "@",
        ";",
        "é",
        "冰",
        " ",
        "\n",
        "\t",
        "\u{202e}",
        "\\",
        "utm_source=x",
        "utm%5Fid",
        "q=1",
        "[",
        "]",
        "<",
        ">",
        "'",
        "\"",
        "{",
        "+",
        "|",
        "^",
        "`",
    ]);
    let start = prop::sample::select(vec![
        "https://a.example",
        "HTTP://A.example:80",
        "https://müller.example/",
        "https://u:p@a.example/",
        "http://[::1]",
        "file:///",
        "mem:",
        "s3://b/",
        "doi:10.1000/",
        "10.1000/",
        "https://dx.doi.org/10.1000/",
        "<https://a.example/",
        "https://",
        "",
    ]);
    (start, prop::collection::vec(piece, 0..12))
        .prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_understood_as_the_same_page(given in near_url()) {
        if let Some(first) = understood(&given) {
            let again = understood(&first.url).expect("a printed URL is a URL");
            prop_assert_eq!(&again.url, &first.url);
            prop_assert_eq!(&again.key, &first.key);
        }
    }

    #[test]
    fn no_locator_can_break_a_line_or_hide(given in prop_oneof![near_url(), any::<String>()]) {
        if let Some(found) = understood(&given) {
            let breaks = |c: char| c.is_whitespace() || c.is_control() || c == '\u{202e}';
            prop_assert!(!found.url.contains(breaks) && !found.key.as_str().contains(breaks));
        }
    }

    #[test]
    fn pages_that_the_script_takes_for_one_are_one(given in near_url(), slashes in 0usize..3, fragment in "[a-z]{0,3}") {
        let other = format!("{}{}#{fragment}", script_key(&given), "/".repeat(slashes));
        if let (Some(a), Some(b)) = (understood(&given), understood(&other)) {
            let web = given.to_lowercase().starts_with("http");
            let excepted = given.contains(['?', '#', '>', '\u{202e}']) || given.ends_with(char::is_whitespace);
            prop_assert!(!web || excepted || a.key == b.key, "{} {}", a.key.as_str(), b.key.as_str());
        }
    }

    #[test]
    fn different_queries_are_different_pages(a in "[a-z0-9=&/+]{1,12}", b in "[a-z0-9=&/+]{1,12}") {
        let key = |query: &str| understood(&format!("https://a.example/p?{query}")).unwrap().key;
        prop_assert_eq!(a == b, key(&a) == key(&b));
    }
}
