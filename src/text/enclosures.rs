//! Matched quotation marks and brackets of a text, so that no sentence ends inside them. An opener without its
//! closer, or with one too far away, encloses nothing.

use std::ops::Range;

use super::sentences::Mark;

/// The longest passage that counts as one quotation, in bytes.
const LONGEST: usize = 1_200;

/// How many open marks are looked through for the one that a closer closes.
const DEPTH: usize = 8;

/// Matched pairs, outermost only.
pub(super) struct Enclosures {
    /// From the opener's first byte to one past the closer, sorted, not overlapping.
    outer: Vec<Range<usize>>,
}

impl Enclosures {
    /// Finds the pairs of `text` outside `marks`.
    pub fn find(text: &str, marks: &[Mark]) -> Self {
        let mut pairs: Vec<Range<usize>> = Vec::new();
        let mut open: Vec<(char, usize)> = Vec::new();
        let mut next_mark = 0;
        for (at, c) in candidates(text) {
            while marks.get(next_mark).is_some_and(|mark| mark.span.end <= at) {
                next_mark += 1;
            }
            if marks.get(next_mark).is_some_and(|mark| mark.span.start <= at) {
                continue;
            }
            let depth = open.iter().rev().take(DEPTH).position(|(closer, _)| *closer == c);
            let closes = depth.is_some() && (c != '"' || !text[..at].ends_with(char::is_whitespace));
            if let (Some(depth), true) = (depth, closes) {
                let index = open.len() - 1 - depth;
                let start = open[index].1;
                open.truncate(index);
                if at - start <= LONGEST {
                    pairs.push(start..at + c.len_utf8());
                }
            } else if let Some(closer) = closer_of(text, at, c) {
                open.push((closer, at));
            }
        }
        Self { outer: outermost(pairs) }
    }

    /// Whether `at` lies inside a pair.
    pub fn hold(&self, at: usize) -> bool {
        self.before(at).is_some_and(|pair| at < pair.end)
    }

    /// Whether a pair opens at `at`.
    pub fn opens(&self, at: usize) -> bool {
        self.outer.binary_search_by_key(&at, |pair| pair.start).is_ok()
    }

    /// Where the pair that closes at `end` opens.
    pub fn opened_at(&self, end: usize) -> Option<usize> {
        self.before(end).filter(|pair| pair.end == end).map(|pair| pair.start)
    }

    fn before(&self, at: usize) -> Option<&Range<usize>> {
        let index = self.outer.partition_point(|pair| pair.start < at);
        self.outer.get(index.checked_sub(1)?)
    }
}

/// Characters of `text` that may open or close something.
fn candidates(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.char_indices().filter(|(_, c)| {
        matches!(c, '"' | '(' | ')' | '[' | ']')
            || (*c as u32 >= 0xab && "«»“”„‘’「」『』（）《》〈〉【】〔〕［］".contains(*c))
    })
}

/// What closes the mark that `c` opens at `at`.
fn closer_of(text: &str, at: usize, c: char) -> Option<char> {
    let before_is_open = || text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    let after_is_text = || text[at + c.len_utf8()..].chars().next().is_some_and(|c| !c.is_whitespace());
    Some(match c {
        '"' if before_is_open() && after_is_text() => '"',
        '(' => ')',
        '[' => ']',
        '“' => '”',
        '„' => '“',
        '‘' => '’',
        '«' => '»',
        '»' if after_is_text() && before_is_open() => '«',
        '「' => '」',
        '『' => '』',
        '（' => '）',
        '《' => '》',
        '〈' => '〉',
        '【' => '】',
        '〔' => '〕',
        '［' => '］',
        _ => return None,
    })
}

/// `pairs` without those inside others, sorted.
fn outermost(mut pairs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    pairs.sort_by_key(|pair| (pair.start, usize::MAX - pair.end));
    let mut outer: Vec<Range<usize>> = Vec::new();
    for pair in pairs {
        if outer.last().is_none_or(|last| pair.start >= last.end) {
            outer.push(pair);
        }
    }
    outer
}
