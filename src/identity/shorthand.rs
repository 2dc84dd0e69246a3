//! Names of papers that are no URLs yet: `doi:10.…`, a bare `10.…/…` and `arXiv:…` become the address that
//! resolves them. Anything else passes untouched.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{NoLocator, breaks, refusal};

/// The address of a paper's name; `None` where `text` is not one.
///
/// # Errors
/// `doi:` or `arXiv:` before something that is neither.
pub(super) fn expand(text: &str) -> Result<Option<String>, NoLocator> {
    if let Some(name) = after(text, "doi:") {
        return doi(name).map(Some).ok_or_else(|| refusal::not_a_name(text, "a DOI", "doi:10.1000/182"));
    }
    if let Some(name) = after(text, "arxiv:") {
        return arxiv(name)
            .map(Some)
            .ok_or_else(|| refusal::not_a_name(text, "an arXiv id", "arXiv:1706.03762"));
    }
    Ok(doi(text))
}

/// What follows `prefix`, whatever its case.
fn after<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| text[prefix.len()..].trim_start_matches(breaks))
}

fn doi(name: &str) -> Option<String> {
    if !is_doi(name) {
        return None;
    }
    let mut url = "https://doi.org/".to_owned();
    for (at, c) in name.char_indices() {
        match c {
            '#' | '?' | '<' | '>' | '"' | '\\' | '`' | '{' | '}' | '^' | '|' => {
                url.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), NON_ALPHANUMERIC));
            }
            '%' if !is_escape(&name[at..]) => url.push_str("%25"),
            c => url.push(c.to_ascii_lowercase()),
        }
    }
    Some(url)
}

/// `10.`, four to nine digits (and groups of digits after a dot), a slash, and a suffix without white space.
pub(super) fn is_doi(text: &str) -> bool {
    let Some((registrant, suffix)) = text.strip_prefix("10.").and_then(|rest| rest.split_once('/')) else {
        return false;
    };
    let mut groups = registrant.split('.');
    let first = groups.next().is_some_and(|group| (4..=9).contains(&group.len()) && is_digits(group));
    first && groups.all(is_digits) && !suffix.trim_matches('/').is_empty() && !suffix.contains(breaks)
}

fn arxiv(name: &str) -> Option<String> {
    is_arxiv(name).then(|| format!("https://arxiv.org/abs/{name}"))
}

/// `1706.03762`, `1706.03762v5` or the older `math.GT/0309136`.
pub(super) fn is_arxiv(text: &str) -> bool {
    let (number, _) = version(text);
    if let Some((archive, number)) = number.split_once('/') {
        let plain = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '.');
        return !archive.is_empty() && archive.chars().all(plain) && number.len() == 7 && is_digits(number);
    }
    let Some((month, serial)) = number.split_once('.') else { return false };
    month.len() == 4 && is_digits(month) && (4..=5).contains(&serial.len()) && is_digits(serial)
}

/// An arXiv id and its version, empty where none is named.
pub(super) fn version(text: &str) -> (&str, &str) {
    match text.rsplit_once('v') {
        Some((number, version)) if is_digits(version) && number.ends_with(|c: char| c.is_ascii_digit()) => {
            (number, version)
        }
        _ => (text, ""),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_escape(text: &str) -> bool {
    text.get(1..3).is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
}
