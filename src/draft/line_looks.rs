//! What a line under a Sources title looks like when it is no entry: the rest of a wrapped one, furniture between
//! entries, or prose. Judged by the line alone.

use super::{SourceId, Target, bracket, entry_url, html};

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
    rest.starts_with(char::is_lowercase)
        || (numbered(rest, 0) && !rest.contains("]("))
        || ends_in_number(rest)
}

/// `Ice floats on water.[3]`; the brackets in `[PDF] A guide [2024]` are parts of a title.
fn ends_in_number(text: &str) -> bool {
    let text = text.trim_end_matches(['.', '。']);
    text.rfind('[').is_some_and(|open| numbered(text, open) && text.ends_with(']'))
}

/// Numbers in brackets that are no year stand at byte `at`.
fn numbered(text: &str, at: usize) -> bool {
    let year = |id: &SourceId| (1800..=2099).contains(&id.0);
    match bracket::read(text, at).map(|found| found.target) {
        Some(Target::Ids(ids)) => !ids.iter().all(year),
        found => found.is_some(),
    }
}

/// Labels of what may be said about a page, lower case.
#[rustfmt::skip]
const DETAILS: &[&str] = &[
    "accessed", "access date", "retrieved", "date", "published", "publisher", "author", "authors", "type", "doi",
    "url", "link", "year", "journal", "website", "site", "zugriff", "abgerufen", "consulté le",
    "дата обращения", "访问日期", "访问时间", "发布日期", "作者", "链接", "網址", "網站",
];

/// A line below an entry that says more about its page: `Accessed: 2026-01-31`.
pub(super) fn is_detail(line: &str) -> bool {
    let line = line.trim_start_matches(['*', '_', '-', '•', ' ']);
    let Some((label, value)) = line.split_once([':', '：']) else { return false };
    let label = label.trim_end_matches(['*', '_', ' ']).to_lowercase();
    DETAILS.contains(&label.as_str()) && value.contains(char::is_alphanumeric) && !cites(value)
}

/// A number in brackets stands in `line`.
pub(super) fn cites(line: &str) -> bool {
    line.match_indices('[').any(|(at, _)| numbered(line, at) && !line[..at].ends_with('\\'))
}

/// A line that is a URL, perhaps in angle brackets: the rest of the entry above it.
pub(super) fn is_url(line: &str) -> bool {
    let line = line.trim().trim_start_matches('<');
    entry_url::starts(line).first() == Some(&0)
}

/// Lines that may stand among entries and are none: rules, table heads, tags, labels of groups.
pub(super) fn is_furniture(content: &str) -> bool {
    let text = content.trim();
    let rule =
        text.len() >= 3 && ['-', '*', '_', '='].iter().any(|c| text.chars().all(|t| t == *c || t == ' '));
    let table = text.starts_with('|');
    let tag = text.starts_with('<')
        && !is_url(text)
        && html::visible(text).iter().all(|stretch| text[stretch.clone()].trim().is_empty());
    let label = text.len() < 100
        && text.starts_with("**")
        && text.trim_end_matches(':').ends_with("**")
        && text.matches("**").count() == 2;
    rule || table || tag || label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_with_a_number_is_told_from_a_title_in_brackets() {
        for prose in ["shows that ice floats", "[2] shows it", "Ice floats on water.[3]", "Ice floats [3]."] {
            assert!(is_prose(prose), "{prose}");
        }
        for title in ["[PDF] Ice", "What floats? A guide [2024]", "Ice [Online]", "Ice floats on water."] {
            assert!(!is_prose(title), "{title}");
        }
    }

    #[test]
    fn details_of_a_page_carry_a_known_label_and_no_citation() {
        for detail in ["Accessed: 2026-01-31", "**Author:** Ng", "访问日期：2026-01-31"] {
            assert!(is_detail(detail), "{detail}");
        }
        for other in ["Note: ice floats.", "Accessed", "Author: Ng says so.[9]", "Accessed:"] {
            assert!(!is_detail(other), "{other}");
        }
    }

    #[test]
    fn a_url_in_angle_brackets_is_no_tag() {
        assert!(is_url(" <https://a.example/1>") && !is_furniture("<https://a.example/1>"));
        assert!(is_furniture("</details>") && !is_url("see https://a.example/1"));
    }
}
