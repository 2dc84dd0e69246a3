//! What the Markdown parser is given: the text after a byte order mark and front matter, with fences that never
//! close taken as closed where their writer meant it. Out: the body, and the way back to bytes of the original.

use std::borrow::Cow;
use std::ops::Range;

use super::Span;

/// The part of a draft that is Markdown.
pub(super) struct Source<'t> {
    /// What to parse.
    pub body: Cow<'t, str>,
    start: usize,
    /// Offsets in the uncut body before which a line break was put, ascending.
    cuts: Vec<usize>,
}

impl<'t> Source<'t> {
    /// Cuts byte order mark and front matter.
    pub fn new(text: &'t str) -> Self {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let start = start + front_matter(&text[start..]);
        Self { body: Cow::Borrowed(&text[start..]), start, cuts: Vec::new() }
    }

    /// The bytes of the original that `span` of the body stands for.
    pub fn original(&self, span: &Range<usize>) -> Span {
        self.offset(span.start)..self.offset(span.end)
    }

    fn offset(&self, at: usize) -> usize {
        if self.cuts.is_empty() {
            return self.start + at;
        }
        let (mut low, mut high) = (0, self.cuts.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.cuts[middle] + middle < at { low = middle + 1 } else { high = middle }
        }
        self.start + at - low
    }

    /// The same source with the fence that opens at byte `open` of the original closed at the first later line
    /// that begins with its marker, and so on for the fences after it; `None` where no such line is found.
    pub fn closing_fence(&self, text: &'t str, open: usize) -> Option<Self> {
        let body = &text[self.start..];
        let mut cuts = self.cuts.clone();
        cuts.extend(closers(body, open.checked_sub(self.start)?));
        if cuts.len() == self.cuts.len() {
            return None;
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut cut = String::with_capacity(body.len() + cuts.len());
        let mut from = 0;
        for at in &cuts {
            cut.push_str(&body[from..*at]);
            cut.push('\n');
            from = *at;
        }
        cut.push_str(&body[from..]);
        Some(Self { body: Cow::Owned(cut), start: self.start, cuts })
    }
}

/// The run of back-ticks or tildes that `fence` begins with.
pub(super) fn fence_marker(fence: &str) -> &str {
    let marker = fence.chars().next().unwrap_or('`');
    &fence[..fence.len() - fence.trim_start_matches(marker).len()]
}

/// The length of the front matter that `text` begins with; 0 where it has none.
fn front_matter(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next() else { return 0 };
    let marker = first.trim_end();
    if marker != "---" && marker != "+++" {
        return 0;
    }
    let mut length = first.len();
    let mut keys = 0;
    for line in lines {
        length += line.len();
        let bare = line.trim_end();
        if bare == marker || (marker == "---" && bare == "...") {
            return if keys > 0 { length } else { 0 };
        }
        if !is_metadata(bare, marker) {
            return 0;
        }
        keys += usize::from(!bare.is_empty());
    }
    0
}

/// A line that YAML or TOML metadata may hold, so that prose between two rules is no front matter.
fn is_metadata(line: &str, marker: &str) -> bool {
    let Some(first) = line.chars().next() else { return true };
    if first.is_whitespace() || matches!(first, '#' | '-' | '[' | ']' | '{' | '}' | '"' | '\'') {
        return true;
    }
    let separator = if marker == "---" { ':' } else { '=' };
    let Some((key, value)) = line.split_once(separator) else { return false };
    key.split_whitespace().count() <= 3
        && (marker == "+++" || value.is_empty() || value.starts_with([' ', '\t']))
}

/// A run of back-ticks or tildes that a line begins with.
struct Fence {
    marker: u8,
    length: usize,
    /// Where the run ends.
    end: usize,
    /// Nothing but white space follows it.
    bare: bool,
    /// What follows it holds the marker's own character.
    info_has_marker: bool,
}

/// Offsets just behind the markers that close the fences which never close, from the one that opens at `open`.
fn closers(body: &str, open: usize) -> Vec<usize> {
    let fences: Vec<Fence> = fences(body, open);
    let longest_after = longest_bare(&fences);
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < fences.len() {
        let opener = &fences[at];
        if opener.marker == b'`' && opener.info_has_marker {
            at += 1;
            continue;
        }
        let closed = longest_after[at + 1][usize::from(opener.marker == b'~')] >= opener.length;
        let closes =
            |f: &Fence| f.marker == opener.marker && f.length >= opener.length && (f.bare || !closed);
        let Some(step) = fences[at + 1..].iter().position(closes) else { break };
        let closer = &fences[at + 1 + step];
        if !closed {
            cuts.push(closer.end);
        }
        at += step + 2;
    }
    cuts
}

/// The lines of `body` from `open` on that begin with a fence's marker.
fn fences(body: &str, open: usize) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut start = open;
    for line in body.get(open..).unwrap_or_default().split_inclusive('\n') {
        let inner = line.trim_start_matches([' ', '\t', '>']);
        let run = start + line.len() - inner.len();
        start += line.len();
        let Some(marker @ (b'`' | b'~')) = inner.bytes().next() else { continue };
        let length = inner.bytes().take_while(|b| *b == marker).count();
        if length >= 3 {
            let info = &inner[length..];
            let bare = info.trim().is_empty();
            let info_has_marker = info.bytes().any(|b| b == marker);
            found.push(Fence { marker, length, end: run + length, bare, info_has_marker });
        }
    }
    found
}

/// For each position in `fences`, the longest bare run at or after it, of back-ticks and of tildes.
fn longest_bare(fences: &[Fence]) -> Vec<[usize; 2]> {
    let mut longest = vec![[0, 0]; fences.len() + 1];
    for (at, fence) in fences.iter().enumerate().rev() {
        longest[at] = longest[at + 1];
        if fence.bare {
            let slot = &mut longest[at][usize::from(fence.marker == b'~')];
            *slot = fence.length.max(*slot);
        }
    }
    longest
}
