//! Figures and what they say: numbers in digits or words, percentages, dates, money, quantities with units. In: a
//! text. Out: each figure with the values it may have, and whether it is one that can be compared at all.
//!
//! Ordinals, decades, durations, ratios, versions and names that hold digits are found and marked, not judged. What
//! a figure is about is not known here.

mod date;
mod decimal;
mod digits;
mod exponent;
mod han;
mod literal;
mod meeting;
mod numerals;
mod range;
mod ratio;
mod reader;
mod suffix;
mod token;
mod unit;

use std::ops::Range;

pub use date::Date;
pub use decimal::Decimal;
pub use meeting::{Standing, stand};
pub use unit::{Dimension, Unit};

/// A figure of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// The values it may have; none where digits name something.
    pub values: Vec<Value>,
    /// Whether it can be held against others.
    pub kind: Kind,
}

/// What a figure may be worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number of something.
    Number(Decimal, Unit),
    /// A date, or a part of one.
    Date(Date),
}

/// Whether a figure can be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It can.
    Plain,
    /// It is found, but what it is worth can not be told: ordinals, decades, durations, names.
    Open,
    /// It is a share that is not written as a percentage: `half`, `one in five`, `3:1`.
    Ratio,
    /// It counts nothing: an article, a word of a phrase.
    Incidental,
}

/// A text, read for its figures.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Its figures, in order.
    pub figures: Vec<Figure>,
    /// One of its words says that something rose or fell, which may stand for a sign.
    pub turns: bool,
}

impl Reading {
    /// Reads `text`.
    pub fn of(text: &str) -> Self {
        let figures = reader::Reader::new(text).figures();
        let turns = !figures.is_empty() && ratio::turns(text);
        Self { figures, turns }
    }
}

impl Figure {
    /// Whether one of its values has this unit.
    fn has(&self, wanted: impl Fn(Unit) -> bool) -> bool {
        self.values.iter().any(|value| matches!(value, Value::Number(_, unit) if wanted(*unit)))
    }
}
