//! One bracketed group of numbers, read to ids: `[1]`, `[1, 2]`, `[1–3]`, `【1】`, `［1］`. What stands around it,
//! and whether it cites anything, is decided in `citation`.

use super::{Form, SourceId, Target};
use crate::text::digits;
use crate::text::fold::unseen;

/// The widest range that is spelled out.
const MAX_WIDTH: u32 = 100;

/// Numbers in brackets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Bracket {
    /// One past the closing bracket.
    pub end: usize,
    pub target: Target,
    pub form: Form,
}

/// The bracketed numbers at byte `at` of `text`.
pub(super) fn read(text: &str, at: usize) -> Option<Bracket> {
    let rest = text.get(at..)?;
    let open = rest.chars().next()?;
    let close = match open {
        '[' => ']',
        '【' => '】',
        '［' => '］',
        _ => return None,
    };
    let mut reader =
        Reader { rest: &rest[open.len_utf8()..], ids: Vec::new(), wide: None, form: Form::Canonical };
    reader.list(close)?;
    let end = text.len() - reader.rest.len();
    let form = if open == '[' { reader.form } else { Form::FullWidth };
    let target = match reader.wide {
        Some((first, last)) => Target::WideRange(SourceId(first), SourceId(last)),
        None => Target::Ids(reader.ids),
    };
    Some(Bracket { end, target, form })
}

struct Reader<'t> {
    rest: &'t str,
    ids: Vec<SourceId>,
    wide: Option<(u32, u32)>,
    form: Form,
}

impl Reader<'_> {
    /// Numbers and ranges up to the closing bracket, which is taken.
    fn list(&mut self, close: char) -> Option<()> {
        self.space();
        loop {
            self.range()?;
            self.space();
            let next = self.rest.chars().next()?;
            self.rest = &self.rest[next.len_utf8()..];
            if next == close {
                return Some(());
            }
            if !matches!(next, ',' | ';' | '，' | '、' | '；' | '،') {
                return None;
            }
            self.form = Form::List;
            self.space();
        }
    }

    /// A number or a range of numbers.
    fn range(&mut self) -> Option<()> {
        let first = self.number()?;
        let before = self.rest;
        self.space();
        let Some(after) = self.rest.strip_prefix(['-', '–', '—', '‒', '‑', '−', '~', '～']) else {
            self.rest = before;
            self.ids.push(SourceId(first));
            return Some(());
        };
        self.rest = after;
        self.space();
        let last = self.number()?;
        if self.form == Form::Canonical {
            self.form = Form::Range;
        }
        match last.checked_sub(first) {
            None => self.ids.extend([SourceId(first), SourceId(last)]),
            Some(width) if width > MAX_WIDTH => self.wide = self.wide.or(Some((first, last))),
            Some(_) => self.ids.extend((first..=last).map(SourceId)),
        }
        Some(())
    }

    fn number(&mut self) -> Option<u32> {
        let (number, length) = number(self.rest)?;
        if self.rest[..length].contains(unseen) && self.form == Form::Canonical {
            self.form = Form::List;
        }
        self.rest = &self.rest[length..];
        Some(number)
    }

    fn space(&mut self) {
        let trimmed = self.rest.trim_start_matches(|c: char| c.is_whitespace() || unseen(c));
        if trimmed.len() < self.rest.len() && self.form == Form::Canonical {
            self.form = Form::List;
        }
        self.rest = trimmed;
    }
}

/// The number at the start of `text` as a reader sees it, with its length in bytes: what nobody sees between its
/// digits does not end it.
pub(super) fn number(text: &str) -> Option<(u32, usize)> {
    let (number, mut length) = digits::leading_number(text)?;
    let mut shown = String::new();
    loop {
        let rest = text[length..].trim_start_matches(unseen);
        if rest.len() == text.len() - length || !rest.starts_with(|c| digits::value(c).is_some()) {
            break;
        }
        let digit = |c: char| digits::value(c).is_some();
        if shown.is_empty() {
            shown.push_str(&text[..length]);
        }
        let run = rest.find(|c| !digit(c)).unwrap_or(rest.len());
        shown.push_str(&rest[..run]);
        length = text.len() - rest.len() + run;
    }
    if shown.is_empty() { Some((number, length)) } else { Some((digits::leading_number(&shown)?.0, length)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Option<Vec<u32>> {
        match read(text, 0)?.target {
            Target::Ids(ids) => Some(ids.into_iter().map(|id| id.0).collect()),
            _ => None,
        }
    }

    #[test]
    fn lists_and_ranges_are_spelled_out() {
        assert_eq!(ids("[1]"), Some(vec![1]));
        assert_eq!(ids("[1, 2;3]"), Some(vec![1, 2, 3]));
        assert_eq!(ids("[1-3]"), Some(vec![1, 2, 3]));
        assert_eq!(ids("[2–3, 7]"), Some(vec![2, 3, 7]));
        assert_eq!(ids("【１２】"), Some(vec![12]));
        assert_eq!(ids("[٩]"), Some(vec![9]));
        assert_eq!(ids("[\u{200b}9\u{ad}7\u{2060}]"), Some(vec![97]));
    }

    #[test]
    fn a_range_over_a_hundred_wide_names_its_ends() {
        let bracket = read("[1-500]", 0).unwrap();
        assert_eq!(bracket.target, Target::WideRange(SourceId(1), SourceId(500)));
    }

    #[test]
    fn other_brackets_are_no_numbers() {
        for text in ["[a]", "[1", "[1,]", "[]", "[1.5]", "[-1]", "[1】", "[12345678901]", "[1,, 2]"] {
            assert_eq!(read(text, 0), None, "{text}");
        }
    }
}
