//! A page read as Markdown: what its reader would see once it is rendered. In: the source. Out: a [`View`]
//! whose every byte leads back into the source, and the ranges of the source that no reader sees as text
//! (struck-out words, comments, link destinations, info strings).
//!
//! The parser decides what is markup. Two things it takes for markup are text here: a `*`, `_` or `~` between
//! two digits, and a single `~` glued to words.

mod builder;
mod tags;

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::marker::is_marker;
use super::verdict::Rule;
use super::view::{Optional, View};
use crate::text::boundary;
use builder::Builder;

/// Bytes of a page that are parsed at once.
const PART: usize = 4 << 20;

/// Bytes of a block that are parsed at once; a longer one is read as if it ended somewhere.
const LARGEST_BLOCK: usize = 4 * PART;

/// A page read as Markdown.
#[derive(Debug, Default)]
pub struct Markup {
    /// What is seen.
    pub view: View,
    /// What is not: ranges of the source, in order and apart from each other.
    pub hidden: Vec<Range<usize>>,
}

impl Markup {
    /// Reads `text`.
    pub fn read(text: &str) -> Self {
        Self::read_in_parts(text, PART, LARGEST_BLOCK)
    }

    /// Reads `text` by parts of about `size` bytes, larger ones where a block needs more, up to `largest`: the parser's own
    /// tree of a page takes many times its size.
    fn read_in_parts(text: &str, size: usize, largest: usize) -> Self {
        let mut reading = Reading { builder: Builder::new(text), open: Vec::new(), code: false, depth: 0 };
        let (mut at, mut room) = (0, size);
        while at < text.len() {
            let end = part_end(text, at.saturating_add(room));
            let last = if room < largest { Last::GoesOn } else { Last::EndsHere };
            let read = reading.part(text, at..end, last);
            room = if read == at { room.saturating_mul(2) } else { size };
            at = read;
        }
        reading.builder.finish()
    }

    /// `span` of the source touches something that no reader sees.
    pub fn hides(&self, span: &Range<usize>) -> bool {
        let after = self.hidden.partition_point(|hidden| hidden.end <= span.start);
        self.hidden.get(after).is_some_and(|hidden| hidden.start < span.end)
    }
}

/// What becomes of the last block of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// It may go on after the part, and is left to the next one.
    GoesOn,
    /// It is read as far as it goes.
    EndsHere,
}

/// Where the part that should end at `wanted` ends: behind a blank line where one is near, else behind a line, a space,
/// or any character.
fn part_end(text: &str, wanted: usize) -> usize {
    let Some(rest) = text.as_bytes().get(wanted..) else { return text.len() };
    let near = &rest[..rest.len().min(PART)];
    let blank = memchr::memmem::find(near, b"\n\n").map(|at| at + 2);
    let behind = |byte: u8| memchr::memchr(byte, near).map(|at| at + 1);
    let after = blank.or_else(|| behind(b'\n')).or_else(|| behind(b' '));
    after.map_or_else(|| boundary::floor(text, wanted), |after| wanted + after)
}

/// `[label][name]` whose name is defined nowhere is a link all the same, unless the two are markers one after the other.
fn is_full_reference(text: &str, link: &BrokenLink<'_>) -> bool {
    let source = text.get(link.span.clone()).unwrap_or_default();
    let parts = source.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let is_link = |(label, name): (&str, &str)| {
        let both_markers = is_marker(label) && is_marker(name.trim_matches(['[', ']']));
        !label.trim().is_empty() && !both_markers
    };
    matches!(link.link_type, LinkType::Reference | LinkType::ReferenceUnknown) && parts.is_some_and(is_link)
}

/// An element that is open.
#[derive(Debug)]
struct Open {
    /// Where its words begin in the folded text.
    folded: usize,
    kind: LinkType,
    picture: bool,
    /// Its brackets are seen.
    brackets: bool,
}

struct Reading<'a> {
    builder: Builder<'a>,
    open: Vec<Open>,
    code: bool,
    /// How many elements are open.
    depth: usize,
}

impl Reading<'_> {
    /// Reads one part of `text`; gives where the next one begins.
    fn part(&mut self, text: &str, part: Range<usize>, last: Last) -> usize {
        let source = &text[part.clone()];
        let goes_on = part.end < text.len() && last == Last::GoesOn;
        let seen = if goes_on { source.trim_end().len() } else { usize::MAX };
        let named = |link: BrokenLink<'_>| {
            is_full_reference(source, &link).then(|| (CowStr::from(""), CowStr::from("")))
        };
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        let parser = Parser::new_with_broken_link_callback(source, options, Some(named));
        let whole = |range: Range<usize>| part.start + range.start..part.start + range.end;
        let definitions: Vec<Range<usize>> =
            parser.reference_definitions().iter().map(|(_, found)| whole(found.span.clone())).collect();
        let mut end = part.end;
        for (event, range) in parser.into_offset_iter() {
            if self.depth == 0 && range.end >= seen {
                end = part.start + range.start;
                break;
            }
            self.event(event, whole(range));
        }
        self.builder.hidden.extend(definitions.into_iter().filter(|found| found.end <= end));
        end
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => {
                self.depth += 1;
                self.start(tag, range);
            }
            Event::End(tag) => {
                self.depth -= 1;
                self.end(tag, range);
            }
            Event::Text(text) if self.code => self.builder.verbatim(&text, range),
            Event::Text(text) => self.builder.prose(&text, range),
            Event::Code(code) => self.inline_code(&code, range),
            Event::SoftBreak | Event::HardBreak => self.builder.line(range.start),
            Event::InlineHtml(_) => self.builder.tags(range),
            Event::Rule => self.builder.block(range.start),
            // The text of an HTML block is read as a whole when it opens.
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis => self.builder.delimiter(range.start..range.start + 1),
            Tag::Strong => self.builder.delimiter(range.start..range.start + 2),
            Tag::Strikethrough => self.builder.strike(range),
            Tag::Link { link_type, .. } => self.open_link(link_type, range, false),
            Tag::Image { link_type, .. } => self.open_link(link_type, range, true),
            Tag::HtmlBlock => {
                self.builder.block(range.start);
                self.builder.tags(range);
            }
            Tag::CodeBlock(kind) => {
                self.builder.block(range.start);
                self.code = true;
                if matches!(kind, CodeBlockKind::Fenced(_)) {
                    self.builder.hide_line(range.start);
                }
            }
            Tag::Item => {
                self.builder.block(range.start);
                self.list_number(range);
            }
            _ => self.builder.block(range.start),
        }
    }

    /// The number of an item is seen: a quote may leave it out, but not change it.
    fn list_number(&mut self, item: Range<usize>) {
        let source = self.builder.raw(&item);
        let digits = source.bytes().take_while(u8::is_ascii_digit).count();
        let Some([b'.' | b')', b' ']) = source.as_bytes().get(digits..digits + 2) else { return };
        if digits > 0 {
            let folded = self.builder.len();
            self.builder.verbatim(&source[..digits + 2], item.start..item.start + digits + 2);
            let range = folded..self.builder.len();
            self.builder.optional.push(Optional { range, rule: Rule::ListNumber });
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Emphasis => self.builder.delimiter(range.end - 1..range.end),
            TagEnd::Strong => self.builder.delimiter(range.end - 2..range.end),
            TagEnd::Strikethrough => self.builder.end_strike(range),
            TagEnd::Link | TagEnd::Image => self.close_link(range),
            TagEnd::CodeBlock => {
                self.code = false;
                self.builder.block(range.end);
            }
            _ => self.builder.block(range.end),
        }
    }

    fn open_link(&mut self, kind: LinkType, range: Range<usize>, picture: bool) {
        let brackets = keeps_brackets(kind, self.builder.raw(&range));
        if brackets {
            self.builder.bracket("[", range.start);
        }
        self.open.push(Open { folded: self.builder.len(), kind, picture, brackets });
    }

    fn close_link(&mut self, range: Range<usize>) {
        let Some(open) = self.open.pop() else { return };
        if open.brackets {
            return self.builder.bracket("]", range.end - 1);
        }
        let words = open.folded..self.builder.len();
        if open.picture && !words.is_empty() {
            self.builder.optional.push(Optional { range: words, rule: Rule::ImageText });
        } else if is_marker(self.builder.since(open.folded).trim()) {
            self.builder.optional.push(Optional { range: words, rule: Rule::ReferenceMarker });
        }
        if open.kind == LinkType::Inline {
            self.builder.hide_from_last(range.end);
        }
    }

    fn inline_code(&mut self, code: &str, range: Range<usize>) {
        let source = self.builder.raw(&range);
        let ticks = source.bytes().take_while(|byte| *byte == b'`').count();
        let inner = source.get(ticks..source.len().saturating_sub(ticks)).unwrap_or_default();
        if inner.len() >= code.len() {
            self.builder.verbatim(inner, range.start + ticks..range.end - ticks);
        } else {
            self.builder.verbatim(code, range);
        }
    }
}

/// `[12]` with a definition is a link for the parser; a reader of the source sees a marker in brackets.
fn keeps_brackets(kind: LinkType, source: &str) -> bool {
    let label = source.trim_start_matches('[').trim_end_matches(']');
    kind == LinkType::ShortcutUnknown || kind == LinkType::Shortcut && is_marker(&label.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(source: &str) -> String {
        Markup::read(source).view.folded.text().trim().to_string()
    }

    #[test]
    fn markup_is_not_seen() {
        for (source, words) in [
            ("Variations in _[ERAP1](https://m.example/e \"gene\")_ exist", "variations in erap1 exist"),
            ("in [ERAP1][12] and [ice][x]\n\n[x]: https://i.example", "in erap1 and ice"),
            ("[ice] floats [3] on[^w]\n\n[ice]: i\n[3]: w\n[^w]: x", "ice floats [3] on[^w]"),
            ("in [2019][ice] ice[1][2] floats", "in 2019 ice[1][2] floats"),
            ("HLA-B\\*27 is", "hla-b*27 is"),
            ("***ice* floats** on `water`", "ice floats on water"),
            ("> ice floats\n> on water", "ice floats on water"),
            ("# Ice\n\n- floats\n- on water", "ice floats on water"),
            ("| ice | 9 |\n|---|---|\n| a | b |", "ice 9 a b"),
            ("Research &amp; Development isn&#39;t", "research & development isn't"),
            ("Ice ![](x.png) floats", "ice floats"),
            ("Ice <!-- not --> floats", "ice floats"),
            ("Ice <b>floats</b> on<br>water", "ice floats on water"),
            ("<div>\n<p>Ice &amp; water</p>\n<script>not()</script></div>", "ice & water"),
            ("**Ice floats and", "ice floats and"),
            ("```rust title\nlet ice = 1;\n```", "let ice = 1;"),
            ("H<sub>2</sub>O is water", "h2o is water"),
        ] {
            assert_eq!(seen(source), words, "{source}");
        }
    }

    #[test]
    fn a_page_read_by_parts_is_the_page() {
        let page = "# Ice\n\nIce *floats* on ~~cold~~ [water](https://w.example).\n\n- one\n\n  two\n- three\n\n\
            ```rust title\nlet ice = 1;\n\n# no heading\n```\n\n> quoted\nlazy\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\
            <div>\n<!-- not -->\n\nin a block\n</div>\n\n    code\n\n    code\n\n---\n\nSetext\n===\n\n[x]: https://x.example\n\n\
            An [end][x] &amp; [another][y].\n";
        for text in [page.to_owned(), page.replace('\n', "\r\n"), page.replace("\n\n", "\n")] {
            let whole = Markup::read(&text);
            for size in 1..text.len() {
                let parts = Markup::read_in_parts(&text, size, usize::MAX);
                assert_eq!(parts.view.folded.text(), whole.view.folded.text(), "{size}");
                assert_eq!(parts.hidden, whole.hidden, "{size}");
            }
        }
    }

    #[test]
    fn a_block_that_is_too_long_for_the_parser_is_read_as_far_as_it_goes() {
        for (page, words) in [
            ("Ice *floats* on 冰. ".repeat(40), "ice floats on 冰. ".repeat(40)),
            ("- Ice *floats*\n".repeat(40), "ice floats ".repeat(40)),
            ("冰`浮`".repeat(99), "冰浮".repeat(99)),
        ] {
            let read = Markup::read_in_parts(&page, 24, 96);
            let without_spaces = |text: &str| text.replace(' ', "");
            assert_eq!(without_spaces(read.view.folded.text()), without_spaces(&words));
        }
    }

    #[test]
    fn what_is_no_markup_stays() {
        for text in [
            "2*3*4 = 24",
            "snake_case_name",
            "2~3 and 4~5",
            "about ~50 and ~60",
            "2 * 3 = 6",
            "a*b",
            "[3] is",
            "table~5 and table~6",
        ] {
            assert_eq!(seen(text), text);
        }
    }

    #[test]
    fn struck_out_text_leaves_a_gap() {
        assert_eq!(seen("Ice is ~~not~~ safe"), "ice is \u{fdd3} safe");
        assert_eq!(seen("Ice is <del>not</del> safe"), "ice is \u{fdd3} safe");
        assert_eq!(seen("10<sup>2</sup> m"), "10\u{fdd0}2\u{fdd0} m");
        assert_eq!(seen("ice<sup>3</sup> is"), "ice\u{fdd1}3\u{fdd2} is");
    }

    #[test]
    fn destinations_and_comments_are_hidden() {
        let source = "An [ice](https://cold.example) <!-- never --> cube";
        let markup = Markup::read(source);
        for hidden in ["cold", "never"] {
            let at = source.find(hidden).unwrap();
            assert!(markup.hides(&(at..at + 3)), "{hidden}");
        }
        assert!(!markup.hides(&(0..7)));
    }
}
