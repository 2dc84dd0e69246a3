//! `cited add`: pages to ids, in argument order, in one write.

use std::path::Path;

use cited::Error;
use cited::identity::Locator;

use super::input::read_text;
use super::listing::listing;
use super::session::{Session, today};
use super::{Done, Failure, Outcome, Terminal};
use crate::cli::AddArgs;

pub fn run(args: AddArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let given = given(&args.urls)?;
    let title = title(&args, given.len(), terminal)?;
    let accessed = accessed(args.accessed.as_deref())?;
    let mut pages = Vec::new();
    let mut refused = Vec::new();
    for text in &given {
        match session.locate(text)? {
            Ok(locator) => pages.push((text.as_str(), locator)),
            Err(reason) => refused.push(reason),
        }
    }
    if !pages.is_empty() {
        let output = register(session, &pages, &title, &accessed, &args)?;
        terminal.raw(output.pages.as_bytes())?;
        output.hints.iter().try_for_each(|hint| terminal.hint(hint))?;
    }
    for (_, locator) in &pages {
        locator.warnings.iter().try_for_each(|warning| terminal.warn(warning))?;
    }
    for reason in &refused {
        terminal.error(&reason.found, reason.help.as_deref())?;
    }
    Ok(if refused.is_empty() { Outcome::Fine } else { Outcome::NotJudged })
}

/// What is printed: the pages, in the order of the arguments, and hints at look-alikes.
struct Output {
    pages: String,
    hints: Vec<String>,
}

fn register(
    session: &Session,
    pages: &[(&str, Locator)],
    title: &str,
    accessed: &str,
    args: &AddArgs,
) -> cited::Result<Output> {
    session.store()?.update(|ledger| {
        let mut ids = Vec::new();
        let mut hints = Vec::new();
        for (given, locator) in pages {
            let added = ledger.add(locator, given, title, accessed, args.via.as_deref());
            if let Some(other) = added.new.then(|| ledger.looks_like(locator)).flatten() {
                hints.push(format!("[{}] looks like [{other}]", added.id));
            }
            ids.push(added.id);
        }
        let sources: Vec<_> = ids.iter().filter_map(|id| ledger.get(*id)).collect();
        Ok(Output { pages: listing(&sources, args.json), hints })
    })
}

/// The arguments, with `-` replaced by the lines of stdin.
fn given(urls: &[String]) -> cited::Result<Vec<String>> {
    let mut given = Vec::new();
    for url in urls {
        if url == "-" {
            let text = read_text(Path::new(url))?;
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

fn accessed(given: Option<&str>) -> cited::Result<String> {
    let Some(text) = given else { return Ok(today()) };
    match text.trim().parse::<jiff::civil::Date>() {
        Ok(date) => Ok(date.to_string()),
        Err(_) => Err(Error::not_judged(format!("`{text}` is no date")).with_help("`--accessed 2026-01-31`")),
    }
}
