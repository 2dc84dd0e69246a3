//! One JSON document: what each draft came to, its counts and its findings with bytes, lines and fixes.
//!
//! The shape is this file's own and carries a version. Whatever could steer a terminal is escaped, not dropped:
//! a reader of the JSON gets every character of the path, the message and the fix back.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::{Format, Judged, Outcome, Report, Sinks, end_of, word};
use crate::diagnostic::{Diagnostic, Fix};
use crate::text::printable::printable;
use crate::verify::Strictness;

pub(super) const FORMAT: Format =
    Format { name: "json", summary: "one document with everything in it", write };

/// Raised when a reader of an older document would misread a newer one.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    verdict: &'static str,
    drafts: Vec<Draft<'a>>,
    together: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Draft<'a> {
    path: &'a str,
    verdict: &'static str,
    #[serde(flatten)]
    outcome: DraftOutcome<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum DraftOutcome<'a> {
    Judged { stats: Stats<'a>, findings: Vec<Finding<'a>>, accepted: usize },
    NotJudged { error: &'a str, help: Option<&'a str> },
}

#[derive(Serialize)]
struct Stats<'a> {
    sentences: usize,
    declared: usize,
    coverage: f64,
    cited: usize,
    unverified: usize,
    markers: &'a BTreeMap<String, usize>,
    distinct_sources: usize,
    in_ledger: usize,
    with_quotes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    cannot_tell: Option<CannotTell>,
}

#[derive(Serialize)]
struct CannotTell {
    #[serde(skip_serializing_if = "Option::is_none")]
    sentences: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quotations: Option<usize>,
}

#[derive(Serialize)]
struct Finding<'a> {
    rule: &'static str,
    severity: &'static str,
    fails: bool,
    message: &'a str,
    place: Option<Place>,
    help: Option<&'a str>,
    fix: Option<Rewrite<'a>>,
}

/// Bytes count from 0, lines and columns from 1; columns are characters; the end is one past the last.
#[derive(Serialize)]
struct Place {
    start_byte: usize,
    end_byte: usize,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct Rewrite<'a> {
    start_byte: usize,
    end_byte: usize,
    replacement: &'a str,
}

fn write(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    let drafts = report.drafts.iter().map(|draft| Draft {
        path: &draft.path,
        verdict: draft.verdict(report.strictness).word(),
        outcome: outcome(&draft.outcome, report.strictness),
    });
    let document = Document {
        schema_version: SCHEMA_VERSION,
        verdict: report.verdict().word(),
        drafts: drafts.collect(),
        together: report.together.iter().map(|f| finding("", f, report.strictness)).collect(),
    };
    write_document(&document, sinks.out)
}

fn outcome(outcome: &Outcome, strictness: Strictness) -> DraftOutcome<'_> {
    match outcome {
        Outcome::NotJudged { message, help } => {
            DraftOutcome::NotJudged { error: message, help: help.as_deref() }
        }
        Outcome::Judged(judged) => DraftOutcome::Judged {
            stats: stats(judged),
            findings: judged.findings.iter().map(|f| finding(&judged.text, f, strictness)).collect(),
            accepted: judged.accepted,
        },
    }
}

fn stats(judged: &Judged) -> Stats<'_> {
    let stats = &judged.stats;
    Stats {
        sentences: stats.sentences,
        declared: stats.declared,
        coverage: stats.coverage(),
        cited: stats.cited,
        unverified: stats.unverified,
        markers: &stats.other,
        distinct_sources: stats.distinct,
        in_ledger: stats.in_ledger,
        with_quotes: stats.with_quotes,
        cannot_tell: stats.asks().map(|untold| CannotTell {
            sentences: untold.sentences,
            figures: untold.figures,
            quotations: untold.quotations,
        }),
    }
}

fn finding<'a>(text: &str, finding: &'a Diagnostic, strictness: Strictness) -> Finding<'a> {
    Finding {
        rule: finding.rule,
        severity: word(finding.severity),
        fails: strictness.fails(finding),
        message: &finding.message,
        place: finding.place.as_ref().map(|place| {
            let (end_line, end_column) = end_of(text, place);
            Place {
                start_byte: place.span.start,
                end_byte: place.span.end,
                line: place.line,
                column: place.column,
                end_line,
                end_column,
            }
        }),
        help: finding.help.as_deref(),
        fix: finding.fix.as_ref().map(rewrite),
    }
}

fn rewrite(fix: &Fix) -> Rewrite<'_> {
    Rewrite { start_byte: fix.span.start, end_byte: fix.span.end, replacement: &fix.replacement }
}

/// Writes any document with two spaces of indent, a line end, and nothing that steers a terminal.
pub(super) fn write_document(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Harmless(PrettyFormatter::new()));
    document.serialize(&mut serializer)?;
    writeln!(out)
}

/// Pretty JSON whose strings escape every character that [`printable`] would show.
struct Harmless(PrettyFormatter<'static>);

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| steers(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }
    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }
    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }
    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }
    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

fn steers(c: char) -> bool {
    c > '~' && matches!(printable(c.encode_utf8(&mut [0; 4])), std::borrow::Cow::Owned(_)) || c == '\u{7f}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped_and_comes_back_whole() {
        let hostile = "a\u{1b}[2J\u{7f}\u{9b}31m\u{202e}b\u{e0041}冰\n\"";
        let mut out = Vec::new();
        write_document(&hostile, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(printable(text.trim_end()), text.trim_end());
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), hostile);
    }
}
