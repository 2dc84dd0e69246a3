//! `cited add`: pages to ids, in argument order, in one write.

use std::io::Read;

use cited::Error;
use cited::identity::Locator;
use cited::ledger::{Ledger, SourceId};

use super::session::{Session, today};
use super::{Done, Failure, Outcome, Terminal, json};
use crate::cli::AddArgs;

pub fn run(args: AddArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let given = given(&args.urls)?;
    let title = title(&args, given.len(), terminal)?;
    let accessed = accessed(args.accessed)?;
    let mut pages = Vec::new();
    let mut refused = Vec::new();
    for text in &given {
        match session.locate(text)? {
            Ok(locator) => pages.push((text.as_str(), locator)),
            Err(reason) => refused.push(reason),
        }
    }
    if !pages.is_empty() {
        let added = register(session, &pages, &title, &accessed, args.via.as_deref())?;
        print(&added, args.json, terminal)?;
    }
    for (_, locator) in &pages {
        locator.warnings.iter().try_for_each(|warning| terminal.warn(warning))?;
    }
    for reason in &refused {
        terminal.error(&reason.found, reason.help.as_deref())?;
    }
    Ok(if refused.is_empty() { Outcome::Fine } else { Outcome::NotJudged })
}

/// What was registered: the ledger afterwards, the ids in the order of the arguments, and look-alikes.
struct Registered {
    ledger: Ledger,
    ids: Vec<SourceId>,
    alike: Vec<(SourceId, SourceId)>,
}

fn register(
    session: &Session,
    pages: &[(&str, Locator)],
    title: &str,
    accessed: &str,
    via: Option<&str>,
) -> cited::Result<Registered> {
    session.store()?.update(|ledger| {
        let mut ids = Vec::new();
        let mut alike = Vec::new();
        for (given, locator) in pages {
            let added = ledger.add(locator, given, title, accessed, via);
            if let Some(other) =
                added.new.then(|| ledger.looks_like(locator)).flatten().filter(|id| *id != added.id)
            {
                alike.push((added.id, other));
            }
            ids.push(added.id);
        }
        Ok(Registered { ledger: ledger.clone(), ids, alike })
    })
}

fn print(registered: &Registered, as_json: bool, terminal: &mut Terminal) -> Result<(), Failure> {
    let sources: Vec<_> = registered.ids.iter().filter_map(|id| registered.ledger.get(*id)).collect();
    if as_json {
        terminal.raw(&json::entries(&sources))?;
    } else {
        sources.iter().try_for_each(|source| terminal.line(&format!("[{}] {}", source.id, source.url)))?;
    }
    for (id, other) in &registered.alike {
        terminal.hint(&format!("[{id}] looks like [{other}]"))?;
    }
    Ok(())
}

/// The arguments, with `-` replaced by the lines of stdin.
fn given(urls: &[String]) -> cited::Result<Vec<String>> {
    let mut given = Vec::new();
    for url in urls {
        if url == "-" {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| Error::Unreadable {
                path: "-".into(),
                found: cited::error::plain(&error),
            })?;
            given.extend(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
        } else {
            given.push(url.clone());
        }
    }
    if given.is_empty() {
        return Err(Error::not_judged("no URL was given").with_help("`cited add https://example.org/page`"));
    }
    Ok(given)
}

fn title(args: &AddArgs, pages: usize, terminal: &mut Terminal) -> Result<String, Failure> {
    if pages > 1 && args.title.is_some() {
        terminal.warn("--title names one page; with several URLs it is ignored")?;
        return Ok(String::new());
    }
    Ok(args.title.clone().unwrap_or_default())
}

fn accessed(given: Option<String>) -> cited::Result<String> {
    let Some(text) = given else { return Ok(today()) };
    match text.trim().parse::<jiff::civil::Date>() {
        Ok(date) => Ok(date.to_string()),
        Err(_) => Err(Error::not_judged(format!("`{text}` is no date")).with_help("`--accessed 2026-01-31`")),
    }
}
