//! Numbers in digits: what stands before them, and whether they are numbers at all or part of a name, a time or a
//! ratio. In: tokens. Out: a number on its way to a figure.

use super::reader::{Pending, Reader};
use super::unit::{self, Unit};
use super::{Kind, date, literal, ratio, token};
use crate::text::language::Language;

impl Reader<'_> {
    /// `-5`, `$5 million`, `1,500 km`, `2024`.
    pub(super) fn in_digits(&self, start: usize, last: usize) -> Option<Pending> {
        let negative = self.is_minus(start);
        let mut at = start + usize::from(negative);
        let money = self.money_before(at);
        at = money.map_or(at, |(_, behind)| behind);
        let token::Kind::Digits(digits) = self.kind(at)? else { return None };
        let mut numbers = literal::readings(digits, self.language);
        let plain = digits.bytes().all(|b| b.is_ascii_digit());
        let percent = self.follows_percent(start, last).then_some(Unit::Percent);
        let unit = money.map(|(unit, _)| unit).or(percent);
        let mut pending = Pending { unit, to: at + 1, ..Pending::default() };
        let named = money.is_none() && self.is_named(at, last);
        numbers = self.with_exponent(numbers, &mut pending);
        numbers = self.with_chinese_power(numbers, &mut pending);
        if negative {
            numbers.iter_mut().for_each(|number| *number = number.negated());
        }
        pending.numbers = numbers;
        let bare_until = pending.to;
        self.suffix(&mut pending);
        let nothing_behind = pending.to == bare_until && pending.unit.is_none();
        if named || pending.numbers.is_empty() {
            pending.kind = Some(Kind::Open);
        }
        if plain && nothing_behind && !negative && pending.kind.is_none() {
            pending.year = date::year(digits).or_else(|| self.short_year(at, digits));
            let after_name = pending.year.is_none() && self.follows_a_name(at);
            pending.kind = (after_name || self.is_clock_or_ratio(at)).then_some(Kind::Open);
        }
        Some(pending)
    }

    /// `%15` and `yüzde 15`, as Turkish has it.
    fn follows_percent(&self, at: usize, last: usize) -> bool {
        let before = at.checked_sub(1).filter(|before| *before >= last);
        let sign = |at| matches!(self.kind(at), Some(token::Kind::Sign('%' | '％' | '٪')));
        before.is_some_and(|before| sign(before) || self.word(before) == Some("yüzde"))
    }

    /// `24` of `2023–24`.
    fn short_year(&self, at: usize, digits: &str) -> Option<u64> {
        let joined = digits.len() == 2 && at >= 2 && self.is_joined_by_dash(at);
        let token::Kind::Digits(before) = self.kind(at.checked_sub(2)?)? else { return None };
        let year = date::year(before).filter(|_| joined)?;
        let short: u64 = digits.parse().ok()?;
        (short > year % 100).then_some(year / 100 * 100 + short)
    }

    fn is_joined_by_dash(&self, at: usize) -> bool {
        let dash = matches!(self.kind(at - 1), Some(token::Kind::Sign('-' | '–' | '/' | '‑')));
        dash && self.tokens[at].glued && self.tokens[at - 1].glued
    }

    /// A minus sign that belongs to the number behind it.
    pub(super) fn is_minus(&self, at: usize) -> bool {
        let minus = matches!(self.kind(at), Some(token::Kind::Sign('-' | '−' | '–' | '﹣' | '－' | '‑')));
        let behind = self.tokens.get(at + 1).is_some_and(|token| token.glued);
        let apart = !self.tokens.get(at).is_some_and(|token| token.glued)
            || at > 0
                && matches!(
                    self.kind(at - 1),
                    Some(token::Kind::Sign('(' | '（' | '[' | '~' | '≈' | '$' | '€' | '£'))
                );
        minus && behind && apart
    }

    /// A currency before the number, and the token of the number.
    fn money_before(&self, at: usize) -> Option<(Unit, usize)> {
        let from = self.tokens.get(at)?.span.start;
        let (unit, length) = unit::currency(&self.rest(at))?;
        let written = self.text.get(from..from + length)?;
        if written.chars().any(char::is_lowercase) {
            return None;
        }
        let behind = self.behind(at, from + length);
        matches!(self.kind(behind), Some(token::Kind::Digits(_))).then_some((unit, behind))
    }

    /// Digits that belong to a name or a code: `CO2`, `GPT-4`, `#5`, `Figure 3`.
    pub(super) fn is_named(&self, at: usize, last: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let Some(before) = at.checked_sub(1) else { return false };
        if before < last {
            return false;
        }
        match (&self.tokens[before].kind, token.glued) {
            (token::Kind::Word(_), true) | (token::Kind::Sign('#' | '№' | '_' | '@' | '§'), _) => true,
            (token::Kind::Sign('-' | '‑' | '–'), true) if self.tokens[before].glued && before > last => {
                self.word(before - 1).is_some_and(|word| !ratio::is_prefix(word))
            }
            (token::Kind::Word(word), false) => ratio::is_designator(word),
            (token::Kind::Sign('.'), false) => {
                before > last
                    && self.word(before - 1).is_some_and(|word| {
                        matches!(word, "no" | "nr" | "fig" | "art" | "abb" | "vol" | "p" | "pp")
                    })
            }
            _ => false,
        }
    }

    /// A capitalised word inside the sentence stands before it: `Apollo 11`.
    fn follows_a_name(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|before| *before > 0) else { return false };
        let opens = matches!(self.kind(before - 1), Some(token::Kind::Sign('.' | '!' | '?' | ':' | '。')));
        let span = self.tokens[before].span.clone();
        let capital = self.text.get(span).is_some_and(|word| word.starts_with(char::is_uppercase));
        !opens && capital && self.language != Some(Language::German) && self.word(before).is_some()
    }

    /// `10:30`, `3:1`, `3/4`.
    fn is_clock_or_ratio(&self, at: usize) -> bool {
        let mark = |at: usize| matches!(self.kind(at), Some(token::Kind::Sign(':' | '/' | '∶')));
        let digits = |at: usize| matches!(self.kind(at), Some(token::Kind::Digits(_)));
        let glued = |at: usize| self.tokens.get(at).is_some_and(|token| token.glued);
        let before = at >= 2 && mark(at - 1) && digits(at - 2) && glued(at) && glued(at - 1);
        before || mark(at + 1) && digits(at + 2) && glued(at + 1) && glued(at + 2)
    }
}
