//! One reading of a page: its folded text, the way back to the page's text, and what a reader sees around a
//! place. In: a text, or what a parser made of it. How it is searched is not here.

use std::ops::Range;

use super::boundary::{REACH, Surroundings};
use super::verdict::Rule;
use crate::text::fold::{Folded, Folder, GAP, REFERENCE_CLOSE, REFERENCE_OPEN, WALL};

/// A reading of a page or a quote.
#[derive(Debug, Default)]
pub struct View {
    /// The text that is searched.
    pub folded: Folded,
    /// Folded ranges that a reader may or may not take for words: pictures' texts, linked reference marks.
    pub optional: Vec<Optional>,
}

/// Words that a match may leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optional {
    /// Folded bytes.
    pub range: Range<usize>,
    /// What leaving them out is called.
    pub rule: Rule,
}

impl View {
    /// The text as it stands.
    pub fn plain(text: &str) -> Self {
        Self { folded: Folded::plain(text), optional: Vec::new() }
    }

    /// Visible text of HTML as [`html`](super::html) writes it: a tab ends a cell.
    pub fn cells(text: &str) -> Self {
        let mut folder = Folder::with_capacity(text.len());
        let mut at = 0;
        for cell in text.split('\t') {
            if at > 0 {
                folder.block(at - 1);
            }
            folder.text(cell, at);
            at += cell.len() + 1;
        }
        Self { folded: folder.finish(text.len()), optional: Vec::new() }
    }

    /// What a reader of `raw` sees on both sides of folded byte `at`.
    pub fn surroundings(&self, raw: &str, at: usize) -> Surroundings {
        let mut before: Vec<char> = self.before(raw, at).take(REACH).collect();
        before.reverse();
        Surroundings { before, after: self.after(raw, at).take(REACH).collect() }
    }

    /// The characters before folded byte `at`, from it backwards.
    pub fn before<'a>(&'a self, raw: &'a str, at: usize) -> impl Iterator<Item = char> + 'a {
        let text = self.folded.text().get(..at).unwrap_or_default();
        text.char_indices().rev().filter_map(move |(at, c)| self.shown(raw, at, c))
    }

    /// The characters from folded byte `at` on.
    pub fn after<'a>(&'a self, raw: &'a str, from: usize) -> impl Iterator<Item = char> + 'a {
        let text = self.folded.text().get(from..).unwrap_or_default();
        text.char_indices().filter_map(move |(at, c)| self.shown(raw, from + at, c))
    }

    /// What the page shows for the folded character `c` at `at`; `None` for the later parts of a character that
    /// became several. White space comes as [`Surroundings`] wants it.
    pub fn shown(&self, raw: &str, at: usize, c: char) -> Option<char> {
        if matches!(c, WALL | GAP | REFERENCE_OPEN | REFERENCE_CLOSE) {
            return Some(c);
        }
        let start = self.folded.raw(at);
        if c == ' ' {
            return Some(self.shown_space(raw, at, start));
        }
        match raw.get(start..)?.chars().next() {
            Some('&') if c != '&' => Some(c),
            shown => shown,
        }
    }

    fn shown_space(&self, raw: &str, at: usize, start: usize) -> char {
        if self.folded.is_block(at) {
            return '\u{2029}';
        }
        let run = raw.get(start..self.folded.raw(at + 1)).unwrap_or_default();
        let mut spaces = run.chars().filter(|c| c.is_whitespace());
        match (spaces.next(), spaces.next()) {
            _ if has_line_end(run) => '\n',
            (Some(one), None) => one,
            (Some(_), Some(_)) => '\t',
            (None, _) => ' ',
        }
    }

    /// The raw bytes that a reader sees as folded `range`; `None` where it begins or ends inside a character.
    pub fn raw_span(&self, raw: &str, range: &Range<usize>) -> Option<Range<usize>> {
        let start = self.folded.raw(range.start);
        let (last_at, last) = self.folded.text().get(range.clone())?.char_indices().next_back()?;
        let at = (0..=self.folded.raw(range.start + last_at)).rev().find(|at| raw.is_char_boundary(*at))?;
        let next = self.folded.raw(range.end);
        let mut end = at + self.width(raw, at, next, last);
        let marks = raw.get(end..next).unwrap_or_default().chars();
        end += marks
            .take_while(|c| unicode_normalization::char::is_combining_mark(*c))
            .map(char::len_utf8)
            .sum::<usize>();
        let whole = raw.is_char_boundary(start) && raw.is_char_boundary(next) && end <= next && start < end;
        (whole && raw.is_char_boundary(end)).then_some(start..end)
    }

    /// Bytes of the character at `at`, which folded to `c` and ends before `next`; an entity is one.
    fn width(&self, raw: &str, at: usize, next: usize, c: char) -> usize {
        let rest = raw.get(at..next).unwrap_or_default();
        let entity = rest.strip_prefix('&').and_then(|rest| rest.find(';')).map(|semicolon| semicolon + 2);
        match entity {
            Some(width) if c != '&' || self.decodes(at, next) => width,
            _ => rest.chars().next().map_or(0, char::len_utf8),
        }
    }

    /// More raw bytes than one stand for the one folded byte there.
    fn decodes(&self, at: usize, next: usize) -> bool {
        next > at + 1 && self.folded.folded(at) + 1 == self.folded.folded(next)
    }
}

fn has_line_end(text: &str) -> bool {
    text.contains(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surroundings_are_the_page_s_own_characters() {
        let raw = "rose \u{2212}5\u{202f}mg";
        let view = View::plain(raw);
        let at = view.folded.text().find('5').unwrap();
        let place = view.surroundings(raw, at);
        assert_eq!(place.before, "rose \u{2212}".chars().collect::<Vec<_>>());
        assert_eq!(place.after, "5\u{202f}mg".chars().collect::<Vec<_>>());
    }

    #[test]
    fn a_span_covers_whole_characters() {
        let raw = "a scientiﬁc cafe\u{301} is";
        let view = View::plain(raw);
        let at = view.folded.text().find("scientific café").unwrap();
        let span = view.raw_span(raw, &(at..at + "scientific café".len())).unwrap();
        assert_eq!(&raw[span], "scientiﬁc cafe\u{301}");
        assert_eq!(view.raw_span(raw, &(at..at + "scientif".len())), None);
    }
}
