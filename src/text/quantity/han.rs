//! Numbers in Chinese numerals, alone and behind digits: `三十五万`, `3.5亿`, `百分之五`. In: tokens. Out: a number on its
//! way to a figure.

use super::decimal::Decimal;
use super::reader::{Pending, Reader};
use super::unit::Unit;
use super::{Kind, literal, numerals, token};

impl Reader<'_> {
    /// `百分之五`, `三分之一`.
    pub(super) fn share_in_chinese(&self, at: usize) -> Option<Pending> {
        let parts = self.is_sign(at + 1, '分') && self.is_sign(at + 2, '之');
        if !parts || !matches!(self.kind(at)?, token::Kind::Numerals(_) | token::Kind::Digits(_)) {
            return None;
        }
        let unit = match self.kind(at)? {
            token::Kind::Numerals(numerals) if numerals == "百" => Unit::Percent,
            token::Kind::Numerals(numerals) if numerals == "千" => Unit::Permille,
            _ => {
                return Some(Pending {
                    kind: Some(Kind::Ratio),
                    to: (at + 4).min(self.tokens.len()),
                    ..Pending::default()
                });
            }
        };
        let (number, to) = match self.kind(at + 3)? {
            token::Kind::Digits(digits) => {
                (literal::readings(digits, self.language).first().copied()?, at + 4)
            }
            token::Kind::Numerals(_) => self.numerals(at + 3)?,
            _ => return None,
        };
        Some(Pending { numbers: vec![number], unit: Some(unit), to, ..Pending::default() })
    }

    /// `万` behind digits, also `1亿3000万`.
    pub(super) fn with_chinese_power(&self, numbers: Vec<Decimal>, pending: &mut Pending) -> Vec<Decimal> {
        let Some((power, to)) = self.chinese_power(pending.to) else { return numbers };
        pending.to = to;
        let scaled = |number: &Decimal| number.scaled(power);
        let rest = match self.kind(to) {
            Some(token::Kind::Digits(digits)) => {
                let behind = self.chinese_power(to + 1).filter(|(lower, _)| *lower < power);
                behind.zip(literal::readings(digits, self.language).first().copied())
            }
            _ => None,
        };
        let Some(((lower, end), more)) = rest else { return numbers.iter().map(scaled).collect() };
        pending.to = end;
        numbers.iter().filter_map(|number| scaled(number).plus(more.scaled(lower))).collect()
    }

    fn chinese_power(&self, at: usize) -> Option<(i32, usize)> {
        let token::Kind::Numerals(numerals) = self.kind(at)? else { return None };
        let powers = numerals.chars().map(|c| match c {
            '十' => Some(1),
            '百' => Some(2),
            '千' => Some(3),
            '万' | '萬' => Some(4),
            '亿' | '億' => Some(8),
            _ => None,
        });
        Some((powers.sum::<Option<i32>>()?, at + 1))
    }

    /// `三十五万人`, `二点五公里`.
    pub(super) fn in_numerals(&self, at: usize) -> Option<Pending> {
        let token::Kind::Numerals(numerals) = self.kind(at)? else { return None };
        let (number, to) = self.numerals(at)?;
        let mut pending = Pending { numbers: vec![number], to, ..Pending::default() };
        self.suffix(&mut pending);
        let counted = pending.unit.is_some()
            || matches!(self.kind(pending.to), Some(token::Kind::Sign(c)) if CLASSIFIERS.contains(*c));
        let bare_power = numerals.starts_with(['百', '千', '万', '亿', '萬', '億']);
        let with_power =
            numerals.contains(['十', '百', '千', '万', '亿', '萬', '億']) && numerals.chars().count() > 1;
        let one = number.equals(Decimal::whole(1));
        let counts = !bare_power && !one && (counted || with_power);
        if !counts && pending.kind.is_none() {
            pending.kind = Some(Kind::Incidental);
        }
        Some(pending)
    }

    /// The number in Chinese numerals at token `at`, decimals included, and where it ends.
    pub(super) fn numerals(&self, at: usize) -> Option<(Decimal, usize)> {
        let token::Kind::Numerals(whole) = self.kind(at)? else { return None };
        let number = numerals::chinese(whole)?;
        let (Some(token::Kind::Numerals(fraction)), true) = (self.kind(at + 2), self.is_sign(at + 1, '点'))
        else {
            return Some((number, at + 1));
        };
        let powers: String = fraction.chars().rev().take_while(|c| "十百千万亿".contains(*c)).collect();
        let digits = fraction.get(..fraction.len() - powers.len())?;
        let count = i32::try_from(digits.chars().count()).ok()?;
        let power = |c: char| match c {
            '十' => 1,
            '百' => 2,
            '千' => 3,
            '万' => 4,
            _ => 8,
        };
        let sum = number.plus(numerals::chinese(digits)?.scaled(-count))?;
        Some((sum.scaled(powers.chars().map(power).sum()), at + 3))
    }
}

/// Chinese words between a number and what it counts.
const CLASSIFIERS: &str = "个個名人位条座颗种次家只头件张所国岁层处项组口户辆艘棵本部枚例台间段级年月日";
