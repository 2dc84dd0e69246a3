//! `cited ingest`: every source that a search, extract or answer tool returned, in one write. Page bodies are
//! kept as snapshots before the ledger names them.

use std::collections::HashSet;
use std::path::Path;

use cited::Error;
use cited::evidence::{Page, Reader};
use cited::identity::{self, Locator};
use cited::ingest::{self, Findings, Found};
use cited::ledger::{Ledger, Snapshot, SourceId};

use super::input::read_input;
use super::listing::listing;
use super::reply::{self, Offered};
use super::session::{Session, today};
use super::{Done, Failure, Outcome, Terminal};
use crate::cli::IngestArgs;

pub fn run(args: IngestArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let mut outcome = Outcome::Fine;
    let inputs = inputs(&args, &mut outcome, terminal)?;
    let findings = findings(&inputs, &mut outcome, terminal)?;
    if !findings.found.iter().any(|found| locate(found, session).is_ok_and(|page| page.is_some())) {
        return no_urls(&args, &findings, outcome, terminal);
    }
    let registered = match args.dry_run {
        true => register(&mut session.store()?.read()?, &findings.found, &[], &args, session)?,
        false => session.store()?.update(|ledger| {
            let snapshots = keep(&findings.found, session)?;
            register(ledger, &findings.found, &snapshots, &args, session)
        })?,
    };
    if args.answer {
        outcome = reply::print_answers(&findings, &registered.ids, outcome, terminal)?;
    } else {
        terminal.raw(registered.printed.as_bytes())?;
    }
    registered.warnings.iter().try_for_each(|warning| terminal.warn(warning))?;
    if let Some(offered) = &registered.offered {
        reply::report(offered, terminal)?;
    }
    report(&findings, terminal)?;
    Ok(outcome)
}

/// What can be read of the inputs; what can not is said, and outweighs the rest.
fn inputs<'a>(
    args: &'a IngestArgs,
    outcome: &mut Outcome,
    terminal: &mut Terminal,
) -> Result<Vec<(&'a Path, Vec<u8>)>, Failure> {
    let mut inputs = Vec::new();
    for path in &args.files {
        match read_input(path) {
            Ok(bytes) => inputs.push((path.as_path(), bytes)),
            Err(error) => {
                terminal.error(&error.to_string(), error.help().as_deref())?;
                *outcome = Outcome::NotJudged;
            }
        }
    }
    Ok(inputs)
}

fn findings<'b>(
    inputs: &'b [(&Path, Vec<u8>)],
    outcome: &mut Outcome,
    terminal: &mut Terminal,
) -> Result<Findings<'b>, Failure> {
    let mut all = Findings::default();
    for (path, bytes) in inputs {
        let found = match ingest::read(bytes) {
            Ok(found) => found,
            Err(why) => {
                terminal.error(
                    &format!("`{}` {why}", path.display()),
                    Some("give the reply as the tool returned it"),
                )?;
                *outcome = Outcome::NotJudged;
                continue;
            }
        };
        for line in &found.broken {
            let message =
                format!("`{}` line {} is not valid JSON: {}", path.display(), line.line, line.cause);
            terminal
                .error(&message, Some("the other lines are registered; mend the line and ingest again"))?;
            if *outcome == Outcome::Fine {
                *outcome = Outcome::No;
            }
        }
        all.append(found);
    }
    Ok(all)
}

/// The page that a source names; `None` where it names none.
fn locate(found: &Found, session: &Session) -> cited::Result<Option<Locator>> {
    Ok(identity::locate(&found.url, &session.project()?.identity).ok())
}

/// Keeps the page bodies; a snapshot stands where its source does.
fn keep(found: &[Found], session: &Session) -> cited::Result<Vec<Option<Snapshot>>> {
    let bodies: Vec<Option<Body>> = found.iter().map(|found| found.body.as_deref().and_then(body)).collect();
    let texts: Vec<&str> = bodies.iter().flatten().map(|body| body.text.as_ref()).collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let snapshots = session.snapshots()?;
    let digests = snapshots
        .keep_all(texts)
        .map_err(|source| Error::Unwritable { path: snapshots.folder().to_owned(), source })?;
    let mut digests = digests.into_iter();
    let taken = today();
    let snapshot = |body: Option<Body>| {
        let body = body?;
        let sha256 = digests.next()?.as_str().to_owned();
        Some(Snapshot {
            sha256,
            reader: body.reader.as_str().into(),
            taken: taken.clone(),
            ..Snapshot::default()
        })
    };
    Ok(bodies.into_iter().map(snapshot).collect())
}

/// A page's text as it is kept, and how it is read.
struct Body<'a> {
    text: std::borrow::Cow<'a, str>,
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

/// What registering came to.
struct Registered {
    /// Each source once, in the order of the document, as it is printed.
    printed: String,
    /// The id of every finding.
    ids: Vec<Option<SourceId>>,
    /// What became of the passages that the reply quotes, where that was asked for.
    offered: Option<Offered>,
    warnings: Vec<String>,
}

fn register(
    ledger: &mut Ledger,
    found: &[Found],
    snapshots: &[Option<Snapshot>],
    args: &IngestArgs,
    session: &Session,
) -> cited::Result<Registered> {
    let day = today();
    let (mut ids, mut warnings) = (Vec::with_capacity(found.len()), Vec::new());
    for (at, source) in found.iter().enumerate() {
        let Some(page) = locate(source, session)? else {
            ids.push(None);
            continue;
        };
        let via = args.via.as_deref().or(source.via);
        let id = ledger.add(&page, &source.url, &source.title, &day, via).id;
        if let Some(Some(snapshot)) = snapshots.get(at)
            && ledger.keep_snapshot(id, snapshot.clone())?
        {
            warnings.push(format!("[{id}] has another text than before; both are kept"));
        }
        warnings.extend(page.warnings);
        ids.push(Some(id));
    }
    let nowhere = ids.iter().filter(|id| id.is_none()).count();
    if nowhere > 0 {
        warnings.push(format!("{nowhere} of the addresses found are no URLs and were left out"));
    }
    let offered = args.quotes.then(|| reply::attach_quotes(ledger, found, &ids)).transpose()?;
    let mut seen = HashSet::new();
    let once = ids.iter().flatten().filter(|id| seen.insert(**id));
    let sources: Vec<_> = once.filter_map(|id| ledger.get(*id)).collect();
    Ok(Registered { printed: listing(&sources, args.json), ids, offered, warnings })
}

/// What is worth knowing besides the ids.
fn report(findings: &Findings, terminal: &mut Terminal) -> Result<(), Failure> {
    findings.warnings.iter().try_for_each(|warning| terminal.warn(warning))?;
    let skipped = findings.skipped_in_words();
    if skipped.is_empty() { Ok(()) } else { Ok(terminal.hint(&format!("skipped {skipped}"))?) }
}

fn no_urls(args: &IngestArgs, findings: &Findings, outcome: Outcome, terminal: &mut Terminal) -> Done {
    if outcome == Outcome::NotJudged {
        return Ok(outcome);
    }
    report(findings, terminal)?;
    if args.json {
        terminal.raw(b"[]\n")?;
    }
    let names: Vec<_> = args.files.iter().map(|path| format!("`{}`", path.display())).collect();
    let message = format!("no urls found in {}", names.join(", "));
    terminal.error(&message, Some("`cited add URL` registers a page by hand"))?;
    Ok(Outcome::No)
}
