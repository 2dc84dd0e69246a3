//! `<!-- cited: allow RULE -->`: drops the findings that the comment speaks for, and reports a comment that
//! silences nothing. Judged after every other rule.

use std::collections::HashMap;

use super::{About, Facts, Finding, Findings, Level, RULES, Rule, Scope};
use crate::diagnostic::Severity;
use crate::draft::Allow;
use crate::text::printable::one_line;

pub(super) const RULE: Rule = Rule {
    id: "unused-allow",
    severity: Severity::Warning,
    about: About::Place,
    summary: "a `cited: allow` comment that silences nothing",
    page: include_str!("../../docs/rules/unused-allow.md"),
    // Only `apply` knows what was silenced.
    check: |_, _| {},
};

/// Applies the draft's allow comments to what the other rules found.
pub(super) fn apply(facts: &Facts, findings: &mut Findings) {
    let allows = &facts.draft.allows;
    if allows.is_empty() {
        return;
    }
    let used = silence(allows, findings);
    findings.start(&RULE, facts.options.level(&RULE));
    for (allow, used) in allows.iter().zip(used) {
        if !used && !did_not_run(facts, &allow.rule) {
            findings.add(report(allow));
        }
    }
}

/// Drops what the comments speak for; says of each whether it was needed.
fn silence(allows: &[Allow], findings: &mut Findings) -> Vec<bool> {
    let mut used = vec![false; allows.len()];
    let mut by_rule: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, allow) in allows.iter().enumerate() {
        by_rule.entry(allow.rule.as_str()).or_default().push(at);
    }
    findings.retain(|rule, finding| {
        let Some(of_rule) = by_rule.get(rule) else { return true };
        let found = match super::rule(rule).map(|rule| rule.about) {
            Some(About::Draft) => of_rule.first().copied(),
            _ => covering(allows, of_rule, finding),
        };
        if let Some(at) = found {
            used[at] = true;
        }
        found.is_none()
    });
    used
}

/// The comment that covers a finding: covered blocks ascend and do not overlap, so one look is enough.
fn covering(allows: &[Allow], of_rule: &[usize], finding: &Finding) -> Option<usize> {
    let start = finding.span.as_ref()?.start;
    let after = of_rule.partition_point(|at| allows[*at].covers.start <= start);
    let at = of_rule[..after].last().copied()?;
    allows[at].covers.contains(&start).then_some(at)
}

/// Whether a rule had no chance to find anything here: it is off, or nobody asked for what it looks at.
fn did_not_run(facts: &Facts, rule: &str) -> bool {
    let off = super::rule(rule).is_some_and(|rule| facts.options.level(rule) == Level::Off);
    let asked = match rule {
        "coverage" => facts.options.min_coverage.is_some(),
        "missing-evidence" | "broken-evidence" | "not-recheckable" => facts.evidence.is_some(),
        "unsupported-sentence" => facts.options.sentences,
        "figure-mismatch" | "figure-rounded" => facts.options.figures,
        "misquoted" => facts.stats.cannot_tell.quotations.is_some(),
        // With several drafts it is judged over all of them.
        "uncited-source" => facts.scope == Scope::Alone,
        _ => true,
    };
    off || !asked
}

fn report(allow: &Allow) -> Finding {
    let rule = one_line(&allow.rule);
    if super::rule(&allow.rule).is_some() {
        let message = format!("`allow {rule}` silences nothing");
        return Finding::at(&allow.span, message).help("remove the comment");
    }
    let names: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    Finding::at(&allow.span, format!("`allow {rule}` names no rule"))
        .help(format!("the rules are {}", names.join(", ")))
}
