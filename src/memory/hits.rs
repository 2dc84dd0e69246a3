//! What a search is reported as: every hit with its verdict, and what the call cost.

use serde::Serialize;

use super::bundle::{EMBEDDING_PROFILE, Item, StageMs};
use super::trust::{TrustState, Verdict};
use super::{Profile, Search};

/// Counts changes of the report that a reader could trip over.
const SCHEMA_VERSION: u32 = 1;

/// A search. Serialises in this order of keys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HitsReport<'a> {
    schema_version: u32,
    query: &'a str,
    hits: &'a [Item],
    trust_state: TrustState,
    calibrated: bool,
    stale: bool,
    embedding_profile: &'static str,
    retrieval_profile: Profile,
    index_generation: &'a str,
    ok: usize,
    stage_ms: StageMs,
    total_ms: f64,
    latency_budget_ms: Option<u64>,
    budget_exceeded: bool,
}

impl<'a> HitsReport<'a> {
    /// The report of what `query` found.
    pub fn of(query: &'a str, profile: Profile, found: &'a Search) -> Self {
        let budget = profile.budget().map(|budget| budget.as_millis() as u64);
        Self {
            schema_version: SCHEMA_VERSION,
            query,
            hits: &found.hits,
            trust_state: found.state.trust_state,
            calibrated: found.state.trust_state == TrustState::Trusted,
            stale: found.state.stale,
            embedding_profile: EMBEDDING_PROFILE,
            retrieval_profile: profile,
            index_generation: &found.state.index_generation,
            ok: found.hits.iter().filter(|hit| hit.verdict == Verdict::Ok).count(),
            stage_ms: found.stage_ms,
            total_ms: found.total_ms,
            latency_budget_ms: budget,
            budget_exceeded: budget.is_some_and(|budget| found.total_ms > budget as f64),
        }
    }
}
