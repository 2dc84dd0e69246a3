//! Sources that a tool returned, in one write. Page bodies are kept as snapshots before the ledger names them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Desk;
use crate::error::{Error, Result};
use crate::evidence::{Page, Reader};
use crate::ingest::Found;
use crate::ledger::{Ledger, Snapshot, Source, SourceId};

/// Some of what was found names a page.
pub fn names_a_page(desk: &Desk, found: &[Found]) -> bool {
    found.iter().any(|found| desk.locate(&found.url).is_ok())
}

/// What became of the sources that were found.
#[derive(Debug, Clone, Default)]
pub struct Entered {
    /// The id of every finding; `None` where it names no page.
    pub ids: Vec<Option<SourceId>>,
    /// Lines for the user.
    pub notes: Vec<String>,
}

impl Entered {
    /// Each source once, in the order of the document, as `ledger` holds it.
    pub fn sources<'l>(&self, ledger: &'l Ledger) -> Vec<&'l Source> {
        let mut seen = HashSet::new();
        let once = self.ids.iter().flatten().filter(|id| seen.insert(**id));
        once.filter_map(|id| ledger.get(*id)).collect()
    }
}

/// Registers what was found, in one write. `via` outweighs what the reply's shape tells; `see` looks at the ledger, and
/// may add to it, before it is written.
///
/// # Errors
/// Those of [`crate::ledger::Store::update`] and of `see`; a page body can not be kept.
pub fn register<T>(
    desk: &Desk,
    found: &[Found],
    via: Option<&str>,
    see: impl FnOnce(&mut Ledger, &Entered) -> Result<T>,
) -> Result<(Entered, T)> {
    desk.store.update(|ledger| {
        let snapshots = keep(desk, found)?;
        let entered = enter(desk, ledger, found, snapshots, via)?;
        let seen = see(ledger, &entered)?;
        Ok((entered, seen))
    })
}

/// What [`register`] would do; changes nothing.
///
/// # Errors
/// The ledger can not be read; those of `see`.
pub fn preview<T>(
    desk: &Desk,
    found: &[Found],
    via: Option<&str>,
    see: impl FnOnce(&mut Ledger, &Entered) -> Result<T>,
) -> Result<(Entered, T)> {
    let mut ledger = desk.store.read()?;
    let entered = enter(desk, &mut ledger, found, Vec::new(), via)?;
    let seen = see(&mut ledger, &entered)?;
    Ok((entered, seen))
}

fn enter(
    desk: &Desk,
    ledger: &mut Ledger,
    found: &[Found],
    snapshots: Vec<Option<Snapshot>>,
    via: Option<&str>,
) -> Result<Entered> {
    let mut entered = Entered { ids: Vec::with_capacity(found.len()), notes: Vec::new() };
    let mut snapshots = snapshots.into_iter();
    for source in found {
        let snapshot = snapshots.next().flatten();
        let Ok(page) = desk.locate(&source.url) else {
            entered.ids.push(None);
            continue;
        };
        let id = ledger.add(&page, &source.url, &source.title, &desk.today, via.or(source.via)).id;
        if let Some(snapshot) = snapshot
            && ledger.keep_snapshot(id, snapshot)?
        {
            entered.notes.push(format!("[{id}] has another text than before; both are kept"));
        }
        entered.notes.extend(page.warnings);
        entered.ids.push(Some(id));
    }
    let nowhere = entered.ids.iter().filter(|id| id.is_none()).count();
    if nowhere > 0 {
        entered.notes.push(format!("{nowhere} of the addresses found are no URLs and were left out"));
    }
    Ok(entered)
}

/// Keeps the page bodies; a snapshot stands where its source does.
fn keep(desk: &Desk, found: &[Found]) -> Result<Vec<Option<Snapshot>>> {
    let bodies: Vec<Option<Body>> = found.iter().map(|found| found.body.as_deref().and_then(body)).collect();
    let texts: Vec<&str> = bodies.iter().flatten().map(|body| body.text.as_ref()).collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let digests =
        desk.snapshots.keep_all(texts).map_err(|error| Error::unwritable(desk.snapshots.folder(), error))?;
    let mut digests = digests.into_iter();
    let snapshot = |body: Option<Body>| {
        let body = body?;
        let sha256 = digests.next()?.as_str().to_owned();
        let reader = body.reader.as_str().into();
        Some(Snapshot { sha256, reader, taken: desk.today.clone(), ..Snapshot::default() })
    };
    Ok(bodies.into_iter().map(snapshot).collect())
}

/// A page's text as it is kept, and how it is read.
pub struct Body<'a> {
    text: Cow<'a, str>,
    reader: Reader,
}

impl Body<'_> {
    /// The page to look for quotes on.
    pub fn into_page(self) -> Page {
        Page::from_snapshot(self.text.into_owned(), self.reader)
    }
}

/// The body of a page as a reply holds it; `None` where there is no text in it.
pub fn body(text: &str) -> Option<Body<'_>> {
    match Reader::detect(text.as_bytes()) {
        _ if text.trim().is_empty() => None,
        Reader::Text => Some(Body { text: text.into(), reader: Reader::Text }),
        reader => {
            let page = Page::read(text.as_bytes().to_vec(), Some(reader)).ok()?;
            Some(Body { text: page.text().to_owned().into(), reader })
        }
    }
}
