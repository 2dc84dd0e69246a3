//! `cited quote`: words that stand on the page become evidence. Each is checked; those that stand are attached,
//! and each that does not is refused with what the page says instead.

use std::path::Path;

use cited::Error;
use cited::evidence::{Page, Reader, Refusal};
use cited::ledger::SourceId;
use cited::register::quotes::{self, Blocks, Checked, Keep};

use super::input::read_input;
use super::session::Session;
use super::{Done, Outcome, Terminal, pdf};
use crate::cli::{PageKind, QuoteArgs};

pub fn run(args: QuoteArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let id = SourceId(args.id);
    let desk = session.desk()?;
    let ledger = desk.store.read()?;
    let source = ledger.require(id)?;
    let (page, name) = match &args.from {
        Some(path) => (read(path, args.kind.map(reader))?, path.display().to_string()),
        None => (quotes::kept_page(&desk, source)?, format!("snapshot of [{id}]")),
    };
    if args.from.is_some() {
        quotes::refuse_own_draft(&desk, &ledger, id, &page, &name)?;
    }
    let texts: Vec<&str> = args.text.iter().map(String::as_str).collect();
    let blocks = if args.strict { Blocks::One } else { Blocks::Any };
    let Checked { found, refused } = quotes::check(&desk, &ledger, id, &page, &texts, blocks);
    if !found.is_empty() {
        let keep = if args.no_snapshot { Keep::Hash } else { Keep::Page };
        let count = quotes::attach(&desk, id, &found, &page, keep)?;
        terminal.line(&format!("[{id}] evidence attached ({count} quote(s))"))?;
    }
    for (text, found_at) in &found {
        for warning in quotes::warnings(found_at) {
            terminal.warn(&format!("`{text}`: {warning}"))?;
        }
    }
    for (_, refusal) in &refused {
        terminal.error(&refusal.message(&name), Some(&refusal.help()))?;
    }
    Ok(if refused.is_empty() { Outcome::Fine } else { Outcome::No })
}

/// The page in the file that was named.
fn read(path: &Path, reader: Option<Reader>) -> cited::Result<Page> {
    let page = Page::read_with(read_input(path)?, reader, |bytes| pdf::text(&bytes));
    page.map_err(|cause| {
        let refusal = Refusal::CannotCheck(cause);
        Error::no(refusal.message(&path.display().to_string())).with_help(refusal.help())
    })
}

fn reader(kind: PageKind) -> Reader {
    match kind {
        PageKind::Text => Reader::Text,
        PageKind::Markdown => Reader::Markdown,
        PageKind::Html => Reader::Html,
        PageKind::Pdf => Reader::Pdf,
    }
}
