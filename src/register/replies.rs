//! Sources that a tool returned, in one write. Page bodies are kept as snapshots before the ledger names them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Desk, Registered};
use crate::error::{Error, Result};
use crate::evidence::{Page, Reader};
use crate::ingest::Found;
use crate::ledger::{Ledger, Snapshot};

/// Some of what was found names a page.
pub fn names_a_page(desk: &Desk, found: &[Found]) -> bool {
    found.iter().any(|found| desk.locate(&found.url).is_ok())
}

/// Registers each source once, in the order of the document. `via` outweighs what the reply's shape tells.
///
/// # Errors
/// Those of [`crate::ledger::Store::update`]; a page body can not be kept.
pub fn register(desk: &Desk, found: &[Found], via: Option<&str>) -> Result<Registered> {
    desk.store.update(|ledger| {
        let snapshots = keep(desk, found)?;
        enter(desk, ledger, found, &snapshots, via)
    })
}

/// What [`register`] would do; changes nothing.
///
/// # Errors
/// The ledger can not be read.
pub fn preview(desk: &Desk, found: &[Found], via: Option<&str>) -> Result<Registered> {
    enter(desk, &mut desk.store.read()?, found, &[], via)
}

fn enter(
    desk: &Desk,
    ledger: &mut Ledger,
    found: &[Found],
    snapshots: &[Option<Snapshot>],
    via: Option<&str>,
) -> Result<Registered> {
    let (mut seen, mut ids, mut notes) = (HashSet::new(), Vec::new(), Vec::new());
    let mut nowhere = 0;
    for (at, source) in found.iter().enumerate() {
        let Ok(page) = desk.locate(&source.url) else {
            nowhere += 1;
            continue;
        };
        let id = ledger.add(&page, &source.url, &source.title, &desk.today, via.or(source.via)).id;
        if let Some(Some(snapshot)) = snapshots.get(at)
            && ledger.keep_snapshot(id, snapshot.clone())?
        {
            notes.push(format!("[{id}] has another text than before; both are kept"));
        }
        notes.extend(page.warnings);
        if seen.insert(id) {
            ids.push(id);
        }
    }
    if nowhere > 0 {
        notes.push(format!("{nowhere} of the addresses found are no URLs and were left out"));
    }
    let sources = ids.iter().filter_map(|id| ledger.get(*id)).cloned().collect();
    Ok(Registered { sources, notes })
}

/// Keeps the page bodies; a snapshot stands where its source does.
fn keep(desk: &Desk, found: &[Found]) -> Result<Vec<Option<Snapshot>>> {
    let bodies: Vec<Option<Body>> = found.iter().map(|found| found.body.as_deref().and_then(body)).collect();
    let texts: Vec<&str> = bodies.iter().flatten().map(|body| body.text.as_ref()).collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let digests = desk
        .snapshots
        .keep_all(texts)
        .map_err(|source| Error::Unwritable { path: desk.snapshots.folder().to_owned(), source })?;
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
struct Body<'a> {
    text: Cow<'a, str>,
    reader: Reader,
}

fn body(text: &str) -> Option<Body<'_>> {
    match Reader::detect(text.as_bytes()) {
        _ if text.trim().is_empty() => None,
        Reader::Text => Some(Body { text: text.into(), reader: Reader::Text }),
        reader => {
            let page = Page::read(text.as_bytes().to_vec(), Some(reader)).ok()?;
            Some(Body { text: page.text().to_owned().into(), reader })
        }
    }
}
