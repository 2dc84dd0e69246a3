//! Applies the rewrites that findings carry, as far as the draft cites the same ids in the same order afterwards:
//! a bracket that moves can meet another one and turn into something else.

use crate::diagnostic::Diagnostic;
use crate::draft::rewrite::apply_fixes;
use crate::draft::{Draft, Options, Span};
use crate::identity::{Register, SourceId};

/// Readings of the draft that are spent on finding out which fix changes it.
const MOST_READINGS: usize = 64;

/// `text` with the fixes of its findings applied; `None` where there is nothing to change. Of two fixes that
/// overlap the first wins, and the next run finds the other again.
pub fn apply(
    text: &str,
    findings: &[Diagnostic],
    options: &Options,
    register: &dyn Register,
) -> Option<String> {
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let mut fixes: Vec<(Span, String)> =
        fixes.map(|fix| (fix.span.clone(), fix.replacement.clone())).collect();
    fixes.sort_by_key(|(span, _)| (span.start, span.end));
    let read = |text: &str| cited(&Draft::parse(text, options, register));
    let mut careful = Careful { cited: read(text), read: &read, readings: 0 };
    Some(careful.apply(text.to_owned(), &fixes)).filter(|fixed| fixed != text)
}

/// What a draft cites, in text order.
fn cited(draft: &Draft) -> Vec<SourceId> {
    draft.citations.iter().flat_map(|citation| citation.ids()).collect()
}

/// Keeps what a draft cites while it is rewritten.
struct Careful<'r> {
    cited: Vec<SourceId>,
    read: &'r dyn Fn(&str) -> Vec<SourceId>,
    readings: usize,
}

impl Careful<'_> {
    /// All `fixes`, or else those of each half that do no harm; the later half first, so that the spans of the
    /// earlier one still hold.
    fn apply(&mut self, text: String, fixes: &[(Span, String)]) -> String {
        if fixes.is_empty() || self.readings == MOST_READINGS {
            return text;
        }
        self.readings += 1;
        let fixed = apply_fixes(&text, fixes);
        if (self.read)(&fixed) == self.cited {
            return fixed;
        }
        if fixes.len() == 1 {
            return text;
        }
        let (earlier, later) = fixes.split_at(fixes.len() / 2);
        let text = self.apply(text, later);
        self.apply(text, earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Fix, Severity};
    use crate::identity::Unknown;

    fn fix(text: &str, words: &str, replacement: &str) -> Diagnostic {
        let start = text.find(words).unwrap();
        Diagnostic {
            rule: "citation-form",
            severity: Severity::Note,
            message: String::new(),
            place: None,
            help: None,
            fix: Some(Fix { span: start..start + words.len(), replacement: replacement.into() }),
        }
    }

    fn applied(text: &str, fixes: &[Diagnostic]) -> Option<String> {
        apply(text, fixes, &Options::default(), &Unknown)
    }

    #[test]
    fn fixes_apply_in_text_order_whatever_order_they_come_in() {
        let text = "Ice floats on water.【1】 Water boils at last [2].";
        let fixes = [fix(text, " [2]", "[2]"), fix(text, "【1】", "[1]")];
        assert_eq!(applied(text, &fixes).unwrap(), "Ice floats on water.[1] Water boils at last[2].");
    }

    #[test]
    fn a_fix_that_would_change_what_is_cited_is_left_out_and_the_others_are_not() {
        let text = "Ice floats on water.【1】 Water boils at last [2]. Steam is a gas.【3】";
        let fixes = [fix(text, "【1】", "[1]"), fix(text, "[2]", "[4]"), fix(text, "【3】", "[3]")];
        assert_eq!(
            applied(text, &fixes).unwrap(),
            "Ice floats on water.[1] Water boils at last [2]. Steam is a gas.[3]"
        );
    }

    #[test]
    fn a_span_that_does_not_fit_is_passed_over() {
        let mut bad = fix("冰", "冰", "x");
        bad.fix = Some(Fix { span: 1..2, replacement: "x".into() });
        assert_eq!(applied("冰", &[bad]), None);
    }

    #[test]
    fn nothing_to_fix_changes_nothing() {
        assert_eq!(applied("abc", &[]), None);
        assert_eq!(applied("abc", &[fix("abc", "a", "a")]), None);
    }
}
