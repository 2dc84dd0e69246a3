//! Reads the figures of a text from its tokens: dates first, then numbers with what stands before and behind them.

use super::date::{self, Date, ORDINALS};
use super::decimal::Decimal;
use super::token::{self, Token, tokens};
use super::unit::{self, Dimension, Unit};
use super::{Figure, Kind, Value, literal, numerals, ratio};
use crate::text::language::{Language, language};

/// Characters that are looked at for the name of a unit.
const LONGEST_NAME: usize = 40;

/// Words that are looked at for a number in words.
const LONGEST_NUMBER: usize = 14;

pub struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    language: Option<Language>,
}

/// A figure, the tokens it was read from, and the power of ten that a word gave it.
struct Found {
    figure: Figure,
    from: usize,
    to: usize,
    power: i32,
}

/// A number on its way to a figure.
#[derive(Default)]
struct Draft {
    numbers: Vec<Decimal>,
    year: Option<u64>,
    kind: Option<Kind>,
    unit: Option<Unit>,
    power: i32,
    /// Where its tokens end.
    to: usize,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, tokens: tokens(text), language: language(text) }
    }

    pub fn figures(self) -> Vec<Figure> {
        let mut found: Vec<Found> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let last = found.last().map_or(0, |last| last.to);
            match self.figure(at, last) {
                Some(figure) => {
                    at = figure.to.max(at + 1);
                    found.push(figure);
                }
                None => at += 1,
            }
        }
        self.relate(&mut found);
        found.into_iter().map(|found| found.figure).collect()
    }

    /// The figure that begins at token `at`; figures before it end at token `last`.
    fn figure(&self, at: usize, last: usize) -> Option<Found> {
        if let Some(word) = self.word(at).filter(|word| ratio::is_share(word)) {
            let in_number = numerals::number(&[word], self.language).is_some();
            return (!in_number).then(|| self.found(at, Draft { kind: Some(Kind::Ratio), to: at + 1, ..Draft::default() }));
        }
        if !self.is_named(at, last) && let Some((dates, taken)) = date::date(&self.tokens[at..], self.text, self.language) {
            return Some(self.dated(at, at + taken, dates));
        }
        self.share_in_chinese(at)
            .or_else(|| self.in_digits(at, last))
            .or_else(|| self.in_numerals(at))
            .or_else(|| self.in_words(at))
            .map(|draft| self.found(at, draft))
    }

    fn dated(&self, from: usize, to: usize, dates: Vec<Date>) -> Found {
        let values = dates.into_iter().map(Value::Date).collect();
        let figure = Figure { span: self.span(from, to), values, kind: Kind::Plain };
        Found { figure, from, to, power: 0 }
    }

    fn found(&self, from: usize, draft: Draft) -> Found {
        let unit = draft.unit.unwrap_or(Unit::None);
        let mut values: Vec<Value> = draft.numbers.iter().map(|number| Value::Number(*number, unit)).collect();
        values.extend(draft.year.map(|year| Value::Date(Date::of_year(year))));
        let timed = matches!(unit, Unit::Measure(Dimension::Time, ..));
        let kind = match draft.kind {
            Some(kind) => kind,
            None if timed || values.is_empty() => Kind::Open,
            None => Kind::Plain,
        };
        let figure = Figure { span: self.span(from, draft.to), values, kind };
        Found { figure, from, to: draft.to, power: draft.power }
    }

    fn span(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        let end = to.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(0, |token| token.span.end);
        let start = self.tokens.get(from).map_or(end, |token| token.span.start);
        start..end.max(start)
    }

    /// `百分之五`, `三分之一`.
    fn share_in_chinese(&self, at: usize) -> Option<Draft> {
        let parts = self.is_sign(at + 1, '分') && self.is_sign(at + 2, '之');
        if !parts || !matches!(self.kind(at)?, token::Kind::Numerals(_) | token::Kind::Digits(_)) {
            return None;
        }
        let unit = match self.kind(at)? {
            token::Kind::Numerals(numerals) if numerals == "百" => Unit::Percent,
            token::Kind::Numerals(numerals) if numerals == "千" => Unit::Permille,
            _ => return Some(Draft { kind: Some(Kind::Ratio), to: (at + 4).min(self.tokens.len()), ..Draft::default() }),
        };
        let (number, to) = match self.kind(at + 3)? {
            token::Kind::Digits(digits) => (literal::readings(digits, self.language).first().copied()?, at + 4),
            token::Kind::Numerals(_) => self.numerals(at + 3)?,
            _ => return None,
        };
        Some(Draft { numbers: vec![number], unit: Some(unit), to, ..Draft::default() })
    }

    /// `-5`, `$5 million`, `1,500 km`, `2024`.
    fn in_digits(&self, start: usize, last: usize) -> Option<Draft> {
        let negative = self.is_minus(start);
        let mut at = start + usize::from(negative);
        let money = self.money_before(at);
        at = money.map_or(at, |(_, behind)| behind);
        let token::Kind::Digits(digits) = self.kind(at)? else { return None };
        let mut numbers = literal::readings(digits, self.language);
        let plain = digits.bytes().all(|b| b.is_ascii_digit());
        let mut draft = Draft { unit: money.map(|(unit, _)| unit), to: at + 1, ..Draft::default() };
        let named = money.is_none() && self.is_named(at, last);
        numbers = self.with_exponent(numbers, &mut draft);
        numbers = self.with_chinese_power(numbers, &mut draft);
        if negative {
            numbers.iter_mut().for_each(|number| *number = number.negated());
        }
        draft.numbers = numbers;
        let bare_until = draft.to;
        self.suffix(&mut draft);
        let nothing_behind = draft.to == bare_until && draft.unit.is_none();
        if named || draft.numbers.is_empty() {
            draft.kind = Some(Kind::Open);
        }
        if plain && nothing_behind && !negative && draft.kind.is_none() {
            draft.year = date::year(digits).or_else(|| self.short_year(at, digits));
            let after_name = draft.year.is_none() && digits.len() <= 4 && self.follows_a_name(at);
            draft.kind = (after_name || self.is_clock_or_ratio(at)).then_some(Kind::Open);
        }
        Some(draft)
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
    fn is_minus(&self, at: usize) -> bool {
        let minus = matches!(self.kind(at), Some(token::Kind::Sign('-' | '−' | '–' | '﹣' | '－' | '‑')));
        let behind = self.tokens.get(at + 1).is_some_and(|token| token.glued);
        let apart = !self.tokens.get(at).is_some_and(|token| token.glued)
            || at > 0 && matches!(self.kind(at - 1), Some(token::Kind::Sign('(' | '（' | '[' | '~' | '≈' | '$' | '€' | '£')));
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
    fn is_named(&self, at: usize, last: usize) -> bool {
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
                before > last && self.word(before - 1).is_some_and(|word| matches!(word, "no" | "nr" | "fig" | "art" | "abb" | "vol" | "p" | "pp"))
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

    /// `e8`, `× 10^8`, `10⁸`.
    fn with_exponent(&self, numbers: Vec<Decimal>, draft: &mut Draft) -> Vec<Decimal> {
        let at = draft.to;
        let glued = |at: usize| self.tokens.get(at).is_some_and(|token| token.glued);
        let scaled = |power: i32| numbers.iter().map(|number| number.scaled(power)).collect();
        if self.word(at) == Some("e") && glued(at) && let Some((power, to)) = self.whole_power(at + 1) {
            draft.to = to;
            return scaled(power);
        }
        let times = matches!(self.kind(at), Some(token::Kind::Sign('×' | '·' | '⋅' | '*'))) || self.word(at) == Some("x");
        if times && self.is_ten(at + 1) && let Some((power, to)) = self.raised(at + 2) {
            draft.to = to;
            return scaled(power);
        }
        match self.raised(at) {
            Some((power, to)) if self.is_ten(at - 1) => {
                draft.to = to;
                vec![Decimal::whole(1).scaled(power)]
            }
            Some((_, to)) => {
                draft.to = to;
                draft.kind = Some(Kind::Open);
                numbers
            }
            None => numbers,
        }
    }

    fn is_ten(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(token::Kind::Digits(digits)) if digits == "10")
    }

    /// `^8`, `^-8`, `⁸`, `⁻⁸` and where it ends.
    fn raised(&self, at: usize) -> Option<(i32, usize)> {
        if !self.tokens.get(at)?.glued {
            return None;
        }
        if self.is_sign(at, '^') {
            return self.whole_power(at + 1);
        }
        let superscript = |at: usize| match self.kind(at) {
            Some(token::Kind::Sign(c)) if self.tokens[at].glued => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == *c),
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

    /// `万` behind digits, also `1亿3000万`.
    fn with_chinese_power(&self, numbers: Vec<Decimal>, draft: &mut Draft) -> Vec<Decimal> {
        let Some((power, to)) = self.chinese_power(draft.to) else { return numbers };
        draft.to = to;
        let scaled = |number: &Decimal| number.scaled(power);
        let rest = match self.kind(to) {
            Some(token::Kind::Digits(digits)) => {
                let behind = self.chinese_power(to + 1).filter(|(lower, _)| *lower < power);
                behind.zip(literal::readings(digits, self.language).first().copied())
            }
            _ => None,
        };
        let Some(((lower, end), more)) = rest else { return numbers.iter().map(scaled).collect() };
        draft.to = end;
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
    fn in_numerals(&self, at: usize) -> Option<Draft> {
        let token::Kind::Numerals(numerals) = self.kind(at)? else { return None };
        let (number, to) = self.numerals(at)?;
        let mut draft = Draft { numbers: vec![number], to, ..Draft::default() };
        self.suffix(&mut draft);
        let counted = draft.unit.is_some() || matches!(self.kind(draft.to), Some(token::Kind::Sign(c)) if CLASSIFIERS.contains(*c));
        let bare_power = numerals.starts_with(['百', '千', '万', '亿', '萬', '億']);
        let with_power = numerals.contains(['十', '百', '千', '万', '亿', '萬', '億']) && numerals.chars().count() > 1;
        let one = number.equals(Decimal::whole(1));
        let counts = !bare_power && !one && (counted || with_power);
        if !counts && draft.kind.is_none() {
            draft.kind = Some(Kind::Incidental);
        }
        Some(draft)
    }

    /// The number in Chinese numerals at token `at`, decimals included, and where it ends.
    fn numerals(&self, at: usize) -> Option<(Decimal, usize)> {
        let token::Kind::Numerals(whole) = self.kind(at)? else { return None };
        let number = numerals::chinese(whole)?;
        let (Some(token::Kind::Numerals(fraction)), true) = (self.kind(at + 2), self.is_sign(at + 1, '点')) else {
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

    /// `twenty-five percent`, `zwei Millionen`.
    fn in_words(&self, at: usize) -> Option<Draft> {
        self.word(at)?;
        let words: Vec<&str> = (at..at + LONGEST_NUMBER)
            .map_while(|at| match self.kind(at)? {
                token::Kind::Word(word) => Some(word.as_str()),
                token::Kind::Sign('-' | '‑') if self.tokens[at].glued => Some("-"),
                _ => None,
            })
            .collect();
        let (value, taken) = numerals::number(&words, self.language)?;
        let vague = taken == 1 && VAGUE.contains(&words[0]);
        let mut number = Decimal::whole(value);
        let mut to = at + taken;
        if let Some((decimals, end)) = self.decimals_in_words(to) {
            number = number.plus(decimals)?;
            to = end;
        }
        let mut draft = Draft { numbers: vec![number], to, ..Draft::default() };
        self.suffix(&mut draft);
        let article = value <= 1 && draft.to == at + 1;
        if vague || article {
            draft.kind = Some(Kind::Incidental);
        }
        Some(draft)
    }

    /// `point five`, `Komma fünf`.
    fn decimals_in_words(&self, at: usize) -> Option<(Decimal, usize)> {
        self.word(at).filter(|word| matches!(*word, "point" | "komma" | "virgule" | "coma"))?;
        let digit = |at: usize| {
            let (digit, _) = numerals::number(&[self.word(at)?], self.language)?;
            char::from_digit(u32::try_from(digit).ok()?, 10)
        };
        let digits: String = (at + 1..at + 7).map_while(digit).collect();
        let end = at + 1 + digits.len();
        (!digits.is_empty()).then(|| Some((Decimal::from_digits("", &digits)?, end)))?
    }

    /// What stands behind a number: powers, units, and what makes it something else.
    fn suffix(&self, draft: &mut Draft) {
        if self.is_open_behind(draft) {
            draft.kind = Some(Kind::Open);
            draft.to += usize::from(self.tokens.get(draft.to).is_some_and(|token| token.glued));
            return;
        }
        self.take_powers(draft);
        if self.take_bare_letter(draft) {
            return;
        }
        let hyphen = usize::from(self.is_hyphen(draft.to));
        let rest = self.rest(draft.to + hyphen);
        let tries = [unit::percent(&rest), unit::currency(&rest), unit::measure(&rest)];
        let best = tries.into_iter().flatten().max_by_key(|(_, length)| *length);
        if let Some((unit, length)) = best {
            let from = self.tokens.get(draft.to + hyphen).map_or(0, |token| token.span.start);
            draft.to = self.behind(draft.to + hyphen, from + length);
            draft.unit = draft.unit.or(Some(unit));
            return;
        }
        let next = self.word(draft.to + hyphen);
        if next.is_some_and(ratio::is_share) {
            draft.kind = Some(Kind::Ratio);
        } else if next.is_some() && hyphen == 0 && self.tokens[draft.to].glued && draft.unit.is_none() {
            draft.kind = Some(Kind::Open);
            draft.to += 1;
        }
    }

    /// An ordinal, a decade or a time of the day.
    fn is_open_behind(&self, draft: &Draft) -> bool {
        let at = draft.to;
        let Some(token) = self.tokens.get(at) else { return false };
        let word = self.word(at);
        let in_digits = at > 0 && matches!(self.kind(at - 1), Some(token::Kind::Digits(_)));
        let ending = in_digits && token.glued && word.is_some_and(|word| ORDINALS.contains(&word) || matches!(word, "s" | "er" | "ern" | "x"));
        let ordinal = in_digits && token.glued && self.is_sign(at, '.') && self.language == Some(Language::German)
            && self.word(at + 1).is_some() && !self.tokens[at + 1].glued
            && matches!(self.kind(at - 1), Some(token::Kind::Digits(digits)) if digits.len() <= 2);
        let century = self.rest(at).starts_with("年代") || self.rest(at).starts_with("世纪") || self.is_sign(at, '倍') || self.is_sign(at, '成');
        let first = at >= 2 && self.is_sign(at - 2, '第');
        let decade = at >= 2 && self.word(at - 2).is_some_and(|word| matches!(word, "années" | "años" | "anni" | "anos"));
        ending || ordinal || century || first || decade
    }

    fn take_powers(&self, draft: &mut Draft) {
        for _ in 0..3 {
            let hyphen = usize::from(self.is_hyphen(draft.to));
            let at = draft.to + hyphen;
            let Some((power, length)) = unit::power(&self.rest(at), self.language) else { return };
            let from = self.tokens.get(at).map_or(0, |token| token.span.start);
            draft.to = self.behind(at, from + length);
            let abbreviated = self.is_sign(draft.to, '.') && self.tokens[draft.to].glued && self.tokens.len() > draft.to + 1;
            draft.to += usize::from(abbreviated && length <= 6);
            draft.power += power;
            draft.numbers.iter_mut().for_each(|number| *number = number.scaled(power));
        }
    }

    /// A bare `m`, `b` or `k`.
    fn take_bare_letter(&self, draft: &mut Draft) -> bool {
        let letter = match self.word(draft.to) {
            Some("m") => 'm',
            Some("b") => 'b',
            Some("k") => 'k',
            _ => return false,
        };
        if self.tokens.get(draft.to + 1).is_some_and(|next| next.glued && matches!(next.kind, token::Kind::Sign('/' | '²' | '³'))) {
            return false;
        }
        draft.unit = Some(Unit::Bare(letter));
        draft.kind = Some(Kind::Open);
        draft.to += 1;
        true
    }

    /// Ranges share their unit and power; numbers of a share are no quantities.
    fn relate(&self, found: &mut [Found]) {
        for at in 1..found.len() {
            let between: Vec<&str> = (found[at - 1].to..found[at].from).take(4).map(|at| self.shown(at)).collect();
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

    fn shown(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| match &token.kind {
            token::Kind::Word(word) => word.as_str(),
            _ => self.text.get(token.span.clone()).unwrap_or_default(),
        })
    }

    fn kind(&self, at: usize) -> Option<&token::Kind> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    fn word(&self, at: usize) -> Option<&str> {
        match self.kind(at)? {
            token::Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn is_sign(&self, at: usize, sign: char) -> bool {
        matches!(self.kind(at), Some(token::Kind::Sign(c)) if *c == sign)
    }

    fn is_hyphen(&self, at: usize) -> bool {
        let glued = |at: usize| self.tokens.get(at).is_some_and(|token| token.glued);
        matches!(self.kind(at), Some(token::Kind::Sign('-' | '‑'))) && glued(at) && glued(at + 1)
    }

    /// The text from token `at` on, in lower case, as far as a name reaches.
    fn rest(&self, at: usize) -> String {
        let Some(token) = self.tokens.get(at) else { return String::new() };
        let rest = self.text.get(token.span.start..).unwrap_or_default();
        let plain = |c: char| if c.is_whitespace() { ' ' } else { c };
        rest.chars().take(LONGEST_NAME).map(plain).flat_map(char::to_lowercase).collect()
    }

    /// The first token at or behind `at` that begins at byte `end` or later.
    fn behind(&self, at: usize, end: usize) -> usize {
        at + self.tokens[at.min(self.tokens.len())..].iter().take_while(|token| token.span.start < end).count()
    }
}

impl Found {
    /// A whole number of something, not a year.
    fn is_count(&self) -> bool {
        let whole = |value: &Value| matches!(value, Value::Number(number, Unit::None) if number.as_whole().is_some());
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
        let more: Vec<Value> =
            numbers(&one.figure).map(|number| Value::Number(number.scaled(other.power), Unit::Money(code))).collect();
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

/// Words that mean many without saying how many, where they stand alone.
const VAGUE: &[&str] =
    &["millionen", "milliarden", "millions", "milliards", "millones", "cents", "hundert", "tausend", "mille", "mil", "hundred", "thousand"];

/// Chinese words between a number and what it counts.
const CLASSIFIERS: &str = "个個名人位条座颗种次家只头件张所国岁层处项组口户辆艘棵本部枚例台间段级年月日";
