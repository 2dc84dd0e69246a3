//! Numbers in brackets inside Sources blocks that are neither an entry's own nor known: behind a URL, in a title,
//! in a heading or a caption between entries. They bear nothing out, but no number that was made up may hide there.
//! Read from source lines, as entries are; which of them stand in the page's own title is for the ledger to tell.

use std::collections::HashSet;

use super::outline::Outline;
use super::{Aside, BlockKind, Citation, Entry, Form, SourceId, SourcesBlock, Span, Target, bracket, html};
use crate::identity::Register;
use crate::text::boundary;

/// How far before a bracket the URL is looked for that it may be part of, in bytes.
const NEAR: usize = 512;

/// The longest footnote label that is read as numbers, in bytes.
const LONGEST_LABEL: usize = 64;

/// What decides whether a number is known.
pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub outline: &'a Outline<'a>,
    pub register: &'a dyn Register,
    /// Ids that the draft's blocks list.
    pub listed: &'a HashSet<SourceId>,
}

impl Reader<'_> {
    /// Those of all `blocks`, in text order.
    pub fn find(&self, blocks: &[SourcesBlock]) -> Vec<Aside> {
        let mut found = Vec::new();
        for block in blocks.iter().filter(|block| block.kind != BlockKind::Bibtex) {
            for stretch in html::visible(&self.text[block.span.clone()]) {
                let mut start = block.span.start + stretch.start;
                for line in self.text[start..block.span.start + stretch.end].split_inclusive('\n') {
                    self.line(block, &(start..start + line.len()), &mut found);
                    start += line.len();
                }
            }
        }
        found
    }

    fn line(&self, block: &SourcesBlock, line: &Span, found: &mut Vec<Aside>) {
        let mut at = line.start;
        let mut in_code = false;
        while let Some(step) = self.text[at..line.end].find(['[', '【', '［', '`']) {
            at += step;
            in_code ^= self.text[at..].starts_with('`');
            let marker = if in_code { None } else { self.marker(at, line.end) };
            let next = marker.as_ref().map_or_else(|| at + char_length(self.text, at), |one| one.span.end);
            if let Some(marker) = marker.filter(|one| self.is_checked(block, one)) {
                let entry = holder(block, &marker.span).map(|entry| entry.id);
                found.push(Aside { marker, entry });
            }
            at = next;
        }
    }

    /// The numbers in brackets at `at`; `[^9]` where nothing defines it is read like `[9]`.
    fn marker(&self, at: usize, end: usize) -> Option<Citation> {
        let text = &self.text[..end];
        let (target, form, end) = match text[at..].strip_prefix("[^") {
            Some(inner) => {
                let close = inner.find(']').filter(|close| *close <= LONGEST_LABEL)?;
                let inner = &inner[..=close];
                let read = bracket::read(&format!("[{inner}"), 0)?;
                (read.target, Form::Footnote, at + 1 + read.end)
            }
            None => {
                let read = bracket::read(text, at)?;
                (read.target, read.form, read.end)
            }
        };
        Some(Citation { span: at..end, target, form, spaced: false, sentence: None })
    }

    fn is_checked(&self, block: &SourcesBlock, marker: &Citation) -> bool {
        let fine = match &marker.target {
            Target::Ids(ids) => self.are_fine(ids) || is_count(block, &marker.span, ids),
            _ => false,
        };
        !fine && !self.is_literal(block, &marker.span)
    }

    /// Entries that nobody registered are reported as such; years and zeros name no source.
    fn are_fine(&self, ids: &[SourceId]) -> bool {
        let known = |id: &SourceId| self.register.key_of(*id).is_some() || self.listed.contains(id);
        let year = |id: &SourceId| (1800..=2099).contains(&id.0);
        ids.iter().all(known) || ids.iter().all(year) || ids.contains(&SourceId(0))
    }

    /// Escaped, hidden, part of a URL, or a link back to the text.
    fn is_literal(&self, block: &SourcesBlock, span: &Span) -> bool {
        let (before, behind) = (&self.text[..span.start], &self.text[span.end..]);
        let next_hidden = self.outline.hidden.partition_point(|hidden| hidden.end <= span.start);
        let hidden = self.outline.hidden.get(next_hidden).is_some_and(|hidden| hidden.start <= span.start);
        let escaped = before.ends_with('\\');
        escaped || hidden || behind.starts_with("(#") || is_in_url(block, before, span, behind)
    }
}

/// The last entry that begins before `span`, whose further lines and quotes may hold it.
fn holder<'b>(block: &'b SourcesBlock, span: &Span) -> Option<&'b Entry> {
    let next = block.entries.partition_point(|entry| entry.span.start <= span.start);
    block.entries.get(next.checked_sub(1)?)
}

/// `## Sources [12]` over twelve entries.
fn is_count(block: &SourcesBlock, span: &Span, ids: &[SourceId]) -> bool {
    let titled = block.heading.as_ref().is_some_and(|heading| span.end <= heading.span.end);
    titled && ids.iter().all(|id| id.0 as usize == block.entries.len())
}

/// The URL of the entry holds the brackets, or another one goes on behind them.
fn is_in_url(block: &SourcesBlock, before: &str, span: &Span, behind: &str) -> bool {
    let own = holder(block, span).and_then(|entry| entry.url.as_ref());
    let near = &before[boundary::floor(before, before.len().saturating_sub(NEAR))..];
    let word = near.rsplit(char::is_whitespace).next().unwrap_or_default();
    let goes_on = behind.starts_with(|c: char| c.is_alphanumeric() || "/=&%?#_-".contains(c));
    own.is_some_and(|url| url.span.start <= span.start && span.end <= url.span.end)
        || (goes_on && word.contains("://"))
}

fn char_length(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}
