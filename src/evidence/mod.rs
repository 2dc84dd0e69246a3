//! Is a quote really on the page? A page's bytes are read once, folded once, and searched; the answer is a
//! [`Verdict`] that says where the words stand or how the page differs. Snapshots keep the text that was
//! checked, so that every quote can be checked again.
//!
//! In: bytes of a page, quotes. Out: spans into [`Page::text`], or refusals that say what to do. Not here: the
//! ledger, which records spans, and the start of the child process that reads a PDF, which needs to know the
//! running program.

mod boundary;
mod decode;
mod html;
mod judge;
mod kinds;
mod markdown;
mod marker;
mod near;
mod page;
mod quote;
mod rules;
mod scale;
mod script;
mod search;
mod tokens;
mod verdict;
mod view;
mod wall;
mod warnings;
mod windows;
mod writer;

pub mod pdf;
pub mod recheck;
pub mod snapshot;

pub use page::{Page, Reader, elsewhere};
pub use recheck::{Recheck, Recorded};
pub use snapshot::Snapshots;
pub use verdict::{CannotCheck, Difference, Kind, Match, Near, Refusal, Rule, Verdict, Warning};
