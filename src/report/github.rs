//! Workflow commands: GitHub shows each finding beside the line it is about.

use std::io::{self, Write};

use super::{Format, Outcome, Report, Sinks, end_of, shown_severity};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::printable::printable;
use crate::verify::Strictness;

pub(super) const FORMAT: Format = Format {
    name: "github",
    summary: "workflow commands: findings beside the lines of a pull request",
    with_drafts: false,
    write,
};

fn write(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    for draft in &report.drafts {
        match &draft.outcome {
            Outcome::Judged(judged) => {
                for finding in &judged.findings {
                    let place = place(&draft.path, &judged.text, finding);
                    write_finding(&place, finding, report.strictness, sinks.out)?;
                }
            }
            Outcome::NotJudged { message, .. } => {
                let (path, message) = (property(&draft.path), data(message));
                writeln!(sinks.out, "::error file={path},title=cited::{message}")?;
            }
        }
    }
    for finding in &report.together {
        write_finding("", finding, report.strictness, sinks.out)?;
    }
    Ok(())
}

fn write_finding(
    place: &str,
    finding: &Diagnostic,
    strictness: Strictness,
    out: &mut dyn Write,
) -> io::Result<()> {
    let command = match shown_severity(finding, strictness) {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let help = finding.help.as_ref().map(|help| format!("%0Ahelp: {}", data(help))).unwrap_or_default();
    writeln!(out, "::{command} {place}title=cited {}::{}{help}", finding.rule, data(&finding.message))
}

/// The properties that say where, each with its comma.
fn place(path: &str, text: &str, finding: &Diagnostic) -> String {
    let file = format!("file={},", property(path));
    let Some(place) = &finding.place else { return file };
    let (end_line, end_column) = end_of(text, place);
    // GitHub drops an annotation whose end column comes with an end on another line.
    let end = if end_line == place.line { format!("endColumn={end_column},") } else { String::new() };
    format!("{file}line={},col={},endLine={end_line},{end}", place.line, place.column)
}

/// Text after the `::`.
fn data(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_can_not_end_its_property_or_start_a_command() {
        assert_eq!(property("a,b:c%\n::error::x"), "a%2Cb%3Ac%25\\u{a}%3A%3Aerror%3A%3Ax");
        assert_eq!(data("100%\n::error::x"), "100%25\\u{a}::error::x");
    }
}
