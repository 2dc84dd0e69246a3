//! A [`Recall`] as one page: dark, self-contained, readable on a phone and without scripts. In: the findings. Out: HTML
//! in which all text is escaped, only web links are links, and a policy forbids the page to load anything.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Recall;
use super::extract::Extract;
use super::pipeline::{Cited, Outcome, Reply};
use super::report::{errors, from_micros, source_scores, status};
use crate::text::printable::printable;

const STYLE: &str = include_str!("page.css");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page. `timestamp` is this moment in RFC 3339, UTC.
pub fn html(recall: &Recall, timestamp: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="dark";
                meta name="referrer" content="no-referrer";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { "Recall: " (shown(recall.query.text())) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header { h1 dir="auto" { (shown(recall.query.text())) } }
                main { (answer(recall)) (sources(recall)) (cards(recall)) (failures(recall)) }
                footer { (footer(recall, timestamp)) }
            }
        }
    };
    page.into_string()
}

/// The answer, the extract or the reason why there is none.
fn answer(recall: &Recall) -> Markup {
    let count = recall.findings.citations.len();
    html! {
        section.answer aria-labelledby="answer" {
            @if let Some(reason) = recall.abstention() {
                h2 #answer.no { "No answer" }
                p dir="auto" { (shown(reason)) }
            } @else if let Some(text) = &recall.synthesis.answer {
                h2 #answer { "Answer" }
                @for paragraph in text.split("\n\n") { p dir="auto" { (linked(paragraph, count)) } }
                p.small { "Worded by " (model(recall)) ", checked against the citations." }
            } @else if let Some(extract) = &recall.extract {
                (sentences(extract))
            }
            @if !recall.synthesis.invalid.is_empty() {
                p.small { "Taken out of the answer, because they stand for nothing: "
                    @for id in &recall.synthesis.invalid { "[" (id) "] " } }
            }
            @for note in &recall.synthesis.notes { p.small { (shown(note)) } }
        }
    }
}

fn sentences(extract: &Extract) -> Markup {
    html! {
        h2 #answer { "Extract" }
        ul.extract {
            @for sentence in &extract.sentences {
                li dir="auto" { (shown(&sentence.text)) " " (link(sentence.citation_id)) }
            }
        }
        p.small { "Sentences taken word for word from the citations; no model worded them." }
    }
}

fn model(recall: &Recall) -> String {
    let provider = recall.synthesis.provider.unwrap_or("a model");
    match &recall.synthesis.model {
        Some(model) => format!("{provider} ({})", shown(model)),
        None => provider.to_owned(),
    }
}

/// The text with each `[n]` that stands for a citation as a link to its card.
fn linked(text: &str, count: usize) -> Markup {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, bracket) = rest.split_at(open);
        let inside = bracket[1..].split(']').next().unwrap_or_default();
        let id = inside.parse::<usize>().ok().filter(|id| (1..=count).contains(id));
        let length = if id.is_some() { inside.len() + 2 } else { 1 };
        pieces.push((before, id, &bracket[..length]));
        rest = &bracket[length..];
    }
    html! {
        @for (before, id, bracket) in pieces {
            (shown(before))
            @match id { Some(id) => (link(id)), None => (bracket) }
        }
        (shown(rest))
    }
}

fn link(id: usize) -> Markup {
    html! { a.cite href={ "#c" (id) } { "[" (id) "]" } }
}

/// A bar a source: its share of the best score, and how many chunks it gave.
fn sources(recall: &Recall) -> Markup {
    html! {
        section aria-labelledby="sources" {
            h2 #sources { "Sources" }
            ul.bars {
                @for reply in &recall.replies { (bar(reply, &recall.replies)) }
            }
        }
    }
}

fn bar(reply: &Reply, all: &[Reply]) -> Markup {
    let (count, best, _) = source_scores(reply, all);
    let state = status(&reply.outcome);
    html! {
        li class=(state) {
            span.name { (reply.source) }
            span.track { span.fill style={ "width:" (format!("{:.1}", best * 100.0)) "%" } {} }
            span.figure {
                @match &reply.outcome {
                    Outcome::Chunks(_) => { (count) @if count == 1 { " chunk" } @else { " chunks" } },
                    _ => (state),
                }
                ", " (reply.latency.as_millis()) " ms"
            }
        }
    }
}

fn cards(recall: &Recall) -> Markup {
    html! {
        section aria-labelledby="citations" {
            h2 #citations { "Citations" }
            @if recall.findings.citations.is_empty() { p.small { "None." } }
            @for (id, cited) in (1..).zip(&recall.findings.citations) { (card(id, cited)) }
        }
    }
}

fn card(id: usize, cited: &Cited) -> Markup {
    let fused = &cited.fused;
    let chunk = &fused.chunk;
    html! {
        article #{ "c" (id) } {
            h3 {
                span.id { "[" (id) "] " }
                span.source { (fused.source) }
                @if let Some(title) = &chunk.title { " " span dir="auto" { (shown(title)) } }
            }
            p.content dir="auto" { (lines(chunk.content())) }
            dl {
                dt { "score" } dd { (format!("{:.6}", from_micros(fused.micros))) }
                dt { "evidence" } dd { (format!("{:.3}", cited.evidence)) }
                dt { "rank" } dd { (fused.rank) }
                @if let Some(score) = chunk.score {
                    dt { (score.kind.name().replace('_', " ")) } dd { (format!("{:.3}", score.value)) }
                }
                @if let Some(time) = &chunk.created_at { dt { "time" } dd { (shown(time)) } }
                @if let Some(native) = &chunk.native_id { dt { "id" } dd { (shown(native)) } }
                @if let Some(store) = &chunk.store_id { dt { "store" } dd { (shown(store)) } }
                @if let Some(uri) = &chunk.uri { dt { "page" } dd { (web_link(uri)) } }
                @if !fused.also_in.is_empty() {
                    dt { "also in" }
                    dd { @for other in &fused.also_in { (other.source) " #" (other.rank) " " } }
                }
            }
        }
    }
}

/// A link where it is one of the web, text where it is anything else.
fn web_link(uri: &str) -> Markup {
    let is_web = url::Url::parse(uri).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    html! {
        @if is_web { a href=(uri) rel="noreferrer noopener nofollow" { (shown(uri)) } } @else { (shown(uri)) }
    }
}

/// What failed and what was left out.
fn failures(recall: &Recall) -> Markup {
    let errors = errors(&recall.replies);
    let findings = &recall.findings;
    html! {
        @if !errors.is_empty() {
            section aria-labelledby="errors" {
                h2 #errors { "Not reached" }
                ul { @for error in &errors { li { (shown(error)) } } }
            }
        }
        @if let Some(best) = findings.best_dropped {
            section aria-labelledby="filtered" {
                h2 #filtered { "Left out" }
                p { (findings.dropped) " chunks scored under "
                    (f64::from(recall.params.floor) / 1000.0) "; the best of them " (format!("{:.6}", from_micros(best))) "." }
            }
        }
    }
}

fn footer(recall: &Recall, timestamp: &str) -> Markup {
    html! {
        p.small {
            "cited recall, " time datetime=(timestamp) { (timestamp) }
            "; at most " (recall.params.limit) " chunks a source, evidence of at least " (recall.params.threshold)
        }
    }
}

/// One line of text, with what could hide or turn it made visible.
fn shown(text: &str) -> String {
    printable(text).into_owned()
}

/// The same for a text of several lines.
fn lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| shown(&line.replace('\t', "    "))).collect();
    lines.join("\n")
}
