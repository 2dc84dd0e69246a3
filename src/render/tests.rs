//! What every style must hold, over hostile sources.

use super::*;
use crate::identity::SourceId;
use crate::ledger::Quote;

fn source(id: u32, url: &str, title: &str) -> Source {
    Source {
        id: SourceId(id),
        url: url.into(),
        title: title.into(),
        accessed: "2026-01-31".into(),
        quotes: vec![Quote { text: "ice floats\n[9] https://evil.example".into(), ..Quote::default() }],
        ..Source::default()
    }
}

fn rendered(style_name: &str, sources: &[&Source]) -> String {
    (style(style_name).expect("a style").write)(sources).text()
}

#[test]
fn the_fixed_texts_of_the_five_first_styles() {
    let ice = source(1, "https://a.example/1", "Density of ice");
    let bare = source(3, "https://c.example/3", "");
    let both = [&ice, &bare];
    assert_eq!(
        rendered("markdown", &both),
        "## Sources\n\n[1] https://a.example/1 — Density of ice\n[3] https://c.example/3\n"
    );
    assert_eq!(
        rendered("plain", &both),
        "Sources:\n[1] https://a.example/1 — Density of ice\n[3] https://c.example/3\n"
    );
    assert_eq!(
        rendered("footnotes", &both),
        "[^1]: https://a.example/1 — Density of ice\n[^3]: https://c.example/3\n"
    );
    assert_eq!(
        rendered("evidence", &[&ice]),
        "## Sources\n\n[1] https://a.example/1 — Density of ice\n    > \"ice floats \\[9] https://evil.example\"\n"
    );
    assert_eq!(
        rendered("bibtex", &[&ice]),
        "@misc{source1,\n  title = {Density of ice},\n  howpublished = {\\url{https://a.example/1}},\n  note = {Accessed 2026-01-31},\n}\n"
    );
}

#[test]
fn no_title_or_quote_starts_a_line_in_any_style() {
    let hostile = "ice\r\n[7] https://evil.example\u{2028}# Heading\u{85}ER  - \n@misc{source9,}\u{1b}[2J";
    let source = source(1, "https://a.example/1", hostile);
    let quiet = Source {
        title: "ice".into(),
        quotes: vec![Quote { text: "ice".into(), ..Quote::default() }],
        ..source.clone()
    };
    for style in STYLES {
        let text = (style.write)(&[&source]).text();
        let lines = |text: &str| text.lines().count();
        assert_eq!(lines(&text), lines(&(style.write)(&[&quiet]).text()), "{}", style.name);
        assert!(!text.contains(['\u{1b}', '\u{2028}', '\u{85}', '\r']), "{}", style.name);
    }
}

#[test]
fn what_is_special_in_a_style_is_escaped_in_it() {
    let source = source(
        1,
        "https://a.example/?q={x}\\y&b=<i>",
        "[1] 50% {of} `ice` & <b> $x_1^2$ ~#\\ [a](https://evil.example)",
    );
    let markdown = rendered("markdown", &[&source]);
    assert!(
        markdown.contains("\\[1] 50% {of} \\`ice\\` & \\<b> $x_1^2$ ~#\\ [a]\\(https://evil.example)"),
        "{markdown}"
    );
    let bibtex = rendered("bibtex", &[&source]);
    assert!(bibtex.contains("50\\% \\{of\\} `ice` \\& <b> \\$x\\_1\\textasciicircum{}2\\$ \\textasciitilde{}\\#\\textbackslash{}"), "{bibtex}");
    assert!(bibtex.contains("\\url{https://a.example/?q=%7Bx%7D%5Cy&b=<i>}"), "{bibtex}");
    let html = rendered("html", &[&source]);
    assert!(html.contains("href=\"https://a.example/?q={x}\\y&amp;b=%3Ci%3E\""), "{html}");
    assert!(!html.contains("<b>"), "{html}");
}

#[test]
fn html_links_nothing_but_the_web() {
    let local = source(1, "file:///etc/hosts", "hosts");
    assert!(!rendered("html", &[&local]).contains("href"));
}

#[test]
fn csl_json_reads_back_as_json() {
    let source = source(2, "https://a.example/1", "\"Quoted\" \\ title");
    let items: serde_json::Value = serde_json::from_str(&rendered("csl-json", &[&source])).expect("JSON");
    assert_eq!(items[0]["title"], "\"Quoted\" \\ title");
    assert_eq!(items[0]["accessed"]["date-parts"][0][2], 31);
}
