//! `cited` is a citation ledger for grounded documents.
//!
//! Two flows, and everything hangs on them:
//!
//! ```text
//! draft text  -> Draft::parse -> (draft, ledger, evidence, options) -> each rule -> diagnostics -> a report format
//! URL or JSON -> ingest shape -> identity key -> Ledger::add -> store -> selection -> render style -> Sources block
//! ```
//!
//! The library is handed values and returns values: it never prints, exits, or reads the environment, the
//! clock, the working folder or the terminal. `docs/ARCHITECTURE.md` draws the rooms and the arrows between them.

#![deny(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::dbg_macro
)]

pub mod config;
pub mod diagnostic;
pub mod draft;
pub mod error;
pub mod evidence;
pub mod file;
pub mod identity;
pub mod ingest;
pub mod journal;
pub mod ledger;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "recall")]
pub mod memory;
#[cfg(feature = "recall")]
pub mod recall;
pub mod register;
pub mod render;
pub mod report;
pub mod skill;
pub mod text;
pub mod verify;

pub use error::{Error, Result};
