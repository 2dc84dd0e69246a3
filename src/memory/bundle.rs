//! The evidence bundle: what `cited memory evidence` prints and an agent reads. Every key is always there, in one
//! order; items are only passages that may be used. What is said in words is made of fixed texts, counts and codes.

use std::time::Duration;

use serde::Serialize;

use super::profile::Profile;
use super::prompt::{self, EvidenceItem, SYSTEM_PROMPT};
use super::retrieve::Hit;
use super::trust::{Reason, TrustState, Verdict};
use crate::text::printable;

/// How queries and passages are compared.
pub const EMBEDDING_PROFILE: &str = "lexical-v1";
/// There is no index, or nothing is in it.
pub const INDEX_NOT_READY: &str = "INDEX_NOT_READY";

/// To answer, or not to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// There is trusted evidence.
    Answer,
    /// There is none.
    Abstain,
}

/// The bundle. Serialises compactly ([`json_line`]), keys in this order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bundle {
    /// As it was asked.
    pub query: String,
    /// To answer, or not to.
    pub decision: Decision,
    /// Why not to.
    pub reason_code: Option<Reason>,
    /// The threshold was measured on this corpus.
    pub calibrated: bool,
    /// The newest write is over two days old.
    pub stale: bool,
    /// How far the verdicts can be trusted.
    pub trust_state: TrustState,
    /// What failed: nothing, or [`INDEX_NOT_READY`].
    pub failure_code: Option<&'static str>,
    /// [`EMBEDDING_PROFILE`].
    pub embedding_profile: &'static str,
    /// What the call might cost.
    pub retrieval_profile: Profile,
    /// Hash of pipeline and corpus; empty without an index.
    pub index_generation: String,
    /// For the model: constant.
    pub system_prompt: &'static str,
    /// For the model: query and evidence.
    pub user_message: String,
    /// The evidence, in retrieval order.
    pub items: Vec<Item>,
    /// What to make of it.
    pub advice: String,
    /// What each stage took, in milliseconds.
    pub stage_ms: StageMs,
    /// What the whole call took, in milliseconds.
    pub total_ms: f64,
    /// What it should take at most, in milliseconds.
    pub latency_budget_ms: Option<u64>,
    /// It took longer.
    pub budget_exceeded: bool,
    /// How many hits each verdict blocked.
    pub blocked: Blocked,
}

/// A passage that may be used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// What to cite: 16 hex digits.
    pub chunk_id: String,
    /// Its words, as they stand in the note.
    pub text: String,
    /// Root-relative path of its note.
    pub source: String,
    /// Its place in the note, from 0.
    pub ordinal: u32,
    /// When it was first indexed, RFC 3339.
    pub indexed_at: String,
    /// The first day it holds.
    pub valid_from: Option<String>,
    /// The last day it holds.
    pub valid_until: Option<String>,
    /// No embeddings yet: null.
    pub cosine: Option<f64>,
    /// 0 to 1.
    pub score: f64,
    /// How the score came about.
    pub score_kind: &'static str,
    /// 0 to 1; 0.5 at the threshold.
    pub confidence: f64,
    /// What is said about it.
    pub verdict: Verdict,
}

impl Item {
    /// A hit with its words.
    pub fn new(hit: Hit, text: String) -> Self {
        let passage = hit.passage;
        Self {
            chunk_id: passage.chunk_id,
            text,
            source: passage.source,
            ordinal: passage.ordinal,
            indexed_at: passage.indexed_at,
            valid_from: passage.valid_from,
            valid_until: passage.valid_until,
            cosine: None,
            score: round(hit.score, 1e6),
            score_kind: hit.score_kind.name(),
            confidence: round(hit.confidence, 1e6),
            verdict: hit.verdict,
        }
    }

    /// As the model sees it.
    fn as_evidence(&self) -> EvidenceItem<'_> {
        EvidenceItem {
            chunk_id: &self.chunk_id,
            ordinal: self.ordinal,
            source: &self.source,
            text: &self.text,
            valid_from: self.valid_from.as_deref(),
            valid_until: self.valid_until.as_deref(),
        }
    }
}

/// What each stage took, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct StageMs {
    /// Waiting for a place.
    pub admission_wait: f64,
    /// No embeddings yet: 0.
    pub query_embedding: f64,
    /// No embeddings yet: 0.
    pub dense_retrieval: f64,
    /// Finding and ranking by words.
    pub sparse_retrieval: f64,
    /// One list only: 0.
    pub fusion: f64,
    /// No model: 0.
    pub reranking: f64,
    /// Scores and verdicts.
    pub trust_evaluation: f64,
    /// Reading the words, writing the messages.
    pub evidence_assembly: f64,
}

/// How many hits each verdict blocked, in the order in which verdicts are judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Blocked {
    /// A date that is none, or an empty window.
    pub invalid_metadata: usize,
    /// A name that several notes share.
    pub ambiguous_supersession: usize,
    /// Replaced by another note.
    pub superseded: usize,
    /// Over.
    pub expired: usize,
    /// Still to come.
    pub not_yet_valid: usize,
    /// Too little of the query in it.
    pub low_confidence: usize,
}

impl Blocked {
    /// Counts the verdicts of hits.
    pub fn count(hits: &[Hit]) -> Self {
        let mut blocked = Self::default();
        for hit in hits {
            match hit.verdict {
                Verdict::InvalidMetadata => blocked.invalid_metadata += 1,
                Verdict::AmbiguousSupersession => blocked.ambiguous_supersession += 1,
                Verdict::Superseded => blocked.superseded += 1,
                Verdict::Expired => blocked.expired += 1,
                Verdict::NotYetValid => blocked.not_yet_valid += 1,
                Verdict::LowConfidence => blocked.low_confidence += 1,
                Verdict::Ok => {}
            }
        }
        blocked
    }

    fn total(self) -> usize {
        self.invalid_metadata
            + self.ambiguous_supersession
            + self.superseded
            + self.expired
            + self.not_yet_valid
            + self.low_confidence
    }
}

/// What is known of the memory when a query is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// How far verdicts can be trusted.
    pub trust_state: TrustState,
    /// No write for over two days.
    pub stale: bool,
    /// Hash of pipeline and corpus.
    pub index_generation: String,
    /// What failed.
    pub failure_code: Option<&'static str>,
}

impl State {
    /// A memory with nothing in it, or none at all.
    pub fn not_ready(index_generation: String) -> Self {
        let failure_code = Some(INDEX_NOT_READY);
        Self { trust_state: TrustState::Degraded, stale: false, index_generation, failure_code }
    }
}

/// Puts a bundle together; the times are filled in by [`Bundle::timed`].
pub fn assemble(
    query: &str,
    profile: Profile,
    state: State,
    reason: Option<Reason>,
    items: Vec<Item>,
    blocked: Blocked,
) -> Bundle {
    let evidence: Vec<EvidenceItem> = items.iter().map(Item::as_evidence).collect();
    let user_message = prompt::user_message(query, &evidence);
    Bundle {
        query: query.to_owned(),
        decision: if reason.is_none() { Decision::Answer } else { Decision::Abstain },
        reason_code: reason,
        calibrated: state.trust_state == TrustState::Trusted,
        advice: advice(&state, reason, items.len(), blocked),
        stale: state.stale,
        trust_state: state.trust_state,
        failure_code: state.failure_code,
        embedding_profile: EMBEDDING_PROFILE,
        retrieval_profile: profile,
        index_generation: state.index_generation,
        system_prompt: SYSTEM_PROMPT,
        user_message,
        items,
        stage_ms: StageMs::default(),
        total_ms: 0.0,
        latency_budget_ms: profile.budget().map(|budget| budget.as_millis() as u64),
        budget_exceeded: false,
        blocked,
    }
}

impl Bundle {
    /// Fills in what the call took.
    #[must_use]
    pub fn timed(mut self, stage_ms: StageMs, total: Duration) -> Self {
        self.stage_ms = stage_ms;
        self.total_ms = ms(total);
        self.budget_exceeded = self.latency_budget_ms.is_some_and(|budget| self.total_ms > budget as f64);
        self
    }
}

/// A report as one line of compact JSON with its line break. Characters that could steer a terminal are `\u`
/// escapes, which every reader of JSON takes for the characters themselves.
pub fn json_line(report: &impl Serialize) -> String {
    let json = serde_json::to_string(report).unwrap_or_default();
    let mut line = String::with_capacity(json.len() + 1);
    let mut units = [0; 2];
    for c in json.chars() {
        if printable::steers(c) {
            line.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            line.push(c);
        }
    }
    line.push('\n');
    line
}

fn advice(state: &State, reason: Option<Reason>, items: usize, blocked: Blocked) -> String {
    let mut advice = match reason {
        _ if state.failure_code.is_some() => {
            "There is no index to answer from: index notes first.".to_owned()
        }
        None => format!("Answer from the {items} item(s) only and cite their chunk_id."),
        Some(Reason::CorpusGap) => "Do not answer: memory holds nothing near this query.".to_owned(),
        Some(Reason::NoTrustedEvidence) => {
            "Do not answer: what comes near this query may not be used as evidence.".to_owned()
        }
        Some(Reason::EvidenceBudgetExhausted) => {
            "Do not answer: max_items leaves no room for evidence; raise it.".to_owned()
        }
    };
    if blocked.total() > blocked.low_confidence {
        let count = blocked.total() - blocked.low_confidence;
        advice.push_str(&format!(" {count} hit(s) were blocked by dates or supersession; see blocked."));
    }
    match state.trust_state {
        TrustState::Trusted => {}
        TrustState::Provisional => {
            advice.push_str(" The threshold is the built-in one, not measured on this corpus.")
        }
        TrustState::Degraded if state.failure_code.is_some() => {}
        TrustState::Degraded => {
            advice.push_str(" The calibration does not hold for this corpus any more: calibrate again.");
        }
    }
    if state.stale {
        advice.push_str(" The index is over two days old: index again.");
    }
    advice
}

/// Milliseconds, to a microsecond.
pub fn ms(duration: Duration) -> f64 {
    round(duration.as_secs_f64() * 1e3, 1e3)
}

fn round(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}
