//! An answer that cites by numbers of its own goes in, with the ids that its sources got; the same text comes
//! out, citing by those ids, ready to be pasted into a draft.
//!
//! Where the answer has brackets (`[3]`, a chunk id) they are replaced; where it has spans, the id is put behind
//! the span, or in its place where the span is itself a marker (`([a.example](https://…))`).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::identity::SourceId;

use super::marks::{self, Mark, is_number};
use super::{Found, owned};

/// The text of an answer and where it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The text as it came.
    pub text: Cow<'a, str>,
    /// Which of the findings its local numbers may mean.
    scope: Range<usize>,
    marks: Marks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Marks {
    /// Local numbers in brackets.
    Brackets,
    /// Local numbers in brackets; where there are none, these belong at the end.
    Listed(Vec<String>),
    /// Places given beside the text.
    Spans(Vec<Span>),
}

/// A place in an answer that rests on sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Bytes of the text.
    pub at: Range<usize>,
    /// Places in the findings.
    pub sources: Vec<usize>,
    /// What the answer calls sources that were not found.
    pub lost: Vec<String>,
}

/// An answer that cites by ledger ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The text to paste.
    pub text: String,
    /// What was left out, each once: local numbers that nothing in the reply explains, and addresses of sources
    /// that got no id or whose place does not fit the text.
    pub left_out: Vec<String>,
}

impl<'a> Answer<'a> {
    /// An answer whose brackets name the findings in `scope` by [`Found::local`].
    pub fn bracketed(text: Cow<'a, str>, scope: Range<usize>) -> Self {
        Self { text, scope, marks: Marks::Brackets }
    }

    /// The same, with a list of what it cites, for an answer without brackets.
    pub fn listed(text: Cow<'a, str>, scope: Range<usize>, cited: Vec<String>) -> Self {
        Self { text, scope, marks: Marks::Listed(cited) }
    }

    /// An answer with spans; those that do not fit the text are reported as left out.
    pub fn spanned(text: Cow<'a, str>, spans: Vec<Span>) -> Self {
        Self { text, scope: 0..0, marks: Marks::Spans(spans) }
    }

    /// The text with ledger ids: `ids` holds, for every finding, the id it got, if any.
    pub fn rewritten(&self, found: &[Found<'_>], ids: &[Option<SourceId>]) -> Rewritten {
        let mut writer = Writer {
            text: &self.text,
            found,
            ids,
            copied: 0,
            done: Rewritten::default(),
            lost: HashSet::new(),
        };
        match &self.marks {
            Marks::Brackets => _ = self.brackets(found, &mut writer),
            Marks::Listed(cited) => {
                if !self.brackets(found, &mut writer) {
                    writer.at_the_end(cited, &self.locals(found));
                }
            }
            Marks::Spans(spans) => writer.spans(spans),
        }
        writer.finish()
    }

    /// Replaces every bracket of local numbers; false where there is none.
    fn brackets(&self, found: &[Found<'_>], writer: &mut Writer<'_>) -> bool {
        let locals = self.locals(found);
        let marks = marks::named(&self.text, |name| locals.contains_key(name));
        for Mark { at, names } in &marks {
            let (sources, lost) = resolved(names.iter().map(String::as_str), &locals);
            writer.replace(at.clone(), &sources, &lost);
        }
        !marks.is_empty()
    }

    /// What each local number means; within the answer's own findings first, chunk ids anywhere.
    fn locals<'f>(&self, found: &'f [Found<'_>]) -> HashMap<&'f str, usize> {
        let scope = self.scope.start.min(found.len())..self.scope.end.min(found.len());
        let own = scope.clone().map(|at| (at, true));
        let others = (0..found.len()).filter(|at| !scope.contains(at)).map(|at| (at, false));
        let mut locals = HashMap::new();
        for (at, own) in own.chain(others) {
            if let Some(local) = found[at].local.as_deref().filter(|local| own || !is_number(local)) {
                locals.entry(local).or_insert(at);
            }
        }
        locals
    }

    pub(super) fn moved_by(mut self, before: usize) -> Self {
        self.scope = self.scope.start + before..self.scope.end + before;
        if let Marks::Spans(spans) = &mut self.marks {
            spans.iter_mut().flat_map(|span| &mut span.sources).for_each(|source| *source += before);
        }
        self
    }

    pub(super) fn into_owned(self) -> Answer<'static> {
        Answer { text: owned(self.text), scope: self.scope, marks: self.marks }
    }
}

/// The findings that `names` stand for, and the names that stand for none.
fn resolved<'n>(
    names: impl Iterator<Item = &'n str>,
    locals: &HashMap<&str, usize>,
) -> (Vec<usize>, Vec<String>) {
    let (mut sources, mut lost) = (Vec::new(), Vec::new());
    for name in names {
        match locals.get(name) {
            Some(source) => sources.push(*source),
            None => lost.push(name.to_owned()),
        }
    }
    (sources, lost)
}

struct Writer<'t> {
    text: &'t str,
    found: &'t [Found<'t>],
    ids: &'t [Option<SourceId>],
    copied: usize,
    done: Rewritten,
    lost: HashSet<String>,
}

impl Writer<'_> {
    /// Puts the ids of `sources` in the place of `at`; a space before a marker that vanishes goes too.
    fn replace(&mut self, at: Range<usize>, sources: &[usize], lost: &[String]) {
        self.copy_to(at.start);
        let ids = self.ids_of(sources);
        if ids.is_empty() {
            self.vanish();
        }
        self.write(&ids);
        self.lose(lost);
        self.lose_refused(sources);
        self.copied = at.end.max(self.copied);
    }

    /// Inside an open bracket something stays: `[2[0]]` must not become `[2]`.
    fn vanish(&mut self) {
        if marks::is_open(&self.done.text) {
            self.done.text.push_str("[?]");
        } else if self.done.text.ends_with(' ') {
            self.done.text.pop();
        }
    }

    fn copy_to(&mut self, end: usize) {
        if let Some(text) = self.text.get(self.copied..end) {
            self.done.text.push_str(text);
            self.copied = end;
        }
    }

    /// The ids of `sources`, each once.
    fn ids_of(&self, sources: &[usize]) -> Vec<SourceId> {
        let mut seen = HashSet::new();
        let ids = sources.iter().filter_map(|at| self.ids.get(*at).copied().flatten());
        ids.filter(|id| seen.insert(*id)).collect()
    }

    fn write(&mut self, ids: &[SourceId]) {
        ids.iter().for_each(|id| self.done.text.push_str(&format!("[{id}]")));
    }

    fn lose(&mut self, names: &[String]) {
        for name in names.iter().filter(|name| !name.is_empty()) {
            if self.lost.insert(name.clone()) {
                self.done.left_out.push(name.clone());
            }
        }
    }

    /// Sources that were found but got no id.
    fn lose_refused(&mut self, sources: &[usize]) {
        let refused = sources.iter().filter(|at| self.ids.get(**at).copied().flatten().is_none());
        let urls: Vec<String> = refused.filter_map(|at| Some(self.found.get(*at)?.url.to_string())).collect();
        self.lose(&urls);
    }

    fn spans(&mut self, spans: &[Span]) {
        let mut spans: Vec<Span> = spans.to_vec();
        spans.sort_by_key(|span| (span.at.start, span.at.end));
        spans.dedup_by(|later, kept| {
            let same = later.at == kept.at;
            if same {
                kept.sources.append(&mut later.sources);
                kept.lost.append(&mut later.lost);
            }
            same
        });
        let (markers, mut behind): (Vec<_>, Vec<_>) =
            spans.into_iter().partition(|span| self.is_marker(span));
        behind.iter_mut().for_each(|span| span.at.start = span.at.end);
        let unexplained = self.unexplained(&markers);
        let mut all = [markers, behind, unexplained].concat();
        all.sort_by_key(|span| (span.at.end, span.at.start));
        all.iter().for_each(|span| self.span(span));
    }

    /// Numbers of the answer's own that no span explains: they would come to mean sources of the ledger.
    fn unexplained(&self, markers: &[Span]) -> Vec<Span> {
        let covered = |at: &Range<usize>| {
            let next = markers.partition_point(|marker| marker.at.end <= at.start);
            markers.get(next).is_some_and(|marker| marker.at.start < at.end)
        };
        let marks = marks::read_by_drafts(self.text).into_iter().filter(|mark| !covered(&mark.at));
        marks.map(|Mark { at, names }| Span { at, sources: vec![], lost: names }).collect()
    }

    fn span(&mut self, span: &Span) {
        if span.at.start < self.copied || self.text.get(span.at.clone()).is_none() {
            let urls = span.sources.iter().filter_map(|at| Some(self.found.get(*at)?.url.to_string()));
            let names: Vec<String> = urls.chain(span.lost.iter().cloned()).collect();
            return self.lose(&names);
        }
        self.replace(span.at.clone(), &span.sources, &span.lost);
    }

    /// Is the span's text itself a marker, to be replaced?
    fn is_marker(&self, span: &Span) -> bool {
        let text = self.text.get(span.at.clone()).unwrap_or_default().trim();
        let linked = text.contains("](http") && text.starts_with(['(', '[']) && text.ends_with(')');
        linked || (text.starts_with('【') && text.ends_with('】')) || is_number(text.trim_matches(['[', ']']))
    }

    fn at_the_end(&mut self, cited: &[String], locals: &HashMap<&str, usize>) {
        let (sources, lost) = resolved(cited.iter().map(String::as_str), locals);
        let end = self.text.trim_end().len();
        self.replace(end..end, &sources, &lost);
    }

    fn finish(mut self) -> Rewritten {
        self.copy_to(self.text.len());
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(locals: &[&str]) -> Vec<Found<'static>> {
        let one = |local: &&str| Found {
            url: format!("https://a.example/{local}").into(),
            local: Some((*local).to_owned().into()),
            ..Found::default()
        };
        locals.iter().map(one).collect()
    }

    fn ids(ids: &[u32]) -> Vec<Option<SourceId>> {
        ids.iter().map(|id| (*id > 0).then_some(SourceId(*id))).collect()
    }

    fn bracketed(text: &str, locals: &[&str], given: &[u32]) -> (String, Vec<String>) {
        let answer = Answer::bracketed(text.into(), 0..locals.len());
        let done = answer.rewritten(&found(locals), &ids(given));
        (done.text, done.left_out)
    }

    fn lost(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn local_numbers_become_ledger_ids() {
        let (text, left_out) =
            bracketed("Ice floats [1], water boils.[2][1] Salt [1, 2]", &["1", "2"], &[7, 12]);
        assert_eq!(text, "Ice floats [7], water boils.[12][7] Salt [7][12]");
        assert!(left_out.is_empty());
    }

    #[test]
    fn a_local_number_without_a_source_is_left_out_and_reported() {
        let (text, left_out) = bracketed("Ice floats [3]. Water boils [1][3].", &["1"], &[7]);
        assert_eq!(text, "Ice floats. Water boils [7].");
        assert_eq!(left_out, lost(&["3"]));
    }

    #[test]
    fn a_source_that_got_no_id_is_left_out_and_reported() {
        assert_eq!(
            bracketed("Ice floats [1].", &["1"], &[0]),
            ("Ice floats.".into(), lost(&["https://a.example/1"]))
        );
    }

    #[test]
    fn years_words_and_code_are_no_local_numbers() {
        let text = "In [2024] [sic] `a[1]`\n```\na[1]\n```\n[a](https://a.example)";
        assert_eq!(bracketed(text, &["1"], &[7]).0, text);
    }

    #[test]
    fn a_linked_number_loses_its_link() {
        assert_eq!(bracketed("Ice [1](https://a.example/1) floats", &["1"], &[7]).0, "Ice [7] floats");
    }

    #[test]
    fn chunk_ids_are_found_in_other_inputs_and_listed_ones_go_to_the_end() {
        let chunks = found(&["00ff", "abcd"]);
        let inline = Answer::bracketed("Ice floats [abcd].".into(), 0..0);
        assert_eq!(inline.rewritten(&chunks, &ids(&[3, 4])).text, "Ice floats [4].");
        let listed = Answer::listed("Ice floats. ".into(), 0..0, lost(&["00ff", "gone"]));
        let done = listed.rewritten(&chunks, &ids(&[3, 4]));
        assert_eq!((done.text.as_str(), done.left_out), ("Ice floats.[3] ", lost(&["gone"])));
    }

    #[test]
    fn an_id_stands_behind_its_span_or_in_place_of_a_marker() {
        let text = "Ice floats. ([a.example](https://a.example/1)) Water boils.";
        let span = |at: Range<usize>, source| Span { at, sources: vec![source], lost: vec![] };
        let marker = 12..46;
        let spans = vec![span(47..59, 1), span(marker.clone(), 0), span(marker, 1), span(0..11, 1)];
        let done = Answer::spanned(text.into(), spans).rewritten(&[], &ids(&[7, 8]));
        assert_eq!(done.text, "Ice floats.[8] [7][8] Water boils.[8]");
    }

    #[test]
    fn a_number_in_any_form_becomes_an_id_or_goes() {
        let text = "Ice floats【1】, water boils [1-2], salt melts.[^2] Snow［3］ and rain [1-500] fall.";
        let (text, left_out) = bracketed(text, &["1", "2"], &[7, 12]);
        assert_eq!(text, "Ice floats[7], water boils [7][12], salt melts.[12] Snow and rain fall.");
        assert_eq!(left_out, lost(&["3", "1-500"]));
    }

    #[test]
    fn no_number_comes_about_where_one_goes() {
        for (before, after) in [
            ("Ice floats [2[0]].", "Ice floats [2[?]]."),
            ("Ice floats [[0]2].", "Ice floats [[?]2]."),
            ("Ice floats [2, 【9】].", "Ice floats [2, [?]]."),
            ("CO2[0] [x][9].", "CO2 [x]."),
        ] {
            assert_eq!(bracketed(before, &["1"], &[7]).0, after);
        }
    }

    #[test]
    fn a_number_that_no_span_explains_goes() {
        let text = "Ice floats [1]. Water【2】 boils. Salt [3] melts.";
        let span = |at: Range<usize>| Span { at, sources: vec![0], lost: vec![] };
        let done = Answer::spanned(text.into(), vec![span(0..14), span(41..44)]).rewritten(&[], &ids(&[7]));
        assert_eq!(done.text, "Ice floats[7]. Water boils. Salt [7] melts.");
        assert_eq!(done.left_out, lost(&["1", "2"]));
    }

    #[test]
    fn a_span_outside_the_text_is_reported() {
        let spans = vec![Span { at: 5..400, sources: vec![0], lost: vec![] }];
        let done = Answer::spanned("Ice floats.".into(), spans).rewritten(&found(&["1"]), &ids(&[7]));
        assert_eq!((done.text.as_str(), done.left_out), ("Ice floats.", lost(&["https://a.example/1"])));
    }
}
