//! A [`Recall`] as JSON. The keys and their order are fixed; other programs read them, `cited ingest` among them.
//! Equal findings give equal bytes: only `timestamp` and `latency_ms` differ between runs.

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::Recall;
use super::chunk::Chunk;
use super::extract::Extract;
use super::fuse::{Fusion, contribution_micros};
use super::pipeline::{Cited, Outcome, Reply};

/// Counts changes of the report that a reader could trip over.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    query: &'a str,
    synthesized_answer: Option<&'a str>,
    abstained: bool,
    abstention_reason: Option<&'a str>,
    citations: Vec<Citation<'a>>,
    sources: Map<String, Value>,
    chunks: Vec<Returned<'a>>,
    errors: Vec<String>,
    timestamp: &'a str,
    schema_version: u32,
    llm: Option<Llm<'a>>,
    notes: &'a [String],
    used_citation_ids: &'a [usize],
    invalid_citation_ids: &'a [u64],
    extractive_answer: Option<String>,
    extractive_sentences: Vec<Sentence<'a>>,
    filtered: Filtered,
    params: Value,
}

#[derive(Serialize)]
struct Llm<'a> {
    provider: &'a str,
    model: Option<&'a str>,
}

#[derive(Serialize)]
struct Citation<'a> {
    citation_id: usize,
    source_type: &'a str,
    content: &'a str,
    rrf_score: f64,
    score: Option<f64>,
    score_kind: Option<&'static str>,
    evidence: f64,
    rank: u32,
    native_id: Option<&'a str>,
    store_id: Option<&'a str>,
    uri: Option<&'a str>,
    title: Option<&'a str>,
    created_at: Option<&'a str>,
    content_hash: String,
    sha256: String,
    also_in: Vec<AlsoIn<'a>>,
    metadata: &'a Map<String, Value>,
}

#[derive(Serialize)]
struct AlsoIn<'a> {
    source_type: &'a str,
    rank: u32,
    native_id: Option<&'a str>,
}

/// A chunk as its source returned it, before anything was dropped.
#[derive(Serialize)]
struct Returned<'a> {
    source_type: &'a str,
    rank: usize,
    native_id: Option<&'a str>,
    content_hash: String,
    citation_id: Option<usize>,
    content: &'a str,
}

/// A sentence taken word for word from a citation; no model worded it.
#[derive(Serialize)]
struct Sentence<'a> {
    text: &'a str,
    citation_id: usize,
}

#[derive(Serialize)]
struct Filtered {
    count: usize,
    best_rrf_score: Option<f64>,
}

/// The report, pretty-printed, with a line end. `timestamp` is this moment in RFC 3339, UTC.
pub fn json(recall: &Recall, timestamp: &str) -> String {
    let findings = &recall.findings;
    let extracted = recall.extract.as_ref().map_or(&[][..], |extract| &extract.sentences);
    let report = Report {
        query: recall.query.text(),
        synthesized_answer: recall.synthesis.answer.as_deref(),
        abstained: recall.abstention().is_some(),
        abstention_reason: recall.abstention(),
        citations: (1..).zip(&findings.citations).map(citation).collect(),
        sources: recall.replies.iter().map(|reply| source(reply, &recall.replies)).collect(),
        chunks: chunks(recall),
        errors: errors(&recall.replies),
        timestamp,
        schema_version: SCHEMA_VERSION,
        llm: recall
            .synthesis
            .provider
            .map(|provider| Llm { provider, model: recall.synthesis.model.as_deref() }),
        notes: &recall.synthesis.notes,
        used_citation_ids: &recall.synthesis.used,
        invalid_citation_ids: &recall.synthesis.invalid,
        extractive_answer: recall.extract.as_ref().map(Extract::text),
        extractive_sentences: extracted
            .iter()
            .map(|one| Sentence { text: &one.text, citation_id: one.citation_id })
            .collect(),
        filtered: Filtered {
            count: findings.dropped,
            best_rrf_score: findings.best_dropped.map(from_micros),
        },
        params: params(recall),
    };
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}

/// `source: message` for each source that failed.
pub fn errors(replies: &[Reply]) -> Vec<String> {
    let failed = replies.iter().filter_map(|reply| {
        let message = match &reply.outcome {
            Outcome::Failed(message) => message.clone(),
            Outcome::TimedOut(after) => format!("timed out after {} s", after.as_secs_f64()),
            Outcome::Chunks(_) | Outcome::Off => return None,
        };
        Some(format!("{}: {}", reply.source, crate::text::printable::one_line(&message)))
    });
    failed.collect()
}

/// How a source ended, in one word.
pub fn status(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Chunks(chunks) if chunks.is_empty() => "empty",
        Outcome::Chunks(_) => "ok",
        Outcome::Off => "off",
        Outcome::Failed(_) => "error",
        Outcome::TimedOut(_) => "timeout",
    }
}

/// Six decimals.
pub fn from_micros(micros: u32) -> f64 {
    f64::from(micros) / 1e6
}

fn six(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn citation((id, cited): (usize, &Cited)) -> Citation<'_> {
    let fused = &cited.fused;
    let chunk = &fused.chunk;
    Citation {
        citation_id: id,
        source_type: fused.source,
        content: chunk.content(),
        rrf_score: from_micros(fused.micros),
        score: chunk.score.map(|score| six(score.value)),
        score_kind: chunk.score.map(|score| score.kind.name()),
        evidence: six(cited.evidence),
        rank: fused.rank,
        native_id: chunk.native_id.as_deref(),
        store_id: chunk.store_id.as_deref(),
        uri: chunk.uri.as_deref(),
        title: chunk.title.as_deref(),
        created_at: chunk.created_at.as_deref(),
        content_hash: chunk.content_hash(),
        sha256: sha256(chunk.content()),
        also_in: fused
            .also_in
            .iter()
            .map(|o| AlsoIn { source_type: o.source, rank: o.rank, native_id: o.native_id.as_deref() })
            .collect(),
        metadata: &chunk.metadata,
    }
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn source(reply: &Reply, all: &[Reply]) -> (String, Value) {
    let (count, best, average) = source_scores(reply, all);
    let value = serde_json::json!({
        "count": count,
        "max_score": best,
        "avg_score": average,
        "latency_ms": reply.latency.as_millis() as u64,
        "status": status(&reply.outcome),
    });
    (reply.source.to_owned(), value)
}

/// How many chunks a source gave, the best and the average of their scores: its own contributions, as part of the
/// largest of this run.
pub fn source_scores(reply: &Reply, all: &[Reply]) -> (usize, f64, f64) {
    let leads = |reply: &&Reply| matches!(&reply.outcome, Outcome::Chunks(chunks) if !chunks.is_empty());
    let top = all.iter().filter(leads).map(|reply| reply.weight).max().unwrap_or(reply.weight);
    let count = match &reply.outcome {
        Outcome::Chunks(chunks) => chunks.len(),
        _ => 0,
    };
    let ranks = 1..=u32::try_from(count).unwrap_or(u32::MAX);
    let scores: Vec<f64> =
        ranks.map(|rank| from_micros(contribution_micros(reply.weight, rank, (top, 1)))).collect();
    let sum = scores.iter().fold(0.0, |sum, score| sum + score);
    (count, scores.first().copied().unwrap_or(0.0), six(sum / scores.len().max(1) as f64))
}

fn chunks(recall: &Recall) -> Vec<Returned<'_>> {
    let mut returned = Vec::new();
    for reply in &recall.replies {
        let Outcome::Chunks(chunks) = &reply.outcome else { continue };
        for (rank, chunk) in (1..).zip(chunks) {
            returned.push(Returned {
                source_type: reply.source,
                rank,
                native_id: chunk.native_id.as_deref(),
                content_hash: chunk.content_hash(),
                citation_id: citation_of(chunk, &recall.findings.citations),
                content: chunk.content(),
            });
        }
    }
    returned
}

fn citation_of(chunk: &Chunk, citations: &[Cited]) -> Option<usize> {
    let is_it = |cited: &Cited| {
        let other = &cited.fused.chunk;
        other.key() == chunk.key() && other.content() == chunk.content()
    };
    citations.iter().position(is_it).map(|at| at + 1)
}

fn params(recall: &Recall) -> Value {
    let params = &recall.params;
    serde_json::json!({
        "limit": params.limit,
        "sources": recall.replies.iter().map(|reply| reply.source).collect::<Vec<_>>(),
        "min_sources": params.min_sources,
        "threshold": params.threshold,
        "min_rrf_score": f64::from(params.floor) / 1000.0,
        "fusion": match params.fusion { Fusion::Keep => "keep", Fusion::Sum => "sum" },
        "llm": params.llm.name(),
    })
}
