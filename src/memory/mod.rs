//! A memory of one's own: notes (Markdown, text) in one SQLite file, searched by words, and only what can be
//! trusted handed out as evidence. Folders come in through [`Memory::index`]; a query comes out as judged hits
//! ([`Memory::search`]) or as a [`Bundle`] ([`Memory::evidence`]). No model, no network, no server.
//!
//! One [`Memory`] may be shared by many threads. Times and the day are handed in by the caller.

pub mod admission;
pub mod bundle;
pub mod calibrate;
pub mod chunk;
pub mod front_matter;
pub mod hits;
pub mod index;
pub mod lint;
pub mod names;
pub mod profile;
pub mod prompt;
pub mod reader;
pub mod retrieve;
pub mod score;
pub mod stats;
pub mod stop_words;
pub mod store;
pub mod supersession;
pub mod terms;
pub mod trust;
pub mod validate;
pub mod walk;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use rusqlite::Connection;

use crate::error::{Error, Result};
use admission::{Admission, Permit};
use bundle::{Blocked, Item, StageMs, State, ms};
use calibrate::Calibration;
use reader::{Identity, Reader};
use retrieve::{Bar, Hit, Query, Times};
use store::Store;
use trust::{Reason, Verdict};

pub use bundle::{Bundle, Decision};
pub use profile::{Limits, Profile};

/// The most passages that a call returns.
pub const MAX_K: usize = 50;
/// After so long without a write an index is stale.
const STALE_AFTER: SignedDuration = SignedDuration::from_hours(48);

/// What surrounds a call: the instant, and a clock that runs while it is worked on.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// The instant: days are taken from it in UTC.
    pub at: Timestamp,
    /// Time since some start.
    pub ticks: &'a (dyn Fn() -> Duration + Sync),
}

/// What a call may narrow.
#[derive(Debug, Clone, Copy, Default)]
pub struct Args<'a> {
    /// Only this note: its root-relative path.
    pub source: Option<&'a str>,
    /// How many passages; 5 where it is not said, clamped to 1..[`MAX_K`], then to what the profile returns.
    pub k: Option<usize>,
    /// At most so many of them, where that is fewer.
    pub max_items: Option<usize>,
    /// Set when the caller waits no more: see [`Admission::enter_for`].
    pub gone: Option<&'a AtomicBool>,
}

impl Args<'_> {
    /// The passages that a call returns at most, before `max_items`.
    pub fn effective_k(&self, profile: Profile) -> usize {
        self.k.unwrap_or(5).clamp(1, MAX_K).min(profile.returned())
    }
}

/// How many, from a number as anybody may give it: less than none is none.
pub fn count(given: i64) -> usize {
    usize::try_from(given.max(0)).unwrap_or(usize::MAX)
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Hits with every verdict, in retrieval order.
    pub hits: Vec<Item>,
    /// What is known of the memory.
    pub state: State,
    /// What each stage took.
    pub stage_ms: StageMs,
    /// What it all took, in milliseconds.
    pub total_ms: f64,
}

/// A memory file. Nothing is opened before it is needed.
pub struct Memory {
    path: PathBuf,
    profile: Profile,
    admission: Admission,
    idle: Mutex<Vec<Idle>>,
    reads: AtomicUsize,
}

impl Memory {
    /// The memory at `path`, whether it is there or not.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self::with_profile(path, Profile::default(), None)
    }

    /// The memory at `path` with a cost profile, and limits of one's own in place of the profile's.
    pub fn with_profile(path: impl Into<PathBuf>, profile: Profile, limits: Option<Limits>) -> Self {
        let admission = Admission::new(limits.unwrap_or(profile.limits()));
        Self { path: path.into(), profile, admission, idle: Mutex::default(), reads: AtomicUsize::new(0) }
    }

    /// The memory file, as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a retrieval may cost.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// How often the file was read from: calls that were turned away do not count.
    pub fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    /// The door in front of the index.
    pub fn admission(&self) -> &Admission {
        &self.admission
    }

    /// Evidence for a query, or why there is none. Without an index the bundle says [`bundle::INDEX_NOT_READY`].
    ///
    /// # Errors
    /// A query that is blank or too long; `RetrievalOverloaded`; a file that can not be used.
    pub fn evidence(&self, query: &str, args: &Args, now: Now) -> Result<Bundle> {
        let start = (now.ticks)();
        let query = Query::new(query)?;
        let asked = (now.ticks)();
        let permit = self.admit(args)?;
        let admitted = (now.ticks)();
        let found = self.read(|reader| self.ask(reader, &query, args, now, Choice::Trusted));
        drop(permit);
        let found = match found {
            Err(Error::NoMemory { .. }) => Found::nothing(State::not_ready(String::new())),
            found => found?,
        };
        let blocked = Blocked::count(&found.hits);
        let bundle =
            bundle::assemble(query.text(), self.profile, found.state, found.reason, found.items, blocked);
        let stage_ms = stages(admitted.saturating_sub(asked), found.times, found.end, (now.ticks)());
        Ok(bundle.timed(stage_ms, (now.ticks)().saturating_sub(start)))
    }

    /// Hits with every verdict, for looking around.
    ///
    /// # Errors
    /// As [`Memory::evidence`], and where there is no index.
    pub fn search(&self, query: &str, args: &Args, now: Now) -> Result<Search> {
        let start = (now.ticks)();
        let query = Query::new(query)?;
        let asked = (now.ticks)();
        let permit = self.admit(args)?;
        let admitted = (now.ticks)();
        let found = self.read(|reader| self.ask(reader, &query, args, now, Choice::Every))?;
        drop(permit);
        let end = (now.ticks)();
        let stage_ms = stages(admitted.saturating_sub(asked), found.times, found.end, end);
        Ok(Search {
            hits: found.items,
            state: found.state,
            stage_ms,
            total_ms: ms(end.saturating_sub(start)),
        })
    }

    /// Reads the file on one state of it.
    ///
    /// # Errors
    /// `NoMemory` where there is none; a file that can not be used.
    pub fn read<T>(&self, work: impl FnOnce(&Reader) -> Result<T>) -> Result<T> {
        let identity = reader::identity(&self.path);
        let connection = match self.take_idle(identity) {
            Some(connection) => connection,
            None => reader::open(&self.path)?,
        };
        self.reads.fetch_add(1, Ordering::Relaxed);
        let reader = Reader::new(&self.path, &connection);
        let outcome = reader.snapshot(|| work(&reader));
        self.idle().push(Idle { connection, identity });
        outcome
    }

    /// Brings the memory up to date with folders and files; see [`index::run`]. A calibration is measured again.
    ///
    /// # Errors
    /// The file can not be used; a folder is over the limits.
    pub fn index(
        &self,
        request: &index::Request,
        progress: &mut dyn FnMut(index::Progress),
    ) -> Result<index::Report> {
        let mut store = Store::open(&self.path)?;
        let report = index::run(&mut store, request, progress)?;
        calibrate::measure_again(&mut store)?;
        Ok(report)
    }

    /// Removes notes for good; see [`index::forget`].
    ///
    /// # Errors
    /// There is no memory; a source that it does not know.
    pub fn forget(&self, sources: &[String], now: &str) -> Result<()> {
        let mut store = self.existing()?;
        index::forget(&mut store, sources, now)?;
        calibrate::measure_again(&mut store)
    }

    /// Measures the threshold on labelled questions; see [`calibrate::run`].
    ///
    /// # Errors
    /// There is no memory; too few questions; they can not be told apart.
    pub fn calibrate(&self, labels: &[calibrate::Label]) -> Result<Calibration> {
        calibrate::run(&mut self.existing()?, labels)
    }

    fn admit(&self, args: &Args) -> Result<Permit<'_>> {
        match args.gone {
            Some(gone) => self.admission.enter_for(gone),
            None => self.admission.enter(),
        }
    }

    fn existing(&self) -> Result<Store> {
        if self.path.exists() {
            Store::open(&self.path)
        } else {
            Err(Error::NoMemory { path: self.path.clone() })
        }
    }

    fn ask(&self, reader: &Reader, query: &Query, args: &Args, now: Now, choice: Choice) -> Result<Found> {
        let size = reader.size()?;
        if size.chunks == 0 {
            return Ok(Found::nothing(State::not_ready(size.generation)));
        }
        let (threshold, trust_state) = calibrate::standing(reader, &size.generation)?;
        let bar = Bar { threshold, today: now.at.to_zoned_datetime(TimeZone::UTC).date() };
        let source = args.source.map(walk::as_source);
        let (hits, times) =
            retrieve::retrieve(reader, query, source.as_deref(), size.chunks, bar, now.ticks)?;
        let end = (now.ticks)();
        let state = State {
            trust_state,
            stale: is_stale(reader, now.at)?,
            index_generation: size.generation,
            failure_code: None,
        };
        let k = args.effective_k(self.profile);
        let room = k.min(args.max_items.unwrap_or(k));
        let chosen =
            hits.iter().filter(|hit| choice == Choice::Every || hit.verdict == Verdict::Ok).take(room);
        let items = chosen.map(|hit| Ok(Item::new(hit.clone(), reader.text(hit.passage.row)?)));
        let items = items.collect::<Result<Vec<Item>>>()?;
        let reason = trust::reason(hits.iter().map(|hit| (hit.verdict, hit.score)), threshold);
        let reason = reason.or((room == 0).then_some(Reason::EvidenceBudgetExhausted));
        Ok(Found { hits, items, reason, state, times, end })
    }

    /// A connection to the file that is there now: one to a file that is gone would still read what it held.
    fn take_idle(&self, identity: Option<Identity>) -> Option<Connection> {
        let mut idle = self.idle();
        idle.retain(|one| one.identity == identity);
        idle.pop().map(|one| one.connection)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that waits for the next call.
struct Idle {
    connection: Connection,
    identity: Option<Identity>,
}

/// Which hits are returned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Every,
    Trusted,
}

/// What asking gave.
struct Found {
    hits: Vec<Hit>,
    items: Vec<Item>,
    reason: Option<Reason>,
    state: State,
    times: Times,
    end: Duration,
}

impl Found {
    fn nothing(state: State) -> Self {
        let reason = Some(Reason::CorpusGap);
        Self {
            hits: Vec::new(),
            items: Vec::new(),
            reason,
            state,
            times: Times::default(),
            end: Duration::MAX,
        }
    }
}

fn stages(admission_wait: Duration, times: Times, judged: Duration, end: Duration) -> StageMs {
    StageMs {
        admission_wait: ms(admission_wait),
        sparse_retrieval: ms(times.sparse_retrieval),
        trust_evaluation: ms(times.trust_evaluation),
        evidence_assembly: ms(end.saturating_sub(judged)),
        ..StageMs::default()
    }
}

fn is_stale(reader: &Reader, now: Timestamp) -> Result<bool> {
    let written = reader.meta("last_write")?.and_then(|text| text.parse::<Timestamp>().ok());
    Ok(written.is_some_and(|written| now.duration_since(written) > STALE_AFTER))
}
