//! Sources blocks: a title and the entries below it, or a run of definitions or records without a title. Read from
//! source lines, outside code. Out: blocks with their entries; what follows a block is prose again.

use std::collections::HashSet;

use super::block_lines::{Line, Lines};
use super::entry::{self, Body, Head, HeadStyle, Ordinal};
use super::line_looks::{is_furniture, is_prose, is_wrap};
use super::outline::Outline;
use super::{
    BlockKind, Entry, Heading, Options, SourceId, SourcesBlock, Span, bibtex, bracket, entry_url, notes,
    title,
};
use crate::identity::Register;

/// What decides whether lines are entries.
pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub outline: &'a Outline<'a>,
    pub options: &'a Options,
    pub register: &'a dyn Register,
    /// Labels of definitions that only `[text][label]` links use.
    pub reference_only: HashSet<String>,
}

/// An entry before its URL is chosen.
struct Raw {
    head: Head,
    /// The whole entry.
    span: Span,
    /// Columns before its number.
    indent: usize,
    /// A URL stands on its lines.
    has_url: bool,
    quotes: Vec<(Span, String)>,
}

impl Reader<'_> {
    /// All blocks of the draft, in text order.
    pub fn find(&self) -> Vec<SourcesBlock> {
        let lines = Lines::read(self.text, self.outline);
        let mut blocks: Vec<SourcesBlock> = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            at = match self.block_at(&lines, at, line) {
                Some((block, next)) => {
                    blocks.push(block);
                    next.max(at + 1)
                }
                None => at + 1,
            };
        }
        blocks.extend(notes::runs(self, &blocks));
        blocks.sort_by_key(|block| block.span.start);
        if blocks.iter().any(|block| block.entries.iter().any(|entry| entry.url.is_some())) {
            blocks.retain(|block| block.entries.iter().any(|entry| entry.url.is_some()));
        }
        blocks
    }

    /// The block whose title or first record stands on line `at`, and the line behind it.
    fn block_at(&self, lines: &Lines<'_>, at: usize, line: &Line<'_>) -> Option<(SourcesBlock, usize)> {
        if line.hidden {
            return None;
        }
        if let Some(title) = title::read(line.content, &self.options.headings) {
            let heading = lines.heading(line);
            let span = heading.map_or(line.trimmed(), |(span, _)| span.start..self.trimmed_end(span));
            let level = heading.map_or(0, |(_, level)| *level);
            let first = lines.after(at, span.end);
            let heading = Heading { span, level, title: title.words.to_owned() };
            return self.section(lines, first, line, heading, None);
        }
        if let Some((heading, rest)) = self.title_on_entry_line(line) {
            return self.section(lines, at, line, heading, Some(rest));
        }
        if line.content.starts_with('@') {
            return bibtex::block(self, lines, at);
        }
        None
    }

    /// `**Sources:** [1] https://…`: a title with the first entry behind its colon.
    fn title_on_entry_line<'t>(&self, line: &Line<'t>) -> Option<(Heading, &'t str)> {
        let colon = line.content.char_indices().take(40).find(|(_, c)| matches!(c, ':' | '：'))?;
        let (words, rest) = line.content.split_at(colon.0 + colon.1.len_utf8());
        let rest = rest.trim_start_matches(['*', '_', ' ']);
        if !rest.starts_with(['[', '【']) || !entry_url::any(rest) {
            return None;
        }
        let title = title::read(words, &self.options.headings)?;
        let start = line.offset_of(line.content);
        let end = self.trimmed_end(&(start..line.offset_of(rest)));
        Some((Heading { span: start..end, level: 0, title: title.words.to_owned() }, rest))
    }

    fn trimmed_end(&self, span: &Span) -> usize {
        span.start + self.text[span.clone()].trim_end().len()
    }

    /// The entries from line `first` on, under `heading`.
    fn section(
        &self,
        lines: &Lines<'_>,
        first: usize,
        title: &Line<'_>,
        heading: Heading,
        first_entry: Option<&str>,
    ) -> Option<(SourcesBlock, usize)> {
        let mut section = Section {
            reader: self,
            depth: self.depth(lines, first, title),
            level: heading.level,
            raws: Vec::new(),
            intro: false,
            records: Vec::new(),
            blank: true,
            end_line: first,
        };
        let mut at = first;
        if let Some(rest) = first_entry {
            at += usize::from(section.take_entry(rest, title));
        }
        while let Some(line) = lines.get(at) {
            let Some(next) = section.take(lines, at, line) else { break };
            at = next;
        }
        let intro = section.intro;
        let end_line = section.end_line;
        let mut entries = self.entries(section.raws);
        entries.extend(section.records);
        let last = entries.last()?;
        let end = last.quotes.iter().map(|(span, _)| lines.end_of(span.end)).fold(last.span.end, usize::max);
        let start = if intro { lines.start_of(entries[0].span.start) } else { title.span.start };
        let kind = self.kind(&entries[0]);
        Some((
            SourcesBlock { span: start..end, heading: Some(heading), kind, entries, generated: true },
            end_line,
        ))
    }

    /// How many quote marks the entries stand behind: as many as their title, or one where the list is quoted alone.
    fn depth(&self, lines: &Lines<'_>, first: usize, title: &Line<'_>) -> usize {
        let line =
            (first..first + 2).filter_map(|at| lines.get(at)).find(|line| !line.content.trim().is_empty());
        let quoted = line.filter(|line| line.depth == title.depth + 1 && entry_url::any(line.content));
        let numbered = |line: &&Line<'_>| entry::head(line.content).is_some_and(|head| head.id.is_some());
        title.depth + usize::from(quoted.filter(numbered).is_some())
    }

    fn kind(&self, entry: &Entry) -> BlockKind {
        let source = &self.text[entry.span.clone()];
        match source {
            _ if source.starts_with('@') => BlockKind::Bibtex,
            _ if source.starts_with("[^") => BlockKind::Footnotes,
            _ => BlockKind::List,
        }
    }

    /// Entries with their URLs; nothing where none is a numbered entry.
    fn entries(&self, raws: Vec<Raw>) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut ordinal = Ordinal::default();
        let mut only_ordered = true;
        for mut raw in raws {
            if raw.head.style == HeadStyle::Ordered {
                raw.head.id = raw.head.id.map(|id| ordinal.next(id));
            } else if raw.head.style != HeadStyle::Bullet {
                only_ordered = false;
            }
            let quotes = std::mem::take(&mut raw.quotes);
            let from = entries.len();
            for part in self.parts(&raw) {
                entries.extend(self.entry(&raw, part));
            }
            if let Some(last) = entries[from..].last_mut() {
                last.quotes = quotes;
            }
        }
        if only_ordered && entries.iter().all(|entry: &Entry| entry.url.is_none()) {
            entries.clear();
        }
        entries
    }

    /// The spans and ids of the entries on the lines of `raw`: a further one begins at `[n]` with its own URL.
    fn parts(&self, raw: &Raw) -> Vec<(Option<SourceId>, Span, usize)> {
        let mut parts = vec![(raw.head.id, raw.span.clone(), raw.head.rest)];
        if raw.head.style == HeadStyle::Row {
            return parts;
        }
        let source = &self.text[raw.span.clone()];
        let urls = entry_url::starts(source);
        if urls.len() < 2 {
            return parts;
        }
        let own = raw.head.rest + self.known_url(raw);
        let mut from = raw.head.rest;
        for (at, _) in source.match_indices('[').filter(|(at, _)| *at >= own) {
            let Some(found) = bracket::read(source, at) else { continue };
            let own_url = urls.last().is_some_and(|url| *url >= found.end);
            let first_url =
                urls.get(urls.partition_point(|url| *url < from)).copied().unwrap_or(source.len());
            let escaped = source[..at].ends_with('\\');
            let apart =
                source[..at].ends_with(char::is_whitespace) || source[..at].ends_with([';', ',', '|']);
            let super::Target::Ids(ids) = found.target else { continue };
            if escaped || !apart || !own_url || first_url >= at || ids.len() != 1 {
                continue;
            }
            if let Some(last) = parts.last_mut() {
                last.1.end = raw.span.start + at;
            }
            parts.push((Some(ids[0]), raw.span.start + at..raw.span.end, found.end - at));
            from = found.end;
        }
        parts
    }

    /// Where in the text behind its number the URL ends that the register knows of the entry; 0 without one.
    fn known_url(&self, raw: &Raw) -> usize {
        let rest = &self.text[raw.span.start + raw.head.rest..raw.span.end];
        let url = raw.head.id.and_then(|id| entry_url::choose(rest, Some(id), self.register));
        url.filter(|url| url.matches).map_or(0, |url| url.span.end)
    }

    fn entry(&self, raw: &Raw, (id, span, rest): (Option<SourceId>, Span, usize)) -> Option<Entry> {
        let span = span.start..self.trimmed_end(&span);
        let body_span = (span.start + rest).min(span.end)..span.end;
        let Body { url, title } = entry::body(self.text, &body_span, id, raw.head.style, self.register);
        let (id, url) = entry::identified(id, url, self.register)?;
        let says_something = url.is_some() || title.is_some();
        says_something.then_some(Entry { span, id, url, title, quotes: Vec::new() })
    }
}

/// Lines under a title, taken one by one.
struct Section<'a> {
    reader: &'a Reader<'a>,
    depth: usize,
    level: u8,
    raws: Vec<Raw>,
    records: Vec<Entry>,
    intro: bool,
    /// A blank line or the title stands right before.
    blank: bool,
    /// The line behind the last one that belongs to the block.
    end_line: usize,
}

impl Section<'_> {
    /// Takes line `at`; the next line, or `None` where the section ends.
    fn take(&mut self, lines: &Lines<'_>, at: usize, line: &Line<'_>) -> Option<usize> {
        let content = line.at_depth(self.depth);
        if line.comment || content.trim().is_empty() {
            self.blank = true;
            return Some(at + 1);
        }
        if line.hidden {
            return None;
        }
        if let Some((span, level)) = lines.heading(line) {
            let inner = content.trim_start_matches(['#', ' ']);
            let numbered = entry::head(inner).is_some_and(|head| head.style == HeadStyle::Bracket);
            if *level > self.level.max(1) && numbered && self.take_entry(inner, line) {
                self.end_line = at + 1;
                return Some(lines.after(at, span.end));
            }
            let ends = self.level == 0 || *level <= self.level || self.is_title(content);
            self.blank = true;
            return (!ends).then(|| lines.after(at, span.end));
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
            || self.take_entry(content, line)
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

    fn take_entry(&mut self, content: &str, line: &Line<'_>) -> bool {
        let Some(head) = entry::head(content) else { return false };
        let indent = content.len() - content.trim_start().len();
        let nested = self.raws.last().is_some_and(|last| indent > last.indent + 1);
        let rest = &content[head.rest..];
        let has_url = entry_url::any(rest);
        let counts = match head.style {
            HeadStyle::Bullet => !nested && has_url,
            HeadStyle::Ordered => !nested,
            HeadStyle::Row => has_url,
            HeadStyle::Definition => {
                head.id.is_some_and(|id| !self.reader.reference_only.contains(&id.to_string()))
            }
            HeadStyle::Footnote => notes::is_source(rest) || self.is_known(rest, &head),
            HeadStyle::Bracket => {
                !self.is_wrapped_year(&head) && (has_url || !is_prose(rest) || self.is_known(rest, &head))
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
            indented || !has_url || is_wrap(so_far, content)
        };
        if !belongs || last.head.style == HeadStyle::Row || is_furniture(content) {
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
