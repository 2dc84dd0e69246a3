//! Sources blocks: a title and the entries below it, or a run of definitions or records without a title. Read from
//! source lines, outside code. Out: blocks with their entries; what follows a block is prose again.

use std::collections::HashSet;

use super::block_lines::{Line, Lines};
use super::entry::{self, Body, HeadStyle, Ordinal};
use super::outline::Outline;
use super::section::{Raw, Section};
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
        blocks.dedup_by(|inner, outer| {
            // A footnote goes on over records and definitions right below it.
            let joined = inner.span.start < outer.span.end;
            if joined {
                outer.span.end = outer.span.end.max(inner.span.end);
                outer.entries.append(&mut inner.entries);
                outer.generated |= inner.generated;
            }
            joined
        });
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
        let mut section = Section::new(self, self.depth(lines, first, title), heading.level, first);
        let mut at = first;
        if let Some(rest) = first_entry {
            at += usize::from(section.take_entry(rest, title, lines.get(at + 1)));
        }
        while let Some(line) = lines.get(at) {
            let Some(next) = section.take(lines, at, line) else { break };
            at = next;
        }
        let intro = section.intro;
        let end_line = section.end_line;
        let mut entries = self.entries(section.raws);
        entries.extend(section.records);
        entries.sort_by_key(|entry| entry.span.start);
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
