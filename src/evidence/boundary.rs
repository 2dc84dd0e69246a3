//! Does a place in the page lie inside a word or a figure? In: the characters that a reader sees on both sides
//! of it, as the page has them (folding has lost signs and spaces by then). Out: what would be cut.
//!
//! White space arrives as one character: itself where it was one, a line feed for a line break, a tab for a
//! wide gap, U+2029 for the end of a block.

use super::scale::{begins_with_scale, ends_with_number, ends_with_percent};
use crate::text::figures::{figures, is_digit};
use crate::text::fold::WALL;
use crate::text::words::is_unspaced;
use unicode_normalization::char::is_combining_mark;

/// What the page shows on both sides of a place.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Up to [`REACH`] characters before it, in reading order.
    pub before: Vec<char>,
    /// Up to [`REACH`] characters after it.
    pub after: Vec<char>,
}

/// Characters on each side that are looked at.
pub const REACH: usize = 48;

impl Surroundings {
    /// A match must not begin here.
    pub fn cut_before(&self) -> bool {
        let elided = elision(&self.before);
        (!elided && self.cuts_word()) || self.cuts_figure() || self.cuts_operator() || self.cuts_percentage()
    }

    /// A match must not end here.
    pub fn cut_after(&self) -> bool {
        self.cuts_word()
            || self.cuts_figure()
            || self.cuts_operator()
            || self.cuts_scale()
            || self.cuts_unit()
    }

    /// The same place without characters that may be markup.
    pub fn without_markup(&self) -> Self {
        let text = |side: &[char]| side.iter().copied().filter(|c| !"*_~`[]".contains(*c)).collect();
        Self { before: text(&self.before), after: text(&self.after) }
    }

    fn left(&self, back: usize) -> char {
        self.before.len().checked_sub(back + 1).map_or('\0', |at| self.before[at])
    }

    fn right(&self, on: usize) -> char {
        self.after.get(on).copied().unwrap_or('\0')
    }

    fn cuts_word(&self) -> bool {
        let (a, b) = (self.left(0), self.right(0));
        if is_combining_mark(b) && !a.is_whitespace() {
            return true;
        }
        if a == WALL && is_word(b) || is_word(a) && b == WALL {
            return true;
        }
        if is_word(a) && is_word(b) {
            return !self.waived(a, b);
        }
        let (beyond_a, beyond_b) = (self.left(1), self.right(1));
        if is_hyphen(a) && self.goes_on(beyond_a, b) || is_hyphen(b) && self.goes_on(a, beyond_b) {
            return true;
        }
        let letters = |x: char, y: char| x.is_alphabetic() && y.is_alphabetic();
        if is_apostrophe(a) && letters(beyond_a, b) || is_apostrophe(b) && letters(a, beyond_b) {
            return true;
        }
        let broken = |x: char, hyphen: char, line: char, y: char| {
            x.is_alphabetic() && is_hyphen(hyphen) && line == '\n' && y.is_lowercase()
        };
        broken(self.left(2), beyond_a, a, b) || broken(a, b, beyond_b, self.right(2))
    }

    fn goes_on(&self, a: char, b: char) -> bool {
        is_word(a) && is_word(b) && !self.waived(a, b)
    }

    /// Scripts without spaces have no word borders to see; a long run of Hangul is such a script too.
    fn waived(&self, a: char, b: char) -> bool {
        if is_hangul(a) && is_hangul(b) {
            let before = self.before.iter().rev().take_while(|c| is_hangul(**c)).count();
            let after = self.after.iter().take_while(|c| is_hangul(**c)).count();
            return before + after > LONGEST_HANGUL_WORD;
        }
        is_unspaced(a) || is_unspaced(b)
    }

    fn cuts_figure(&self) -> bool {
        let place = self.before.len();
        self.figures().iter().any(|figure| figure.start < place && place < figure.end)
    }

    fn figures(&self) -> Vec<std::ops::Range<usize>> {
        let near = |c: &char| is_digit(*c) || c.is_alphabetic() || !c.is_whitespace();
        if !self.before.iter().rev().take(4).chain(self.after.iter().take(4)).any(near) {
            return Vec::new();
        }
        let all: Vec<char> = self.before.iter().chain(&self.after).copied().collect();
        figures(&all)
    }

    /// `<` from `<=`, `=` from `==`, a currency sign from the letters before it.
    fn cuts_operator(&self) -> bool {
        let operator = |c: char| matches!(c, '<' | '>' | '=' | '!' | '≠');
        let (a, b) = (self.left(0), self.right(0));
        let power = a == '^' && is_word(b) || b == '^' && is_word(a);
        power || operator(a) && b == '=' || a.is_alphabetic() && crate::text::figures::is_currency(b)
    }

    /// A figure ends here and its scale follows: `3` of `3 million`.
    fn cuts_scale(&self) -> bool {
        let place = self.before.len();
        let spaces = self.after.iter().take_while(|c| c.is_whitespace() && **c != '\u{2029}').count();
        let rest = &self.after[spaces..];
        let hyphen = usize::from(rest.first().is_some_and(|c| is_hyphen(*c)));
        let scaled = begins_with_scale(&rest[hyphen..]);
        scaled && (ends_with_number(&self.before) || self.ends_figure(place))
    }

    /// A figure begins here, and what it is a percentage of stands before: `15` of `yüzde 15`.
    fn cuts_percentage(&self) -> bool {
        self.after.first().copied().is_some_and(is_digit) && ends_with_percent(&self.before)
    }

    fn ends_figure(&self, place: usize) -> bool {
        self.figures().iter().any(|figure| figure.end == place || figure.contains(&place))
    }

    /// A unit ends here and its divisor or power follows: `5 mg` of `5 mg/kg`.
    fn cuts_unit(&self) -> bool {
        let goes_on = matches!(self.right(0), '/' | '·' | '⋅' | '^') && self.right(1).is_alphanumeric();
        if !goes_on || !self.left(0).is_alphabetic() {
            return false;
        }
        let letters = self.before.iter().rev().take_while(|c| c.is_alphabetic()).count();
        let unit = self.before.len() - letters;
        let space = usize::from(unit > 0 && self.before[unit - 1].is_whitespace());
        unit > space && is_digit(self.before[unit - space - 1])
    }
}

/// Longer runs of Hangul are text without spaces.
const LONGEST_HANGUL_WORD: usize = 15;

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_combining_mark(c) || matches!(c, '\u{200c}' | '\u{200d}')
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '﹣' | '－' | '\u{ad}')
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '‘' | '＇')
}

fn is_hangul(c: char) -> bool {
    matches!(c as u32, 0x1100..=0x11ff | 0xac00..=0xd7af)
}

/// `before` ends in an elided article or pronoun (`l'`, `qu'`, `dell'`), after which a word begins.
fn elision(before: &[char]) -> bool {
    const ELIDED: &[&str] = &[
        "l", "d", "j", "m", "t", "s", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "all", "dell",
        "nell", "sull", "dall", "un",
    ];
    let Some((last, word)) = before.split_last() else { return false };
    let letters = word.iter().rev().take_while(|c| is_word(**c)).count();
    let word: String = word[word.len() - letters..].iter().flat_map(|c| c.to_lowercase()).collect();
    is_apostrophe(*last) && ELIDED.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place is marked with `|`.
    fn place(text: &str) -> Surroundings {
        let (before, after) = text.split_once('|').unwrap();
        Surroundings { before: before.chars().collect(), after: after.chars().collect() }
    }

    #[test]
    fn no_match_begins_inside_a_word_or_figure() {
        for text in [
            "1|5% of",
            "3.|14 mg",
            "1,|500 people",
            "1 |500 people",
            "-|5 mg",
            "−|5 mg",
            "~|5 mg",
            "2019-|05-12",
            "1|5%以上",
            "三十|五万",
            "pol|ice is",
            "re-|sign",
            "snake_|case",
            "< |5 mg",
            "$|5",
            "1|½ cups",
            ".|5 mg",
            "10\u{fdd0}|2 m",
            "COVID-|19",
            "exam-\n|ple",
            "O'|Brien",
            "10-\n|20 mg",
            "불|가능하다",
            "|\u{301}e",
            "15| % of",
            "US|$5",
            "百分之|五",
            "x^|2 + y",
            "%|15 arttı",
            "% |15 arttı",
            "yüzde |15 arttı",
        ] {
            let text = if text.starts_with('|') { format!("e{text}") } else { text.to_string() };
            assert!(place(&text).cut_before(), "{text}");
        }
    }

    #[test]
    fn a_match_begins_where_a_word_begins() {
        for text in [
            "the |5 mg",
            "in 2010, |500",
            "water—|ice",
            "l'|eau est",
            "(|ice",
            "第|5章",
            "统|一百",
            "不|可能",
            "“|Ice",
            "end.|Next",
            "9 % |15 of",
            "word[3] |ice",
            "two- or |three",
            "本症例|は先天性",
            "— |5 mg",
            "- |5 mg",
        ] {
            assert!(!place(text).cut_before(), "{text}");
        }
    }

    #[test]
    fn no_match_ends_inside_a_word_or_figure() {
        for text in [
            "by 3|.7 percent",
            "by 3.|7",
            "by 3| million",
            "15| percent",
            "15| per cent",
            "15|%",
            "15| %",
            "1| 500",
            "5|e-3",
            "10|²",
            "2|^10",
            "5|mg",
            "polic|e",
            "re|-sign",
            "can|'t",
            "5|万",
            "三十|五",
            "5 mg|/kg",
            "x <|= 5",
            "2010|–2014",
            "5 m|²",
            "exam|-\nple",
            "5| 억",
            "3| × 10⁸",
            "50|+ people",
            "10|\u{fdd0}2",
            "a three|-day",
            "by three| million",
            "by 5| bn euros",
            "um 5| Mio. Euro",
            "5| x 10^3 of",
            "by 5| ± 2",
        ] {
            assert!(place(text).cut_after(), "{text}");
        }
    }

    #[test]
    fn a_match_ends_where_a_word_ends() {
        for text in [
            "ice|.",
            "water|—ice",
            "5 mg| of",
            "in 2010|. Then",
            "in 2010|, 500",
            "dense|[12] than",
            "冰|浮在",
            "two|- or three",
            "15|\u{2029}million",
            "in 1995| per century",
            "dogs|' ",
            "진단되었다|",
        ] {
            assert!(!place(text).cut_after(), "{text}");
        }
    }
}
