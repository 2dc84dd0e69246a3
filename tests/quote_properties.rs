//! What must hold for every page and quote: a changed figure, word, sign or unit is refused; the same words in
//! other typography are found where they stand; no bytes make the search fail.

use std::ops::Range;

use cited::evidence::{Page, Reader, Verdict};
use proptest::prelude::*;

/// Words of a page, every one different from the others, with figures among them.
fn words() -> impl Strategy<Value = Vec<String>> {
    let stem = prop::sample::select(vec![
        "ice", "water", "floats", "Salt", "river", "cold", "boils", "dense", "Sea", "melts",
    ]);
    let word = (stem, 0..3_u8, 1..9_999_u32, prop::sample::select(vec!["mg", "km", "kW", "%"]));
    prop::collection::vec(word, 8..30).prop_map(|parts| {
        let letters = |n: usize| [n / 25, n / 5 % 5, n % 5].map(|n| ["a", "e", "i", "o", "u"][n]).concat();
        let named = |(at, (stem, kind, figure, unit)): (usize, (&str, u8, u32, &str))| match kind {
            0 => vec![figure.to_string(), unit.to_string(), format!("per{}", letters(at))],
            _ => vec![format!("{stem}{}", letters(at))],
        };
        parts.into_iter().enumerate().flat_map(named).collect()
    })
}

/// A stretch of at least four words that begins and ends with a word.
fn stretch(words: &[String], from: usize, len: usize) -> Option<Range<usize>> {
    let is_word = |at: &usize| words[*at].chars().all(char::is_alphabetic) && words[*at].len() > 2;
    let start = (from % words.len()..words.len()).find(is_word)?;
    let end = (start + 4 + len % 8..words.len()).find(is_word)?;
    Some(start..end + 1)
}

fn found(page: &str, quote: &str) -> Option<Range<usize>> {
    let page = Page::read(page.as_bytes().to_vec(), Some(Reader::Text)).unwrap();
    page.find(quote).found().map(|found| found.span.clone())
}

/// A change of one word that changes what is said.
fn changed(word: &str, how: usize) -> String {
    let figure = word.chars().all(|c| c.is_ascii_digit());
    match how % 4 {
        _ if word == "%" => "‰".into(),
        0 if figure => format!("-{word}"),
        1 if figure => format!("~{word}"),
        2 if figure => format!("{word}0"),
        _ if figure => word.chars().map(|c| if c == '9' { '0' } else { (c as u8 + 1) as char }).collect(),
        _ if matches!(word, "mg" | "km" | "kW") => {
            if word == "mg" {
                "kg".into()
            } else {
                "mg".into()
            }
        }
        0 => format!("not {word}"),
        1 => format!("un{word}"),
        2 => String::new(),
        _ => format!("{word}s"),
    }
}

/// The same word as another program would type it.
fn retyped(word: &str, how: usize, after_figure: bool) -> String {
    match how % 6 {
        0 if !after_figure => word.to_uppercase(),
        1 => word
            .chars()
            .map(|c| if c.is_ascii() { char::from_u32(c as u32 + 0xfee0).unwrap() } else { c })
            .collect(),
        2 => word.replace("fl", "ﬂ"),
        3 if word.len() > 3 => format!("{}\u{ad}{}", &word[..2], &word[2..]),
        4 if word.len() > 3 => format!("{}\u{200b}{}", &word[..2], &word[2..]),
        _ => word.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_words_of_the_page_are_found_where_they_stand(words in words(), from in 0..50_usize, len in 0..20_usize) {
        let Some(stretch) = stretch(&words, from, len) else { return Ok(()) };
        let page = words.join(" ");
        let quote = words[stretch.clone()].join(" ");
        let start = words[..stretch.start].iter().map(|word| word.len() + 1).sum::<usize>();
        prop_assert_eq!(found(&page, &quote), Some(start..start + quote.len()));
    }

    #[test]
    fn one_changed_word_is_refused(words in words(), from in 0..50_usize, len in 0..20_usize, at in 0..20_usize, how in 0..4_usize) {
        let Some(stretch) = stretch(&words, from, len) else { return Ok(()) };
        let mut quoted = words[stretch].to_vec();
        let index = 1 + at % (quoted.len() - 2);
        quoted[index] = changed(&quoted[index], how);
        let quote = quoted.join(" ").replace("  ", " ");
        prop_assert_eq!(found(&words.join(" "), &quote), None, "{}", quote);
    }

    #[test]
    fn other_typography_is_the_same_words(
        words in words(), from in 0..50_usize, len in 0..20_usize,
        how in prop::collection::vec(0..6_usize, 200), gaps in prop::collection::vec(0..5_usize, 200),
    ) {
        let Some(stretch) = stretch(&words, from, len) else { return Ok(()) };
        let mut page = String::new();
        let mut span = 0..0;
        for (at, word) in words.iter().enumerate() {
            let after_figure = at > 0 && words[at - 1].ends_with(|c: char| c.is_ascii_digit());
            if at == stretch.start {
                span.start = page.len();
            }
            page.push_str(&retyped(word, how[at % 200], after_figure));
            if at + 1 == stretch.end {
                span.end = page.len();
            }
            page.push_str([" ", "\u{a0}", "  ", "\n", "\u{2009}"][gaps[at % 200]]);
        }
        let quote = words[stretch].join(" ");
        prop_assert_eq!(found(&page, &quote), Some(span), "{} in {}", quote, page);
    }

    #[test]
    fn no_bytes_make_the_search_fail(bytes in prop::collection::vec(any::<u8>(), 0..400), quote in any::<String>()) {
        for reader in [None, Some(Reader::Text), Some(Reader::Markdown), Some(Reader::Html)] {
            if let Ok(page) = Page::read(bytes.clone(), reader) {
                check(&page, &quote)?;
            }
        }
    }

    #[test]
    fn no_markup_makes_the_search_fail(parts in prop::collection::vec(piece(), 0..60), from in 0..200_usize, len in 0..80_usize) {
        let source = parts.concat();
        for reader in [Reader::Text, Reader::Markdown, Reader::Html] {
            if let Ok(page) = Page::read(source.clone().into_bytes(), Some(reader)) {
                let slice: String = page.text().chars().skip(from % 100).take(len).collect();
                check(&page, &slice)?;
                check(&page, "ice floats on water")?;
            }
        }
    }
}

/// Every verdict is in order: a span holds the quote's letters, a passage is on the page.
fn check(page: &Page, quote: &str) -> Result<(), TestCaseError> {
    match page.find(quote) {
        Verdict::Found(found) => {
            let text = page.text().get(found.span.clone());
            prop_assert!(text.is_some_and(|text| !text.is_empty()), "{:?}", found.span);
            prop_assert_eq!(
                page.find_all(&[quote, quote])[1].found().map(|f| f.span.clone()),
                Some(found.span)
            );
        }
        Verdict::Refused(refusal) => {
            let message = refusal.message("page");
            prop_assert!(!message.contains('\n') && !refusal.help().is_empty(), "{}", message);
        }
    }
    Ok(())
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "ice ",
            "floats ",
            "on ",
            "water ",
            "9%",
            "1,500",
            "−5",
            "½",
            "²",
            "*",
            "**",
            "_",
            "`",
            "~~",
            "~",
            "[",
            "]",
            "[3]",
            "](x)",
            "\n",
            "\n\n",
            "> ",
            "# ",
            "- ",
            "| ",
            "```",
            "<!-- ",
            "-->",
            "<b>",
            "</b>",
            "<sup>",
            "</sup>",
            "<del>",
            "</del>",
            "<table>",
            "<td>",
            "<p hidden>",
            "</p>",
            "<script>",
            "</script>",
            "&amp;",
            "&hellip;",
            "&#8722;",
            "\\",
            "—",
            "…",
            "ﬁ",
            "ß",
            "İ",
            "ŉ",
            "e\u{301}",
            "\u{ad}",
            "\u{200d}",
            "冰浮",
            "얼음",
            "น้ำ",
            "ｶﾞ",
            "exam-\n",
            "![a](b)",
            "://",
        ])
        .prop_map(str::to_string),
        "\\PC{1,4}",
    ]
}
