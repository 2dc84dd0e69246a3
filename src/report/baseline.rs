//! Findings that were accepted once, so that an old report can enter CI and only get better: a finding that
//! the baseline holds is dropped, a new one is shown, and coverage may rise but not fall.
//!
//! In: the text of a baseline file and a report. Out: the report without what was accepted, or the text of a
//! new file. Findings are told again by fingerprint, whatever line they moved to.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::fingerprint::fingerprint;
use super::{Outcome, Report};
use crate::diagnostic::Diagnostic;
use crate::text::printable::one_line;
use crate::verify::stats::Stats;
use crate::{Error, Result};

/// Accepted findings by draft.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
pub struct Baseline {
    schema_version: u32,
    #[serde(default)]
    drafts: BTreeMap<String, Accepted>,
    #[serde(default)]
    together: Vec<Entry>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
struct Accepted {
    sentences: usize,
    declared: usize,
    findings: Vec<Entry>,
}

/// The message is for people who read the file; it is not compared.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
struct Entry {
    rule: String,
    fingerprint: String,
    message: String,
}

const SCHEMA_VERSION: u32 = 1;
const COVERAGE: &str = "coverage";

impl Baseline {
    /// Reads the text of a baseline file; `name` is how the user calls it.
    ///
    /// # Errors
    /// When it is no baseline, or one of a later version.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let help = "`cited verify … --write-baseline FILE` writes a new one";
        let baseline: Self = serde_json::from_str(text).map_err(|error| {
            Error::not_judged(format!("`{name}` is no baseline: {error}")).with_help(help)
        })?;
        if baseline.schema_version != SCHEMA_VERSION {
            let found =
                format!("baseline `{name}` has version {}, not {SCHEMA_VERSION}", baseline.schema_version);
            return Err(Error::not_judged(found).with_help(help));
        }
        Ok(baseline)
    }

    /// A baseline that accepts every finding of `report`.
    pub fn accepting(report: &Report) -> Self {
        let mut drafts = BTreeMap::new();
        for draft in &report.drafts {
            let Outcome::Judged(judged) = &draft.outcome else { continue };
            let findings: Vec<Entry> = judged.findings.iter().map(|f| Entry::new(&judged.text, f)).collect();
            if !findings.is_empty() {
                let Stats { sentences, declared, .. } = judged.stats;
                drafts.insert(name(&draft.path), Accepted { sentences, declared, findings });
            }
        }
        let together = report.together.iter().map(|finding| Entry::new("", finding)).collect();
        Self { schema_version: SCHEMA_VERSION, drafts, together }
    }

    /// How many findings it accepts.
    pub fn len(&self) -> usize {
        self.drafts.values().map(|accepted| accepted.findings.len()).sum::<usize>() + self.together.len()
    }

    /// It accepts nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of the file.
    ///
    /// # Errors
    /// Never in practice; a failed serialisation is passed on.
    pub fn to_text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| Error::no(error.to_string()))?;
        Ok(text + "\n")
    }

    /// Drops from `report` what is accepted, each accepted finding once, and counts it.
    pub fn apply(&self, report: &mut Report) {
        for draft in &mut report.drafts {
            let Outcome::Judged(judged) = &mut draft.outcome else { continue };
            let Some(accepted) = self.drafts.get(&name(&draft.path)) else { continue };
            let mut left = counted(&accepted.findings);
            let (text, stats, before) = (&judged.text, &judged.stats, judged.findings.len());
            judged.findings.retain(|finding| {
                let fell = finding.rule == COVERAGE && accepted.coverage_fell(stats);
                fell || !take(&mut left, &fingerprint(text, finding))
            });
            judged.accepted += before - judged.findings.len();
        }
        let mut left = counted(&self.together);
        report.together.retain(|finding| !take(&mut left, &fingerprint("", finding)));
    }
}

impl Entry {
    fn new(text: &str, finding: &Diagnostic) -> Self {
        Self {
            rule: finding.rule.to_owned(),
            fingerprint: fingerprint(text, finding),
            message: one_line(&finding.message),
        }
    }
}

impl Accepted {
    fn coverage_fell(&self, now: &Stats) -> bool {
        now.declared.saturating_mul(self.sentences) < self.declared.saturating_mul(now.sentences)
    }
}

fn counted(entries: &[Entry]) -> HashMap<&str, usize> {
    let mut left = HashMap::new();
    for entry in entries {
        *left.entry(entry.fingerprint.as_str()).or_default() += 1;
    }
    left
}

fn take(left: &mut HashMap<&str, usize>, print: &str) -> bool {
    match left.get_mut(print) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

/// A draft is the same draft on every system.
fn name(path: &str) -> String {
    path.replace('\\', "/").trim_start_matches("./").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Place, Severity};
    use crate::report::{DraftReport, Judged};

    fn finding(rule: &'static str, text: &str, marker: &str) -> Diagnostic {
        let start = text.rfind(marker).unwrap();
        let place = Place { span: start..start + marker.len(), line: 1, column: 1 };
        let message = format!("{marker} is wrong");
        Diagnostic { rule, severity: Severity::Error, message, place: Some(place), help: None, fix: None }
    }

    fn report(text: &str, declared: usize, findings: Vec<Diagnostic>) -> Report {
        let stats = Stats { sentences: 10, declared, ..Stats::default() };
        let judged = Judged { text: text.into(), stats, findings, ..Judged::default() };
        let draft = DraftReport { path: "docs/d.md".into(), outcome: Outcome::Judged(judged) };
        Report { drafts: vec![draft], ..Report::default() }
    }

    fn left(baseline: &Baseline, mut report: Report) -> (usize, usize) {
        baseline.apply(&mut report);
        let Outcome::Judged(judged) = &report.drafts[0].outcome else { panic!("not judged") };
        (judged.findings.len(), judged.accepted)
    }

    #[test]
    fn an_accepted_finding_is_dropped_wherever_it_moved_and_a_new_one_is_not() {
        let (old, new) = ("Ice floats.[9]\n", "# Title\n\nIce floats.[9]\n\nWater boils.[8]\n");
        let baseline = Baseline::accepting(&report(old, 5, vec![finding("unknown-id", old, "[9]")]));
        let baseline = Baseline::parse(&baseline.to_text().unwrap(), "b.json").unwrap();
        let both = vec![finding("unknown-id", new, "[9]"), finding("unknown-id", new, "[8]")];
        assert_eq!(left(&baseline, report(new, 5, both)), (1, 1));
    }

    #[test]
    fn a_finding_accepted_once_is_not_accepted_twice() {
        let text = "Ice floats.[9]\n";
        let one = || finding("unknown-id", text, "[9]");
        let baseline = Baseline::accepting(&report(text, 5, vec![one()]));
        assert_eq!(left(&baseline, report(text, 5, vec![one(), one()])), (1, 1));
    }

    #[test]
    fn coverage_may_rise_but_not_fall() {
        let text = "Ice floats.";
        let one = || vec![finding("coverage", text, "Ice")];
        let baseline = Baseline::accepting(&report(text, 5, one()));
        assert_eq!(left(&baseline, report(text, 5, one())), (0, 1));
        assert_eq!(left(&baseline, report(text, 6, one())), (0, 1));
        assert_eq!(left(&baseline, report(text, 4, one())), (1, 0));
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        for text in ["", "[]", "{}", "{\"schema_version\": 2}", "{\"schema_version\": \"1\"}"] {
            assert!(Baseline::parse(text, "b.json").is_err(), "{text}");
        }
    }
}
