//! What a line under a Sources title looks like when it is no entry: the rest of a wrapped one, furniture between
//! entries, or prose. Judged by the line alone.

use super::{entry_url, html};

/// A line that an editor wrapped: the one before is long, or breaks off.
pub(super) fn is_wrap(before: &str, line: &str) -> bool {
    let last = before.rsplit('\n').next().unwrap_or(before);
    let word = line.split_whitespace().next().unwrap_or_default();
    let full = last.chars().count() + word.chars().count() >= 70;
    let last = last.trim_end();
    let broken = ["<br>", "<br/>", "<br />"].iter().any(|tag| last.ends_with(tag));
    let open = broken || last.ends_with([',', '—', '–', '-', ':', '(', '，']);
    let starts_low =
        word.chars().next().is_some_and(|c| c.is_lowercase() || matches!(c, '—' | '–' | '-' | '(' | '<'));
    let url = entry_url::starts(line).first() == Some(&(line.len() - line.trim_start().len()));
    let sentence =
        line.trim_end().ends_with(['.', '!', '?', '。', ']']) && line.split_whitespace().count() >= 4;
    open || url || starts_low || (full && !sentence)
}

/// What stands behind `[n]` is no source but a statement: `[5] shows that …`, or one with citations of its own.
pub(super) fn is_prose(rest: &str) -> bool {
    let rest = rest.trim();
    let cites =
        rest.starts_with('[') && !rest.contains("](") || rest.trim_end_matches(['.', '。']).ends_with(']');
    cites || rest.starts_with(char::is_lowercase)
}

/// Lines that may stand among entries and are none: rules, table heads, tags, labels of groups.
pub(super) fn is_furniture(content: &str) -> bool {
    let text = content.trim();
    let rule =
        text.len() >= 3 && ['-', '*', '_', '='].iter().any(|c| text.chars().all(|t| t == *c || t == ' '));
    let table = text.starts_with('|');
    let tag = text.starts_with('<')
        && html::visible(text).iter().all(|stretch| text[stretch.clone()].trim().is_empty());
    let label = text.len() < 100
        && text.starts_with("**")
        && text.trim_end_matches(':').ends_with("**")
        && text.matches("**").count() == 2;
    rule || table || tag || label
}
