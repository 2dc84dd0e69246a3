//! `cited verify`: drafts are read and judged against the ledger, and the report is written. What fails is
//! the library's decision; here it becomes an exit code.

use std::io;
use std::path::Path;

use cited::draft::Draft;
use cited::ledger::Ledger;
use cited::report::baseline::Baseline;
use cited::report::provenance::{Provenance, cited_sources};
use cited::report::{self, DraftReport, Report, Sinks, Verdict};
use cited::verify::{self, Asked, Checked, Options, Strictness, parallel};
use cited::{Error, Result, file};

use super::drafts::{self, Given};
use super::fix::fix_all;
use super::input::read_text;
use super::renumber::mention;
use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::{Evidence, Strict, VerifyArgs};

/// How often drafts are mended: a new block may show what else can be written better.
const MOST_FIXES: usize = 4;

pub fn run(args: VerifyArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let options = options(&args, session)?;
    let store = session.store()?;
    let ledger = store.read()?;
    mention(&store, terminal)?;
    let mut given = drafts::read_all(&args.drafts);
    let mut report = judge(&given, &ledger, &options, &args, session)?;
    let mut rounds = if args.fix { MOST_FIXES } else { 0 };
    while rounds > 0 && fix_all(&mut given, &report, &ledger, &session.project()?.draft)? {
        report = judge(&given, &ledger, &options, &args, session)?;
        rounds -= 1;
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
    let mut options = Options::with_levels(&session.project()?.rules)?;
    if let Some(share) = args.min_coverage {
        options.set_min_coverage(share)?;
    }
    options.figures = args.figures;
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
    let asked = Asked { quotes: args.evidence.is_some(), quotations: args.quotations };
    let snapshots = session.snapshots()?;
    let evidence = verify::Evidence::of(asked, &drafts, ledger, |digest| snapshots.load(digest));
    let (checked, together) = verify::check_all(&drafts, ledger, options, &evidence);
    let shows_drafts = args.format.as_deref().and_then(report::format).is_some_and(|one| one.with_drafts);
    let sources = match shows_drafts {
        true => cited_sources(&drafts, ledger, evidence.rechecks.as_ref()),
        false => Vec::new(),
    };
    let provenance = |draft: &Option<Draft>| match draft.as_ref().filter(|_| shows_drafts) {
        Some(draft) => Provenance::of(draft, &sources),
        None => Provenance::default(),
    };
    let strictness = match args.strict {
        None => Strictness::Errors,
        Some(Strict::Warnings) => Strictness::Strict,
        Some(Strict::All) => Strictness::All,
    };
    let reports = given.iter().zip(checked).zip(&drafts);
    let drafts =
        reports.map(|((one, checked), draft)| draft_report(one, checked, provenance(draft))).collect();
    Ok(Report { drafts, together: together.into_iter().collect(), strictness, sources })
}

fn draft_report(given: &Given, checked: Option<Checked>, provenance: Provenance) -> DraftReport {
    let text = given.text.as_deref().map_err(|error| (error.to_string(), error.help()));
    DraftReport::of(&given.path, text, checked, provenance)
}

fn write_baseline(path: &Path, report: &Report, terminal: &mut Terminal) -> Done {
    let baseline = Baseline::accepting(report);
    let text = baseline.to_text()?;
    file::replace(path, text.as_bytes()).map_err(|error| Error::unwritable(path, error))?;
    terminal.line(&format!("baseline written: {} ({} finding(s))", path.display(), baseline.len()))?;
    Ok(if report.count(Verdict::NotJudged) > 0 { Outcome::NotJudged } else { Outcome::Fine })
}

/// With `-o` the file gets the format that was asked for and the terminal its usual one; `-` is stdout, as without.
fn write(
    report: &Report,
    args: &VerifyArgs,
    terminal: &mut Terminal,
) -> std::result::Result<(), super::Failure> {
    let usual = if terminal.is_terminal() { "pretty" } else { "text" };
    let asked = args.format.as_deref().unwrap_or(usual);
    let named = args.output.as_ref().filter(|path| path.as_os_str() != "-");
    let Some(path) = named else { return Ok(to_terminal(report, asked, terminal)?) };
    let mut bytes = Vec::new();
    let mut aside = Vec::new();
    write_as(asked, report, &mut Sinks { out: &mut bytes, err: &mut aside, colored: false })?;
    bytes.splice(0..0, aside);
    file::replace(path, &bytes).map_err(|error| Error::unwritable(path, error))?;
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
