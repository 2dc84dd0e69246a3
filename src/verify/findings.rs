//! What a rule hands back, and how findings become diagnostics: severity from the options, line and column
//! from the draft, text order.

use super::{Level, Rule};
use crate::diagnostic::{Diagnostic, Fix, Place, Severity};
use crate::draft::{Draft, Span};
use crate::text::lines::LineIndex;

/// One thing a rule found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What it says, in one line with ids in brackets.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    pub(super) span: Option<Span>,
    fix: Option<Fix>,
}

impl Finding {
    /// A finding about these bytes of the draft.
    pub fn at(span: &Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { message, help: None, span: Some(span.clone()), fix: None }
    }

    /// A finding about the draft as a whole.
    pub fn about_draft(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, span: None, fix: None }
    }

    /// The same finding, shown at a place where a reader will see what it means.
    #[must_use]
    pub fn shown_at(mut self, span: &Span) -> Self {
        self.span = Some(span.clone());
        self
    }

    /// The same finding with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same finding with a rewrite that mends it.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix { span, replacement: replacement.into() });
        self
    }
}

/// Collects the findings of one rule after another.
#[derive(Default)]
pub struct Findings {
    current: Option<(&'static str, Severity)>,
    found: Vec<(&'static str, Severity, Finding)>,
}

impl Findings {
    /// Adds a finding of the rule being checked.
    pub fn add(&mut self, finding: Finding) {
        if let Some((rule, severity)) = self.current {
            self.found.push((rule, severity, finding));
        }
    }

    /// What follows is found by `rule`; at [`Level::Off`] it is dropped.
    pub(super) fn start(&mut self, rule: &'static Rule, level: Level) {
        self.current = match level {
            Level::Off => None,
            Level::At(severity) => Some((rule.id, severity)),
        };
    }

    /// Keeps only the findings that `keep` says to.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&'static str, &Finding) -> bool) {
        self.found.retain(|(rule, _, finding)| keep(rule, finding));
    }

    /// All findings in text order, those without a place last; at one place the order of the rules stays.
    pub(super) fn into_diagnostics(mut self, draft: &Draft) -> Vec<Diagnostic> {
        self.found.sort_by_key(|(_, _, finding)| finding.span.as_ref().map_or(usize::MAX, |span| span.start));
        let mut places = Places { text: draft.text, lines: &draft.lines, last: (0, 1, 1) };
        let one = |(rule, severity, finding): (&'static str, Severity, Finding)| Diagnostic {
            rule,
            severity,
            message: finding.message,
            place: finding.span.map(|span| places.of(span)),
            help: finding.help,
            fix: finding.fix,
        };
        self.found.into_iter().map(one).collect()
    }
}

/// Line and column of ascending offsets, counted on from the last one: a draft that is one long line full of
/// findings stays linear.
struct Places<'a> {
    text: &'a str,
    lines: &'a LineIndex,
    last: (usize, usize, usize),
}

impl Places<'_> {
    fn of(&mut self, span: Span) -> Place {
        let (offset, line, column) = self.last;
        let on_the_same_line = span.start >= offset && offset > 0 && self.lines.line(span.start) == line;
        let (line, column) = if on_the_same_line {
            let between = self.text.get(offset..span.start).unwrap_or_default();
            (line, column + between.chars().count())
        } else {
            self.lines.place(self.text, span.start)
        };
        self.last = (span.start, line, column);
        Place { span, line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_counted_on_equal_places_counted_afresh() {
        let text = "\u{feff}冰[1] 浮[2]\r\nnext [3]\n\n[4]";
        let lines = LineIndex::new(text);
        let mut places = Places { text, lines: &lines, last: (0, 1, 1) };
        for (at, _) in text.match_indices('[') {
            let place = places.of(at..at + 3);
            assert_eq!((place.line, place.column), lines.place(text, at));
        }
    }
}
