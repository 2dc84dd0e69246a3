//! `cited ingest`: every source that a search, extract or answer tool returned, in one write.

use std::path::Path;

use cited::ingest::{self, Findings, Found};
use cited::ledger::Ledger;
use cited::register::replies::{self, Entered};

use super::input::read_input;
use super::listing::listing;
use super::reply::{self, Offered};
use super::session::Session;
use super::{Done, Failure, Outcome, Terminal};
use crate::cli::IngestArgs;

pub fn run(args: IngestArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let mut outcome = Outcome::Fine;
    let inputs = inputs(&args, &mut outcome, terminal)?;
    let findings = findings(&inputs, &mut outcome, terminal)?;
    let desk = session.desk()?;
    if !replies::names_a_page(&desk, &findings.found) {
        return no_urls(&args, &findings, outcome, terminal);
    }
    let see = |ledger: &mut Ledger, entered: &Entered| see(ledger, entered, &findings.found, &args);
    let via = args.via.as_deref();
    let (entered, seen) = match args.dry_run {
        true => replies::preview(&desk, &findings.found, via, see)?,
        false => replies::register(&desk, &findings.found, via, see)?,
    };
    if args.answer {
        outcome = reply::print_answers(&findings, &entered.ids, outcome, terminal)?;
    } else {
        terminal.raw(seen.listing.as_bytes())?;
    }
    entered.notes.iter().try_for_each(|note| terminal.warn(note))?;
    if let Some(offered) = &seen.offered {
        reply::report(offered, terminal)?;
    }
    report(&findings, terminal)?;
    Ok(outcome)
}

/// What is printed of a ledger that the sources were entered into.
struct Seen {
    listing: String,
    /// What became of the passages that the reply quotes, where that was asked for.
    offered: Option<Offered>,
}

fn see(ledger: &mut Ledger, entered: &Entered, found: &[Found], args: &IngestArgs) -> cited::Result<Seen> {
    let offered = args.quotes.then(|| reply::attach_quotes(ledger, found, &entered.ids)).transpose()?;
    Ok(Seen { listing: listing(&entered.sources(ledger), args.json), offered })
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
