//! What every page must hold: its markup is its own, its links lead somewhere, and it loses nothing of a draft.

use std::collections::BTreeSet;

use html5gum::{Token, Tokenizer};
use proptest::prelude::*;

use super::super::provenance::{Provenance, cited_sources};
use super::*;
use crate::diagnostic::Place;
use crate::draft::{Draft, Options};
use crate::identity;
use crate::ledger::{Anchor, Ledger, Quote};
use crate::text::lines::LineIndex;

/// Tags that a page is made of.
const TAGS: &str = "html head meta title style body header h1 h2 h3 h4 h5 h6 ul ol li a span main article section svg rect \
    div p pre code samp em strong del ins blockquote q figure figcaption table thead tbody tr th td br hr footer";
/// Attributes that they carry.
const ATTRIBUTES: &str = "lang charset http-equiv content name class id href rel target dir start aria-label \
    aria-labelledby aria-hidden viewbox preserveaspectratio x y width height";

fn ledger() -> Ledger {
    let mut ledger = Ledger::default();
    for number in 1..=3 {
        let url = format!("https://a.example/{number}");
        let locator = identity::locate(&url, &identity::Options::default()).unwrap();
        ledger.add(&locator, &url, "<b>Ice</b>", "2026-01-31", None);
    }
    let anchor = Anchor {
        sha256: String::new(),
        start: 0,
        end: 10,
        prefix: "on ".into(),
        suffix: " now".into(),
        rules: Vec::new(),
        reader: "text".into(),
        kept: true,
    };
    let quote = Quote { text: "ice floats".into(), anchor: Some(anchor), ..Quote::default() };
    ledger.attach_quote(identity::SourceId(1), quote).unwrap();
    ledger
}

/// A report on `text` as the command makes it, with every rule at work.
fn report(text: &str) -> Report {
    let ledger = ledger();
    let drafts = [Some(Draft::parse(text, &Options::default(), &ledger))];
    let (checked, _) =
        verify::check_all(&drafts, &ledger, &verify::Options::default(), &verify::Evidence::default());
    let sources = cited_sources(&drafts, &ledger, None);
    let provenance = Provenance::of(drafts[0].as_ref().unwrap(), &sources);
    let checked = checked.into_iter().next().unwrap().unwrap();
    let (stats, findings) = (checked.stats, checked.findings);
    let judged = Judged { text: text.into(), stats, findings, provenance, accepted: 0 };
    let draft = DraftReport { path: "d.md".into(), outcome: Outcome::Judged(judged) };
    Report { drafts: vec![draft], sources, ..Report::default() }
}

fn body(report: &Report) -> String {
    let Outcome::Judged(judged) = &report.drafts[0].outcome else { panic!("not judged") };
    draft::body(&Shown::new(1, &report.drafts[0], judged, report))
}

/// The text of a page, its ids and its links, after a look at every tag.
fn read(page: &str) -> (String, Vec<String>, Vec<String>) {
    let allowed: BTreeSet<&str> = TAGS.split_whitespace().collect();
    let attributes: BTreeSet<&str> = ATTRIBUTES.split_whitespace().collect();
    let (mut text, mut ids, mut links) = (String::new(), Vec::new(), Vec::new());
    for token in Tokenizer::new(page) {
        match token.unwrap() {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                assert!(allowed.contains(name.as_str()), "<{name}> in {page}");
                for (key, value) in &tag.attributes {
                    let key = String::from_utf8_lossy(key).into_owned();
                    let value = String::from_utf8_lossy(value).into_owned();
                    assert!(attributes.contains(key.as_str()), "{key} in {page}");
                    match key.as_str() {
                        "id" => ids.push(value),
                        "href" => links.push(value),
                        _ => {}
                    }
                }
            }
            Token::String(shown) => text.push_str(&String::from_utf8_lossy(&shown)),
            _ => {}
        }
    }
    (text, ids, links)
}

/// Every id stands once, and every link leads to one of them or to the web.
fn assert_sound(page: &str) {
    let (_, ids, links) = read(page);
    let known: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    assert_eq!(known.len(), ids.len(), "an id twice in {page}");
    for link in &links {
        let inner = link.strip_prefix('#').is_some_and(|id| id == "none" || known.contains(id));
        assert!(inner || link.starts_with("https://") || link.starts_with("http://"), "{link} in {page}");
    }
}

#[test]
fn a_citation_opens_its_source_wherever_it_stands() {
    for text in [
        "Ice floats on water.[1]",
        "Ice floats on water【1】 and stays there.",
        "Ice *floats on water.[1]*",
        "# Ice floats on water [1]",
        "| a | b |\n|---|---|\n| Ice floats on water.[1] | c |",
        "- Ice floats on water.[1]",
        "Ice floats on water.[[1]](https://a.example/1) Then more.",
        "Ice floats on water.[1](https://a.example/1)",
        "Ice floats on water.\\[1\\]",
        "Ice floats on water.[^1]\n\n[^1]: https://a.example/1",
        "<p>Ice floats on water.[1]</p>",
        "---\ntitle: Ice\n---\nIce floats on water.[1]",
        "\u{feff}Ice floats on water.[1]",
    ] {
        let report = report(text);
        assert!(body(&report).contains("href=\"#s1\">[1]</a>"), "{text}: {}", body(&report));
        assert_sound(&page(&report).into_string());
    }
}

#[test]
fn a_sentence_has_the_look_of_its_origin_and_a_finding_outweighs_it() {
    let report = report(
        "Ice floats on water.[1] Salt melts the ice.[2] Nobody says where this is from. \
         This is from nowhere.[9]\n\n## Sources\n\n[1] https://a.example/1\n[2] https://a.example/2\n",
    );
    let body = body(&report);
    for part in [
        "<span class=\"evidence\">Ice floats on water.</span>",
        "<span class=\"cited\">Salt melts the ice.</span>",
        "<span class=\"nowhere\">Nobody says where this is from.</span>",
        "<span class=\"troubled\">This is from nowhere.</span>",
        "<span class=\"cite unknown\">[9]</span>",
    ] {
        assert!(body.contains(part), "{part} in {body}");
    }
}

#[test]
fn a_draft_has_its_headings_lists_and_links_but_not_its_html() {
    let body = body(&report(
        "\u{feff}# Ice\n\n1. **cold** `water`\n\n[web](https://b.example/) [no](javascript:alert) \
         <b onclick=\"x\">raw</b> ![alt](https://b.example/p.png)\n\n<script>alert(1)</script>\n",
    ));
    for part in [
        "<h2 dir=\"auto\">Ice</h2>",
        "<ol start=\"1\">",
        "<strong>cold</strong> <code>water</code>",
        "href=\"https://b.example/\"",
        "&lt;b onclick=&quot;x&quot;&gt;",
        "<samp>picture:</samp> alt",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ] {
        assert!(body.contains(part), "{part} in {body}");
    }
    assert!(!body.contains("javascript") && !body.contains("<img"), "{body}");
}

#[test]
fn a_finding_whose_place_is_not_shown_still_has_its_mark() {
    let text = "Ice floats on water.\n\n[label]: https://a.example/ice\n";
    let mut report = report(text);
    let Outcome::Judged(judged) = &mut report.drafts[0].outcome else { panic!("not judged") };
    let start = text.find("[label]").unwrap();
    let (line, column) = LineIndex::new(text).place(text, start);
    let place = Some(Place { span: start..start + 7, line, column });
    judged.findings = vec![Diagnostic {
        rule: "unknown-id",
        severity: Severity::Error,
        message: "here".into(),
        place,
        help: None,
        fix: None,
    }];
    assert!(body(&report).contains("id=\"d1-m1\""));
    assert_sound(&page(&report).into_string());
}

#[test]
fn the_style_sheet_is_admitted_by_its_hash() {
    assert_eq!(base64(b"Ice floats"), "SWNlIGZsb2F0cw==");
    assert_eq!((base64(b"Ice"), base64(b"Ice!!").as_str()), ("SWNl".into(), "SWNlISE="));
    let page = page(&report("Ice.")).into_string();
    let hash = base64(&Sha256::digest(STYLE));
    assert!(
        page.contains(&format!("style-src &#39;sha256-{hash}&#39;"))
            || page.contains(&format!("style-src 'sha256-{hash}'"))
    );
    assert!(page.contains(&format!("<style>{STYLE}</style>")));
    assert!(!page.contains(" style="), "inline styles would be refused");
}

#[test]
fn deep_nesting_is_a_page_too() {
    for text in [">".repeat(20_000), "- ".repeat(5_000), "*".repeat(20_000), "[".repeat(20_000)] {
        assert!(!body(&report(&format!("{text} ice floats.[1]"))).is_empty());
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Ice floats on water.",
        " Salt melts ice. ",
        "[1]",
        "[2][9]",
        "【3】",
        "[1, 2]",
        "[1-3]",
        "[unverified]",
        "\n",
        "\n\n",
        "# ",
        "- ",
        "> ",
        "| a | b |\n|---|---|\n",
        "```\n",
        "**",
        "*",
        "`",
        "[x](",
        "https://b.example/ice)",
        "javascript:alert(1))",
        "<script>",
        "</p>",
        "<b onclick=\"x\">",
        "-->",
        "<!--",
        "&amp;",
        "&lt;",
        "\"",
        "'",
        "\u{202e}",
        "\u{1b}[2J",
        "冰浮在水上。",
        "[^1]",
        "[^1]: https://a.example/1",
        "![",
        "\\[1\\]",
        "~~",
        "\r\n",
        "\t",
        "---\n",
        "## Sources\n\n[1] https://a.example/1 — Ice\n",
        "<style>",
        "]]>",
        "\u{feff}",
        "$x$",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_draft_brings_markup_ids_or_links_of_its_own(text in pieces()) {
        let page = page(&report(&text)).into_string();
        assert_sound(&page);
    }

    #[test]
    fn a_page_shows_every_sentence_of_its_draft(text in pieces()) {
        let report = report(&text);
        let Outcome::Judged(judged) = &report.drafts[0].outcome else { panic!("not judged") };
        let shown = read(&body(&report)).0;
        let count = |text: &str, words: &str| text.matches(words).count();
        let sentences = || judged.provenance.sentences.iter().filter_map(|(span, _)| text.get(span.clone()));
        for words in ["Ice floats on water", "Salt melts ice"] {
            let stated: usize = sentences().map(|sentence| count(sentence, words)).sum();
            prop_assert!(count(&shown, words) >= stated, "{words}: {shown}");
        }
    }
}
