//! Citations, but nowhere to look them up.

use std::collections::BTreeSet;

use super::facts::brackets;
use super::{About, Facts, Finding, Findings, Rule};
use crate::diagnostic::Severity;
use crate::identity::SourceId;

pub(super) const RULE: Rule = Rule {
    id: "no-sources-block",
    severity: Severity::Error,
    about: About::Draft,
    summary: "a draft that cites sources and lists none",
    page: include_str!("../../docs/rules/no-sources-block.md"),
    check,
};

fn check(facts: &Facts, findings: &mut Findings) {
    let Some(first) = facts.draft.citations.first() else { return };
    if !facts.draft.blocks.is_empty() {
        return;
    }
    let ids: BTreeSet<SourceId> = facts.draft.citations.iter().flat_map(|citation| citation.ids()).collect();
    let ids: Vec<SourceId> = ids.into_iter().collect();
    let what = if ids.is_empty() { "sources".to_owned() } else { brackets(&ids) };
    let message = format!("the draft cites {what} but has no `Sources:` block");
    findings.add(
        Finding::about_draft(message)
            .shown_at(&first.span)
            .help("`cited render --replace-in DRAFT` writes one from the ledger"),
    );
}
