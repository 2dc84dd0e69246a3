//! One entry of a Sources block, read from its source lines: number, URL and title, in every form that writers and
//! programs use. In: the text of the entry without containers. Which lines make an entry is for `sources_block`.

use std::borrow::Cow;

use super::line_looks::is_detail;
use super::{EntryUrl, SourceId, Span, entry_url, html, numerals};
use crate::identity::Register;
use crate::text::digits;
use crate::text::fold::unseen;

/// How an entry begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// Its number; `None` for a bare bullet.
    pub id: Option<SourceId>,
    /// Before this byte of the line its number is written.
    pub number: usize,
    /// Where the rest begins, in bytes of the line.
    pub rest: usize,
    pub style: HeadStyle,
}

/// The ways to write an entry's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadStyle {
    /// `[1]`
    Bracket,
    /// `[1]:`
    Definition,
    /// `[^1]:`
    Footnote,
    /// `1.`
    Ordered,
    /// `| 1 |`
    Row,
    /// `①`, `¹`, `#1` or `1 https://…`: an entry only with a URL.
    Bare,
    /// A bullet without a number.
    Bullet,
}

/// Reads the number that `line` begins with.
pub(super) fn head(line: &str) -> Option<Head> {
    let trimmed = line.trim_start_matches(|c: char| c.is_whitespace() || unseen(c));
    let indent = line.len() - trimmed.len();
    let head = |id, rest, style| Head { id, number: indent + rest, rest: indent + rest, style };
    if let Some((id, number)) = row(trimmed) {
        return Some(Head { number: indent + number, ..head(Some(id), 0, HeadStyle::Row) });
    }
    if let Some((number, rest)) = ordered(trimmed) {
        return Some(match bracket(&trimmed[rest..]) {
            Some((id, inner, style)) => head(Some(id), rest + inner, style),
            None => head(Some(number), rest, HeadStyle::Ordered),
        });
    }
    let unbulleted = strip_bullet(trimmed);
    let bullet = trimmed.len() - unbulleted.len();
    if let Some((id, rest, style)) = bracket(unbulleted) {
        return Some(head(Some(id), bullet + rest, style));
    }
    if bullet > 0
        && let Some((id, rest)) = ordered(unbulleted)
    {
        return Some(head(Some(id), bullet + rest, HeadStyle::Ordered));
    }
    if let Some((id, rest)) = bare(unbulleted) {
        return Some(head(Some(id), bullet + rest, HeadStyle::Bare));
    }
    (bullet > 0).then(|| head(None, bullet, HeadStyle::Bullet))
}

/// Numbers of an ordered list as readers see them: `1.` three times is 1, 2, 3.
#[derive(Default)]
pub(super) struct Ordinal {
    written: Option<SourceId>,
    shown: u32,
}

impl Ordinal {
    /// The number shown for the one that is written.
    pub fn next(&mut self, written: SourceId) -> SourceId {
        self.shown = if self.written == Some(written) { self.shown + 1 } else { written.0 };
        self.written = Some(written);
        SourceId(self.shown)
    }
}

/// `text` without a bullet and the space behind it.
pub(super) fn strip_bullet(text: &str) -> &str {
    if let Some(item) = text.strip_prefix('・').or_else(|| strip_item_tag(text)) {
        return item.trim_start();
    }
    match text.strip_prefix(['-', '*', '+', '•', '·', '–', '●', '○', '◦', '‣', '▪', '■', '►'])
    {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start(),
        _ => text,
    }
}

/// `text` behind the `<li>` that it begins with.
fn strip_item_tag(text: &str) -> Option<&str> {
    let end = text.starts_with("<li").then(|| html::tag_end(text, 0))??;
    (html::tag_name(text) == "li").then(|| &text[end..])
}

/// `1.`, `1)`, `(1)`, `1:`, `1\.` or `**1.**` with a space or a non-letter behind it.
fn ordered(text: &str) -> Option<(SourceId, usize)> {
    let undressed = text.trim_start_matches('*');
    let inner = undressed.strip_prefix(['(', '（']).unwrap_or(undressed);
    let (number, length) = digits::leading_number(inner)?;
    let after = inner[length..].trim_start_matches('\\');
    let rest = after.strip_prefix(['.', ')', ':', '．', '、', '）'])?.trim_start_matches('*');
    let wide = after.starts_with(|c: char| !c.is_ascii());
    let apart =
        wide || rest.starts_with([' ', '\t', '[', '<', '\\']) || rest.starts_with(|c: char| !c.is_ascii());
    apart.then(|| (SourceId(number), text.len() - rest.trim_start().len()))
}

/// `①`, `¹`, `1️⃣`, `#1`, `<sup>1</sup>`, or a number with a URL or a tab behind it.
fn bare(text: &str) -> Option<(SourceId, usize)> {
    let raised = text.starts_with("<sup>");
    let undressed = strip_tags(text).trim_start_matches('*');
    let inner = undressed.strip_prefix('#').unwrap_or(undressed);
    let sign = numerals::leading(inner);
    let (number, length) = sign.or_else(|| digits::leading_number(inner))?;
    let after = &inner[length..];
    let unkeyed = after.trim_start_matches('\u{fe0f}').trim_start_matches('\u{20e3}');
    let marked = raised || sign.is_some() || inner.len() < undressed.len() || unkeyed.len() < after.len();
    let rest = unkeyed.strip_prefix("</sup>").unwrap_or(unkeyed);
    let rest = rest.trim_start_matches(['*', '.', ':', '：', ')']);
    let apart = rest.trim_start();
    let url =
        apart.len() < rest.len() && entry_url::starts(apart.trim_start_matches('<')).first() == Some(&0);
    (marked || url || rest.starts_with('\t')).then(|| (SourceId(number), text.len() - apart.len()))
}

/// `text` without a word such as `Source` that stands before the number.
fn without_label(text: &str) -> &str {
    const LABELS: &[&str] = &["Source", "Ref", "Reference", "Quelle", "Fuente", "Fonte", "来源", "出典"];
    let labelled = LABELS.iter().filter_map(|label| text.strip_prefix(label)).map(str::trim_start);
    labelled.into_iter().find(|rest| rest.starts_with(['[', '【'])).unwrap_or(text)
}

/// `[1]`, `**[1]**`, `\[1\]`, `【1】`, `[^1]:`, `[[1]](url)`, with what follows.
fn bracket(text: &str) -> Option<(SourceId, usize, HeadStyle)> {
    let undressed = text.trim_start_matches(['*', '_', '\\', ' ']);
    let undressed = without_label(strip_tags(undressed));
    let open = undressed.chars().next().filter(|c| matches!(c, '[' | '【' | '［'))?;
    let inner = undressed[open.len_utf8()..].trim_start_matches(['[', '\\', '*', ' ']);
    let footnote = inner.starts_with('^');
    let inner = inner.trim_start_matches('^');
    let (number, length) = digits::leading_number(inner)?;
    let after = inner[length..].trim_start_matches(['\\', '*', ' ']);
    let rest = after.strip_prefix([']', '】', '］'])?;
    let rest = if rest.starts_with("](") { &rest[1..] } else { rest };
    let rest = rest.trim_start_matches(['*', '_']);
    let colon = rest.starts_with(':');
    if footnote && !colon {
        return None;
    }
    let style = match (footnote, colon) {
        (true, _) => HeadStyle::Footnote,
        (_, true) => HeadStyle::Definition,
        _ => HeadStyle::Bracket,
    };
    let rest = rest.trim_start_matches([':', '：', '.']);
    Some((SourceId(number), text.len() - rest.len(), style))
}

/// `text` without HTML tags at its start.
fn strip_tags(text: &str) -> &str {
    let mut rest = text;
    while rest.starts_with('<') && !rest.starts_with("<http") {
        let Some(end) = html::tag_end(rest, 0) else { break };
        rest = rest[end..].trim_start();
    }
    rest
}

/// The id in one of the first cells of a table row, and where its cell ends. A row without a pipe before its first
/// cell has its id there.
fn row(text: &str) -> Option<(SourceId, usize)> {
    const CELLS: usize = 5;
    let looked_at = if text.starts_with('|') { CELLS } else { 1 };
    let mut at = 0;
    for cell in text.split_inclusive('|').take(looked_at) {
        at += cell.len();
        if let Some(id) = cell.strip_suffix('|').and_then(cell_id) {
            return Some((id, at));
        }
    }
    // Without pipes around it, its last cell may be the one.
    let bare = text.trim_end().trim_end_matches('|');
    let (before, last) = bare.rsplit_once('|').filter(|_| looked_at == 1)?;
    let id = cell_id(last).filter(|_| entry_url::any(before))?;
    Some((id, bare.len()))
}

/// The id that a cell consists of.
fn cell_id(cell: &str) -> Option<SourceId> {
    let inner = cell.trim().trim_matches(['*', '[', ']', '\\', '#', '^', '【', '】', '.']);
    let (number, length) = digits::leading_number(inner)?;
    (length == inner.len()).then_some(SourceId(number))
}

/// What stands in an entry behind its number.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub url: Option<EntryUrl>,
    pub title: Option<String>,
}

/// Reads URL and title from the bytes `span` of `draft`.
pub(super) fn body(
    draft: &str,
    span: &Span,
    id: Option<SourceId>,
    style: HeadStyle,
    register: &dyn Register,
) -> Body {
    let source = &draft[span.clone()];
    let Some(url) = entry_url::choose(source, id, register) else {
        return Body { url: None, title: title(source, "") };
    };
    let (before, after) = (&source[..url.outer.start], &source[url.outer.end..]);
    let title = match style {
        HeadStyle::Row => cells_title(before, after),
        HeadStyle::Definition => title(before, unquoted(after)),
        _ => title(before, after),
    };
    let span = span.start + url.span.start..span.start + url.span.end;
    Body { url: Some(EntryUrl { span, url: url.url, matches: url.matches }), title }
}

/// The id of an entry, by its URL where it has no number of its own.
pub(super) fn identified(
    id: Option<SourceId>,
    url: Option<EntryUrl>,
    register: &dyn Register,
) -> Option<(SourceId, Option<EntryUrl>)> {
    if let Some(id) = id {
        return Some((id, url));
    }
    let url = url?;
    let id = register.id_of(&url.url)?;
    Some((id, Some(EntryUrl { matches: true, ..url })))
}

/// The title of a link definition without its quotation marks.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let marks = [('"', '"'), ('\'', '\''), ('(', ')')];
    marks.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close)).unwrap_or(text)
}

/// The title among the other cells of a row.
fn cells_title(before: &str, after: &str) -> Option<String> {
    let cells = before.split('|').chain(after.split('|'));
    cells.filter(|cell| cell_id(cell).is_none()).find_map(|cell| title(cell, ""))
}

/// The title: what stands before the URL, else what stands after it.
fn title(before: &str, after: &str) -> Option<String> {
    let (before, after) = without_link_tag(before, after);
    let before = without_details(before);
    let lead = html::text(&before);
    let lead = undress(&lead);
    let is_url = !lead.contains(char::is_whitespace) && entry_url::any(lead);
    if lead.chars().any(char::is_alphanumeric) && !is_url {
        return Some(unescape(lead));
    }
    let after = without_details(without_back_link(after));
    let tail = html::text(&after);
    let tail = tail.trim_start_matches(|c: char| c.is_whitespace() || "—–-:,|：，。)".contains(c)).trim_end();
    tail.chars().any(char::is_alphanumeric).then(|| unescape(tail))
}

/// `text` without the lines that say when a page was read, who published it and the like.
fn without_details(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_inclusive('\n').filter(|line| !is_detail(line)).collect())
}

/// `after` without the link back to the text that it ends with: `[↩](#cite-1)`.
fn without_back_link(after: &str) -> &str {
    match (after.rfind('['), after.trim_end().ends_with(')')) {
        (Some(open), true) if after[open..].contains("](#") => &after[..open],
        _ => after,
    }
}

/// `before` and `after` without the tag that holds the URL, as in `<a href="…">title</a>`.
fn without_link_tag<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let open =
        before.rfind('<').filter(|open| before[*open..].contains("href") && !before[*open..].contains('>'));
    match (open, after.find('>')) {
        (Some(open), Some(close)) => (&before[..open], &after[close + 1..]),
        _ => (before, after),
    }
}

/// Words between a title and its URL.
const LABELS: &[&str] =
    &["URL", "url", "DOI", "doi", "Link", "Available at", "available at", "Retrieved from", "链接", "网址"];

/// A title that stands before its URL, without separators, emphasis and quotation marks around it.
fn undress(before: &str) -> &str {
    let mut text = before.trim();
    if let Some(inner) = text.strip_prefix('[') {
        text = inner.strip_suffix("](").or_else(|| inner.strip_suffix("](<")).unwrap_or(text);
    } else if let Some(linked) = text.strip_suffix("](").or_else(|| text.strip_suffix("](<")) {
        text = linked;
    }
    let separates = |c: char| c.is_whitespace() || "—–-:,|*_\"“”：，<(（`".contains(c);
    let text = text.trim_matches(separates);
    let unlabelled = LABELS.iter().find_map(|label| text.strip_suffix(label));
    let apart = unlabelled.filter(|rest| !rest.ends_with(char::is_alphanumeric));
    apart.unwrap_or(text).trim_matches(separates).trim_end_matches(['.', '。'])
}

/// `text` on one line, without backslash escapes and the entities that renderers write.
pub(super) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut wrapped = false;
    while let Some(c) = chars.next() {
        wrapped |= matches!(c, '\n' | '\r');
        match chars.peek() {
            Some(next) if c == '\\' && next.is_ascii_punctuation() => plain.extend(chars.next()),
            _ => plain.push(c),
        }
    }
    if plain.contains('&') {
        for (entity, c) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            plain = plain.replace(entity, c);
        }
    }
    if wrapped { plain.split_whitespace().collect::<Vec<_>>().join(" ") } else { plain }
}
