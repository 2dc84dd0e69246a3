//! The search for quotes in a page, cheapest way first: the very bytes, then the folded words as the page
//! stands, then as Markdown, then with optional rules in windows. In: a page and quotes. Out: a match for each,
//! or what spoke against the places where its words stand.

use std::ops::Range;

use super::judge::{Hit, Objection, Reading};
use super::page::Page;
use super::quote::{Form, Quote};
use super::verdict::Match;
use super::view::View;
use super::windows::Windows;

/// Places of one quote that are judged in one reading.
const MAX_HITS: usize = 4_096;
/// Bytes on each side of an exact hit that are folded to judge it.
const MARGIN: usize = 1_536;
/// Bytes on each side of a recorded place that belong to it in another reading.
const SLACK: usize = 16;
/// From this many quotes on, one automaton looks for all of them.
const MANY: usize = 64;

/// What the search for one quote came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It stands there.
    Found(Match),
    /// Its words stand there, but something speaks against it.
    Objected(Range<usize>, Objection),
    /// Its words stand nowhere.
    Nowhere,
}

/// Where matches count.
#[derive(Debug, Clone, Copy)]
pub enum Place<'w> {
    /// Wherever they stand.
    Anywhere,
    /// Wherever they stand inside one block of the page.
    InOneBlock,
    /// At exactly these bytes of the page's text, one span a quote; only there is looked. Untrusted.
    At(&'w [Range<usize>]),
}

/// Searches `page` for `quotes`.
pub fn search(page: &Page, quotes: &[Quote<'_>], place: Place<'_>) -> Vec<Outcome> {
    let mut search = Search { page, quotes, place, outcomes: vec![Outcome::Nowhere; quotes.len()] };
    search.exact();
    search.folded();
    search.windows();
    search.outcomes
}

struct Search<'s> {
    page: &'s Page,
    quotes: &'s [Quote<'s>],
    place: Place<'s>,
    outcomes: Vec<Outcome>,
}

impl Search<'_> {
    fn open(&self) -> Vec<usize> {
        (0..self.quotes.len()).filter(|i| !matches!(self.outcomes[*i], Outcome::Found(_))).collect()
    }

    /// Takes a judgement; true where the quote is done with.
    fn take(&mut self, i: usize, place: Range<usize>, judged: Result<Match, Objection>) -> bool {
        match judged {
            Ok(found) if self.counts(i, &found) => {
                self.outcomes[i] = Outcome::Found(found);
                return true;
            }
            Err(objection) if self.outcomes[i] == Outcome::Nowhere => {
                self.outcomes[i] = Outcome::Objected(place, objection);
            }
            _ => {}
        }
        false
    }

    fn counts(&self, i: usize, found: &Match) -> bool {
        match self.place {
            Place::Anywhere => true,
            Place::InOneBlock => !found.crosses_block,
            Place::At(spans) => spans[i] == found.span,
        }
    }

    /// Where in `text`, a reading of the page, each needle stands; `around` gives the bytes of the reading in which
    /// quote `i` is to be looked for.
    fn places(
        &self,
        text: &str,
        needles: &[&str],
        around: impl Fn(usize) -> Range<usize>,
    ) -> Vec<Vec<usize>> {
        match self.place {
            Place::Anywhere | Place::InOneBlock => places(text, needles),
            Place::At(_) => {
                (0..needles.len()).map(|n| places_in(text.as_bytes(), around(n), needles[n])).collect()
            }
        }
    }

    /// The bytes of a reading in which quote `i` is looked for.
    fn around(&self, i: usize, view: &View) -> Range<usize> {
        let all = 0..view.folded.text().len();
        let Place::At(spans) = self.place else { return all };
        let last = self.page.text().len();
        let start = view.folded.folded(spans[i].start.min(last)).saturating_sub(SLACK);
        start..(view.folded.folded(spans[i].end.min(last)) + SLACK).min(all.end)
    }

    fn exact(&mut self) {
        let text = self.page.text();
        let needles: Vec<&str> = self.quotes.iter().map(|quote| quote.raw).collect();
        let own = |i: usize| match self.place {
            Place::Anywhere | Place::InOneBlock => 0..text.len(),
            Place::At(spans) => spans[i].clone(),
        };
        for (i, places) in self.places(text, &needles, own).into_iter().enumerate() {
            for at in places {
                let span = at..at + needles[i].len();
                let judged = self.judge_exact(i, &span);
                if self.take(i, span, judged) {
                    break;
                }
            }
        }
    }

    fn judge_exact(&self, i: usize, span: &Range<usize>) -> Result<Match, Objection> {
        let text = self.page.text();
        if self.page.is_markup_possible() && self.page.hides(span) {
            return Err(Objection::Hidden);
        }
        let start = border(text, span.start.saturating_sub(MARGIN));
        let end = border(text, (span.end + MARGIN).min(text.len()));
        let raw = &text[start..end];
        let view = self.page.plain_view_of(raw);
        let range = view.folded.folded(span.start - start)..view.folded.folded(span.end - start);
        let reading = Reading { raw, view: &view, unparsed: self.page.is_markup_possible() };
        let quote = &self.quotes[i];
        let own = &quote.plain;
        let hit = Hit { range, path: None, rules: Vec::new() };
        let found = reading.judge(&hit, own.reading(quote.raw), own.range.start, true)?;
        let crosses_block = self.crosses_block(span, found.crosses_block);
        Ok(Match { span: span.clone(), rules: Vec::new(), crosses_block, ..found })
    }

    fn folded(&mut self) {
        for way in Way::ALL {
            let quotes = self.quotes;
            let open: Vec<(usize, &Form)> =
                self.open().into_iter().filter_map(|i| Some((i, way.form(&quotes[i])?))).collect();
            let Some(reading) =
                Some(!open.is_empty()).filter(|any| *any).and_then(|_| way.reading(self.page))
            else {
                continue;
            };
            let needles: Vec<&str> = open.iter().map(|(_, form)| form.needle()).collect();
            let around = |n: usize| self.around(open[n].0, reading.view);
            let places = self.places(reading.view.folded.text(), &needles, around);
            for ((i, form), places) in open.into_iter().zip(places) {
                let end = form.needle().len();
                let mut hits =
                    places.into_iter().map(|at| Hit { range: at..at + end, path: None, rules: Vec::new() });
                hits.any(|hit| self.take_hit(i, way, reading, form, &hit));
            }
        }
    }

    fn windows(&mut self) {
        for way in Way::ALL {
            for i in self.open() {
                let quotes = self.quotes;
                let (Some(form), Some(reading)) = (way.form(&quotes[i]), way.reading(self.page)) else {
                    continue;
                };
                let within = self.around(i, reading.view);
                let windows = Windows::new(reading.raw, reading.view, form.needle(), within);
                let mut windows = if quotes[i].shouting { windows.in_upper_case() } else { windows };
                let hits = windows.hits();
                hits.iter().any(|hit| self.take_hit(i, way, reading, form, hit));
            }
        }
    }

    fn take_hit(&mut self, i: usize, way: Way, reading: Reading<'_>, form: &Form, hit: &Hit) -> bool {
        let quote = &self.quotes[i];
        let judged = reading.judge(hit, form.reading(quote.raw), form.range.start, quote.shouting);
        let judged = judged.and_then(|found| self.check_hidden(i, way, found));
        let place = reading.view.folded.raw(hit.range.start)..reading.view.folded.raw(hit.range.end);
        self.take(i, place, judged)
    }

    /// What no reader of the page sees must not be part of a match; what no reader of the quote sees must be.
    fn check_hidden(&self, i: usize, way: Way, mut found: Match) -> Result<Match, Objection> {
        if way == Way::AsItStands {
            if self.page.is_markup_possible() && self.page.hides(&found.span) {
                return Err(Objection::Hidden);
            }
            found.crosses_block = self.crosses_block(&found.span, found.crosses_block);
            return Ok(found);
        }
        let end = border(self.page.text(), (found.span.end + MARGIN).min(self.page.text().len()));
        let source = &self.page.text()[found.span.start..end];
        let own = |unseen: &&str| source.contains(*unseen);
        if self.quotes[i].unseen.iter().all(own) { Ok(found) } else { Err(Objection::Hidden) }
    }

    /// A heading and its paragraph look like one block to the plain reading.
    fn crosses_block(&self, span: &Range<usize>, known: bool) -> bool {
        let text = self.page.text();
        if known || !self.page.is_markup_possible() || !text[span.clone()].contains(['\n', '\r', '|']) {
            return known;
        }
        let line = text[..span.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let lines = text[line..span.end].split(['\n', '\r']).map(str::trim_start);
        let special = |line: &str| {
            line.starts_with(['#', '-', '*', '+', '>', '|', '=', '<', '~', '`', '_'])
                || line.contains('|')
                || line.starts_with(|c: char| c.is_ascii_digit())
                    && line.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')'])
        };
        if !lines.into_iter().any(special) {
            return false;
        }
        let folded = &self.page.markup().view.folded;
        folded.has_block_between(folded.folded(span.start), folded.folded(span.end))
    }
}

/// A way of reading the page and the quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    AsItStands,
    PageAsMarkdown,
    BothAsMarkdown,
}

impl Way {
    const ALL: [Self; 3] = [Self::AsItStands, Self::PageAsMarkdown, Self::BothAsMarkdown];

    fn form<'q>(self, quote: &'q Quote<'_>) -> Option<&'q Form> {
        if self == Self::BothAsMarkdown { quote.markup.as_ref() } else { Some(&quote.plain) }
    }

    fn reading(self, page: &Page) -> Option<Reading<'_>> {
        let (raw, markup) = (page.text(), page.is_markup_possible());
        match self {
            Self::AsItStands => page.plain().map(|view| Reading { raw, view, unparsed: markup }),
            _ if markup => Some(Reading { raw, view: &page.markup().view, unparsed: false }),
            _ => None,
        }
    }
}

impl Form {
    /// The reading of a quote whose text is `raw`.
    pub fn reading<'q>(&'q self, raw: &'q str) -> Reading<'q> {
        Reading { raw, view: &self.view, unparsed: false }
    }
}

/// Where each of `needles` stands in `text`, overlapping places included.
fn places(text: &str, needles: &[&str]) -> Vec<Vec<usize>> {
    if needles.len() >= MANY
        && let Ok(automaton) = aho_corasick::AhoCorasick::new(needles)
    {
        let mut places = vec![Vec::new(); needles.len()];
        for found in automaton.find_overlapping_iter(text) {
            let own: &mut Vec<usize> = &mut places[found.pattern().as_usize()];
            if own.len() < MAX_HITS {
                own.push(found.start());
            }
        }
        return places;
    }
    needles.iter().map(|needle| places_in(text.as_bytes(), 0..text.len(), needle)).collect()
}

fn places_in(text: &[u8], within: Range<usize>, needle: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let finder = memchr::memmem::Finder::new(needle);
    let mut from = within.start;
    while !needle.is_empty() && places.len() < MAX_HITS {
        let Some(found) = text.get(from..within.end).and_then(|rest| finder.find(rest)) else { break };
        places.push(from + found);
        from += found + 1;
    }
    places
}

/// The character border at or before `at`.
fn border(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
