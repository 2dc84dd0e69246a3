//! What one sentence says: its visible text without citations, markers, code and URLs, with the way back to bytes
//! of the draft. In: a draft and one of its sentences. Out: [`Statement`].

use std::ops::Range;

use super::prose::{Prose, Stretch};
use super::{Draft, Sentence, Span};

/// The words of a sentence.
#[derive(Debug, Clone)]
pub struct Statement<'d> {
    /// Its visible text; what says nothing itself (citations, code, URLs) is blank, byte for byte.
    pub text: String,
    /// The stretches of `text` that were made blank.
    pub blanks: Vec<Range<usize>>,
    prose: &'d Prose,
    start: usize,
}

impl Draft<'_> {
    /// What `sentence` of this draft says.
    pub fn statement(&self, sentence: &Sentence) -> Statement<'_> {
        let plain = &sentence.plain;
        let text = self.prose.text.get(plain.clone()).unwrap_or_default();
        let blanks = blanks(&self.prose.silent, plain);
        Statement { text: blanked(text, &blanks), blanks, prose: &self.prose, start: plain.start }
    }
}

impl Statement<'_> {
    /// The bytes of the draft behind bytes of the text.
    pub fn original(&self, part: &Range<usize>) -> Span {
        self.prose.original(&(self.start + part.start..self.start + part.end))
    }
}

/// The silent stretches inside `plain`, relative to it.
fn blanks(silent: &[Stretch], plain: &Stretch) -> Vec<Range<usize>> {
    let first = silent.partition_point(|stretch| stretch.end <= plain.start);
    let inside = silent[first..].iter().take_while(|stretch| stretch.start < plain.end);
    let relative = |stretch: &Stretch| {
        stretch.start.max(plain.start) - plain.start..stretch.end.min(plain.end) - plain.start
    };
    inside.map(relative).collect()
}

/// `text` with a space for every byte of `blanks`.
fn blanked(text: &str, blanks: &[Range<usize>]) -> String {
    let mut shown = String::with_capacity(text.len());
    for blank in blanks {
        shown.push_str(text.get(shown.len()..blank.start).unwrap_or_default());
        shown.extend(std::iter::repeat_n(' ', blank.end.saturating_sub(shown.len())));
    }
    shown.push_str(text.get(shown.len()..).unwrap_or_default());
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Options;
    use crate::identity::Unknown;

    fn only(text: &str) -> (String, String) {
        let draft = Draft::parse(text, &Options::default(), &Unknown);
        let statement = draft.statement(&draft.sentences[0]);
        let floats = statement.text.find("floats").map(|at| statement.original(&(at..at + 6)));
        let said = statement.text.split_whitespace().collect::<Vec<_>>().join(" ");
        (said, floats.map(|span| text[span].to_owned()).unwrap_or_default())
    }

    #[test]
    fn markers_code_and_link_destinations_are_not_said() {
        let text = "Ice **floats**[1] on [liquid water](https://a.example/2024), not on `oil 15`.[2]";
        assert_eq!(only(text), ("Ice floats on liquid water, not on .".into(), "floats".into()));
    }

    #[test]
    fn a_part_leads_back_to_its_own_bytes() {
        assert_eq!(only("Cold &amp; hard ice floats\\! on water.[1]").1, "floats");
    }
}
