//! Too few sentences say where they come from.

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;

pub(super) const RULE: Rule = Rule {
    id: "coverage",
    severity: Severity::Error,
    about: About::Draft,
    summary: "fewer sentences with declared provenance than `--min-coverage` asks for",
    page: include_str!("../../docs/rules/coverage.md"),
    check,
};

/// Shares are ratios of small counts: 0.6 asked for and 3 of 5 found must be equal.
const ROUNDING: f64 = 1e-9;

fn check(facts: &Facts, findings: &mut Findings) {
    let Some(asked) = facts.options.min_coverage else { return };
    let found = facts.stats.coverage();
    if found + ROUNDING >= asked {
        return;
    }
    let (declared, all) = (facts.stats.declared, facts.stats.sentences);
    let message = format!(
        "coverage {:.1}% is below the {}% asked for: {declared} of {all} prose sentence(s) with declared provenance",
        100.0 * found,
        shown(100.0 * asked),
    );
    let finding =
        Finding::about_draft(message).help("cite a source after each sentence, or mark it `[unverified]`");
    findings.add(match first_bare_sentence(facts) {
        Some(span) => finding.shown_at(span),
        None => finding,
    });
}

fn first_bare_sentence<'a>(facts: &Facts<'a>) -> Option<&'a crate::draft::Span> {
    let mut sentences = facts.draft.sentences.iter();
    sentences.find(|s| s.citations.is_empty() && s.markers.is_empty()).map(|s| &s.span)
}

/// `60`, `62.5`: no digits that say nothing.
fn shown(percent: f64) -> f64 {
    (percent * 100.0).round() / 100.0
}
