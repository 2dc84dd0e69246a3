//! Figures beside each other: the ends of a range share their unit and power, and the numbers of a share are no
//! quantities.

use super::decimal::Decimal;
use super::reader::{Found, Reader};
use super::unit::Unit;
use super::{Figure, Kind, Value, ratio};

impl Reader<'_> {
    /// Ranges share their unit and power; numbers of a share are no quantities.
    pub(super) fn relate(&self, found: &mut [Found]) {
        for at in 1..found.len() {
            let between: Vec<&str> =
                (found[at - 1].to..found[at].from).take(4).map(|at| self.shown(at)).collect();
            let (before, behind) = found.split_at_mut(at);
            let (Some(one), Some(other)) = (before.last_mut(), behind.first_mut()) else { continue };
            if ratio::joins_range(&between) {
                share_unit(one, other);
            } else if ratio::joins_ratio(&between) && one.is_count() && other.is_count() {
                one.figure.kind = Kind::Ratio;
                other.figure.kind = Kind::Ratio;
            } else if one.figure.kind == Kind::Ratio && found_near(&between) && other.power > 0 {
                other.figure.kind = Kind::Ratio;
            }
        }
    }
}

impl Found {
    /// A whole number of something, not a year.
    fn is_count(&self) -> bool {
        let whole =
            |value: &Value| matches!(value, Value::Number(number, Unit::None) if number.as_whole().is_some());
        self.figure.values.iter().all(whole)
    }
}

/// `half a million`.
fn found_near(between: &[&str]) -> bool {
    between.is_empty() || matches!(between, ["a" | "an" | "eine" | "of"])
}

/// The unit and power of a range's second number are the first one's too, and its currency the second one's.
fn share_unit(one: &mut Found, other: &mut Found) {
    let unit_of = |found: &Found| {
        found.figure.values.iter().find_map(|value| match value {
            Value::Number(_, unit) if *unit != Unit::None => Some(*unit),
            _ => None,
        })
    };
    let (first, second) = (unit_of(one), unit_of(other));
    if first.is_none() && (second.is_some() || other.power > one.power) && one.figure.kind == Kind::Plain {
        let unit = second.unwrap_or(Unit::None);
        let more: Vec<Value> = numbers(&one.figure)
            .flat_map(|number| [number, number.scaled(other.power)].map(|number| Value::Number(number, unit)))
            .collect();
        one.figure.values.retain(|value| matches!(value, Value::Date(_)) || second.is_none());
        one.figure.values.extend(more);
        if other.figure.kind == Kind::Open {
            one.figure.kind = Kind::Open;
        }
    }
    if let (Some(Unit::Money(code)), None | Some(Unit::None)) = (first, second) {
        for value in &mut other.figure.values {
            if let Value::Number(_, unit) = value {
                *unit = Unit::Money(code);
            }
        }
        let more: Vec<Value> = numbers(&one.figure)
            .map(|number| Value::Number(number.scaled(other.power), Unit::Money(code)))
            .collect();
        one.figure.values.extend(more);
    }
}

fn numbers(figure: &Figure) -> impl Iterator<Item = Decimal> {
    let number = |value: &Value| match value {
        Value::Number(number, _) => Some(*number),
        Value::Date(_) => None,
    };
    figure.values.iter().filter_map(number)
}
