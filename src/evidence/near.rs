//! After a refusal: the passage of the page that is closest to the quote. Rare words of the quote vote for the
//! place, a word diff tells how it differs. In: a page, a refused quote, the place where its words stood with an
//! objection if there was one. Bounded in time and memory whatever the page.

use std::collections::HashMap;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::judge::{Objection, Reading};
use super::kinds;
use super::page::Page;
use super::quote::Quote;
use super::search::Outcome;
use super::tokens::{Token, tokens};
use super::verdict::{Difference, Kind, Near};
use crate::text::fold::{GAP, REFERENCE_CLOSE, REFERENCE_OPEN, WALL};
use crate::text::lines::LineIndex;
use crate::text::printable::one_line;

/// Words of the quote that vote.
const MAX_SEEDS: usize = 48;
/// Places after which a word is too common to vote.
const MAX_PLACES: usize = 20_000;
/// Passages that are compared word by word.
const MAX_PASSAGES: usize = 8;
/// Folded bytes of a quote that are compared.
const MAX_QUOTE: usize = 16 * 1024;
/// Bytes of a page that are searched for a passage.
const MAX_PAGE: usize = 256 << 20;
/// Characters of a passage that are shown.
const SHOWN: usize = 200;

/// The closest passage, if one is close enough to be worth showing.
pub fn closest(page: &Page, quote: &Quote<'_>, outcome: &Outcome) -> Option<Near> {
    let reading = page.seen();
    let needle = quote.plain.needle();
    if needle.len() > MAX_QUOTE {
        return None;
    }
    let mine = tokens(quote.plain.reading(quote.raw), &quote.plain.range);
    let compared = |start: usize| Passage::at(reading, &mine, needle.len(), start);
    let best = match outcome {
        Outcome::Objected(place, _) => compared(reading.view.folded.folded(place.start)),
        _ => candidates(reading.view.folded.text(), needle)
            .into_iter()
            .filter_map(compared)
            .max_by_key(Passage::merit),
    };
    let objection = match outcome {
        Outcome::Objected(place, objection) => Some((place.clone(), *objection)),
        _ => None,
    };
    match (best, objection) {
        (Some(best), objection) if best.is_close() => Some(best.describe(page, quote, objection)),
        (_, Some((place, objection))) => Some(near(page, place, Vec::new(), kind_of(objection))),
        _ => None,
    }
}

/// Places of `text` where most of `needle` may stand, best first.
fn candidates(text: &str, needle: &str) -> Vec<usize> {
    let seeds = seeds(needle);
    let words: Vec<&str> = seeds.iter().map(|(_, word)| *word).collect();
    let Ok(automaton) = AhoCorasick::new(&words) else { return Vec::new() };
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); words.len()];
    let end = (0..=text.len().min(MAX_PAGE)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    for found in automaton.find_overlapping_iter(&text[..end]) {
        let own = &mut places[found.pattern().as_usize()];
        if own.len() <= MAX_PLACES {
            own.push(found.start());
        }
    }
    let width = (needle.len() / 4).max(16);
    let mut votes: HashMap<usize, f64> = HashMap::new();
    for (own, (offset, _)) in places.iter().zip(&seeds).filter(|(own, _)| own.len() <= MAX_PLACES) {
        let weight = 1.0 / (1.0 + own.len() as f64).sqrt();
        for place in own {
            let bucket = place.saturating_sub(*offset) / width;
            for near in [bucket.saturating_sub(1), bucket, bucket + 1] {
                *votes.entry(near).or_default() += if near == bucket { weight } else { weight / 2.0 };
            }
        }
    }
    let mut buckets: Vec<(usize, f64)> = votes.into_iter().collect();
    buckets.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    buckets.into_iter().take(MAX_PASSAGES).map(|(bucket, _)| bucket * width).collect()
}

/// Words of `needle` with their places: the longest, or pairs of characters in scripts without spaces.
fn seeds(needle: &str) -> Vec<(usize, &str)> {
    let mut seeds = Vec::new();
    let mut at = 0;
    for word in needle.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let start = at;
        at += word.len();
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        if word.chars().any(crate::text::words::is_unspaced) {
            let borders: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
            seeds.extend(borders.windows(3).map(|w| (start + w[0], &word[w[0]..w[2]])));
        } else if !word.is_empty() {
            seeds.push((start, word));
        }
    }
    seeds.sort_by_key(|(at, word)| (std::cmp::Reverse(word.len()), *at));
    seeds.truncate(MAX_SEEDS);
    seeds
}

/// A passage compared with the quote.
struct Passage<'q> {
    mine: &'q [Token],
    its: Vec<Token>,
    changes: Vec<DiffOp>,
    same: usize,
}

impl<'q> Passage<'q> {
    /// The passage around folded byte `start` that fits the quote best.
    fn at(reading: Reading<'_>, mine: &'q [Token], len: usize, start: usize) -> Option<Self> {
        let text = reading.view.folded.text();
        let from = word_start(text, start.saturating_sub(len / 3 + 48));
        let to = word_start(text, (start + len + len / 3 + 96).min(text.len()));
        let wide = tokens(reading, &(from..to));
        let changes = diff(mine, &wide);
        let mut equal = changes.iter().filter_map(|op| match op {
            DiffOp::Equal { old_index, new_index, len } => Some((*old_index, *new_index, *len)),
            _ => None,
        });
        let (first, last) = (equal.clone().next()?, equal.next_back()?);
        let begin = first.1.saturating_sub(first.0);
        let end = (last.1 + mine.len() - last.0).min(wide.len());
        let its = wide[begin..end.max(begin)].to_vec();
        let changes = diff(mine, &its);
        let words = |op: &DiffOp| match op {
            DiffOp::Equal { old_index, len, .. } => {
                mine[*old_index..old_index + len].iter().filter(|t| t.is_word()).count()
            }
            _ => 0,
        };
        let same = changes.iter().map(words).sum();
        Some(Self { mine, its, changes, same })
    }

    fn merit(&self) -> (usize, std::cmp::Reverse<usize>) {
        (self.same, std::cmp::Reverse(self.its.len()))
    }

    /// Half of the quote's words and two at least stand there in its order.
    fn is_close(&self) -> bool {
        let all = self.mine.iter().filter(|token| token.is_word()).count();
        self.same >= 2 && self.same * 2 >= all
    }

    fn describe(&self, page: &Page, quote: &Quote<'_>, objection: Option<(Range<usize>, Objection)>) -> Near {
        let text = |raw: &str, side: &[Token]| match (side.first(), side.last()) {
            (Some(first), Some(last)) => shown(raw.get(first.span.start..last.span.end).unwrap_or_default()),
            _ => String::new(),
        };
        let mut differences = Vec::new();
        let mut kinds = Vec::new();
        for op in self.changes.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
            let (mine, its) = (&self.mine[op.old_range()], &self.its[op.new_range()]);
            differences.push(Difference { quote: text(quote.raw, mine), page: text(page.text(), its) });
            kinds.push(kinds::kind(self.mine, op.old_range(), &self.its, op.new_range()));
        }
        let reordered = kinds::is_reordered(self.mine, &self.its) && !differences.is_empty();
        let kind = match (kinds.into_iter().min(), &objection) {
            _ if reordered => Kind::Order,
            (None | Some(Kind::Punctuation), Some((_, objection))) => kind_of(*objection),
            (Some(kind), _) => kind,
            (None, None) => Kind::Punctuation,
        };
        let span = match (self.its.first(), self.its.last()) {
            (Some(first), Some(last)) => first.span.start..last.span.end,
            _ => 0..0,
        };
        near(page, span, differences, kind)
    }
}

fn diff(mine: &[Token], its: &[Token]) -> Vec<DiffOp> {
    capture_diff_slices(Algorithm::Myers, mine, its)
}

fn kind_of(objection: Objection) -> Kind {
    match objection {
        Objection::Cut | Objection::Unclear => Kind::Cut,
        Objection::Hidden => Kind::Hidden,
        Objection::Case => Kind::Unit,
    }
}

fn near(page: &Page, span: Range<usize>, differences: Vec<Difference>, kind: Kind) -> Near {
    let raw = page.text().get(span.clone()).unwrap_or_default();
    let passage = shown(&raw.chars().take(SHOWN).collect::<String>());
    let before = page.text().get(..span.start).unwrap_or_default();
    Near { line: LineIndex::new(before).line(before.len()), span, passage, differences, kind }
}

/// `raw` on one line, with `^` before what is raised or lowered and nothing for the other marks of a reader.
fn shown(raw: &str) -> String {
    let mut opens = false;
    let mark = |c: char| match c {
        WALL => {
            opens = !opens;
            opens.then_some('^')
        }
        GAP | REFERENCE_OPEN | REFERENCE_CLOSE => None,
        c => Some(c),
    };
    one_line(&raw.chars().filter_map(mark).collect::<String>())
}

/// The start of the word at `at`, where one is near.
fn word_start(text: &str, at: usize) -> usize {
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let head = &text.as_bytes()[at.saturating_sub(40)..at];
    match head.iter().rposition(|byte| *byte == b' ') {
        Some(space) => at.saturating_sub(40) + space + 1,
        None => at,
    }
}
