//! From outline to draft: blocks first, then the visible text, the markers in it and its sentences, each mapped back
//! to bytes of the draft.

use std::collections::HashSet;

use pulldown_cmark::{Event, LinkType, Tag};

use super::citation::{self, Context, Found, What};
use super::outline::Outline;
use super::prose::{Kind, Prose, Stretch, Unit};
use super::sources_block::Reader;
use super::{
    Citation, Draft, Marker, Options, Sentence, SourceId, Span, allow, asides, bracket, math, notes,
};
use crate::identity::Register;
use crate::text::boundary;
use crate::text::lines::LineIndex;
use crate::text::sentences::{self, Mark};
use crate::text::words;

/// A sentence has at least so many words, unless it cites.
const MIN_WORDS: usize = 4;

/// How far around a citation its surroundings are looked at: bytes before it, citations behind it.
const NEAR: usize = 24;

/// Everything a draft says, from its outline.
pub(super) fn draft<'t>(
    text: &'t str,
    outline: &Outline<'_>,
    options: &Options,
    register: &dyn Register,
) -> Draft<'t> {
    let reader = Reader { text, outline, options, register, reference_only: reference_only(text, outline) };
    let blocks = reader.find();
    let taken: Vec<Span> = blocks.iter().map(|block| block.span.clone()).collect();
    let prose = Prose::gather(text, outline, &taken);
    let listed: HashSet<SourceId> =
        blocks.iter().flat_map(|block| &block.entries).map(|entry| entry.id).collect();
    let asides = asides::Reader { text, outline, register, listed: &listed }.find(&blocks);
    let context = Context {
        draft: text,
        options,
        register,
        listed,
        footnotes: notes::meanings(text, outline, register),
    };
    let mut draft = Draft {
        text,
        lines: LineIndex::new(text),
        citations: Vec::new(),
        asides,
        markers: Vec::new(),
        sentences: Vec::new(),
        blocks,
        foreign: Vec::new(),
        years: Vec::new(),
        escaped: Vec::new(),
        unclosed_fences: Vec::new(),
        left_open: None,
        allows: Vec::new(),
        prose: Prose::default(),
    };
    let mut assembler =
        Assembler { prose: &prose, context: &context, draft: &mut draft, next_opaque: 0, silent: Vec::new() };
    for (number, unit) in prose.units.iter().enumerate() {
        assembler.unit(number, unit);
    }
    let silent = assembler.silent;
    draft.prose = prose.with_silent(silent);
    draft.allows = allow::find(text, outline, &draft.blocks);
    draft
}

/// Labels of definitions that only links with a text of their own use.
fn reference_only(text: &str, outline: &Outline<'_>) -> HashSet<String> {
    let mut bare = HashSet::new();
    let mut referred = HashSet::new();
    for (event, span) in &outline.events {
        let Event::Start(Tag::Link { link_type, id, .. }) = event else { continue };
        let number =
            bracket::read(text, span.start).map(|found| text[span.start + 1..found.end - 1].to_owned());
        match (link_type, number) {
            (LinkType::Shortcut | LinkType::Collapsed, _) => {
                bare.insert(id.to_string());
            }
            (LinkType::Reference, Some(number)) => bare.extend([id.to_string(), number]),
            (LinkType::Reference, None) => {
                referred.insert(id.to_string());
            }
            _ => {}
        }
    }
    referred.retain(|label| !bare.contains(label));
    referred
}

struct Assembler<'a, 't> {
    prose: &'a Prose,
    context: &'a Context<'a>,
    draft: &'a mut Draft<'t>,
    next_opaque: usize,
    silent: Vec<Stretch>,
}

impl Assembler<'_, '_> {
    fn unit(&mut self, number: usize, unit: &Unit) {
        let opaque = self.opaque(unit);
        let found = citation::scan(self.prose, unit, &opaque, self.context);
        let marks = marks(&found, &opaque, unit.text.start);
        let sentences =
            if unit.kind == Kind::Prose { self.sentences(unit, &found, &marks) } else { Vec::new() };
        self.silent.extend(
            marks.iter().map(|mark| unit.text.start + mark.span.start..unit.text.start + mark.span.end),
        );
        let first = self.draft.sentences.len();
        for (stretch, words) in &sentences {
            let span = self.prose.original(stretch);
            let sentence = Sentence {
                span,
                paragraph: number,
                words: *words,
                citations: Vec::new(),
                markers: Vec::new(),
                plain: stretch.clone(),
            };
            self.draft.sentences.push(sentence);
        }
        for find in found {
            self.place(find, unit, &sentences, first);
        }
    }

    /// What no citation stands in: code, formulas, URLs; merged and in text order.
    fn opaque(&mut self, unit: &Unit) -> Vec<Stretch> {
        let mut all = math::opaque(self.context.draft, self.prose, &unit.text);
        while let Some(stretch) = self.prose.opaque.get(self.next_opaque).filter(|s| s.start < unit.text.end)
        {
            if stretch.start >= unit.text.start && !stretch.is_empty() {
                all.push(stretch.clone());
            }
            self.next_opaque += 1;
        }
        all.sort_by_key(|stretch| stretch.start);
        all.dedup_by(|later, earlier| {
            let joined = later.start < earlier.end;
            if joined {
                earlier.end = earlier.end.max(later.end);
            }
            joined
        });
        all
    }

    /// The sentences that count, with their words; short ones that cite are joined to a neighbour.
    fn sentences(&self, unit: &Unit, found: &[Found], marks: &[Mark]) -> Vec<(Stretch, usize)> {
        let base = unit.text.start;
        let text = &self.prose.text[unit.text.clone()];
        let mut kept: Vec<(Stretch, usize)> = Vec::new();
        let mut pending: Option<(Stretch, usize)> = None;
        let mut next = 0;
        for sentence in sentences::split(text, marks) {
            let stretch = base + sentence.start..base + sentence.end;
            let from = next;
            while found.get(next).is_some_and(|find| find.text.start < stretch.end) {
                next += 1;
            }
            let inside = &found[from..next];
            let words = count_words(&self.prose.text, &stretch, inside);
            let cites = inside.iter().any(|find| find.what.is_provenance());
            match pending.take() {
                Some((before, fewer)) => {
                    push(&mut kept, &mut pending, before.start..stretch.end, fewer + words, cites)
                }
                None => push(&mut kept, &mut pending, stretch, words, cites),
            }
        }
        kept.extend(pending.filter(|(_, words)| *words > 0));
        kept
    }

    /// Files one find under its kind and its sentence.
    fn place(&mut self, find: Found, unit: &Unit, sentences: &[(Stretch, usize)], first: usize) {
        let span = self.prose.original(&find.text);
        let index = sentences.partition_point(|(stretch, _)| stretch.start <= find.text.start);
        let holder = index.checked_sub(1).filter(|at| find.text.end <= sentences[*at].0.end);
        let sentence = holder.map(|at| first + at);
        match find.what {
            What::Citation { target, form, malformed } => {
                let sentence = sentence.filter(|_| !malformed);
                let statement = holder.map_or(unit.text.clone(), |at| sentences[at].0.clone());
                let spaced = is_apart(&self.prose.text, &statement, &find.text);
                if let Some(sentence) = sentence {
                    self.draft.sentences[sentence].citations.push(self.draft.citations.len());
                }
                self.draft.citations.push(Citation { span, target, form, spaced, sentence });
            }
            What::Marker(kind) => {
                if let Some(sentence) = sentence {
                    self.draft.sentences[sentence].markers.push(self.draft.markers.len());
                }
                self.draft.markers.push(Marker { span, kind, sentence });
            }
            What::Foreign => self.draft.foreign.push(span),
            What::Year => self.draft.years.push(span),
            What::Escaped => self.draft.escaped.push(span),
            What::Note => {}
        }
    }
}

impl What {
    /// It tells where the statement comes from.
    fn is_provenance(&self) -> bool {
        matches!(self, Self::Citation { malformed: false, .. } | Self::Marker(_))
    }
}

/// White space stands between a statement and the citation behind it. A citation that is a word of its sentence,
/// as in `see [1]` or `[1] shows`, is not apart.
fn is_apart(text: &str, statement: &Stretch, citation: &Stretch) -> bool {
    const OPENERS: &[&str] = &[
        "in",
        "by",
        "from",
        "see",
        "of",
        "and",
        "to",
        "with",
        "per",
        "cf.",
        "also",
        "source",
        "ref",
        "reference",
        "und",
        "siehe",
        "voir",
        "véase",
        "ver",
    ];
    let before = &text[statement.start..citation.start];
    if !before.ends_with(char::is_whitespace) {
        return false;
    }
    let near = &before[boundary::floor(before, before.len().saturating_sub(NEAR))..];
    let last = near.split_whitespace().next_back().unwrap_or_default();
    let leads_in = OPENERS.iter().any(|word| last.eq_ignore_ascii_case(word));
    let behind = text.get(citation.end..statement.end).unwrap_or_default();
    !last.is_empty() && !leads_in && !goes_on(behind)
}

/// A word stands behind the citations that `text` begins with.
fn goes_on(text: &str) -> bool {
    let mut rest = text;
    for _ in 0..NEAR {
        let bare = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '[' | '【' | '［'));
        match bracket::read(bare, 0) {
            Some(found) => rest = &bare[found.end..],
            None => return !bare.is_empty(),
        }
    }
    false
}

/// Adds a sentence: a short one that cites joins its neighbour, any other short one is dropped.
fn push(
    kept: &mut Vec<(Stretch, usize)>,
    pending: &mut Option<(Stretch, usize)>,
    stretch: Stretch,
    words: usize,
    cites: bool,
) {
    if words >= MIN_WORDS {
        kept.push((stretch, words));
    } else if cites {
        match kept.last_mut() {
            Some(last) => *last = (last.0.start..stretch.end, last.1 + words),
            None => *pending = Some((stretch, words)),
        }
    }
}

/// Finds and opaque stretches of a unit as marks for the segmenter, relative to `base`.
fn marks(found: &[Found], opaque: &[Stretch], base: usize) -> Vec<Mark> {
    let relative = |stretch: &Stretch| stretch.start - base..stretch.end - base;
    let mut marks: Vec<Mark> =
        opaque.iter().map(|stretch| Mark { span: relative(stretch), attached: false }).collect();
    marks.extend(found.iter().map(|find| Mark { span: relative(&find.text), attached: true }));
    marks.sort_by_key(|mark| mark.span.start);
    marks
}

/// Words of `stretch` without the finds inside it.
fn count_words(text: &str, stretch: &Stretch, inside: &[Found]) -> usize {
    if inside.is_empty() {
        return words::count(&text[stretch.clone()]);
    }
    let mut bare = String::with_capacity(stretch.len());
    let mut from = stretch.start;
    for find in inside {
        bare.push_str(text.get(from..find.text.start).unwrap_or_default());
        bare.push(' ');
        from = find.text.end;
    }
    bare.push_str(text.get(from..stretch.end).unwrap_or_default());
    words::count(&bare)
}
