//! Powers of ten behind a number: `5e8`, `3 × 10^8`, `10⁸`.

use super::Kind;
use super::decimal::Decimal;
use super::reader::{Pending, Reader};
use super::token;

impl Reader<'_> {
    /// `e8`, `× 10^8`, `10⁸`.
    pub(super) fn with_exponent(&self, numbers: Vec<Decimal>, pending: &mut Pending) -> Vec<Decimal> {
        let at = pending.to;
        let glued = |at: usize| self.tokens.get(at).is_some_and(|token| token.glued);
        let scaled = |power: i32| numbers.iter().map(|number| number.scaled(power)).collect();
        if self.word(at) == Some("e")
            && glued(at)
            && let Some((power, to)) = self.whole_power(at + 1)
        {
            pending.to = to;
            return scaled(power);
        }
        let times = matches!(self.kind(at), Some(token::Kind::Sign('×' | '·' | '⋅' | '*')))
            || self.word(at) == Some("x");
        if times
            && self.is_ten(at + 1)
            && let Some((power, to)) = self.raised(at + 2)
        {
            pending.to = to;
            return scaled(power);
        }
        match self.raised(at) {
            Some((power, to)) if self.is_ten(at - 1) => {
                pending.to = to;
                vec![Decimal::whole(1).scaled(power)]
            }
            Some((_, to)) => {
                pending.to = to;
                pending.kind = Some(Kind::Open);
                numbers
            }
            None => numbers,
        }
    }

    fn is_ten(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(token::Kind::Digits(digits)) if digits == "10")
    }

    /// `^8`, `^-8`, `⁸`, `⁻⁸` and where it ends.
    pub(super) fn raised(&self, at: usize) -> Option<(i32, usize)> {
        if !self.tokens.get(at)?.glued {
            return None;
        }
        if self.is_sign(at, '^') {
            return self.whole_power(at + 1);
        }
        let superscript = |at: usize| match self.kind(at) {
            Some(token::Kind::Sign(c)) if self.tokens[at].glued => {
                "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == *c)
            }
            _ => None,
        };
        let negative = self.is_sign(at, '⁻');
        let from = at + usize::from(negative);
        let digits: Vec<usize> = (from..from + 3).map_while(superscript).collect();
        let power = digits.iter().fold(0i32, |sum, digit| sum * 10 + *digit as i32);
        (!digits.is_empty()).then_some((if negative { -power } else { power }, from + digits.len()))
    }

    fn whole_power(&self, at: usize) -> Option<(i32, usize)> {
        let negative = matches!(self.kind(at), Some(token::Kind::Sign('-' | '−')));
        let at = at + usize::from(negative || self.is_sign(at, '+'));
        let token::Kind::Digits(digits) = self.kind(at)? else { return None };
        let power: i32 = digits.parse().ok().filter(|power| *power < 400)?;
        Some((if negative { -power } else { power }, at + 1))
    }
}
