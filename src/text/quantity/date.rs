//! Dates as texts write them: with names of months, as figures, in Chinese. In: tokens. Out: a date with the parts
//! that were written.

use super::numerals;
use super::token::{Kind, Token};
use crate::text::language::Language;

/// A day, a month or a year, with the parts that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Date {
    /// 1000 to 2199.
    pub year: Option<u64>,
    /// 1 to 12.
    pub month: Option<u64>,
    /// 1 to 31.
    pub day: Option<u64>,
}

/// Two dates that say more or less of the same, or something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// The same parts.
    Equal,
    /// The first leaves parts of the second out.
    Coarser,
    /// The first has parts that the second leaves out.
    Finer,
    /// They can not be the same date.
    Apart,
}

impl Date {
    /// A year alone.
    pub fn of_year(year: u64) -> Self {
        Self { year: Some(year), ..Self::default() }
    }

    /// How this date stands to another.
    pub fn meets(self, other: Self) -> Meeting {
        let parts = [(self.year, other.year), (self.month, other.month), (self.day, other.day)];
        let clash = parts.iter().any(|(mine, its)| mine.zip(*its).is_some_and(|(mine, its)| mine != its));
        let shared = parts.iter().any(|(mine, its)| mine.is_some() && its.is_some());
        let more = parts.iter().any(|(mine, its)| mine.is_some() && its.is_none());
        let less = parts.iter().any(|(mine, its)| mine.is_none() && its.is_some());
        match (clash || !shared || more && less, more, less) {
            (true, ..) => Meeting::Apart,
            (_, true, _) => Meeting::Finer,
            (_, _, true) => Meeting::Coarser,
            _ => Meeting::Equal,
        }
    }

    fn new(year: Option<u64>, month: u64, day: Option<u64>) -> Option<Self> {
        let sound = (1..=12).contains(&month) && day.is_none_or(|day| (1..=31).contains(&day));
        sound.then_some(Self { year, month: Some(month), day })
    }
}

/// The readings of a date that `tokens` begin with, and how many tokens it takes.
pub fn date(tokens: &[Token], text: &str, language: Option<Language>) -> Option<(Vec<Date>, usize)> {
    month_first(tokens, text, language)
        .or_else(|| day_first(tokens, text, language))
        .or_else(|| in_figures(tokens))
        .or_else(|| chinese(tokens))
}

/// A year that is written with four digits.
pub fn year(digits: &str) -> Option<u64> {
    let plain = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|year| plain && (1000..2200).contains(year))
}

/// `March 3, 2024`, `March 2024`, `March 3`.
fn month_first(tokens: &[Token], text: &str, language: Option<Language>) -> Option<(Vec<Date>, usize)> {
    let month = month(tokens.first()?, text, language)?;
    let mut at = 1 + usize::from(is_sign(tokens, 1, '.'));
    at += usize::from(is_word(tokens, at, &["de", "of", "the"]));
    if let Some(year) = year_at(tokens, at) {
        return Some((vec![Date::new(Some(year), month, None)?], at + 1));
    }
    let day = day_at(tokens, at)?;
    at += 1;
    at += usize::from(tokens.get(at).is_some_and(|t| t.glued) && is_word(tokens, at, ORDINALS));
    let comma = usize::from(is_sign(tokens, at, ','));
    let year = year_at(tokens, at + comma);
    if year.is_some() {
        at += comma + 1;
    }
    Some((vec![Date::new(year, month, Some(day))?], at))
}

/// `3 March 2024`, `3. März 2024`, `3 de marzo de 2024`, `3rd of March`.
fn day_first(tokens: &[Token], text: &str, language: Option<Language>) -> Option<(Vec<Date>, usize)> {
    let day = day_at(tokens, 0)?;
    let mut at = 1 + usize::from(is_sign(tokens, 1, '.') || is_sign(tokens, 1, 'º'));
    at += usize::from(tokens.get(at).is_some_and(|t| t.glued) && is_word(tokens, at, ORDINALS));
    at += usize::from(is_word(tokens, at, &["of", "de", "di"]));
    let month = month(tokens.get(at)?, text, language)?;
    at += 1;
    at += usize::from(is_sign(tokens, at, '.'));
    let joint = usize::from(is_word(tokens, at, &["de", "del", "of"]) || is_sign(tokens, at, ','));
    let year = year_at(tokens, at + joint);
    if year.is_some() {
        at += joint + 1;
    }
    Some((vec![Date::new(year, month, Some(day))?], at))
}

/// `2024-03-03`, `2024/3/3`, `03.03.2024`, `3/4/2024` (two readings).
fn in_figures(tokens: &[Token]) -> Option<(Vec<Date>, usize)> {
    let Kind::Digits(first) = &tokens.first()?.kind else { return None };
    let (parts, taken): (Vec<&str>, usize) = if first.contains('.') {
        (first.split('.').collect(), 1)
    } else {
        let sign = |at: usize| tokens.get(at).filter(|t| t.glued).map(|t| &t.kind);
        let glued = |at: usize| match sign(at) {
            Some(Kind::Digits(digits)) => Some(digits.as_str()),
            _ => None,
        };
        let joint = sign(1).filter(|kind| matches!(kind, Kind::Sign('-' | '/' | '‑' | '–')))?;
        if sign(3) != Some(joint) {
            return None;
        }
        (vec![first, glued(2)?, glued(4)?], 5)
    };
    let [one, two, three] = parts[..] else { return None };
    let number = |part: &str| if part.len() <= 2 { part.parse::<u64>().ok() } else { None };
    if let Some(year) = year(one) {
        return Some((vec![Date::new(Some(year), number(two)?, Some(number(three)?))?], taken));
    }
    let (one, two, year) = (number(one)?, number(two)?, year(three)?);
    let day_first = Date::new(Some(year), two, Some(one));
    let month_first = Date::new(Some(year), one, Some(two)).filter(|_| !first.contains('.') && one != two);
    let readings: Vec<Date> = day_first.into_iter().chain(month_first).collect();
    (!readings.is_empty()).then_some((readings, taken))
}

/// `2024年3月3日`, `2024年3月`, `3月3日`; a year alone too.
fn chinese(tokens: &[Token]) -> Option<(Vec<Date>, usize)> {
    let mut at = 0;
    let mut part = |mark: &[char], most: u64| -> Option<u64> {
        let value = whole(tokens.get(at)?)?;
        let marked = matches!(tokens.get(at + 1)?.kind, Kind::Sign(c) if mark.contains(&c));
        let sound = marked && value <= most;
        at += if sound { 2 } else { 0 };
        sound.then_some(value)
    };
    let year = part(&['年', '년'], 2199).filter(|year| *year >= 1000);
    let month = part(&['月', '월'], 12);
    let day = if month.is_some() { part(&['日', '号', '號', '일'], 31) } else { None };
    if month.is_none() && day.is_none() {
        return year.map(|year| (vec![Date::of_year(year)], 2));
    }
    Some((vec![Date { year, month, day }], at))
}

fn whole(token: &Token) -> Option<u64> {
    match &token.kind {
        Kind::Digits(digits) => digits.parse().ok(),
        Kind::Numerals(numerals) => numerals::chinese(numerals)?.as_whole(),
        _ => None,
    }
}

fn day_at(tokens: &[Token], at: usize) -> Option<u64> {
    let Kind::Digits(digits) = &tokens.get(at)?.kind else { return None };
    digits.parse().ok().filter(|day| digits.len() <= 2 && (1..=31).contains(day))
}

fn year_at(tokens: &[Token], at: usize) -> Option<u64> {
    let Kind::Digits(digits) = &tokens.get(at)?.kind else { return None };
    year(digits)
}

fn is_sign(tokens: &[Token], at: usize, sign: char) -> bool {
    tokens.get(at).is_some_and(|token| token.kind == Kind::Sign(sign))
}

fn is_word(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    matches!(tokens.get(at).map(|token| &token.kind), Some(Kind::Word(word)) if words.contains(&word.as_str()))
}

/// The month that a word names. `may` and `march` are months in English only with a capital.
fn month(token: &Token, text: &str, language: Option<Language>) -> Option<u64> {
    let Kind::Word(word) = &token.kind else { return None };
    let capital = text.get(token.span.clone()).is_some_and(|word| word.starts_with(char::is_uppercase));
    let english = matches!(language, None | Some(Language::English | Language::German));
    if english && !capital {
        return None;
    }
    let found = MONTHS.iter().position(|names| names.split('|').any(|name| name == word))?;
    Some(found as u64 + 1)
}

/// Endings of an ordinal number.
pub const ORDINALS: &[&str] =
    &["st", "nd", "rd", "th", "er", "re", "ère", "ème", "eme", "e", "º", "ª", "o", "a"];

#[rustfmt::skip]
const MONTHS: [&str; 12] = [
    "january|jan|januar|jänner|janvier|janv|enero|gennaio|janeiro|januari|января",
    "february|feb|februar|février|févr|fevrier|febrero|febbraio|fevereiro|februari|февраля",
    "march|mar|märz|mär|mars|marzo|março|maart|марта",
    "april|apr|avril|avr|abril|aprile|апреля",
    "may|mai|mayo|maggio|maio|mei|мая",
    "june|jun|juni|juin|junio|giugno|junho|июня",
    "july|jul|juli|juillet|juil|julio|luglio|julho|июля",
    "august|aug|août|aout|agosto|augustus|августа",
    "september|sep|sept|septembre|septiembre|settembre|setembro|сентября",
    "october|oct|oktober|okt|octobre|octubre|ottobre|outubro|октября",
    "november|nov|novembre|noviembre|novembro|ноября",
    "december|dec|dezember|dez|décembre|déc|diciembre|dicembre|dezembro|декабря",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::quantity::token::tokens;

    fn read(text: &str, language: Language) -> Vec<(Option<u64>, Option<u64>, Option<u64>)> {
        let found = date(&tokens(text), text, Some(language)).map(|(dates, _)| dates).unwrap_or_default();
        found.into_iter().map(|date| (date.year, date.month, date.day)).collect()
    }

    #[test]
    fn one_day_is_written_in_many_ways() {
        use Language::{English, French, German, Spanish, Unspaced};
        for (text, language) in [
            ("March 3, 2024", English),
            ("3 March 2024", English),
            ("3rd of March 2024", English),
            ("Mar. 3, 2024", English),
            ("2024-03-03", English),
            ("3.3.2024", German),
            ("3. März 2024", German),
            ("3 mars 2024", French),
            ("3 de marzo de 2024", Spanish),
            ("2024年3月3日", Unspaced),
            ("二〇二四年三月三日", Unspaced),
        ] {
            assert_eq!(read(text, language), [(Some(2024), Some(3), Some(3))], "{text}");
        }
        assert_eq!(read("3/4/2024", Language::English).len(), 2);
        assert_eq!(read("March 2024", Language::English), [(Some(2024), Some(3), None)]);
        assert_eq!(read("May 5", Language::English), [(None, Some(5), Some(5))]);
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in ["may 5", "1.2.3", "40 March", "2024-13-01", "10-12", "March"] {
            assert!(read(text, Language::English).is_empty(), "{text}");
        }
    }

    #[test]
    fn dates_meet_by_the_parts_they_share() {
        let day = Date { year: Some(2024), month: Some(3), day: Some(3) };
        let month = Date { day: None, ..day };
        assert_eq!(day.meets(day), Meeting::Equal);
        assert_eq!(month.meets(day), Meeting::Coarser);
        assert_eq!(day.meets(month), Meeting::Finer);
        assert_eq!(Date::of_year(2023).meets(day), Meeting::Apart);
    }
}
