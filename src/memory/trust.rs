//! May a passage be used as evidence? One verdict a hit, the first that holds; and what a memory without any
//! trusted hit says. Pure functions of what the notes say, the score, the threshold and the day.

use jiff::civil::Date;
use serde::Serialize;

/// What is said about a hit, in the order in which it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A date that is none, or a window that ends before it begins.
    InvalidMetadata,
    /// A note claims to replace a name that this note shares with others.
    AmbiguousSupersession,
    /// Another note replaces this one.
    Superseded,
    /// Its last valid day is over.
    Expired,
    /// Its first valid day is still to come.
    NotYetValid,
    /// Too little of the query is in it.
    LowConfidence,
    /// It may be used.
    Ok,
}

impl Verdict {
    /// The verdicts that block a hit, in the order in which they are judged.
    #[cfg(test)]
    const BLOCKING: [Self; 6] = [
        Self::InvalidMetadata,
        Self::AmbiguousSupersession,
        Self::Superseded,
        Self::Expired,
        Self::NotYetValid,
        Self::LowConfidence,
    ];

    /// Its name in every report.
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidMetadata => "invalid_metadata",
            Self::AmbiguousSupersession => "ambiguous_supersession",
            Self::Superseded => "superseded",
            Self::Expired => "expired",
            Self::NotYetValid => "not_yet_valid",
            Self::LowConfidence => "low_confidence",
            Self::Ok => "ok",
        }
    }
}

/// The days on which a note holds, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// From and until a day; `None` is without end.
    Days(Option<Date>, Option<Date>),
    /// A date that is none.
    Unparseable,
    /// It ends before it begins.
    Empty,
}

impl Window {
    /// Reads the two keys of a note's front matter.
    pub fn read(from: Option<&str>, until: Option<&str>) -> Self {
        let (Ok(from), Ok(until)) = (from.map(day).transpose(), until.map(day).transpose()) else {
            return Self::Unparseable;
        };
        match (from, until) {
            (Some(first), Some(last)) if first > last => Self::Empty,
            window => Self::Days(window.0, window.1),
        }
    }
}

/// `YYYY-MM-DD` and nothing else.
fn day(text: &str) -> Result<Date, NoDay> {
    let bytes = text.as_bytes();
    let digits = |at: std::ops::Range<usize>| bytes[at].iter().all(u8::is_ascii_digit);
    let is_day = bytes.len() == 10
        && (bytes[4], bytes[7]) == (b'-', b'-')
        && digits(0..4)
        && digits(5..7)
        && digits(8..10);
    if is_day { text.parse().map_err(|_| NoDay) } else { Err(NoDay) }
}

struct NoDay;

/// What other notes say about a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing.
    Current,
    /// One of several that a claim may mean.
    Ambiguous,
    /// Another note replaces it.
    Superseded,
}

/// Judges one hit of a note.
pub fn judge(window: Window, standing: Standing, score: f64, threshold: f64, today: Date) -> Verdict {
    let Window::Days(from, until) = window else { return Verdict::InvalidMetadata };
    match standing {
        Standing::Ambiguous => Verdict::AmbiguousSupersession,
        Standing::Superseded => Verdict::Superseded,
        Standing::Current if until.is_some_and(|last| today > last) => Verdict::Expired,
        Standing::Current if from.is_some_and(|first| today < first) => Verdict::NotYetValid,
        Standing::Current if score < threshold => Verdict::LowConfidence,
        Standing::Current => Verdict::Ok,
    }
}

/// Why a memory has no evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing in it comes near the query.
    CorpusGap,
    /// Something does, but none of it may be used.
    NoTrustedEvidence,
    /// There is evidence, but the caller left no room for it.
    EvidenceBudgetExhausted,
}

/// Why hits with these verdicts and scores give no evidence; `None` where one is ok.
pub fn reason(hits: impl IntoIterator<Item = (Verdict, f64)>, threshold: f64) -> Option<Reason> {
    let mut reason = Some(Reason::CorpusGap);
    for (verdict, score) in hits {
        if verdict == Verdict::Ok {
            return None;
        }
        if score >= threshold {
            reason = Some(Reason::NoTrustedEvidence);
        }
    }
    reason
}

/// How far the verdicts themselves can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrustState {
    /// The threshold was measured on this very corpus.
    Trusted,
    /// The built-in threshold is used.
    Provisional,
    /// A calibration no longer holds, or there is nothing to judge.
    Degraded,
}

impl TrustState {
    /// Its name in every report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Provisional => "provisional",
            Self::Degraded => "degraded",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: &str = "2025-06-15";

    fn verdict(from: Option<&str>, until: Option<&str>, standing: Standing, score: f64) -> Verdict {
        judge(Window::read(from, until), standing, score, 0.5, TODAY.parse().unwrap())
    }

    #[test]
    fn the_first_verdict_that_holds_is_said() {
        use Standing::{Ambiguous, Current, Superseded};
        let past = Some("2025-01-01");
        let future = Some("2025-12-31");
        let table = [
            (Some("soon"), None, Ambiguous, 0.0, Verdict::InvalidMetadata),
            (future, past, Superseded, 0.0, Verdict::InvalidMetadata),
            (None, past, Ambiguous, 0.0, Verdict::AmbiguousSupersession),
            (None, past, Superseded, 0.0, Verdict::Superseded),
            (None, past, Current, 0.0, Verdict::Expired),
            (future, None, Current, 0.0, Verdict::NotYetValid),
            (past, future, Current, 0.49, Verdict::LowConfidence),
            (past, future, Current, 0.5, Verdict::Ok),
            (None, None, Current, 1.0, Verdict::Ok),
        ];
        for (from, until, standing, score, expected) in table {
            assert_eq!(
                verdict(from, until, standing, score),
                expected,
                "{from:?} {until:?} {standing:?} {score}"
            );
        }
    }

    #[test]
    fn both_bounds_of_a_window_belong_to_it() {
        let current = |from, until| verdict(from, until, Standing::Current, 1.0);
        assert_eq!(current(Some(TODAY), Some(TODAY)), Verdict::Ok);
        assert_eq!(current(None, Some("2025-06-14")), Verdict::Expired);
        assert_eq!(current(Some("2025-06-16"), None), Verdict::NotYetValid);
    }

    #[test]
    fn only_a_day_of_the_calendar_in_one_form_is_a_date() {
        for bad in [
            "2025-02-29",
            "2025-13-01",
            "2025-6-15",
            "20250615",
            "15.06.2025",
            "2025-06-15T00:00:00Z",
            "２025-06-15",
            "2025-06-15 2025-06-16",
            "+025-06-15",
        ] {
            assert_eq!(Window::read(Some(bad), None), Window::Unparseable, "{bad}");
            assert_eq!(Window::read(None, Some(bad)), Window::Unparseable, "{bad}");
        }
        assert!(matches!(Window::read(Some("2024-02-29"), None), Window::Days(Some(_), None)));
    }

    #[test]
    fn a_window_that_ends_before_it_begins_is_empty() {
        assert_eq!(Window::read(Some("2025-06-16"), Some("2025-06-15")), Window::Empty);
    }

    #[test]
    fn emptiness_is_explained_by_what_came_near() {
        let low = (Verdict::LowConfidence, 0.2);
        assert_eq!(reason([], 0.5), Some(Reason::CorpusGap));
        assert_eq!(reason([low, (Verdict::Expired, 0.3)], 0.5), Some(Reason::CorpusGap));
        assert_eq!(reason([low, (Verdict::Expired, 0.9)], 0.5), Some(Reason::NoTrustedEvidence));
        assert_eq!(reason([low, (Verdict::Expired, 0.9), (Verdict::Ok, 0.6)], 0.5), None);
    }

    #[test]
    fn a_verdict_has_one_name_in_code_and_json() {
        for verdict in Verdict::BLOCKING.into_iter().chain([Verdict::Ok]) {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.name());
        }
    }
}
