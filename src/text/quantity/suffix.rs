//! What stands behind a number: powers, units, and what makes it an ordinal, a decade or a name.

use super::date::ORDINALS;
use super::reader::{Pending, Reader};
use super::unit::{self, Unit};
use super::{Kind, ratio, token};
use crate::text::language::Language;

impl Reader<'_> {
    /// What stands behind a number: powers, units, and what makes it something else.
    pub(super) fn suffix(&self, pending: &mut Pending) {
        if self.is_open_behind(pending) {
            pending.kind = Some(Kind::Open);
            pending.to += usize::from(self.tokens.get(pending.to).is_some_and(|token| token.glued));
            return;
        }
        self.take_powers(pending);
        if self.take_bare_letter(pending) {
            return;
        }
        let hyphen = usize::from(self.is_hyphen(pending.to) && self.word(pending.to + 1).is_some());
        let rest = self.rest(pending.to + hyphen);
        // The sign of the next amount is no unit of this one: `$3 $4`.
        let opens = matches!(self.kind(pending.to + 1), Some(token::Kind::Digits(_)))
            && self.word(pending.to).is_none();
        let currency = unit::currency(&rest).filter(|_| !opens);
        let tries = [unit::percent(&rest), currency, unit::measure(&rest)];
        let best = tries.into_iter().flatten().max_by_key(|(_, length)| *length);
        if let Some((unit, length)) = best {
            let from = self.tokens.get(pending.to + hyphen).map_or(0, |token| token.span.start);
            pending.to = self.behind(pending.to + hyphen, from + length);
            pending.unit = pending.unit.or(Some(unit));
            return;
        }
        let next = self.word(pending.to + hyphen);
        if next.is_some_and(ratio::is_share) {
            pending.kind = Some(Kind::Ratio);
        } else if next.is_some() && hyphen == 0 && self.tokens[pending.to].glued && pending.unit.is_none() {
            pending.kind = Some(Kind::Open);
            pending.to += 1;
        }
    }

    /// An ordinal, a decade or a time of the day.
    fn is_open_behind(&self, pending: &Pending) -> bool {
        let at = pending.to;
        let Some(token) = self.tokens.get(at) else { return false };
        let word = self.word(at);
        let in_digits = at > 0 && matches!(self.kind(at - 1), Some(token::Kind::Digits(_)));
        let ending = in_digits
            && token.glued
            && word.is_some_and(|word| ORDINALS.contains(&word) || matches!(word, "s" | "er" | "ern" | "x"));
        let ordinal = in_digits
            && token.glued
            && self.is_sign(at, '.')
            && self.language == Some(Language::German)
            && self.word(at + 1).is_some()
            && !self.tokens[at + 1].glued
            && matches!(self.kind(at - 1), Some(token::Kind::Digits(digits)) if digits.len() <= 2);
        let century = self.rest(at).starts_with("年代")
            || self.rest(at).starts_with("世纪")
            || self.is_sign(at, '倍')
            || self.is_sign(at, '成');
        let first = at >= 2 && self.is_sign(at - 2, '第');
        let decade = at >= 2
            && self.word(at - 2).is_some_and(|word| matches!(word, "années" | "años" | "anni" | "anos"));
        ending || ordinal || century || first || decade
    }

    fn take_powers(&self, pending: &mut Pending) {
        for _ in 0..3 {
            let hyphen = usize::from(self.is_hyphen(pending.to));
            let at = pending.to + hyphen;
            let Some((power, length)) = unit::power(&self.rest(at), self.language) else { return };
            let from = self.tokens.get(at).map_or(0, |token| token.span.start);
            pending.to = self.behind(at, from + length);
            let abbreviated = self.is_sign(pending.to, '.')
                && self.tokens[pending.to].glued
                && self.tokens.len() > pending.to + 1;
            pending.to += usize::from(abbreviated && length <= 6);
            pending.power += power;
            pending.numbers.iter_mut().for_each(|number| *number = number.scaled(power));
        }
    }

    /// A bare `m`, `b` or `k`.
    fn take_bare_letter(&self, pending: &mut Pending) -> bool {
        let letter = match self.word(pending.to) {
            Some("m") => 'm',
            Some("b") => 'b',
            Some("k") => 'k',
            _ => return false,
        };
        if self
            .tokens
            .get(pending.to + 1)
            .is_some_and(|next| next.glued && matches!(next.kind, token::Kind::Sign('/' | '²' | '³')))
        {
            return false;
        }
        // `5 m` is a length; `5m` and `$5 m` may be millions.
        let apart = !self.tokens[pending.to].glued && pending.unit.is_none();
        pending.to += 1;
        if letter == 'm' && apart {
            pending.unit = Some(unit::METRE);
            return true;
        }
        pending.unit = Some(Unit::Bare(letter));
        pending.kind = Some(Kind::Open);
        true
    }
}
