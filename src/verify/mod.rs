//! The rules a draft is held to: a table of plain structs, one file a rule.
//!
//! In: a parsed [`Draft`], the ledger, results of evidence re-checks and options, joined
//! in [`Facts`]. Out: [`Diagnostic`]s in text order. A rule reads facts and never looks at the raw text for
//! itself; facts are computed once. No IO, no output format, no exit code: [`Strictness`] only says what fails.

mod bearing;
mod claims;
mod facts;
mod figures;
mod findings;
pub mod fix;
mod kept;
mod options;
pub mod parallel;
mod quotations;
mod recheck;
pub mod stats;

mod ambiguous_id;
mod broken_evidence;
mod citation_dump;
mod citation_form;
mod coverage;
mod duplicate_entry;
mod escaped_marker;
mod figure_mismatch;
mod figure_rounded;
mod foreign_citation;
mod listed_not_cited;
mod listed_unknown;
mod misquoted;
mod missing_evidence;
mod no_sources_block;
mod not_listed;
mod not_recheckable;
mod over_cited;
mod pages;
mod possible_duplicate;
mod title_mismatch;
mod uncited_source;
mod unclosed_fence;
mod unknown_id;
mod unsupported_sentence;
mod unused_allow;
mod unverified_heavy;
mod url_mismatch;
mod withdrawn_source;
mod year_like;

pub use bearing::Bearing;
pub use claims::Claim;
pub use facts::{Evidence, Facts, Rechecks, Scope};
pub use figures::FigureOf;
pub use findings::{Finding, Findings};
pub use options::{Level, Options, Strictness};
pub use pages::Asked;
pub use quotations::{Quotations, Wording, look_up};
pub use recheck::recheck;

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Severity};
use crate::draft::Draft;
use crate::ledger::Ledger;
use stats::Stats;

/// One rule: its name everywhere, how grave it is unless configured, and how it is checked.
pub struct Rule {
    /// File name (with `_` for `-`), fixture folder, page in `docs/rules` and code in every report.
    pub id: &'static str,
    /// How grave a finding is by default.
    pub severity: Severity,
    /// What a finding is about.
    pub about: About,
    /// What a finding says, in one line.
    pub summary: &'static str,
    /// Its page in `docs/rules`: an example, how to mend it, how to silence it.
    pub page: &'static str,
    /// Reads the facts and adds what it finds.
    pub check: fn(&Facts, &mut Findings),
}

/// What the findings of a rule are about, whatever place they show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// One place: a marker, an entry, a sentence. A comment before its block silences it.
    Place,
    /// The draft as a whole. A comment anywhere silences it.
    Draft,
}

/// Every rule, gravest first; findings at one place come in this order.
pub const RULES: &[Rule] = &[
    unknown_id::RULE,
    withdrawn_source::RULE,
    ambiguous_id::RULE,
    foreign_citation::RULE,
    no_sources_block::RULE,
    not_listed::RULE,
    listed_unknown::RULE,
    url_mismatch::RULE,
    duplicate_entry::RULE,
    missing_evidence::RULE,
    broken_evidence::RULE,
    figure_mismatch::RULE,
    misquoted::RULE,
    coverage::RULE,
    figure_rounded::RULE,
    unsupported_sentence::RULE,
    listed_not_cited::RULE,
    over_cited::RULE,
    title_mismatch::RULE,
    unused_allow::RULE,
    escaped_marker::RULE,
    citation_form::RULE,
    year_like::RULE,
    citation_dump::RULE,
    unverified_heavy::RULE,
    unclosed_fence::RULE,
    possible_duplicate::RULE,
    not_recheckable::RULE,
    uncited_source::RULE,
];

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// What checking one draft gave.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// Counts of sentences and sources.
    pub stats: Stats,
    /// Findings in text order.
    pub findings: Vec<Diagnostic>,
}

/// Every finding about one draft, in text order; findings about the draft as a whole come last.
pub fn check(facts: &Facts) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    for rule in RULES {
        findings.start(rule, facts.options.level(rule));
        (rule.check)(facts, &mut findings);
    }
    unused_allow::apply(facts, &mut findings);
    findings.into_diagnostics(facts.draft)
}

/// Findings and counts of many drafts, in their order, each checked on its own thread, and what only shows
/// over all of them: with several drafts, sources that none of them cites are said once.
pub fn check_all(
    drafts: &[Option<Draft>],
    ledger: &Ledger,
    options: &Options,
    evidence: &Evidence,
) -> (Vec<Option<Checked>>, Option<Diagnostic>) {
    let scope = if drafts.len() > 1 { Scope::OneOfMany } else { Scope::Alone };
    let judge = |draft: &Option<Draft>| {
        let facts = Facts::new(draft.as_ref()?, ledger, options, evidence, scope);
        let findings = check(&facts);
        Some(Checked { stats: facts.stats, findings })
    };
    let judged = parallel::map(drafts, judge);
    let together = (scope == Scope::OneOfMany).then(|| check_together(drafts, ledger, options)).flatten();
    (judged, together)
}

/// Sources of the ledger that none of the drafts cites. One that could not be read may cite any of them, so
/// then nothing is said.
fn check_together(drafts: &[Option<Draft>], ledger: &Ledger, options: &Options) -> Option<Diagnostic> {
    let Level::At(severity) = options.level(&uncited_source::RULE) else { return None };
    let mut cited = BTreeSet::new();
    for draft in drafts {
        cited.extend(facts::first_citations(draft.as_ref()?).into_keys());
    }
    let finding = uncited_source::among(ledger, &cited, "in any of these drafts")?;
    Some(Diagnostic {
        rule: uncited_source::RULE.id,
        severity,
        message: finding.message,
        place: None,
        help: finding.help,
        fix: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_named_once_and_says_what_it_finds() {
        for (at, one) in RULES.iter().enumerate() {
            assert!(RULES[..at].iter().all(|other| other.id != one.id), "{} twice", one.id);
            assert!(one.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", one.id);
            assert!(!one.summary.is_empty() && !one.summary.ends_with('.'), "{}", one.id);
            assert!(one.page.starts_with(&format!("# {}\n", one.id)), "{} has another rule's page", one.id);
        }
    }
}
