//! How relevant a chunk is, as a number of its own in 0..1: the store's similarity or reranker score where it has
//! one, else the weighted share of the query's content words that the chunk holds. Unlike a rank or a fused score
//! it means the same in every run, so it can be told from nothing. Pure.

use super::chunk::{Chunk, ScoreKind};
use super::query::{Query, TermSet};

/// How rare each term of a query is among the chunks of one run.
#[derive(Debug, Clone)]
pub struct Rarity {
    weights: Vec<f64>,
    total: f64,
}

impl Rarity {
    /// Weighs the terms by `ln(1 + (N+1)/(df+1))` over N texts, given which terms each of them holds. A word
    /// that no text holds weighs the most.
    pub fn over(query: &Query, texts: &[TermSet]) -> Self {
        let count = texts.len() as f64;
        let weight = |at: usize| {
            let holding = texts.iter().filter(|terms| terms.has(at)).count() as f64;
            (1.0 + (count + 1.0) / (holding + 1.0)).ln()
        };
        let weights: Vec<f64> = (0..query.terms().len()).map(weight).collect();
        let total = weights.iter().sum();
        Self { weights, total }
    }

    /// The weighted share of the terms that are in `found`, 0..1; 0 for a query without words.
    pub fn share(&self, found: TermSet) -> f64 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let held = self.weights.iter().enumerate().filter(|(at, _)| found.has(*at));
        held.map(|(_, weight)| weight).sum::<f64>() / self.total
    }
}

/// The evidence value of `chunk`, 0..1, given which terms it holds.
pub fn evidence(chunk: &Chunk, found: TermSet, rarity: &Rarity) -> f64 {
    match chunk.score {
        Some(score) if matches!(score.kind, ScoreKind::Similarity | ScoreKind::Reranker) => {
            score.value.clamp(0.0, 1.0)
        }
        _ => rarity.share(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(query: &str, texts: &[&str]) -> Vec<f64> {
        let query = Query::new(query);
        let found: Vec<TermSet> = texts.iter().map(|text| query.terms_in(text)).collect();
        let rarity = Rarity::over(&query, &found);
        found.iter().map(|terms| rarity.share(*terms)).collect()
    }

    #[test]
    fn a_chunk_with_every_word_is_full_evidence() {
        assert_eq!(shares("ice floats", &["Ice floats on water.", "Ice melts."])[0], 1.0);
    }

    #[test]
    fn a_word_that_no_chunk_holds_weighs_the_most() {
        // N = 2: `ice` in both weighs ln(1 + 3/3), `viscosity` in none ln(1 + 3/1).
        let expected = 2f64.ln() / (2f64.ln() + 4f64.ln());
        assert!((shares("ice viscosity", &["Ice floats.", "Ice melts."])[0] - expected).abs() < 1e-12);
    }

    #[test]
    fn a_similarity_is_taken_as_it_is_and_kept_in_bounds() {
        let query = Query::new("ice");
        let rarity = Rarity::over(&query, &[]);
        let chunk = |value, kind| Chunk::new("water").scored(value, kind);
        assert_eq!(evidence(&chunk(0.7, ScoreKind::Similarity), TermSet(0), &rarity), 0.7);
        assert_eq!(evidence(&chunk(7.0, ScoreKind::Reranker), TermSet(0), &rarity), 1.0);
        assert_eq!(evidence(&chunk(9.0, ScoreKind::Bm25), TermSet(0), &rarity), 0.0);
        assert_eq!(evidence(&chunk(9.0, ScoreKind::Bm25), TermSet(1), &rarity), 1.0);
    }

    #[test]
    fn a_query_without_words_has_no_evidence() {
        assert_eq!(shares("?!", &["ice"]), [0.0]);
    }
}
