//! Text folded for comparison, with every byte's way back. In: pieces of a text and where they stand in it.
//! Out: [`Folded`], in which two texts that show the same words are equal. What folds and what never does is in
//! spec order: white space, NFC, full case folding, width, quotation marks, dashes, unseen characters.
//!
//! The map back is sparse: an entry only where the distance between the two texts changes.

mod folder;
mod runs;
mod table;

pub use folder::{Folder, is_cjk};
pub(crate) use table::unseen;

/// Stands for something raised or lowered after a digit: no match crosses it, and it is part of the figure.
pub const WALL: char = '\u{fdd0}';
/// Opens a raised number after a word, which is a reference mark.
pub const REFERENCE_OPEN: char = '\u{fdd1}';
/// Closes it.
pub const REFERENCE_CLOSE: char = '\u{fdd2}';
/// Stands for struck-out text: no match crosses it.
pub const GAP: char = '\u{fdd3}';

/// A folded text.
#[derive(Debug, Default)]
pub struct Folded {
    text: String,
    shifts: Vec<Shift>,
    blocks: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Shift {
    folded: u32,
    raw: u32,
}

impl Folded {
    /// One text as it stands; blank lines separate blocks.
    pub fn plain(text: &str) -> Self {
        let mut folder = Folder::with_capacity(text.len());
        folder.text(text, 0);
        folder.finish(text.len())
    }

    /// The folded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Byte of the raw text that stands for the folded byte `at`; may be inside a character where one became
    /// several.
    pub fn raw(&self, at: usize) -> usize {
        let after = self.shifts.partition_point(|shift| shift.folded as usize <= at);
        match after.checked_sub(1) {
            Some(last) => self.shifts[last].raw as usize + (at - self.shifts[last].folded as usize),
            None => at,
        }
    }

    /// First folded byte that stands for raw byte `raw` or one after it.
    pub fn folded(&self, raw: usize) -> usize {
        let at = self.shifts.partition_point(|shift| (shift.raw as usize) < raw);
        let next = self.shifts.get(at).map_or(self.text.len(), |shift| shift.folded as usize);
        match at.checked_sub(1) {
            Some(last) => {
                next.min(self.shifts[last].folded as usize + (raw - self.shifts[last].raw as usize))
            }
            None => next.min(raw),
        }
    }

    /// A block ends between these folded bytes.
    pub fn has_block_between(&self, start: usize, end: usize) -> bool {
        let first = self.blocks.partition_point(|block| (*block as usize) < start);
        self.blocks.get(first).is_some_and(|block| (*block as usize) < end)
    }

    /// The space at folded byte `at` separates blocks.
    pub fn is_block(&self, at: usize) -> bool {
        self.blocks.binary_search(&(at as u32)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    fn fold(text: &str) -> String {
        Folded::plain(text).text().to_string()
    }

    #[test]
    fn what_shows_the_same_folds_to_the_same() {
        for (given, folded) in [
            ("Ice\u{a0}\u{2009}floats\r\non  water", "ice floats on water"),
            ("CAFÉ Cafe\u{301}", "café café"),
            ("scientiﬁc Straße", "scientific strasse"),
            ("“it’s” «so» 2010–2014 SHA\u{2011}1", "\"it's\" \"so\" 2010-2014 sha-1"),
            ("hy\u{ad}phen zero\u{200b}width\u{feff}", "hyphen zerowidth"),
            ("ＩＣＥ５ ｶﾞｽ", "ice5 ガス"),
            ("冰在⽔⾯", "冰在水面"),
            ("冰浮\n在水上", "冰浮在水上"),
            ("冰浮\n\n在水上", "冰浮 在水上"),
            ("얼음은\n물에", "얼음은 물에"),
            ("wait…", "wait..."),
        ] {
            assert_eq!(fold(given), folded, "{given}");
        }
    }

    #[test]
    fn what_shows_something_else_stays_apart() {
        for (one, other) in [
            ("½", "12"),
            ("10²", "102"),
            ("x₂", "x2"),
            ("now here", "nowhere"),
            ("résumé", "resume"),
            ("µg", "mg"),
            ("re-sign", "resign"),
            ("α", "alpha"),
            ("کتاب\u{200c}ها", "کتابها"),
            ("2*3", "23"),
        ] {
            assert_ne!(fold(one), fold(other));
        }
    }

    #[test]
    fn every_folded_word_leads_back_to_its_own() {
        let text = "«Ｉｃｅ»  ﬂoats — CAFE\u{301} hy\u{ad}phen on\u{a0}WATER";
        let folded = Folded::plain(text);
        let at = folded.text().find("water").unwrap();
        assert_eq!(&text[folded.raw(at)..], "WATER");
        let at = folded.text().find("café").unwrap();
        assert_eq!(folded.raw(at), text.find("CAFE").unwrap());
        assert_eq!(folded.folded(folded.raw(at)), at);
    }

    #[test]
    fn a_mark_joins_its_letter_wherever_that_stands() {
        for letters in 0..100 {
            let before = "a".repeat(letters);
            assert_eq!(fold(&format!("{before}E\u{301}")), format!("{before}é"));
            assert_eq!(fold(&format!("{before}иИ\u{306}")), format!("{before}ий"));
        }
    }

    #[test]
    fn blank_lines_separate_blocks() {
        let folded = Folded::plain("One block\n \nanother");
        assert!(folded.has_block_between(0, folded.text().len()));
        assert!(!Folded::plain("One\nblock").has_block_between(0, 9));
    }

    proptest! {
        #[test]
        fn folding_is_total_and_the_map_never_runs_backwards(text in any::<String>()) {
            let folded = Folded::plain(&text);
            let mut last = 0;
            for (at, _) in folded.text().char_indices() {
                let raw = folded.raw(at);
                prop_assert!(raw >= last && raw <= text.len());
                last = raw;
            }
            prop_assert_eq!(folded.raw(folded.text().len()), text.len());
        }

        #[test]
        fn folding_twice_changes_nothing(text in "[a-zA-ZäÄß“”—  \n冰ﬁ²½é]{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn composed_and_decomposed_text_fold_alike(text in "[a-eA-E.]{0,70}[éÉñЖйЙёάΏłßﬁ冰각ဦกำि़क़ো \n]{1,9}[a-eё]{0,70}[éй]") {
            prop_assert_eq!(fold(&text.nfd().collect::<String>()), fold(&text.nfc().collect::<String>()));
        }

        #[test]
        fn runs_fold_as_single_letters_do(text in "([a-zA-Z \n]{0,70}|[a-hА-яÀ-ÖЂłÞ \n]{0,30}){0,5}") {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let folded = fold(&text);
            prop_assert_eq!(folded.trim(), words.as_str());
        }
    }
}
