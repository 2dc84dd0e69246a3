//! A draft's text as markup: its headings, lists and tables, each sentence in the look of its origin, each
//! citation a link to its source, each finding a mark. The draft's own HTML is shown as text; its links lead
//! somewhere only where that is the web. Any text gives a page; one pass.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::Shown;
use super::looks::{Look, Looks};
use crate::report::word;
use crate::text::printable::steers;
use crate::text::web_link::web_link;

/// The draft's text as HTML.
pub(super) fn body(draft: &Shown<'_>) -> String {
    let mut writer = Writer::new(draft);
    let text = draft.judged.text.trim_start_matches('\u{feff}');
    let start = draft.judged.text.len() - text.len();
    for (event, range) in Parser::new_ext(text, extensions()).into_offset_iter() {
        writer.event(event, start + range.start..start + range.end);
    }
    writer.rest();
    writer.out
}

/// Front matter is left out of the page; the rest is read as it was judged.
fn extensions() -> Options {
    crate::draft::extensions()
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

/// Something that text stands inside.
enum Inside {
    Element(&'static str),
    Link(Option<String>),
    Picture,
    /// Part of a marker that a link to its source stands for.
    Nothing,
}

struct Writer<'s, 'r> {
    draft: &'s Shown<'r>,
    looks: Looks,
    out: String,
    inside: Vec<Inside>,
    /// The next citation and the next mark that are due.
    citation: usize,
    mark: usize,
    /// Marks as (first byte, number of the finding), ascending.
    marks: Vec<(usize, usize)>,
    /// Bytes before this are written.
    done: usize,
    in_head: bool,
}

impl<'s, 'r> Writer<'s, 'r> {
    fn new(draft: &'s Shown<'r>) -> Self {
        let numbered = draft.findings.iter().enumerate();
        let mut marks: Vec<(usize, usize)> =
            numbered.filter_map(|(at, finding)| Some((finding.place.as_ref()?.span.start, at))).collect();
        marks.sort_unstable();
        Self {
            draft,
            looks: Looks::of(draft),
            out: String::with_capacity(draft.judged.text.len() * 2),
            inside: Vec::new(),
            citation: 0,
            mark: 0,
            marks,
            done: 0,
            in_head: false,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.words(&text, range),
            Event::Code(text) => self.within(Inside::Element("code"), &text, range),
            Event::Html(text) | Event::InlineHtml(text) => self.within(Inside::Element("samp"), &text, range),
            Event::FootnoteReference(label) => self.words(&CowStr::from(format!("[^{label}]")), range),
            Event::SoftBreak if self.is_in_block(range.start) => self.out.push_str("<br>"),
            Event::SoftBreak => self.words(" ", range),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::TaskListMarker(done) => self.task(done),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.words(&text, range),
        }
    }

    fn task(&mut self, done: bool) {
        let sign = if done { '☑' } else { '☐' };
        self.out.push_str(&format!("<span class=\"task\">{sign}</span> "));
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let inside = match tag {
            Tag::Emphasis => Inside::Element("em"),
            Tag::Strong => Inside::Element("strong"),
            Tag::Strikethrough => Inside::Element("del"),
            Tag::Link { dest_url, .. } => Inside::Link(web_link(&dest_url)),
            Tag::Image { .. } => Inside::Picture,
            block => return self.start_block(block),
        };
        self.reach(range.start);
        let inside = if range.end <= self.done { Inside::Nothing } else { inside };
        if matches!(inside, Inside::Picture) {
            self.out.push_str("<samp>picture:</samp> ");
        }
        self.inside.push(inside);
    }

    fn start_block(&mut self, tag: Tag<'_>) {
        let opening = match tag {
            Tag::Paragraph => "<p dir=\"auto\">",
            Tag::Heading { level, .. } => {
                let level = (level as u8 + 1).min(6);
                return self.out.push_str(&format!("<h{level} dir=\"auto\">"));
            }
            Tag::BlockQuote(_) => "<blockquote>",
            Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) => "<pre>",
            Tag::List(Some(first)) => return self.out.push_str(&format!("<ol start=\"{first}\">")),
            Tag::List(None) => "<ul>",
            Tag::Item => "<li dir=\"auto\">",
            Tag::FootnoteDefinition(label) => {
                self.out.push_str("<div class=\"footnote\" dir=\"auto\">[^");
                push_text(&mut self.out, &label);
                "] "
            }
            Tag::Table(_) => "<div class=\"scroll\"><table>",
            Tag::TableHead => {
                self.in_head = true;
                "<thead><tr>"
            }
            Tag::TableRow => "<tr>",
            Tag::TableCell if self.in_head => "<th dir=\"auto\">",
            Tag::TableCell => "<td dir=\"auto\">",
            _ => "<div>",
        };
        self.out.push_str(opening);
    }

    fn end(&mut self, tag: TagEnd) {
        let closing = match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image => {
                self.inside.pop();
                return;
            }
            TagEnd::Paragraph => "</p>\n",
            TagEnd::Heading(level) => {
                return self.out.push_str(&format!("</h{}>\n", (level as u8 + 1).min(6)));
            }
            TagEnd::BlockQuote(_) => "</blockquote>\n",
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) => "</pre>\n",
            TagEnd::List(true) => "</ol>\n",
            TagEnd::List(false) => "</ul>\n",
            TagEnd::Item => "</li>\n",
            TagEnd::Table => "</tbody></table></div>\n",
            TagEnd::TableHead => {
                self.in_head = false;
                "</tr></thead><tbody>\n"
            }
            TagEnd::TableRow => "</tr>\n",
            TagEnd::TableCell if self.in_head => "</th>",
            TagEnd::TableCell => "</td>",
            _ => "</div>\n",
        };
        self.out.push_str(closing);
    }

    fn within(&mut self, inside: Inside, text: &str, range: Range<usize>) {
        self.inside.push(inside);
        self.words(text, range);
        self.inside.pop();
    }

    /// Words that stand at `range`: cut where looks, citations and marks begin, unless they are spelled
    /// otherwise there, as entities and code spans are.
    fn words(&mut self, shown: &str, range: Range<usize>) {
        let text = &self.draft.judged.text;
        if text.get(range.clone()) != Some(shown) {
            self.reach(range.start);
            if range.end > self.done {
                self.piece(shown, self.looks.at(range.start).0);
                self.done = range.end;
            }
            return;
        }
        loop {
            self.reach(range.start.max(self.done));
            let at = range.start.max(self.done);
            if at >= range.end {
                return;
            }
            let (look, alike) = self.looks.at(at);
            let next = [Some(alike), self.next_citation(), self.next_mark(), Some(range.end)];
            let next = next.into_iter().flatten().filter(|next| *next > at).min().unwrap_or(range.end);
            self.piece(text.get(at..next).unwrap_or_default(), look);
            self.done = next;
        }
    }

    /// Writes the marks and citations that begin at or before byte `at`, and those that follow on them.
    fn reach(&mut self, at: usize) {
        loop {
            let reached = at.max(self.done);
            let (mark, citation) = (self.next_mark(), self.next_citation());
            if mark.is_some_and(|start| start <= reached && citation.is_none_or(|other| start <= other)) {
                self.write_mark(self.marks[self.mark].1);
                self.mark += 1;
            } else if citation.is_some_and(|start| start <= reached) {
                self.write_citation(self.citation);
                self.citation += 1;
            } else {
                return;
            }
        }
    }

    fn next_citation(&self) -> Option<usize> {
        Some(self.draft.judged.provenance.citations.get(self.citation)?.0.start)
    }

    fn next_mark(&self) -> Option<usize> {
        Some(self.marks.get(self.mark)?.0)
    }

    fn is_in_block(&self, at: usize) -> bool {
        let blocks = &self.draft.judged.provenance.blocks;
        let next = blocks.partition_point(|block| block.start <= at);
        next.checked_sub(1).is_some_and(|own| blocks[own].end > at)
    }

    fn write_mark(&mut self, finding: usize) {
        let severity = word(self.draft.severity(finding));
        let (draft, number) = (self.draft.number, finding + 1);
        self.out.push_str(&format!(
            "<a class=\"mark {severity}\" id=\"d{draft}-m{number}\" href=\"#d{draft}-f{number}\" \
             aria-label=\"{severity} {number}\">{number}</a>"
        ));
    }

    /// One link for each id; what no source stands for is text.
    fn write_citation(&mut self, at: usize) {
        let (span, ids) = &self.draft.judged.provenance.citations[at];
        self.done = self.done.max(span.end);
        let draft = self.draft.number;
        self.out.push_str(&format!("<span class=\"citation\" id=\"d{draft}-c{}\">", at + 1));
        for id in ids {
            self.out.push_str(&match self.draft.has_source(*id) {
                true => format!("<a class=\"cite\" href=\"#s{id}\">[{id}]</a>"),
                false => format!("<span class=\"cite unknown\">[{id}]</span>"),
            });
        }
        if ids.is_empty() {
            push_text(&mut self.out, self.draft.judged.text.get(span.clone()).unwrap_or_default());
        }
        self.out.push_str("</span>");
    }

    fn piece(&mut self, text: &str, look: Look) {
        if self.inside.iter().any(|inside| matches!(inside, Inside::Nothing)) {
            return;
        }
        for inside in &self.inside {
            match inside {
                Inside::Element(name) => self.out.push_str(&format!("<{name}>")),
                Inside::Link(Some(link)) => {
                    self.out.push_str("<a rel=\"noopener noreferrer nofollow\" href=\"");
                    push_text(&mut self.out, link);
                    self.out.push_str("\">");
                }
                _ => {}
            }
        }
        let classes = classes(look);
        if classes.is_empty() {
            push_text(&mut self.out, text);
        } else {
            self.out.push_str(&format!("<span class=\"{classes}\">"));
            push_text(&mut self.out, text);
            self.out.push_str("</span>");
        }
        for inside in self.inside.iter().rev() {
            match inside {
                Inside::Element(name) => self.out.push_str(&format!("</{name}>")),
                Inside::Link(Some(_)) => self.out.push_str("</a>"),
                _ => {}
            }
        }
    }

    /// Marks and citations whose place the text does not show.
    fn rest(&mut self) {
        if self.next_mark().is_some() || self.next_citation().is_some() {
            self.out.push_str("<p>");
            self.reach(usize::MAX);
            self.out.push_str("</p>\n");
        }
    }
}

fn classes(look: Look) -> String {
    let mut classes = Vec::new();
    if let Some(origin) = look.origin {
        classes.push(if look.troubled { "troubled" } else { origin.word() });
    }
    if let Some(severity) = look.finding {
        classes.push(match word(severity) {
            "error" => "on-error",
            "warning" => "on-warning",
            _ => "on-note",
        });
    }
    classes.join(" ")
}

/// Text as text, in an element or in a quoted attribute: nothing is markup, and what could hide or turn it is
/// shown.
pub(super) fn push_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            '\t' => out.push_str("    "),
            '\r' | '\u{feff}' => {}
            c if steers(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
}
