//! The fixed lines that agents and the Python script's callers read: `info:`, `warn:` and `note:` on stdout,
//! `FAIL:` on stderr, and the verdict as the last line of stdout.
//!
//! With several drafts, lines that do not show a place end in the draft's path. Notes of one rule beyond the
//! first few of a draft are counted, not printed.

use std::io;

use super::{DraftReport, Format, Judged, Outcome, Report, Sinks, Verdict, brief};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::printable::printable;

pub(super) const FORMAT: Format = Format {
    name: "text",
    summary: "one line a finding, made for agents and scripts",
    with_drafts: false,
    write,
};

fn write(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    let several = report.drafts.len() > 1;
    for draft in &report.drafts {
        match &draft.outcome {
            Outcome::Judged(judged) => {
                let about = if several { format!(" ({})", printable(&draft.path)) } else { String::new() };
                write_judged(&draft.path, judged, &about, sinks)?
            }
            Outcome::NotJudged { message, help } => write_unread(message, help.as_deref(), sinks)?,
        }
    }
    for finding in &report.together {
        write_finding(None, finding, sinks)?;
    }
    if several {
        write_summary(report, sinks)?;
    }
    write_verdict(report, sinks)
}

/// `about` follows the figures of a draft that is one of several.
fn write_judged(path: &str, judged: &Judged, about: &str, sinks: &mut Sinks) -> io::Result<()> {
    writeln!(sinks.out, "info: stats: {}{about}", printable(&judged.stats.to_string()))?;
    if let Some(untold) = judged.stats.asks() {
        writeln!(sinks.out, "info: cannot tell: {untold}{about}")?;
    }
    if judged.accepted > 0 {
        writeln!(sinks.out, "info: {} finding(s) accepted by the baseline{about}", judged.accepted)?;
    }
    let (shown, rest) = brief(&judged.findings);
    for finding in shown {
        write_finding(Some(path), finding, sinks)?;
    }
    for (rule, count) in rest {
        writeln!(sinks.out, "note: {count} more like this ({} {rule})", printable(path))?;
    }
    Ok(())
}

fn write_finding(path: Option<&str>, finding: &Diagnostic, sinks: &mut Sinks) -> io::Result<()> {
    let message = printable(&finding.message);
    let place = place(path, finding);
    match finding.severity {
        Severity::Error => {
            sinks.out.flush()?;
            writeln!(sinks.err, "FAIL: {message} ({place})")
        }
        Severity::Warning => writeln!(sinks.out, "warn: {message} ({place})"),
        Severity::Note => writeln!(sinks.out, "note: {message} ({place})"),
    }
}

/// `path:line:col rule-id`, as far as there are such.
fn place(path: Option<&str>, finding: &Diagnostic) -> String {
    let Some(path) = path.map(printable) else { return finding.rule.to_owned() };
    match &finding.place {
        Some(place) => format!("{path}:{}:{} {}", place.line, place.column, finding.rule),
        None => format!("{path} {}", finding.rule),
    }
}

fn write_unread(message: &str, help: Option<&str>, sinks: &mut Sinks) -> io::Result<()> {
    sinks.out.flush()?;
    writeln!(sinks.err, "error: {}", printable(message))?;
    help.map_or(Ok(()), |help| writeln!(sinks.err, "  help: {}", printable(help)))
}

fn write_summary(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    let count = |verdict| report.count(verdict);
    let (passed, failed, unread) =
        (count(Verdict::Passed), count(Verdict::Failed), count(Verdict::NotJudged));
    let all = report.drafts.len();
    write!(sinks.out, "info: {all} drafts: {passed} passed, {failed} failed")?;
    if unread > 0 {
        write!(sinks.out, ", {unread} could not be judged")?;
    }
    writeln!(sinks.out)
}

/// The last line; a draft that could not be judged, alone, has had its error and gets no verdict.
fn write_verdict(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    match report.verdict() {
        Verdict::Passed => writeln!(sinks.out, "citations OK"),
        Verdict::Failed => writeln!(sinks.out, "verification failed"),
        Verdict::NotJudged if report.drafts.iter().all(DraftReport::is_unread) => Ok(()),
        Verdict::NotJudged => writeln!(sinks.out, "verification failed"),
    }
}

impl DraftReport {
    fn is_unread(&self) -> bool {
        matches!(self.outcome, Outcome::NotJudged { .. })
    }
}
