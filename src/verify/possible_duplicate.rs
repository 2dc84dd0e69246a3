//! Two cited ids that look like one page under two addresses.

use std::collections::HashMap;

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::identity::{SourceId, family};

pub(super) const RULE: Rule = Rule {
    id: "possible-duplicate",
    severity: Severity::Note,
    about: About::Place,
    summary: "two cited sources that look like one page",
    page: include_str!("../../docs/rules/possible-duplicate.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let mut seen: HashMap<String, SourceId> = HashMap::new();
    for (id, first, source) in facts.cited_sources() {
        let Some(earlier) = seen.insert(family(&source.url), id) else { continue };
        let message = format!("[{id}] looks like the page of [{earlier}] under another address");
        findings
            .add(Finding::at(&first.span, message).help("cite one of them: two numbers are not two sources"));
    }
}
