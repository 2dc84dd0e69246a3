//! Words that stand on a page become evidence. Each quote is checked against the page; those that stand are
//! attached together with the page's text, in one write.

use super::Desk;
use crate::draft::Draft;
use crate::error::{Error, Result};
use crate::evidence::snapshot::{Digest, NotLoaded};
use crate::evidence::{Match, Page, Reader, Refusal, Verdict};
use crate::ledger::{Anchor, Ledger, Quote, Snapshot, Source, SourceId};

/// A way out where the page is missing.
const NAME_THE_PAGE: &str = "name the page as it was retrieved with `--from FILE`";

/// Bytes of the longest page that may be a draft: reading one costs thirty times its size in memory.
const LONGEST_DRAFT: usize = 4 << 20;

/// What checking some quotes gave, each list in the order in which they were given.
#[derive(Debug, Clone, Default)]
pub struct Checked<'q> {
    /// Quotes that stand on the page.
    pub found: Vec<(&'q str, Match)>,
    /// Quotes that do not.
    pub refused: Vec<(&'q str, Refusal)>,
}

/// Whether a quote may run from one block of the page into the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    /// It may; a warning says so.
    Any,
    /// It may not.
    One,
}

/// Whether the page's text is kept beside the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// It is, so that each quote can be checked again.
    Page,
    /// Its hash alone.
    Hash,
}

/// The newest page text that is kept for a source.
///
/// # Errors
/// None is kept; it can not be had any more.
pub fn kept_page(desk: &Desk, source: &Source) -> Result<Page> {
    let Some(snapshot) = source.snapshots.last() else {
        let message = format!("no page text is kept for [{}]; the quote can not be checked", source.id);
        return Err(Error::no(message).with_help(NAME_THE_PAGE));
    };
    kept(desk, snapshot).map_err(|why| {
        Error::no(format!("the snapshot of [{}] can not be checked: {why}", source.id))
            .with_help("name the page with `--from FILE`")
    })
}

/// Checks quotes against a page; where one is refused that stands on the kept page of another source, the refusal
/// names that source.
pub fn check<'q>(
    desk: &Desk,
    ledger: &Ledger,
    id: SourceId,
    page: &Page,
    texts: &[&'q str],
    blocks: Blocks,
) -> Checked<'q> {
    let verdicts = match blocks {
        Blocks::One => page.find_all_in_one_block(texts),
        Blocks::Any => page.find_all(texts),
    };
    let mut checked = Checked::default();
    for (text, verdict) in texts.iter().zip(verdicts) {
        match verdict {
            Verdict::Found(found) => checked.found.push((*text, found)),
            Verdict::Refused(refusal) => {
                let other = if is_sought(&refusal) { elsewhere(desk, ledger, id, text) } else { None };
                checked.refused.push((*text, other.unwrap_or(refusal)));
            }
        }
    }
    checked
}

/// Refuses a page that lists this very source under its ledger id: then it is one of the drafts, and no statement of a
/// draft bears out itself. `name` is what the page is called.
///
/// # Errors
/// It is such a draft.
pub fn refuse_own_draft(desk: &Desk, ledger: &Ledger, id: SourceId, page: &Page, name: &str) -> Result<()> {
    // Only a page that may be such a draft is read as one: it names the source's site, and it is no book.
    let site = ledger.require(id)?.url.split('/').find(|part| part.contains('.')).unwrap_or_default();
    let text = page.text().as_bytes();
    if text.len() > LONGEST_DRAFT || memchr::memmem::find(text, site.as_bytes()).is_none() {
        return Ok(());
    }
    let draft = Draft::parse(page.text(), &desk.project.draft, ledger);
    let mut entries = draft.blocks.iter().flat_map(|block| &block.entries);
    let lists = entries.any(|entry| entry.id == id && entry.url.as_ref().is_some_and(|url| url.matches));
    if !(lists && draft.cited().contains(&id)) {
        return Ok(());
    }
    let message = format!("`{name}` is a draft that cites [{id}], so its words are no evidence for it");
    Err(Error::no(message).with_help(NAME_THE_PAGE))
}

/// Keeps the page's text, then records the quotes, under one lock: a ledger never names a snapshot that is not there.
/// Gives how many quotes the source has now.
///
/// # Errors
/// Those of [`crate::ledger::Store::update`]; the page's text can not be kept.
pub fn attach(desk: &Desk, id: SourceId, found: &[(&str, Match)], page: &Page, keep: Keep) -> Result<usize> {
    desk.store.update(|ledger| {
        ledger.require(id)?;
        let digest = match keep {
            Keep::Page => keep_text(desk, page)?,
            Keep::Hash => Digest::of(page.text()),
        };
        let sha256 = digest.as_str();
        let taken = desk.today.clone();
        if keep == Keep::Page {
            let reader = page.reader().as_str().to_owned();
            ledger.keep_snapshot(
                id,
                Snapshot { sha256: sha256.into(), reader, taken, ..Snapshot::default() },
            )?;
        }
        // Text that was kept before is there all the same.
        let source = ledger.require(id)?;
        let keep = if source.snapshots.iter().any(|kept| kept.sha256 == sha256) { Keep::Page } else { keep };
        let mut count = source.quotes.len();
        for (text, found_at) in found {
            if keep == Keep::Hash && is_recheckable(ledger.require(id)?, text) {
                continue;
            }
            let anchor = Some(anchor(found_at, page, sha256, keep));
            let quote = Quote { text: (*text).into(), added: desk.today.clone(), anchor, ..Quote::default() };
            count = ledger.attach_quote(id, quote)?;
        }
        Ok(count)
    })
}

/// The quote is stored, and so is the text it was taken from: a check that keeps nothing takes nothing away.
fn is_recheckable(source: &Source, text: &str) -> bool {
    let kept = |quote: &Quote| quote.anchor.as_ref().is_some_and(|anchor| anchor.kept);
    source.quotes.iter().any(|quote| quote.text == text && kept(quote))
}

/// What a reader should know about a match, in words.
pub fn warnings(found: &Match) -> Vec<String> {
    let crosses = found.crosses_block.then(|| "runs from one block of the page into the next".to_owned());
    found.warnings.iter().map(ToString::to_string).chain(crosses).collect()
}

/// A page as it was kept; the error says why it can not be had.
fn kept(desk: &Desk, snapshot: &Snapshot) -> std::result::Result<Page, String> {
    let text = desk.snapshots.load(&snapshot.sha256);
    let reader = Reader::named(&snapshot.reader).unwrap_or(Reader::Text);
    text.map(|text| Page::from_snapshot(text, reader)).map_err(|why| match why {
        NotLoaded::Broken(why) | NotLoaded::Missing(why) => why,
    })
}

/// Whether a refused quote may stand on another page.
fn is_sought(refusal: &Refusal) -> bool {
    !matches!(refusal, Refusal::TooShort { .. } | Refusal::CannotCheck(_) | Refusal::CrossesBlock { .. })
}

/// The other source on whose kept page the words do stand.
fn elsewhere(desk: &Desk, ledger: &Ledger, id: SourceId, text: &str) -> Option<Refusal> {
    let mut others = ledger.sources().iter().filter(|other| other.id != id);
    let holds = |other: &&Source| {
        let newest = other.snapshots.last();
        newest.is_some_and(|snapshot| kept(desk, snapshot).is_ok_and(|page| page.holds(text)))
    };
    others.find(holds).map(|other| Refusal::Elsewhere(other.id))
}

fn keep_text(desk: &Desk, page: &Page) -> Result<Digest> {
    let kept = desk.snapshots.keep(page.text());
    kept.map_err(|error| Error::unwritable(desk.snapshots.folder(), error))
}

/// What a ledger records of a match: where it stands, in which text, and whether that text is kept.
pub fn anchor(found: &Match, page: &Page, sha256: &str, keep: Keep) -> Anchor {
    let (prefix, suffix) = page.around(&found.span);
    Anchor {
        sha256: sha256.into(),
        start: found.span.start,
        end: found.span.end,
        prefix,
        suffix,
        rules: found.rules.iter().map(|rule| rule.as_str().to_owned()).collect(),
        reader: page.reader().as_str().into(),
        kept: keep == Keep::Page,
    }
}
