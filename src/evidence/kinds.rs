//! What kind of difference stands between a quote and a passage, gravest first. In: tokens of both and which of
//! them differ.

use std::ops::Range;

use super::tokens::Token;
use super::verdict::Kind;
use super::warnings::is_negation;
use crate::text::figures::{is_currency, is_digit, is_sign};

/// The kind of one difference: tokens `mine` of the quote against tokens `its` of the passage.
pub fn kind(quote: &[Token], mine: Range<usize>, passage: &[Token], its: Range<usize>) -> Kind {
    let after_figure = |side: &[Token], range: &Range<usize>| {
        range.start > 0 && side.get(range.start - 1).is_some_and(Token::is_figure)
    };
    let unit_place =
        after_figure(quote, &mine) && after_figure(passage, &its) && !mine.is_empty() && !its.is_empty();
    let (mine, its) = (&quote[mine], &passage[its]);
    let digits = |side: &[Token]| {
        side.iter().flat_map(|t| t.text.chars()).filter(|c| is_digit(*c)).collect::<String>()
    };
    if digits(mine) != digits(its) {
        return Kind::Number;
    }
    if denies(mine) != denies(its) || is_denied(mine, its) {
        return Kind::Negation;
    }
    let figures = mine.iter().chain(its).any(Token::is_figure);
    if figures && signs(mine) != signs(its) {
        return Kind::Sign;
    }
    if figures || unit_place || mine.iter().chain(its).any(is_unit) {
        return Kind::Unit;
    }
    let hedges = |side: &[Token]| {
        let texts = side.iter().map(|token| token.text.clone());
        texts.filter(|text| HEDGES.contains(&text.as_str())).collect::<Vec<_>>()
    };
    match () {
        () if hedges(mine) != hedges(its) => Kind::Hedge,
        () if mine.iter().chain(its).any(Token::is_word) => Kind::Word,
        () if signs(mine) != signs(its) => Kind::Sign,
        () => Kind::Punctuation,
    }
}

/// The same words in another order.
pub fn is_reordered(mine: &[Token], its: &[Token]) -> bool {
    let sorted = |side: &[Token]| {
        let mut words: Vec<String> = side.iter().filter(|t| t.is_word()).map(|t| t.text.clone()).collect();
        words.sort();
        words
    };
    let order =
        |side: &[Token]| side.iter().filter(|t| t.is_word()).map(|t| t.text.clone()).collect::<Vec<_>>();
    sorted(mine) == sorted(its) && order(mine) != order(its)
}

fn denies(side: &[Token]) -> usize {
    let unspaced =
        |token: &Token| matches!(token.text.as_str(), "不" | "没" | "沒" | "無" | "无" | "非" | "未");
    side.iter().filter(|token| is_negation(&token.text) || unspaced(token)).count()
}

/// One side is the other's word with a prefix that denies it.
fn is_denied(mine: &[Token], its: &[Token]) -> bool {
    let denied = |one: &str, other: &str| {
        ["un", "in", "im", "non", "dis", "ir", "il", "불", "비", "미"]
            .iter()
            .any(|p| one.strip_prefix(p) == Some(other))
    };
    mine.iter().zip(its).any(|(a, b)| denied(&a.text, &b.text) || denied(&b.text, &a.text))
}

fn signs(side: &[Token]) -> String {
    let sign = |c: &char| {
        is_sign(*c)
            || is_currency(*c)
            || matches!(c, '=' | '%' | '‰' | '°' | '*' | '/' | '^' | '×' | '≠' | '\u{fdd0}')
    };
    side.iter().flat_map(|token| token.text.chars()).filter(sign).collect()
}

fn is_unit(token: &Token) -> bool {
    UNITS.contains(&token.text.as_str())
}

const UNITS: &[&str] = &[
    "mg", "µg", "μg", "kg", "g", "ng", "t", "ml", "l", "µl", "μl", "mm", "cm", "m", "km", "nm", "µm", "μm",
    "s", "ms", "min", "h", "hz", "khz", "mhz", "ghz", "w", "kw", "mw", "gw", "wh", "kwh", "mwh", "j", "kj",
    "mj", "v", "kv", "mv", "a", "ma", "k", "c", "f", "pa", "kpa", "mpa", "bar", "kb", "mb", "gb", "tb",
    "percent", "million", "billion", "trillion", "thousand", "hundred", "hours", "minutes", "seconds",
    "days", "weeks", "months", "years", "metres", "meters", "miles", "feet", "inches", "pounds", "dollars",
    "euros",
];

const HEDGES: &[&str] = &[
    "may",
    "might",
    "could",
    "can",
    "would",
    "should",
    "must",
    "will",
    "possibly",
    "perhaps",
    "probably",
    "likely",
    "unlikely",
    "about",
    "approximately",
    "around",
    "roughly",
    "nearly",
    "almost",
    "some",
    "most",
    "many",
    "few",
    "all",
    "every",
    "only",
    "often",
    "sometimes",
    "usually",
    "generally",
    "typically",
    "suggests",
    "suggest",
    "suggested",
    "indicates",
    "indicate",
    "appears",
    "appear",
    "seems",
    "seem",
    "estimated",
    "reportedly",
    "allegedly",
    "potentially",
    "up",
    "least",
    "vielleicht",
    "etwa",
    "rund",
    "wohl",
    "könnte",
    "peut",
    "environ",
    "peut-être",
    "quizás",
    "forse",
    "circa",
    "возможно",
    "около",
];
