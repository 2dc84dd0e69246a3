//! New numbers for a draft: citations in every form that is read, and the entries of its Sources blocks, all at
//! once, so that 1 may become 2 while 2 becomes 1. Every other byte stays.
//!
//! [`renumbered`] writes the text; [`Expected`] says what it must read as, and [`Expected::differs_in`] holds the
//! rewritten draft against that: a marker that turned into something else is never let through.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{Event, LinkType, Tag};

use super::entry::{self, HeadStyle};
use super::outline::Outline;
use super::rewrite::apply_fixes;
use super::source::Source;
use super::written::{last_number, numbers_in, record_number, whole_number};
use super::{
    BlockKind, Citation, Draft, Entry, Form, SourceId, SourcesBlock, Span, Target, entry_url, worded,
};

/// What each number becomes; one that is not here stays.
pub type Numbers = BTreeMap<SourceId, SourceId>;

/// A draft with new numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renumbered {
    /// Its text.
    pub text: String,
    /// What it must read as.
    pub expected: Expected,
}

/// What a renumbered draft must read as.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expected {
    citations: Vec<(Target, usize)>,
    entries: Vec<(SourceId, usize)>,
    links: Vec<String>,
}

/// Writes `numbers` into the text of `draft`.
pub fn renumbered(draft: &Draft<'_>, numbers: &Numbers) -> Renumbered {
    let source = Source::new(draft.text);
    let outline = Outline::read(draft.text, &source);
    let mut writer =
        Writer { draft, numbers, fixes: Vec::new(), dropped: Vec::new(), expected: Expected::default() };
    writer.citations();
    draft.blocks.iter().for_each(|block| writer.block(block));
    writer.labels(&outline);
    writer.dropped.sort_by_key(|lines| lines.start);
    writer.expected.links = destinations(draft, &outline, &writer.dropped);
    Renumbered { text: apply_fixes(draft.text, &writer.fixes), expected: writer.expected }
}

impl Expected {
    /// Where, in bytes of the draft before, `after` reads otherwise than it must.
    pub fn differs_in(&self, after: &Draft<'_>) -> Option<usize> {
        let mut now = after.citations.iter().map(|citation| &citation.target);
        let lost =
            self.citations.iter().find(|(target, _)| !now.next().is_some_and(|now| is_same(target, now)));
        if let Some((_, place)) = lost {
            return Some(*place);
        }
        if now.next().is_some() {
            return Some(self.citations.last().map_or(0, |(_, place)| *place));
        }
        // A bullet without a number is an entry as soon as its page is known: more may be read, never less.
        let mut entries = after.blocks.iter().flat_map(|block| &block.entries);
        if let Some((_, place)) =
            self.entries.iter().find(|(id, _)| !entries.by_ref().any(|entry| entry.id == *id))
        {
            return Some(*place);
        }
        let source = Source::new(after.text);
        (destinations(after, &Outline::read(after.text, &source), &[]) != self.links).then_some(0)
    }
}

/// A footnote's URL is an id as soon as its page is known.
fn is_same(expected: &Target, now: &Target) -> bool {
    expected == now || matches!((expected, now), (Target::Url(_), Target::Ids(ids)) if ids.len() == 1)
}

/// Where the links and images of a draft lead, but for citations and for those in `dropped` lines (sorted).
fn destinations(draft: &Draft<'_>, outline: &Outline<'_>, dropped: &[Span]) -> Vec<String> {
    let is_passed_over = |span: &Span| {
        let lines = dropped.get(dropped.partition_point(|lines| lines.end <= span.start));
        lines.is_some_and(|lines| lines.start <= span.start) || cites(draft, span)
    };
    let led = outline.events.iter().filter_map(|(event, span)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) if !is_passed_over(span) => {
            Some(dest_url.to_string())
        }
        _ => None,
    });
    led.collect()
}

/// A citation stands in `span`.
fn cites(draft: &Draft<'_>, span: &Span) -> bool {
    let next = draft.citations.partition_point(|one| one.span.end <= span.start);
    draft.citations.get(next).is_some_and(|one| one.span.start < span.end)
}

struct Writer<'a, 't> {
    draft: &'a Draft<'t>,
    numbers: &'a Numbers,
    fixes: Vec<(Span, String)>,
    /// Lines of entries whose page is listed already.
    dropped: Vec<Span>,
    expected: Expected,
}

impl Writer<'_, '_> {
    fn new_id(&self, id: SourceId) -> SourceId {
        self.numbers.get(&id).copied().unwrap_or(id)
    }

    /// The new ids, each once, in the order of the old.
    fn new_ids(&self, ids: &[SourceId]) -> Vec<SourceId> {
        let mut seen = BTreeSet::new();
        ids.iter().map(|id| self.new_id(*id)).filter(|id| seen.insert(*id)).collect()
    }

    fn citations(&mut self) {
        let mut last: Option<(usize, Target)> = None;
        for citation in &self.draft.citations {
            let target = self.target(&citation.target);
            let repeats = citation.form == Form::Canonical
                && target != citation.target
                && last == Some((citation.span.start, target.clone()));
            if repeats {
                self.fixes.push((citation.span.clone(), String::new()));
                last = Some((citation.span.end, target));
                continue;
            }
            if target != citation.target {
                self.marker(citation, &target);
            }
            self.expected.citations.push((target.clone(), citation.span.start));
            last = (citation.form == Form::Canonical).then_some((citation.span.end, target));
        }
    }

    fn target(&self, target: &Target) -> Target {
        match target {
            Target::Ids(ids) if ids.iter().any(|id| self.new_id(*id) != *id) => {
                Target::Ids(self.new_ids(ids))
            }
            Target::Linked(id, url) => Target::Linked(self.new_id(*id), url.clone()),
            same => same.clone(),
        }
    }

    /// Puts the new numbers between the brackets of a marker; all else of it stays.
    fn marker(&mut self, citation: &Citation, target: &Target) {
        let marker = &self.draft.text[citation.span.clone()];
        if citation.form == Form::Pinpoint
            && let Some(found) = worded::read(marker, 0)
        {
            let start = citation.span.start;
            let new = |(span, id): (Span, SourceId)| {
                (start + span.start..start + span.end, self.new_id(id).to_string())
            };
            self.fixes.extend(found.numbers.into_iter().map(new).collect::<Vec<_>>());
            return;
        }
        let Some(inner) = numbers_in(marker) else { return };
        let ids = match target {
            Target::Ids(ids) => ids.iter().map(SourceId::to_string).collect::<Vec<_>>().join(", "),
            Target::Linked(id, _) => id.to_string(),
            Target::WideRange(..) | Target::Url(_) => return,
        };
        self.fixes.push((citation.span.start + inner.start..citation.span.start + inner.end, ids));
    }

    fn block(&mut self, block: &SourcesBlock) {
        let changes = block.entries.iter().any(|entry| self.new_id(entry.id) != entry.id);
        let mut listed: BTreeSet<SourceId> = BTreeSet::new();
        for entry in &block.entries {
            let id = self.new_id(entry.id);
            if !listed.insert(id) && id != entry.id && self.drop_line(block, entry) {
                continue;
            }
            self.expected.entries.push((id, entry.span.start));
            if changes {
                self.entry(block, entry, id);
            }
        }
    }

    fn entry(&mut self, block: &SourcesBlock, entry: &Entry, id: SourceId) {
        let source = &self.draft.text[entry.span.clone()];
        let at = |span: Span| entry.span.start + span.start..entry.span.start + span.end;
        if block.kind == BlockKind::Bibtex || source.starts_with('@') {
            if let Some(number) = record_number(source) {
                self.fixes.push((at(number), id.to_string()));
            }
            return;
        }
        let Some(head) = entry::head(source) else { return };
        if matches!(head.style, HeadStyle::Ordered | HeadStyle::Bare) {
            // A reader counts an ordered list from its first number, whatever the others say.
            if self.numbers.contains_key(&entry.id) {
                let heads = self.draft.text[..entry.span.start].ends_with("# ");
                let bullet = if heads { "" } else { "- " };
                self.fixes.push((at(0..head.rest), format!("{bullet}[{id}] ")));
            }
        } else if let Some(number) = last_number(&source[..head.number], entry.id) {
            self.fixes.push((at(number), id.to_string()));
        }
    }

    /// Removes an entry whose page the block lists already, where nothing else stands on its lines.
    fn drop_line(&mut self, block: &SourcesBlock, entry: &Entry) -> bool {
        let text = self.draft.text;
        let start = text[..entry.span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[entry.span.end..].find('\n').map_or(text.len(), |at| entry.span.end + at + 1);
        let alone = text[start..entry.span.start].trim_matches(['>', ' ', '\t', '\u{feff}']).is_empty()
            && text[entry.span.end..end].trim().is_empty();
        let source = &text[entry.span.clone()];
        let plain = entry.quotes.is_empty() && entry_url::starts(source).len() == 1;
        if block.kind == BlockKind::Bibtex || !alone || !plain || !text[..end].ends_with('\n') {
            return false;
        }
        self.fixes.push((start..end, String::new()));
        self.dropped.push(start..end);
        true
    }

    /// `[text][1]` that leans on a definition which gets another number.
    fn labels(&mut self, outline: &Outline<'_>) {
        let entries = self.draft.blocks.iter().flat_map(|block| &block.entries);
        let starts: BTreeSet<usize> = entries.map(|entry| entry.span.start).collect();
        let moved = outline.definitions.iter().filter(|one| starts.contains(&one.span.start));
        let labels: BTreeSet<&str> = moved.map(|one| one.label.as_str()).collect();
        for (event, span) in &outline.events {
            let Event::Start(Tag::Link { link_type: LinkType::Reference, id: label, .. }) = event else {
                continue;
            };
            let Some(number) =
                whole_number(label).filter(|_| labels.contains(&**label) && !cites(self.draft, span))
            else {
                continue;
            };
            let end = span.end.saturating_sub(1);
            let written = end.saturating_sub(label.len())..end;
            if self.draft.text.get(written.clone()) == Some(&**label) {
                self.fixes.push((written, self.new_id(number).to_string()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Options;
    use crate::identity::Unknown;

    /// The draft with 1 and 2 exchanged, 3 made 12 and 4 made 2 as well; it must read as expected.
    fn exchanged(text: &str) -> String {
        let numbers = [(1, 2), (2, 1), (3, 12), (4, 2)].map(|(from, to)| (SourceId(from), SourceId(to)));
        let draft = Draft::parse(text, &Options::default(), &Unknown);
        let new = renumbered(&draft, &Numbers::from(numbers));
        let after = Draft::parse(&new.text, &Options::default(), &Unknown);
        assert_eq!(new.expected.differs_in(&after), None, "{text:?} became {:?}", new.text);
        new.text
    }

    #[test]
    fn every_form_of_a_marker_keeps_its_form() {
        for (marker, expected) in [
            ("[1]", "[2]"),
            ("[1][2]", "[2][1]"),
            ("[1, 3]", "[2, 12]"),
            ("[1; 2]", "[2, 1]"),
            ("[1-3]", "[2, 1, 12]"),
            ("[1–2]", "[2, 1]"),
            ("【1】", "【2】"),
            ("［3］", "［12］"),
            ("[[1]](https://a.example/1)", "[[2]](https://a.example/1)"),
            ("[1](https://a.example/1)", "[2](https://a.example/1)"),
            ("[^1]", "[^2]"),
            ("[٣]", "[12]"),
            ("[ 1 ]", "[ 2 ]"),
            ("[1, p. 5]", "[2, p. 5]"),
            ("[1, p. 5; 4, p. 1]", "[2, p. 5; 2, p. 1]"),
            ("[see 1 and 3]", "[see 2, 12]"),
            ("〔1〕", "〔2〕"),
            ("[1, 4]", "[2]"),
            ("[1][4]", "[2]"),
            ("[9]", "[9]"),
            ("[5-9]", "[5-9]"),
            ("[1-500]", "[1-500]"),
        ] {
            let text = |marker: &str| format!("Ice floats on cold water.{marker} Steam is a gas.\n");
            assert_eq!(exchanged(&text(marker)), text(expected));
        }
    }

    #[test]
    fn what_cites_nothing_stays() {
        let text = "Ice `a[1]` floats in [0, 1] since [2024] on ![1](1.png) and [a page](https://a.example/1).\n\n    [1]\n\n```\n[1]\n```\n";
        assert_eq!(exchanged(text), text);
    }

    #[test]
    fn entries_of_every_form_get_their_new_numbers() {
        for (entry, expected) in [
            ("[1] https://a.example/1 — 1 page", "[2] https://a.example/1 — 1 page"),
            ("- **[1]** Page 1: https://a.example/1", "- **[2]** Page 1: https://a.example/1"),
            ("1. [Page 1](https://a.example/1)", "- [2] [Page 1](https://a.example/1)"),
            ("1) https://a.example/1", "- [2] https://a.example/1"),
            ("### 1. Page 1\n\nhttps://a.example/1", "### [2] Page 1\n\nhttps://a.example/1"),
            ("[1]: https://a.example/1 \"1 page\"", "[2]: https://a.example/1 \"1 page\""),
            ("[^1]: https://a.example/1", "[^2]: https://a.example/1"),
            ("【1】 https://a.example/1", "【2】 https://a.example/1"),
            ("① Page 1 https://a.example/1", "- [2] Page 1 https://a.example/1"),
            ("1️⃣ https://a.example/1", "- [2] https://a.example/1"),
            ("<sup>1</sup> Page 1 https://a.example/1", "- [2] Page 1 https://a.example/1"),
            ("1 https://a.example/1", "- [2] https://a.example/1"),
            ("Page 1 | https://a.example/1 | 1", "Page 1 | https://a.example/1 | 2"),
            ("\\[1\\] https://a.example/1", "\\[2\\] https://a.example/1"),
            ("| 1 | Page 1 | https://a.example/1 |", "| 2 | Page 1 | https://a.example/1 |"),
            ("| Page 1 | https://a.example/1 | 1 |", "| Page 1 | https://a.example/1 | 2 |"),
            ("1 | Page 1 | https://a.example/1", "2 | Page 1 | https://a.example/1"),
            ("・[1] Page 1 https://a.example/1", "・[2] Page 1 https://a.example/1"),
            (
                "@misc{source1,\n  title = {Page 1},\n  howpublished = {\\url{https://a.example/1}},\n}",
                "@misc{source2,\n  title = {Page 1},\n  howpublished = {\\url{https://a.example/1}},\n}",
            ),
        ] {
            let text = |marker: &str, entry: &str| {
                format!("Ice floats on cold water.{marker}\n\n## Sources\n\n{entry}\n")
            };
            let marker = if entry.starts_with("[^") { ("[^1]", "[^2]") } else { ("[1]", "[2]") };
            assert_eq!(exchanged(&text(marker.0, entry)), text(marker.1, expected));
        }
    }

    #[test]
    fn a_page_under_two_numbers_is_listed_once() {
        let text = "Ice floats on cold water.[1][4] Steam.[4]\n\n## Sources\n\n[1] https://a.example/1 — A\n[4] [A](https://a.example/1)\n[3] https://c.example\n";
        let expected = "Ice floats on cold water.[2] Steam.[2]\n\n## Sources\n\n[2] https://a.example/1 — A\n[12] https://c.example\n";
        assert_eq!(exchanged(text), expected);
    }

    #[test]
    fn a_link_that_leans_on_a_definition_still_leads_where_it_led() {
        let text = "Ice floats on cold water.[1] See [the page][1] and [2].\n\n[1]: https://a.example/1\n[2]: https://b.example/2\n";
        let expected = "Ice floats on cold water.[2] See [the page][2] and [1].\n\n[2]: https://a.example/1\n[1]: https://b.example/2\n";
        assert_eq!(exchanged(text), expected);
    }

    #[test]
    fn byte_order_mark_and_line_ends_stay() {
        let text =
            "\u{feff}Ice floats on cold water.[1]\r\n\r\n## Sources\r\n\r\n[1] https://a.example/1\r\n\r\n";
        assert_eq!(exchanged(text), text.replace("[1]", "[2]"));
    }

    #[test]
    fn a_number_that_turns_into_text_is_told() {
        let text = "Ice floats on cold water.[1]\n";
        let draft = Draft::parse(text, &Options::default(), &Unknown);
        let new = renumbered(&draft, &Numbers::from([(SourceId(1), SourceId(2024))]));
        let after = Draft::parse(&new.text, &Options::default(), &Unknown);
        assert_eq!(new.expected.differs_in(&after), Some(25));
    }
}
