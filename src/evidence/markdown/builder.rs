//! Writes the folded text of a Markdown page: what is seen goes to the folder, what is not to the list of
//! hidden ranges. Which event means what is decided in [`super`].

use std::ops::Range;

use super::Markup;
use crate::evidence::script::{Script, judge};
use crate::evidence::view::{Optional, View};
use crate::text::fold::{Folder, GAP, REFERENCE_CLOSE, REFERENCE_OPEN, WALL};

pub(super) struct Builder<'a> {
    raw: &'a str,
    folder: Folder,
    pub(super) hidden: Vec<Range<usize>>,
    pub(super) optional: Vec<Optional>,
    /// How many struck-out elements are open.
    struck: u32,
    script: Option<Pending>,
    /// Where the outermost of them began.
    struck_from: usize,
    /// The element whose content is not shown, until it closes.
    pub(super) muted: Option<Muted>,
    /// End of the last text in the source.
    last_end: usize,
}

/// An element whose content is not shown.
pub(super) struct Muted {
    pub(super) name: String,
    pub(super) from: usize,
    /// How many elements of its name are open, itself included.
    pub(super) depth: usize,
}

/// Raised or lowered text that is judged when it is whole.
struct Pending {
    raised: bool,
    at: usize,
    pieces: Vec<(String, Range<usize>)>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(raw: &'a str) -> Self {
        Self {
            raw,
            folder: Folder::with_capacity(raw.len()),
            hidden: Vec::new(),
            optional: Vec::new(),
            struck: 0,
            struck_from: 0,
            script: None,
            muted: None,
            last_end: 0,
        }
    }

    pub(super) fn finish(mut self) -> Markup {
        self.end_script();
        let folded = self.folder.finish(self.raw.len());
        Markup { view: View { folded, optional: self.optional }, hidden: merged(self.hidden) }
    }

    pub(super) fn raw(&self, range: &Range<usize>) -> &'a str {
        self.raw.get(range.clone()).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.folder.len()
    }

    pub(super) fn since(&self, at: usize) -> &str {
        self.folder.since(at)
    }

    /// Text in which nothing is markup.
    pub(super) fn verbatim(&mut self, text: &str, range: Range<usize>) {
        self.last_end = range.end;
        if self.struck > 0 || self.muted.is_some() {
            return;
        }
        match &mut self.script {
            Some(script) => script.pieces.push((text.to_string(), range)),
            None if self.raw.get(range.clone()) == Some(text) => self.folder.text(text, range.start),
            None => self.folder.decoded(text, range.start, range.len()),
        }
    }

    /// Text in which unpaired `*`, `_` and back-ticks may be left over from markup.
    pub(super) fn prose(&mut self, text: &str, range: Range<usize>) {
        let own = self.raw.get(range.clone()) == Some(text);
        let bytes = text.as_bytes();
        let mut done = 0;
        if own {
            let mut from = 0;
            while let Some(found) = memchr::memchr3(b'*', b'_', b'`', &bytes[from..]) {
                let at = from + found;
                let run = bytes[at..].iter().take_while(|byte| **byte == bytes[at]).count();
                from = at + run;
                if self.is_left_over(range.start + at, run) {
                    self.verbatim(&text[done..at], range.start + done..range.start + at);
                    done = from;
                }
            }
        }
        if own {
            self.verbatim(&text[done..], range.start + done..range.end);
        } else {
            self.verbatim(text, range);
        }
    }

    /// Unpaired delimiters count as markup only where they touch white space or punctuation on one side.
    fn is_left_over(&self, at: usize, run: usize) -> bool {
        let (before, after) = (&self.raw[..at], &self.raw[at + run..]);
        let (left, right) = (before.chars().next_back(), after.chars().next());
        if left == Some('\\') {
            return false;
        }
        let open = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
        let operator =
            digit(before.trim_end().chars().next_back()) && digit(after.trim_start().chars().next());
        (open(left) || open(right)) && !(space(left) && space(right)) && !operator
    }

    /// A delimiter that the parser took for markup: text where a digit stands on both sides.
    pub(super) fn delimiter(&mut self, range: Range<usize>) {
        let before = self.raw.get(..range.start).and_then(|text| text.chars().next_back());
        let after = self.raw.get(range.end..).and_then(|text| text.chars().next());
        if before.is_some_and(char::is_numeric) && after.is_some_and(char::is_numeric) {
            self.verbatim(self.raw(&range), range);
        }
    }

    pub(super) fn bracket(&mut self, bracket: &str, at: usize) {
        self.verbatim(bracket, at..at + 1);
    }

    pub(super) fn line(&mut self, at: usize) {
        if self.struck == 0 {
            self.folder.line(at);
        }
    }

    pub(super) fn block(&mut self, at: usize) {
        self.end_script();
        if self.struck == 0 {
            self.folder.block(at);
        }
    }

    /// A struck-out run opens, unless its single `~` is glued to words.
    pub(super) fn strike(&mut self, range: Range<usize>) {
        if self.is_glued_tilde(&range) {
            return self.verbatim("~", range.start..range.start + 1);
        }
        self.open_strike(range.start);
    }

    pub(super) fn end_strike(&mut self, range: Range<usize>) {
        if self.is_glued_tilde(&range) {
            return self.verbatim("~", range.end - 1..range.end);
        }
        self.close_strike(range.end);
    }

    fn is_glued_tilde(&self, range: &Range<usize>) -> bool {
        let glued = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let before = self.raw.get(..range.start).and_then(|text| text.chars().next_back());
        let after = self.raw.get(range.end..).and_then(|text| text.chars().next());
        !self.raw(range).starts_with("~~") && (glued(before) || glued(after))
    }

    pub(super) fn open_strike(&mut self, at: usize) {
        if self.struck == 0 {
            self.end_script();
            self.folder.mark(GAP, at);
            self.struck_from = at;
        }
        self.struck += 1;
    }

    pub(super) fn close_strike(&mut self, end: usize) {
        if self.struck == 1 {
            self.hidden.push(self.struck_from..end);
        }
        self.struck = self.struck.saturating_sub(1);
        self.last_end = end;
    }

    pub(super) fn open_script(&mut self, raised: bool, at: usize) {
        self.end_script();
        if self.struck == 0 {
            self.script = Some(Pending { raised, at, pieces: Vec::new() });
        }
    }

    /// Writes the raised or lowered text that is open, if any.
    pub(super) fn end_script(&mut self) {
        let Some(pending) = self.script.take() else { return };
        let content: String = pending.pieces.iter().map(|(text, _)| text.as_str()).collect();
        let script = judge(pending.raised, self.shown_tail().chars(), &content);
        let (open, close) = match script {
            Script::Wall => (WALL, WALL),
            Script::Reference => (REFERENCE_OPEN, REFERENCE_CLOSE),
            Script::Text | Script::Marker => return self.pieces(pending.pieces),
        };
        self.folder.mark(open, pending.at);
        let end = pending.pieces.last().map_or(pending.at + 1, |(_, range)| range.end);
        self.pieces(pending.pieces);
        self.folder.mark(close, end);
    }

    fn pieces(&mut self, pieces: Vec<(String, Range<usize>)>) {
        for (text, range) in pieces {
            self.verbatim(&text, range);
        }
    }

    fn shown_tail(&self) -> &str {
        let mut from = self.folder.len().saturating_sub(32);
        while from < self.folder.len() && self.folder.since(from).is_empty() {
            from += 1;
        }
        self.folder.since(from)
    }

    pub(super) fn hide(&mut self, range: Range<usize>) {
        self.hidden.push(range);
    }

    /// The rest of the line at `at` is not text: an info string.
    pub(super) fn hide_line(&mut self, at: usize) {
        let line = self.raw[at..].find(['\n', '\r']).map_or(self.raw.len(), |end| at + end);
        self.hidden.push(at..line);
    }

    /// From the end of the last text to `end` stands a destination: `](…)`.
    pub(super) fn hide_from_last(&mut self, end: usize) {
        let start = self.last_end.min(end);
        let skip = self.raw[start..end].find("](").map_or(0, |at| at + 1);
        self.hidden.push(start + skip..end);
        self.last_end = end;
    }
}

/// The same bytes as ranges in order that do not overlap.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}
