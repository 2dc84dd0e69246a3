//! What holds for every text, however odd: reading ends, spans fit, and time grows with length alone.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use cited::draft::rewrite::{Opening, apply_fixes, replace_blocks};
use cited::draft::{Draft, Options, Span};
use cited::identity::{Key, Register, SourceId, locate};
use proptest::prelude::*;

/// Three pages.
struct Known(Vec<Key>);

impl Known {
    fn new() -> Self {
        let urls = ["https://a.example/1", "https://b.example/2", "https://c.example/3"];
        Self(urls.iter().map(|url| locate(url, &Default::default()).unwrap().key).collect())
    }
}

impl Register for Known {
    fn key_of(&self, id: SourceId) -> Option<&Key> {
        self.0.get((id.0 as usize).checked_sub(1)?)
    }

    fn id_of(&self, url: &str) -> Option<SourceId> {
        let key = locate(url, &Default::default()).ok()?.key;
        self.0.iter().position(|known| *known == key).map(|at| SourceId(at as u32 + 1))
    }
}

fn parse(text: &str) -> Draft<'_> {
    let options = Options { headings: Vec::new(), markers: vec![("tool".into(), "[tool:NAME]".into())] };
    Draft::parse(text, &options, &Known::new())
}

/// Every span of the draft lies in the text, on character boundaries.
fn check(draft: &Draft<'_>) {
    let fits = |span: &Span| assert!(draft.text.get(span.clone()).is_some(), "{span:?} in {:?}", draft.text);
    let mut last = 0;
    for citation in &draft.citations {
        fits(&citation.span);
        assert!(citation.span.start >= last, "citations out of order in {:?}", draft.text);
        last = citation.span.start;
        if let Some(at) = citation.sentence {
            let holder = &draft.sentences[at].span;
            assert!(
                holder.start <= citation.span.start && citation.span.end <= holder.end + 1,
                "{:?}",
                draft.text
            );
        }
    }
    for (at, sentence) in draft.sentences.iter().enumerate() {
        fits(&sentence.span);
        assert!(sentence.citations.iter().all(|citation| draft.citations[*citation].sentence == Some(at)));
        assert!(sentence.markers.iter().all(|marker| draft.markers[*marker].sentence == Some(at)));
    }
    for block in &draft.blocks {
        fits(&block.span);
        for entry in &block.entries {
            fits(&entry.span);
            assert!(
                block.span.start <= entry.span.start && entry.span.end <= block.span.end,
                "{:?}",
                draft.text
            );
            entry.url.iter().for_each(|url| fits(&url.span));
            entry.quotes.iter().for_each(|(span, _)| fits(span));
        }
    }
    let spans = [&draft.foreign, &draft.years, &draft.escaped, &draft.unclosed_fences];
    spans.into_iter().flatten().for_each(fits);
    draft.markers.iter().for_each(|marker| fits(&marker.span));
    draft.allows.iter().for_each(|allow| {
        fits(&allow.span);
        fits(&allow.covers);
    });
}

/// Pieces that Markdown, citations and lists are made of.
fn soup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "[1]",
        "[2]",
        "[^1]",
        "[^1]:",
        "[1]:",
        "[9]",
        "[1, 2]",
        "[1-3]",
        "【1】",
        "［1］",
        "\\[1\\]",
        "[[1]]",
        "(https://a.example/1)",
        " https://a.example/1",
        " https://b.example/2.",
        "<https://c.example/3>",
        "Ice floats on water.",
        "冰会浮起来。",
        "`",
        "```",
        "~~~",
        "$",
        "\\(",
        "\\)",
        "\n",
        "\n\n",
        "\r\n",
        "  ",
        "    ",
        "> ",
        "- ",
        "1. ",
        "| ",
        "|---|",
        "---",
        "# ",
        "## Sources",
        "Sources:",
        "**",
        "*",
        "_",
        "~",
        "<!-- cited: allow x -->",
        "<div>",
        "</div>",
        "<!-- ",
        "-->",
        "<pre>",
        "<code>",
        "<a href=\"",
        "[unverified]",
        "[tool:x]",
        "\u{feff}",
        "@misc{source1,",
        "}",
        "\"",
        "“",
        "”",
        "(",
        ")",
        "Dr.",
        "é",
        "٣",
        "\u{e200}",
        "【4:0†source】",
        "[cite: 1]",
        "&amp;",
        "\\",
        "!",
        "[x](",
        "[",
        "]",
        "![",
        "<",
        ">",
        ":",
        "=",
        "x",
        "in",
        "7",
        "1",
        "\t",
        "<sup>",
        "</sup>",
        "<br>",
        "{#",
        "\u{202e}",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        check(&parse(&text));
    }

    #[test]
    fn any_markdown_is_read(text in soup()) {
        check(&parse(&text));
    }

    #[test]
    fn blocks_replaced_twice_are_blocks_replaced_once(text in soup()) {
        let body = "[1] https://a.example/1 — Page A\n[2] https://b.example/2\n";
        let draft = parse(&text);
        // Where definitions without a title stood, what follows them comes under the new heading and may read as a list.
        prop_assume!(draft.blocks.iter().all(|block| block.heading.is_some()));
        let once = replace_blocks(&draft, body, Opening::Heading);
        let twice = replace_blocks(&parse(&once), body, Opening::Heading);
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn fixes_that_do_not_fit_change_nothing(text in "\\PC{0,20}", start in 0usize..40, end in 0usize..40) {
        let fixed = apply_fixes(&text, &[(start..end, "x".to_owned())]);
        let fits = start <= end && text.get(start..end).is_some();
        prop_assert_eq!(fixed == text, !fits || &text[start..end] == "x");
    }
}

/// Texts that once failed one of the properties above, or come close to it.
const ONCE_FAILED: &[&str] = &[
    r"\[1\][1]Dr.",
    "```",
    "~~~",
    "<!--",
    "Ice.[1]\n\n<!-- to do",
    "<pre>",
    "- <!--\n",
    "> ```",
    "[^1]: urn:x:1",
];

#[test]
fn what_once_failed_holds() {
    let list = "[1] https://a.example/1 — Page A\n[2] https://b.example/2\n";
    let notes = "[^1]: https://a.example/1 — Page A\n[^2]: https://b.example/2\n";
    for text in ONCE_FAILED {
        let draft = parse(text);
        check(&draft);
        for (body, opening) in [(list, Opening::Heading), (list, Opening::Line), (notes, Opening::Nothing)] {
            let once = replace_blocks(&draft, body, opening);
            let rewritten = parse(&once);
            check(&rewritten);
            assert_eq!(rewritten.blocks.len(), 1, "{once:?}");
            assert_eq!(replace_blocks(&rewritten, body, opening), once, "{text:?}");
        }
    }
}

/// Reads `make(n)` and `make(4 n)`; time may grow eightfold, and a second is always fine.
fn grows_with_length_alone(name: &str, n: usize, make: impl Fn(usize) -> String) {
    let time = |n: usize| {
        let text = make(n);
        let start = Instant::now();
        check(&parse(&text));
        start.elapsed()
    };
    let (short, long) = (time(n), time(4 * n));
    assert!(long < Duration::from_secs(1) || long < short * 10, "{name}: {short:?}, then {long:?}");
}

#[test]
fn hostile_shapes_take_linear_time() {
    type Shape = (&'static str, usize, fn(usize) -> String);
    let shapes: &[Shape] = &[
        ("brackets", 12_000, |n| "[".repeat(n) + &"]".repeat(n)),
        ("citations", 12_000, |n| "[1]".repeat(n)),
        ("stops and citations", 8_000, |n| ".[1]".repeat(n)),
        ("stops", 30_000, |n| ". ".repeat(n)),
        ("one dotted word", 30_000, |n| "a.".repeat(n)),
        ("back-ticks", 12_500, |n| "`".repeat(n) + " a " + &"`".repeat(n - 1)),
        ("one line", 250_000, |n| "ice ".repeat(n / 4)),
        ("one word", 250_000, |n| "i".repeat(n)),
        ("list items", 10_000, |n| "- ice floats on water[1]\n".repeat(n)),
        ("quote marks", 2_000, |n| "> ".repeat(n) + "ice\nfloats"),
        ("dollars", 12_000, |n| "$1 ".repeat(n)),
        ("double dollars", 8_000, |n| "$$ a $ ".repeat(n)),
        ("escapes", 8_000, |n| "\\( \\[ ".repeat(n)),
        ("quotes", 12_000, |n| "“ice. ".repeat(n)),
        ("open brackets and stops", 12_000, |n| "(ice. ".repeat(n)),
        ("URLs in a row", 3_000, |n| "https://a.example/1[1][2]".repeat(n)),
        ("titles", 10_000, |n| "Sources:\n".repeat(n)),
        ("titles apart", 10_000, |n| "Sources:\n\n---\n\n".repeat(n)),
        ("entries", 4_000, |n| String::from("## Sources\n\n") + &"[1] https://a.example/1\n".repeat(n)),
        ("entries on a line", 3_000, |n| {
            String::from("## Sources\n\n") + &"[1] https://a.example/1 ".repeat(n)
        }),
        ("an entry of many lines", 8_000, |n| {
            String::from("## Sources\n\n[1] https://a.example/1\n") + &"  more\n".repeat(n)
        }),
        ("a long URL", 60_000, |n| {
            String::from("## Sources\n\n[1] https://a.example/") + &"(a.".repeat(n / 3)
        }),
        ("footnotes", 3_000, |n| "[^1]: https://a.example/1\n".repeat(n)),
        ("definitions", 3_000, |n| (0..n).map(|i| format!("[{i}]: https://a.example/{i}\n")).collect()),
        ("records", 3_000, |n| "@misc{source1,\n".repeat(n)),
        ("open fences", 4_000, |n| "``` x\n".repeat(n)),
        ("comments", 4_000, |n| "<!-- cited: allow x -->\n\n".repeat(n)),
        ("blocks of HTML before blank lines", 8_000, |n| "<div>\n\n".repeat(n) + &"\n".repeat(20 * n)),
        ("tags", 12_000, |n| "<div ".repeat(n)),
        ("tags in a block", 8_000, |n| String::from("<div>\n") + &"<a \"".repeat(n)),
        ("code tags", 8_000, |n| String::from("<div>\n") + &"<code></".repeat(n)),
    ];
    for (name, n, make) in shapes {
        grows_with_length_alone(name, n / 3, make);
    }
}
