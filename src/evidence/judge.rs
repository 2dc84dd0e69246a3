//! Is a hit a match? In: a place where the folded words stand in one reading of a page. Out: a [`Match`], or
//! what speaks against it: the hit cuts a word or figure, touches hidden text, or changes a unit's case.

use std::ops::Range;

use super::boundary::Surroundings;
use super::rules::{self, Step};
use super::verdict::{Match, Rule};
use super::view::View;
use super::warnings;
use crate::text::figures::figures;

/// A place where the words may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Folded bytes of the page.
    pub range: Range<usize>,
    /// Which folded byte of the page each folded byte of the quote met; `None` where they run side by side.
    pub path: Option<Vec<(usize, usize)>>,
    /// Optional rules that were needed.
    pub rules: Vec<Rule>,
}

/// What speaks against a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objection {
    /// It begins or ends inside a word or a figure.
    Cut,
    /// It touches text that no reader sees, or crosses it.
    Hidden,
    /// A unit after a number is in another case.
    Case,
    /// Markup stands beside it: only the Markdown reading can tell.
    Unclear,
}

/// A reading in which hits are judged.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'p> {
    /// The text that spans point into.
    pub raw: &'p str,
    /// What is searched.
    pub view: &'p View,
    /// The raw text may hold markup that this reading does not see through.
    pub unparsed: bool,
}

impl Reading<'_> {
    /// Judges `hit`; the quote's reading is `quote`, where `shouting` waives the rule of case after numbers.
    ///
    /// # Errors
    /// What speaks against it.
    pub fn judge(
        &self,
        hit: &Hit,
        quote: Reading<'_>,
        from: usize,
        shouting: bool,
    ) -> Result<Match, Objection> {
        let span = self.view.raw_span(self.raw, &hit.range).ok_or(Objection::Cut)?;
        let before = self.view.surroundings(self.raw, hit.range.start);
        let after = self.view.surroundings(self.raw, hit.range.end);
        if before.cut_before() || after.cut_after() {
            return Err(Objection::Cut);
        }
        if self.unparsed && (is_unclear_before(&before) || is_unclear_after(&after)) {
            return Err(Objection::Unclear);
        }
        let steps = rules::steps(*self, hit, quote, from);
        if joins_figures(&steps) {
            return Err(Objection::Cut);
        }
        if !shouting && changes_case_of_unit(&steps) {
            return Err(Objection::Case);
        }
        let mut needed = rules::needed(self.raw, quote.raw, &steps, span.end);
        needed.extend(&hit.rules);
        needed.sort();
        needed.dedup();
        Ok(Match {
            crosses_block: self.view.folded.has_block_between(hit.range.start, hit.range.end),
            warnings: warnings::about(*self, &hit.range, &span),
            span,
            rules: needed,
        })
    }
}

fn is_unclear_before(place: &Surroundings) -> bool {
    let near = place.before.iter().rev().take(3);
    near.clone().any(|c| matches!(c, '<' | '>' | ';' | '&' | '\\')) || place.without_markup().cut_before()
}

fn is_unclear_after(place: &Surroundings) -> bool {
    let link = place.after.first() == Some(&']') && matches!(place.after.get(1), Some('(' | '['));
    let near = || place.after.iter().take(3).any(|c| matches!(c, '<' | '&' | '\\'));
    link || near() || place.without_markup().cut_after()
}

/// One figure of the quote is two of the page, on both sides of a line, a cell, a block or a left out marker.
fn joins_figures(steps: &[Step]) -> bool {
    let quote: Vec<char> = steps.iter().map(|step| step.quote).collect();
    figures(&quote).into_iter().any(|figure| {
        let parted = |pair: &[Step]| {
            let gap = matches!(pair[0].page, '\n' | '\t' | '\u{2029}') && pair[0].quote.is_whitespace();
            let digits = pair[0].quote.is_numeric() || pair[0].quote.is_whitespace();
            (gap || pair[0].page_span.end != pair[1].page_span.start) && digits && pair[1].quote.is_numeric()
        };
        steps[figure].windows(2).any(parted)
    })
}

/// Words this long are no units: `5 Metres` is `5 metres`.
const LONGER_THAN_UNITS: usize = 6;

/// The token right after a number must have the page's own case: `5 mW` is not `5 MW`.
fn changes_case_of_unit(steps: &[Step]) -> bool {
    let quote: Vec<char> = steps.iter().map(|step| step.quote).collect();
    figures(&quote).into_iter().any(|figure| {
        let from = figure.end + usize::from(quote.get(figure.end).is_some_and(|c| c.is_whitespace()));
        let rest = quote.get(from..).unwrap_or_default();
        let bare = quote[figure.end - 1].is_numeric();
        let len = rest.iter().take_while(|c| bare && !c.is_whitespace()).count();
        let letters = rest[..len].iter().filter(|c| c.is_alphabetic()).count();
        let word = letters >= LONGER_THAN_UNITS && !rest[..len].contains(&'/');
        let end = if word { figure.end } else { from + len };
        steps[figure.start..end].iter().any(|step| step.quote.is_uppercase() != step.page.is_uppercase())
    })
}
