//! Rules that a match may need but must not have by default: words broken at the end of a line, reference
//! markers on the page, spaces around a long dash, the text of a picture, numbers of list items. They are tried only in windows around
//! long words of the quote, never by folding the page again.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::judge::Hit;
use super::marker::is_marker;
use super::verdict::Rule;
use super::view::View;
use crate::text::figures::is_digit;
use crate::text::fold::{REFERENCE_CLOSE, REFERENCE_OPEN};
use crate::text::words::is_unspaced;

/// Places of one word that are looked at.
const MAX_PLACES: usize = 2_000;
/// Starts that are tried for one quote.
const MAX_STARTS: usize = 100_000;
/// Bytes that optional text may take before the first long word, besides half the quote's own.
const SLACK: usize = 96;

/// Looks for a quote in windows of one reading of a page.
pub struct Windows<'p> {
    raw: &'p str,
    view: &'p View,
    text: &'p str,
    needle: &'p str,
    within: Range<usize>,
    /// `I` of the quote may be the upper case of a dotless `ı`, `İ` that of `i`.
    dotless: bool,
    /// Line-end hyphens whose word may be joined, as far as they were judged.
    joined: HashMap<usize, bool>,
}

impl<'p> Windows<'p> {
    /// Windows of `view`, a reading of `raw`, for the folded words `needle`, where `within` are its bytes to look at.
    pub fn new(raw: &'p str, view: &'p View, needle: &'p str, within: Range<usize>) -> Self {
        Self { raw, view, text: view.folded.text(), needle, within, dotless: false, joined: HashMap::new() }
    }

    /// For a quote that is wholly in upper case, which may be Turkish: there `I` is no `i`.
    pub fn in_upper_case(self) -> Self {
        Self { dotless: self.needle.contains('i'), ..self }
    }

    /// Every hit that the optional rules allow, in no special order.
    pub fn hits(&mut self) -> Vec<Hit> {
        let mut tried = HashSet::new();
        let mut hits = Vec::new();
        for (at, word) in anchors(self.needle, self.dotless) {
            let finder = memchr::memmem::Finder::new(word);
            let Range { start, end } = self.within;
            let looked_at = self.text.as_bytes().get(start..end).unwrap_or_default();
            for place in finder.find_iter(looked_at).take(MAX_PLACES) {
                self.try_around(start + place, at, &mut tried, &mut hits);
                if tried.len() > MAX_STARTS {
                    return hits;
                }
            }
        }
        hits
    }

    /// Tries every start from which the quote could reach its folded byte `at` at `place`.
    fn try_around(&mut self, place: usize, at: usize, tried: &mut HashSet<usize>, hits: &mut Vec<Hit>) {
        let lowest = place.saturating_sub(at + at / 2 + SLACK);
        let highest = (place + SLACK / 4).saturating_sub(at);
        let Some(first) = self.needle.chars().next() else { return };
        for start in lowest..=highest.min(place) {
            let fits = self.meets(first, self.char_at(start));
            if fits && self.begins_word(start, first) && tried.insert(start) {
                hits.extend(self.align(start));
            }
        }
    }

    fn begins_word(&self, start: usize, first: char) -> bool {
        let before = self.char_before(start);
        is_unspaced(first) || is_unspaced(before) || !(before.is_alphanumeric() && first.is_alphanumeric())
    }

    /// The quote laid along the page from `start`, leaving out what may be left out.
    fn align(&mut self, start: usize) -> Option<Hit> {
        let mut seen = HashSet::new();
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut branches = vec![Branch { needle: 0, page: start, path: 0, rules: Vec::new() }];
        while let Some(mut branch) = branches.pop() {
            path.truncate(branch.path);
            loop {
                if branch.needle == self.needle.len() {
                    return Some(Hit { range: start..branch.page, path: Some(path), rules: branch.rules });
                }
                if branch.needle > 0 {
                    for (needle, page, rule) in self.skips(branch.needle, branch.page) {
                        if seen.insert((needle, page)) && seen.len() < MAX_BRANCHES {
                            let mut rules = branch.rules.clone();
                            rules.push(rule);
                            branches.push(Branch { needle, page, path: path.len(), rules });
                        }
                    }
                }
                let its = self.char_at(branch.page);
                let mine = self.needle[branch.needle..].chars().next().filter(|mine| self.meets(*mine, its));
                let Some(mine) = mine else { break };
                path.push((branch.needle, branch.page));
                branch.needle += mine.len_utf8();
                branch.page += its.len_utf8();
                if self.dotless && mine == 'i' {
                    branch.needle = past_dot(self.needle, branch.needle);
                    branch.page = past_dot(self.text, branch.page);
                }
            }
        }
        None
    }

    fn meets(&self, mine: char, its: char) -> bool {
        mine == its || self.dotless && mine == 'i' && its == 'ı'
    }

    /// Where the quote may go on, other than by the next character of both.
    fn skips(&mut self, needle: usize, page: usize) -> Vec<(usize, usize, Rule)> {
        let mut skips = Vec::new();
        let on = |page: usize, rule: Rule| (needle, page, rule);
        match self.char_at(page) {
            '[' => skips.extend(self.marker_end(page).map(|end| on(end, Rule::ReferenceMarker))),
            REFERENCE_OPEN => {
                skips.extend(self.raised_end(page).map(|end| on(end, Rule::ReferenceMarker)));
                let inside = page + REFERENCE_OPEN.len_utf8();
                let kept = self.needle[needle..].starts_with('[') && self.char_at(inside) == '[';
                skips.extend(kept.then_some(on(inside, Rule::Markup)));
            }
            REFERENCE_CLOSE if self.needle[..needle].ends_with(']') => {
                skips.push(on(page + REFERENCE_CLOSE.len_utf8(), Rule::Markup));
            }
            '-' if self.breaks_line(page) && self.may_join(page) => {
                skips.push(on(page + 2, Rule::LineEndHyphen))
            }
            ' ' if self.follows_line_end_hyphen(page) => skips.push(on(page + 1, Rule::LineEndHyphen)),
            ' ' if self.is_spaced_dash(page + 1) || page > 0 && self.is_spaced_dash(page - 1) => {
                skips.push(on(page + 1, Rule::DashSpacing));
            }
            _ => {}
        }
        if self.needle.as_bytes().get(needle) == Some(&b' ') && self.touches_dash(page) {
            skips.push((needle + 1, page, Rule::DashSpacing));
        }
        if self.needle[needle..].starts_with("--") && self.is_spaced_dash(page) {
            skips.push((needle + 1, page, Rule::DashSpacing));
        }
        skips.extend(self.optional_end(page).map(|(end, rule)| on(end, rule)));
        skips
    }

    fn char_at(&self, at: usize) -> char {
        self.text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or('\0')
    }

    fn char_before(&self, at: usize) -> char {
        self.text.get(..at).and_then(|text| text.chars().next_back()).unwrap_or('\0')
    }

    /// A marker is glued to a word of two letters or more, or to punctuation.
    fn is_glued(&self, at: usize) -> bool {
        let mut before = self.text.get(..at).unwrap_or_default().chars().rev();
        match before.next() {
            None => false,
            Some(last) if last.is_whitespace() => false,
            Some(last) if last.is_alphanumeric() && !is_unspaced(last) => {
                before.next().is_some_and(|c| c.is_alphanumeric() || is_combining_mark(c))
            }
            Some(_) => true,
        }
    }

    /// A marker may end here: no letter or digit goes on, unless the script writes without spaces.
    fn ends_marker(&self, at: usize) -> bool {
        let c = self.char_at(at);
        !c.is_alphanumeric() || is_unspaced(c) && !is_digit(c)
    }

    /// End of the reference marker that begins at `at`, where no letter or digit follows it.
    fn marker_end(&self, at: usize) -> Option<usize> {
        let inside = self.text.get(at + 1..)?;
        let len = inside.char_indices().take(30).find(|(_, c)| *c == ']').map(|(len, _)| len)?;
        let end = at + len + 2;
        (is_marker(&inside[..len]) && self.is_glued(at) && self.ends_marker(end)).then_some(end)
    }

    fn raised_end(&self, at: usize) -> Option<usize> {
        let inside = self.text.get(at..)?;
        let len = inside.char_indices().take(64).find(|(_, c)| *c == REFERENCE_CLOSE).map(|(len, _)| len)?;
        let end = at + len + REFERENCE_CLOSE.len_utf8();
        self.ends_marker(end).then_some(end)
    }

    fn optional_end(&self, at: usize) -> Option<(usize, Rule)> {
        let optional = &self.view.optional;
        let found = optional.get(optional.partition_point(|optional| optional.range.start < at))?;
        if found.range.start != at {
            return None;
        }
        let end = found.range.end;
        match found.rule {
            Rule::ImageText if self.char_before(at) == ' ' && self.char_at(end) == ' ' => {
                Some((end + 1, found.rule))
            }
            Rule::ImageText | Rule::ListNumber => Some((end, found.rule)),
            rule => (self.is_glued(at) && self.ends_marker(end)).then_some((end, rule)),
        }
    }

    /// At `at` stands a hyphen at the end of a line, between a letter and a lower-case letter.
    fn breaks_line(&self, at: usize) -> bool {
        if self.char_at(at + 1) != ' '
            || self.view.folded.is_block(at + 1)
            || !self.char_before(at).is_alphabetic()
        {
            return false;
        }
        let space = self.view.shown(self.raw, at + 1, ' ');
        let next = self.text.get(at + 2..).and_then(|rest| rest.chars().next());
        let next = next.and_then(|c| self.view.shown(self.raw, at + 2, c));
        let hyphen = self.view.shown(self.raw, at, '-');
        space == Some('\n')
            && next.is_some_and(char::is_lowercase)
            && hyphen.is_some_and(|c| matches!(c, '-' | '\u{2010}' | '\u{2011}'))
    }

    /// The space at `at` comes from a line end after a hyphen, or after a soft hyphen that is not seen.
    fn follows_line_end_hyphen(&self, at: usize) -> bool {
        if self.char_before(at) == '-' && at > 0 {
            return self.breaks_line(at - 1);
        }
        let raw = self.view.folded.raw(at);
        let soft = self.raw.get(..raw).is_some_and(|before| before.ends_with('\u{ad}'));
        soft && self.view.shown(self.raw, at, ' ') == Some('\n') && self.char_at(at + 1).is_lowercase()
    }

    /// The broken word may be one: not where the page has it only with its hyphen elsewhere.
    fn may_join(&mut self, at: usize) -> bool {
        if let Some(known) = self.joined.get(&at) {
            return *known;
        }
        let may = self.joined.len() < MAX_JOINED && {
            let before = &self.text[..at];
            let left =
                before.rfind(|c: char| !c.is_alphabetic()).map_or(0, |found| found + self.char_len(found));
            let after = &self.text[at + 2..];
            let right = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
            let (left, right) = (&before[left..], &after[..right]);
            self.has_word(&format!("{left}{right}")) || !self.has_word(&format!("{left}-{right}"))
        };
        self.joined.insert(at, may);
        may
    }

    fn char_len(&self, at: usize) -> usize {
        self.char_at(at).len_utf8()
    }

    fn has_word(&self, word: &str) -> bool {
        memchr::memmem::find_iter(self.text.as_bytes(), word).any(|at| {
            !self.char_before(at).is_alphanumeric() && !self.char_at(at + word.len()).is_alphanumeric()
        })
    }

    /// At `at` stands a long dash, between letters or quotation marks.
    fn is_spaced_dash(&self, at: usize) -> bool {
        if self.text.as_bytes().get(at) != Some(&b'-') || !self.is_long(at) {
            return false;
        }
        let before = self.text[..at].trim_end_matches(' ').chars().next_back();
        let after = self.text[at + 1..].trim_start_matches(' ').chars().next();
        let fits = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() || matches!(c, '"' | '\''));
        fits(before) && fits(after)
    }

    fn is_long(&self, at: usize) -> bool {
        let rest = self.raw.get(self.view.folded.raw(at)..).unwrap_or_default();
        rest.starts_with(['\u{2013}', '\u{2014}', '\u{2015}'])
            || ["&mdash;", "&ndash;", "&#8212;", "&#8211;"].iter().any(|entity| rest.starts_with(entity))
    }

    /// The page has a long dash at `page` or right before it, and no space between.
    fn touches_dash(&self, page: usize) -> bool {
        self.is_spaced_dash(page) || page > 0 && self.char_at(page) != ' ' && self.is_spaced_dash(page - 1)
    }
}

/// Ways of laying the quote that are still to be followed.
struct Branch {
    needle: usize,
    page: usize,
    path: usize,
    rules: Vec<Rule>,
}

/// Branches of one start.
const MAX_BRANCHES: usize = 10_000;
/// Line-end hyphens of which it is found out how the page writes the word elsewhere.
const MAX_JOINED: usize = 256;
/// Bytes of a word that are searched for; longer ones may be broken themselves.
const ANCHOR: usize = 24;

/// Behind the dot of an `İ`, which folds to an `i` with a dot above.
fn past_dot(text: &str, at: usize) -> usize {
    let dot = '\u{307}';
    if text[at..].starts_with(dot) { at + dot.len_utf8() } else { at }
}

/// The three longest words of `needle` (or pieces of its unspaced runs) with their places; `dotless`: cut at each `i`.
fn anchors(needle: &str, dotless: bool) -> Vec<(usize, &str)> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for word in needle.split(|c: char| !c.is_alphanumeric() || dotless && c == 'i') {
        let start = at;
        at += word.len() + needle[at + word.len()..].chars().next().map_or(0, char::len_utf8);
        pieces(start, word, &mut words);
    }
    words.sort_by_key(|(at, word)| (std::cmp::Reverse(word.len()), *at));
    let mut anchors: Vec<(usize, &str)> = Vec::new();
    for word in words {
        if anchors.len() < 3 && !anchors.iter().any(|(_, known)| *known == word.1) {
            anchors.push(word);
        }
    }
    anchors
}

/// Cuts a long run into pieces, so that one that the page breaks leaves others whole.
fn pieces<'n>(mut at: usize, mut word: &'n str, words: &mut Vec<(usize, &'n str)>) {
    while word.len() > ANCHOR {
        let cut = (ANCHOR / 2..=ANCHOR).find(|cut| word.is_char_boundary(*cut)).unwrap_or(word.len());
        words.push((at, &word[..cut]));
        at += cut;
        word = &word[cut..];
    }
    if !word.is_empty() {
        words.push((at, word));
    }
}
