//! `cited add`: pages to ids, in argument order, in one write.

use std::path::Path;

use cited::Error;
use cited::register::pages::{self, About};

use super::input::read_text;
use super::listing::listing;
use super::session::{Session, today};
use super::{Done, Failure, Outcome, Terminal};
use crate::cli::AddArgs;

pub fn run(args: AddArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let given = given(&args.urls)?;
    let title = title(&args, given.len(), terminal)?;
    let accessed = args.accessed.as_deref().map_or_else(|| Ok(today()), pages::day)?;
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for text in &given {
        match session.locate(text)? {
            Ok(locator) => found.push((text.as_str(), locator)),
            Err(reason) => refused.push(reason),
        }
    }
    if !found.is_empty() {
        let about = About { title: &title, accessed: &accessed, via: args.via.as_deref() };
        let registered = pages::add(&session.desk()?, &found, about)?;
        terminal.raw(listing(&registered.sources.iter().collect::<Vec<_>>(), args.json).as_bytes())?;
        registered.notes.iter().try_for_each(|hint| terminal.hint(hint))?;
    }
    for (_, locator) in &found {
        locator.warnings.iter().try_for_each(|warning| terminal.warn(warning))?;
    }
    for reason in &refused {
        terminal.error(&reason.found, reason.help.as_deref())?;
    }
    Ok(if refused.is_empty() { Outcome::Fine } else { Outcome::NotJudged })
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
        return Err(Error::no("no urls found on stdin")
            .with_help("give one a line, or `cited add https://example.org/page`"));
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
