//! `cited memory`: notes as evidence. One file for asking, one for filling and one for judging.

mod ask;
mod fill;
mod judge;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cited::memory::{Memory, Now, Profile};
use serde::Serialize;

use super::session::Session;
use super::{Done, Terminal};
use crate::cli::memory::{CostProfile, MemoryArgs, MemoryCommand};

pub fn run(args: MemoryArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let path = match args.memory {
        Some(path) => path,
        None => beside_ledger(session)?,
    };
    match args.command {
        MemoryCommand::Index(args) => fill::index(args, &Memory::open(path), terminal),
        MemoryCommand::Search(args) => ask::search(args, path, terminal),
        MemoryCommand::Evidence(args) => ask::evidence(args, path, terminal),
        MemoryCommand::Validate(args) => judge::validate(args, terminal),
        MemoryCommand::Forget(args) => fill::forget(args, &Memory::open(path), terminal),
        MemoryCommand::Stats(args) => judge::stats(args, &Memory::open(path), terminal),
        MemoryCommand::Lint(args) => judge::lint(args, &Memory::open(path), terminal),
        MemoryCommand::Calibrate(args) => fill::calibrate(args, &Memory::open(path), terminal),
    }
}

/// The memory file where none is named.
pub fn beside_ledger(session: &Session) -> cited::Result<PathBuf> {
    let ledger = session.ledger_path()?;
    Ok(ledger.parent().unwrap_or(Path::new("")).join("memory.sqlite"))
}

/// The profile that is named.
pub fn profile(named: CostProfile) -> Profile {
    match named {
        CostProfile::Legacy => Profile::Legacy,
        CostProfile::Fast => Profile::Fast,
        CostProfile::Quality => Profile::Quality,
    }
}

/// Hands the instant and a running clock to `work`.
fn at_this_instant<T>(work: impl FnOnce(Now) -> T) -> T {
    let start = Instant::now();
    let ticks = move || -> Duration { start.elapsed() };
    work(Now { at: jiff::Timestamp::now(), ticks: &ticks })
}

/// One line of compact JSON.
fn print_json(report: &impl Serialize, terminal: &mut Terminal) -> std::io::Result<()> {
    terminal.raw(cited::memory::bundle::json_line(report).as_bytes())
}
