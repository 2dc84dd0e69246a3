//! The cited sources: a card each, which a citation brings to the front. It holds the address, the quotes
//! between what stands around them on the page, links that open the page there, and the way back to the text.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::shown;
use crate::evidence::Recheck;
use crate::identity::SourceId;
use crate::ledger::{Quote, Source};
use crate::report::provenance::CitedSource;
use crate::report::{Outcome, Report};
use crate::text::printable::one_line;
use crate::text::web_link::{link_to_words, web_link};

/// Ways back that a card shows.
const WAYS_BACK: usize = 24;

/// Places in the text that cite a source: the number of the draft and of the citation in it.
type Cites = BTreeMap<SourceId, Vec<(usize, usize)>>;

/// Every cited source.
pub(super) fn all(report: &Report) -> Markup {
    let cites = cites(report);
    html! {
        section.sources aria-labelledby="sources" {
            h2 #sources { "Cited sources and their quotes" }
            @if report.sources.is_empty() { p.dim { "No source of the ledger is cited." } }
            @for cited in &report.sources {
                (card(cited, cites.get(&cited.source.id).map_or(&[][..], Vec::as_slice)))
            }
        }
    }
}

fn cites(report: &Report) -> Cites {
    let mut cites = Cites::new();
    for (number, draft) in (1..).zip(&report.drafts) {
        let Outcome::Judged(judged) = &draft.outcome else { continue };
        for (at, (_, ids)) in (1..).zip(&judged.provenance.citations) {
            ids.iter().for_each(|id| cites.entry(*id).or_default().push((number, at)));
        }
    }
    cites
}

fn card(cited: &CitedSource, cites: &[(usize, usize)]) -> Markup {
    let source = &cited.source;
    let heading = if source.title.is_empty() { &source.url } else { &source.title };
    html! {
        article.source id={ "s" (source.id) } {
            a.close href="#none" aria-label="close" { "×" }
            h3 { span.id { "[" (source.id) "]" } " " span dir="auto" { (one_line(heading)) } }
            p.url { (web(&source.url)) }
            (about(source))
            @if let Some(why) = &source.withdrawn { p.bad { "Withdrawn: " (one_line(why)) } }
            @for (at, one) in source.quotes.iter().enumerate() {
                (quote(source, one, cited.rechecks.get(at).and_then(Option::as_ref)))
            }
            @if source.quotes.is_empty() { p.dim { "No quote is attached: nothing here shows what the page says." } }
            p.back {
                "Cited at"
                @for (nth, (draft, at)) in (1..).zip(cites.iter().take(WAYS_BACK)) {
                    " " a href={ "#d" (draft) "-c" (at) } { "↑" (nth) }
                }
                @if cites.len() > WAYS_BACK { " and " (cites.len() - WAYS_BACK) " more" }
            }
        }
    }
}

fn about(source: &Source) -> Markup {
    let via = source.via.as_deref().unwrap_or_default();
    let known = [("retrieved", source.accessed.as_str()), ("via", via)];
    let known = known.iter().filter(|(_, value)| !value.is_empty());
    let said: Vec<String> = known.map(|(label, value)| format!("{label} {}", one_line(value))).collect();
    html! { @if !said.is_empty() { p.dim { (said.join(", ")) } } }
}

/// A link where it is one of the web, text where it is anything else.
fn web(url: &str) -> Markup {
    html! {
        @match web_link(url) {
            Some(link) => a href=(link) target="_blank" rel="noopener noreferrer nofollow" { (one_line(url)) },
            None => (one_line(url)),
        }
    }
}

fn quote(source: &Source, quote: &Quote, recheck: Option<&Recheck>) -> Markup {
    let (state, said) = state(quote, recheck);
    let anchor = quote.anchor.as_ref();
    html! {
        figure class={ "quote " (state) } {
            blockquote dir="auto" {
                @if let Some(anchor) = anchor { span.around { "…" (lines(&anchor.prefix)) } }
                q { (one_line(&quote.text)) }
                @if let Some(anchor) = anchor { span.around { (lines(&anchor.suffix)) "…" } }
            }
            figcaption {
                span.state { (said) }
                @if let Some(anchor) = anchor.filter(|anchor| !anchor.rules.is_empty()) {
                    " " span.dim { "after folding " (shown(&anchor.rules.join(", "))) }
                }
                @if let Some(link) = link_to_words(&source.url, &quote.text) {
                    " " a.open href=(link) target="_blank" rel="noopener noreferrer nofollow" { "open the page at these words" }
                }
            }
        }
    }
}

/// Whether a quote can be relied on: a class, and words.
fn state(quote: &Quote, recheck: Option<&Recheck>) -> (&'static str, String) {
    match recheck {
        Some(Recheck::Sound) => ("sound", "checked again: holds".into()),
        Some(Recheck::Broken(why)) => ("broken", format!("broken: {}", one_line(why))),
        Some(Recheck::NotRecheckable(why)) => {
            ("unsure", format!("can not be checked again: {}", one_line(why)))
        }
        None if quote.anchor.is_some() => ("sound", "stood on the page when it was attached".into()),
        None => ("unsure", "never tied to a page".into()),
    }
}

/// White space as one space, at the ends too; what could hide or turn the text is shown.
fn lines(text: &str) -> String {
    let space = |c: char| if c.is_whitespace() { ' ' } else { c };
    shown(&text.chars().map(space).collect::<String>())
}
