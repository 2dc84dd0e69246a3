//! Judging: `validate` for answers, `lint` for notes, `stats` for the whole.

use cited::Error;
use cited::evidence::{Page, Reader, Verdict};
use cited::memory::Memory;
use cited::memory::lint::{self, Finding};
use cited::memory::stats::{self, Stats};
use cited::memory::validate::{Fault, Grounds, validate as faults_of};
use serde::Serialize;

use super::super::input::read_text;
use super::super::{Done, Outcome, Terminal};
use super::print_json;
use crate::cli::memory::{LintArgs, StatsArgs, ValidateArgs};

pub fn validate(args: ValidateArgs, terminal: &mut Terminal) -> Done {
    let answer = read_text(&args.answer)?;
    let bundle = read_text(&args.bundle)?;
    let grounds = Grounds::read(&bundle).map_err(|why| {
        Error::not_judged(format!("`{}` is no bundle: {why}", args.bundle.display()))
            .with_help("`cited memory evidence QUERY > BUNDLE.json`")
    })?;
    let faults = faults_of(&answer, &grounds, &stands_in);
    if args.json {
        let lines = faults.iter().map(|Fault { code, message }| FaultLine { code, message }).collect();
        print_json(&Faults { schema_version: 1, valid: faults.is_empty(), faults: lines }, terminal)?;
    } else if faults.is_empty() {
        terminal.line("answer OK")?;
    } else {
        faults.iter().try_for_each(|f| terminal.line(&format!("{}: {}", f.code, f.message)))?;
    }
    Ok(if faults.is_empty() { Outcome::Fine } else { Outcome::No })
}

pub fn lint(args: LintArgs, memory: &Memory, terminal: &mut Terminal) -> Done {
    let findings = memory.read(lint::run)?;
    if args.json {
        let lines =
            findings.iter().map(|Finding { source, code, message }| FindingLine { source, code, message });
        print_json(&Findings { schema_version: 1, findings: lines.collect() }, terminal)?;
    } else if findings.is_empty() {
        terminal.line("notes OK")?;
    } else {
        findings
            .iter()
            .try_for_each(|f| terminal.line(&format!("{}: {} ({})", f.source, f.message, f.code)))?;
    }
    Ok(if findings.is_empty() { Outcome::Fine } else { Outcome::No })
}

pub fn stats(args: StatsArgs, memory: &Memory, terminal: &mut Terminal) -> Done {
    let found = memory.read(stats::read)?;
    if args.json {
        print_json(&found, terminal)?;
        return Ok(Outcome::Fine);
    }
    lines(&found).iter().try_for_each(|line| terminal.line(line))?;
    Ok(Outcome::Fine)
}

fn lines(stats: &Stats) -> Vec<String> {
    let mut lines = vec![
        format!("notes: {}", stats.notes),
        format!("passages: {}", stats.passages),
        format!("forgotten: {}", stats.forgotten),
        format!("generation: {}", stats.generation),
        format!("last write: {}", stats.last_write.as_deref().unwrap_or("never")),
    ];
    lines.extend(stats.roots.iter().map(|root| format!("root: {root}")));
    lines.push(format!("trust: {} (threshold {:.3})", stats.trust, stats.threshold));
    if let Some(auc) = stats.auc_lower {
        lines.push(format!("calibration: {} questions, AUC at least {auc:.3}", stats.labels));
    }
    lines
}

fn stands_in(text: &str, quote: &str) -> Result<(), String> {
    let page = Page::from_snapshot(text.to_owned(), Reader::Text);
    match page.find(quote) {
        Verdict::Found(_) => Ok(()),
        Verdict::Refused(refusal) => Err(refusal.message("the passage")),
    }
}

#[derive(Serialize)]
struct Faults<'a> {
    schema_version: u32,
    valid: bool,
    faults: Vec<FaultLine<'a>>,
}

#[derive(Serialize)]
struct FaultLine<'a> {
    code: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct Findings<'a> {
    schema_version: u32,
    findings: Vec<FindingLine<'a>>,
}

#[derive(Serialize)]
struct FindingLine<'a> {
    source: &'a str,
    code: &'a str,
    message: &'a str,
}
