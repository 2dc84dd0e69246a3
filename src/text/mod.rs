//! Pure text: folding with offsets back, words, sentences and figures, line and column of an offset, what may be
//! printed. No IO, no knowledge of drafts or pages.

mod abbreviations;
pub mod boundary;
pub mod content;
pub mod digits;
mod enclosures;
pub mod figures;
pub mod fold;
pub mod language;
pub mod lines;
pub mod printable;
mod punctuation;
pub mod sentences;
pub mod web_link;
pub mod words;
