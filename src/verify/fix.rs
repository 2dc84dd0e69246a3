//! Applies the rewrites that findings carry. Each is safe by itself; of two that overlap the first wins, and
//! the next run finds the other again.

use crate::diagnostic::Diagnostic;
use crate::draft::Span;
use crate::draft::rewrite::apply_fixes;

/// `text` with every fix of the findings applied; `None` where there is nothing to change.
pub fn apply(text: &str, findings: &[Diagnostic]) -> Option<String> {
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let fixes: Vec<(Span, String)> = fixes.map(|fix| (fix.span.clone(), fix.replacement.clone())).collect();
    let fixed = apply_fixes(text, &fixes);
    (fixed != text).then_some(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Fix, Severity};

    fn fix(span: std::ops::Range<usize>, replacement: &str) -> Diagnostic {
        Diagnostic {
            rule: "citation-form",
            severity: Severity::Note,
            message: String::new(),
            place: None,
            help: None,
            fix: Some(Fix { span, replacement: replacement.into() }),
        }
    }

    #[test]
    fn fixes_apply_in_text_order_whatever_order_they_come_in() {
        let text = "冰【1】 b [2].";
        let fixes = [fix(text.find(" [").unwrap()..text.len() - 1, "[2]"), fix(3..10, "[1]")];
        assert_eq!(apply(text, &fixes).unwrap(), "冰[1] b[2].");
    }

    #[test]
    fn of_two_that_overlap_the_first_wins_and_a_bad_span_is_passed_over() {
        assert_eq!(apply("abcdef", &[fix(0..3, "x"), fix(2..5, "y")]).unwrap(), "xdef");
        assert_eq!(apply("冰", &[fix(1..2, "x"), fix(0..9, "y"), fix(7..9, "z")]), None);
    }

    #[test]
    fn nothing_to_fix_changes_nothing() {
        assert_eq!(apply("abc", &[]), None);
        assert_eq!(apply("abc", &[fix(0..1, "a")]), None);
    }
}
