//! Text folded for comparison, with every byte's way back. In: pieces of a text and where they stand in it.
//! Out: [`Folded`], in which two texts that show the same words are equal. What folds and what never does is in
//! spec order: white space, NFC, full case folding, width, quotation marks, dashes, unseen characters.
//!
//! The map back is sparse: an entry only where the distance between the two texts changes.

mod table;

pub(crate) use table::unseen;
use table::{Folds, fold_cluster, folds};

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
        let after = self.shifts.partition_point(|shift| shift.raw as usize <= raw);
        let next = self.shifts.get(after).map_or(self.text.len(), |shift| shift.folded as usize);
        match after.checked_sub(1) {
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

/// White space that was met and for which one space was written.
#[derive(Debug, Clone, Copy)]
struct Space {
    written_at: usize,
    lines: u32,
    after_cjk: bool,
}

/// Builds a [`Folded`] from pieces given in the order in which they stand.
#[derive(Debug, Default)]
pub struct Folder {
    out: Vec<u8>,
    shifts: Vec<Shift>,
    blocks: Vec<u32>,
    /// Raw offset minus folded offset, as of the last entry.
    distance: i64,
    space: Option<Space>,
    last: char,
    /// Combining class of the last character, and where its base stands: in the piece, and in `out`.
    class: u8,
    base: Option<(usize, usize)>,
}

impl Folder {
    /// A folder for about that many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// How many bytes have been written.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The last character that was taken, before folding; NUL at the start, a space after white space.
    pub fn last(&self) -> char {
        if self.space.is_some() { ' ' } else { self.last }
    }

    /// What has been written since `at`.
    pub fn since(&self, at: usize) -> &str {
        self.out.get(at..).and_then(|tail| std::str::from_utf8(tail).ok()).unwrap_or_default()
    }

    /// Takes `text`, which stands at raw byte `at` as it is.
    pub fn text(&mut self, text: &str, at: usize) {
        self.base = None;
        let bytes = text.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            if bytes[i] < 0x80 {
                i = self.ascii(bytes, i, at);
            } else if let Some(c) = text[i..].chars().next() {
                i = self.wide(c, text, i, at);
            }
        }
        self.base = None;
    }

    /// Takes `text`, which raw bytes `at..at + len` stand for (an entity, say).
    pub fn decoded(&mut self, text: &str, at: usize, len: usize) {
        if text.chars().all(char::is_whitespace) {
            return self.space(at, 0);
        }
        if text.chars().all(unseen) {
            return;
        }
        let folded = if text.is_ascii() { text.to_ascii_lowercase() } else { fold_cluster(text) };
        self.settle(text.chars().next().unwrap_or_default());
        self.write(folded.as_bytes(), at, len);
        self.last = text.chars().last().unwrap_or_default();
    }

    /// Takes a character that no text holds ([`WALL`], [`GAP`]…) for what stands at `at`.
    pub fn mark(&mut self, mark: char, at: usize) {
        self.settle(mark);
        self.write(mark.encode_utf8(&mut [0; 4]).as_bytes(), at, 1);
        self.last = mark;
    }

    /// Takes a line break that stands at `at`.
    pub fn line(&mut self, at: usize) {
        self.space(at, 1);
    }

    /// Ends a block at `at`.
    pub fn block(&mut self, at: usize) {
        if !self.out.is_empty() {
            self.space(at, 2);
        }
    }

    /// The folded text of a raw text of `raw_len` bytes.
    pub fn finish(mut self, raw_len: usize) -> Folded {
        self.align(raw_len);
        Folded {
            text: String::from_utf8(self.out).unwrap_or_default(),
            shifts: self.shifts,
            blocks: self.blocks,
        }
    }

    /// Takes ASCII from `i` on; gives where it stopped.
    fn ascii(&mut self, bytes: &[u8], mut i: usize, at: usize) -> usize {
        while let Some(chunk) = bytes.get(i..).and_then(|rest| rest.first_chunk::<CHUNK>()) {
            let Some(lower) = plain_chunk(chunk, self.space.is_some()) else { break };
            self.settle(chunk[0] as char);
            self.align(at + i);
            self.out.extend_from_slice(&lower);
            self.base = None;
            self.last = chunk[CHUNK - 1] as char;
            if lower[CHUNK - 1] == b' ' {
                self.last = chunk[CHUNK - 2] as char;
                let lines = u32::from(is_line(chunk[CHUNK - 1]));
                self.space = Some(Space { written_at: self.out.len() - 1, lines, after_cjk: false });
            }
            i += CHUNK;
        }
        let stop = bytes.len().min(i + CHUNK);
        while i < stop && bytes[i] < 0x80 {
            self.ascii_byte(bytes, i, at);
            i += 1;
        }
        i
    }

    fn ascii_byte(&mut self, bytes: &[u8], i: usize, at: usize) {
        let byte = bytes[i];
        if byte == b' ' || byte.wrapping_sub(9) < 5 {
            let pair = byte == b'\r' && bytes.get(i + 1) == Some(&b'\n');
            return self.space(at + i, u32::from(is_line(byte) && !pair));
        }
        self.settle(byte as char);
        self.align(at + i);
        self.base = Some((i, self.out.len()));
        self.class = 0;
        self.out.push(byte.to_ascii_lowercase());
        self.last = byte as char;
    }

    /// Takes the character `c` at `i`; gives where the next one stands.
    fn wide(&mut self, c: char, text: &str, i: usize, at: usize) -> usize {
        let next = i + c.len_utf8();
        match folds(c) {
            Folds::Same => self.one(c, c, i, at),
            Folds::One(folded) => self.one(c, folded, i, at),
            Folds::Space => self.space(at + i, 0),
            Folds::Line => self.space(at + i, 1),
            Folds::Gone => {}
            Folds::Joiner => {
                if joins(self.last, text[next..].chars().next().unwrap_or_default()) {
                    self.one(c, c, i, at);
                }
            }
            Folds::Mark(class) if class >= self.class => {
                let base = self.base;
                self.one(c, c, i, at);
                (self.class, self.base) = (class, base);
            }
            Folds::Alone => return self.cluster(text, i, at, None),
            Folds::Mark(_) | Folds::Cluster => return self.cluster(text, i, at, self.base),
        }
        next
    }

    fn one(&mut self, c: char, folded: char, i: usize, at: usize) {
        self.settle(c);
        self.class = 0;
        self.base = Some((i, self.out.len()));
        self.write(folded.encode_utf8(&mut [0; 4]).as_bytes(), at + i, c.len_utf8());
        self.last = c;
    }

    /// Folds the base before `i`, where there is one, again together with every mark from `i` on.
    fn cluster(&mut self, text: &str, i: usize, at: usize, base: Option<(usize, usize)>) -> usize {
        let mut end = i;
        for c in text[i..].chars().take(MAX_CLUSTER) {
            let goes_on = matches!(folds(c), Folds::Mark(_) | Folds::Cluster);
            if end > i && !goes_on {
                break;
            }
            end += c.len_utf8();
        }
        let (start, written_at) = base.unwrap_or((i, usize::MAX));
        let c = text[start..].chars().next().unwrap_or_default();
        self.settle(c);
        if written_at < self.out.len() {
            self.rewind(written_at);
        }
        let folded = fold_cluster(&text[start..end]);
        self.class = 0;
        self.base = None;
        self.last = text[start..end].chars().last().unwrap_or(c);
        self.write(folded.as_bytes(), at + start, end - start);
        end
    }

    /// Takes white space that holds `lines` line breaks.
    fn space(&mut self, raw: usize, lines: u32) {
        let mut space = self.space.unwrap_or(Space {
            written_at: self.out.len(),
            lines: 0,
            after_cjk: is_cjk(self.last),
        });
        if self.space.is_none() {
            self.align(raw);
            self.out.push(b' ');
        }
        if space.lines < 2 && space.lines + lines >= 2 {
            self.blocks.push(space.written_at as u32);
        }
        space.lines += lines;
        self.space = Some(space);
        self.base = None;
    }

    /// Something follows the white space: a line break between two CJK characters was none.
    fn settle(&mut self, next: char) {
        let Some(space) = self.space.take() else { return };
        if space.lines == 1 && space.after_cjk && is_cjk(next) {
            self.rewind(space.written_at);
        }
    }

    /// Writes `folded` for `len` raw bytes at `raw`. No byte but the first maps to a border of the raw text.
    fn write(&mut self, folded: &[u8], raw: usize, len: usize) {
        self.align(raw);
        let fits = folded.len().min(len.max(1));
        self.out.extend_from_slice(&folded[..fits]);
        for byte in &folded[fits..] {
            self.align(raw + len.saturating_sub(1));
            self.out.push(*byte);
        }
    }

    fn align(&mut self, raw: usize) {
        let distance = raw as i64 - self.out.len() as i64;
        if distance != self.distance {
            self.shifts.push(Shift { folded: self.out.len() as u32, raw: raw as u32 });
            self.distance = distance;
        }
    }

    fn rewind(&mut self, len: usize) {
        self.out.truncate(len);
        while self.shifts.last().is_some_and(|shift| shift.folded as usize >= len.max(1)) {
            self.shifts.pop();
        }
        self.distance = self.shifts.last().map_or(0, |shift| i64::from(shift.raw) - i64::from(shift.folded));
    }
}

/// Bytes that are folded at once where nothing special is among them.
const CHUNK: usize = 32;
/// Characters of one base with its marks that are looked at together.
const MAX_CLUSTER: usize = 64;

/// Lower-case bytes of a chunk of plain ASCII without runs of white space.
fn plain_chunk(chunk: &[u8; CHUNK], after_space: bool) -> Option<[u8; CHUNK]> {
    let mut lower = [0; CHUNK];
    let mut spaces = [0; CHUNK];
    let mut odd = 0;
    for at in 0..CHUNK {
        let byte = chunk[at];
        let space = (byte == b' ') | (byte.wrapping_sub(9) < 5);
        spaces[at] = u8::from(space);
        let upper = u8::from(byte.wrapping_sub(b'A') < 26);
        lower[at] = if space { b' ' } else { byte | (upper << 5) };
        odd |= byte & 0x80;
    }
    odd |= spaces[0] & u8::from(after_space);
    for at in 1..CHUNK {
        odd |= spaces[at] & spaces[at - 1];
    }
    (odd == 0).then_some(lower)
}

fn is_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | 0xb | 0xc)
}

/// Between these two, ZWJ or ZWNJ changes what is written.
fn joins(before: char, after: char) -> bool {
    let cursive =
        |c: char| matches!(c as u32, 0x590..=0xdff | 0xf00..=0x109f | 0x1780..=0x18af | 0xfb1d..=0xfdff);
    let pictured = |c: char| matches!(c as u32, 0x2190..=0x2bff | 0x1f000..=0x1faff);
    (cursive(before) && cursive(after)) || (pictured(before) && pictured(after))
}

/// Written without spaces, so that a line break between two of them is no space: Han, kana, their punctuation
/// (but no full-width Latin).
pub fn is_cjk(c: char) -> bool {
    matches!(c as u32, 0x2e80..=0x303f | 0x3040..=0x312f | 0x3190..=0x9fff | 0xf900..=0xfaff | 0xfe30..=0xfe4f
        | 0xff01..=0xff0f | 0xff1a..=0xff20 | 0xff3b..=0xff40 | 0xff5b..=0xff9f | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        fn chunks_fold_as_single_bytes_do(text in "[a-zA-Z \n]{0,120}") {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let folded = fold(&text);
            prop_assert_eq!(folded.trim(), words.as_str());
        }
    }
}
