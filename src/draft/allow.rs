//! `<!-- cited: allow RULE -->` comments, with the bytes they speak for: the block that follows, or the paragraph that
//! holds them.

use pulldown_cmark::{Event, Tag};

use super::outline::Outline;
use super::{Allow, SourcesBlock, Span};

/// All such comments, in text order; one entry for each rule that a comment names.
pub(super) fn find(text: &str, outline: &Outline<'_>, blocks: &[SourcesBlock]) -> Vec<Allow> {
    let mut allows: Vec<Allow> = Vec::new();
    if memchr::memmem::find(text.as_bytes(), b"cited:").is_none() {
        return allows;
    }
    let mut waiting = 0;
    let mut paragraph: Span = 0..0;
    for (event, span) in &outline.events {
        match event {
            Event::Start(Tag::HtmlBlock) => {
                for comment in comments_in(outline, span) {
                    allows.extend(read(text, comment, text.len()..text.len()));
                }
            }
            Event::InlineHtml(_) => {
                let covers = if paragraph.end >= span.end { paragraph.clone() } else { span.clone() };
                allows.extend(read(text, span, covers));
                waiting = allows.len();
            }
            Event::Start(tag) => {
                if matches!(tag, Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::TableCell) {
                    paragraph = span.clone();
                }
                for allow in &mut allows[waiting..] {
                    allow.covers = widened(span, blocks);
                }
                waiting = allows.len();
            }
            _ => {}
        }
    }
    allows
}

/// Comments inside an HTML block.
fn comments_in<'o>(outline: &'o Outline<'_>, block: &Span) -> impl Iterator<Item = &'o Span> {
    let first = outline.hidden.partition_point(|span| span.start < block.start);
    let end = block.end;
    outline.hidden[first..].iter().take_while(move |span| span.start < end)
}

/// `covers`, with the whole Sources block where it is the block's heading.
fn widened(covers: &Span, blocks: &[SourcesBlock]) -> Span {
    let block = blocks.iter().find(|block| block.span.start >= covers.start && block.span.start < covers.end);
    covers.start..block.map_or(covers.end, |block| block.span.end.max(covers.end))
}

/// The rules that the comment at `span` allows.
fn read(text: &str, span: &Span, covers: Span) -> Vec<Allow> {
    let comment = text[span.clone()].trim();
    let inner = comment.strip_prefix("<!--").map(|rest| rest.strip_suffix("-->").unwrap_or(rest));
    let rules = inner
        .and_then(|inner| inner.trim().strip_prefix("cited:"))
        .and_then(|rest| rest.trim().strip_prefix("allow"));
    let Some(rules) = rules else { return Vec::new() };
    let names = rules.split([',', ' ', '\t', '\n']).filter(|name| !name.is_empty());
    names.map(|name| Allow { span: span.clone(), rule: name.to_owned(), covers: covers.clone() }).collect()
}
