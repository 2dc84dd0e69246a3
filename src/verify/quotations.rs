//! Words in quotation marks in cited sentences, looked up in the kept pages of their sources: each page is loaded
//! once and folded once, whatever number of quotations it is asked for. In: drafts, the ledger, a way to load a
//! page. Out: [`Quotations`], and for one draft where they stand. The matching is the evidence room's.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::claims::{Claim, claims};
use super::kept::pages_of;
use super::parallel;
use crate::draft::{Draft, Span};
use crate::evidence::snapshot::NotLoaded;
use crate::evidence::{Page, Reader, Refusal, Verdict};
use crate::ledger::{Ledger, Source, SourceId};
use crate::text::quotations::quotations;
use crate::text::words;

/// What the pages of sources say about words in quotation marks, by source and words.
pub type Quotations = BTreeMap<(SourceId, String), Wording>;

/// What the pages of one source say about words in quotation marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wording {
    /// They stand there.
    Verbatim,
    /// They do not; how the closest passage differs, where there is one.
    Absent(Option<String>),
    /// There is no page to look at.
    Unread,
}

/// A quotation in a cited sentence.
#[derive(Debug)]
pub struct Worded<'a> {
    /// The sources that its sentence cites.
    pub sources: Vec<&'a Source>,
    /// Its bytes in the draft, without the marks.
    pub span: Span,
    /// Its words.
    pub words: String,
    /// The best that a page of the sources says; `None` for words that are not looked up.
    pub wording: Option<Wording>,
}

impl Worded<'_> {
    /// It could not be judged.
    pub fn cannot_tell(&self) -> bool {
        matches!(self.wording, None | Some(Wording::Unread))
    }
}

/// Fewer words in quotation marks are a name or a remark about a word.
const LEAST_WORDS: usize = 3;

/// Looks up the quotations of `drafts`; `load` gives the page text of a recorded digest.
pub fn look_up(
    drafts: &[&Draft],
    ledger: &Ledger,
    load: impl Fn(&str) -> Result<String, NotLoaded> + Sync,
) -> Quotations {
    let mut asked: BTreeMap<SourceId, BTreeSet<String>> = BTreeMap::new();
    for claim in drafts.iter().flat_map(|draft| claims(draft, ledger)) {
        for (words, _) in passages(&claim).into_iter().filter(|(words, _)| is_judged(words, ledger)) {
            claim.ids().into_iter().for_each(|id| {
                asked.entry(id).or_default().insert(words.clone());
            });
        }
    }
    let mut pages: BTreeMap<(&str, &str), Vec<(SourceId, &str)>> = BTreeMap::new();
    for (id, quotations) in &asked {
        for page in ledger.get(*id).map(pages_of).unwrap_or_default() {
            pages.entry(page).or_default().extend(quotations.iter().map(|words| (*id, words.as_str())));
        }
    }
    let pages: Vec<_> = pages.into_iter().collect();
    let verdicts = parallel::map(&pages, |((digest, reader), asked)| on_page(load(digest), reader, asked));
    let mut found: Quotations = BTreeMap::new();
    for (id, quotations) in &asked {
        found.extend(quotations.iter().map(|words| ((*id, words.clone()), Wording::Unread)));
    }
    for ((_, asked), verdicts) in pages.iter().zip(verdicts) {
        for ((id, words), wording) in asked.iter().zip(verdicts) {
            if let Some(known) = found.get_mut(&(*id, (*words).to_owned())) {
                *known = better(known.clone(), wording);
            }
        }
    }
    found
}

/// The quotations of `claims` with what the pages of their sources say.
pub(super) fn worded<'a>(claims: &[Claim<'a>], found: &Quotations) -> Vec<Worded<'a>> {
    let mut all = Vec::new();
    for claim in claims {
        for (words, range) in passages(claim) {
            let known = claim.ids().into_iter().filter_map(|id| found.get(&(id, words.clone())).cloned());
            let wording = known.reduce(unless_unread);
            let span = claim.statement.original(&range);
            all.push(Worded { sources: claim.sources.clone(), span, words, wording });
        }
    }
    all
}

/// What the page of one source says, beside what that of another does: what no page holds is absent only where
/// every source has a page.
fn unless_unread(one: Wording, other: Wording) -> Wording {
    match (one, other) {
        (Wording::Verbatim, _) | (_, Wording::Verbatim) => Wording::Verbatim,
        (Wording::Unread, _) | (_, Wording::Unread) => Wording::Unread,
        (Wording::Absent(None), other) => other,
        (one, _) => one,
    }
}

/// What one page of a source says, beside what another page of it does.
fn better(one: Wording, other: Wording) -> Wording {
    match (one, other) {
        (Wording::Verbatim, _) | (_, Wording::Verbatim) => Wording::Verbatim,
        (Wording::Unread | Wording::Absent(None), other) => other,
        (one, _) => one,
    }
}

/// The quotations of a sentence that are whole in its text, without the punctuation that closes them.
fn passages(claim: &Claim) -> Vec<(String, Range<usize>)> {
    let statement = &claim.statement;
    let passage = |range: Range<usize>| {
        let words = statement
            .text
            .get(range.clone())?
            .trim_end_matches([',', '.', ';', ':', '!', '?', '，', '。', '、']);
        let range = range.start..range.start + words.len();
        (!words.is_empty()).then(|| (words.to_owned(), range))
    };
    quotations(&statement.text).into_iter().filter_map(passage).collect()
}

/// Three words or more, and not the title of a source.
fn is_judged(quotation: &str, ledger: &Ledger) -> bool {
    let is_title = |source: &Source| source.title.trim().eq_ignore_ascii_case(quotation.trim());
    words::count(quotation) >= LEAST_WORDS && !ledger.sources().iter().any(is_title)
}

fn on_page(text: Result<String, NotLoaded>, reader: &str, asked: &[(SourceId, &str)]) -> Vec<Wording> {
    let Ok(text) = text else { return vec![Wording::Unread; asked.len()] };
    let page = Page::from_snapshot(text, Reader::named(reader).unwrap_or(Reader::Text));
    let quotations: Vec<&str> = asked.iter().map(|(_, words)| *words).collect();
    let verdicts = page.find_all(&quotations);
    quotations.iter().zip(verdicts).map(|(quotation, verdict)| wording(&page, quotation, verdict)).collect()
}

fn wording(page: &Page, quotation: &str, verdict: Verdict) -> Wording {
    match verdict {
        Verdict::Found(_) => Wording::Verbatim,
        Verdict::Refused(Refusal::TooShort { .. } | Refusal::CannotCheck(_)) => Wording::Unread,
        Verdict::Refused(_)
            if in_parts(page, quotation) || page.holds(&with_other_inner_marks(quotation)) =>
        {
            Wording::Verbatim
        }
        Verdict::Refused(Refusal::Near(near)) => Wording::Absent(Some(near.to_string())),
        Verdict::Refused(_) => Wording::Absent(None),
    }
}

/// A quotation with words left out or put in brackets, or a first letter in another case: each part of three words or more stands on the page.
fn in_parts(page: &Page, quotation: &str) -> bool {
    const GAPS: [&str; 5] = ["[…]", "[...]", "(…)", "…", "..."];
    let mut plain = quotation.to_owned();
    for gap in GAPS {
        plain = plain.replace(gap, "\n");
    }
    let mut parts = String::new();
    for (at, piece) in plain.split('[').enumerate() {
        match piece.split_once(']').filter(|_| at > 0) {
            None => parts.push_str(piece),
            Some((letter, behind)) if is_first_letter(letter, behind) => parts.extend([letter, behind]),
            Some((_, behind)) => parts.push_str(behind),
        }
        parts.push('\n');
    }
    let elided = plain != quotation || quotation.contains('[');
    let parts: Vec<&str> = parts.lines().map(str::trim).filter(|part| !part.is_empty()).collect();
    let long: Vec<&str> = parts.into_iter().filter(|part| words::count(part) >= LEAST_WORDS).collect();
    elided && !long.is_empty() && long.iter().all(|part| page.holds(part.trim_end_matches([',', '.', ';'])))
}

/// `[I]ce`: only the case of a word's first letter was changed, which the page is asked about all the same.
fn is_first_letter(letter: &str, behind: &str) -> bool {
    letter.chars().count() == 1
        && letter.chars().all(char::is_alphabetic)
        && behind.starts_with(char::is_alphabetic)
}

/// Quotation marks inside a quotation change their kind when it is quoted; apostrophes stay.
fn with_other_inner_marks(quotation: &str) -> String {
    let mut opened = false;
    let mut before = ' ';
    let mut rest = quotation.chars().peekable();
    let mut other = String::with_capacity(quotation.len());
    while let Some(c) = rest.next() {
        let ends_word = !rest.peek().is_some_and(|next| next.is_alphanumeric());
        let (opens, closes) = match c {
            '\'' => (!before.is_alphanumeric() && !ends_word, ends_word),
            c => (c == '‘', c == '’'),
        };
        other.push(match c {
            '“' | '”' | '"' => '\'',
            _ if opens || closes && opened => '"',
            c => c,
        });
        opened = opens || opened && !closes;
        before = c;
    }
    other
}
