//! `cited show`: one source with its quotes, where each stands in the kept page text, what it needed to be found
//! there, and whether it still holds today.

mod json;

use std::collections::{BTreeMap, BTreeSet};

use cited::evidence::{Page, Reader, Recheck, Snapshots};
use cited::ledger::{Anchor, Ledger, Quote, Snapshot, Source, SourceId};
use cited::text::lines::LineIndex;
use cited::text::printable::one_line;
use cited::verify;

use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::ShowArgs;

/// Hexadecimal digits of a hash that a person needs to see.
const HASH_DIGITS: usize = 12;

/// A source and what a look at its page texts gave.
struct Shown<'l> {
    source: &'l Source,
    quotes: Vec<ShownQuote<'l>>,
    snapshots: Vec<ShownSnapshot<'l>>,
}

struct ShownQuote<'l> {
    quote: &'l Quote,
    recheck: Recheck,
    place: Option<Place>,
}

struct ShownSnapshot<'l> {
    snapshot: &'l Snapshot,
    /// Why its text can not be had.
    missing: Option<String>,
}

/// Where a quote stands in a page text.
struct Place {
    line: usize,
    /// In a PDF.
    page: Option<usize>,
}

pub fn run(args: ShowArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let ledger = session.store()?.read()?;
    let shown = look(SourceId(args.id), &ledger, session)?;
    if args.json {
        terminal.raw(json::document(&shown)?.as_bytes())?;
        return Ok(Outcome::Fine);
    }
    for (label, value) in about(shown.source) {
        field("", label, &value, terminal)?;
    }
    for (at, quote) in shown.quotes.iter().enumerate() {
        print_quote(at + 1, quote, terminal)?;
    }
    print_snapshots(&shown.snapshots, terminal)?;
    Ok(Outcome::Fine)
}

fn look<'l>(id: SourceId, ledger: &'l Ledger, session: &Session) -> cited::Result<Shown<'l>> {
    let source = ledger.require(id)?;
    let snapshots = session.snapshots()?;
    let mut rechecks = verify::recheck(ledger, &BTreeSet::from([id]), |digest| snapshots.load(digest));
    let pages = pages(source, &snapshots);
    let quotes = source.quotes.iter().enumerate().map(|(at, quote)| {
        let unknown = || Recheck::NotRecheckable("the ledger holds its id more than once".into());
        let recheck = rechecks.remove(&(id, at)).unwrap_or_else(unknown);
        let place = quote.anchor.as_ref().and_then(|anchor| place(pages.get(&anchor.sha256)?, anchor));
        ShownQuote { quote, recheck, place }
    });
    let quotes = quotes.collect();
    let kept = source.snapshots.iter().map(|snapshot| {
        let missing = snapshots.load(&snapshot.sha256).err().map(|why| match Recheck::from(why) {
            Recheck::Broken(why) | Recheck::NotRecheckable(why) => why,
            Recheck::Sound => String::new(),
        });
        ShownSnapshot { snapshot, missing }
    });
    Ok(Shown { source, quotes, snapshots: kept.collect() })
}

/// The page texts that quotes point into, by digest, each with its lines.
fn pages(source: &Source, snapshots: &Snapshots) -> BTreeMap<String, (Page, LineIndex)> {
    let mut pages = BTreeMap::new();
    for anchor in source.quotes.iter().filter_map(|quote| quote.anchor.as_ref()) {
        if pages.contains_key(&anchor.sha256) {
            continue;
        }
        let (Ok(text), Some(reader)) = (snapshots.load(&anchor.sha256), Reader::named(&anchor.reader)) else {
            continue;
        };
        let lines = LineIndex::new(&text);
        pages.insert(anchor.sha256.clone(), (Page::from_snapshot(text, reader), lines));
    }
    pages
}

fn place((page, lines): &(Page, LineIndex), anchor: &Anchor) -> Option<Place> {
    page.text().get(anchor.start..anchor.end)?;
    Some(Place { line: lines.line(anchor.start), page: page.page_number(anchor.start) })
}

/// What a source is, as labels and values; what is not known has no line.
fn about(source: &Source) -> Vec<(&'static str, String)> {
    let text = |text: &Option<String>| text.as_deref().map(one_line).unwrap_or_default();
    let mut lines = vec![
        ("source", format!("[{}] {}", source.id, source.url)),
        ("title", one_line(&source.title)),
        ("accessed", one_line(&source.accessed)),
        ("found by", text(&source.via)),
        ("given as", text(&source.as_given)),
        ("withdrawn", text(&source.withdrawn)),
        ("quotes", source.quotes.len().to_string()),
    ];
    lines.retain(|(_, value)| !value.is_empty());
    lines
}

fn print_quote(number: usize, shown: &ShownQuote<'_>, terminal: &mut Terminal) -> std::io::Result<()> {
    terminal.line("")?;
    field("", &format!("quote {number}"), &format!("\"{}\"", one_line(&shown.quote.text)), terminal)?;
    field("  ", "now", &state(&shown.recheck), terminal)?;
    if let Some(anchor) = &shown.quote.anchor {
        field("  ", "stands", &standing(anchor, shown.place.as_ref()), terminal)?;
        field("  ", "context", &context(anchor, &shown.quote.text), terminal)?;
        field("  ", "read as", &reading(anchor), terminal)?;
    }
    field("  ", "attached", &one_line(&shown.quote.added), terminal)
}

/// What a second look says, in words.
fn state(recheck: &Recheck) -> String {
    match recheck {
        Recheck::Sound => "holds".into(),
        Recheck::Broken(why) => format!("broken: {}", one_line(why)),
        Recheck::NotRecheckable(why) => format!("can not be checked again: {}", one_line(why)),
    }
}

fn standing(anchor: &Anchor, place: Option<&Place>) -> String {
    let bytes = format!("bytes {} to {} of {}", anchor.start, anchor.end, short(&anchor.sha256));
    match place {
        Some(Place { line, page: Some(page) }) => format!("page {page}, line {line}, {bytes}"),
        Some(Place { line, page: None }) => format!("line {line}, {bytes}"),
        None => bytes,
    }
}

/// The quote between what stands around it on its page.
fn context(anchor: &Anchor, quote: &str) -> String {
    const SHOWN: usize = 40;
    let words = one_line(quote);
    let inner = match (words.char_indices().nth(SHOWN), words.char_indices().rev().nth(SHOWN / 2)) {
        (Some((first, _)), Some((last, _))) if first < last => {
            format!("{} … {}", &words[..first], &words[last..])
        }
        _ => words,
    };
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let gap = |c: Option<char>| if c.is_some_and(char::is_whitespace) { " " } else { "" };
    let (prefix, suffix) = (&anchor.prefix, &anchor.suffix);
    let (before, after) = (gap(prefix.chars().last()), gap(suffix.chars().next()));
    format!("{}{before}>{inner}<{after}{}", spaced(prefix), spaced(suffix))
}

fn reading(anchor: &Anchor) -> String {
    let rules = match anchor.rules.is_empty() {
        true => "the very bytes".to_owned(),
        false => format!("folded: {}", anchor.rules.join(", ")),
    };
    format!("{}; {rules}", anchor.reader)
}

fn print_snapshots(snapshots: &[ShownSnapshot<'_>], terminal: &mut Terminal) -> std::io::Result<()> {
    if !snapshots.is_empty() {
        terminal.line("")?;
    }
    for ShownSnapshot { snapshot, missing } in snapshots {
        let state = missing.as_deref().map(|why| format!("  ({})", one_line(why))).unwrap_or_default();
        let Snapshot { sha256, reader, taken, .. } = snapshot;
        field("", "snapshot", &format!("{}  {taken}  {reader}{state}", short(sha256)), terminal)?;
    }
    Ok(())
}

/// A label and its value, in two columns.
fn field(indent: &str, label: &str, value: &str, terminal: &mut Terminal) -> std::io::Result<()> {
    const COLUMN: usize = 10;
    terminal.line(format!("{indent}{label:<0$} {value}", COLUMN - indent.len()).trim_end())
}

/// The first digits of a hash, which a hand-made ledger may have put anything into.
fn short(sha256: &str) -> String {
    sha256.chars().take(HASH_DIGITS).collect()
}
