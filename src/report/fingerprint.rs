//! What tells a finding again after the draft was edited elsewhere: its rule, the words it points at and a few
//! around them, not its line. Findings about a draft as a whole are told by their rule alone.

use sha2::{Digest, Sha256};

use crate::diagnostic::Diagnostic;
use crate::verify::{self, About};

/// Bytes of text on each side of a finding that belong to it.
const CONTEXT_BYTES: usize = 40;
/// Bytes of the finding's own text that are looked at.
const OWN_BYTES: usize = 400;

/// 16 hexadecimal digits, the same for the same finding wherever it moves in its draft.
pub(super) fn fingerprint(text: &str, finding: &Diagnostic) -> String {
    let mut hash = Sha256::new();
    hash.update(finding.rule);
    let whole = verify::rule(finding.rule).is_some_and(|rule| rule.about == About::Draft);
    if let Some(place) = finding.place.as_ref().filter(|_| !whole) {
        let (start, end) = (place.span.start, place.span.end.min(place.span.start + OWN_BYTES));
        for part in [before(text, start), window(text, start, end), after(text, end)] {
            hash.update([0]);
            part.split_whitespace().for_each(|word| hash.update(word));
        }
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The end of the line before `at`.
fn before(text: &str, at: usize) -> &str {
    let near = window(text, at.saturating_sub(CONTEXT_BYTES), at);
    near.rsplit(['\n', '\r']).next().unwrap_or_default()
}

/// The start of the line after `at`.
fn after(text: &str, at: usize) -> &str {
    let near = window(text, at, at.saturating_add(CONTEXT_BYTES));
    near.split(['\n', '\r']).next().unwrap_or_default()
}

/// The characters that begin in `start..end`.
fn window(text: &str, start: usize, end: usize) -> &str {
    let boundary = |at: usize| (at.min(text.len())..=text.len()).find(|at| text.is_char_boundary(*at));
    let (start, end) = (boundary(start).unwrap_or(text.len()), boundary(end).unwrap_or(text.len()));
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Place, Severity};

    fn finding(rule: &'static str, text: &str, marker: &str) -> Diagnostic {
        let start = text.find(marker).unwrap();
        let place = Place { span: start..start + marker.len(), line: 1, column: 1 };
        Diagnostic {
            rule,
            severity: Severity::Error,
            message: String::new(),
            place: Some(place),
            help: None,
            fix: None,
        }
    }

    fn print(rule: &'static str, text: &str, marker: &str) -> String {
        fingerprint(text, &finding(rule, text, marker))
    }

    #[test]
    fn a_finding_that_moves_keeps_its_fingerprint() {
        let here = print("unknown-id", "Ice floats.[9]\n", "[9]");
        assert_eq!(here, print("unknown-id", "# Ice\n\nA new line.\n\nIce  floats.[9]\n\nMore.", "[9]"));
    }

    #[test]
    fn other_words_another_marker_or_another_rule_have_another() {
        let here = print("unknown-id", "Ice floats.[9]\n", "[9]");
        assert_ne!(here, print("unknown-id", "Ice sinks.[9]\n", "[9]"));
        assert_ne!(here, print("unknown-id", "Ice floats.[8]\n", "[8]"));
        assert_ne!(here, print("not-listed", "Ice floats.[9]\n", "[9]"));
    }

    #[test]
    fn a_finding_about_the_draft_is_known_by_its_rule() {
        assert_eq!(print("coverage", "Ice floats.", "Ice"), print("coverage", "Water boils.", "Water"));
    }

    #[test]
    fn text_of_any_width_is_cut_between_characters() {
        let text = "冰".repeat(300);
        for at in 0..20 {
            let next = |at: usize| at.next_multiple_of('冰'.len_utf8());
            assert_eq!(before(&text, at).len(), next(at));
            assert_eq!(after(&text, at).len(), next(at + CONTEXT_BYTES) - next(at));
            assert_eq!(window(&text, at, at + 400).len(), next(at + 400) - next(at));
        }
    }
}
