//! Exact decimal numbers as texts write them: equal values are equal however they are spelled, and the last place
//! that was written is kept, so that a rounding can be told from another number.

/// A number without its sign's meaning: `coefficient` × 10^`exponent`, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    coefficient: u128,
    exponent: i32,
    /// A minus sign stands before it.
    pub negative: bool,
    /// The power of ten of the last digit that was written, where zeros at the end count.
    place: i32,
}

/// Digits of the longest number that is read as one; longer runs are identifiers.
const MAX_DIGITS: usize = 30;

/// How far apart two numbers are when one is the other rounded at its last non-zero digit, as a share.
const MOST_IN_ZEROS: f64 = 0.05;

/// The same where the place it was rounded to is written out: `3` for 2.7, `3 million` for 2.7 million.
const MOST_IN_PLACE: f64 = 0.2;

/// Room for the error of binary fractions.
const EPSILON: f64 = 1e-9;

impl Decimal {
    /// A whole number.
    pub fn whole(value: u64) -> Self {
        Self::new(u128::from(value), 0)
    }

    /// The number with these digits before and after the decimal point; `None` where they are too many.
    pub fn from_digits(whole: &str, fraction: &str) -> Option<Self> {
        if whole.len() + fraction.len() > MAX_DIGITS {
            return None;
        }
        let digits: String = [whole, fraction].concat();
        let coefficient = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        Some(Self::new(coefficient, -i32::try_from(fraction.len()).ok()?))
    }

    fn new(coefficient: u128, place: i32) -> Self {
        let mut lowest = Self { coefficient, exponent: place, negative: false, place };
        while lowest.coefficient != 0 && lowest.coefficient.is_multiple_of(10) {
            lowest.coefficient /= 10;
            lowest.exponent += 1;
        }
        if coefficient == 0 {
            lowest.exponent = 0;
        }
        lowest
    }

    /// The number times a power of ten.
    #[must_use]
    pub fn scaled(self, power: i32) -> Self {
        let exponent = if self.coefficient == 0 { 0 } else { self.exponent.saturating_add(power) };
        Self { exponent, place: self.place.saturating_add(power), ..self }
    }

    /// The sum with another number; `None` where it is too large.
    pub fn plus(self, other: Self) -> Option<Self> {
        let low = self.exponent.min(other.exponent);
        let raised = |one: Self| {
            let power = u32::try_from(one.exponent - low).ok()?;
            one.coefficient.checked_mul(10u128.checked_pow(power)?)
        };
        let sum = Self::new(raised(self)?.checked_add(raised(other)?)?, low);
        Some(Self { place: self.place.min(other.place), ..sum })
    }

    /// The same number with a minus sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { negative: true, ..self }
    }

    /// The values are equal, whatever their signs.
    pub fn equals(self, other: Self) -> bool {
        (self.coefficient, self.exponent) == (other.coefficient, other.exponent)
    }

    /// The value as a binary fraction, without its sign.
    pub fn magnitude(self) -> f64 {
        self.coefficient as f64 * 10f64.powi(self.exponent)
    }

    /// The value, where it is a whole number that fits.
    pub fn as_whole(self) -> Option<u64> {
        let power = u32::try_from(self.exponent).ok()?;
        u64::try_from(self.coefficient.checked_mul(10u128.checked_pow(power)?)?).ok()
    }

    /// This number is `finer` rounded to fewer places.
    pub fn rounds(self, finer: Self) -> bool {
        let (mine, exact) = (self.magnitude(), finer.magnitude());
        let apart = (mine - exact).abs() / exact.max(mine);
        let at = |place: i32, most: f64| {
            let unit = 10f64.powi(place);
            let rounded = (mine - exact).abs() <= unit / 2.0 * (1.0 + EPSILON);
            place > finer.exponent && rounded && apart <= most
        };
        self.coefficient != 0 && (at(self.place, MOST_IN_PLACE) || at(self.exponent, MOST_IN_ZEROS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        Decimal::from_digits(whole, fraction).unwrap()
    }

    #[test]
    fn equal_values_are_equal_however_they_are_written() {
        assert!(number("2.5").scaled(6).equals(number("2500000")));
        assert!(number("5.0").equals(number("5")) && number("0.0").equals(number("0")));
        assert!(!number("2.5").equals(number("2.50001")));
        assert!(number("1").scaled(8).plus(number("3000").scaled(4)).unwrap().equals(number("130000000")));
    }

    #[test]
    fn a_rounding_is_told_from_another_number() {
        for (coarse, fine) in
            [("2500000", "2487213"), ("3", "2.7"), ("16", "15.6"), ("100", "96"), ("0.3", "0.26")]
        {
            assert!(number(coarse).rounds(number(fine)), "{coarse} {fine}");
            assert!(!number(fine).rounds(number(coarse)), "{fine} {coarse}");
        }
        for (one, other) in
            [("15", "16"), ("20", "15"), ("9", "15"), ("3", "2.4"), ("2.6", "2.5"), ("0", "0.4")]
        {
            assert!(!number(one).rounds(number(other)), "{one} {other}");
        }
    }

    #[test]
    fn endless_digits_are_no_number() {
        assert_eq!(Decimal::from_digits(&"9".repeat(31), ""), None);
        assert!(number("1").scaled(i32::MAX).plus(number("1")).is_none());
    }
}
