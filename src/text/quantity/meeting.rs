//! How a figure of one text stands to the figures of others: the same, rounded, not there, or not to be told. It
//! compares values and units; what they are about is not known, so the same figure may be said of something else.

use super::date::Meeting;
use super::decimal::Decimal;
use super::unit::{Dimension, Unit};
use super::{Figure, Kind, Reading, Value};

/// How a figure stands to those of other texts. Indexes count the figures of all the texts, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// One of them is the same, or there is nothing to judge.
    Found,
    /// It says less exactly what this one of them says.
    Coarser(usize),
    /// It says more exactly what this one of them says.
    Finer(usize),
    /// Whether they say the same can not be told.
    CannotTell,
    /// None of them is the same; one of its kind, where there is any.
    Missing(Option<usize>),
}

/// How far apart two measures in different units may be, as a share, for one to be the other converted.
const CONVERSION: f64 = 0.06;

/// How `figure` of the text `said` stands to the figures of `others`.
pub fn stand(figure: &Figure, said: &Reading, others: &[&Reading]) -> Standing {
    if figure.kind == Kind::Incidental {
        return Standing::Found;
    }
    let all: Vec<&Figure> = others.iter().flat_map(|other| &other.figures).collect();
    let shares = all.iter().any(|other| other.has(|unit| unit == Unit::Percent));
    let meets = |other: &&Figure| meeting(figure, other, shares);
    if all.iter().any(|other| meets(other) == Some(Meeting::Equal)) {
        return Standing::Found;
    }
    if figure.kind != Kind::Plain {
        return Standing::CannotTell;
    }
    for (at, other) in all.iter().enumerate().filter(|(_, other)| other.kind == Kind::Plain) {
        match meeting(figure, other, shares) {
            Some(Meeting::Coarser) => return Standing::Coarser(at),
            Some(Meeting::Finer) => return Standing::Finer(at),
            _ => {}
        }
    }
    // The word that stands for a sign is on the side that has none.
    let open_in = |quote: &&Reading| {
        let turned = |other: &Figure| if is_negative(other) { said.turns } else { quote.turns };
        quote.figures.iter().any(|other| is_open(figure, other, turned(other)))
    };
    if others.iter().any(open_in) {
        return Standing::CannotTell;
    }
    Standing::Missing(all.iter().position(|other| is_of_kind(figure, other)))
}

/// The closest meeting of any two of their values.
fn meeting(figure: &Figure, other: &Figure, shares: bool) -> Option<Meeting> {
    let mut closest = None;
    for (mine, its) in pairs(figure, other) {
        match meeting_of(*mine, *its, shares) {
            Meeting::Equal => return Some(Meeting::Equal),
            Meeting::Apart => {}
            near => closest = Some(near),
        }
    }
    closest
}

fn pairs<'f>(one: &'f Figure, other: &'f Figure) -> impl Iterator<Item = (&'f Value, &'f Value)> {
    one.values.iter().flat_map(|mine| other.values.iter().map(move |its| (mine, its)))
}

fn meeting_of(mine: Value, its: Value, shares: bool) -> Meeting {
    match (mine, its) {
        // A year alone stands in the date that holds it.
        (Value::Date(mine), Value::Date(its))
            if mine.month.is_none() && mine.meets(its) == Meeting::Coarser =>
        {
            Meeting::Equal
        }
        (Value::Date(mine), Value::Date(its)) => mine.meets(its),
        (Value::Number(mine, unit), Value::Number(its, other)) if agree(unit, other, shares) => {
            numbers(mine, its)
        }
        _ => Meeting::Apart,
    }
}

fn numbers(mine: Decimal, its: Decimal) -> Meeting {
    if mine.negative != its.negative {
        Meeting::Apart
    } else if mine.equals(its) {
        Meeting::Equal
    } else if mine.rounds(its) {
        Meeting::Coarser
    } else if its.rounds(mine) {
        Meeting::Finer
    } else {
        Meeting::Apart
    }
}

/// A number of one unit may be a number of the other: the same, or one is not written. `shares`: the others hold
/// percentages, so that a bare number among them may be one.
fn agree(mine: Unit, its: Unit, shares: bool) -> bool {
    match (mine, its) {
        (Unit::Measure(_, mine, _), Unit::Measure(_, its, _)) => mine == its,
        (Unit::Money(mine), Unit::Money(its)) => {
            mine == its || is_open_currency(mine, its) || is_open_currency(its, mine)
        }
        (Unit::Money("GBP"), Unit::Measure(_, "lb", _)) | (Unit::Measure(_, "lb", _), Unit::Money("GBP")) => {
            true
        }
        (Unit::Percent, Unit::None) => shares,
        (Unit::None, Unit::Percent | Unit::Point | Unit::Permille)
        | (Unit::Point | Unit::Permille, Unit::None) => false,
        (Unit::None, _) | (_, Unit::None) => true,
        _ => mine == its,
    }
}

/// A sign that several countries use, and one of them.
fn is_open_currency(sign: &str, code: &str) -> bool {
    matches!((sign, code), ("$", "USD" | "AUD" | "CAD") | ("¥", "JPY" | "CNY"))
}

fn is_negative(figure: &Figure) -> bool {
    figure.values.iter().any(|value| matches!(value, Value::Number(number, _) if number.negative))
}

/// The two may say the same in a way that is not judged.
fn is_open(figure: &Figure, other: &Figure, turned: bool) -> bool {
    let share = |figure: &Figure| figure.has(|unit| matches!(unit, Unit::Percent | Unit::Permille));
    share(figure) && other.kind == Kind::Ratio
        || pairs(figure, other).any(|(mine, its)| match (mine, its) {
            (Value::Number(mine, unit), Value::Number(its, other)) => {
                is_open_pair(*mine, *unit, *its, *other, turned)
            }
            _ => false,
        })
}

fn is_open_pair(mine: Decimal, unit: Unit, its: Decimal, other: Unit, turned: bool) -> bool {
    match (unit, other) {
        (Unit::Bare(letter), _) => mine.equals(its) || expanded(mine, letter).any(|mine| mine.equals(its)),
        (_, Unit::Bare(letter)) => mine.equals(its) || expanded(its, letter).any(|its| its.equals(mine)),
        // `5 m` may still be millions, and `m/s` may be spelled `metres in a second`.
        (Unit::Measure(Dimension::Length, "metres", _), Unit::None | Unit::Money(_)) => {
            mine.scaled(6).equals(its)
        }
        (Unit::None | Unit::Money(_), Unit::Measure(Dimension::Length, "metres", _)) => {
            its.scaled(6).equals(mine)
        }
        (Unit::Measure(Dimension::Length, ..), Unit::Measure(Dimension::Speed, ..))
        | (Unit::Measure(Dimension::Speed, ..), Unit::Measure(Dimension::Length, ..)) => mine.equals(its),
        (Unit::Money(one), Unit::Money(two)) => !agree(unit, other, false) && one != two && !mine.equals(its),
        (Unit::Measure(Dimension::Temperature, one, _), Unit::Measure(Dimension::Temperature, two, _))
            if one != two =>
        {
            !mine.equals(its)
        }
        (Unit::Measure(Dimension::Other, ..), _) | (_, Unit::Measure(Dimension::Other, ..)) => {
            turned && mine.negative != its.negative && mine.equals(its)
        }
        (Unit::Measure(one, _, first), Unit::Measure(two, _, second)) if one == two && first != second => {
            let (mine, its) = (mine.magnitude() * first, its.magnitude() * second);
            (mine - its).abs() <= CONVERSION * mine.max(its)
        }
        _ => turned && mine.negative != its.negative && mine.equals(its) && agree(unit, other, true),
    }
}

/// What a bare letter behind a number may stand for.
fn expanded(number: Decimal, letter: char) -> impl Iterator<Item = Decimal> {
    let powers: &[i32] = match letter {
        'k' => &[3],
        'm' => &[6, 3],
        _ => &[9],
    };
    powers.iter().map(move |power| number.scaled(*power))
}

/// Both are dates, shares, money, or numbers of something.
fn is_of_kind(figure: &Figure, other: &Figure) -> bool {
    let class = |value: &Value| match value {
        Value::Date(_) => 0,
        Value::Number(_, Unit::Percent | Unit::Point | Unit::Permille) => 1,
        Value::Number(_, Unit::Money(_)) => 2,
        Value::Number(..) => 3,
    };
    other.kind == Kind::Plain && pairs(figure, other).any(|(mine, its)| class(mine) == class(its))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stands(said: &str, quoted: &str) -> Vec<Standing> {
        let (said, quoted) = (Reading::of(said), Reading::of(quoted));
        said.figures.iter().map(|figure| stand(figure, &said, &[&quoted])).collect()
    }

    #[test]
    fn the_same_figure_is_found_however_it_is_written() {
        for (said, quoted) in [
            ("1,000 of the people", "1000 of the people"),
            ("1 000 of the people", "1,000 of the people"),
            ("a rise of 5%", "a rise of 5 percent"),
            ("a rise of five percent", "a rise of 5 per cent"),
            ("2.5 million of the people", "2,500,000 of the people"),
            ("on March 3, 2024", "on 2024-03-03"),
            ("$5 million in the year", "5 million dollars in the year"),
            ("from 5 to 10 kg of the ice", "5–10 kg of the ice"),
            ("between $5 and $10 million", "$5–10 million"),
            ("from $2.90-$9.99 in the hour", "from $2.90 to $9.99 in the hour"),
            ("$3 per million of them", "$3 per 1M of them"),
            ("tuz oranı %9,2 oldu", "9.2 percent of salt"),
            ("yüzde 15 arttı", "15% of the ice"),
            ("2,5 milyon kişi", "2,500,000 of the people"),
            ("tăng 2,5 triệu", "2,500,000 of the people"),
            ("25 लाख लोग", "2,500,000 of the people"),
            ("2.5 مليون شخص", "2,500,000 of the people"),
            ("2,5 εκατομμύρια", "2,500,000 of the people"),
            ("人口为3.5亿", "人口为350000000"),
            ("约占百分之五", "约占5%"),
            ("die Zahl von 2,5 Millionen ist", "2.500.000 ist die Zahl"),
            ("in the year 2024", "on March 3, 2024"),
            ("−5 °C in the night", "-5 degrees Celsius in the night"),
            ("3 × 10⁸ m/s in the void", "300,000,000 metres per second in the void"),
            ("the years 2023–24", "the years 2023 and 2024"),
        ] {
            assert!(
                stands(said, quoted).iter().all(|standing| *standing == Standing::Found),
                "{said} | {quoted}: {:?}",
                stands(said, quoted)
            );
        }
    }

    #[test]
    fn another_figure_is_missing() {
        for (said, quoted) in [
            ("15% of the ice", "9% of the ice"),
            ("15% of the ice", "15 of the bears"),
            ("5 kg of the ice", "5 mg of the ice"),
            ("yüzde 15 arttı", "15 of the bears"),
            ("2,6 milyon kişi", "2,500,000 of the people"),
            ("€5 million in the year", "$5 million in the year"),
            ("2.5 million of the people", "2.5 billion of the people"),
            ("on March 4, 2024", "on March 3, 2024"),
            ("in 2023 the ice", "in 2024 the ice"),
            ("-5 °C in the night", "5 °C in the night"),
            ("5 percentage points", "5 percent"),
            ("-12 km/h in the fall of the year", "12 km/h of the wind"),
            ("12 km/h of the wind", "-12 km/h in the fall of the year"),
            ("seven of the planets", "eight of the planets"),
            ("三百人", "五百人"),
            ("15 of the bears", "none of the bears"),
        ] {
            assert!(
                matches!(stands(said, quoted)[..], [Standing::Missing(_)]),
                "{said} | {quoted}: {:?}",
                stands(said, quoted)
            );
        }
    }

    #[test]
    fn a_rounding_is_neither() {
        assert_eq!(stands("2.5 million of the people", "2,487,213 of the people"), [Standing::Coarser(0)]);
        assert_eq!(stands("about 16% of the ice", "15.6% of the ice"), [Standing::Coarser(0)]);
        assert_eq!(stands("15.6% of the ice", "about 16% of the ice"), [Standing::Finer(0)]);
        assert_eq!(stands("in March 2024", "on March 3, 2024"), [Standing::Coarser(0)]);
        assert_eq!(stands("on March 3, 2024", "in March 2024"), [Standing::Finer(0)]);
    }

    #[test]
    fn what_cannot_be_told_is_said() {
        for (said, quoted) in [
            ("5 miles of the road", "8 km of the road"),
            ("50% of the ice", "half of the ice"),
            ("20% of the bears", "one in five of the bears"),
            ("a change of -5%", "the price fell by 5%"),
            ("the price fell by 5%", "a change of -5%"),
            ("minus 12 °C of the night", "-12 °C of the night"),
            ("a price of $5m", "a price of $5 million"),
            ("the 3rd of the planets", "the last of the planets"),
            ("in the 1990s", "in 1994"),
            ("for 12 hours in the day", "for half of the day"),
            ("the CO2 of the air", "the gas of the air"),
            ("the GPT-4o of the year", "the model of the year"),
            ("the version 3.2.1 of it", "the last of it"),
            ("€4.6 million in the year", "$5 million in the year"),
        ] {
            assert!(
                stands(said, quoted).iter().all(|standing| *standing == Standing::CannotTell),
                "{said} | {quoted}: {:?}",
                stands(said, quoted)
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_holds_its_own_figures(text in "[ -~]{0,40}|[0-9.,$%a-e万亿百五年月 –-]{0,24}|\\PC{0,24}") {
            let reading = Reading::of(&text);
            for figure in &reading.figures {
                prop_assert!(text.get(figure.span.clone()).is_some(), "{:?}", figure);
                let standing = stand(figure, &reading, &[&reading]);
                prop_assert!(matches!(standing, Standing::Found | Standing::CannotTell), "{:?} {:?}", figure, standing);
            }
        }
    }
}
