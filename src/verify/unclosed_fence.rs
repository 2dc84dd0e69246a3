//! A code fence that never closes hides the rest of the draft from every check.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "unclosed-fence",
    severity: Severity::Note,
    about: About::Place,
    summary: "a code fence that never closes",
    page: include_str!("../../docs/rules/unclosed-fence.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for span in &facts.draft.unclosed_fences {
        let lines = &facts.draft.lines;
        let hidden = lines.line(span.end.saturating_sub(1).max(span.start)) - lines.line(span.start);
        let message =
            format!("this fence never closes: {hidden} line(s) after it are code to a Markdown reader");
        findings.add(Finding::at(span, message).help("close it on a line of its own"));
    }
}
