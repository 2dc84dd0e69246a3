//! Words in quotation marks that no page of their sources has. Reads the results of looking them up; the matching
//! is done elsewhere.

use super::facts::brackets;
use super::{About, Facts, Finding, Findings, Rule, Wording};
use crate::diagnostic::Severity;
use crate::identity::SourceId;
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "misquoted",
    severity: Severity::Error,
    about: About::Place,
    summary: "words in quotation marks that no page of their sources has (with `--quotations`)",
    page: include_str!("../../docs/rules/misquoted.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    for quotation in &facts.quotations {
        let Some(Wording::Absent(near)) = &quotation.wording else { continue };
        let ids: Vec<SourceId> = quotation.sources.iter().map(|source| source.id).collect();
        let mut message =
            format!("the words in quotation marks are not found verbatim on the page of {}", brackets(&ids));
        if let Some(near) = near {
            message.push_str(&format!("; {}", one_line(near)));
        }
        let help = "copy the words from the page, or say it without quotation marks";
        findings.add(Finding::at(&quotation.span, message).help(help));
    }
}
