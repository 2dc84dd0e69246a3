//! A page that a reader can audit: each draft with its sentences in the colour of their origin, its findings
//! beside it, and the sources that its citations open, each with its quotes and a link to where they stand.
//!
//! One file without script, which loads nothing: a policy forbids it, and admits this one style sheet by its
//! hash. Everything from a draft, a ledger or a path is text; what is linked is a place on the page or the web.

mod draft;
mod findings;
mod looks;
mod source;

use std::collections::BTreeMap;
use std::io;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::provenance::{CitedSource, Origin};
use super::{DraftReport, Format, Judged, Outcome, Report, Sinks, Verdict, brief, shown_severity};
use crate::diagnostic::{Diagnostic, Severity};
use crate::draft::Span;
use crate::identity::SourceId;
use crate::text::printable::printable;
use crate::verify::{self, About, Strictness};

pub(super) const FORMAT: Format = Format {
    name: "html",
    summary: "one page to audit: sentences by origin, citations that open their sources",
    with_drafts: true,
    write,
};

const STYLE: &str = include_str!("page.css");

/// A judged draft with what its page needs at hand.
struct Shown<'r> {
    /// From 1, in ids of the page.
    number: usize,
    path: &'r str,
    verdict: Verdict,
    judged: &'r Judged,
    /// What a reader is shown of its findings, and how many notes of a rule are left out.
    findings: Vec<&'r Diagnostic>,
    left_out: BTreeMap<&'static str, usize>,
    strictness: Strictness,
    sources: &'r [CitedSource],
}

impl<'r> Shown<'r> {
    fn new(number: usize, draft: &'r DraftReport, judged: &'r Judged, report: &'r Report) -> Self {
        let (findings, left_out) = brief(&judged.findings);
        let (strictness, sources) = (report.strictness, report.sources.as_slice());
        let verdict = draft.verdict(strictness);
        Self { number, path: &draft.path, verdict, judged, findings, left_out, strictness, sources }
    }

    fn severity(&self, finding: usize) -> Severity {
        shown_severity(self.findings[finding], self.strictness)
    }

    /// The bytes of findings about a place, with how grave they are.
    fn places(&self) -> impl Iterator<Item = (Severity, &Span)> {
        let about_place =
            |finding: &&&Diagnostic| verify::rule(finding.rule).is_none_or(|rule| rule.about == About::Place);
        let findings = self.findings.iter().filter(about_place);
        findings.filter_map(|one| Some((shown_severity(one, self.strictness), &one.place.as_ref()?.span)))
    }

    fn has_source(&self, id: SourceId) -> bool {
        self.sources.binary_search_by_key(&id, |one| one.source.id).is_ok()
    }
}

fn write(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    sinks.out.write_all(page(report).into_string().as_bytes())?;
    sinks.out.write_all(b"\n")
}

fn page(report: &Report) -> Markup {
    let title = match &report.drafts[..] {
        [one] => shown(&one.path),
        many => format!("{} drafts", many.len()),
    };
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(STYLE))
    );
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { "Citations: " (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                @if report.drafts.len() != 1 { (contents(report, &title)) }
                main {
                    @for (number, one) in (1..).zip(&report.drafts) { (draft(number, one, report)) }
                    (findings::together(report))
                    (source::all(report))
                }
                footer { "Written by " code { "cited verify" } ". A colour says where a sentence claims to come from, \
                    not that it is true: open the citation and read the quote." }
            }
        }
    }
}

/// What a page of several drafts begins with.
fn contents(report: &Report, title: &str) -> Markup {
    html! {
        header {
            h1 { (title) " " (badge(report.verdict())) }
            ul.contents {
                @for (number, one) in (1..).zip(&report.drafts) {
                    li {
                        a href={ "#d" (number) } { (shown(&one.path)) } " "
                        (badge(one.verdict(report.strictness)))
                    }
                }
            }
        }
    }
}

fn draft(number: usize, one: &DraftReport, report: &Report) -> Markup {
    let judged = match &one.outcome {
        Outcome::Judged(judged) => judged,
        Outcome::NotJudged { message, help } => {
            return html! {
                article.draft id={ "d" (number) } {
                    header { h1 { (shown(&one.path)) " " (badge(Verdict::NotJudged)) } }
                    p { (coded(message)) }
                    @if let Some(help) = help { p.help { (coded(help)) } }
                }
            };
        }
    };
    let draft = Shown::new(number, one, judged, report);
    html! {
        article.draft id={ "d" (number) } {
            header {
                h1 { (shown(draft.path)) " " (badge(draft.verdict)) }
                (summary(&draft))
            }
            div.text { (PreEscaped(draft::body(&draft))) }
            (findings::of(&draft))
        }
    }
}

/// How many sentences come from where, as a bar and as a legend.
fn summary(draft: &Shown<'_>) -> Markup {
    let counts = Origin::ALL.map(|origin| (origin, draft.judged.provenance.count(origin)));
    html! {
        (bar(&counts))
        ul.legend {
            @for (origin, count) in counts {
                li { span class={ "key " (origin.word()) } { (count) } " " (said(origin)) }
            }
            li {
                span.key.troubled { (troubled(draft)) } " "
                a href={ "#d" (draft.number) "-findings" } { "finding(s) to look at" }
            }
        }
    }
}

fn bar(counts: &[(Origin, usize)]) -> Markup {
    let mut all = 0;
    let mut parts = Vec::new();
    for (origin, count) in counts.iter().filter(|(_, count)| *count > 0) {
        parts.push((origin.word(), all, count));
        all += count;
    }
    html! {
        @if all > 0 {
            svg.bar viewBox={ "0 0 " (all) " 1" } preserveAspectRatio="none" aria-hidden="true" {
                @for (class, x, width) in parts { rect class=(class) x=(x) y="0" width=(width) height="1" {} }
            }
        }
    }
}

fn said(origin: Origin) -> &'static str {
    match origin {
        Origin::Evidence => "cited, with a checked quote",
        Origin::Cited => "cited",
        Origin::Marked => "marked, such as [unverified]",
        Origin::Nowhere => "without provenance",
    }
}

fn troubled(draft: &Shown<'_>) -> usize {
    (0..draft.findings.len()).filter(|at| draft.severity(*at) > Severity::Note).count()
}

fn badge(verdict: Verdict) -> Markup {
    html! { span class={ "badge " (verdict.word().replace(' ', "-")) } { (verdict.word()) } }
}

/// One line of text whose back-ticks enclose values.
fn coded(text: &str) -> Markup {
    let line = shown(text);
    let parts: Vec<&str> = line.split('`').collect();
    let last = parts.len() - 1;
    html! {
        @for (at, part) in parts.iter().enumerate() {
            @if at % 2 == 0 { (part) } @else if at < last { code { (part) } } @else { "`" (part) }
        }
    }
}

/// One line of text, with what could hide or turn it made visible.
fn shown(text: &str) -> String {
    printable(text).into_owned()
}

/// Base64 with padding, as policies write hashes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests;
