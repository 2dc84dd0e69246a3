//! Line and column of a byte offset. Lines end at `\n`, `\r\n` or a lone `\r`; both counts start at 1 and a
//! column counts characters, as editors do.

/// Where the lines of one text begin.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Scans `text` once for its line ends.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let crlf = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            if !crlf {
                starts.push(at + 1);
            }
        }
        Self { starts }
    }

    /// The number of the line that holds `offset`, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Line and column of `offset` in `text`, both from 1; a BOM has no column of its own.
    pub fn place(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let start = self.starts[line - 1];
        let before = text.get(start..offset).unwrap_or_default();
        let before = if start == 0 { before.trim_start_matches('\u{feff}') } else { before };
        (line, before.chars().count() + 1)
    }

    /// The byte range of line `number` (from 1) in `text`, with its line end.
    pub fn range(&self, text: &str, number: usize) -> std::ops::Range<usize> {
        let start = self.starts.get(number.wrapping_sub(1)).copied().unwrap_or(text.len());
        let end = self.starts.get(number).copied().unwrap_or(text.len());
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_starts_a_line() {
        let text = "a\nb\r\nc\rd";
        let index = LineIndex::new(text);
        assert_eq!(index.place(text, text.find('b').unwrap()), (2, 1));
        assert_eq!(index.place(text, text.find('c').unwrap()), (3, 1));
        assert_eq!(index.place(text, text.find('d').unwrap()), (4, 1));
        assert_eq!(&text[index.range(text, 2)], "b\r\n");
    }

    #[test]
    fn columns_count_characters_and_skip_a_byte_order_mark() {
        let text = "\u{feff}冰浮[1]";
        assert_eq!(LineIndex::new(text).place(text, text.find('[').unwrap()), (1, 3));
    }
}
