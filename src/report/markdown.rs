//! A summary for a job page: a table of drafts, then what was found in each. Everything from a draft, a ledger
//! or a path is escaped, so it can be neither markup nor a link.

use std::io::{self, Write};

use super::{DraftReport, Format, Judged, Outcome, Report, Sinks, Verdict, shown_severity, word};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::printable::printable;
use crate::verify::Strictness;

pub(super) const FORMAT: Format =
    Format { name: "markdown", summary: "a summary for a job page", with_drafts: false, write };

/// Findings that are listed for each draft; a job page holds one megabyte.
const FINDINGS_SHOWN: usize = 50;

fn write(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    let out = &mut *sinks.out;
    writeln!(out, "## Citations: {}\n", report.verdict().word())?;
    writeln!(
        out,
        "| draft | verdict | prose sentences | with provenance | sources cited | errors | warnings | notes |"
    )?;
    writeln!(out, "|---|---|--:|--:|--:|--:|--:|--:|")?;
    for draft in &report.drafts {
        write_row(draft, report.strictness, out)?;
    }
    for draft in &report.drafts {
        write_findings(draft, report.strictness, out)?;
    }
    if !report.together.is_empty() {
        writeln!(out, "\n### All drafts together\n")?;
        write_list("", &report.together, report.strictness, out)?;
    }
    Ok(())
}

fn write_row(draft: &DraftReport, strictness: Strictness, out: &mut dyn Write) -> io::Result<()> {
    let (path, verdict) = (escaped(&draft.path), draft.verdict(strictness).word());
    let Outcome::Judged(judged) = &draft.outcome else {
        return writeln!(out, "| {path} | {verdict} | | | | | | |");
    };
    let stats = &judged.stats;
    let percent = 100.0 * stats.coverage();
    let count = |severity| count(judged, strictness, severity);
    writeln!(
        out,
        "| {path} | {verdict} | {} | {} ({percent:.0}%) | {} | {} | {} | {} |",
        stats.sentences,
        stats.declared,
        stats.distinct,
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Note),
    )
}

fn count(judged: &Judged, strictness: Strictness, severity: Severity) -> usize {
    judged.findings.iter().filter(|finding| shown_severity(finding, strictness) == severity).count()
}

fn write_findings(draft: &DraftReport, strictness: Strictness, out: &mut dyn Write) -> io::Result<()> {
    match &draft.outcome {
        Outcome::NotJudged { message, .. } => {
            writeln!(
                out,
                "\n### {}\n\n- **{}**: {}",
                escaped(&draft.path),
                Verdict::NotJudged.word(),
                escaped(message)
            )
        }
        Outcome::Judged(judged) if judged.findings.is_empty() => Ok(()),
        Outcome::Judged(judged) => {
            writeln!(out, "\n### {}\n", escaped(&draft.path))?;
            write_list(&draft.path, &judged.findings, strictness, out)
        }
    }
}

/// The gravest first, so that a long list is cut at its lightest end.
fn write_list(
    path: &str,
    findings: &[Diagnostic],
    strictness: Strictness,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut sorted: Vec<&Diagnostic> = findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(shown_severity(finding, strictness)));
    for finding in sorted.iter().take(FINDINGS_SHOWN) {
        let severity = word(shown_severity(finding, strictness));
        let line = finding.place.as_ref().map(|place| format!(", line {}", place.line)).unwrap_or_default();
        writeln!(out, "- **{severity}** `{}`{line}: {}", finding.rule, escaped(&finding.message))?;
    }
    if sorted.len() > FINDINGS_SHOWN {
        let rest = sorted.len() - FINDINGS_SHOWN;
        let command = if path.is_empty() { "" } else { " (`cited verify` lists all)" };
        writeln!(out, "- and {rest} more{command}")?;
    }
    Ok(())
}

/// Text as text: no markup, no HTML, no table cell, no link that a page would make of an address. A word
/// joiner, which is not seen, breaks what would turn into a link or a mention.
fn escaped(text: &str) -> String {
    let shown = printable(text);
    let mut escaped = String::with_capacity(shown.len() + 16);
    for c in shown.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("@\u{2060}"),
            '/' if escaped.ends_with(':') => escaped.push_str("\u{2060}/"),
            '.' if escaped.ends_with("www") => escaped.push_str("\u{2060}."),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '#' | '!' | '|' | '~' | '$' => {
                escaped.extend(['\\', c])
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let escaped = escaped("a | b `c` <img src=x> [x](https://evil.example) @all\n# h");
        assert!(!escaped.contains('\n') && !escaped.contains('<') && !escaped.contains("://"));
        assert!(escaped.contains("\\|") && escaped.contains("\\`") && escaped.contains("\\[x\\]"));
    }
}
