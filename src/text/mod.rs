//! Pure text: line and column of an offset, words, sentences, what may be printed. No IO, no knowledge of drafts or
//! pages.

mod abbreviations;
pub mod boundary;
pub mod digits;
mod enclosures;
pub mod lines;
pub mod printable;
mod punctuation;
pub mod sentences;
pub mod words;
