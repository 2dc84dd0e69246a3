//! The Markdown parser's events with bytes of the original, and what later steps look up in them: headings,
//! what is hidden from a reader, footnote and link definitions. Sentences and citations are not looked at here.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::source::Source;
use super::{Span, html};

/// A draft as the parser sees it.
pub(super) struct Outline<'s> {
    /// Events in text order.
    pub events: Vec<(Event<'s>, Span)>,
    /// Real headings with their level, in text order.
    pub headings: Vec<(Span, u8)>,
    /// Fenced code and HTML comments: what a reader never sees as text; in text order.
    pub hidden: Vec<Span>,
    /// Bytes of raw HTML blocks, in text order.
    pub html: Vec<Span>,
    /// Footnote definitions by label, in text order.
    pub footnotes: Vec<(String, Span)>,
    /// Link definitions, in text order.
    pub definitions: Vec<Definition>,
    /// Where a fence opens that the end of the text closes.
    pub open_fence: Option<usize>,
    /// That fence stands in no list, quote or footnote, which would end before it.
    pub open_at_top: bool,
    /// What closes the raw HTML that the end of the text leaves open outside every container, as `-->`.
    pub open_html: Option<String>,
    depth: usize,
}

/// A link definition, `[label]: destination`.
pub(super) struct Definition {
    pub label: String,
    pub url: String,
    pub span: Span,
}

impl<'s> Outline<'s> {
    /// Parses the body of `source`.
    pub fn read(text: &str, source: &'s Source<'_>) -> Self {
        let parser = Parser::new_ext(&source.body, extensions());
        let mut outline = Self {
            events: Vec::with_capacity(source.body.len() / 24),
            headings: Vec::new(),
            hidden: Vec::new(),
            html: Vec::new(),
            footnotes: Vec::new(),
            definitions: definitions(&parser, source),
            open_fence: None,
            open_at_top: false,
            open_html: None,
            depth: 0,
        };
        for (event, range) in parser.into_offset_iter() {
            let span = source.original(&range);
            outline.note(text, &event, &span);
            outline.events.push((event, span));
        }
        outline
    }

    /// Keeps what later steps look up.
    fn note(&mut self, text: &str, event: &Event<'_>, span: &Span) {
        match event {
            Event::Start(Tag::Heading { level, .. }) if !is_disguised_paragraph(&text[span.clone()]) => {
                self.headings.push((span.clone(), *level as u8));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                if never_closes(text, span) {
                    self.open_fence = Some(span.start);
                    self.open_at_top = self.depth == 0;
                }
                self.hidden.push(span.clone());
            }
            Event::Start(Tag::HtmlBlock) => {
                if self.depth == 0 && text[span.end..].trim_start().is_empty() {
                    self.open_html = html::closer(&text[span.clone()]);
                }
                self.html.push(span.clone());
                self.hidden.extend(comments(text, span));
            }
            Event::InlineHtml(html) if html.starts_with("<!--") => self.hidden.push(span.clone()),
            Event::Start(Tag::FootnoteDefinition(label)) => {
                self.depth += 1;
                self.footnotes.push((label.to_string(), span.clone()));
            }
            Event::Start(Tag::BlockQuote(_) | Tag::Item) => self.depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::Item | TagEnd::FootnoteDefinition) => self.depth -= 1,
            _ => {}
        }
    }
}

/// The extensions that drafts are read with.
pub(crate) fn extensions() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
}

/// Link definitions; they leave no event behind.
fn definitions(parser: &Parser<'_>, source: &Source<'_>) -> Vec<Definition> {
    let mut found: Vec<Definition> = parser
        .reference_definitions()
        .iter()
        .map(|(label, definition)| Definition {
            label: label.to_owned(),
            url: definition.dest.to_string(),
            span: source.original(&definition.span),
        })
        .collect();
    found.sort_by_key(|definition| definition.span.start);
    found
}

/// A setext heading that is a paragraph over a rule: several lines, a citation or sentence punctuation.
pub(super) fn is_disguised_paragraph(source: &str) -> bool {
    let source = source.trim();
    if source.starts_with('#') {
        return false;
    }
    let Some((title, _underline)) = source.rsplit_once('\n') else { return false };
    let title = title.trim_end();
    title.contains('\n')
        || title.ends_with(['.', '!', '?', '。', '！', '？', '…', '।', '؟', '۔', '։', '።'])
        || ["[", "【", "［"].iter().any(|open| title.contains(open))
}

/// A fenced code block that only the end of the text closes.
fn never_closes(text: &str, block: &Span) -> bool {
    if !text[block.end..].trim_start().is_empty() {
        return false;
    }
    let source = text[block.clone()].trim_end();
    let Some(marker) = source.bytes().next() else { return false };
    let length = source.bytes().take_while(|b| *b == marker).count();
    let Some((_, last)) = source.rsplit_once('\n') else { return true };
    let last = last.trim_matches([' ', '\t', '>', '\r']);
    last.len() < length || last.bytes().any(|b| b != marker)
}

/// The comments in an HTML block.
fn comments(text: &str, block: &Span) -> Vec<Span> {
    let source = &text[block.clone()];
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = source[from..].find("<!--").map(|at| from + at) {
        let close = source[open + 4..].find("-->").map_or(source.len(), |at| open + 4 + at + 3);
        found.push(block.start + open..block.start + close);
        from = close;
    }
    found
}
