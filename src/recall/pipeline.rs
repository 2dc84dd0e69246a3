//! From a question to what was found: gather, rank, fuse (in [`super::fuse`]), judge. Gathering asks every source at
//! once, each in a thread of its own and with a time-out of its own; everything after it is pure, so the order in
//! which sources answer never shows.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::abstain::{self, Demand, Found};
use super::adapters::{Adapter, Ask};
use super::chunk::Chunk;
use super::fuse::{self, Fused, Fusing, Ranked};
use super::query::{Query, TermSet};
use super::relevance::{self, Rarity};
use super::secret::scrubbed;
use super::{Params, Settings};

/// What one source answered.
#[derive(Debug)]
pub struct Reply {
    /// The source's name.
    pub source: &'static str,
    /// Its weight, in thousandths.
    pub weight: u32,
    /// It is one of our own (tier 0).
    pub own: bool,
    /// How long it took.
    pub latency: Duration,
    /// Its chunks, best first, or how it ended without.
    pub outcome: Outcome,
}

/// How a source ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// These chunks, perhaps none.
    Chunks(Vec<Chunk>),
    /// It is not configured and was not asked.
    Off,
    /// It failed: what happened, without the source's name.
    Failed(String),
    /// It did not answer in time.
    TimedOut(Duration),
}

/// A chunk that may be cited, with its evidence value in 0..1 and the query's terms that it holds.
#[derive(Debug)]
pub struct Cited {
    /// The chunk and its place.
    pub fused: Fused,
    /// How relevant it is by itself, 0..1.
    pub evidence: f64,
    /// Which of the query's terms it holds.
    pub terms: TermSet,
}

/// What was found, before anything is written about it.
#[derive(Debug)]
pub struct Findings {
    /// What may be cited; the citation id is the place, from 1.
    pub citations: Vec<Cited>,
    /// Texts that fusing dropped as too low.
    pub dropped: usize,
    /// The best normalised score among them, in millionths.
    pub best_dropped: Option<u32>,
    /// Why there is no answer; `None` where there can be one.
    pub abstention: Option<String>,
    /// How rare each term is among all chunks returned.
    pub rarity: Rarity,
}

/// Asks `adapters` in parallel. No source is waited for past its own time-out; the replies are in the order of
/// `adapters`. A thread whose source hangs is left to end by itself.
pub fn gather(adapters: &[&'static Adapter], ask: &Arc<Ask>) -> Vec<Reply> {
    let begun = Instant::now();
    let (send, receive) = mpsc::channel();
    for (at, adapter) in adapters.iter().copied().enumerate() {
        let (send, ask) = (send.clone(), Arc::clone(ask));
        thread::spawn(move || send.send((at, (adapter.search)(&ask), begun.elapsed())));
    }
    drop(send);
    let timeouts: Vec<Duration> = adapters.iter().map(|a| ask.settings.timeout_of(a.name)).collect();
    let mut replies: Vec<Option<(Outcome, Duration)>> = adapters.iter().map(|_| None).collect();
    loop {
        let pending = timeouts.iter().zip(&replies).filter(|(_, reply)| reply.is_none());
        let Some(next) = pending.map(|(timeout, _)| *timeout).min() else { break };
        match receive.recv_timeout(next.saturating_sub(begun.elapsed())) {
            Ok((at, found, latency)) => {
                replies[at].get_or_insert_with(|| (outcome(found, latency, timeouts[at]), latency));
            }
            Err(RecvTimeoutError::Timeout) => expire(&mut replies, &timeouts, begun.elapsed()),
            // Every thread has ended, some without a word: their code has panicked.
            Err(RecvTimeoutError::Disconnected) => {
                let lost = || (Outcome::Failed("ended without an answer".into()), begun.elapsed());
                replies.iter_mut().for_each(|reply| {
                    reply.get_or_insert_with(lost);
                });
            }
        }
    }
    let named = adapters.iter().zip(replies);
    named
        .filter_map(|(adapter, reply)| reply.map(|reply| named_reply(adapter, reply, &ask.settings)))
        .collect()
}

/// An answer that comes in after its own time-out is late, whoever else is still waited for.
fn outcome(found: Result<Option<Vec<Chunk>>, String>, latency: Duration, timeout: Duration) -> Outcome {
    match found {
        _ if latency > timeout => Outcome::TimedOut(timeout),
        Ok(Some(chunks)) => Outcome::Chunks(chunks),
        Ok(None) => Outcome::Off,
        Err(message) => Outcome::Failed(message),
    }
}

fn expire(replies: &mut [Option<(Outcome, Duration)>], timeouts: &[Duration], now: Duration) {
    for (reply, timeout) in replies.iter_mut().zip(timeouts) {
        if reply.is_none() && *timeout <= now {
            *reply = Some((Outcome::TimedOut(*timeout), *timeout));
        }
    }
}

fn named_reply(adapter: &Adapter, (outcome, latency): (Outcome, Duration), settings: &Settings) -> Reply {
    let outcome = match outcome {
        Outcome::Failed(message) => Outcome::Failed(scrubbed(&message, settings.secrets())),
        other => other,
    };
    Reply { source: adapter.name, weight: adapter.weight_in(settings), own: adapter.own, latency, outcome }
}

/// Leaves out what is no evidence, blank chunks and those that only repeat the question, and cuts each source
/// to `limit` chunks.
pub fn screen(replies: &mut [Reply], query: &Query, limit: usize) {
    for reply in replies {
        if let Outcome::Chunks(chunks) = &mut reply.outcome {
            chunks.retain(|chunk| !chunk.content().trim().is_empty() && !query.is_echoed_by(chunk.content()));
            chunks.truncate(limit);
        }
    }
}

/// The chunks of each source that returned some, in its own order.
pub fn rank(replies: &[Reply]) -> Vec<Ranked> {
    let ranked = replies.iter().filter_map(|reply| match &reply.outcome {
        Outcome::Chunks(chunks) if !chunks.is_empty() => {
            Some(Ranked { source: reply.source, weight: reply.weight, chunks: chunks.clone() })
        }
        _ => None,
    });
    ranked.collect()
}

/// Fuses what is ranked, weighs each chunk's evidence and judges whether there can be an answer. `own` names the
/// sources of tier 0.
pub fn judge(ranked: Vec<Ranked>, query: &Query, params: &Params, own: &[&str]) -> Findings {
    let sources = ranked.len();
    let own_only = ranked.iter().all(|ranked| own.contains(&ranked.source));
    let all = ranked.iter().flat_map(|ranked| &ranked.chunks);
    let texts: Vec<TermSet> = all.map(|chunk| query.terms_in(chunk.content())).collect();
    let rarity = Rarity::over(query, &texts);
    let Fusing { kept, distinct, dropped, best_dropped } = fuse::fuse(ranked, params.fusion, params.floor);
    let citations: Vec<Cited> = kept.into_iter().map(|fused| cited(fused, query, &rarity)).collect();
    let best_evidence = citations.iter().map(|cited| cited.evidence).fold(0.0, f64::max);
    let found = Found { sources, own_only, chunks: distinct, best_evidence };
    let demand = Demand { min_sources: params.min_sources, threshold: params.threshold };
    Findings { citations, dropped, best_dropped, abstention: abstain::judge(&found, &demand), rarity }
}

fn cited(fused: Fused, query: &Query, rarity: &Rarity) -> Cited {
    let terms = query.terms_in(fused.chunk.content());
    Cited { evidence: relevance::evidence(&fused.chunk, terms, rarity), terms, fused }
}
