//! Where an answer's text holds numbers of its own: brackets of local names, as `answer` knows them, and every other form
//! that a draft reads as a citation (`【1】`, `[1-3]`, `[^1]`, other digits). One that stayed would mean a source of the
//! ledger as soon as the answer is pasted.

use std::ops::Range;

use crate::draft::{Citation, Draft, Options, Target};
use crate::identity::{Key, Register, SourceId};

/// A bracket of more bytes than this is no list of local numbers.
const BRACKET_BYTES: usize = 200;

/// A bracketed number of more digits is a year or a quantity, not a local number.
const NUMBER_DIGITS: usize = 3;

/// The highest local number.
const HIGHEST: u32 = 999;

/// A link of more bytes than this is left alone.
const LINK_BYTES: usize = 4096;

/// A place that names sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// Bytes of the text.
    pub at: Range<usize>,
    /// What it names: `1` or a chunk id.
    pub names: Vec<String>,
}

/// Every mark of `text`, in order: brackets of numbers and of local names, and what else a draft reads.
pub(super) fn named(text: &str, is_local: impl Fn(&str) -> bool) -> Vec<Mark> {
    let brackets = brackets(text, is_local);
    let covered = |at: &Range<usize>| {
        let next = brackets.partition_point(|bracket| bracket.at.end <= at.start);
        brackets.get(next).is_some_and(|bracket| bracket.at.start < at.end)
    };
    let mut others = read_by_drafts(text);
    others.retain(|mark| !covered(&mark.at));
    let mut marks = [brackets, others].concat();
    marks.sort_by_key(|mark| mark.at.start);
    marks
}

/// What a draft reads as a citation by number.
pub(super) fn read_by_drafts(text: &str) -> Vec<Mark> {
    let draft = Draft::parse(text, &Options::default(), &Numbers(Key::from_stored("")));
    draft.citations.iter().filter_map(mark).collect()
}

fn mark(citation: &Citation) -> Option<Mark> {
    let names = match &citation.target {
        Target::Ids(ids) if ids.iter().all(|id| id.0 <= HIGHEST) => {
            ids.iter().map(SourceId::to_string).collect()
        }
        Target::Linked(id, _) if id.0 <= HIGHEST => vec![id.to_string()],
        Target::WideRange(first, last) => vec![format!("{first}-{last}")],
        _ => return None,
    };
    Some(Mark { at: citation.span.clone(), names })
}

/// A ledger that holds every number an answer may use: which ones the real one holds is not known here.
struct Numbers(Key);

impl Register for Numbers {
    fn key_of(&self, id: SourceId) -> Option<&Key> {
        (id.0 <= HIGHEST).then_some(&self.0)
    }
    fn id_of(&self, _: &str) -> Option<SourceId> {
        None
    }
}

/// Brackets whose names are all numbers or local, each with the link behind it.
fn brackets(text: &str, is_local: impl Fn(&str) -> bool) -> Vec<Mark> {
    let (mut marks, mut from) = (Vec::new(), 0);
    while let Some(bracket) = next_bracket(text, from) {
        from = bracket.end;
        let inside = &text[bracket.start + 1..bracket.end - 1];
        let names: Vec<String> = inside.split([',', ';']).map(|name| name.trim().to_owned()).collect();
        if names.iter().all(|name| is_local(name) || is_number(name)) {
            marks.push(Mark { at: bracket.start..link_end(text, bracket.end), names });
        }
    }
    marks
}

/// Does `text` end inside a bracket?
pub(super) fn is_open(text: &str) -> bool {
    let mut nearest = text.chars().rev().take(BRACKET_BYTES);
    nearest.find(|c| "[]【】［］".contains(*c)).is_some_and(|c| "[【［".contains(c))
}

/// A local number, not a year or a quantity.
pub(super) fn is_number(name: &str) -> bool {
    (1..=NUMBER_DIGITS).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_digit())
}

/// The next `[…]` without brackets in it, outside code.
fn next_bracket(text: &str, mut from: usize) -> Option<Range<usize>> {
    loop {
        let at = from + memchr::memchr2(b'[', b'`', &text.as_bytes()[from..])?;
        if text.as_bytes()[at] == b'`' {
            from = code_end(text, at);
            continue;
        }
        let window = &text.as_bytes()[at + 1..text.len().min(at + 1 + BRACKET_BYTES)];
        match window.iter().position(|b| matches!(b, b'[' | b']')) {
            Some(length) if window[length] == b']' => return Some(at..at + length + 2),
            _ => from = at + 1,
        }
    }
}

/// Behind the code span or block that a run of back-ticks opens; behind the run where nothing closes it.
fn code_end(text: &str, at: usize) -> usize {
    let run = text.as_bytes()[at..].iter().take_while(|b| **b == b'`').count();
    let close = memchr::memmem::find(&text.as_bytes()[at + run..], &text.as_bytes()[at..at + run]);
    at + run + close.map_or(0, |close| close + run)
}

/// The end of `](https://…)` where a bracket is a link; else the end of the bracket.
fn link_end(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    if !rest.starts_with("(http") {
        return end;
    }
    let window = &rest.as_bytes()[..rest.len().min(LINK_BYTES)];
    let close = window.iter().position(|b| matches!(b, b')' | b'\n'));
    close.filter(|at| window[*at] == b')').map_or(end, |at| end + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(marks: Vec<Mark>) -> Vec<String> {
        marks.into_iter().map(|mark| mark.names.join("+")).collect()
    }

    #[test]
    fn every_form_that_a_draft_reads_is_a_mark() {
        let text = "Ice floats.[1] Water boils【2】. Salt melts［3］. Snow falls.[4-6] Rain falls.[7–8] \
                    Steam rises.[^9] Fog lifts.[١٠] Hail falls.\\[11\\] Dew forms.[[12]](https://a.example)";
        let read = ["1", "2", "3", "4+5+6", "7+8", "9", "10", "11", "12"];
        assert_eq!(names(named(text, |_| false)), read);
        assert_eq!(names(read_by_drafts(text)), read);
    }

    #[test]
    fn years_words_and_code_are_no_marks() {
        let text = "In [2024] [sic] `a[1]` or [a](https://a.example) at [1234].";
        assert_eq!(named(text, |_| false), []);
        assert_eq!(read_by_drafts(text), []);
    }

    #[test]
    fn a_chunk_id_is_a_mark_where_it_is_known() {
        assert_eq!(names(named("Ice floats [00ff; 2].", |name| name == "00ff")), ["00ff+2"]);
        assert_eq!(named("Ice floats [00ff].", |_| false), []);
    }
}
