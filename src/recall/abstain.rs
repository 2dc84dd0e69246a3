//! When to say no: the rules in order, the first that holds gives the reason. Pure; the texts are exact, other
//! programs match them.

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// How many sources returned a chunk.
    pub sources: usize,
    /// Every source that returned something is one of our own (tier 0).
    pub own_only: bool,
    /// How many chunks there are after dedupe.
    pub chunks: usize,
    /// The largest evidence value, 0..1.
    pub best_evidence: f64,
}

/// What is asked of the evidence.
#[derive(Debug, Clone, Copy)]
pub struct Demand {
    /// The fewest sources, unless the only one is our own.
    pub min_sources: usize,
    /// The least evidence value, 0..1.
    pub threshold: f64,
}

/// The fewest chunks that an answer rests on.
const MIN_CHUNKS: usize = 2;

/// Why there is no answer, or `None` where there can be one.
pub fn judge(found: &Found, demand: &Demand) -> Option<String> {
    let weak = found.best_evidence < demand.threshold;
    let own = found.own_only && !weak;
    if found.chunks == 0 {
        return Some("No results from any memory store.".into());
    }
    if found.sources < demand.min_sources && !own {
        return Some(too_few_sources(found.sources, demand.min_sources));
    }
    if weak {
        let best = three_digits_down(found.best_evidence);
        return Some(format!("Low relevance scores (top RRF score: {best} < {}).", demand.threshold));
    }
    if found.chunks < MIN_CHUNKS && !own {
        return Some(format!("Insufficient evidence ({} < {MIN_CHUNKS} chunks).", found.chunks));
    }
    None
}

fn too_few_sources(sources: usize, least: usize) -> String {
    let only = match sources {
        1 => "Only one source".to_owned(),
        many => format!("Only {many} sources"),
    };
    format!("Insufficient sources ({sources} < {least}). {only} returned results.")
}

/// Cut, not rounded: a value under the threshold never reads as the threshold.
fn three_digits_down(value: f64) -> String {
    format!("{:.3}", (value * 1000.0).floor() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEMAND: Demand = Demand { min_sources: 2, threshold: 0.3 };

    fn found(sources: usize, chunks: usize, best_evidence: f64) -> Found {
        Found { sources, own_only: false, chunks, best_evidence }
    }

    fn reason(found: Found) -> String {
        judge(&found, &DEMAND).unwrap_or_default()
    }

    #[test]
    fn the_texts_are_exact_and_the_first_rule_wins() {
        assert_eq!(reason(found(0, 0, 0.0)), "No results from any memory store.");
        assert_eq!(
            reason(found(1, 1, 0.1)),
            "Insufficient sources (1 < 2). Only one source returned results."
        );
        assert_eq!(reason(found(2, 1, 0.29999)), "Low relevance scores (top RRF score: 0.299 < 0.3).");
        assert_eq!(reason(found(2, 1, 0.9)), "Insufficient evidence (1 < 2 chunks).");
        assert_eq!(reason(found(2, 2, 0.3)), "");
    }

    #[test]
    fn our_own_memory_alone_answers_when_its_evidence_is_strong() {
        let own = |best_evidence| Found { own_only: true, ..found(1, 1, best_evidence) };
        assert_eq!(judge(&own(0.3), &DEMAND), None);
        assert!(reason(own(0.2)).starts_with("Insufficient sources (1 < 2)."));
    }

    #[test]
    fn more_sources_can_be_asked_for() {
        let strict = Demand { min_sources: 3, ..DEMAND };
        assert_eq!(
            judge(&found(2, 5, 0.9), &strict).unwrap(),
            "Insufficient sources (2 < 3). Only 2 sources returned results."
        );
    }
}
