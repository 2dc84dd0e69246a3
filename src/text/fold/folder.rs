//! Builds a [`Folded`] from pieces of a text: what is left over by [runs](super::runs) character by character.

use super::table::{Folds, fold_cluster, folds, unseen};
use super::{Folded, Shift};

/// White space that was met and for which one space was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Space {
    pub(super) written_at: usize,
    pub(super) lines: u32,
    pub(super) after_cjk: bool,
}

/// Builds a [`Folded`] from pieces given in the order in which they stand.
#[derive(Debug, Default)]
pub struct Folder {
    pub(super) out: String,
    shifts: Vec<Shift>,
    blocks: Vec<u32>,
    /// Raw offset minus folded offset, as of the last entry.
    distance: i64,
    pub(super) space: Option<Space>,
    pub(super) last: char,
    /// Combining class of the last character, and where its base stands: in the piece, and in `out`.
    pub(super) class: u8,
    pub(super) base: Option<(usize, usize)>,
}

impl Folder {
    /// A folder for about that many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { out: String::with_capacity(bytes), ..Self::default() }
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
        self.out.get(at..).unwrap_or_default()
    }

    /// Takes `text`, which stands at raw byte `at` as it is.
    pub fn text(&mut self, text: &str, at: usize) {
        self.base = None;
        let bytes = text.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            if bytes[i] < 0x80 {
                i = self.ascii(bytes, i, at);
                continue;
            }
            let end = match bytes[i] {
                // Punctuation and full-width forms: hardly one of them folds to itself.
                0xe2 | 0xef => i,
                ..0xe0 => self.letters(text, i, at),
                _ => self.run(text, i, at),
            };
            if end > i {
                i = end;
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
        self.write(&folded, at, len);
        self.last = text.chars().last().unwrap_or_default();
    }

    /// Takes a character that no text holds ([`WALL`](super::WALL), [`GAP`](super::GAP)…) for what stands at `at`.
    pub fn mark(&mut self, mark: char, at: usize) {
        self.settle(mark);
        self.write(mark.encode_utf8(&mut [0; 4]), at, 1);
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
        Folded { text: self.out, shifts: self.shifts, blocks: self.blocks }
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
        self.write(folded.encode_utf8(&mut [0; 4]), at + i, c.len_utf8());
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
        self.write(&folded, at + start, end - start);
        end
    }

    /// Takes white space that holds `lines` line breaks.
    pub(super) fn space(&mut self, raw: usize, lines: u32) {
        let mut space = self.space.unwrap_or(Space {
            written_at: self.out.len(),
            lines: 0,
            after_cjk: is_cjk(self.last),
        });
        if self.space.is_none() {
            self.align(raw);
            self.out.push(' ');
        }
        if space.lines < 2 && space.lines + lines >= 2 {
            self.blocks.push(space.written_at as u32);
        }
        space.lines += lines;
        self.space = Some(space);
        self.base = None;
    }

    /// Something follows the white space: a line break between two CJK characters was none.
    pub(super) fn settle(&mut self, next: char) {
        let Some(space) = self.space.take() else { return };
        if space.lines == 1 && space.after_cjk && is_cjk(next) {
            self.rewind(space.written_at);
        }
    }

    /// Writes `folded` for `len` raw bytes at `raw`. No byte but the first maps to a border of the raw text.
    fn write(&mut self, folded: &str, raw: usize, len: usize) {
        self.align(raw);
        let start = self.out.len();
        for byte in len.max(1)..folded.len() {
            self.align_at(start + byte, raw + len.saturating_sub(1));
        }
        self.out.push_str(folded);
    }

    /// What is written next stands for the raw byte at `raw`.
    pub(super) fn align(&mut self, raw: usize) {
        self.align_at(self.out.len(), raw);
    }

    fn align_at(&mut self, folded: usize, raw: usize) {
        let distance = raw as i64 - folded as i64;
        if distance != self.distance {
            self.shifts.push(Shift { folded: folded as u32, raw: raw as u32 });
            self.distance = distance;
        }
    }

    fn rewind(&mut self, len: usize) {
        if self.out.is_char_boundary(len) {
            self.out.truncate(len);
        }
        while self.shifts.last().is_some_and(|shift| shift.folded as usize >= len.max(1)) {
            self.shifts.pop();
        }
        self.distance = self.shifts.last().map_or(0, |shift| i64::from(shift.raw) - i64::from(shift.folded));
    }
}

/// Characters of one base with its marks that are looked at together.
const MAX_CLUSTER: usize = 64;

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
