//! How much of a query is in a passage: the share of its content words, rare words weighing more. BM25 ranks, this
//! judges; it is 0 to 1, comparable between queries, and thresholded. Numbers and their measurement: docs/memory.md.

use memchr::memmem::Finder;

use super::terms::Term;

/// The least share that passes without a calibration, measured on hand-labelled questions (docs/memory.md).
pub const BUILT_IN_THRESHOLD: f64 = 0.65;
/// How steeply confidence rises around the threshold.
const STEEPNESS: f64 = 12.0;
/// A lone word of several is no evidence: so many distinct words must be found, where the query has them.
const LEAST_WORDS: usize = 2;

/// The weight of a word that `documents` of `total` passages hold: `ln(1 + (N + 1) / (df + 1))`.
pub fn idf(total: u32, documents: u32) -> f64 {
    ((f64::from(total) + 1.0) / (f64::from(documents) + 1.0)).ln_1p()
}

/// Sure or not, from 0 to 1: a logistic around the threshold, 0.5 at it.
pub fn confidence(score: f64, threshold: f64) -> f64 {
    1.0 / (1.0 + (STEEPNESS * (threshold - score)).exp())
}

/// A query's words with their weights.
pub struct Scorer {
    words: Vec<(Finder<'static>, f64)>,
    total: f64,
}

impl Scorer {
    /// Weighs the words of a query; `weights` are their [`idf`], in the same order.
    pub fn new(terms: &[Term], weights: &[f64]) -> Self {
        let words = terms.iter().zip(weights).map(|(term, weight)| (finder(term), *weight)).collect();
        Self { words, total: weights.iter().sum() }
    }

    /// The share of the query's words in a passage, 0 to 1. `line` is the passage's terms as the index keeps
    /// them: each between two spaces.
    pub fn share(&self, line: &str) -> f64 {
        let (mut found, mut weight) = (0, 0.0);
        for (word, idf) in &self.words {
            if word.find(line.as_bytes()).is_some() {
                found += 1;
                weight += idf;
            }
        }
        if found < LEAST_WORDS.min(self.words.len()).max(1) { 0.0 } else { weight / self.total }
    }
}

fn finder(term: &Term) -> Finder<'static> {
    let needle = if term.prefix { format!(" {}", term.text) } else { format!(" {} ", term.text) };
    Finder::new(&needle).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(query: &[&str], weights: &[f64], line: &str) -> f64 {
        let terms: Vec<Term> =
            query.iter().map(|text| Term { text: (*text).into(), prefix: false }).collect();
        Scorer::new(&terms, weights).share(line)
    }

    #[test]
    fn the_share_is_by_weight_and_not_by_count() {
        assert_eq!(share(&["water", "boil", "ethanol"], &[1.0, 2.0, 5.0], " water boil "), 3.0 / 8.0);
    }

    #[test]
    fn a_lone_word_of_several_is_no_evidence() {
        assert_eq!(share(&["water", "boil"], &[1.0, 9.0], " boil "), 0.0);
        assert_eq!(share(&["boil"], &[1.0], " boil "), 1.0);
    }

    #[test]
    fn a_part_of_a_word_is_not_the_word() {
        assert_eq!(share(&["ice"], &[1.0], " police iced "), 0.0);
    }

    #[test]
    fn no_words_is_no_evidence() {
        assert_eq!(share(&[], &[], " ice "), 0.0);
    }

    #[test]
    fn a_word_that_no_passage_holds_weighs_most() {
        assert!(idf(100, 0) > idf(100, 1) && idf(100, 99) > 0.0);
    }

    #[test]
    fn confidence_is_one_half_at_the_threshold() {
        assert_eq!(confidence(0.6, 0.6), 0.5);
        assert!(confidence(0.9, 0.6) > 0.9 && confidence(0.2, 0.6) < 0.1);
    }
}
