//! A document into passages: cut at headings first, then at blank lines, packed to 800 characters with an
//! overlap of 80. A passage is a verbatim slice of the document, so that a quote of it stands in the file too;
//! none crosses a heading. No ids here (see `index`) and no front matter (see `front_matter`).

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

/// The most characters a passage has.
pub const MAX_CHARS: usize = 800;
/// How many characters of the passage before it a passage repeats, at most.
const OVERLAP_CHARS: usize = 80;
/// The most characters kept of one heading.
const HEADING_CHARS: usize = 200;

/// A passage of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its place in the document, from 0.
    pub ordinal: usize,
    /// The headings above it, outermost first, joined by ` > `; empty above the first one.
    pub heading: String,
    /// The words, as they stand in the document.
    pub text: String,
}

/// The passages of a Markdown document.
pub fn markdown(body: &str) -> Vec<Chunk> {
    collect(body, &sections(body))
}

/// The passages of a plain text, which has no headings.
pub fn plain(body: &str) -> Vec<Chunk> {
    collect(body, &[Section { heading: String::new(), title: 0..0, body: 0..body.len(), is_leaf: true }])
}

/// A heading and what stands under it, down to the next heading.
struct Section {
    heading: String,
    title: Range<usize>,
    body: Range<usize>,
    /// No deeper heading follows directly.
    is_leaf: bool,
}

fn collect(text: &str, sections: &[Section]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for section in sections {
        let body = &text[section.body.clone()];
        let mut spans = pack(body);
        let is_bare = spans.is_empty() && section.is_leaf;
        let body = if is_bare { text[section.title.clone()].trim() } else { body };
        if is_bare {
            spans = pack(body);
        }
        chunks.extend(spans.into_iter().map(|span| (section.heading.clone(), body[span].to_owned())));
    }
    let numbered = chunks.into_iter().enumerate();
    numbered.map(|(ordinal, (heading, text))| Chunk { ordinal, heading, text }).collect()
}

/// A heading as the parser sees it, outside block quotes and lists.
struct Heading {
    level: HeadingLevel,
    span: Range<usize>,
    words: String,
}

fn sections(text: &str) -> Vec<Section> {
    let headings = headings(text);
    let first = headings.first().map_or(text.len(), |heading| heading.span.start);
    let mut sections = vec![Section { heading: String::new(), title: 0..0, body: 0..first, is_leaf: false }];
    let mut path: Vec<&Heading> = Vec::new();
    for (n, heading) in headings.iter().enumerate() {
        path.retain(|above| above.level < heading.level);
        path.push(heading);
        let next = headings.get(n + 1);
        sections.push(Section {
            heading: path.iter().map(|h| h.words.as_str()).collect::<Vec<_>>().join(" > "),
            title: heading.span.clone(),
            body: heading.span.end..next.map_or(text.len(), |next| next.span.start),
            is_leaf: next.is_none_or(|next| next.level <= heading.level),
        });
    }
    sections
}

fn headings(text: &str) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let (mut depth, mut inside) = (0_usize, false);
    for (event, span) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                inside = true;
                headings.push(Heading { level, span, words: String::new() });
            }
            Event::End(TagEnd::Heading(_)) => inside = false,
            Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => depth = depth.saturating_sub(1),
            Event::Text(words) | Event::Code(words) if inside => {
                if let Some(heading) = headings.last_mut() {
                    let room = HEADING_CHARS.saturating_sub(heading.words.len());
                    heading.words.extend(words.chars().take(room));
                }
            }
            _ => {}
        }
    }
    headings
}

/// The passages of one section, as spans of it.
fn pack(body: &str) -> Vec<Range<usize>> {
    let ends = block_ends(body);
    let mut spans: Vec<Range<usize>> = Vec::new();
    let (mut from, mut fresh, mut next_end) = (0, skip_blank(body, 0), 0);
    while fresh < body.len() {
        from = if spans.is_empty() { fresh } else { from };
        let limit = after_chars(body, from, MAX_CHARS);
        while ends.get(next_end).is_some_and(|end| *end <= fresh) {
            next_end += 1;
        }
        let fitting = ends[next_end..].iter().take_while(|end| **end <= limit).last();
        let end = fitting.copied().unwrap_or_else(|| cut(body, fresh, limit));
        spans.push(from..end);
        let start = from;
        fresh = skip_blank(body, end);
        from = overlap_start(body, end).max(start);
        let is_far = after_chars(body, from, MAX_CHARS / 2) <= fresh;
        from = if is_far { fresh } else { from };
    }
    spans
}

/// Where each block of the section ends: the last character before a blank line, or before its end.
fn block_ends(body: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let (mut at, mut last) = (0, 0);
    for line in body.split_inclusive('\n') {
        if line.trim().is_empty() {
            if last > ends.last().copied().unwrap_or(0) {
                ends.push(last);
            }
        } else {
            last = at + line.trim_end().len();
        }
        at += line.len();
    }
    if last > ends.last().copied().unwrap_or(0) {
        ends.push(last);
    }
    ends
}

/// Where to cut a block that is too long: after its last sentence, else its last word, else where it is full.
fn cut(body: &str, fresh: usize, limit: usize) -> usize {
    let window = &body[fresh..limit];
    let least = window.len() / 2;
    let sentence = window.char_indices().rev().find_map(|(at, c)| {
        let end = at + c.len_utf8();
        let ends = matches!(c, '。' | '！' | '？')
            || matches!(c, '.' | '!' | '?') && body[fresh + end..].starts_with(char::is_whitespace);
        ends.then_some(end)
    });
    let word = || window.rfind(char::is_whitespace);
    let end = sentence.filter(|end| *end > least).or_else(word).filter(|end| *end > 0);
    let end = fresh + end.unwrap_or(window.len());
    fresh + body[fresh..end].trim_end().len()
}

/// The start of the next passage: up to [`OVERLAP_CHARS`] before `end`, at the beginning of a word.
fn overlap_start(body: &str, end: usize) -> usize {
    let tail = &body[..end];
    let back = tail.char_indices().rev().nth(OVERLAP_CHARS - 1).map_or(0, |(at, _)| at);
    if back == 0 || tail[..back].ends_with(char::is_whitespace) {
        return skip_blank(body, back);
    }
    match tail[back..].find(char::is_whitespace) {
        Some(space) => skip_blank(body, back + space),
        None => back,
    }
}

fn skip_blank(body: &str, at: usize) -> usize {
    body.len() - body[at..].trim_start().len()
}

fn after_chars(body: &str, from: usize, count: usize) -> usize {
    body[from..].char_indices().nth(count).map_or(body.len(), |(at, _)| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(chunks: &[Chunk]) -> Vec<&str> {
        chunks.iter().map(|chunk| chunk.text.as_str()).collect()
    }

    #[test]
    fn passages_never_cross_a_heading_and_carry_the_path_to_it() {
        let chunks =
            markdown("Intro.\n\n# Water\n\nIt is wet.\n\n## Ice\n\nIce floats.\n\n# Air\n\nIt is thin.\n");
        let seen: Vec<_> = chunks.iter().map(|c| (c.heading.as_str(), c.text.as_str())).collect();
        let expected =
            [("", "Intro."), ("Water", "It is wet."), ("Water > Ice", "Ice floats."), ("Air", "It is thin.")];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_hash_in_code_or_a_quoted_heading_is_no_heading() {
        let chunks = markdown("# Real\n\n```\n# comment\n```\n\n> # quoted\n> words\n");
        assert_eq!(chunks.len(), 1);
        assert_eq!(chunks[0].heading, "Real");
    }

    #[test]
    fn a_heading_with_nothing_under_it_is_a_passage_of_its_own() {
        assert_eq!(
            texts(&markdown("# List\n\n## Buy milk\n\n## Sell ice\n")),
            ["## Buy milk", "## Sell ice"]
        );
    }

    #[test]
    fn short_paragraphs_are_packed_together() {
        assert_eq!(texts(&plain("Ice floats.\n\nWater boils.\n")), ["Ice floats.\n\nWater boils."]);
    }

    #[test]
    fn neighbours_in_a_long_section_overlap_by_whole_words() {
        let paragraph = |n: usize| format!("p{n} {}", "water boils here. ".repeat(30));
        let body = (0..4).map(paragraph).collect::<Vec<_>>().join("\n\n");
        let chunks = plain(&body);
        assert!(chunks.len() > 2);
        for pair in chunks.windows(2) {
            let shared = (1..=OVERLAP_CHARS).rev().find(|n| pair[0].text.ends_with(&pair[1].text[..*n]));
            assert!(shared.is_some_and(|n| n > 60), "{pair:?}");
        }
    }

    #[test]
    fn a_long_paragraph_is_cut_after_a_sentence() {
        let chunks = plain(&"Ice floats on water. ".repeat(80));
        assert!(chunks.len() > 1);
        assert!(chunks.iter().all(|chunk| chunk.text.ends_with("water.")));
    }

    #[test]
    fn a_text_without_any_space_is_cut_where_it_is_full() {
        let chunks = plain(&"水".repeat(2000));
        assert_eq!(chunks[0].text.chars().count(), MAX_CHARS);
        assert_eq!(chunks.len(), 3);
    }

    #[test]
    fn a_passage_repeats_nothing_across_a_wide_gap() {
        let chunks = plain(&format!("{}{}Ice floats.", "x".repeat(800), " ".repeat(900)));
        assert_eq!(texts(&chunks)[1..], ["Ice floats."]);
    }

    #[test]
    fn an_edit_in_another_section_leaves_a_passage_as_it_is() {
        let before = markdown("# A\n\nOne.\n\n# B\n\nTwo.\n");
        let after = markdown("# A\n\nOne, and more.\n\n# B\n\nTwo.\n");
        assert_eq!(before[1].text, after[1].text);
    }

    #[test]
    fn nothing_gives_no_passage() {
        assert!(markdown("").is_empty() && markdown(" \n\n\t\n").is_empty() && plain("\n").is_empty());
    }

    proptest! {
        #[test]
        fn every_word_is_in_a_passage_and_none_is_too_long(
            words in proptest::collection::vec("[a-z水é]{1,200}( |\n|\n\n|\n# |\\. | {700,900})", 0..25)
        ) {
            let body: String = words.concat();
            for chunks in [markdown(&body), plain(&body)] {
                prop_assert!(chunks.iter().all(|c| (1..=MAX_CHARS).contains(&c.text.chars().count())));
                prop_assert!(chunks.iter().all(|c| body.contains(&c.text)));
            }
            let joined: String = plain(&body).into_iter().map(|c| c.text + " ").collect();
            for word in body.split_whitespace().filter(|w| w.chars().count() <= OVERLAP_CHARS) {
                prop_assert!(joined.contains(word));
            }
        }

        #[test]
        fn any_text_is_taken(body in "\\PC{0,400}") {
            markdown(&body);
            plain(&body);
        }
    }
}
