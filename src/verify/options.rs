//! What a user may set: how grave each rule is, what share of sentences must declare their provenance, and
//! which findings fail a draft. Values only; `cited.toml` and the command line are read elsewhere.

use std::collections::BTreeMap;

use super::{RULES, Rule};
use crate::diagnostic::{Diagnostic, Severity};
use crate::{Error, Result};

/// Settings of a check.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Share of prose sentences with declared provenance that is asked for, 0 to 1.
    pub min_coverage: Option<f64>,
    /// Each cited sentence is held against the quotes of its sources.
    pub sentences: bool,
    /// The figures of each cited sentence are held against the quotes of its sources.
    pub figures: bool,
    /// Rules that are not as grave as their table says.
    levels: BTreeMap<&'static str, Level>,
}

/// How grave a rule's findings are, after configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The rule says nothing.
    Off,
    /// Its findings are this grave.
    At(Severity),
}

/// Which findings fail a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Errors.
    #[default]
    Errors,
    /// Errors, and the warnings that any honest draft can be free of.
    Strict,
    /// Every finding.
    All,
}

/// The warnings that fail a draft under [`Strictness::Strict`].
const STRICT_WARNINGS: [&str; 4] = ["listed-not-cited", "uncited-source", "over-cited", "title-mismatch"];

impl Options {
    /// The rules as grave as `[rules]` of cited.toml says.
    ///
    /// # Errors
    /// As [`Options::set_level`].
    pub fn with_levels(rules: &BTreeMap<String, String>) -> Result<Self> {
        let mut options = Self::default();
        rules.iter().try_for_each(|(rule, word)| options.set_level(rule, word))?;
        Ok(options)
    }

    /// How grave `rule` is here.
    pub fn level(&self, rule: &Rule) -> Level {
        self.levels.get(rule.id).copied().unwrap_or(Level::At(rule.severity))
    }

    /// Sets a rule to `off`, `note`, `warning` or `error`, as `[rules]` of cited.toml writes it.
    ///
    /// # Errors
    /// When there is no such rule or no such word.
    pub fn set_level(&mut self, rule: &str, word: &str) -> Result<()> {
        let known = super::rule(rule).ok_or_else(|| no_such_rule(rule))?;
        self.levels.insert(known.id, Level::read(word)?);
        Ok(())
    }

    /// Asks for a share of sentences with declared provenance.
    ///
    /// # Errors
    /// When `share` does not lie between 0 and 1.
    pub fn set_min_coverage(&mut self, share: f64) -> Result<()> {
        if !(0.0..=1.0).contains(&share) {
            let found = Error::not_judged(format!("minimum coverage is a share from 0 to 1, not `{share}`"));
            return Err(found.with_help("`--min-coverage 0.6` asks for 60% of the prose sentences"));
        }
        self.min_coverage = Some(share);
        Ok(())
    }
}

impl Level {
    fn read(word: &str) -> Result<Self> {
        match word {
            "off" => Ok(Self::Off),
            "note" => Ok(Self::At(Severity::Note)),
            "warning" => Ok(Self::At(Severity::Warning)),
            "error" => Ok(Self::At(Severity::Error)),
            other => Err(Error::not_judged(format!("no severity `{other}`"))
                .with_help("a rule is `off`, `note`, `warning` or `error`")),
        }
    }
}

impl Strictness {
    /// Whether this finding fails its draft.
    pub fn fails(self, finding: &Diagnostic) -> bool {
        match self {
            Self::Errors => finding.severity == Severity::Error,
            Self::Strict => {
                finding.severity == Severity::Error
                    || finding.severity == Severity::Warning && STRICT_WARNINGS.contains(&finding.rule)
            }
            Self::All => true,
        }
    }
}

fn no_such_rule(rule: &str) -> Error {
    let names: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    Error::not_judged(format!("no rule `{rule}`")).with_help(format!("the rules are {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: &'static str, severity: Severity) -> Diagnostic {
        Diagnostic { rule, severity, message: String::new(), place: None, help: None, fix: None }
    }

    #[test]
    fn strict_fails_on_its_four_warnings_only() {
        let over_cited = finding("over-cited", Severity::Warning);
        let other = finding("unused-allow", Severity::Warning);
        let note = finding("year-like", Severity::Note);
        assert!(!Strictness::Errors.fails(&over_cited));
        assert!(Strictness::Strict.fails(&over_cited));
        assert!(!Strictness::Strict.fails(&other));
        assert!(!Strictness::Strict.fails(&note));
        assert!(Strictness::All.fails(&other) && Strictness::All.fails(&note));
    }

    #[test]
    fn a_rule_can_be_turned_off_or_made_graver() {
        let mut options = Options::default();
        options.set_level("uncited-source", "off").unwrap();
        options.set_level("year-like", "error").unwrap();
        assert_eq!(options.level(super::super::rule("uncited-source").unwrap()), Level::Off);
        assert_eq!(options.level(super::super::rule("year-like").unwrap()), Level::At(Severity::Error));
        assert_eq!(options.level(super::super::rule("unknown-id").unwrap()), Level::At(Severity::Error));
    }

    #[test]
    fn a_rule_or_word_that_does_not_exist_is_refused_with_the_choices() {
        let mut options = Options::default();
        let error = options.set_level("no-such-rule", "off").unwrap_err();
        assert!(error.to_string().contains("`no-such-rule`") && error.help().unwrap().contains("unknown-id"));
        assert!(options.set_level("unknown-id", "fatal").is_err());
    }

    #[test]
    fn a_share_outside_zero_to_one_is_refused() {
        let mut options = Options::default();
        for share in [-0.1, 1.1, 60.0, f64::NAN, f64::INFINITY] {
            assert!(options.set_min_coverage(share).is_err(), "{share}");
        }
        for share in [0.0, 0.6, 1.0] {
            assert!(options.set_min_coverage(share).is_ok(), "{share}");
        }
    }
}
