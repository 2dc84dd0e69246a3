//! `cited quote`: words that stand on the page become evidence. Each is checked; those that stand are attached,
//! and each that does not is refused with what the page says instead.

use cited::Error;
use cited::draft::Draft;
use cited::evidence::snapshot::{Digest, NotLoaded};
use cited::evidence::{Match, Page, Reader, Refusal, Snapshots, Verdict};
use cited::ledger::{Anchor, Ledger, Quote, Snapshot, Source, SourceId};

use super::input::read_input;
use super::session::{Session, today};
use super::{Done, Failure, Outcome, Terminal, pdf};
use crate::cli::{PageKind, QuoteArgs};

pub fn run(args: QuoteArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let id = SourceId(args.id);
    let ledger = session.store()?.read()?;
    let (page, name) = page(&args, ledger.require(id)?, session)?;
    if args.from.is_some() && cites(&page, id, &ledger, session)? {
        let message = format!("`{name}` is a draft that cites [{id}], so its words are no evidence for it");
        return Err(Error::no(message)
            .with_help("name the page as it was retrieved with `--from FILE`")
            .into());
    }
    let texts: Vec<&str> = args.text.iter().map(String::as_str).collect();
    let verdicts = if args.strict { page.find_all_in_one_block(&texts) } else { page.find_all(&texts) };
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for (text, verdict) in texts.iter().zip(verdicts) {
        match verdict {
            Verdict::Found(found_at) => found.push((*text, found_at)),
            Verdict::Refused(refusal) => refused.push((*text, refusal)),
        }
    }
    if !found.is_empty() {
        let count = attach(id, &found, &page, !args.no_snapshot, session)?;
        terminal.line(&format!("[{id}] evidence attached ({count} quote(s))"))?;
        print_warnings(&found, terminal)?;
    }
    for (text, refusal) in &refused {
        let refusal = elsewhere(id, text, refusal, &ledger, session)?;
        terminal.error(&refusal.message(&name), Some(&refusal.help()))?;
    }
    Ok(if refused.is_empty() { Outcome::Fine } else { Outcome::No })
}

/// The page to check against, and what to call it: the file that was named, or the source's newest snapshot.
fn page(args: &QuoteArgs, source: &Source, session: &Session) -> Result<(Page, String), Failure> {
    let reader = args.kind.map(reader);
    if let Some(path) = &args.from {
        let name = path.display().to_string();
        let page = Page::read_with(read_input(path)?, reader, |bytes| pdf::text(&bytes));
        return match page {
            Ok(page) => Ok((page, name)),
            Err(cause) => Err(refused(&Refusal::CannotCheck(cause), &name).into()),
        };
    }
    let Some(snapshot) = source.snapshots.last() else {
        let message = format!("no page text is kept for [{}]; the quote can not be checked", source.id);
        return Err(Error::no(message)
            .with_help("name the page as it was retrieved with `--from FILE`")
            .into());
    };
    let name = format!("snapshot of [{}]", source.id);
    let page = kept(snapshot, session)?.map_err(|why| {
        Error::no(format!("the {name} can not be checked: {why}"))
            .with_help("name the page with `--from FILE`")
    })?;
    Ok((page, name))
}

/// A page as it was kept; the inner error says why it can not be had.
fn kept(snapshot: &Snapshot, session: &Session) -> cited::Result<Result<Page, String>> {
    let text = session.snapshots()?.load(&snapshot.sha256);
    let reader = Reader::named(&snapshot.reader).unwrap_or(Reader::Text);
    Ok(text.map(|text| Page::from_snapshot(text, reader)).map_err(|why| match why {
        NotLoaded::Broken(why) | NotLoaded::Missing(why) => why,
    }))
}

/// Whether a page lists this very source under its ledger id: then it is one of the drafts, and no statement of a draft
/// bears out itself.
fn cites(page: &Page, id: SourceId, ledger: &Ledger, session: &Session) -> cited::Result<bool> {
    let draft = Draft::parse(page.text(), &session.project()?.draft, ledger);
    let mut entries = draft.blocks.iter().flat_map(|block| &block.entries);
    Ok(draft.cited().contains(&id)
        && entries.any(|entry| entry.id == id && entry.url.as_ref().is_some_and(|url| url.matches)))
}

fn refused(refusal: &Refusal, page: &str) -> Error {
    Error::no(refusal.message(page)).with_help(refusal.help())
}

/// Keeps the page's text, then records the quotes, under one lock: a ledger never names a snapshot that is not there.
fn attach(
    id: SourceId,
    found: &[(&str, Match)],
    page: &Page,
    keep: bool,
    session: &Session,
) -> cited::Result<usize> {
    let snapshots = session.snapshots()?;
    let day = today();
    session.store()?.update(|ledger| {
        ledger.require(id)?;
        let digest = match keep {
            true => keep_text(page, &snapshots)?,
            false => Digest::of(page.text()),
        };
        let sha256 = digest.as_str();
        if keep {
            let reader = page.reader().as_str().to_owned();
            let snapshot =
                Snapshot { sha256: sha256.into(), reader, taken: day.clone(), ..Snapshot::default() };
            ledger.keep_snapshot(id, snapshot)?;
        }
        let mut count = 0;
        for (text, found_at) in found {
            let anchor = Some(anchor(found_at, page, sha256, keep));
            let quote = Quote { text: (*text).into(), added: day.clone(), anchor, ..Quote::default() };
            count = ledger.attach_quote(id, quote)?;
        }
        Ok(count)
    })
}

fn keep_text(page: &Page, snapshots: &Snapshots) -> cited::Result<Digest> {
    snapshots
        .keep(page.text())
        .map_err(|source| Error::Unwritable { path: snapshots.folder().to_owned(), source })
}

fn anchor(found: &Match, page: &Page, sha256: &str, kept: bool) -> Anchor {
    let (prefix, suffix) = page.around(&found.span);
    Anchor {
        sha256: sha256.into(),
        start: found.span.start,
        end: found.span.end,
        prefix,
        suffix,
        rules: found.rules.iter().map(|rule| rule.as_str().to_owned()).collect(),
        reader: page.reader().as_str().into(),
        kept,
    }
}

fn print_warnings(found: &[(&str, Match)], terminal: &mut Terminal) -> Result<(), Failure> {
    for (text, found_at) in found {
        for warning in &found_at.warnings {
            terminal.warn(&format!("`{text}`: {warning}"))?;
        }
        if found_at.crosses_block {
            terminal.warn(&format!("`{text}`: runs from one block of the page into the next"))?;
        }
    }
    Ok(())
}

/// The same refusal, or the source on whose snapshot the words do stand.
fn elsewhere(
    id: SourceId,
    text: &str,
    refusal: &Refusal,
    ledger: &Ledger,
    session: &Session,
) -> cited::Result<Refusal> {
    if matches!(refusal, Refusal::TooShort { .. } | Refusal::CannotCheck(_) | Refusal::CrossesBlock { .. }) {
        return Ok(refusal.clone());
    }
    for other in ledger.sources().iter().filter(|other| other.id != id) {
        let Some(snapshot) = other.snapshots.last() else { continue };
        if kept(snapshot, session)?.is_ok_and(|page| page.holds(text)) {
            return Ok(Refusal::Elsewhere(other.id));
        }
    }
    Ok(refusal.clone())
}

fn reader(kind: PageKind) -> Reader {
    match kind {
        PageKind::Text => Reader::Text,
        PageKind::Markdown => Reader::Markdown,
        PageKind::Html => Reader::Html,
        PageKind::Pdf => Reader::Pdf,
    }
}
