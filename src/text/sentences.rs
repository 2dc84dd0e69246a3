//! Where sentences end, in one pass over bytes. In: the plain text of one paragraph and the marks in it (citations,
//! code). Out: the stretches that are sentences, marks included with the statement they follow.
//!
//! Latin, Cyrillic and Greek boundaries lean on the case of the next letter and on tables of abbreviations; scripts
//! with a full stop of their own end there whatever follows. No boundary falls inside matched quotation marks or
//! brackets. Not here: how many words make a sentence, and what a mark means.

use std::ops::Range;

use super::abbreviations::{AFTER_ORDINALS, BEFORE_NUMBERS, EITHER, STARTERS, TITLES};
use super::enclosures::Enclosures;
use super::punctuation::{
    LONGEST_WORD, bracketed, continues, is_closer, is_dash, is_hangul, is_initial, is_opener, is_roman,
    may_stop, stop_at, word_before,
};
use super::words::is_unspaced;

/// A stretch that no boundary crosses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// It belongs to the statement before it, as a citation does; code and URLs are words of their own.
    pub attached: bool,
}

/// The sentences of `text`, without white space around them. `marks` are sorted and do not overlap.
pub fn split(text: &str, marks: &[Mark]) -> Vec<Range<usize>> {
    let mut scanner = Scanner {
        text,
        marks,
        next_mark: 0,
        enclosures: Enclosures::find(text, marks),
        start: 0,
        found: Vec::new(),
    };
    let mut at = 0;
    while let Some(stop) = scanner.next_stop(at) {
        at = scanner.judge(stop);
    }
    scanner.cut(text.len());
    scanner.found
}

/// A run of sentence punctuation.
struct Stop {
    start: usize,
    end: usize,
    /// Ends a sentence whatever follows.
    strong: bool,
    /// Two periods or more, or an ellipsis.
    ellipsis: bool,
    /// One plain period.
    period: bool,
}

struct Scanner<'a> {
    text: &'a str,
    marks: &'a [Mark],
    /// The first mark that does not end before the scanner's position.
    next_mark: usize,
    enclosures: Enclosures,
    start: usize,
    found: Vec<Range<usize>>,
}

impl Scanner<'_> {
    /// The next run of sentence punctuation outside marks.
    fn next_stop(&mut self, from: usize) -> Option<Stop> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < bytes.len() {
            if let Some(end) = self.mark_end(at) {
                at = end;
                continue;
            }
            if may_stop(bytes[at]) && stop_at(self.text, at).is_some() {
                return Some(self.run(at));
            }
            at += 1;
        }
        None
    }

    /// The end of the mark that begins at or before `at` and reaches beyond it.
    fn mark_end(&mut self, at: usize) -> Option<usize> {
        while self.marks.get(self.next_mark).is_some_and(|mark| mark.span.end <= at) {
            self.next_mark += 1;
        }
        let mark = self.marks.get(self.next_mark)?;
        (mark.span.start <= at).then_some(mark.span.end)
    }

    /// The whole run of punctuation that begins at `start`.
    fn run(&self, start: usize) -> Stop {
        let mut stop = Stop { start, end: start, strong: false, ellipsis: false, period: false };
        let mut periods = 0;
        let mut others = false;
        while let Some((c, strong)) = stop_at(self.text, stop.end) {
            stop.strong |= strong;
            stop.ellipsis |= c == '…';
            periods += usize::from(c == '.');
            others |= c != '.' && c != '…';
            stop.end += c.len_utf8();
        }
        stop.ellipsis = (stop.ellipsis || periods > 1) && !others;
        stop.period = periods == 1 && !others && !stop.ellipsis;
        stop
    }

    /// Decides on one run of punctuation and returns where to look on.
    fn judge(&mut self, stop: Stop) -> usize {
        let closed = self.closers(stop.end);
        if self.enclosures.hold(closed) {
            return stop.end;
        }
        let (marks_end, glued) = self.attached_marks(closed);
        let next = Next::read(self.text, marks_end.unwrap_or(closed));
        if stop.strong {
            return self.judge_strong(&stop, closed, marks_end);
        }
        let verdict = if stop.period { self.after_period(&stop, &next) } else { after_other(&stop, &next) };
        match (verdict, marks_end) {
            (Verdict::Ends, Some(end)) => self.cut(end),
            (Verdict::Ends, None) => self.cut(closed),
            (Verdict::Lower, Some(end)) if glued => self.cut(end),
            (Verdict::Lower, Some(_)) => self.cut(closed),
            _ => return stop.end,
        }
        self.start
    }

    fn judge_strong(&mut self, stop: &Stop, closed: usize, marks_end: Option<usize>) -> usize {
        let end = marks_end.unwrap_or(closed);
        let within_number = self.text[..stop.start].ends_with(|c: char| c.is_numeric())
            && self.text[stop.end..].starts_with(|c: char| c.is_numeric())
            && self.text[stop.start..].starts_with('．');
        let closes = closed > stop.end;
        let goes_on = closes && (continues(&self.text[end..]) || self.closes_bracket(closed));
        if within_number || goes_on {
            return closed;
        }
        self.cut(end);
        self.start
    }

    /// The character before `closed` closes a bracket that does not hold its whole sentence.
    fn closes_bracket(&self, closed: usize) -> bool {
        let bracket = self.text[..closed].ends_with([')', '）', ']', '】', '〕', '》']);
        bracket
            && self
                .enclosures
                .opened_at(closed)
                .is_none_or(|open| !self.text[self.start..open].trim().is_empty())
    }

    /// One past the quotation marks and brackets that close directly at `from`.
    fn closers(&self, from: usize) -> usize {
        let mut end = from;
        loop {
            let rest = &self.text[end..];
            let Some(c) = rest.chars().next() else { return end };
            if is_closer(c) && !(c == '"' && self.enclosures.opens(end)) {
                end += c.len_utf8();
                continue;
            }
            if let (Some(length), false) = (bracketed(rest), self.marked(end)) {
                end += length;
                continue;
            }
            let after_space = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
            let spaced = rest.len() - after_space.len();
            if spaced > 0
                && after_space.starts_with('»')
                && !after_space[2..].starts_with(char::is_alphanumeric)
            {
                end += spaced + 2;
                continue;
            }
            return end;
        }
    }

    /// A mark begins at `at`.
    fn marked(&self, at: usize) -> bool {
        self.marks.binary_search_by_key(&at, |mark| mark.span.start).is_ok()
    }

    /// The end of the citations that follow `from`, and whether the first stands without a space.
    fn attached_marks(&self, from: usize) -> (Option<usize>, bool) {
        let mut index = self.next_mark;
        let mut end = from;
        let mut glued = false;
        while let Some(mark) = self.marks.get(index) {
            if mark.span.start < end {
                index += 1;
                continue;
            }
            let gap = &self.text[end..mark.span.start];
            if !mark.attached || !gap.chars().all(char::is_whitespace) {
                break;
            }
            if end == from {
                glued = gap.is_empty();
            }
            end = self.trailing_punctuation(mark.span.end);
            index += 1;
        }
        if end == from { (None, false) } else { (Some(end), glued) }
    }

    /// Punctuation and closers right behind a citation that follows a full stop already.
    fn trailing_punctuation(&self, from: usize) -> usize {
        let mut end = from;
        while let Some(c) = self.text[end..].chars().next() {
            let stop = stop_at(self.text, end).is_some();
            if !stop && !is_closer(c) || (c == '"' && self.enclosures.opens(end)) {
                break;
            }
            end += c.len_utf8();
        }
        end
    }

    /// What a single period means, given the word before it and what follows.
    fn after_period(&self, stop: &Stop, next: &Next<'_>) -> Verdict {
        let word = word_before(&self.text[self.start..stop.start]);
        let unspaced = |c: char| is_unspaced(c) && !is_hangul(c);
        if !next.apart {
            let between = word.ends_with(unspaced) && next.first.is_some_and(unspaced);
            return if between { Verdict::Ends } else { Verdict::Inside };
        }
        if next.first.is_none() {
            return Verdict::Ends;
        }
        if TITLES.holds(word) || self.is_list_head(word, stop) {
            return Verdict::Inside;
        }
        let number = word.chars().all(|c| c.is_numeric() || matches!(c, '.' | ',' | '-' | '–' | ':'));
        if number || is_roman(word) {
            let ordinal = word.len() <= 5 && AFTER_ORDINALS.holds(next.word);
            let date = number && word.len() <= 2 && next.digit;
            return if ordinal || date { Verdict::Inside } else { next.verdict() };
        }
        if BEFORE_NUMBERS.holds(word) && (next.digit || is_roman(next.word)) {
            return Verdict::Inside;
        }
        let spaced = next.abbreviated && word.chars().count() == 1;
        if is_initial(word) || EITHER.holds(word) || spaced {
            let starts = next.upper && STARTERS.holds(next.word) && !next.abbreviated;
            return if starts { Verdict::Ends } else { Verdict::Inside };
        }
        next.verdict()
    }

    /// `1.` or `a.` where a sentence begins.
    fn is_list_head(&self, word: &str, stop: &Stop) -> bool {
        let before = &self.text[self.start..stop.start - word.len()];
        let first = before.len() < LONGEST_WORD && before.trim().is_empty();
        let short =
            word.chars().count() == 1 || (word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit()));
        first && short
    }

    /// Ends the running sentence at `end`.
    fn cut(&mut self, end: usize) {
        let sentence = &self.text[self.start..end];
        let from = self.start + sentence.len() - sentence.trim_start().len();
        let to = self.start + sentence.trim_end().len();
        if from < to {
            self.found.push(from..to);
        }
        self.start = end.max(self.start);
    }
}

/// What a run of punctuation means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The sentence ends.
    Ends,
    /// It would go on with a lower-case letter: an end only where citations stand between.
    Lower,
    /// It goes on.
    Inside,
}

/// What follows a run of punctuation, its closers and its citations.
struct Next<'t> {
    /// White space or a citation stands between, or the text ends.
    apart: bool,
    first: Option<char>,
    upper: bool,
    lower: bool,
    digit: bool,
    /// The first word, without opening punctuation.
    word: &'t str,
    /// A period follows the word.
    abbreviated: bool,
}

impl<'t> Next<'t> {
    fn read(text: &'t str, from: usize) -> Self {
        let rest = &text[from..];
        let trimmed = rest.trim_start();
        let after_mark = text[..from].ends_with([']', '】', '］']);
        let apart = trimmed.len() < rest.len() || trimmed.is_empty() || after_mark;
        let bare = trimmed.trim_start_matches(|c| is_opener(c) || is_dash(c));
        let end = bare.find(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').unwrap_or(bare.len());
        let word = &bare[..end];
        let mut letters = word.chars();
        let first = letters.next();
        let brand = letters.next().is_some_and(char::is_uppercase);
        Self {
            apart,
            first: trimmed.chars().next(),
            upper: first.is_some_and(char::is_uppercase) || brand,
            lower: first.is_some_and(char::is_lowercase) && !brand,
            digit: first.is_some_and(char::is_numeric),
            word,
            abbreviated: bare[end..].starts_with('.') && word.chars().count() == 1,
        }
    }

    fn verdict(&self) -> Verdict {
        if self.lower { Verdict::Lower } else { Verdict::Ends }
    }
}

/// What an exclamation mark, a question mark or an ellipsis means.
fn after_other(stop: &Stop, next: &Next<'_>) -> Verdict {
    let unspaced = next.first.is_some_and(is_unspaced);
    if stop.ellipsis {
        return if next.apart && (next.upper || next.first.is_none()) {
            Verdict::Ends
        } else {
            Verdict::Inside
        };
    }
    if next.apart || unspaced { next.verdict() } else { Verdict::Inside }
}
