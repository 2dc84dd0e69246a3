//! `cited mcp`: what surrounds the server is gathered here, to be read when a call needs it. Standard output belongs
//! to the protocol; a panic says only where it happened.

use std::path::PathBuf;
use std::time::Instant;

use cited::Error;
use cited::mcp::{Allowed, Around, Server, serve};

use super::memory::{beside_ledger, profile};
use super::session::Session;
use super::{Done, Outcome, pdf, recall};
use crate::cli::agent::McpArgs;

pub fn run(args: McpArgs, ledger: Option<PathBuf>) -> Done {
    keep_texts_out_of_panics();
    let server = Server::new(around(&args, ledger));
    serve(server).map_err(|error| Error::not_judged(format!("the server has ended: {error}")))?;
    Ok(Outcome::Fine)
}

fn around(args: &McpArgs, ledger: Option<PathBuf>) -> Around {
    let (start, memory, flag) = (Instant::now(), args.memory.clone(), ledger.clone());
    let beside = move || beside_ledger(&Session::new(flag.clone())?);
    let (notes, place) = (args.memory.clone(), ledger.clone());
    Around {
        desk: Box::new(move || Session::new(ledger.clone())?.desk()),
        memory: Box::new(move || memory.clone().map_or_else(&beside, Ok)),
        settings: Box::new(move || recall::with_notes(notes.clone(), &Session::new(place.clone())?)),
        pdf: pdf::text,
        now: jiff::Timestamp::now,
        ticks: Box::new(move || start.elapsed()),
        folder: std::env::current_dir().unwrap_or_default(),
        home: directories::BaseDirs::new().map(|base| base.home_dir().to_owned()),
        allowed: Allowed {
            profile: profile(args.profile),
            limits: None,
            write: args.allow_write,
            write_memory: args.allow_write_memory,
        },
    }
}

/// The message of a panic may quote the text that was worked on; logs never do.
fn keep_texts_out_of_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        eprintln!("error: a call failed inside, at {place}");
    }));
}
