//! Which kept page texts are a source's own, and how each is read. In: a source and the place of a quote, both as
//! the ledger has them: edited by hand they may name the page of another source, or another way of reading it.

use std::collections::BTreeSet;

use crate::evidence::Reader;
use crate::ledger::{Anchor, Source};

/// What a source says of the page text that one of its quotes names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is kept, and read this way.
    Read(Reader),
    /// It was not kept.
    Nowhere,
    /// Other texts are kept for the source, but not this one.
    Foreign,
}

/// The page text that `anchor`, of a quote of `source`, names. A source that lists no texts has the one that its quote
/// says was kept.
pub(super) fn kept(source: &Source, anchor: &Anchor) -> Kept {
    let said = Reader::named(&anchor.reader).unwrap_or(Reader::Text);
    match source.snapshots.iter().find(|page| page.sha256 == anchor.sha256) {
        Some(page) => Kept::Read(read_as(said, Reader::named(&page.reader).unwrap_or(said))),
        None if !anchor.kept => Kept::Nowhere,
        None if source.snapshots.is_empty() => Kept::Read(said),
        None => Kept::Foreign,
    }
}

/// A text that was kept with its markup is never read as if it had none: then comments would count.
fn read_as(said: Reader, kept: Reader) -> Reader {
    let is_markup = |reader| matches!(reader, Reader::Text | Reader::Markdown);
    if is_markup(said) == is_markup(kept) { said } else { kept }
}

/// Digest and reader of each page text of `source`, each once.
pub(super) fn pages_of(source: &Source) -> BTreeSet<(&str, &str)> {
    let snapshots = source.snapshots.iter().map(|page| (page.sha256.as_str(), page.reader.as_str()));
    let anchors = source.quotes.iter().filter_map(|quote| quote.anchor.as_ref());
    let of_quotes = anchors.filter_map(|anchor| match kept(source, anchor) {
        Kept::Read(reader) => Some((anchor.sha256.as_str(), reader.as_str())),
        Kept::Nowhere | Kept::Foreign => None,
    });
    snapshots.chain(of_quotes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Snapshot;

    fn anchor(sha256: &str, reader: &str, kept: bool) -> Anchor {
        Anchor {
            sha256: sha256.into(),
            start: 0,
            end: 3,
            prefix: String::new(),
            suffix: String::new(),
            rules: Vec::new(),
            reader: reader.into(),
            kept,
        }
    }

    fn source(snapshots: &[(&str, &str)]) -> Source {
        let snapshot = |(sha256, reader): &(&str, &str)| Snapshot {
            sha256: (*sha256).into(),
            reader: (*reader).into(),
            ..Snapshot::default()
        };
        let mut ledger = crate::ledger::Ledger::default();
        let url = "https://a.example/ice";
        let locator = crate::identity::locate(url, &crate::identity::Options::default()).unwrap();
        let id = ledger.add(&locator, url, "", "2026-01-31", None).id;
        Source { snapshots: snapshots.iter().map(snapshot).collect(), ..ledger.get(id).unwrap().clone() }
    }

    #[test]
    fn a_source_vouches_only_for_the_texts_it_lists() {
        let listed = source(&[("a", "text")]);
        assert_eq!(kept(&listed, &anchor("a", "text", true)), Kept::Read(Reader::Text));
        assert_eq!(
            kept(&listed, &anchor("a", "text", false)),
            Kept::Read(Reader::Text),
            "it is kept all the same"
        );
        assert_eq!(kept(&listed, &anchor("b", "text", true)), Kept::Foreign);
        assert_eq!(kept(&listed, &anchor("b", "text", false)), Kept::Nowhere);
        let unlisted = source(&[]);
        assert_eq!(kept(&unlisted, &anchor("b", "html", true)), Kept::Read(Reader::Html));
        assert_eq!(kept(&unlisted, &anchor("b", "html", false)), Kept::Nowhere);
    }

    #[test]
    fn markup_is_not_taken_for_visible_text() {
        let listed = source(&[("a", "text"), ("b", "html")]);
        for (sha256, said, read) in [
            ("a", "html", Reader::Text),
            ("a", "pdf", Reader::Text),
            ("a", "markdown", Reader::Markdown),
            ("b", "markdown", Reader::Html),
            ("b", "nonsense", Reader::Html),
        ] {
            assert_eq!(kept(&listed, &anchor(sha256, said, true)), Kept::Read(read), "{sha256} {said}");
        }
    }
}
