//! A query to judged hits: BM25 ranks a pool of passages, each gets its score and its verdict, and what a confident
//! but replaced passage gave way to takes its rank, even where retrieval missed it.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use jiff::civil::Date;

use super::reader::{Passage, Reader};
use super::score::{Scorer, confidence, idf};
use super::supersession::Supersession;
use super::terms::{Analyser, Term};
use super::trust::{self, Standing, Verdict, Window};
use crate::error::{Error, Result};
use crate::text::printable::steers;

/// The most characters a query may have.
pub const MAX_QUERY_CHARS: usize = 4096;
/// How many passages are ranked and judged, whatever is returned.
pub const POOL: usize = 100;

/// A query that may be asked.
#[derive(Debug, Clone)]
pub struct Query {
    text: String,
    terms: Vec<Term>,
}

impl Query {
    /// Takes a query, before anything is read.
    ///
    /// # Errors
    /// It is blank, or longer than [`MAX_QUERY_CHARS`].
    pub fn new(text: &str) -> Result<Self> {
        if is_blank(text) {
            return Err(Error::not_judged("the query is blank").with_help("say what is looked for"));
        }
        let length = text.chars().count();
        if length > MAX_QUERY_CHARS {
            let message =
                format!("the query is too long: {length} characters; the limit is {MAX_QUERY_CHARS}");
            return Err(Error::not_judged(message).with_help("ask for one thing in a sentence or two"));
        }
        Ok(Self { text: text.to_owned(), terms: Analyser::default().query(text) })
    }

    /// As it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its content words.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }
}

/// Nothing in it can be seen.
pub fn is_blank(text: &str) -> bool {
    let unseen =
        |c: char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
    text.chars().all(|c| c.is_whitespace() || steers(c) || unseen(c))
}

/// How a score came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreKind {
    /// The share of the query's words in the passage, by weight.
    Share,
    /// That of the passage which this one replaces, where it is the larger.
    ShareOfReplaced,
}

impl ScoreKind {
    /// Its name in every report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Share => "idf_share",
            Self::ShareOfReplaced => "idf_share_of_superseded",
        }
    }
}

/// A passage that was judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// What the index holds of it.
    pub passage: Passage,
    /// 0 to 1.
    pub score: f64,
    /// How the score came about.
    pub score_kind: ScoreKind,
    /// 0 to 1; 0.5 at the threshold.
    pub confidence: f64,
    /// What is said about it.
    pub verdict: Verdict,
}

/// What a query is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Bar {
    /// The least score.
    pub threshold: f64,
    /// The day on which notes must hold.
    pub today: Date,
}

/// How long the two halves of a retrieval took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Finding and ranking.
    pub sparse_retrieval: Duration,
    /// Scores and verdicts.
    pub trust_evaluation: Duration,
}

/// Every hit of the pool, in retrieval order, each judged; `source` keeps to one note. `ticks` is a running clock.
pub fn retrieve(
    reader: &Reader,
    query: &Query,
    source: Option<&str>,
    chunks: u32,
    bar: Bar,
    ticks: &dyn Fn() -> Duration,
) -> Result<(Vec<Hit>, Times)> {
    let start = ticks();
    let weights = weights(reader, &query.terms, chunks)?;
    let pool = reader.ranked(&query.terms, source, POOL)?;
    let ranked = ticks();
    let judge = Judge { reader, scorer: Scorer::new(&query.terms, &weights), links: links(reader)?, bar };
    let judged = judge.all(pool);
    // Who asks for one note alone gets no other in its place.
    let replacements = if source.is_none() { judge.replacements(&judged)? } else { HashMap::new() };
    let hits = judge.placed(&judged, &replacements);
    let times = Times {
        sparse_retrieval: ranked.saturating_sub(start),
        trust_evaluation: ticks().saturating_sub(ranked),
    };
    Ok((hits, times))
}

fn weights(reader: &Reader, terms: &[Term], chunks: u32) -> Result<Vec<f64>> {
    terms.iter().map(|term| Ok(idf(chunks, reader.document_frequency(term)?.min(chunks)))).collect()
}

fn links(reader: &Reader) -> Result<Supersession> {
    let claims = reader.claims()?;
    if claims.is_empty() {
        return Ok(Supersession::default());
    }
    Ok(Supersession::resolve(&reader.sources_named(&claims)?, &claims))
}

/// Everything that a verdict rests on.
struct Judge<'a> {
    reader: &'a Reader<'a>,
    scorer: Scorer,
    links: Supersession,
    bar: Bar,
}

impl Judge<'_> {
    fn all(&self, pool: Vec<Passage>) -> Vec<Hit> {
        let judged = pool.into_iter().map(|passage| {
            let score = self.scorer.share(&passage.terms);
            self.judged(passage, score, ScoreKind::Share)
        });
        judged.collect()
    }

    /// The hits in their order, each behind what replaces it; no passage twice.
    fn placed(&self, judged: &[Hit], replacements: &HashMap<String, Hit>) -> Vec<Hit> {
        let by_row: HashMap<i64, &Hit> = replacements.values().map(|new| (new.passage.row, new)).collect();
        let (mut hits, mut placed) = (Vec::with_capacity(judged.len()), HashSet::new());
        for hit in judged {
            let successors = self.successors(hit).into_iter();
            let own = by_row.get(&hit.passage.row).copied().unwrap_or(hit);
            for next in successors.filter_map(|source| replacements.get(source)).chain([own]) {
                if placed.insert(next.passage.row) {
                    hits.push(next.clone());
                }
            }
        }
        hits
    }

    /// The notes that a confident hit gave way to.
    fn successors(&self, hit: &Hit) -> Vec<&str> {
        if hit.verdict == Verdict::Superseded && hit.score >= self.bar.threshold {
            self.links.terminals(&hit.passage.source)
        } else {
            Vec::new()
        }
    }

    /// What stands for each successor: judged by the best hit that gave way to it, wherever the pool has its own
    /// passages.
    fn replacements(&self, judged: &[Hit]) -> Result<HashMap<String, Hit>> {
        let mut inherited: HashMap<&str, f64> = HashMap::new();
        for hit in judged {
            for source in self.successors(hit) {
                let best = inherited.entry(source).or_default();
                *best = best.max(hit.score);
            }
        }
        let mut replacements = HashMap::new();
        for (source, score) in inherited {
            if let Some(new) = self.replacement(source, score)? {
                replacements.insert(source.to_owned(), new);
            }
        }
        Ok(replacements)
    }

    /// The passage of a successor that has most of the query, with at least the score of what it replaces.
    fn replacement(&self, source: &str, inherited: f64) -> Result<Option<Hit>> {
        let scored = self.reader.passages_of(source)?.into_iter().map(|passage| {
            let score = self.scorer.share(&passage.terms);
            (passage, score)
        });
        let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
        Ok(best.map(|(passage, score)| {
            if score >= inherited {
                self.judged(passage, score, ScoreKind::Share)
            } else {
                self.judged(passage, inherited, ScoreKind::ShareOfReplaced)
            }
        }))
    }

    fn judged(&self, passage: Passage, score: f64, score_kind: ScoreKind) -> Hit {
        let window = Window::read(passage.valid_from.as_deref(), passage.valid_until.as_deref());
        let standing = self.standing(&passage.source);
        let verdict = trust::judge(window, standing, score, self.bar.threshold, self.bar.today);
        Hit { passage, score, score_kind, confidence: confidence(score, self.bar.threshold), verdict }
    }

    fn standing(&self, source: &str) -> Standing {
        if self.links.is_ambiguous(source) {
            Standing::Ambiguous
        } else if self.links.is_superseded(source) {
            Standing::Superseded
        } else {
            Standing::Current
        }
    }
}
