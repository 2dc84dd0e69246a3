//! A threshold for one corpus, measured on labelled questions: answerable ones should find a passage that has most
//! of their words, others should not. The questions are kept, so that a changed corpus is measured again.

use serde::{Deserialize, Serialize};

use super::reader::Reader;
use super::retrieve::{POOL, Query};
use super::score::{BUILT_IN_THRESHOLD, Scorer, idf};
use super::store::Store;
use super::trust::TrustState;
use crate::error::{Error, Result};

/// The least number of questions of each kind.
pub const LEAST_LABELS: usize = 20;
/// The least lower bound of the area under the curve.
pub const LEAST_AUC: f64 = 0.90;
/// One-sided, 95 %.
const Z: f64 = 1.645;
const KEY: &str = "calibration";
/// How labels are written.
pub const LABEL_FORM: &str = "a line a question: `{\"query\": \"Does ice float?\", \"answerable\": true}`";

/// A question of which a person said whether the corpus answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The question.
    pub query: String,
    /// The corpus answers it.
    pub answerable: bool,
}

/// What a calibration found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The least score that passes.
    pub threshold: f64,
    /// How often an answerable question scores above another one: 0.5 is chance, 1 is always.
    pub auc: f64,
    /// Its lower bound, one-sided, 95 %.
    pub auc_lower: f64,
    /// The share of answerable questions that pass the threshold.
    pub answered: f64,
    /// The share of the others that pass it too.
    pub wrongly_answered: f64,
    /// The corpus it was measured on.
    pub generation: String,
    /// The questions.
    pub labels: Vec<Label>,
}

impl Calibration {
    /// Good enough to be trusted.
    pub fn holds(&self) -> bool {
        self.auc_lower >= LEAST_AUC
    }
}

/// Measures the threshold and keeps it.
///
/// # Errors
/// Fewer than [`LEAST_LABELS`] of a kind; a question that may not be asked; a bound under [`LEAST_AUC`], in which
/// case nothing is kept.
pub fn run(store: &mut Store, labels: &[Label]) -> Result<Calibration> {
    let answerable = labels.iter().filter(|label| label.answerable).count();
    let others = labels.len() - answerable;
    if answerable.min(others) < LEAST_LABELS {
        let found = format!("{answerable} answerable and {others} unanswerable question(s)");
        return Err(Error::no(format!("too few labels: {found}; it takes {LEAST_LABELS} of each"))
            .with_help(LABEL_FORM));
    }
    let measured = measure(&store.reader(), labels)?;
    if !measured.holds() {
        let message = format!(
            "the labels can not be told apart by score: AUC {:.3}, lower bound {:.3}; it takes {LEAST_AUC:.2}",
            measured.auc, measured.auc_lower
        );
        return Err(
            Error::no(message).with_help("look at `cited memory search` for the questions that go wrong")
        );
    }
    keep(store, &measured)?;
    Ok(measured)
}

/// After the corpus changed: measures what is kept again.
pub fn measure_again(store: &mut Store) -> Result<()> {
    let Some(kept) = kept(&store.reader())? else { return Ok(()) };
    if kept.generation == store.reader().size()?.generation {
        return Ok(());
    }
    let measured = measure(&store.reader(), &kept.labels)?;
    keep(store, &measured)
}

/// The threshold in force, and how far it can be trusted.
pub fn standing(reader: &Reader, generation: &str) -> Result<(f64, TrustState)> {
    Ok(match kept(reader)? {
        None => (BUILT_IN_THRESHOLD, TrustState::Provisional),
        Some(kept) if kept.holds() && kept.generation == generation => (kept.threshold, TrustState::Trusted),
        Some(_) => (BUILT_IN_THRESHOLD, TrustState::Degraded),
    })
}

/// The calibration that is kept.
pub fn kept(reader: &Reader) -> Result<Option<Calibration>> {
    Ok(reader.meta(KEY)?.and_then(|json| serde_json::from_str(&json).ok()))
}

fn keep(store: &mut Store, calibration: &Calibration) -> Result<()> {
    store.keep(KEY, &serde_json::to_string(calibration).unwrap_or_default())
}

fn measure(reader: &Reader, labels: &[Label]) -> Result<Calibration> {
    let size = reader.size()?;
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for label in labels {
        let score = best_score(reader, &Query::new(&label.query)?, size.chunks)?;
        if label.answerable { good.push(score) } else { bad.push(score) }
    }
    let threshold = best_threshold(&good, &bad);
    let auc = auc(&good, &bad);
    Ok(Calibration {
        threshold,
        auc,
        auc_lower: auc_lower(auc, good.len(), bad.len()),
        answered: share_at(&good, threshold),
        wrongly_answered: share_at(&bad, threshold),
        generation: size.generation,
        labels: labels.to_vec(),
    })
}

/// The best score that any passage has for a query, whatever its verdict.
pub fn best_score(reader: &Reader, query: &Query, chunks: u32) -> Result<f64> {
    let frequencies = query.terms().iter().map(|term| reader.document_frequency(term));
    let weights: Vec<f64> =
        frequencies.map(|df| df.map(|df| idf(chunks, df.min(chunks)))).collect::<Result<_>>()?;
    let scorer = Scorer::new(query.terms(), &weights);
    let pool = reader.ranked(query.terms(), None, POOL)?;
    Ok(pool.iter().map(|passage| scorer.share(&passage.terms)).fold(0.0, f64::max))
}

/// The threshold that tells the two kinds apart best (Youden's J); of several, the highest.
pub fn best_threshold(good: &[f64], bad: &[f64]) -> f64 {
    let mut scores: Vec<f64> = good.iter().chain(bad).copied().collect();
    scores.sort_by(f64::total_cmp);
    scores.dedup();
    let middles = scores.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
    let gain = |threshold: f64| share_at(good, threshold) - share_at(bad, threshold);
    middles.fold(BUILT_IN_THRESHOLD, |best, next| if gain(next) >= gain(best) { next } else { best })
}

/// The share of scores that pass.
pub fn share_at(scores: &[f64], threshold: f64) -> f64 {
    scores.iter().filter(|score| **score >= threshold).count() as f64 / scores.len().max(1) as f64
}

/// How often a good score is above a bad one; a tie counts half.
pub fn auc(good: &[f64], bad: &[f64]) -> f64 {
    let above = |g: f64| -> f64 {
        bad.iter().map(|b| if g > *b { 1.0 } else { f64::from(u8::from(g == *b)) / 2.0 }).sum()
    };
    good.iter().map(|g| above(*g)).sum::<f64>() / (good.len() * bad.len()).max(1) as f64
}

/// The lower bound of an area: the least area from which the observed one is no further than `Z` of its own
/// standard errors (Newcombe's method 5 over Hanley and McNeil's variance). Unlike an interval around the observed
/// value it does not collapse to a point where the kinds are told apart without a fault.
pub fn auc_lower(observed: f64, good: usize, bad: usize) -> f64 {
    let reaches = |area: f64| observed - area <= Z * hanley_mcneil(area, good, bad).sqrt();
    let (mut low, mut high) = (0.5, observed.max(0.5));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if reaches(middle) { high = middle } else { low = middle }
    }
    high.min(observed)
}

fn hanley_mcneil(area: f64, good: usize, bad: usize) -> f64 {
    let (good, bad) = (good as f64, bad as f64);
    let square = area * area;
    let by_good = (good - 1.0) * (area / (2.0 - area) - square);
    let by_bad = (bad - 1.0) * (2.0 * square / (1.0 + area) - square);
    (area * (1.0 - area) + by_good + by_bad) / (good * bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_lies_where_the_kinds_are_told_apart() {
        let threshold = best_threshold(&[0.8, 0.9, 1.0], &[0.1, 0.2, 0.3]);
        assert!((0.3..0.8).contains(&threshold));
        assert_eq!(share_at(&[0.8, 0.9], threshold), 1.0);
    }

    #[test]
    fn the_area_counts_pairs_and_ties_half() {
        assert_eq!(auc(&[1.0, 1.0], &[0.0]), 1.0);
        assert_eq!(auc(&[0.5], &[0.5]), 0.5);
        assert_eq!(auc(&[0.2], &[0.5]), 0.0);
    }

    #[test]
    fn twenty_of_each_without_a_fault_are_just_enough() {
        assert!(auc_lower(1.0, 20, 20) >= LEAST_AUC);
        assert!(auc_lower(0.96, 20, 20) < LEAST_AUC);
        assert!(auc_lower(0.96, 200, 200) >= LEAST_AUC);
        assert!(auc_lower(1.0, 5, 5) < LEAST_AUC);
    }
}
