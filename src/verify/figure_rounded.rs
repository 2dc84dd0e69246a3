//! A figure that says less or more exactly what a quote says. Reads what [`super::figures`] found.

use super::facts::brackets;
use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::text::printable::one_line;
use crate::text::quantity::Standing;

pub(super) const RULE: Rule = Rule {
    id: "figure-rounded",
    severity: Severity::Warning,
    about: About::Place,
    summary: "a figure that is coarser or finer than the one in the quotes of its sources (with `--figures`)",
    page: include_str!("../../docs/rules/figure-rounded.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for figure in &facts.figures {
        let how = match figure.standing {
            Standing::Coarser(_) => "coarser",
            Standing::Finer(_) => "finer",
            _ => continue,
        };
        let quoted = figure.quoted.map(one_line).unwrap_or_default();
        let (said, ids) = (one_line(&figure.said), brackets(&figure.ids));
        let message = format!("`{said}` is {how} than `{quoted}` in a quote of {ids}");
        findings.add(Finding::at(&figure.span, message).help("write the figure as the page has it"));
    }
}
