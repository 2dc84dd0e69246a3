//! Blocks turned into units of plain text: what a reader sees of each paragraph, list item, heading, table cell
//! or HTML block, with the way back to bytes of the draft and notes on what is a link, code or an escape.
//! Sources blocks are left out. Citations and sentences are found later, in the plain text.

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use super::outline::{Outline, is_disguised_paragraph};
use super::{Span, html};
use crate::text::digits;

/// A stretch of plain text, in bytes of [`Prose::text`].
pub(super) type Stretch = std::ops::Range<usize>;

/// The visible text of a draft, unit after unit.
#[derive(Debug, Clone, Default)]
pub(super) struct Prose {
    /// Plain text; units stand one behind the other.
    pub text: String,
    /// Units in text order.
    pub units: Vec<Unit>,
    /// Links whose text is a number, in text order.
    pub links: Vec<NumberLink>,
    /// Stretches that no citation can stand in: code, URLs; in text order.
    pub opaque: Vec<Stretch>,
    /// Positions of characters that a backslash escapes, ascending.
    pub escapes: Vec<usize>,
    /// Stretches that say nothing themselves: citations, markers, code, formulas, URLs; by their start.
    pub silent: Vec<Stretch>,
    map: Vec<Step>,
}

/// One paragraph, list item, heading, table cell or HTML block.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub kind: Kind,
    pub text: Stretch,
}

/// How a unit is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its sentences count.
    Prose,
    /// Only its citations count: headings, table cells, HTML.
    Other,
}

/// A link whose text is a number in brackets.
#[derive(Debug, Clone)]
pub(super) struct NumberLink {
    /// The bracketed number (or numbers) in the plain text.
    pub text: Stretch,
    /// Its destination, empty where that is a place in the document; `None` where it leans on a definition.
    pub url: Option<String>,
}

/// Plain text that came from one run of the draft.
#[derive(Debug, Clone)]
struct Step {
    plain: usize,
    original: Span,
    /// The run stands in the plain text byte for byte.
    verbatim: bool,
}

impl Prose {
    /// Gathers the visible text of `outline`, without the bytes of `blocks` (sorted).
    pub fn gather(text: &str, outline: &Outline<'_>, blocks: &[Span]) -> Self {
        let mut gatherer = Gatherer {
            text,
            blocks,
            next_block: 0,
            prose: Self::default(),
            open: None,
            row_without_pipe: false,
            skip_until: 0,
            code_tag: None,
            link_text: None,
        };
        gatherer.prose.text.reserve(text.len());
        for (event, span) in &outline.events {
            gatherer.take(event, span);
        }
        gatherer.close();
        gatherer.prose
    }

    /// The same text, where these stretches say nothing themselves.
    pub fn with_silent(self, silent: Vec<Stretch>) -> Self {
        Self { silent, ..self }
    }

    /// The bytes of the draft behind a stretch of plain text, with the backslash that escapes its first character.
    pub fn original(&self, stretch: &Stretch) -> Span {
        if stretch.is_empty() {
            let at = self.start_of(stretch.start);
            return at..at;
        }
        let backslash = usize::from(self.escapes.binary_search(&stretch.start).is_ok());
        self.start_of(stretch.start).saturating_sub(backslash)..self.end_of(stretch.end)
    }

    /// The byte of the draft where the plain character at `at` begins.
    fn start_of(&self, at: usize) -> usize {
        let Some(step) = self.step(at) else { return 0 };
        if step.verbatim { step.original.start + (at - step.plain) } else { step.original.start }
    }

    /// The byte of the draft where the plain character before `at` ends.
    fn end_of(&self, at: usize) -> usize {
        let Some(step) = self.step(at - 1) else { return 0 };
        if step.verbatim { step.original.start + (at - step.plain) } else { step.original.end }
    }

    fn step(&self, at: usize) -> Option<&Step> {
        let index = self.map.partition_point(|step| step.plain <= at);
        self.map.get(index.checked_sub(1)?)
    }
}

/// Walks the events once.
struct Gatherer<'a> {
    text: &'a str,
    blocks: &'a [Span],
    next_block: usize,
    prose: Prose,
    open: Option<(Kind, usize)>,
    row_without_pipe: bool,
    /// Events that begin before this byte belong to something already taken whole.
    skip_until: usize,
    /// Inside `<code>` and its kin: where it began in the plain text.
    code_tag: Option<usize>,
    /// Where the text of an autolink began.
    link_text: Option<usize>,
}

impl Gatherer<'_> {
    fn take(&mut self, event: &Event<'_>, span: &Span) {
        match event {
            Event::Start(tag) if span.start >= self.skip_until => self.start(tag, span),
            Event::End(tag) => self.end(tag),
            _ if span.start < self.skip_until => {}
            Event::Text(decoded) => self.visible(decoded, span),
            Event::Code(code) => {
                let from = self.prose.text.len();
                self.push(code, span);
                self.prose.opaque.push(from..self.prose.text.len());
            }
            Event::SoftBreak | Event::HardBreak => self.push("\n", span),
            Event::FootnoteReference(_) => self.visible(&self.text[span.clone()], span),
            Event::InlineHtml(tag) => self.inline_tag(tag, span),
            Event::Rule => self.close(),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, span: &Span) {
        match tag {
            Tag::Paragraph if is_apart(&self.text[span.clone()]) => self.begin(Kind::Other),
            Tag::Paragraph => self.begin(Kind::Prose),
            Tag::Heading { .. } if is_disguised_paragraph(&self.text[span.clone()]) => {
                self.begin(Kind::Prose)
            }
            Tag::Heading { .. } => self.begin(Kind::Other),
            Tag::CodeBlock(_) => {
                self.close();
                self.skip_until = span.end;
            }
            Tag::HtmlBlock => self.html_block(span),
            Tag::Image { .. } => self.skip_until = span.end,
            Tag::TableHead => self.row_without_pipe = false,
            Tag::TableRow => {
                let without_pipe = !self.text[span.clone()].contains('|');
                if !(without_pipe && self.row_without_pipe) {
                    self.close();
                }
                self.row_without_pipe = without_pipe;
            }
            Tag::TableCell if self.row_without_pipe => {
                if self.open.is_some() {
                    self.push(" ", &(span.start..span.start));
                }
            }
            Tag::TableCell => self.begin(Kind::Other),
            Tag::Link { link_type, dest_url, .. } => self.link(*link_type, dest_url, span),
            Tag::Strikethrough => self.tilde(span.start..span.start + 1),
            Tag::Emphasis | Tag::Strong => {}
            _ => self.close(),
        }
    }

    fn end(&mut self, tag: &TagEnd) {
        match tag {
            TagEnd::Link => {
                if let Some(from) = self.link_text.take() {
                    self.prose.opaque.push(from..self.prose.text.len());
                }
            }
            TagEnd::TableCell if self.row_without_pipe => {}
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Image => {}
            _ => self.close(),
        }
    }

    fn begin(&mut self, kind: Kind) {
        self.close();
        self.open = Some((kind, self.prose.text.len()));
    }

    fn close(&mut self) {
        let Some((kind, from)) = self.open.take() else { return };
        let text = from..self.prose.text.len();
        self.code_tag = None;
        if !self.prose.text[text.clone()].trim().is_empty() {
            self.prose.units.push(Unit { kind, text });
        }
    }

    /// Adds visible text that stands for `span`, unless a Sources block holds it.
    fn push(&mut self, shown: &str, span: &Span) {
        while self.blocks.get(self.next_block).is_some_and(|block| block.end <= span.start) {
            self.next_block += 1;
        }
        if self.blocks.get(self.next_block).is_some_and(|block| block.start <= span.start) {
            return;
        }
        if self.open.is_none() {
            self.open = Some((Kind::Prose, self.prose.text.len()));
        }
        let verbatim = self.text.get(span.clone()) == Some(shown);
        self.prose.map.push(Step { plain: self.prose.text.len(), original: span.clone(), verbatim });
        self.prose.text.push_str(shown);
    }

    /// Adds text, noting whether a backslash escapes its first character.
    fn visible(&mut self, shown: &str, span: &Span) {
        let at = self.prose.text.len();
        let after_backslash = span.start > 0 && self.text.as_bytes()[span.start - 1] == b'\\';
        let taken = self.prose.map.last().is_some_and(|step| step.original.end >= span.start);
        self.push(shown, span);
        if after_backslash && !taken && self.prose.text.len() > at {
            self.prose.escapes.push(at);
        }
        if self.code_tag.is_some() && self.prose.text.len() > at {
            self.prose.opaque.push(at..self.prose.text.len());
        }
    }

    /// A single tilde is a character, not half of a strikethrough.
    fn tilde(&mut self, span: Span) {
        if !self.text[span.start..].starts_with("~~") {
            self.push("~", &span);
        }
    }

    /// Link text is prose; a bare number in brackets is kept with its brackets, for the citation scanner.
    fn link(&mut self, link_type: LinkType, url: &str, span: &Span) {
        if matches!(link_type, LinkType::Autolink | LinkType::Email) {
            self.link_text = Some(self.prose.text.len());
            return;
        }
        let source = &self.text[span.clone()];
        let Some((number, label)) = bracketed_number(source) else { return };
        self.skip_until = span.end;
        let from = self.prose.text.len();
        let twice = !label.is_empty() && label.chars().all(|c| digits::value(c).is_some());
        let bare = link_type == LinkType::Shortcut || twice;
        let inline = link_type == LinkType::Inline;
        if bare || (inline && !is_url(url) && !url.starts_with('#')) {
            self.visible(source, span);
        } else {
            self.push(&format!("[{number}]"), span);
        }
        let text = from..self.prose.text.len();
        if bare || link_type == LinkType::Collapsed {
            self.prose.links.push(NumberLink { text, url: None });
        } else if is_url(url) || url.starts_with('#') {
            let url = is_url(url).then(|| url.to_owned());
            self.prose.links.push(NumberLink { text, url: Some(url.unwrap_or_default()) });
        }
    }

    fn inline_tag(&mut self, tag: &str, span: &Span) {
        let closing = tag.starts_with("</");
        let name = html::tag_name(tag);
        if name == "br" {
            self.push("\n", span);
        } else if html::is_verbatim(&name) {
            self.code_tag = (!closing).then_some(self.prose.text.len());
        }
    }

    fn html_block(&mut self, span: &Span) {
        self.begin(Kind::Other);
        self.skip_until = span.end;
        for stretch in html::visible(&self.text[span.clone()]) {
            let shown = span.start + stretch.start..span.start + stretch.end;
            self.visible_lines(&shown);
        }
    }

    /// Adds raw text line by line, so that a Sources block inside it is left out.
    fn visible_lines(&mut self, span: &Span) {
        let mut start = span.start;
        for line in self.text[span.clone()].split_inclusive('\n') {
            self.visible(line, &(start..start + line.len()));
            start += line.len();
        }
    }
}

/// A paragraph that is no prose: a row of a table without its head, or a caption such as `Figure 2: …`.
fn is_apart(source: &str) -> bool {
    const CAPTIONS: &[&str] = &[
        "figure",
        "fig.",
        "table",
        "abbildung",
        "abb.",
        "tabelle",
        "tab.",
        "tableau",
        "figura",
        "tabla",
        "tabela",
        "tabella",
        "рис.",
        "рисунок",
        "таблица",
        "图",
        "表",
        "図",
        "圖",
        "그림",
        "표",
    ];
    let source = source.trim();
    if source.starts_with('|') && source.ends_with('|') {
        return true;
    }
    let bare = source.trim_start_matches(['*', '_', '[']);
    let head: String = bare.chars().take(12).flat_map(char::to_lowercase).collect();
    let Some(rest) = CAPTIONS.iter().find_map(|word| head.strip_prefix(word)) else { return false };
    let rest = rest.trim_start();
    let number = rest.find(|c: char| digits::value(c).is_none() && c != '.').unwrap_or(0);
    number > 0 && rest[number..].trim_start_matches(['*', '_', ']']).starts_with([':', '：'])
}

/// The number in the text of a link and the label behind it: `1` and `2` in `[1][2]`, `1` in `[[1]](url)`.
fn bracketed_number(source: &str) -> Option<(String, &str)> {
    let inner = source.strip_prefix('[')?;
    let close =
        inner.find("](").or_else(|| inner.find("][")).or_else(|| inner.strip_suffix(']').map(str::len))?;
    if close > 64 {
        return None;
    }
    let label =
        inner[close + 1..].strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or_default();
    let number: String =
        inner[..close].chars().filter(|c| !matches!(c, '[' | ']' | '\\' | '*' | '_')).collect();
    let listed = |c: char| digits::value(c).is_some() || matches!(c, ',' | ';' | ' ' | '-' | '–');
    let starts = number.chars().next().is_some_and(|c| digits::value(c).is_some());
    (starts && number.chars().all(listed)).then_some((number, label))
}

/// A link destination that names a page, not a place in the document or a file beside it.
pub(super) fn is_url(destination: &str) -> bool {
    destination.contains("://") || destination.starts_with("www.") || destination.starts_with("doi:")
}
