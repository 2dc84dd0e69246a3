//! The ways of a [`Folder`] through text that needs no look at single characters: plain ASCII in chunks, letters of two
//! bytes by table, and what folds to itself as it stands.

use super::folder::{Folder, Space};
use super::table::{Folds, after_e0, folds, two_bytes};

impl Folder {
    /// Takes ASCII from `i` on; gives where it stopped.
    pub(super) fn ascii(&mut self, bytes: &[u8], mut i: usize, at: usize) -> usize {
        while let Some(chunk) = bytes.get(i..).and_then(|rest| rest.first_chunk::<CHUNK>()) {
            let Some(lower) = plain_chunk(chunk, self.space.is_some()) else { break };
            self.settle(chunk[0] as char);
            self.align(at + i);
            self.out.push_str(std::str::from_utf8(&lower).unwrap_or_default());
            (self.base, self.class) = (Some((i + CHUNK - 1, self.out.len() - 1)), 0);
            self.last = chunk[CHUNK - 1] as char;
            if lower[CHUNK - 1] == b' ' {
                self.last = chunk[CHUNK - 2] as char;
                let lines = u32::from(is_line(chunk[CHUNK - 1]));
                self.space = Some(Space { written_at: self.out.len() - 1, lines, after_cjk: false });
                self.base = None;
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
        self.out.push(byte.to_ascii_lowercase() as char);
        self.last = byte as char;
    }

    /// Takes text from `i` on as long as every character of it has two bytes and folds to one of two, or is ASCII (which
    /// goes faster in chunks, where there is much of it); gives where it stopped.
    pub(super) fn letters(&mut self, text: &str, i: usize, at: usize) -> usize {
        let (bytes, table) = (text.as_bytes(), two_bytes());
        let two = |at: usize| match bytes.get(at..at + 2) {
            Some([lead @ 0xc2..=0xdf, trail]) => {
                table[usize::from(lead & 0x1f) << 6 | usize::from(trail & 0x3f)]
            }
            _ => '\0',
        };
        if two(i) == '\0' {
            return i;
        }
        self.settle(char::MAX);
        self.align(at + i);
        let start = self.out.len();
        let (mut end, mut last, mut wide) = (i, i, i);
        while let Some(byte) = bytes.get(end) {
            match byte {
                0x80.. => {
                    let folded = two(end);
                    if folded == '\0' {
                        break;
                    }
                    self.out.push(folded);
                    (last, wide) = (end, end);
                    end += 2;
                }
                0x21..=0x7e if end - wide <= CHUNK => {
                    self.out.push(byte.to_ascii_lowercase() as char);
                    last = end;
                    end += 1;
                }
                // White space of one byte, where a character stands before it.
                b' ' | b'\n' if !matches!(bytes[end - 1], b' ' | b'\n') => {
                    self.out.push(' ');
                    end += 1;
                }
                _ => break,
            }
        }
        // What follows decides what white space at the end is.
        if matches!(bytes[end - 1], b' ' | b'\n') {
            end -= 1;
        }
        self.out.truncate(start + end - i);
        (self.base, self.class) = (Some((last, start + last - i)), 0);
        self.last = text[last..].chars().next().unwrap_or_default();
        end
    }

    /// Takes text from `i` on as long as every character of it folds to itself; gives where it stopped.
    pub(super) fn run(&mut self, text: &str, i: usize, at: usize) -> usize {
        let bytes = text.as_bytes();
        let (mut end, mut last, mut base, mut class) = (i, i, i, 0);
        let mut space = None;
        while let Some(lead) = bytes.get(end) {
            let (folded, length) = match (lead, bytes.get(end + 1..end + 3)) {
                // Han and most of Hangul.
                (0xe4..=0xe9 | 0xeb | 0xec, _) => (Folds::Same, 3),
                (0xe0, Some([second @ 0xa0..=0xbf, third])) => {
                    (after_e0()[usize::from(second & 0x1f) << 6 | usize::from(third & 0x3f)], 3)
                }
                (..0x80, _) => (folds_ascii(*lead as char), 1),
                _ => {
                    let c = text[end..].chars().next().unwrap_or_default();
                    (folds(c), c.len_utf8())
                }
            };
            match folded {
                Folds::Same => (base, class, space) = (end, 0, None),
                Folds::Mark(next) if next >= class && end > i && space.is_none() => class = next,
                Folds::Space if *lead == b' ' && end > i && space.is_none() => space = Some((end, last)),
                _ => break,
            }
            last = end;
            end += length;
        }
        // What follows decides what white space at the end is.
        (end, last) = space.unwrap_or((end, last));
        if end > i {
            self.settle(text[i..].chars().next().unwrap_or_default());
            self.align(at + i);
            (self.base, self.class) = (Some((base, self.out.len() + base - i)), class);
            self.last = text[last..].chars().next().unwrap_or_default();
            self.out.push_str(&text[i..end]);
        }
        end
    }
}

/// Bytes that are folded at once where nothing special is among them.
const CHUNK: usize = 32;

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

/// What becomes of an ASCII character.
fn folds_ascii(c: char) -> Folds {
    match c {
        ' ' => Folds::Space,
        '\t'..='\r' | 'A'..='Z' => Folds::Alone,
        _ => Folds::Same,
    }
}

fn is_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | 0xb | 0xc)
}
