//! `cited verify`: drafts are read and judged against the ledger, and the report is written. What fails is
//! the library's decision; here it becomes an exit code.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use cited::draft::Draft;
use cited::ledger::{Ledger, SourceId};
use cited::report::baseline::Baseline;
use cited::report::{self, DraftReport, Judged, Report, Sinks, Verdict};
use cited::verify::{self, Checked, Options, Rechecks, Strictness, parallel};
use cited::{Error, Result, file};

use super::drafts::{self, Given};
use super::fix::fix_all;
use super::input::read_text;
use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::{Evidence, Strict, VerifyArgs};

pub fn run(args: VerifyArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let options = options(&args, session)?;
    let ledger = session.store()?.read()?;
    let mut given = drafts::read_all(&args.drafts);
    let mut report = judge(&given, &ledger, &options, &args, session)?;
    if args.fix && fix_all(&mut given, &report, &ledger, &session.project()?.draft)? {
        report = judge(&given, &ledger, &options, &args, session)?;
    }
    if let Some(path) = &args.write_baseline {
        return write_baseline(path, &report, terminal);
    }
    if let Some(path) = &args.baseline {
        Baseline::parse(&read_text(path)?, &path.display().to_string())?.apply(&mut report);
    }
    write(&report, &args, terminal)?;
    Ok(match report.verdict() {
        Verdict::Passed => Outcome::Fine,
        Verdict::Failed => Outcome::No,
        Verdict::NotJudged => Outcome::NotJudged,
    })
}

fn options(args: &VerifyArgs, session: &Session) -> Result<Options> {
    let mut options = Options::default();
    for (rule, word) in &session.project()?.rules {
        options.set_level(rule, word)?;
    }
    if let Some(share) = args.min_coverage {
        options.set_min_coverage(share)?;
    }
    options.sentences = args.evidence == Some(Evidence::Sentence);
    Ok(options)
}

fn judge(
    given: &[Given],
    ledger: &Ledger,
    options: &Options,
    args: &VerifyArgs,
    session: &Session,
) -> Result<Report> {
    let reading = &session.project()?.draft;
    let texts: Vec<Option<&str>> = given.iter().map(|one| one.text.as_deref().ok()).collect();
    let drafts = parallel::map(&texts, |text| text.map(|text| Draft::parse(text, reading, ledger)));
    let rechecks = args.evidence.map(|_| recheck(&drafts, ledger, session)).transpose()?;
    let evidence = verify::Evidence { rechecks };
    let (checked, together) = verify::check_all(&drafts, ledger, options, &evidence);
    let strictness = match args.strict {
        None => Strictness::Errors,
        Some(Strict::Warnings) => Strictness::Strict,
        Some(Strict::All) => Strictness::All,
    };
    let drafts = given.iter().zip(checked).map(|(one, checked)| draft_report(one, checked)).collect();
    Ok(Report { drafts, together: together.into_iter().collect(), strictness })
}

fn recheck(drafts: &[Option<Draft>], ledger: &Ledger, session: &Session) -> Result<Rechecks> {
    let cited: BTreeSet<SourceId> = drafts.iter().flatten().flat_map(Draft::cited).collect();
    let snapshots = session.snapshots()?;
    Ok(verify::recheck(ledger, &cited, |digest| snapshots.load(digest)))
}

fn draft_report(given: &Given, checked: Option<Checked>) -> DraftReport {
    let outcome = match (&given.text, checked) {
        (Ok(text), Some(Checked { stats, findings })) => {
            report::Outcome::Judged(Judged { text: text.clone(), stats, findings, accepted: 0 })
        }
        (Err(error), _) => report::Outcome::NotJudged { message: error.to_string(), help: error.help() },
        (Ok(_), None) => report::Outcome::NotJudged { message: "it was not judged".into(), help: None },
    };
    DraftReport { path: given.path.display().to_string(), outcome }
}

fn write_baseline(path: &Path, report: &Report, terminal: &mut Terminal) -> Done {
    let baseline = Baseline::accepting(report);
    let text = baseline.to_text()?;
    file::replace(path, text.as_bytes())
        .map_err(|source| Error::Unwritable { path: path.to_owned(), source })?;
    terminal.line(&format!("baseline written: {} ({} finding(s))", path.display(), baseline.len()))?;
    Ok(if report.count(Verdict::NotJudged) > 0 { Outcome::NotJudged } else { Outcome::Fine })
}

/// With `-o` the file gets the format that was asked for and the terminal its usual one.
fn write(
    report: &Report,
    args: &VerifyArgs,
    terminal: &mut Terminal,
) -> std::result::Result<(), super::Failure> {
    let usual = if terminal.is_terminal() { "pretty" } else { "text" };
    let asked = args.format.as_deref().unwrap_or(usual);
    let Some(path) = &args.output else { return Ok(to_terminal(report, asked, terminal)?) };
    let mut bytes = Vec::new();
    let mut aside = Vec::new();
    write_as(asked, report, &mut Sinks { out: &mut bytes, err: &mut aside, colored: false })?;
    bytes.splice(0..0, aside);
    file::replace(path, &bytes).map_err(|source| Error::Unwritable { path: path.clone(), source })?;
    Ok(to_terminal(report, usual, terminal)?)
}

fn to_terminal(report: &Report, format: &str, terminal: &mut Terminal) -> io::Result<()> {
    let colored = terminal.is_colored();
    write_as(format, report, &mut Sinks { out: terminal.out(), err: &mut io::stderr(), colored })
}

fn write_as(name: &str, report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    match report::format(name) {
        Some(format) => (format.write)(report, sinks),
        None => writeln!(sinks.err, "error: no format `{name}`"),
    }
}
