//! How each byte of a draft looks on the page: where its sentence comes from and the gravest finding on it.
//! In: a judged draft. Out: stretches of bytes that look alike, covering the text, found by one sweep.

use std::ops::Range;

use super::Shown;
use crate::diagnostic::Severity;
use crate::report::provenance::Origin;

/// How a stretch of text looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Look {
    /// Where its sentence comes from; `None` outside sentences.
    pub origin: Option<Origin>,
    /// Some error or warning is about its sentence.
    pub troubled: bool,
    /// The gravest finding about these very bytes.
    pub finding: Option<Severity>,
}

/// The looks of a draft.
pub(super) struct Looks {
    /// First byte of each stretch, ascending, and how it looks; the first begins at 0.
    stretches: Vec<(usize, Look)>,
}

impl Looks {
    /// Sweeps over the sentences and findings of a draft once.
    pub fn of(draft: &Shown<'_>) -> Self {
        let sentences = &draft.judged.provenance.sentences;
        let troubled = troubled(draft);
        let mut changes: Vec<(usize, Change)> = Vec::new();
        for (at, (span, _)) in sentences.iter().enumerate() {
            changes.push((span.start, Change::Enter(at)));
            changes.push((span.end, Change::Leave(at)));
        }
        for (severity, span) in draft.places() {
            changes.push((span.start, Change::Open(severity)));
            changes.push((span.end, Change::Close(severity)));
        }
        changes.sort_by_key(|(at, _)| *at);
        let mut state = State::default();
        let mut stretches = vec![(0, Look::default())];
        for (at, change) in changes {
            state.apply(change);
            let sentence = state.sentence;
            let look = Look {
                origin: sentence.map(|at| sentences[at].1),
                troubled: sentence.is_some_and(|at| troubled[at]),
                finding: state.gravest(),
            };
            match stretches.last_mut() {
                Some(last) if last.0 == at => last.1 = look,
                _ => stretches.push((at, look)),
            }
        }
        Self { stretches }
    }

    /// How byte `at` looks, and where that ends.
    pub fn at(&self, at: usize) -> (Look, usize) {
        let next = self.stretches.partition_point(|(start, _)| *start <= at);
        let end = self.stretches.get(next).map_or(usize::MAX, |(start, _)| *start);
        let look = next.checked_sub(1).and_then(|own| self.stretches.get(own));
        (look.map(|(_, look)| *look).unwrap_or_default(), end)
    }
}

#[derive(Clone, Copy)]
enum Change {
    Enter(usize),
    Leave(usize),
    Open(Severity),
    Close(Severity),
}

#[derive(Default)]
struct State {
    sentence: Option<usize>,
    open: [usize; 3],
}

impl State {
    fn apply(&mut self, change: Change) {
        match change {
            Change::Enter(at) => self.sentence = Some(at),
            Change::Leave(at) if self.sentence == Some(at) => self.sentence = None,
            Change::Leave(_) => {}
            Change::Open(severity) => self.open[severity as usize] += 1,
            Change::Close(severity) => {
                self.open[severity as usize] = self.open[severity as usize].saturating_sub(1);
            }
        }
    }

    fn gravest(&self) -> Option<Severity> {
        let all = [Severity::Error, Severity::Warning, Severity::Note];
        all.into_iter().find(|severity| self.open[*severity as usize] > 0)
    }
}

/// Which sentences some error or warning is about.
fn troubled(draft: &Shown<'_>) -> Vec<bool> {
    let sentences = &draft.judged.provenance.sentences;
    let mut steps = vec![0isize; sentences.len() + 1];
    for (_, span) in draft.places().filter(|(severity, _)| *severity > Severity::Note) {
        let touched = touched(sentences, span);
        steps[touched.start] += 1;
        steps[touched.end] -= 1;
    }
    let mut over = 0;
    let count = |step: isize| {
        over += step;
        over > 0
    };
    steps.into_iter().take(sentences.len()).map(count).collect()
}

/// The sentences that `span` touches, by index.
fn touched(sentences: &[(Range<usize>, Origin)], span: &Range<usize>) -> Range<usize> {
    let first = sentences.partition_point(|(own, _)| own.end <= span.start);
    let last = sentences.partition_point(|(own, _)| own.start < span.end.max(span.start + 1));
    first..last.max(first)
}
