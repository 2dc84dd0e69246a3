//! What one character folds to. Tables are built from the Unicode crates the first time a block of 256
//! characters is met, so that text of every script folds by look-up. No state of a text is known here.

use std::iter::once;
use std::sync::OnceLock;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// What becomes of a character that is not ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folds {
    /// It stays.
    Same,
    /// It becomes this one.
    One(char),
    /// White space within a line.
    Space,
    /// A line break.
    Line,
    /// It is not seen.
    Gone,
    /// ZWJ or ZWNJ: stays where the script needs it.
    Joiner,
    /// A mark of this combining class that composes with nothing.
    Mark(u8),
    /// It becomes several, or something else together with the marks after it.
    Alone,
    /// It must be looked at together with the character before it.
    Cluster,
}

type Block = Box<[Folds; 256]>;
static BLOCKS: [OnceLock<Block>; 256] = [const { OnceLock::new() }; 256];

/// What the two-byte characters (Latin with accents, Greek, Cyrillic, Hebrew, Arabic…) fold to, where that is one of two
/// bytes; NUL where [`folds`] has more to say. The index is the code point.
pub(super) type TwoBytes = [char; 2048];

/// The table of two-byte characters.
pub(super) fn two_bytes() -> &'static TwoBytes {
    static TABLE: OnceLock<Box<TwoBytes>> = OnceLock::new();
    TABLE.get_or_init(|| Box::new(std::array::from_fn(|code| two_folded(code as u32).unwrap_or_default())))
}

fn two_folded(code: u32) -> Option<char> {
    let c = char::from_u32(code)?;
    let folded = match folds(c) {
        Folds::Same => c,
        Folds::One(one) => one,
        _ => return None,
    };
    (c.len_utf8() == 2 && folded.len_utf8() == 2).then_some(folded)
}

/// What becomes of the characters from U+0800 to U+0FFF, which all begin with the byte E0: most scripts of India, Thai,
/// Lao, Tibetan. The index is the code point less 0x800.
pub(super) fn after_e0() -> &'static [Folds; 2048] {
    static TABLE: OnceLock<Box<[Folds; 2048]>> = OnceLock::new();
    let at = |code: usize| char::from_u32(0x800 + code as u32).map_or(Folds::Same, folds);
    TABLE.get_or_init(|| Box::new(std::array::from_fn(at)))
}

/// What becomes of `c`.
pub(super) fn folds(c: char) -> Folds {
    match c as u32 {
        0x3400..=0x9fff | 0xac00..=0xd7a3 | 0x3041..=0x3096 | 0x30a1..=0x30fa => Folds::Same,
        code @ 0..=0xffff => {
            let block = (code >> 8) as usize;
            BLOCKS[block].get_or_init(|| derive_block(code & 0xff00))[(code & 0xff) as usize]
        }
        _ => derive(c),
    }
}

/// `text` (a base character with its marks, or one character that becomes several) folded to the letter.
pub(super) fn fold_cluster(text: &str) -> String {
    let mut folded = String::new();
    for c in text.chars().map(full_width).nfc() {
        match special(c) {
            Some(Folds::One(one)) => folded.push(one),
            Some(Folds::Gone) => {}
            Some(Folds::Alone) if c == '…' => folded.push_str("..."),
            Some(Folds::Alone) => folded.push_str(&shaped_arabic(c).unwrap_or_else(|| case_folded(c))),
            _ => folded.push_str(&case_folded(c)),
        }
    }
    folded.nfc().collect()
}

fn derive_block(first: u32) -> Block {
    Box::new(std::array::from_fn(|at| char::from_u32(first + at as u32).map_or(Folds::Same, derive)))
}

fn derive(c: char) -> Folds {
    if let Some(known) = special(c) {
        return known;
    }
    match (is_nfc_quick(once(c)), canonical_combining_class(c)) {
        (IsNormalized::Yes, 0) => {}
        (IsNormalized::Yes, class) => return Folds::Mark(class),
        (IsNormalized::No, 0) => return Folds::Alone,
        _ => return Folds::Cluster,
    }
    let folded = case_folded(c);
    let mut chars = folded.chars();
    match (chars.next(), chars.next()) {
        (Some(one), None) if one == c => Folds::Same,
        (Some(one), None) => Folds::One(one),
        _ => Folds::Alone,
    }
}

fn case_folded(c: char) -> String {
    caseless::default_case_fold_str(c.encode_utf8(&mut [0; 4])).nfc().collect()
}

/// What the crates do not know: typography, width and characters that are not seen.
fn special(c: char) -> Option<Folds> {
    Some(match c {
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Folds::Line,
        c if c.is_whitespace() => Folds::Space,
        '\u{200c}' | '\u{200d}' => Folds::Joiner,
        c if unseen(c) => Folds::Gone,
        '‘' | '’' | '‚' | '‛' | '‹' | '›' | '′' | '‵' | 'ʼ' => Folds::One('\''),
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '‶' => Folds::One('"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => Folds::One('-'),
        '…' => Folds::Alone,
        '\u{ff01}'..='\u{ff5e}' | '\u{ffe0}'..='\u{ffe6}' => Folds::One(full_width(c).to_ascii_lowercase()),
        '\u{2f00}'..='\u{2fd5}' => Folds::One(full_width(c)),
        '\u{ff9e}' | '\u{ff9f}' => Folds::Cluster,
        '\u{ff61}'..='\u{ff9d}' => Folds::Alone,
        c => {
            let letters = shaped_arabic(c)?;
            let mut letters = letters.chars();
            letters.next().filter(|_| letters.next().is_none()).map_or(Folds::Alone, Folds::One)
        }
    })
}

/// A character that shows nothing: soft hyphen, zero-width space, word joiner, BOM, bidi marks, variation
/// selectors of style, tag characters.
pub(crate) fn unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Full-width ASCII and signs to their plain form, half-width kana to the full one, Kangxi radicals (which some PDFs
/// have for the characters that look like them) to the character; others stay.
fn full_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{2f00}'..='\u{2fd5}' | '\u{ff61}'..='\u{ff9f}' | '\u{ffe0}'..='\u{ffe6}' => {
            let mut plain = once(c).nfkc();
            match (plain.next(), plain.next()) {
                (Some(one), None) => one,
                _ => c,
            }
        }
        _ => c,
    }
}

/// The letters of an Arabic letter in the shape that it has at its place in a word, or of two or three joined, as old
/// PDFs have them. Whole words in one character and marks on a space stay.
fn shaped_arabic(c: char) -> Option<String> {
    const MOST: usize = 3;
    let letters: String =
        once(c).filter(|c| matches!(c, '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')).nfkc().collect();
    let shaped = letters.chars().all(char::is_alphabetic) && (1..=MOST).contains(&letters.chars().count());
    shaped.then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typography_folds_and_notation_does_not() {
        assert_eq!(folds('’'), Folds::One('\''));
        assert_eq!(folds('\u{2011}'), Folds::One('-'));
        assert_eq!(folds('Я'), Folds::One('я'));
        assert_eq!(folds('ﺟ'), Folds::One('ج'));
        assert_eq!(fold_cluster("ﻼ"), "لا");
        for c in "ﷺ﴾\u{fe76}".chars() {
            assert_eq!(shaped_arabic(c), None, "{c}");
        }
        for c in "²½₂é§×冰".chars() {
            assert_eq!(folds(c), Folds::Same, "{c}");
        }
    }

    #[test]
    fn one_character_may_become_several() {
        for (given, folded) in [("ﬁ", "fi"), ("ß", "ss"), ("…", "..."), ("ｶﾞ", "ガ"), ("E\u{301}", "é")]
        {
            assert_eq!(fold_cluster(given), folded);
        }
    }

    #[test]
    fn micro_sign_and_mu_are_one_letter_and_no_m() {
        assert_eq!(folds('\u{b5}'), Folds::One('μ'));
        assert_eq!(folds('μ'), Folds::Same);
    }
}
