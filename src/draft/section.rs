//! The lines under a Sources title, taken one by one: entries, what goes on below them, and where the section ends.
//! Which URL an entry names is for `sources_block`.

use super::block_lines::{Line, Lines};
use super::entry::{self, Head, HeadStyle};
use super::line_looks::{cites, is_detail, is_furniture, is_prose, is_url, is_wrap};
use super::sources_block::Reader;
use super::{Entry, Span, bibtex, entry_url, notes, title};

/// An entry before its URL is chosen.
pub(super) struct Raw {
    pub head: Head,
    /// The whole entry.
    pub span: Span,
    /// Columns before its number.
    indent: usize,
    /// A URL stands on its lines.
    has_url: bool,
    pub quotes: Vec<(Span, String)>,
}

/// Lines under a title, taken one by one.
pub(super) struct Section<'a> {
    reader: &'a Reader<'a>,
    depth: usize,
    level: u8,
    pub raws: Vec<Raw>,
    /// Records of BibTeX.
    pub records: Vec<Entry>,
    /// Words stand before the first entry.
    pub intro: bool,
    /// A blank line or the title stands right before.
    blank: bool,
    /// The line behind the last one that belongs to the block.
    pub end_line: usize,
}

impl<'a> Section<'a> {
    /// Of a title of `level`, with entries behind `depth` quote marks, from line `first` on.
    pub fn new(reader: &'a Reader<'a>, depth: usize, level: u8, first: usize) -> Self {
        Self {
            reader,
            depth,
            level,
            raws: Vec::new(),
            records: Vec::new(),
            intro: false,
            blank: true,
            end_line: first,
        }
    }

    /// Takes line `at`; the next line, or `None` where the section ends.
    pub fn take(&mut self, lines: &Lines<'_>, at: usize, line: &Line<'_>) -> Option<usize> {
        let content = line.at_depth(self.depth);
        if line.comment || content.trim().is_empty() {
            self.blank = true;
            return Some(at + 1);
        }
        if line.hidden {
            return None;
        }
        if let Some((span, level)) = lines.heading(line) {
            return self.take_heading(lines, at, line, span, *level);
        }
        if self.is_title(content) {
            return None;
        }
        if let Some((record, next)) = bibtex::record(self.reader, lines, at) {
            self.records.push(record);
            self.end_line = next;
            return Some(next);
        }
        if self.take_quote(content, line)
            || self.take_entry(content, line, lines.get(at + 1))
            || self.take_continuation(content, line)
        {
            self.blank = false;
            self.end_line = at + 1;
            return Some(at + 1);
        }
        if is_furniture(content) {
            self.blank = true;
            return Some(at + 1);
        }
        self.take_intro(lines, at)
    }

    /// A heading below the title: an entry, or the name of a group of them.
    fn take_heading(
        &mut self,
        lines: &Lines<'_>,
        at: usize,
        line: &Line<'_>,
        span: &Span,
        level: u8,
    ) -> Option<usize> {
        let content = line.at_depth(self.depth);
        let inner = content.trim_start_matches(['#', ' ']);
        let url_below = || lines.below(at).is_some_and(|below| is_url(below.at_depth(self.depth)));
        let numbered = entry::head(inner).is_some_and(|head| {
            head.style == HeadStyle::Bracket || head.style == HeadStyle::Ordered && url_below()
        });
        if level > self.level.max(1) && numbered && self.take_entry(inner, line, None) {
            self.end_line = at + 1;
            return Some(lines.after(at, span.end));
        }
        let ends = self.level == 0 || level <= self.level || self.is_title(content);
        self.blank = true;
        (!ends).then(|| lines.after(at, span.end))
    }

    fn is_title(&self, content: &str) -> bool {
        title::read(content, &self.reader.options.headings).is_some()
    }

    /// `    > "quote"` below an entry; a block quote of prose is none.
    fn take_quote(&mut self, content: &str, line: &Line<'_>) -> bool {
        let Some(raw) = self.raws.last_mut() else { return false };
        let Some(inner) = content.trim_start().strip_prefix('>') else { return false };
        let inner = inner.trim();
        if entry::head(inner).is_some_and(|head| head.style != HeadStyle::Bullet) {
            return false;
        }
        let opened = inner.strip_prefix(['"', '“', '„', '«', '「']);
        let indented = content.starts_with("  ") || content.starts_with('\t');
        let goes_on = !raw.quotes.is_empty() && !self.blank && indented;
        if !(goes_on || opened.is_some() && (indented || !self.blank)) {
            return false;
        }
        let words = opened.unwrap_or(inner);
        let words = words.strip_suffix(['"', '”', '“', '»', '」']).unwrap_or(words);
        let start = line.offset_of(words);
        raw.quotes.push((start..start + words.len(), entry::unescape(words)));
        true
    }

    /// An entry that begins with `content`; `below` is the line behind it.
    pub fn take_entry(&mut self, content: &str, line: &Line<'_>, below: Option<&Line<'_>>) -> bool {
        let Some(head) = entry::head(content) else { return false };
        let indent = content.len() - content.trim_start().len();
        let nested = self.raws.last().is_some_and(|last| indent > last.indent + 1);
        let rest = &content[head.rest..];
        let has_url = entry_url::any(rest);
        let url_below = || below.is_some_and(|below| is_url(below.at_depth(self.depth)));
        let counts = match head.style {
            HeadStyle::Bullet => !nested && has_url,
            HeadStyle::Ordered => !nested && (has_url || !cites(rest) || url_below()),
            HeadStyle::Bare => !nested && (has_url || url_below()),
            HeadStyle::Row => has_url,
            HeadStyle::Definition => {
                head.id.is_some_and(|id| !self.reader.reference_only.contains(&id.to_string()))
            }
            HeadStyle::Footnote => notes::is_source(rest) || self.is_known(rest, &head),
            HeadStyle::Bracket => {
                let source = has_url || !is_prose(rest) || self.is_known(rest, &head) || url_below();
                source && !self.is_wrapped_year(&head)
            }
        };
        if !counts {
            return false;
        }
        let trimmed = content.trim_start();
        let start = line.offset_of(trimmed);
        let head = Head { rest: head.rest - (content.len() - trimmed.len()), ..head };
        self.raws.push(Raw { head, span: start..line.trimmed().end, indent, has_url, quotes: Vec::new() });
        true
    }

    fn is_known(&self, rest: &str, head: &Head) -> bool {
        entry_url::is_known(rest, head.id, self.reader.register)
    }

    /// `[2024]` at the start of a wrapped line is part of a title.
    fn is_wrapped_year(&self, head: &Head) -> bool {
        let year = head.id.filter(|id| (1800..=2099).contains(&id.0));
        let Some(year) = year else { return false };
        let far = self.raws.last().and_then(|last| last.head.id).is_some_and(|last| year.0 > last.0 + 100);
        far && !self.blank && self.reader.register.key_of(year).is_none()
    }

    /// A further line of the last entry.
    fn take_continuation(&mut self, content: &str, line: &Line<'_>) -> bool {
        let Some(last) = self.raws.last_mut() else { return false };
        let indent = content.len() - content.trim_start().len();
        let indented = indent > last.indent + 1;
        let so_far = &self.reader.text[last.span.clone()];
        let has_url = last.has_url;
        let url = entry_url::any(content)
            .then(|| entry_url::starts(content))
            .and_then(|starts| starts.first().copied());
        let lone_url = url.is_some_and(|at| content[..at].split_whitespace().count() < 4);
        let belongs = if self.blank {
            indented || (!has_url && lone_url)
        } else {
            indented || !has_url || is_wrap(so_far, content) || is_detail(content)
        };
        let states = url.is_none() && cites(content) && (has_url || entry::head(content).is_some());
        if !belongs || states || last.head.style == HeadStyle::Row || is_furniture(content) {
            return false;
        }
        last.span.end = line.trimmed().end;
        last.has_url |= url.is_some();
        true
    }

    /// One paragraph of words before the first entry.
    fn take_intro(&mut self, lines: &Lines<'_>, at: usize) -> Option<usize> {
        if self.intro || !self.raws.is_empty() || !self.records.is_empty() {
            return None;
        }
        self.intro = true;
        let mut next = at + 1;
        while lines.get(next).is_some_and(|line| {
            !line.hidden && !line.content.trim().is_empty() && entry::head(line.content).is_none()
        }) {
            next += 1;
        }
        Some(next)
    }
}
