//! What a search, extract or answer interface returned goes in; the sources it names come out, in document
//! order, with page text for snapshots and the answer whose local numbers point at them.
//!
//! A [`Shape`] is recognised by its own fields and read by exact paths; one file a shape, listed in [`SHAPES`].
//! What none claims goes to the generic walk. No IO and no ledger here: whether two addresses are one page, and
//! which number they get, is decided there.

pub mod answer;
pub mod input;
pub mod json;
pub mod locator;
mod names;
mod reader;

mod anthropic;
mod brave;
mod evidence_bundle;
mod exa;
mod firecrawl;
mod gemini;
mod generic;
mod hermes;
mod jina;
mod langchain;
mod marks;
mod openai;
mod perplexity;
mod recall;
mod searxng;
mod serp;
mod stream;
mod tavily;
mod transcript;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use self::answer::{Answer, Rewritten};
pub use self::input::{BrokenLine, NotJson};
use self::json::Json;
pub use self::names::Skip;
use self::reader::Reader;

/// A kind of reply that is read by exact paths.
pub struct Shape {
    /// What it is called, and the name of its fixtures.
    pub name: &'static str,
    /// Is this object one? Looks at the object's own fields only.
    pub recognises: fn(&Json<'_>) -> bool,
    /// Reads it.
    pub read: for<'a> fn(&mut Json<'a>, &mut Reader<'a>),
}

/// Every shape; the first that recognises an object reads it.
pub const SHAPES: &[Shape] = &[
    recall::SHAPE,
    evidence_bundle::SHAPE,
    evidence_bundle::ENVELOPE,
    anthropic::MESSAGE,
    anthropic::FETCHED,
    anthropic::PASSAGES,
    openai::ANNOTATED,
    openai::SEARCH_CALL,
    gemini::CANDIDATE,
    gemini::GROUNDING,
    gemini::URL_CONTEXT,
    gemini::CITATIONS,
    perplexity::SHAPE,
    perplexity::RESULTS,
    transcript::CALL,
    transcript::REPLY,
    transcript::SPEECH,
    firecrawl::SHAPE,
    tavily::SHAPE,
    exa::SHAPE,
    serp::SHAPE,
    brave::SHAPE,
    searxng::SHAPE,
    jina::SHAPE,
    langchain::SHAPE,
    hermes::SHAPE,
];

/// A source that the reply names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found<'a> {
    /// Its address, as found; or a `mem://` locator.
    pub url: Cow<'a, str>,
    /// Its title, as found; may be empty.
    pub title: Cow<'a, str>,
    /// How it was found, where the shape tells: `memory`.
    pub via: Option<&'static str>,
    /// The text of the page itself, never a snippet or a summary.
    pub body: Option<Cow<'a, str>>,
    /// Passages that the reply says stand on the page; to be checked against a body before they are kept.
    pub quotes: Vec<Cow<'a, str>>,
    /// What the reply's own answer calls it: the `3` in its `[3]`, or a chunk id.
    pub local: Option<Cow<'a, str>>,
}

impl Found<'_> {
    fn into_owned(self) -> Found<'static> {
        Found {
            url: owned(self.url),
            title: owned(self.title),
            via: self.via,
            body: self.body.map(owned),
            quotes: self.quotes.into_iter().map(owned).collect(),
            local: self.local.map(owned),
        }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// Everything that was found in one input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings<'a> {
    /// Sources in document order; one page may come more than once, a later title fills an empty one.
    pub found: Vec<Found<'a>>,
    /// Addresses that were passed over, by reason.
    pub skipped: BTreeMap<Skip, usize>,
    /// Lines for the user.
    pub warnings: Vec<String>,
    /// Lines of JSON Lines that could not be read.
    pub broken: Vec<BrokenLine>,
    /// Answers that cite the sources by numbers or spans of their own.
    pub answers: Vec<Answer<'a>>,
}

impl<'a> Findings<'a> {
    /// The same, holding its text itself.
    pub fn into_owned(self) -> Findings<'static> {
        Findings {
            found: self.found.into_iter().map(Found::into_owned).collect(),
            skipped: self.skipped,
            warnings: self.warnings,
            broken: self.broken,
            answers: self.answers.into_iter().map(Answer::into_owned).collect(),
        }
    }

    /// The same without what each answer was before it was whole: a stream repeats it as it grows.
    fn whole_answers(mut self) -> Self {
        self.answers.dedup_by(|later, earlier| {
            let grown = later.text.starts_with(earlier.text.as_ref());
            if grown {
                std::mem::swap(later, earlier);
            }
            grown
        });
        self
    }

    /// Adds what was found in another input, behind what is here.
    pub fn append(&mut self, other: Findings<'a>) {
        let before = self.found.len();
        self.answers.extend(other.answers.into_iter().map(|answer| answer.moved_by(before)));
        self.found.extend(other.found);
        self.warnings.extend(other.warnings);
        self.broken.extend(other.broken);
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
    }

    /// What was passed over, in words: `2 failed results, 1 profile`. Empty where nothing was.
    pub fn skipped_in_words(&self) -> String {
        let words = |(reason, count): (&Skip, &usize)| match (reason.words(), count) {
            ((one, _), 1) => format!("1 {one}"),
            ((_, many), count) => format!("{count} {many}"),
        };
        self.skipped.iter().map(words).collect::<Vec<_>>().join(", ")
    }
}

/// Reads the sources that `bytes` name: JSON, several documents, JSON Lines, or a stream of events; UTF-8 or UTF-16.
///
/// # Errors
/// The input is not JSON, or nested too deep. Broken lines of JSON Lines are no error: they come back in
/// [`Findings::broken`].
pub fn read(bytes: &[u8]) -> Result<Findings<'_>, NotJson> {
    let (text, replaced) = input::decode(bytes);
    let mut findings = match (stream::documents(&text), text) {
        (Some(documents), _) => read_text(&documents, Reader::default)?.whole_answers().into_owned(),
        (None, Cow::Borrowed(text)) => read_text(text, Reader::default)?,
        (None, Cow::Owned(text)) => read_text(&text, Reader::default)?.into_owned(),
    };
    if replaced {
        findings.warnings.push("the input is not UTF-8; bytes that are none were replaced".into());
    }
    Ok(findings)
}

/// Reads every document of `text` with one reader, and once more with the text mended where that helps.
fn read_text<'a>(text: &'a str, reader: impl Fn() -> Reader<'a>) -> Result<Findings<'a>, NotJson> {
    let first = read_documents(text, reader());
    if matches!(&first, Ok(findings) if findings.broken.is_empty()) {
        return first;
    }
    match input::mended(text) {
        Some(mended) => {
            drop(first);
            read_documents(&mended, reader().into_owned()).map(Findings::into_owned)
        }
        None => first,
    }
}

fn read_documents<'a>(text: &'a str, mut reader: Reader<'a>) -> Result<Findings<'a>, NotJson> {
    let broken = input::documents(text, |mut document| reader.walk(&mut document))?;
    let mut findings = reader.finish();
    findings.broken = broken;
    Ok(findings)
}
