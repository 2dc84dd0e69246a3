//! What the separators of a number in digits mean: thousands, decimals, or either. In: ASCII digits and separators.
//! Out: the values it may have.

use super::decimal::Decimal;
use crate::text::language::Language;

/// The values that `digits` may have; none for versions, lists and identifiers.
pub fn readings(digits: &str, language: Option<Language>) -> Vec<Decimal> {
    let bare: String = digits.chars().filter(|c| !matches!(c, ' ' | '\'')).collect();
    let points = bare.matches('.').count();
    let commas = bare.matches(',').count();
    let read = |thousands: char, point: char| {
        let (whole, fraction) = bare.split_once(point).unwrap_or((&bare, ""));
        let grouped = is_grouped(whole, thousands) && !fraction.contains(['.', ',']);
        let whole: String = whole.chars().filter(|c| *c != thousands).collect();
        grouped.then(|| Decimal::from_digits(&whole, fraction)).flatten()
    };
    let (english, other) = (|| read(',', '.'), || read('.', ','));
    let found = match (points, commas) {
        (0, 0) => vec![english()],
        (1, 0) if open(&bare, '.') => match language {
            Some(Language::English | Language::Unspaced) => vec![english()],
            _ => vec![other(), english()],
        },
        (0, 1) if open(&bare, ',') => match language {
            Some(Language::English | Language::Unspaced) => vec![english()],
            _ => vec![other(), english()],
        },
        (1, 0) => vec![english()],
        (0, 1) => vec![other()],
        (0, _) => vec![english()],
        (_, 0) => vec![other()],
        _ if bare.rfind('.') > bare.rfind(',') => vec![english()],
        _ => vec![other()],
    };
    found.into_iter().flatten().collect()
}

/// The only separator stands before exactly three digits, so it may mean thousands or decimals.
fn open(digits: &str, separator: char) -> bool {
    let (whole, behind) = digits.split_once(separator).unwrap_or((digits, ""));
    behind.len() == 3 && (1..=3).contains(&whole.len()) && whole != "0"
}

/// Groups of three behind the first (or of two, as in India, with three at the end).
fn is_grouped(whole: &str, separator: char) -> bool {
    let mut groups: Vec<&str> = whole.split(separator).collect();
    let last = groups.pop().unwrap_or_default();
    if groups.is_empty() {
        return true;
    }
    let first = groups.remove(0);
    let inner = |length: usize| groups.iter().all(|group| group.len() == length);
    last.len() == 3 && (1..=3).contains(&first.len()) && (inner(3) || inner(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(digits: &str, language: Language) -> Vec<f64> {
        readings(digits, Some(language)).into_iter().map(Decimal::magnitude).collect()
    }

    #[test]
    fn separators_mean_what_the_language_says() {
        for digits in ["1000", "1,000", "1 000", "1'000"] {
            assert_eq!(values(digits, Language::English), [1000.0], "{digits}");
        }
        assert_eq!(values("1.000", Language::German), [1000.0, 1.0]);
        assert_eq!(values("1.234,5", Language::German), [1234.5]);
        assert_eq!(values("1,234.5", Language::English), [1234.5]);
        assert_eq!(values("1,00,000", Language::English), [100_000.0]);
        assert_eq!(values("2,5", Language::English), [2.5]);
        assert_eq!(values(".5", Language::English), [0.5]);
    }

    #[test]
    fn versions_and_lists_have_no_value() {
        for digits in ["1.2.3", "1,2,3", "1.2,3.4"] {
            assert_eq!(values(digits, Language::English), Vec::<f64>::new(), "{digits}");
        }
    }
}
