//! Pure text: folding with offsets back, line and column of an offset, words, what may be printed. No IO, no knowledge of drafts or pages.

pub mod figures;
pub mod fold;
pub mod lines;
pub mod printable;
pub mod words;
