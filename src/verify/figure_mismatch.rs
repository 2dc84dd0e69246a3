//! A figure that no quote of its sources has. Reads what [`super::figures`] found.

use super::facts::brackets;
use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::text::printable::one_line;
use crate::text::quantity::Standing;

pub(super) const RULE: Rule = Rule {
    id: "figure-mismatch",
    severity: Severity::Error,
    about: About::Place,
    summary: "a figure in a cited sentence that no quote of its sources contains (with `--figures`)",
    page: include_str!("../../docs/rules/figure-mismatch.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for figure in &facts.figures {
        let Standing::Missing(_) = figure.standing else { continue };
        let mut message =
            format!("`{}` stands in no quote of {}", one_line(&figure.said), brackets(&figure.ids));
        if let Some(quoted) = figure.quoted {
            message.push_str(&format!("; a quote has `{}`", one_line(quoted)));
        }
        let help = "take the figure from the page, or attach the passage that has it with `cited quote`";
        findings.add(Finding::at(&figure.span, message).help(help));
    }
}
