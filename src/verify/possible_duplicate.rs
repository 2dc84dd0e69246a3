//! Two cited ids that look like one page under two addresses.

use std::collections::HashMap;

use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::identity::SourceId;

pub(super) const RULE: Rule = Rule {
    id: "possible-duplicate",
    severity: Severity::Note,
    about: About::Place,
    summary: "two cited sources that look like one page",
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let mut seen: HashMap<String, SourceId> = HashMap::new();
    for (id, first, source) in facts.cited_sources() {
        let Some(earlier) = seen.insert(look(&source.url), id) else { continue };
        let message = format!("[{id}] looks like the page of [{earlier}] under another address");
        findings
            .add(Finding::at(&first.span, message).help("cite one of them: two numbers are not two sources"));
    }
}

/// What is left of a web address when its protocol, the usual host prefixes and a closing slash go.
fn look(url: &str) -> String {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest else { return url.to_owned() };
    let rest = ["www.", "m.", "amp."].iter().find_map(|prefix| rest.strip_prefix(prefix)).unwrap_or(rest);
    rest.trim_end_matches('/').to_owned()
}
