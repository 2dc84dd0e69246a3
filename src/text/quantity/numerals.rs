//! Numbers written in words: English, German, French, Spanish, and Chinese numerals. In: words in lower case. Out:
//! whole numbers. Tables and one small machine; German compounds are taken apart.

use super::decimal::Decimal;
use crate::text::language::Language;

/// What a word adds to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Below a hundred.
    Small(u64),
    /// Multiplies what stands before it.
    Hundred,
    /// Closes a group.
    Group(u64),
}

/// A number in words that `words` begins with: its value and how many words it takes. Hyphens are words.
/// Where the language is open, it is the one that reads most of them.
pub fn number(words: &[&str], language: Option<Language>) -> Option<(u64, usize)> {
    const OPEN: [Language; 4] = [Language::Spanish, Language::French, Language::German, Language::English];
    match language {
        Some(language) => number_in(words, language),
        None if words.first().is_some_and(|word| DOUBTFUL.contains(word)) => None,
        None => {
            OPEN.iter().filter_map(|language| number_in(words, *language)).max_by_key(|(_, taken)| *taken)
        }
    }
}

/// Number words of one language that are other words in another.
const DOUBTFUL: &[&str] =
    &["once", "sept", "elf", "neuf", "acht", "null", "cent", "cents", "mil", "cien", "un", "ein"];

fn number_in(words: &[&str], language: Language) -> Option<(u64, usize)> {
    let (mut total, mut current, mut taken, mut at) = (0u64, 0u64, 0, 0);
    while let Some(word) = words.get(at) {
        let joins = at > 0 && taken == at && matches!(*word, "-" | "and" | "und" | "et" | "y");
        if joins {
            at += 1;
            continue;
        }
        let Some(value) = part(word, language) else { break };
        match value {
            Part::Small(small) => match joined(current, small, taken > 0, language) {
                Some(sum) => current = sum,
                None => break,
            },
            Part::Hundred => current = current.max(1).checked_mul(100).filter(|sum| *sum < 10_000)?,
            // `cinco mil millones`: groups in a row multiply.
            Part::Group(group) if current == 0 && total > 0 => total = total.checked_mul(group)?,
            Part::Group(group) => {
                total = total.checked_add(current.max(1).checked_mul(group)?)?;
                current = 0;
            }
        }
        at += 1;
        taken = at;
    }
    (taken > 0).then(|| Some((total.checked_add(current)?, taken)))?
}

/// `small` added to a group; `None` where the two are two numbers.
fn joined(current: u64, small: u64, goes_on: bool, language: Language) -> Option<u64> {
    let (tens, ones) = (current % 100 / 10 * 10, current % 10);
    let french = language == Language::French;
    if french && small == 20 && current % 100 == 4 {
        return Some(current + 76);
    }
    let fits = match small {
        0 => !goes_on,
        1..=9 => ones == 0 && tens != 10,
        10..=19 => ones == 0 && (tens == 0 || french && matches!(tens, 60 | 80)),
        100.. => current == 0,
        _ => current.is_multiple_of(100),
    };
    fits.then_some(current + small)
}

fn part(word: &str, language: Language) -> Option<Part> {
    match language {
        Language::German => german(word).map(Part::Small).or_else(|| group(word, language)),
        _ => {
            let small =
                table(language).iter().find(|(name, _)| *name == word).map(|(_, value)| Part::Small(*value));
            small.or_else(|| group(word, language))
        }
    }
}

fn group(word: &str, language: Language) -> Option<Part> {
    Some(match (language, word) {
        (Language::English, "hundred") | (Language::French, "cent" | "cents") => Part::Hundred,
        (Language::English, "thousand") | (Language::French, "mille") | (Language::Spanish, "mil") => {
            Part::Group(1_000)
        }
        (Language::English | Language::French, "million") | (Language::French, "millions") => {
            Part::Group(1_000_000)
        }
        (Language::German, "million" | "millionen") | (Language::Spanish, "millón" | "millones") => {
            Part::Group(1_000_000)
        }
        (Language::English, "billion") => Part::Group(1_000_000_000),
        (Language::German, "milliarde" | "milliarden") | (Language::French, "milliard" | "milliards") => {
            Part::Group(1_000_000_000)
        }
        _ => return None,
    })
}

fn table(language: Language) -> &'static [(&'static str, u64)] {
    match language {
        Language::English => ENGLISH,
        Language::French => FRENCH,
        Language::Spanish => SPANISH,
        Language::German => GERMAN,
        _ => &[],
    }
}

/// The value of a German number word, compounds included.
fn german(word: &str) -> Option<u64> {
    if word.len() > 64 {
        return None;
    }
    if let Some((before, after)) = word.split_once("tausend") {
        return compound(before, after, 1_000);
    }
    if let Some((before, after)) = word.split_once("hundert") {
        return compound(before, after, 100);
    }
    if let Some(value) = look_up(GERMAN, word) {
        return Some(value);
    }
    let (ones, tens) = word.split_once("und")?;
    let tens = look_up(GERMAN, tens).filter(|tens| tens % 10 == 0 && *tens >= 20)?;
    Some(look_up(GERMAN, ones).filter(|ones| (1..10).contains(ones))? + tens)
}

fn compound(before: &str, after: &str, factor: u64) -> Option<u64> {
    let count = if before.is_empty() { 1 } else { german(before).filter(|count| *count < 1_000)? };
    let after = after.strip_prefix("und").unwrap_or(after);
    let rest = if after.is_empty() { 0 } else { german(after).filter(|rest| *rest < factor)? };
    Some(count * factor + rest)
}

fn look_up(table: &[(&str, u64)], word: &str) -> Option<u64> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// The value of Chinese numerals: `三百五十`, `两万`, `二〇二四`.
pub fn chinese(numerals: &str) -> Option<Decimal> {
    let (mut total, mut section, mut digit) = (0u64, 0u64, None::<u64>);
    let positional = numerals.chars().all(|c| digit_of(c).is_some());
    if positional {
        let digits: String = numerals.chars().filter_map(digit_of).map(|digit| digit.to_string()).collect();
        return Decimal::from_digits(&digits, "");
    }
    for c in numerals.chars() {
        if let Some(value) = digit_of(c) {
            digit = Some(value);
            continue;
        }
        let factor = factor_of(c)?;
        if factor < 10_000 {
            section = section.checked_add(digit.take().unwrap_or(1).checked_mul(factor)?)?;
        } else {
            let sum = section.checked_add(digit.take().unwrap_or(0))?;
            // 万亿: the two multiply.
            total = if sum == 0 {
                total.max(1).checked_mul(factor)?
            } else {
                total.checked_add(sum.checked_mul(factor)?)?
            };
            section = 0;
        }
    }
    Some(Decimal::whole(total.checked_add(section)?.checked_add(digit.unwrap_or(0))?))
}

/// A character that Chinese numbers are written with.
pub fn is_numeral(c: char) -> bool {
    digit_of(c).is_some() || factor_of(c).is_some()
}

fn digit_of(c: char) -> Option<u64> {
    Some(match c {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' | '兩' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    })
}

fn factor_of(c: char) -> Option<u64> {
    Some(match c {
        '十' => 10,
        '百' => 100,
        '千' => 1_000,
        '万' | '萬' => 10_000,
        '亿' | '億' => 100_000_000,
        _ => return None,
    })
}

#[rustfmt::skip]
const ENGLISH: &[(&str, u64)] = &[
    ("zero", 0), ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7), ("eight", 8),
    ("nine", 9), ("ten", 10), ("eleven", 11), ("twelve", 12), ("thirteen", 13), ("fourteen", 14), ("fifteen", 15),
    ("sixteen", 16), ("seventeen", 17), ("eighteen", 18), ("nineteen", 19), ("twenty", 20), ("thirty", 30), ("forty", 40),
    ("fifty", 50), ("sixty", 60), ("seventy", 70), ("eighty", 80), ("ninety", 90),
];

#[rustfmt::skip]
const GERMAN: &[(&str, u64)] = &[
    ("null", 0), ("eins", 1), ("ein", 1), ("eine", 1), ("einen", 1), ("einer", 1), ("einem", 1), ("zwei", 2), ("drei", 3),
    ("vier", 4), ("fünf", 5), ("sechs", 6), ("sieben", 7), ("acht", 8), ("neun", 9), ("zehn", 10), ("elf", 11), ("zwölf", 12),
    ("dreizehn", 13), ("vierzehn", 14), ("fünfzehn", 15), ("sechzehn", 16), ("siebzehn", 17), ("achtzehn", 18),
    ("neunzehn", 19), ("zwanzig", 20), ("dreißig", 30), ("dreissig", 30), ("vierzig", 40), ("fünfzig", 50), ("sechzig", 60),
    ("siebzig", 70), ("achtzig", 80), ("neunzig", 90),
];

#[rustfmt::skip]
const FRENCH: &[(&str, u64)] = &[
    ("zéro", 0), ("un", 1), ("une", 1), ("deux", 2), ("trois", 3), ("quatre", 4), ("cinq", 5), ("six", 6), ("sept", 7),
    ("huit", 8), ("neuf", 9), ("dix", 10), ("onze", 11), ("douze", 12), ("treize", 13), ("quatorze", 14), ("quinze", 15),
    ("seize", 16), ("vingt", 20), ("vingts", 20), ("trente", 30), ("quarante", 40), ("cinquante", 50), ("soixante", 60),
    ("septante", 70), ("huitante", 80), ("nonante", 90),
];

#[rustfmt::skip]
const SPANISH: &[(&str, u64)] = &[
    ("cero", 0), ("un", 1), ("uno", 1), ("una", 1), ("dos", 2), ("tres", 3), ("cuatro", 4), ("cinco", 5), ("seis", 6),
    ("siete", 7), ("ocho", 8), ("nueve", 9), ("diez", 10), ("once", 11), ("doce", 12), ("trece", 13), ("catorce", 14),
    ("quince", 15), ("dieciséis", 16), ("diecisiete", 17), ("dieciocho", 18), ("diecinueve", 19), ("veinte", 20),
    ("veintiuno", 21), ("veintiún", 21), ("veintidós", 22), ("veintitrés", 23), ("veinticuatro", 24), ("veinticinco", 25),
    ("veintiséis", 26), ("veintisiete", 27), ("veintiocho", 28), ("veintinueve", 29), ("treinta", 30), ("cuarenta", 40),
    ("cincuenta", 50), ("sesenta", 60), ("setenta", 70), ("ochenta", 80), ("noventa", 90), ("cien", 100), ("ciento", 100),
    ("doscientos", 200), ("doscientas", 200), ("trescientos", 300), ("trescientas", 300), ("cuatrocientos", 400),
    ("quinientos", 500), ("quinientas", 500), ("seiscientos", 600), ("setecientos", 700), ("ochocientos", 800),
    ("novecientos", 900),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, language: Language) -> Option<u64> {
        let spaced = text.replace('-', " - ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        number(&words, Some(language)).filter(|(_, taken)| *taken == words.len()).map(|(value, _)| value)
    }

    #[test]
    fn numbers_in_words_have_their_value() {
        use Language::{English, French, German, Spanish};
        for (text, language, expected) in [
            ("twenty-five", English, 25),
            ("one hundred and five", English, 105),
            ("two thousand three hundred", English, 2_300),
            ("three million", English, 3_000_000),
            ("fünfundzwanzig", German, 25),
            ("zweihundertfünfzig", German, 250),
            ("dreitausendvierhundert", German, 3_400),
            ("zwei millionen", German, 2_000_000),
            ("quatre-vingt-dix-sept", French, 97),
            ("soixante-dix", French, 70),
            ("vingt et un", French, 21),
            ("deux cent mille", French, 200_000),
            ("treinta y cinco", Spanish, 35),
            ("doscientos mil", Spanish, 200_000),
            ("cinco mil millones", Spanish, 5_000_000_000),
        ] {
            assert_eq!(value(text, language), Some(expected), "{text}");
        }
    }

    #[test]
    fn two_numbers_are_not_one() {
        assert_eq!(number(&["two", "three"], Some(Language::English)), Some((2, 1)));
        assert_eq!(value("hundertirgendwas", Language::German), None);
        assert_eq!(value("once", Language::English), None);
    }

    #[test]
    fn chinese_numerals_have_their_value() {
        for (text, expected) in [
            ("五", 5),
            ("十五", 15),
            ("三百五十", 350),
            ("三十五万", 350_000),
            ("二〇二四", 2024),
            ("一亿三千万", 130_000_000),
            ("两万亿", 2_000_000_000_000),
        ] {
            assert_eq!(chinese(text).and_then(Decimal::as_whole), Some(expected), "{text}");
        }
    }
}
