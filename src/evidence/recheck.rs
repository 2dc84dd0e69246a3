//! Is a recorded quote still borne out by its snapshot? Everything recorded is untrusted: digests, spans and
//! quotes may have been edited by hand.

use std::ops::Range;

use super::page::Page;

/// A quote as the ledger recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded<'a> {
    /// The words.
    pub quote: &'a str,
    /// The bytes of the page text that it matched. Untrusted.
    pub span: Range<usize>,
    /// What stood before it, as far as that was recorded. Untrusted.
    pub before: &'a str,
    /// What stood behind it, as far as that was recorded. Untrusted.
    pub after: &'a str,
}

/// What a second look says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recheck {
    /// The quote stands at the recorded place.
    Sound,
    /// It does not: why, in words.
    Broken(String),
    /// There is nothing to look at: why, in words.
    NotRecheckable(String),
}

/// Looks again at many quotes of one page; the page is folded once.
pub fn recheck(page: &Page, recorded: &[Recorded<'_>]) -> Vec<Recheck> {
    let quotes: Vec<&str> = recorded.iter().map(|one| one.quote).collect();
    let spans: Vec<Range<usize>> = recorded.iter().map(|one| one.span.clone()).collect();
    let held = page.hold_at(&quotes, &spans);
    recorded.iter().zip(held).map(|(one, holds)| judge(page, one, holds)).collect()
}

fn judge(page: &Page, recorded: &Recorded<'_>, holds: bool) -> Recheck {
    let (before, after) =
        if holds { page.around(&recorded.span) } else { return broken(page, &recorded.span) };
    // A report shows these words beside the quote, so they are checked as it is.
    if before.ends_with(recorded.before) && after.starts_with(recorded.after) {
        return Recheck::Sound;
    }
    Recheck::Broken("the words around it in its snapshot are not those that were recorded".into())
}

fn broken(page: &Page, span: &Range<usize>) -> Recheck {
    let Range { start, end } = span;
    Recheck::Broken(match page.text().get(span.clone()) {
        None => format!("bytes {start} to {end} are no place in its snapshot"),
        Some(_) => format!("its words do not stand at the recorded bytes {start} to {end} of its snapshot"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::page::Reader;
    use super::*;

    const PAGE: &str = "Ice floats on **cold** water. Ice floats on **cold** water. Salt sinks.";

    fn look(quote: &str, span: Range<usize>) -> Recheck {
        let page = Page::from_snapshot(PAGE.into(), Reader::Text);
        recheck(&page, &[Recorded { quote, span, before: "", after: "" }]).remove(0)
    }

    #[test]
    fn a_quote_is_sound_where_it_was_found() {
        let page = Page::from_snapshot(PAGE.into(), Reader::Text);
        let found = page.find("Ice floats on cold water").found().cloned().unwrap();
        assert_eq!(look("Ice floats on cold water", found.span), Recheck::Sound);
        let second = PAGE.match_indices("Ice").nth(1).unwrap().0;
        assert_eq!(look("Ice floats on cold water", second..second + 28), Recheck::Sound);
    }

    #[test]
    fn what_stood_around_a_quote_is_looked_at_too() {
        let page = Page::from_snapshot(PAGE.into(), Reader::Text);
        let around = |before, after| {
            let quote = "water. Salt sinks";
            let start = PAGE.find(quote).unwrap();
            let recorded = Recorded { quote, span: start..start + quote.len(), before, after };
            recheck(&page, &[recorded]).remove(0)
        };
        for (before, after) in [("", ""), ("cold** ", "."), ("Ice floats on **cold** ", "")] {
            assert_eq!(around(before, after), Recheck::Sound, "{before}|{after}");
        }
        for (before, after) in [("Nobody says: ", "."), ("cold** ", " in oil.")] {
            assert!(matches!(around(before, after), Recheck::Broken(_)), "{before}|{after}");
        }
    }

    #[test]
    fn an_edited_quote_or_span_is_broken() {
        for (quote, span) in [
            ("Ice sinks in cold water", 0..28),
            ("Ice floats on cold water", 1..28),
            ("Ice floats on cold water", 0..9_999),
            ("Ice floats on cold water", 9_999..10_000),
            ("Ice floats on cold water", usize::MAX - 1..usize::MAX),
        ] {
            assert!(matches!(look(quote, span.clone()), Recheck::Broken(_)), "{quote} {span:?}");
        }
    }
}
