//! Recall: a question goes to every memory store that can be reached, what they say is fused into one exact ranking,
//! and the answer is cited or there is none and the reason is given.
//!
//! In: a question, [`Params`], [`Settings`]. Out: a [`Recall`], which [`report`] writes as JSON and [`page`] as HTML.
//! Stores are in [`adapters`], models that word an answer in [`models`]. Nothing here reads the environment, a
//! config file or the clock of the day; the monotonic clock bounds how long a store is waited for.

pub mod abstain;
pub mod adapters;
pub mod answer;
pub mod check;
pub mod chunk;
mod elements;
pub mod extract;
pub mod fuse;
mod http;
pub mod models;
pub mod page;
pub mod pipeline;
pub mod prompt;
pub mod query;
pub mod relevance;
pub mod report;
pub mod secret;
pub mod services;
pub mod settings;
pub mod share;
mod stop_words;
pub mod synthesis;

use std::sync::Arc;

use crate::error::{Error, Result};
use adapters::{ADAPTERS, Adapter, Ask};
use extract::Extract;
use fuse::Fusion;
use pipeline::{Findings, Reply};
use query::Query;
pub use settings::{Settings, Surroundings};
use synthesis::Synthesis;

/// The longest question, in characters.
const MAX_QUERY_CHARS: usize = 4096;
/// The most chunks of one source.
pub const MAX_LIMIT: usize = 1000;

/// How one question is asked.
#[derive(Debug, Clone)]
pub struct Params {
    /// The most chunks of each source, 1 to [`MAX_LIMIT`].
    pub limit: usize,
    /// The sources to ask; all where empty.
    pub sources: Vec<String>,
    /// The fewest sources that an answer rests on.
    pub min_sources: usize,
    /// The least evidence that is answered from, 0..1.
    pub threshold: f64,
    /// How occurrences of one text are counted.
    pub fusion: Fusion,
    /// The least normalised score that stays, in thousandths.
    pub floor: u32,
    /// Which models may word the answer.
    pub llm: models::Choice,
}

impl Default for Params {
    fn default() -> Self {
        let threshold = Settings::default().threshold;
        Self {
            limit: 5,
            sources: Vec::new(),
            min_sources: 2,
            threshold,
            fusion: Fusion::Keep,
            floor: 300,
            llm: models::Choice::Auto,
        }
    }
}

impl Params {
    /// The same, where each number is in its range.
    ///
    /// # Errors
    /// [`crate::error::Exit::NotJudged`] where one is not.
    pub fn checked(self) -> Result<Self> {
        if !(0.0..=1.0).contains(&self.threshold) {
            let message = format!("the threshold is {}; it goes from 0 to 1", self.threshold);
            return Err(Error::not_judged(message).with_help("`--threshold 0.3`"));
        }
        if !(1..=MAX_LIMIT).contains(&self.limit) {
            let message = format!("the limit is {}; it goes from 1 to {MAX_LIMIT}", self.limit);
            return Err(Error::not_judged(message).with_help("`--limit 5`"));
        }
        Ok(self)
    }
}

/// What came of a question.
#[derive(Debug)]
pub struct Recall {
    /// The question.
    pub query: Query,
    /// How it was asked.
    pub params: Params,
    /// What each source answered, in the order of the adapters.
    pub replies: Vec<Reply>,
    /// What may be cited, and whether it is enough.
    pub findings: Findings,
    /// The best sentences, where no model worded an answer and there is evidence for one.
    pub extract: Option<Extract>,
    /// What a model made of it.
    pub synthesis: Synthesis,
}

impl Recall {
    /// Why there is no answer; `None` where there is one, or could be.
    pub fn abstention(&self) -> Option<&str> {
        self.findings.abstention.as_deref().or(self.synthesis.abstention.as_deref())
    }
}

/// Asks every source.
///
/// # Errors
/// [`crate::error::Exit::NotJudged`] when the question is blank or too long, or a source is unknown.
pub fn recall(question: &str, params: Params, settings: Settings) -> Result<Recall> {
    let asked = chosen(&params.sources)?;
    recall_from(&asked, question, params, settings)
}

/// Asks these adapters, whatever `params` names.
///
/// # Errors
/// [`crate::error::Exit::NotJudged`] when the question is blank or too long.
pub fn recall_from(
    asked: &[&'static Adapter],
    question: &str,
    params: Params,
    settings: Settings,
) -> Result<Recall> {
    let query = read_query(question)?;
    let limit = params.limit.clamp(1, MAX_LIMIT);
    let ask = Arc::new(Ask { query: query.clone(), limit, settings });
    let mut replies = pipeline::gather(asked, &ask);
    pipeline::screen(&mut replies, &query, limit);
    let ranked = pipeline::rank(&replies);
    let own: Vec<&str> = asked.iter().filter(|adapter| adapter.own).map(|adapter| adapter.name).collect();
    let findings = pipeline::judge(ranked, &query, &params, &own);
    let mut synthesis = match findings.abstention {
        Some(_) => Synthesis::default(),
        None => synthesis::synthesise(&findings, &query, params.llm, &ask.settings),
    };
    let unanswered = findings.abstention.is_none() && synthesis.provider.is_none();
    let extract = if unanswered { extract::extract(&findings, &query) } else { None };
    if extract.as_ref().is_some_and(Extract::is_partial) {
        synthesis.notes.push(extract::remark(&findings, &query));
    }
    Ok(Recall { query, params, replies, findings, extract, synthesis })
}

/// The adapters of those names, in the order of the table; all where there is no name.
pub fn chosen(names: &[String]) -> Result<Vec<&'static Adapter>> {
    if let Some(unknown) = names.iter().find(|name| adapters::adapter(name).is_none()) {
        let known: Vec<&str> = ADAPTERS.iter().map(|adapter| adapter.name).collect();
        let message = format!("no memory source `{unknown}`; there are {}", known.join(", "));
        return Err(
            Error::not_judged(message).with_help("name sources with commas: `--sources context,session`")
        );
    }
    let wanted = |adapter: &&Adapter| names.is_empty() || names.iter().any(|name| name == adapter.name);
    Ok(ADAPTERS.iter().filter(wanted).collect())
}

fn read_query(question: &str) -> Result<Query> {
    let length = question.chars().count();
    if question.trim().is_empty() {
        return Err(Error::not_judged("the question is empty")
            .with_help("ask with `--query \"what did we decide?\"`"));
    }
    if length > MAX_QUERY_CHARS {
        let message = format!("the question has {length} characters; at most {MAX_QUERY_CHARS} are read");
        return Err(Error::not_judged(message));
    }
    Ok(Query::new(question))
}
