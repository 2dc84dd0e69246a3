//! Findings as a list beside their draft: each leads to its place in the text, and its mark there leads back.

use maud::{Markup, html};

use super::{Shown, coded, shown};
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::{Report, shown_severity, word};

/// Characters of a rewrite that are shown.
const REWRITE: usize = 60;

/// The findings of one draft.
pub(super) fn of(draft: &Shown<'_>) -> Markup {
    let label = format!("d{}-findings", draft.number);
    html! {
        section.findings aria-labelledby=(label) {
            h2 id=(label) { "Findings" }
            @if draft.findings.is_empty() { p.dim { "None." } }
            ol {
                @for (at, finding) in draft.findings.iter().enumerate() {
                    (item(finding, draft.severity(at), Some((draft, at + 1))))
                }
            }
            @for (rule, count) in &draft.left_out { p.dim { (count) " more of " code { (rule) } } }
            @if draft.judged.accepted > 0 { p.dim { (draft.judged.accepted) " accepted by the baseline" } }
        }
    }
}

/// Findings that only show over all drafts.
pub(super) fn together(report: &Report) -> Markup {
    if report.together.is_empty() {
        return html! {};
    }
    html! {
        section.findings aria-labelledby="together" {
            h2 #together { "All drafts together" }
            ol {
                @for finding in &report.together {
                    (item(finding, shown_severity(finding, report.strictness), None))
                }
            }
        }
    }
}

fn item(finding: &Diagnostic, severity: Severity, within: Option<(&Shown<'_>, usize)>) -> Markup {
    let id = within.map(|(draft, number)| format!("d{}-f{number}", draft.number));
    html! {
        li class={ "finding " (word(severity)) } id=[id] {
            a.close href="#none" aria-label="close" { "×" }
            p.what {
                @if let Some((_, number)) = within { span class={ "mark " (word(severity)) } { (number) } " " }
                span.severity { (word(severity)) } " " code { (finding.rule) } " "
                @if let (Some((draft, number)), Some(place)) = (within, &finding.place) {
                    a.place href={ "#d" (draft.number) "-m" (number) } { (place.line) ":" (place.column) }
                }
            }
            p dir="auto" { (coded(&finding.message)) }
            @if let Some((from, to)) = within.and_then(|(draft, _)| rewrite(draft, finding)) {
                p.rewrite { del { (shown(from)) } " → " ins { (shown(to)) } }
            }
            @if let Some(help) = &finding.help { p.help { (coded(help)) } }
        }
    }
}

/// What a fix replaces, and by what, where both are short.
fn rewrite<'f>(draft: &'f Shown<'_>, finding: &'f Diagnostic) -> Option<(&'f str, &'f str)> {
    let fix = finding.fix.as_ref()?;
    let from = draft.judged.text.get(fix.span.clone())?;
    let short = |text: &str| text.chars().nth(REWRITE).is_none();
    (short(from) && short(&fix.replacement)).then_some((from, &fix.replacement))
}
