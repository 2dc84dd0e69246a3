//! What a model wrote, checked: an abstention is one, citations outside the evidence are taken out, and an answer
//! without a valid citation is none. In: the model's text and how many citations there are. Pure.

use std::collections::BTreeSet;

use super::elements;

/// How an abstaining model's answer begins.
pub const NO_ANSWER: &str = "NO_ANSWER_AVAILABLE";

/// The longest bracket that is read as citations, in bytes; what is longer is prose.
const LONGEST_BRACKET: usize = 62;

/// A model's answer after the check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// It answers, with at least one valid citation.
    Answer {
        /// The text, without the invalid citations.
        text: String,
        /// The citations used, ascending.
        used: Vec<usize>,
        /// Ids that stand for nothing, ascending.
        invalid: Vec<u64>,
    },
    /// It says that the evidence holds no answer, for this reason.
    Abstains(String),
    /// It cites nothing that exists; the ids that it invented, ascending.
    Uncited(Vec<u64>),
}

/// Checks `text` against the citations 1 to `count`.
pub fn check(text: &str, count: usize) -> Checked {
    let text = elements::without_thought(text);
    let bare = text.trim().trim_start_matches(['*', '`', '"', '\'', ' ']);
    if let Some(rest) = bare.strip_prefix(NO_ANSWER) {
        return Checked::Abstains(reason(rest));
    }
    let (text, used, invalid) = without_invalid(text.trim(), count);
    let invalid = invalid.into_iter().collect();
    if used.is_empty() {
        return Checked::Uncited(invalid);
    }
    Checked::Answer { text, used: used.into_iter().collect(), invalid }
}

fn reason(rest: &str) -> String {
    let line =
        crate::text::printable::one_line(rest.trim_start_matches([':', ' ', '-', '–', '—', '.', '*', '`']));
    let line = line.trim_end_matches(['*', '`', '"', '\'']).trim();
    if line.is_empty() { "The evidence holds no answer.".into() } else { line.to_owned() }
}

/// Takes ids outside 1..=count out of the brackets, and the brackets away where none is left. A bracket is read where it
/// closes, in what has been kept so far: what closes around a bracket that was taken away (`[2[0]]`) is read as well.
fn without_invalid(text: &str, count: usize) -> (String, BTreeSet<usize>, BTreeSet<u64>) {
    let (mut used, mut invalid) = (BTreeSet::new(), BTreeSet::new());
    let mut kept = String::with_capacity(text.len());
    for piece in text.split_inclusive(']') {
        kept.push_str(piece);
        let Some((open, ids)) = closed_bracket(&kept) else { continue };
        let is_valid = |id: &&u64| (1..=count as u64).contains(*id);
        let valid: Vec<u64> = ids.iter().filter(is_valid).copied().collect();
        invalid.extend(ids.iter().filter(|id| !is_valid(id)));
        used.extend(valid.iter().map(|id| *id as usize));
        kept.truncate(open);
        if valid.is_empty() {
            kept.truncate(kept.trim_end_matches(' ').len());
        }
        kept.extend(valid.iter().map(|id| format!("[{id}]")));
    }
    (kept, used, invalid)
}

/// Where the `[1]`, `[1, 2]` or `[1-3]` that ends `text` opens, and its ids.
fn closed_bracket(text: &str) -> Option<(usize, Vec<u64>)> {
    let from_end = text.bytes().rev().take(LONGEST_BRACKET).position(|byte| byte == b'[')?;
    let open = text.len() - from_end - 1;
    let inside = text[open + 1..].strip_suffix(']')?;
    if !inside.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut ids = Vec::new();
    for part in inside.split([',', ';']) {
        let (first, last) = match part.split_once(['-', '–']) {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        match last.checked_sub(first) {
            Some(0..=99) => ids.extend(first..=last),
            _ => ids.extend([first, last]),
        }
    }
    Some((open, ids))
}

fn number(text: &str) -> Option<u64> {
    let digits = text.trim();
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn answer(text: &str, used: &[usize], invalid: &[u64]) -> Checked {
        Checked::Answer { text: text.into(), used: used.to_vec(), invalid: invalid.to_vec() }
    }

    #[test]
    fn ids_that_stand_for_nothing_are_taken_out_and_listed() {
        assert_eq!(
            check("Ice floats [1][7]. Water boils [2, 9].", 3),
            answer("Ice floats [1]. Water boils [2].", &[1, 2], &[7, 9])
        );
        assert_eq!(check("Ice floats [0] [1-2].", 2), answer("Ice floats [1][2].", &[1, 2], &[0]));
        let huge = "Ice [99999999999999999999] floats [1].";
        assert_eq!(check(huge, 1), answer("Ice floats [1].", &[1], &[u64::MAX]));
    }

    #[test]
    fn an_answer_without_a_valid_citation_is_none() {
        assert_eq!(check("Ice floats.", 2), Checked::Uncited(vec![]));
        assert_eq!(check("Ice floats [3].", 2), Checked::Uncited(vec![3]));
        assert_eq!(check("", 2), Checked::Uncited(vec![]));
    }

    #[test]
    fn a_model_abstains_in_its_own_words() {
        let no = |text: &str| match check(text, 2) {
            Checked::Abstains(reason) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(no("NO_ANSWER_AVAILABLE: nothing about ice"), "nothing about ice");
        assert_eq!(no("<think>hm [1]</think>\n**NO_ANSWER_AVAILABLE**: no\nice"), "no ice");
        assert_eq!(no("NO_ANSWER_AVAILABLE"), "The evidence holds no answer.");
        assert_eq!(
            check("It says NO_ANSWER_AVAILABLE [1].", 1),
            answer("It says NO_ANSWER_AVAILABLE [1].", &[1], &[])
        );
    }

    #[test]
    fn brackets_that_are_no_citation_stay() {
        assert_eq!(check("See [sic] a[i] [2x] [1].", 1), answer("See [sic] a[i] [2x] [1].", &[1], &[]));
    }

    #[test]
    fn no_citation_comes_about_by_taking_one_out() {
        assert_eq!(check("Ice [1][2[0]].", 1), answer("Ice [1].", &[1], &[0, 2]));
        assert_eq!(check("Ice [1] [[9]2] [[0]1].", 1), answer("Ice [1] [1].", &[1], &[0, 2, 9]));
        assert_eq!(check("Ice [1] [x[9]].", 1), answer("Ice [1] [x].", &[1], &[9]));
        let nested = format!("{}0{} Ice [1].", "[2".repeat(50_000), "]".repeat(50_000));
        assert!(matches!(check(&nested, 1), Checked::Answer { .. }));
    }

    proptest! {
        #[test]
        fn only_valid_ids_are_left(text in "[\\[\\]0-9,\\- a-z]{0,60}", count in 0usize..12) {
            if let Checked::Answer { text, used, .. } = check(&text, count) {
                prop_assert!(used.iter().all(|id| (1..=count).contains(id)));
                let (again, ids, invalid) = without_invalid(&text, count);
                prop_assert!(invalid.is_empty());
                prop_assert_eq!(again, text);
                prop_assert!(ids.into_iter().eq(used));
            }
        }
    }
}
