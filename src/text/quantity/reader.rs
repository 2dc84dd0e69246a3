//! Reads the figures of a text from its tokens: dates first, then numbers with what stands before and behind them.

use super::date::{self, Date};
use super::decimal::Decimal;
use super::token::{self, Token, tokens};
use super::unit::{Dimension, Unit};
use super::{Figure, Kind, Value, numerals, ratio};
use crate::text::language::{Language, language};

/// Characters that are looked at for the name of a unit.
const LONGEST_NAME: usize = 40;

/// Words that are looked at for a number in words.
const LONGEST_NUMBER: usize = 14;

pub struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
    pub(super) language: Option<Language>,
}

/// A figure, the tokens it was read from, and the power of ten that a word gave it.
pub(super) struct Found {
    pub(super) figure: Figure,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) power: i32,
}

/// A number on its way to a figure.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) numbers: Vec<Decimal>,
    pub(super) year: Option<u64>,
    pub(super) kind: Option<Kind>,
    pub(super) unit: Option<Unit>,
    pub(super) power: i32,
    /// Where its tokens end.
    pub(super) to: usize,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, tokens: tokens(text), language: language(text) }
    }

    pub fn figures(self) -> Vec<Figure> {
        let mut found: Vec<Found> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let last = found.last().map_or(0, |last| last.to);
            match self.figure(at, last) {
                Some(figure) => {
                    at = figure.to.max(at + 1);
                    found.push(figure);
                }
                None => at += 1,
            }
        }
        self.relate(&mut found);
        found.into_iter().map(|found| found.figure).collect()
    }

    /// The figure that begins at token `at`; figures before it end at token `last`.
    fn figure(&self, at: usize, last: usize) -> Option<Found> {
        if let Some(word) = self.word(at).filter(|word| ratio::is_share(word)) {
            let in_number = numerals::number(&[word], self.language).is_some();
            return (!in_number).then(|| {
                self.found(at, Pending { kind: Some(Kind::Ratio), to: at + 1, ..Pending::default() })
            });
        }
        if !self.is_named(at, last)
            && let Some((dates, taken)) = date::date(&self.tokens[at..], self.text, self.language)
        {
            return Some(self.dated(at, at + taken, dates));
        }
        self.share_in_chinese(at)
            .or_else(|| self.in_digits(at, last))
            .or_else(|| self.in_numerals(at))
            .or_else(|| self.in_words(at))
            .map(|pending| self.found(at, pending))
    }

    fn dated(&self, from: usize, to: usize, dates: Vec<Date>) -> Found {
        let values = dates.into_iter().map(Value::Date).collect();
        let figure = Figure { span: self.span(from, to), values, kind: Kind::Plain };
        Found { figure, from, to, power: 0 }
    }

    fn found(&self, from: usize, pending: Pending) -> Found {
        let unit = pending.unit.unwrap_or(Unit::None);
        let mut values: Vec<Value> =
            pending.numbers.iter().map(|number| Value::Number(*number, unit)).collect();
        values.extend(pending.year.map(|year| Value::Date(Date::of_year(year))));
        let timed = matches!(unit, Unit::Measure(Dimension::Time, ..));
        let kind = match pending.kind {
            Some(kind) => kind,
            None if timed || values.is_empty() => Kind::Open,
            None => Kind::Plain,
        };
        let figure = Figure { span: self.span(from, pending.to), values, kind };
        Found { figure, from, to: pending.to, power: pending.power }
    }

    fn span(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        let end = to.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(0, |token| token.span.end);
        let start = self.tokens.get(from).map_or(end, |token| token.span.start);
        start..end.max(start)
    }

    /// `twenty-five percent`, `zwei Millionen`.
    fn in_words(&self, at: usize) -> Option<Pending> {
        self.word(at)?;
        let words: Vec<&str> = (at..at + LONGEST_NUMBER)
            .map_while(|at| match self.kind(at)? {
                token::Kind::Word(word) => Some(word.as_str()),
                token::Kind::Sign('-' | '‑') if self.tokens[at].glued => Some("-"),
                _ => None,
            })
            .collect();
        let (value, taken) = numerals::number(&words, self.language)?;
        let vague = taken == 1 && VAGUE.contains(&words[0]);
        let mut number = Decimal::whole(value);
        let mut to = at + taken;
        if let Some((decimals, end)) = self.decimals_in_words(to) {
            number = number.plus(decimals)?;
            to = end;
        }
        let mut pending = Pending { numbers: vec![number], to, ..Pending::default() };
        self.suffix(&mut pending);
        let article = value <= 1 && pending.to == at + 1;
        if vague || article {
            pending.kind = Some(Kind::Incidental);
        }
        Some(pending)
    }

    /// `point five`, `Komma fünf`.
    fn decimals_in_words(&self, at: usize) -> Option<(Decimal, usize)> {
        self.word(at).filter(|word| matches!(*word, "point" | "komma" | "virgule" | "coma"))?;
        let digit = |at: usize| {
            let (digit, _) = numerals::number(&[self.word(at)?], self.language)?;
            char::from_digit(u32::try_from(digit).ok()?, 10)
        };
        let digits: String = (at + 1..at + 7).map_while(digit).collect();
        let end = at + 1 + digits.len();
        (!digits.is_empty()).then(|| Some((Decimal::from_digits("", &digits)?, end)))?
    }

    pub(super) fn shown(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| match &token.kind {
            token::Kind::Word(word) => word.as_str(),
            _ => self.text.get(token.span.clone()).unwrap_or_default(),
        })
    }

    pub(super) fn kind(&self, at: usize) -> Option<&token::Kind> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    pub(super) fn word(&self, at: usize) -> Option<&str> {
        match self.kind(at)? {
            token::Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn is_sign(&self, at: usize, sign: char) -> bool {
        matches!(self.kind(at), Some(token::Kind::Sign(c)) if *c == sign)
    }

    pub(super) fn is_hyphen(&self, at: usize) -> bool {
        let glued = |at: usize| self.tokens.get(at).is_some_and(|token| token.glued);
        matches!(self.kind(at), Some(token::Kind::Sign('-' | '‑'))) && glued(at) && glued(at + 1)
    }

    /// The text from token `at` on, in lower case, as far as a name reaches.
    pub(super) fn rest(&self, at: usize) -> String {
        let Some(token) = self.tokens.get(at) else { return String::new() };
        let rest = self.text.get(token.span.start..).unwrap_or_default();
        let plain = |c: char| if c.is_whitespace() { ' ' } else { c };
        rest.chars().take(LONGEST_NAME).map(plain).flat_map(char::to_lowercase).collect()
    }

    /// The first token at or behind `at` that begins at byte `end` or later.
    pub(super) fn behind(&self, at: usize, end: usize) -> usize {
        at + self.tokens[at.min(self.tokens.len())..]
            .iter()
            .take_while(|token| token.span.start < end)
            .count()
    }
}

/// Words that mean many without saying how many, where they stand alone.
const VAGUE: &[&str] = &[
    "millionen",
    "milliarden",
    "millions",
    "milliards",
    "millones",
    "cents",
    "hundert",
    "tausend",
    "mille",
    "mil",
    "hundred",
    "thousand",
    "million",
    "billion",
];
