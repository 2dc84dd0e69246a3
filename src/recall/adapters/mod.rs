//! The memory stores that can be asked. An adapter is a plain struct in [`ADAPTERS`]: its name, its weight and its
//! functions. It is handed an [`Ask`] and gives chunks, best first, or one line about what went wrong; it never fails the
//! whole.

mod chroma;
mod context;
mod embed;
mod hindsight;
mod honcho;
mod memory;
mod memory_store;
mod notes;
mod ob1;
mod ob1_key;
mod obn;
mod row;
mod sections;
mod session;
mod session_row;
mod session_text;
mod sqlite;

use super::chunk::Chunk;
use super::query::Query;
use super::settings::Settings;

/// One kind of memory store.
#[derive(Debug)]
pub struct Adapter {
    /// What `--sources` takes and reports show.
    pub name: &'static str,
    /// How much its ranks count, in thousandths.
    pub weight: u32,
    /// One of our own (tier 0): it may answer alone.
    pub own: bool,
    /// Asks it. `Ok(None)` where it is off: not configured, and not meant to be asked by default.
    pub search: fn(&Ask) -> Result<Option<Vec<Chunk>>, String>,
    /// Whether it could be asked, without asking: what was found, `Ok(None)` where it is off.
    pub probe: fn(&Settings) -> Result<Option<String>, String>,
    /// What it would be asked, in one line without secrets.
    pub asks: fn(&Settings) -> String,
}

/// What an adapter is asked, and with which settings.
#[derive(Debug)]
pub struct Ask {
    /// The question.
    pub query: Query,
    /// The most chunks that are wanted.
    pub limit: usize,
    /// Where the stores are.
    pub settings: Settings,
}

/// Every adapter; the order is that of reports.
pub const ADAPTERS: &[Adapter] = &[
    context::ADAPTER,
    ob1::ADAPTER,
    obn::ADAPTER,
    hindsight::ADAPTER,
    session::ADAPTER,
    honcho::ADAPTER,
    memory_store::ADAPTER,
    memory::ADAPTER,
];

impl Adapter {
    /// Its weight in thousandths, the user's own where there is one.
    pub fn weight_in(&self, settings: &Settings) -> u32 {
        match settings.weights.get(self.name) {
            Some(weight) => (weight * 1000.0).round() as u32,
            None => self.weight,
        }
    }
}

/// The adapter of that name.
pub fn adapter(name: &str) -> Option<&'static Adapter> {
    ADAPTERS.iter().find(|adapter| adapter.name == name)
}
