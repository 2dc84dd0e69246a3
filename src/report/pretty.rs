//! For a person at a terminal: each finding with its line of the draft, the words in question underlined, and
//! what to do about it.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Format, Judged, Outcome, Report, Sinks, Verdict, brief};
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::text::printable::printable;

pub(super) const FORMAT: Format =
    Format { name: "pretty", summary: "each finding with its line of the draft, for people", write };

/// Columns of a line that are shown; the renderer moves this window over a longer one.
const COLUMNS: usize = 140;
/// Characters before a finding up to which the whole line is handed to the renderer: a draft may be one line.
const LONG_LINE: usize = 4_000;
/// Characters of a longer line that are shown on each side of a finding.
const CONTEXT: usize = 60;
/// Characters of the finding itself that are underlined.
const OWN: usize = 160;

fn write(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    let renderer = if sinks.colored { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(COLUMNS);
    let out = &mut *sinks.out;
    for draft in &report.drafts {
        match &draft.outcome {
            Outcome::Judged(judged) => {
                let (shown, rest) = brief(&judged.findings);
                for finding in shown {
                    writeln!(out, "{}\n", rendered(&draft.path, judged, finding, &renderer))?;
                }
                for (rule, count) in rest {
                    let message = format!("{count} more of {rule} in {}", printable(&draft.path));
                    writeln!(out, "{}\n", plain(Level::NOTE, &message, None, &renderer))?;
                }
            }
            Outcome::NotJudged { message, help } => {
                writeln!(out, "{}\n", plain(Level::ERROR, message, help.as_deref(), &renderer))?;
            }
        }
    }
    for finding in &report.together {
        writeln!(
            out,
            "{}\n",
            plain(level(finding.severity), &finding.message, finding.help.as_deref(), &renderer)
        )?;
    }
    write_end(report, out)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

fn rendered(path: &str, judged: &Judged, finding: &Diagnostic, renderer: &Renderer) -> String {
    let (message, path) = (printable(&finding.message), printable(path).into_owned());
    let title = level(finding.severity).primary_title(message.as_ref()).id(finding.rule);
    let group = match &finding.place {
        None => title.element(Origin::path(path)),
        Some(place) => {
            let excerpt = Excerpt::new(&judged.text, place);
            let mark = AnnotationKind::Primary.span(excerpt.start..excerpt.end);
            let snippet = Snippet::source(excerpt.line).line_start(place.line).annotation(mark);
            if place.column <= LONG_LINE {
                title.element(snippet.path(path))
            } else {
                let origin = Origin::path(path).line(place.line).char_column(place.column);
                title.element(origin).element(snippet)
            }
        }
    };
    renderer.render(&[with_help(group, finding.help.as_deref())])
}

fn plain(level: Level<'static>, message: &str, help: Option<&str>, renderer: &Renderer) -> String {
    let message = printable(message).into_owned();
    renderer.render(&[with_help(Group::with_title(level.primary_title(message)), help)])
}

fn with_help<'a>(group: Group<'a>, help: Option<&str>) -> Group<'a> {
    match help {
        Some(help) => group.element(Level::HELP.message(printable(help).into_owned())),
        None => group,
    }
}

fn write_end(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let several = report.drafts.len() > 1;
    for draft in &report.drafts {
        let Outcome::Judged(judged) = &draft.outcome else { continue };
        let about = if several { format!("{}: ", printable(&draft.path)) } else { String::new() };
        let accepted = match judged.accepted {
            0 => String::new(),
            count => format!("; {count} finding(s) accepted by the baseline"),
        };
        let untold = judged.stats.asks().map(|untold| format!("; cannot tell: {untold}")).unwrap_or_default();
        writeln!(out, "{about}{}{untold}{accepted}", printable(&judged.stats.to_string()))?;
    }
    match report.verdict() {
        Verdict::Passed => writeln!(out, "citations OK"),
        Verdict::Failed | Verdict::NotJudged => writeln!(out, "verification failed"),
    }
}

/// The part of a line that is shown: short enough to read, harmless, and with the finding inside it.
struct Excerpt {
    line: String,
    start: usize,
    end: usize,
}

impl Excerpt {
    fn new(text: &str, place: &Place) -> Self {
        let own = text.get(place.span.clone()).unwrap_or_default();
        let own = own.split(['\n', '\r']).next().unwrap_or_default();
        let before = text.get(..place.span.start).unwrap_or_default();
        let after = text.get(place.span.start + own.len()..).unwrap_or_default();
        let most = if place.column <= LONG_LINE { LONG_LINE } else { CONTEXT };
        let mut line: String = shown(last(before, most)).collect();
        let start = line.len();
        line.extend(shown(own.chars().take(OWN)));
        let end = line.len();
        if own.chars().nth(OWN).is_some() {
            line.push('…');
        } else {
            line.extend(shown(after.chars().take_while(|c| !is_line_end(*c)).take(CONTEXT)));
        }
        Self { line, start, end }
    }
}

/// The last characters, `most` of them, of the line that ends `before`.
fn last(before: &str, most: usize) -> impl Iterator<Item = char> {
    let tail: Vec<char> = before.chars().rev().take_while(|c| !is_line_end(*c)).take(most).collect();
    tail.into_iter().rev()
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// What steers a terminal is replaced by one visible character.
fn shown(text: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    text.filter(|c| *c != '\u{feff}').map(|c| match printable(c.encode_utf8(&mut [0; 4])) {
        _ if c == '\t' => ' ',
        std::borrow::Cow::Owned(_) => '\u{fffd}',
        std::borrow::Cow::Borrowed(_) => c,
    })
}
