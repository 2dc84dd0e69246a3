//! An exact positive fraction: a contribution `weight / (60 + rank)`, or a sum of a few of them. Comparing two never
//! rounds and never overflows.

use std::cmp::Ordering;

/// A fraction in 128 bits.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    over: u128,
    under: u128,
}

const MILLION: u128 = 1_000_000;

impl Share {
    /// `over / under`; an `under` of 0 is read as 1.
    pub fn new(over: u32, under: u32) -> Self {
        Self { over: u128::from(over), under: u128::from(under.max(1)) }
    }

    /// The exact sum. Should it not fit in 128 bits (it does for eight sources with ranks up to 10,000), the larger
    /// of the two stands for both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.checked_plus(other).unwrap_or_else(|| self.max(other))
    }

    fn checked_plus(self, other: Self) -> Option<Self> {
        let common = gcd(self.under, other.under);
        let (left, right) = (other.under / common, self.under / common);
        let over = self.over.checked_mul(left)?.checked_add(other.over.checked_mul(right)?)?;
        Some(Self { over, under: self.under.checked_mul(left)? })
    }

    /// Whether it is at least `thousandths` / 1000 of `top`.
    pub fn is_at_least(self, thousandths: u32, top: Self) -> bool {
        let scaled = |share: Self, by: u128| Self { over: share.over.saturating_mul(by), ..share };
        scaled(self, 1000) >= scaled(top, u128::from(thousandths))
    }

    /// Its part of `top` in millionths, rounded half up; 0 where `top` is 0.
    pub fn micros_of(self, top: Self) -> u32 {
        if top.over == 0 {
            return 0;
        }
        if (self.over | self.under | top.over | top.under) >> 21 == 0 {
            let (over, under) = ((self.over * top.under) as u64, (self.under * top.over) as u64);
            return ((over * 2_000_000 + under) / (under * 2)) as u32;
        }
        let exact = self.over.checked_mul(top.under).and_then(|over| {
            let under = self.under.checked_mul(top.over)?;
            let doubled = over.checked_mul(2 * MILLION)?.checked_add(under)?;
            Some(doubled / under.checked_mul(2)?)
        });
        let micros = exact.unwrap_or_else(|| (self.ratio() / top.ratio() * MILLION as f64).round() as u128);
        u32::try_from(micros).unwrap_or(u32::MAX)
    }

    fn ratio(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

impl Ord for Share {
    fn cmp(&self, other: &Self) -> Ordering {
        // A single contribution fits in 32 bits each, which is nearly always all there is to compare.
        if (self.over | self.under | other.over | other.under) >> 32 == 0 {
            let product = |a: u128, b: u128| a as u64 * b as u64;
            return product(self.over, other.under).cmp(&product(other.over, self.under));
        }
        match (self.over.checked_mul(other.under), other.over.checked_mul(self.under)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => by_continued_fraction(*self, *other),
        }
    }
}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Share {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Share {}

/// Compares whole parts, then the reciprocals of what remains: Euclid's algorithm on both at once.
fn by_continued_fraction(mut a: Share, mut b: Share) -> Ordering {
    loop {
        let whole = (a.over / a.under).cmp(&(b.over / b.under));
        let (left, right) = (a.over % a.under, b.over % b.under);
        if whole.is_ne() {
            return whole;
        }
        if left == 0 || right == 0 {
            return left.cmp(&right);
        }
        // The remainders compare the other way round than their reciprocals, so the two change places.
        (a, b) = (Share { over: b.under, under: right }, Share { over: a.under, under: left });
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_sum_of_different_fractions_ties_with_an_equal_one() {
        assert_eq!(Share::new(1, 3).plus(Share::new(1, 6)), Share::new(1, 2));
    }

    #[test]
    fn eight_sources_at_rank_ten_thousand_add_up_exactly() {
        let parts = (0..8).map(|n| Share::new(1000 - n, 10_060 - n));
        let sum = parts.clone().fold(Share::new(0, 1), Share::plus);
        let back = parts.rev().fold(Share::new(0, 1), Share::plus);
        assert_eq!(sum, back);
        assert!(sum.ratio() > 7.9 * 1000.0 / 10_060.0);
    }

    #[test]
    fn micros_round_half_up() {
        assert_eq!(Share::new(500, 65).micros_of(Share::new(1000, 61)), 469_231);
        assert_eq!(Share::new(1, 2_000_000).micros_of(Share::new(1, 1)), 1);
        assert_eq!(Share::new(1, 1).micros_of(Share::new(0, 1)), 0);
    }

    proptest! {
        #[test]
        fn both_comparisons_agree(a in 0u32.., b in 1u32.., c in 0u32.., d in 1u32..) {
            let (left, right) = (Share::new(a, b), Share::new(c, d));
            prop_assert_eq!(left.cmp(&right), by_continued_fraction(left, right));
        }
    }
}
