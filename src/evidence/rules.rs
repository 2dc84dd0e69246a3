//! Which folding rules a match needed: the quote and the page are walked side by side, and every difference
//! between their own characters is named.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::judge::{Hit, Reading};
use super::verdict::Rule;
use crate::text::fold::unseen;

/// A character of the quote and the one of the page that it met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What the quote shows.
    pub quote: char,
    /// What the page shows.
    pub page: char,
    /// Bytes of the quote's text that stand for it, with what is not seen after it.
    pub quote_span: Range<usize>,
    /// Bytes of the page's text that stand for it, with what is not seen after it.
    pub page_span: Range<usize>,
}

/// The characters of `hit`, side by side; the quote's words begin at folded byte `from` of its reading.
pub fn steps(page: Reading<'_>, hit: &Hit, quote: Reading<'_>, from: usize) -> Vec<Step> {
    let step = |quote_at: usize, page_at: usize| {
        let (quote, quote_span) = quote.character(quote_at)?;
        let (page, page_span) = page.character(page_at)?;
        Some(Step { quote, page, quote_span, page_span })
    };
    match &hit.path {
        Some(path) => path.iter().filter_map(|(n, p)| step(from + n, *p)).collect(),
        None => {
            let words = page.view.folded.text().get(hit.range.clone()).unwrap_or_default();
            words.char_indices().filter_map(|(at, _)| step(from + at, hit.range.start + at)).collect()
        }
    }
}

impl Reading<'_> {
    /// What is shown for the folded character at `at`, and the raw bytes up to the next one.
    fn character(&self, at: usize) -> Option<(char, Range<usize>)> {
        let c = self.view.folded.text().get(at..)?.chars().next()?;
        let shown = self.view.shown(self.raw, at, c)?;
        Some((shown, self.view.folded.raw(at)..self.view.folded.raw(at + c.len_utf8())))
    }
}

/// The rules under which the two sides are the same, in order; the match ends at `page_end`.
pub fn needed(page: &str, quote: &str, steps: &[Step], page_end: usize) -> Vec<Rule> {
    let mut rules = Vec::new();
    for step in steps {
        let its = step.page_span.start..step.page_span.end.min(page_end);
        let (mine, its) = (quote.get(step.quote_span.clone()), page.get(its));
        if mine != its {
            compare(step, mine.unwrap_or_default(), its.unwrap_or_default(), &mut rules);
        }
    }
    rules.sort();
    rules.dedup();
    rules
}

fn compare(step: &Step, mine: &str, its: &str, rules: &mut Vec<Rule>) {
    let hidden = |text: &str| text.chars().filter(|c| unseen(*c)).count();
    if hidden(mine) != hidden(its) {
        rules.push(Rule::Invisible);
    }
    if is_entity(its) && !mine.starts_with('&') || its.starts_with("&amp;") {
        return rules.push(Rule::Entities);
    }
    if mine.nfc().eq(its.nfc()) {
        return rules.push(Rule::Normalization);
    }
    if step.quote != step.page {
        rules.push(between(step.quote, step.page));
    }
    compare_tails(&tail(mine), &tail(its), rules);
}

fn is_entity(text: &str) -> bool {
    text.starts_with('&') && text.len() > 3 && text.trim_end().ends_with(';')
}

/// What stands after the character that is seen: marks of its own, white space, markup.
fn tail(text: &str) -> String {
    text.chars().skip(1).filter(|c| !unseen(*c)).collect()
}

fn compare_tails(mine: &str, its: &str, rules: &mut Vec<Rule>) {
    if mine == its {
        return;
    }
    let either = |test: fn(char) -> bool| mine.contains(test) || its.contains(test);
    if either(is_combining_mark) {
        rules.push(Rule::Normalization);
    }
    if either(|c| !is_combining_mark(c) && !c.is_whitespace() && !c.is_alphanumeric()) {
        rules.push(Rule::Markup);
    } else if either(char::is_whitespace) {
        rules.push(Rule::WhiteSpace);
    }
}

/// The rule that makes two characters one.
fn between(quote: char, page: char) -> Rule {
    let either = |test: fn(char) -> bool| test(quote) || test(page);
    let lower = |c: char| c.to_lowercase().collect::<String>();
    match () {
        () if either(char::is_whitespace) => Rule::WhiteSpace,
        () if either(|c| c == '&') => Rule::Entities,
        () if either(is_wide) => Rule::Width,
        () if either(|c| matches!(c, '"' | '\'')) => Rule::Quotes,
        () if either(|c| matches!(c, '-' | '…' | '\u{2010}'..='\u{2015}' | '\u{2212}')) => Rule::Dashes,
        () if lower(quote) == lower(page) => Rule::Case,
        () if quote.nfc().eq(page.nfc()) => Rule::Normalization,
        () if either(char::is_alphabetic) => Rule::Case,
        () => Rule::Quotes,
    }
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{2f00}'..='\u{2fd5}' | '\u{fb00}'..='\u{fb06}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{ff01}'..='\u{ffee}')
}
