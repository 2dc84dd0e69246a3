//! Refusals in words: one line that names the page and what was found there, and what to do about it.

use std::fmt;

use super::verdict::{CannotCheck, Difference, Kind, Near, Refusal};

impl Refusal {
    /// One line about `page`: a file name in back-ticks, or words such as `the snapshot of [1]`.
    pub fn message(&self, page: &str) -> String {
        match self {
            Self::TooShort { words } => {
                format!("quote is too short: it has {words} word(s), and 3 are needed")
            }
            Self::Near(near) => near.message(page),
            Self::Elsewhere(id) => {
                format!("quote not found verbatim in {page}, but word for word on the page of source [{id}]")
            }
            Self::Absent => format!("quote not found verbatim in {page}, and nothing like it"),
            Self::CannotCheck(cause) => format!("can not check the quote: {page} {cause}"),
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::TooShort { .. } => "quote a sentence; a few words stand on too many pages".into(),
            Self::Near(Near { kind: Kind::Cut, .. }) => "quote whole words and whole figures".into(),
            Self::Near(Near { kind: Kind::Hidden, .. }) => {
                "quote what a reader of the page sees, without a gap".into()
            }
            Self::Near(_) => "copy the sentence from the page; a reworded quote is not evidence".into(),
            Self::Elsewhere(id) => format!("attach it there with `cited quote {id}`, and cite [{id}]"),
            Self::Absent => "copy a sentence from the page as it was retrieved".into(),
            Self::CannotCheck(cause) => cause.help().into(),
        })
    }
}

impl Near {
    fn message(&self, page: &str) -> String {
        let what = match self.kind {
            Kind::Number => "differs in a number",
            Kind::Negation => "differs in a negation",
            Kind::Unit => "differs in a unit",
            Kind::Sign => "differs in a sign",
            Kind::Hedge => "differs in a hedge",
            Kind::Order => "has the words in another order",
            Kind::Word => "differs in a word",
            Kind::Punctuation => "differs in punctuation",
            Kind::Cut => "is cut inside a word or a figure",
            Kind::Hidden => "is struck out, hidden or interrupted",
        };
        let place =
            format!("quote not found verbatim in {page}; closest passage, line {}, {what}", self.line);
        match self.differences.first() {
            Some(Difference { quote, page }) => format!("{place}: quote has `{quote}`, page has `{page}`"),
            None => place,
        }
    }
}

impl CannotCheck {
    fn help(&self) -> &'static str {
        match self {
            Self::Empty => "save the page's text and name that file with `--from`",
            Self::Binary | Self::Undecodable => "save the page as text, Markdown, HTML or PDF, in UTF-8",
            Self::TooLarge { .. } => "save the part of the page that holds the quote",
            Self::Wall => "retrieve the page again; this is not what its readers see",
            Self::Pdf(_) => "save the text of the PDF and name that file with `--from`",
        }
    }
}

impl fmt::Display for CannotCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty"),
            Self::Binary => f.write_str("is binary, not text"),
            Self::Undecodable => f.write_str("decodes to nothing sensible in any encoding"),
            Self::TooLarge { limit } => write!(f, "is larger than {} MB", limit / 1_000_000),
            Self::Wall => f.write_str("is a log-in page or a check for robots"),
            Self::Pdf(cause) => write!(f, "is a PDF that can not be read: {cause}"),
        }
    }
}
