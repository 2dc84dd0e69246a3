//! Markers in plain text: citations in every form that is understood, declared provenance, markers of other
//! systems, and the look-alikes that cite nothing. Sentences are not known here.

use std::collections::{HashMap, HashSet};

use super::bracket::{self, Bracket};
use super::foreign;
use super::math;
use super::prose::{NumberLink, Prose, Stretch, Unit};
use super::{Form, Options, SourceId, Target, worded};
use crate::identity::Register;
use crate::text::boundary;

/// Names that only programs use.
const VARIABLES: &[&str] = &["arr", "argv", "args", "buf", "vec", "lst", "ptr", "tmp", "xs", "ys", "idx"];

/// What stands before the ends of an interval.
const INTERVALS: &[&str] = &[
    "interval",
    "range",
    "domain",
    "intervall",
    "intervalle",
    "intervalo",
    "bereich",
    "∈",
    "=",
    "区间",
    "範囲",
    "范围",
];

/// What decides whether a bracket cites.
pub(super) struct Context<'a> {
    pub draft: &'a str,
    pub options: &'a Options,
    pub register: &'a dyn Register,
    /// Ids that the draft's own blocks list.
    pub listed: HashSet<SourceId>,
    /// What footnote labels stand for.
    pub footnotes: HashMap<String, Footnote>,
}

/// What the definition of a footnote holds.
pub(super) enum Footnote {
    /// A source's URL.
    Url(String),
    /// Words: a note.
    Note,
}

/// Something that was found in the plain text.
pub(super) struct Found {
    pub text: Stretch,
    pub what: What,
}

/// Kinds of finds.
pub(super) enum What {
    /// A citation; a malformed one counts for nothing but is checked.
    Citation { target: Target, form: Form, malformed: bool },
    /// Declared provenance of a kind.
    Marker(String),
    /// A marker of another system.
    Foreign,
    /// A year in brackets.
    Year,
    /// An escaped pair that cites nothing.
    Escaped,
    /// A mark on a note; it cites nothing and is no text.
    Note,
}

/// Everything found in one unit, in text order; finds never overlap.
pub(super) fn scan(prose: &Prose, unit: &Unit, opaque: &[Stretch], context: &Context<'_>) -> Vec<Found> {
    let mut scanner = Scanner { prose, unit: unit.text.clone(), context, found: Vec::new() };
    let bytes = prose.text.as_bytes();
    let mut at = unit.text.start;
    let mut next_opaque = 0;
    while at < unit.text.end {
        while opaque.get(next_opaque).is_some_and(|stretch| stretch.end <= at) {
            next_opaque += 1;
        }
        if let Some(stretch) = opaque.get(next_opaque)
            && stretch.start <= at
        {
            at = stretch.end;
            continue;
        }
        let Some(step) = bytes[at..unit.text.end].iter().position(|b| matches!(b, b'[' | 0xe3 | 0xef | 0xee))
        else {
            break;
        };
        if step > 0 {
            at += step;
            continue;
        }
        at = scanner.take(at).unwrap_or(at + 1);
    }
    scanner.found
}

struct Scanner<'a> {
    prose: &'a Prose,
    /// What stands around the unit is of other paragraphs.
    unit: Stretch,
    context: &'a Context<'a>,
    found: Vec<Found>,
}

impl Scanner<'_> {
    /// What begins at `at`; where to look on.
    fn take(&mut self, at: usize) -> Option<usize> {
        let text = &self.prose.text[..self.unit.end];
        if !text.is_char_boundary(at) {
            return None;
        }
        if math::is_escaped(self.prose, at) {
            return self.escaped(at);
        }
        if let Some(end) = foreign::read(text, at) {
            return self.keep(at, end, What::Foreign);
        }
        if let Some((end, kind)) = self.marker(at) {
            return self.keep(at, end, What::Marker(kind));
        }
        if text[at..].starts_with("[^") {
            return self.footnote(at);
        }
        let bracket = bracket::read(text, at).or_else(|| Some(worded::read(text, at)?.bracket))?;
        if math::is_escaped(self.prose, bracket.end - 1) {
            return None;
        }
        self.numbers(at, bracket)
    }

    fn keep(&mut self, start: usize, end: usize, what: What) -> Option<usize> {
        self.found.push(Found { text: start..end, what });
        Some(end)
    }

    /// Numbers in brackets that nothing escapes.
    fn numbers(&mut self, at: usize, bracket: Bracket) -> Option<usize> {
        let Bracket { end, target, form } = bracket;
        if let Some(link) = self.link_at(at) {
            let (target, form) = linked(link, target);
            return self.keep(at, end, What::Citation { target, form, malformed: false });
        }
        let interval = self.is_interval(at, &target);
        if self.is_index(at, end, &target) || (interval && !self.may_cite(at, &target)) {
            return Some(end);
        }
        if self.is_year(&target) {
            return self.keep(at, end, What::Year);
        }
        let text = &self.prose.text[..self.unit.end];
        let twice =
            self.before(at).ends_with('[') && text[end..].starts_with(']') && !self.touches_last(at - 1);
        let (start, end) = if twice { (at - 1, end + 1) } else { (at, end) };
        let form = match (twice, interval) {
            (_, true) => Form::Doubtful,
            (true, _) => Form::List,
            _ => form,
        };
        let malformed = text[end..].chars().next().is_some_and(|c| c.is_lowercase() || c.is_numeric());
        self.keep(start, end, What::Citation { target, form, malformed })
    }

    /// What stands before `at` in the unit.
    fn before(&self, at: usize) -> &str {
        &self.prose.text[self.unit.start..at]
    }

    fn touches_last(&self, at: usize) -> bool {
        self.found.last().is_some_and(|last| last.text.end > at)
    }

    /// The link whose number stands at `at`.
    fn link_at(&self, at: usize) -> Option<&NumberLink> {
        let index = self.prose.links.partition_point(|link| link.text.start <= at);
        self.prose.links.get(index.checked_sub(1)?).filter(|link| at < link.text.end)
    }

    /// `arr[0]`: glued to an identifier in what looks like code.
    fn is_index(&self, at: usize, end: usize, target: &Target) -> bool {
        let before = self.before(at);
        let before = &before[boundary::floor(before, before.len().saturating_sub(64))..];
        let from = before
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .map_or(0, |found| found + before[found..].chars().next().map_or(1, char::len_utf8));
        let name = &before[from..];
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            || before[..from].ends_with(|c: char| !c.is_ascii())
        {
            return false;
        }
        let Target::Ids(ids) = target else { return false };
        let unknown = !ids.iter().all(|id| self.is_known(*id));
        let after = &self.prose.text[end..self.unit.end];
        let operator = after.trim_start_matches(' ');
        let used = after.starts_with("()")
            || after.starts_with("[\"")
            || (after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_lowercase()))
            || ["= ", "== ", "+= ", "-= ", "!= ", "=="].iter().any(|sign| operator.starts_with(sign));
        // `vitamin d[9].` ends a sentence as no variable does whose item is taken.
        let ends =
            after.is_empty() || after.starts_with(['[', '\n']) || after.starts_with(['.', '!', '?']) && !used;
        let letter = name.len() == 1 && name.starts_with(|c: char| c.is_ascii_lowercase()) && !ends;
        let variable = letter || name.contains('_') || VARIABLES.contains(&name);
        ids.contains(&SourceId(0)) || (variable && used) || (unknown && (variable || used))
    }

    /// `in [0, 1]`: two numbers that are the ends of an interval, which never stands behind a sentence.
    fn is_interval(&self, at: usize, target: &Target) -> bool {
        let Target::Ids(ids) = target else { return false };
        if ids.len() != 2 || ids[0] >= ids[1] {
            return false;
        }
        let before = self.before(at);
        let before = before[boundary::floor(before, before.len().saturating_sub(48))..].trim_end();
        if before.ends_with(['.', '!', '?', '。', '！', '？']) {
            return false;
        }
        let zero = ids.contains(&SourceId(0)) && !self.is_known(SourceId(0));
        zero || INTERVALS.iter().any(|word| ends_with_word(before, word))
    }

    /// The draft lists both ends: `over the whole range [1, 2]` may well cite, and `x = [1, 2]` does not.
    fn may_cite(&self, at: usize, target: &Target) -> bool {
        let Target::Ids(ids) = target else { return false };
        let formula = self.before(at).trim_end().ends_with(['∈', '=']);
        !formula && ids.iter().all(|id| self.context.listed.contains(id))
    }

    fn is_year(&self, target: &Target) -> bool {
        let Target::Ids(ids) = target else { return false };
        ids.iter().all(|id| (1800..=2099).contains(&id.0) && !self.is_known(*id))
    }

    fn is_known(&self, id: SourceId) -> bool {
        self.context.register.key_of(id).is_some() || self.context.listed.contains(&id)
    }

    /// `\[1\]`: a citation where the id is known, else text.
    fn escaped(&mut self, at: usize) -> Option<usize> {
        let bracket = bracket::read(&self.prose.text[..self.unit.end], at)?;
        if !math::is_escaped(self.prose, bracket.end - 1) {
            return Some(bracket.end);
        }
        let known = match &bracket.target {
            Target::Ids(ids) => ids.iter().any(|id| self.is_known(*id)),
            _ => false,
        };
        let what = if known {
            What::Citation { target: bracket.target, form: Form::Escaped, malformed: false }
        } else {
            What::Escaped
        };
        self.keep(at, bracket.end, what)
    }

    /// `[^1]`
    fn footnote(&mut self, at: usize) -> Option<usize> {
        let text = &self.prose.text[..self.unit.end];
        let length = text[at..].char_indices().take(128).find(|(_, c)| *c == ']')?.0;
        let end = at + length + 1;
        let label = &text[at + 2..end - 1];
        let number = bracket::read(&format!("[{label}]"), 0).map(|bracket| bracket.target);
        let target = match (self.context.footnotes.get(label), number) {
            (Some(Footnote::Note), _) => return self.keep(at, end, What::Note),
            (_, Some(target)) => target,
            (Some(Footnote::Url(url)), None) => match self.context.register.id_of(url) {
                Some(id) => Target::Ids(vec![id]),
                None => Target::Url(url.clone()),
            },
            (None, None) => return None,
        };
        self.keep(at, end, What::Citation { target, form: Form::Footnote, malformed: false })
    }

    /// `[unverified]` or a marker that was configured.
    fn marker(&self, at: usize) -> Option<(usize, String)> {
        let rest = &self.prose.text[at..self.unit.end];
        let inner = rest.strip_prefix('[')?;
        let length = inner.char_indices().take(200).find(|(_, c)| matches!(c, ']' | '[' | '\n'))?.0;
        let end = at + 1 + length + 1;
        let whole = self.prose.text[at..end].strip_suffix(']')?.strip_prefix('[')?;
        let doubled = self.before(at).ends_with('[') && self.prose.text[end..self.unit.end].starts_with(']');
        let junk =
            self.prose.text[end..self.unit.end].starts_with(|c: char| c.is_lowercase() || c.is_numeric());
        if doubled || junk || whole.is_empty() {
            return None;
        }
        if whole.trim().eq_ignore_ascii_case("unverified") {
            return Some((end, "unverified".to_owned()));
        }
        let mut kinds = self.context.options.markers.iter();
        kinds.find(|(_, pattern)| fits(whole, pattern)).map(|(kind, _)| (end, kind.clone()))
    }
}

/// How a numbered link cites.
fn linked(link: &NumberLink, target: Target) -> (Target, Form) {
    match (&link.url, target) {
        (None, target) => (target, Form::Definition),
        (Some(url), Target::Ids(ids)) if ids.len() == 1 && !url.is_empty() => {
            (Target::Linked(ids[0], url.clone()), Form::Link)
        }
        (Some(_), target) => (target, Form::Link),
    }
}

/// `before` ends with `word`, as a word of its own where it is one of letters.
fn ends_with_word(before: &str, word: &str) -> bool {
    let Some(cut) = before.len().checked_sub(word.len()) else { return false };
    let Some(tail) = before.get(cut..) else { return false };
    let alone = !word.is_ascii() || !before[..cut].ends_with(char::is_alphanumeric);
    alone && tail.to_lowercase() == word
}

/// `inner` fits a configured marker such as `[tool:NAME]`, where a word in capitals stands for any text.
fn fits(inner: &str, pattern: &str) -> bool {
    let pattern = pattern.trim().trim_start_matches('[').trim_end_matches(']');
    let place = pattern.find(|c: char| c.is_ascii_uppercase());
    let Some(place) = place else { return inner.trim().eq_ignore_ascii_case(pattern) };
    let tail_at = pattern[place..]
        .find(|c: char| !c.is_ascii_uppercase() && c != '_')
        .map_or(pattern.len(), |at| place + at);
    let (head, tail) = (&pattern[..place], &pattern[tail_at..]);
    let Some(start) = inner.get(..head.len()) else { return false };
    let Some(rest) = inner[head.len()..].strip_suffix(tail) else { return false };
    start.eq_ignore_ascii_case(head) && rest.chars().any(char::is_alphanumeric)
}
