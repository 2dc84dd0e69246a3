//! Every URL that the ledger can hold survives being rendered into a draft and verified, in every style that a
//! draft takes; and another page under its number does not.

use cited::draft::rewrite::replace_blocks;
use cited::draft::{Draft, Options as Reading};
use cited::identity;
use cited::ledger::Ledger;
use cited::render::{STYLES, Style, selection};
use cited::verify::{self, Facts, Options, Scope};
use proptest::prelude::*;

/// Addresses that are found on the web and read badly: each holds what ends or bends a URL somewhere.
const HARD: &[&str] = &[
    "https://a.example/wiki/Ice_(film)",
    "https://a.example/wiki/Ice_((film))",
    "https://a.example/ice)",
    "https://a.example/(ice",
    "https://a.example/q?x={a}&y={b}",
    "https://a.example/{id}/ice",
    "https://a.example/q?x=%7Ba%7D{b}",
    "https://a.example/ice\\water",
    "https://a.example/q?x=a\\b",
    "https://a.example/it's",
    "https://a.example/ice'",
    "https://a.example/\"ice\"",
    "https://a.example/q?x=\"ice\"",
    "https://a.example/ice|water",
    "https://a.example/q?x=a|b",
    "https://a.example/`ice`",
    "https://a.example/<ice>",
    "https://a.example/q?x=<ice>",
    "https://a.example/<script>alert(1)</script>",
    "https://a.example/app#!/<ice>/x",
    "https://doi.org/10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
    "https://a.example/冰",
    "https://a.example/冰。水",
    "https://a.example/冰（水）",
    "https://冰.example/水",
    "https://a.example/100%",
    "https://a.example/100%25",
    "https://a.example/%E5%86%B0",
    "https://a.example/%2F%3f%23",
    "https://a.example/#!/ice/water",
    "https://a.example/app#/ice?x=1",
    "https://a.example/ice,water;steam",
    "https://a.example/ice.",
    "https://a.example/ice?",
    "https://a.example/ice...",
    "https://a.example/ice!",
    "https://a.example/*ice*",
    "https://a.example/_ice_",
    "https://a.example/~ice",
    "https://a.example/$ice$",
    "https://a.example/ice&amp;water",
    "https://a.example/q?a=1&lt=2&copy=3",
    "https://a.example/ice[9]",
    "https://a.example/[9]",
    "https://a.example/q?u=https://b.example/2",
    "https://a.example/,[9]https://b.example/2",
    "https://a.example/ice—water",
    "https://a.example/ice^2",
    "https://[2001:db8::1]/ice",
    "https://a.example:8080/ice",
    "file:///tmp/ice (1).txt",
    "urn:isbn:9780131101630",
    "doi:10.1000/(ice)1",
    "ftp://a.example/ice",
    "notes/ice.md",
    "notes/ice — water (1).md",
];

/// Titles: none, a plain one, and one that runs into its URL as badly as titles do.
const TITLES: [&str; 3] = ["", "Density of ice", "A title — of [2] `ice` (https://b.example/other) {x}"];

fn ledger(urls: &[&str], title: &str) -> Ledger {
    let mut ledger = Ledger::default();
    for url in urls {
        let located = identity::locate(url, &identity::Options::default());
        let local = || url.starts_with("notes/").then(|| identity::local(url));
        if let Some(locator) = located.ok().or_else(local) {
            ledger.add(&locator, url, title, "2026-01-31", None);
        }
    }
    ledger
}

/// The findings that name a page or a missing entry, after all sources of `ledger` were rendered into a draft.
fn complaints(style: &Style, ledger: &Ledger, against: &Ledger) -> Vec<String> {
    let cites: String = ledger.sources().iter().map(|source| format!("[{}]", source.id)).collect();
    let text = format!("Ice floats on liquid water.{cites}\n");
    let block = (style.write)(&selection::all(ledger));
    let written =
        replace_blocks(&Draft::parse(&text, &Reading::default(), ledger), &block.body, block.opening);
    let draft = Draft::parse(&written, &Reading::default(), against);
    let options = Options::default();
    let found =
        verify::check(&Facts::new(&draft, against, &options, &verify::Evidence::default(), Scope::Alone));
    let said =
        |rule: &str| !matches!(rule, "over-cited" | "citation-form" | "possible-duplicate" | "citation-dump");
    let lines = found.into_iter().filter(|finding| said(finding.rule));
    lines.map(|finding| format!("{}: {}: {}", style.name, finding.rule, finding.message)).collect()
}

fn in_draft() -> impl Iterator<Item = &'static Style> {
    STYLES.iter().filter(|style| style.in_draft)
}

#[test]
fn hard_urls_survive_every_style() {
    let mut wrong = Vec::new();
    for style in in_draft() {
        for title in TITLES {
            for url in HARD {
                let one = ledger(&[url], title);
                assert_eq!(one.sources().len(), 1, "{url}");
                wrong.extend(complaints(style, &one, &one));
            }
            let all = ledger(HARD, title);
            wrong.extend(complaints(style, &all, &all));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn another_page_under_the_number_is_found_in_every_style() {
    for style in in_draft() {
        for url in HARD {
            let other = ledger(&["https://elsewhere.example/1"], "");
            let found = complaints(style, &ledger(&[url], TITLES[1]), &other);
            let rules = [": url-mismatch: ", ": not-listed: ", ": no-sources-block: "];
            assert!(
                found.iter().any(|line| rules.iter().any(|rule| line.contains(rule))),
                "{}: {url}: {found:?}",
                style.name
            );
        }
    }
}

/// Addresses made of what is hard to read.
fn urls() -> impl Strategy<Value = String> {
    let pieces = vec![
        "ice",
        "water",
        "1",
        "/",
        "?",
        "&",
        "=",
        "#!",
        "#/",
        "{",
        "}",
        "\\",
        "(",
        ")",
        "[",
        "]",
        "[9]",
        "'",
        "\"",
        "|",
        "`",
        "<",
        ">",
        "%",
        "%20",
        "%7B",
        "冰",
        "。",
        "（",
        "—",
        "é",
        ".",
        ",",
        ";",
        ":",
        "!",
        "*",
        "_",
        "~",
        "$",
        "^",
        "@",
        "+",
        "-",
        "&amp;",
        "https://b.example/2",
        " — ",
        "[2](",
        "](",
        "\\]",
    ];
    let tail = prop::collection::vec(prop::sample::select(pieces), 0..8);
    (
        prop::sample::select(vec![
            "https://a.example/",
            "http://a.example/x?q=",
            "ftp://a.example/",
            "urn:x:",
        ]),
        tail,
    )
        .prop_map(|(start, tail)| format!("{start}{}", tail.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_url_survives_every_style(url in urls(), title in prop::sample::select(TITLES.to_vec())) {
        let one = ledger(&[&url], title);
        for style in in_draft() {
            let found = complaints(style, &one, &one);
            prop_assert!(one.sources().is_empty() || found.is_empty(), "{url} {title}: {found:?}");
        }
    }
}
