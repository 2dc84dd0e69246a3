//! What a check answers: a match with its span, or a refusal that says what to do. Plain values and their
//! words; how they are reached is not here.

use std::fmt;
use std::ops::Range;

use crate::identity::SourceId;
use crate::text::printable::printable;

/// The answer to "does this quote stand on this page?".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A reader of the page sees these words.
    Found(Match),
    /// They were not found, or it could not be checked.
    Refused(Refusal),
}

impl Verdict {
    /// The match, where there is one.
    pub fn found(&self) -> Option<&Match> {
        match self {
            Self::Found(found) => Some(found),
            Self::Refused(_) => None,
        }
    }
}

/// Where a quote stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Bytes of [`Page::text`](super::Page::text), on character borders.
    pub span: Range<usize>,
    /// Folding rules that were needed, in the order of [`Rule`]; empty: the very bytes.
    pub rules: Vec<Rule>,
    /// The match runs from one block into the next (heading into paragraph, cell into cell).
    pub crosses_block: bool,
    /// What a reader should know about it.
    pub warnings: Vec<Warning>,
}

/// A way in which the page's bytes may differ from the quote's and still show the same words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// White space, line breaks, non-breaking and thin spaces.
    WhiteSpace,
    /// One of several encodings of an accented letter.
    Normalization,
    /// Upper and lower case.
    Case,
    /// Ligatures, full-width and half-width forms, Arabic letters in their shapes.
    Width,
    /// Curly, low and angle quotation marks and primes.
    Quotes,
    /// Hyphens, dashes and minus signs; three dots.
    Dashes,
    /// Soft hyphens and other characters that are not seen.
    Invisible,
    /// Entities such as `&amp;`.
    Entities,
    /// Emphasis, links, headings and other markup.
    Markup,
    /// A word broken by a hyphen at the end of a line.
    LineEndHyphen,
    /// A reference marker such as `[3]` on the page.
    ReferenceMarker,
    /// Spaces around a long dash.
    DashSpacing,
    /// The words that stand for a picture.
    ImageText,
    /// The number of an item in an ordered list.
    ListNumber,
}

impl Rule {
    /// The name that the ledger records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteSpace => "white-space",
            Self::Normalization => "normalization",
            Self::Case => "case",
            Self::Width => "width",
            Self::Quotes => "quotes",
            Self::Dashes => "dashes",
            Self::Invisible => "invisible",
            Self::Entities => "entities",
            Self::Markup => "markup",
            Self::LineEndHyphen => "line-end-hyphen",
            Self::ReferenceMarker => "reference-marker",
            Self::DashSpacing => "dash-spacing",
            Self::ImageText => "image-text",
            Self::ListNumber => "list-number",
        }
    }
}

/// Something about an accepted match that its reader should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// The sentence on the page holds a negation that the quote leaves out.
    ClippedAfterNegation,
    /// The page's text holds characters that change the order in which it is shown, or that hide text.
    HiddenDirection,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ClippedAfterNegation => {
                "clipped after a negation: the page's sentence holds one outside the quote"
            }
            Self::HiddenDirection => "the page's text there holds bidi overrides or invisible tag characters",
        })
    }
}

/// Why a quote was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Fewer than three words.
    TooShort {
        /// How many it has.
        words: usize,
    },
    /// The page says something like it.
    Near(Near),
    /// It stands word for word on the page of another source.
    Elsewhere(SourceId),
    /// It stands there, but runs from one block into the next; only where that was asked about.
    CrossesBlock {
        /// Line of [`Page::text`](super::Page::text) on which it begins, from 1.
        line: usize,
    },
    /// Nothing like it is on the page.
    Absent,
    /// The page can not bear anything out.
    CannotCheck(CannotCheck),
}

/// The closest passage of a page and how it differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// Line of [`Page::text`](super::Page::text), from 1.
    pub line: usize,
    /// Bytes of [`Page::text`](super::Page::text), on character borders.
    pub span: Range<usize>,
    /// The passage on one line.
    pub passage: String,
    /// The words that differ, in order; none where the words are there but cut or hidden.
    pub differences: Vec<Difference>,
    /// The gravest kind among them.
    pub kind: Kind,
}

/// Words that differ; one of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What the quote has.
    pub quote: String,
    /// What the page has.
    pub page: String,
}

/// How a quote differs from the closest passage, gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A figure.
    Number,
    /// not, no, never, without…
    Negation,
    /// A unit after a figure.
    Unit,
    /// A sign, comparison or currency.
    Sign,
    /// may, about, likely…
    Hedge,
    /// The same words in another order.
    Order,
    /// Any other word.
    Word,
    /// Only punctuation or markup.
    Punctuation,
    /// The words are there, but the quote begins or ends inside a word or a figure.
    Cut,
    /// The words are there, but struck out, hidden, or on both sides of something that is.
    Hidden,
}

/// Why a page can not bear anything out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CannotCheck {
    /// It has no text.
    Empty,
    /// It is not text.
    Binary,
    /// Its bytes decode to nothing sensible.
    Undecodable,
    /// It is larger than its reader takes.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A few words that ask for a log-in or for proof that the reader is human.
    Wall,
    /// The PDF could not be read: what its reader said.
    Pdf(String),
}

impl Refusal {
    /// The refusal on one line, where the quote was looked for in `page`.
    pub fn message(&self, page: &str) -> String {
        let page = printable(page);
        match self {
            Self::TooShort { words } => {
                format!("quote too short: {words} word(s), and 3 are the least that is evidence")
            }
            Self::Near(near) => format!("quote not found verbatim in `{page}`; {near}"),
            Self::Elsewhere(id) => {
                format!("quote not found verbatim in `{page}`, but it stands on the page of source [{id}]")
            }
            Self::CrossesBlock { line } => format!(
                "quote not found verbatim within one block of `{page}`; from line {line} on it runs into the next"
            ),
            Self::Absent => format!("quote not found verbatim in `{page}`, nor anything like it"),
            Self::CannotCheck(cause) => format!("cannot check the quote: `{page}` {cause}"),
        }
    }

    /// What to do.
    pub fn help(&self) -> String {
        match self {
            Self::TooShort { .. } => "quote a whole clause or sentence of the page".into(),
            Self::Near(Near { kind: Kind::Cut, .. }) => {
                "begin and end the quote where a word or figure of the page begins and ends".into()
            }
            Self::Near(Near { kind: Kind::Hidden, .. }) => {
                "quote words that a reader of the page sees".into()
            }
            Self::Near(_) => "copy the sentence from the page; a reworded quote is not evidence".into(),
            Self::Elsewhere(id) => {
                format!("attach it to the source it comes from: `cited quote {id} --text …`")
            }
            Self::CrossesBlock { .. } => {
                "quote each block for itself: a heading and its paragraph, or two cells, are two quotes"
                    .into()
            }
            Self::Absent => "copy a sentence from the page, or drop the claim".into(),
            Self::CannotCheck(cause) => cause.help().into(),
        }
    }
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match self.kind {
            Kind::Cut => write!(f, "on line {line} its words stand inside a longer word or figure: ")?,
            Kind::Hidden => write!(f, "on line {line} its words are struck out or hidden: ")?,
            kind => write!(f, "closest passage, line {line}, differs in {kind}: ")?,
        }
        let first = self.differences.iter().find(|one| !one.quote.is_empty() || !one.page.is_empty());
        match first {
            Some(one) => write!(f, "quote has {}, page has {}", shown(&one.quote), shown(&one.page))?,
            None => write!(f, "`{}`", printable(&self.passage))?,
        }
        match self.differences.len() {
            0 | 1 => Ok(()),
            n => write!(f, " (and {} more)", n - 1),
        }
    }
}

fn shown(words: &str) -> String {
    const LONGEST: usize = 80;
    match words.char_indices().nth(LONGEST) {
        _ if words.is_empty() => "nothing".into(),
        Some((end, _)) => format!("`{}…`", printable(&words[..end])),
        None => format!("`{}`", printable(words)),
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number => "a number",
            Self::Negation => "a negation",
            Self::Unit => "a unit",
            Self::Sign => "a sign",
            Self::Hedge => "a hedge",
            Self::Order => "the order of its words",
            Self::Word => "words",
            Self::Punctuation => "punctuation",
            Self::Cut => "where a word ends",
            Self::Hidden => "what is hidden",
        })
    }
}

impl CannotCheck {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Empty | Self::Wall => "fetch the page again and look at what was saved",
            Self::Binary | Self::Undecodable => {
                "save the page as text, HTML or PDF; `--as KIND` names its kind"
            }
            Self::TooLarge { .. } => "save the part of the page that holds the quote",
            Self::Pdf(_) => "save the text of the document, for instance with `pdftotext`",
        }
    }
}

impl fmt::Display for CannotCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty: there is no text in it"),
            Self::Binary => f.write_str("is binary, not text"),
            Self::Undecodable => f.write_str("is in no encoding that decodes to text"),
            Self::TooLarge { limit } => write!(f, "is larger than {} MiB", limit >> 20),
            Self::Wall => f.write_str("is only a few words that ask for a log-in or a check for robots"),
            Self::Pdf(cause) => write!(f, "could not be read as PDF: {}", printable(cause)),
        }
    }
}
