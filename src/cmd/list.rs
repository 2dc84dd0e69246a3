//! `cited list`: one line a source.

use cited::ledger::{Source, format};
use cited::text::printable::one_line;

use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::ListArgs;

pub fn run(args: ListArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let store = session.store()?;
    let ledger = store.read()?;
    let sources: Vec<&Source> = ledger.sources().iter().collect();
    if args.json {
        terminal.raw(format::entries(sources.iter().copied()).as_bytes())?;
        return Ok(Outcome::Fine);
    }
    for id in ledger.ambiguous() {
        terminal.warn(&format!("the ledger holds the id [{id}] more than once; citing it is ambiguous"))?;
    }
    if sources.is_empty() {
        terminal.line(&format!("ledger is empty: {}", store.path().display()))?;
    }
    let widths = if terminal.is_terminal() { Widths::of(&sources) } else { Widths::default() };
    sources.iter().try_for_each(|source| terminal.line(&line(source, &widths)))?;
    Ok(Outcome::Fine)
}

/// Column widths in characters; zero means no padding.
#[derive(Default)]
struct Widths {
    id: usize,
    url: usize,
}

impl Widths {
    /// Long URLs do not push the titles of all others off the screen.
    const URL_MAX: usize = 60;

    fn of(sources: &[&Source]) -> Self {
        let id = sources.iter().map(|source| source.id.to_string().len() + 2).max().unwrap_or(0);
        let url = sources.iter().map(|source| source.url.chars().count()).max().unwrap_or(0);
        Self { id, url: url.min(Self::URL_MAX) }
    }
}

/// `[id] url  title  (1 quote)`; a missing part leaves no gap.
fn line(source: &Source, widths: &Widths) -> String {
    let id = format!("[{}]", source.id);
    let mut line = format!("{id:<0$} {1:<2$}", widths.id, source.url, widths.url);
    let title = one_line(&source.title);
    let quotes = match source.quotes.len() {
        0 => String::new(),
        1 => "(1 quote)".into(),
        n => format!("({n} quotes)"),
    };
    let withdrawn = if source.withdrawn.is_some() { "(withdrawn)" } else { "" };
    for part in [title.as_str(), &quotes, withdrawn] {
        if !part.is_empty() {
            line.push_str("  ");
            line.push_str(part);
        }
    }
    line.truncate(line.trim_end().len());
    line
}
