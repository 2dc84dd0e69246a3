//! The source lines of a draft as the reader of Sources blocks needs them: without containers, with code marked.

use super::Span;
use super::outline::Outline;

/// One line of the draft.
pub(super) struct Line<'t> {
    /// Its bytes, without the line end.
    pub span: Span,
    /// How many `>` stand before its content.
    pub depth: usize,
    /// What stands behind them.
    pub content: &'t str,
    /// Fenced code or a comment holds it.
    pub hidden: bool,
    /// It is nothing but a comment.
    pub comment: bool,
    whole: &'t str,
}

/// All lines.
pub(super) struct Lines<'t> {
    lines: Vec<Line<'t>>,
    headings: &'t [(Span, u8)],
}

impl<'t> Lines<'t> {
    /// Splits `text`.
    pub fn read(text: &'t str, outline: &'t Outline<'_>) -> Self {
        let mut lines = Vec::with_capacity(text.len() / 60);
        let mut start = 0;
        let mut next_hidden = 0;
        for whole in text.split_inclusive('\n') {
            let bare = whole.trim_end_matches(['\n', '\r']);
            let first = start + bare.len() - bare.trim_start().len();
            while outline.hidden.get(next_hidden).is_some_and(|span| span.end <= first) {
                next_hidden += 1;
            }
            let hidden = outline.hidden.get(next_hidden).filter(|span| span.start <= first);
            let comment = hidden.is_some_and(|span| text[span.start..].starts_with("<!--"));
            let (depth, content) = without_quotes(bare);
            lines.push(Line {
                span: start..start + bare.len(),
                depth,
                content,
                hidden: hidden.is_some(),
                comment,
                whole: bare,
            });
            start += whole.len();
        }
        Self { lines, headings: &outline.headings }
    }

    /// Line `at`, from 0.
    pub fn get(&self, at: usize) -> Option<&Line<'t>> {
        self.lines.get(at)
    }

    /// The first line behind line `at` that is not blank.
    pub fn below(&self, at: usize) -> Option<&Line<'t>> {
        self.lines.get(at + 1..)?.iter().find(|line| !line.content.trim().is_empty())
    }

    /// The heading that stands on `line`, with its level.
    pub fn heading(&self, line: &Line<'_>) -> Option<&(Span, u8)> {
        let index = self.headings.partition_point(|(span, _)| span.start <= line.span.end);
        self.headings.get(index.checked_sub(1)?).filter(|(span, _)| span.start >= line.span.start)
    }

    /// The first line behind line `at` that begins at or after byte `end`.
    pub fn after(&self, at: usize, end: usize) -> usize {
        let mut next = at + 1;
        while self.lines.get(next).is_some_and(|line| line.span.start < end) {
            next += 1;
        }
        next
    }

    /// Where the line that holds `offset` begins.
    pub fn start_of(&self, offset: usize) -> usize {
        self.holding(offset).map_or(0, |line| line.span.start)
    }

    /// Where the text of the line that holds `offset` ends.
    pub fn end_of(&self, offset: usize) -> usize {
        self.holding(offset).map_or(offset, |line| line.trimmed().end)
    }

    fn holding(&self, offset: usize) -> Option<&Line<'t>> {
        let index = self.lines.partition_point(|line| line.span.start <= offset);
        self.lines.get(index.checked_sub(1)?)
    }
}

impl<'t> Line<'t> {
    /// Its bytes without white space at the end.
    pub fn trimmed(&self) -> Span {
        self.span.start..self.span.start + self.whole.trim_end().len()
    }

    /// What stands behind `depth` quote marks.
    pub fn at_depth(&self, depth: usize) -> &'t str {
        let mut rest = self.whole;
        for _ in 0..depth {
            let Some(inner) = rest.trim_start().strip_prefix('>') else { break };
            rest = inner.strip_prefix(' ').unwrap_or(inner);
        }
        rest
    }

    /// The byte of the draft where `part`, a piece of this line, begins.
    pub fn offset_of(&self, part: &str) -> usize {
        self.span.start + (part.as_ptr() as usize).saturating_sub(self.whole.as_ptr() as usize)
    }
}

/// How many quote marks a line begins with, and the rest.
fn without_quotes(line: &str) -> (usize, &str) {
    let mut depth = 0;
    let mut rest = line;
    while let Some(inner) = rest.trim_start_matches(' ').strip_prefix('>') {
        depth += 1;
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    (depth, rest)
}
