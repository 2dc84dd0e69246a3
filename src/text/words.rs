//! How many words a text has, in any script.

use unicode_segmentation::UnicodeSegmentation;

/// Words of `text`: the larger of its white-space tokens that hold a letter or digit and its Unicode words,
/// where two characters of a script without spaces (Han, kana, Thai, Lao, Khmer, Burmese, unspaced Hangul)
/// count as one word.
pub fn count(text: &str) -> usize {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    let tokens = text.split_whitespace().filter(|t| t.chars().any(char::is_alphanumeric)).count();
    let spaced = text.unicode_words().filter(|w| !w.chars().all(is_unspaced)).count();
    tokens.max(spaced + unspaced / 2)
}

/// A character of a script that writes without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff
        | 0x1100..=0x11ff | 0xac00..=0xd7af
        | 0x3040..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}
