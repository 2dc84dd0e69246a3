//! A page: its text, how it was read, and the search in it.

use std::ops::Range;
use std::sync::OnceLock;

use super::decode;
use super::html;
use super::judge::Reading;
use super::markdown::Markup;
use super::near;
use super::quote::Quote;
use super::search::{self, Outcome, Place};
use super::verdict::{CannotCheck, Refusal, Verdict};
use super::view::View;
use super::wall;
use crate::identity::SourceId;
use crate::text::fold::{GAP, REFERENCE_CLOSE, REFERENCE_OPEN, WALL, unseen};
use crate::text::lines::LineIndex;

/// Bytes of the beginning that tell what a page is.
const HEAD: usize = 1_024;

/// Characters before and after a match that the ledger records.
const AROUND: usize = 32;

/// How the bytes of a page are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// As it stands, and as Markdown; either accepts.
    Text,
    /// As Markdown.
    Markdown,
    /// Visible text of HTML.
    Html,
    /// Text of a PDF, in reading order.
    Pdf,
}

impl Reader {
    /// The name on the command line and in the ledger.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Pdf => "pdf",
        }
    }

    /// The reader of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Text, Self::Markdown, Self::Html, Self::Pdf].into_iter().find(|r| r.as_str() == name)
    }

    /// What the first bytes of a page say it is.
    pub fn detect(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"%PDF-") {
            return Self::Pdf;
        }
        let wide = decode::wide_encoding(bytes).is_some();
        let head = &bytes[..bytes.len().min(HEAD * if wide { 2 } else { 1 })];
        let head: Vec<u8> =
            head.iter().filter(|byte| !wide || **byte != 0).map(u8::to_ascii_lowercase).collect();
        let opens = |tag: &[u8]| {
            memchr::memmem::find_iter(&head, tag)
                .any(|at| head.get(at + tag.len()).is_none_or(|byte| !byte.is_ascii_alphanumeric()))
        };
        let tags: [&[u8]; 4] = [b"<!doctype html", b"<html", b"<head", b"<body"];
        if tags.into_iter().any(opens) { Self::Html } else { Self::Text }
    }

    /// The largest page it takes, in bytes.
    fn limit(self) -> usize {
        match self {
            Self::Text | Self::Markdown => 512 << 20,
            Self::Html => 64 << 20,
            Self::Pdf => 200 << 20,
        }
    }
}

/// A page that was read once, to be searched for many quotes.
#[derive(Debug)]
pub struct Page {
    text: String,
    reader: Reader,
    plain: OnceLock<View>,
    markup: OnceLock<Markup>,
    hiding: OnceLock<bool>,
}

impl Page {
    /// Reads the bytes of a page, by `reader` or by what the bytes say they are.
    ///
    /// # Errors
    /// The page can not bear anything out: empty, binary, undecodable, too large. A PDF is read by
    /// a process of its own and is refused here: use [`Page::read_with`].
    pub fn read(bytes: Vec<u8>, reader: Option<Reader>) -> Result<Self, CannotCheck> {
        Self::read_with(bytes, reader, |_| Err(CannotCheck::Pdf("no reader for PDF here".into())))
    }

    /// As [`Page::read`], with a way to turn the bytes of a PDF into text (form feeds between pages).
    ///
    /// # Errors
    /// The page can not bear anything out.
    pub fn read_with(
        bytes: Vec<u8>,
        reader: Option<Reader>,
        pdf: impl FnOnce(Vec<u8>) -> Result<String, CannotCheck>,
    ) -> Result<Self, CannotCheck> {
        let reader = reader.unwrap_or_else(|| Reader::detect(&bytes));
        if bytes.len() > reader.limit() {
            return Err(CannotCheck::TooLarge { limit: reader.limit() });
        }
        if bytes.trim_ascii().is_empty() {
            return Err(CannotCheck::Empty);
        }
        let text = match reader {
            Reader::Pdf => pdf(bytes)?,
            Reader::Html => html::visible_text(&decode::decode(bytes, true)?),
            Reader::Text | Reader::Markdown => decode::decode(bytes, false)?,
        };
        if !text.chars().any(|c| !c.is_whitespace() && !unseen(c)) {
            return Err(CannotCheck::Empty);
        }
        Ok(Self::from_snapshot(text, reader))
    }

    /// A page whose text was kept earlier: `text` is what [`Page::text`] gave then.
    pub fn from_snapshot(text: String, reader: Reader) -> Self {
        Self { text, reader, plain: OnceLock::new(), markup: OnceLock::new(), hiding: OnceLock::new() }
    }

    /// The text that is kept as the snapshot and that spans point into: the page's source as UTF-8 for text and
    /// Markdown (the very bytes where they were UTF-8), the visible text for HTML, the extracted text for PDF.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it was read.
    pub fn reader(&self) -> Reader {
        self.reader
    }

    /// Up to 32 characters before and after `span`.
    pub fn around(&self, span: &std::ops::Range<usize>) -> (String, String) {
        let seen = |c: &char| ![WALL, GAP, REFERENCE_OPEN, REFERENCE_CLOSE].contains(c);
        let before = self.text.get(..span.start).unwrap_or_default().chars().rev().filter(seen).take(AROUND);
        let after = self.text.get(span.end..).unwrap_or_default().chars().filter(seen).take(AROUND);
        (before.collect::<Vec<_>>().into_iter().rev().collect(), after.collect())
    }

    /// Does this quote stand on the page?
    pub fn find(&self, quote: &str) -> Verdict {
        self.find_all(&[quote]).pop().unwrap_or(Verdict::Refused(Refusal::Absent))
    }

    /// Do these quotes stand on the page? One verdict for each, in their order; the page is folded once.
    pub fn find_all(&self, quotes: &[&str]) -> Vec<Verdict> {
        self.verdicts(quotes, Place::Anywhere)
    }

    /// As [`Page::find_all`], but a match that runs from one block of the page into the next is refused.
    pub fn find_all_in_one_block(&self, quotes: &[&str]) -> Vec<Verdict> {
        let mut verdicts = self.verdicts(quotes, Place::InOneBlock);
        let refused: Vec<usize> = (0..quotes.len()).filter(|i| verdicts[*i].found().is_none()).collect();
        let again: Vec<&str> = refused.iter().map(|i| quotes[*i]).collect();
        for (i, verdict) in refused.into_iter().zip(self.find_all(&again)) {
            if let Some(found) = verdict.found() {
                let line = LineIndex::new(&self.text).line(found.span.start);
                verdicts[i] = Verdict::Refused(Refusal::CrossesBlock { line });
            }
        }
        verdicts
    }

    /// The quote stands on the page; cheaper than [`Page::find`] where it does not.
    pub fn holds(&self, quote: &str) -> bool {
        self.accepts(&[quote], Place::Anywhere)[0]
    }

    /// Which of these quotes stand at exactly the bytes of their span; the page is folded once, and only those places
    /// are looked at.
    pub(super) fn hold_at(&self, quotes: &[&str], spans: &[Range<usize>]) -> Vec<bool> {
        self.accepts(quotes, Place::At(spans))
    }

    fn verdicts(&self, quotes: &[&str], place: Place<'_>) -> Vec<Verdict> {
        let ready: Vec<Quote<'_>> = quotes.iter().map(|quote| Quote::new(quote)).collect();
        let outcomes = search::search(self, &ready, place);
        ready.iter().zip(outcomes).map(|(quote, outcome)| self.verdict(quote, outcome)).collect()
    }

    fn accepts(&self, quotes: &[&str], place: Place<'_>) -> Vec<bool> {
        let ready: Vec<Quote<'_>> = quotes.iter().map(|quote| Quote::new(quote)).collect();
        let outcomes = search::search(self, &ready, place);
        let accepted = |(quote, outcome): (&Quote<'_>, Outcome)| {
            matches!(outcome, Outcome::Found(_)) && quote.too_short().is_none() && !quote.is_forged()
        };
        ready.iter().zip(outcomes).map(accepted).collect()
    }

    fn verdict(&self, quote: &Quote<'_>, outcome: Outcome) -> Verdict {
        if let Some(words) = quote.too_short() {
            return Verdict::Refused(Refusal::TooShort { words });
        }
        match outcome {
            Outcome::Found(found) if !quote.is_forged() => Verdict::Found(found),
            outcome => Verdict::Refused(self.refusal(quote, &outcome)),
        }
    }

    fn refusal(&self, quote: &Quote<'_>, outcome: &Outcome) -> Refusal {
        match near::closest(self, quote, outcome) {
            Some(near) => Refusal::Near(near),
            None if wall::is_wall(&self.text) => Refusal::CannotCheck(CannotCheck::Wall),
            None => Refusal::Absent,
        }
    }

    /// The page as its reader sees it.
    pub(super) fn seen(&self) -> Reading<'_> {
        let view = match self.plain() {
            Some(plain) if !self.is_markup_possible() => plain,
            _ => &self.markup().view,
        };
        Reading { raw: &self.text, view, unparsed: false }
    }

    /// The page of a PDF, from 1, on which byte `at` of its text stands; `None` for other readers.
    pub fn page_number(&self, at: usize) -> Option<usize> {
        let before = self.text.get(..at)?;
        (self.reader == Reader::Pdf).then(|| memchr::memchr_iter(b'\x0c', before.as_bytes()).count() + 1)
    }

    /// The page as it stands; `None` where it is read as Markdown only.
    pub(super) fn plain(&self) -> Option<&View> {
        (self.reader != Reader::Markdown).then(|| self.plain.get_or_init(|| self.plain_view_of(&self.text)))
    }

    /// A piece of the page as it stands.
    pub(super) fn plain_view_of(&self, piece: &str) -> View {
        if self.reader == Reader::Html { View::cells(piece) } else { View::plain(piece) }
    }

    /// The page as Markdown.
    pub(super) fn markup(&self) -> &Markup {
        self.markup.get_or_init(|| Markup::read(&self.text))
    }

    /// The text may be Markdown.
    pub(super) fn is_markup_possible(&self) -> bool {
        matches!(self.reader, Reader::Text | Reader::Markdown)
    }

    /// `span` touches struck-out text, a comment, a destination or an info string. The page is parsed only
    /// where something near could be one.
    pub(super) fn hides(&self, span: &Range<usize>) -> bool {
        let hiding = *self.hiding.get_or_init(|| may_hide(self.text.as_bytes()));
        (hiding || self.is_markup_near(span)) && self.markup().hides(span)
    }

    fn is_markup_near(&self, span: &Range<usize>) -> bool {
        let bytes = self.text.as_bytes();
        let from = span.start.saturating_sub(PARAGRAPH);
        let to = bytes.len().min(span.end + PARAGRAPH);
        let start = memchr::memmem::rfind(&bytes[from..span.start], b"\n\n").map(|at| from + at);
        let end = memchr::memmem::find(&bytes[span.end..to], b"\n\n").map(|at| span.end + at);
        let (start, end) = match (start, end) {
            (None, _) if from > 0 => return true,
            (_, None) if to < bytes.len() => return true,
            (start, end) => (start.unwrap_or(0), end.unwrap_or(bytes.len())),
        };
        let near = &bytes[start..end];
        memchr::memchr3(b'~', b'<', b'`', near).is_some()
            || memchr::memmem::find(near, b"](").is_some()
            || memchr::memmem::find(near, b"]:").is_some()
    }
}

/// Somewhere in `text` a tag or comment opens that may hide more than its own paragraph.
fn may_hide(text: &[u8]) -> bool {
    memchr::memchr_iter(b'<', text).any(|at| {
        let tag = &text[at + 1..text.len().min(at + LONGEST_TAG)];
        let tag =
            tag.split(|byte| matches!(byte, b'<' | b'>')).next().unwrap_or_default().to_ascii_lowercase();
        let name = tag.split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
        let holds = |word: &[u8]| memchr::memmem::find(&tag, word).is_some();
        tag.starts_with(b"!--") || HIDING.contains(&name) || holds(b"hidden") || holds(b"display")
    })
}

/// Bytes of a tag that are looked at for what hides its element.
const LONGEST_TAG: usize = 512;

/// Elements whose content is struck out or not shown.
const HIDING: [&[u8]; 7] = [b"del", b"s", b"strike", b"script", b"style", b"template", b"noscript"];

/// The source on whose page a quote stands that was refused for another: misattributed, not invented.
pub fn elsewhere<'p>(quote: &str, pages: impl IntoIterator<Item = (SourceId, &'p Page)>) -> Option<SourceId> {
    pages.into_iter().find(|(_, page)| page.holds(quote)).map(|(id, _)| id)
}

/// Bytes; a paragraph that is longer is parsed to know what it hides.
const PARAGRAPH: usize = 64 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_what_a_page_is() {
        for (bytes, reader) in [
            (&b"%PDF-1.7"[..], Reader::Pdf),
            (b"\xef\xbb\xbf\n <!DOCTYPE HTML>", Reader::Html),
            (b"<!-- saved --><HTML lang=en>", Reader::Html),
            (b"<header>Ice", Reader::Text),
            (b"# Ice <b>floats</b>", Reader::Text),
            (b"<\0h\0t\0m\0l\0>\0", Reader::Html),
            (b"", Reader::Text),
        ] {
            assert_eq!(Reader::detect(bytes), reader, "{bytes:?}");
        }
    }

    #[test]
    fn the_text_of_a_page_that_was_utf_8_is_its_very_bytes() {
        let bytes = "\u{feff}Ice\r\nfloats\u{a0}on".as_bytes().to_vec();
        assert_eq!(Page::read(bytes.clone(), None).unwrap().text().as_bytes(), bytes);
    }

    #[test]
    fn what_stands_around_a_match_is_whole_characters_without_marks() {
        let page =
            Page::read("<html><p>10<sup>2</sup> metres of 冰 float on water<p>x".into(), None).unwrap();
        let found = page.find("metres of 冰 float").found().cloned().unwrap();
        assert_eq!(page.around(&found.span), ("102 ".to_string(), " on water\n\nx".to_string()));
    }

    #[test]
    fn a_quote_of_another_page_is_found_there() {
        let pages = ["Salt dissolves in water.", "Ice floats on water."]
            .map(|text| Page::read(text.into(), None).unwrap());
        let pages = pages.iter().enumerate().map(|(at, page)| (SourceId(at as u32 + 1), page));
        assert_eq!(elsewhere("Ice floats on water", pages.clone()), Some(SourceId(2)));
        assert_eq!(elsewhere("Ice sinks in water", pages), None);
    }

    #[test]
    fn a_match_across_blocks_is_refused_only_where_no_block_holds_it() {
        let look = |text: &str| {
            let page = Page::read(text.as_bytes().to_vec(), None).unwrap();
            let quotes = ["on cold water ice", "Ice floats on water"];
            page.find_all_in_one_block(&quotes).remove(0)
        };
        let across = "Ice floats on water\n\n# On cold water\n\nIce floats.\n";
        let html = "<html><td>on cold water<td>ice floats</table>";
        assert_eq!(look(across), Verdict::Refused(Refusal::CrossesBlock { line: 3 }));
        assert_eq!(look(html), Verdict::Refused(Refusal::CrossesBlock { line: 1 }));
        assert!(look(&format!("{across}\nOn cold water ice lasts.")).found().is_some());
        assert!(look("On cold\nwater ice lasts.").found().is_some());
    }

    #[test]
    fn many_quotes_are_found_as_single_ones_are() {
        let text: String = (0..200).map(|n| format!("Cube {n} of ice floats on water {n}. ")).collect();
        let page = Page::read(text.into_bytes(), None).unwrap();
        let quotes: Vec<String> = (0..120).map(|n| format!("cube {} of ice floats", n * 2)).collect();
        let quotes: Vec<&str> = quotes.iter().map(String::as_str).collect();
        for (quote, verdict) in quotes.iter().zip(page.find_all(&quotes)) {
            assert_eq!(verdict, page.find(quote), "{quote}");
        }
    }
}
