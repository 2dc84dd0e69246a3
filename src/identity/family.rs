//! Which pages look like one another without being one: http and https, `www.` and mobile hosts, AMP, versions
//! of an arXiv paper, a DOI and the publisher's page, copies in the web archive. It only ever makes a hint.

use std::borrow::Cow;

use super::shorthand::{is_arxiv, is_doi, version};

/// Copies of copies that are unwrapped.
const DEEPEST: usize = 3;

/// What `url` has in common with its look-alikes: equal for two URLs that may show one page.
pub fn family(url: &str) -> String {
    let mut address = without_scheme(url);
    for _ in 0..DEEPEST {
        match original(address) {
            Some(inner) => address = without_scheme(inner),
            None => break,
        }
    }
    let (host, rest) = split_host(address);
    let host = plain_host(host);
    let text = decoded_slashes(rest);
    if let Some(paper) = arxiv_paper(&host, &text).or_else(|| doi_in(&text)) {
        return paper;
    }
    format!("{host}{}", without_amp(rest.trim_end_matches('/')))
}

fn without_scheme(url: &str) -> &str {
    let rest = match url.split_once(':') {
        Some(("http" | "https", rest)) => rest,
        _ => url,
    };
    rest.trim_start_matches('/')
}

fn split_host(address: &str) -> (&str, &str) {
    address.split_at(address.find(['/', '?', '#']).unwrap_or(address.len()))
}

/// The address that an archive or an AMP cache holds a copy of.
fn original(address: &str) -> Option<&str> {
    let (host, path) = split_host(address);
    if host == "web.archive.org" {
        let (_, copy) = path.strip_prefix("/web/")?.split_once('/')?;
        return Some(copy);
    }
    let cached = match host {
        "google.com" | "www.google.com" => path.strip_prefix("/amp/")?,
        _ if host.ends_with(".cdn.ampproject.org") => path.strip_prefix("/c/").or(path.strip_prefix("/v/"))?,
        _ => return None,
    };
    Some(cached.strip_prefix("s/").unwrap_or(cached))
}

/// The host without port, `www`, `m`, `mobile` and `amp`, its last two labels apart.
fn plain_host(host: &str) -> String {
    let host = host.split(':').next().unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    let own = labels.len().saturating_sub(2);
    let kept = |(at, label): (usize, &&str)| at >= own || !matches!(*label, "www" | "m" | "mobile" | "amp");
    let kept: Vec<&str> =
        labels.iter().enumerate().filter(|entry| kept(*entry)).map(|(_, label)| *label).collect();
    kept.join(".").to_ascii_lowercase()
}

fn decoded_slashes(text: &str) -> Cow<'_, str> {
    match text.contains("%2") {
        true => Cow::Owned(text.replace("%2F", "/").replace("%2f", "/")),
        false => Cow::Borrowed(text),
    }
}

fn arxiv_paper(host: &str, path: &str) -> Option<String> {
    if !matches!(
        host,
        "arxiv.org" | "export.arxiv.org" | "ar5iv.org" | "ar5iv.labs.arxiv.org" | "alphaxiv.org"
    ) {
        return None;
    }
    let (_, name) = path.strip_prefix('/')?.split_once('/')?;
    let name = name.split(['?', '#']).next().unwrap_or_default();
    let name = name.strip_suffix(".pdf").unwrap_or(name);
    is_arxiv(name).then(|| format!("arxiv:{}", version(name).0.to_ascii_lowercase()))
}

/// The DOI that stands in a path or query.
fn doi_in(text: &str) -> Option<String> {
    let at = text.match_indices("10.").map(|(at, _)| at).find(|at| text[..*at].ends_with(['/', '=', ':']))?;
    let name = text[at..].split(['?', '&', '#']).next().unwrap_or_default();
    let name = without_view(name.trim_end_matches('/')).to_ascii_lowercase();
    if !is_doi(&name) {
        return None;
    }
    match name.strip_prefix("10.48550/arxiv.") {
        Some(paper) => Some(format!("arxiv:{}", version(paper).0)),
        None => Some(format!("doi:{name}")),
    }
}

/// A DOI in a publisher's path without the view that follows it.
fn without_view(name: &str) -> &str {
    const VIEWS: &[&str] = &[
        "/full",
        "/abstract",
        "/pdf",
        "/html",
        "/epdf",
        "/fulltext",
        "/meta",
        ".pdf",
        ".full",
        ".abstract",
        ".html",
    ];
    let mut name = name;
    while let Some(shorter) = VIEWS.iter().find_map(|view| name.strip_suffix(view)) {
        name = shorter;
    }
    if name.starts_with("10.1101/") { version(name).0 } else { name }
}

/// A path without what asks for its AMP form.
fn without_amp(rest: &str) -> &str {
    let endings = ["/amp", "/amp.html", ".amp", "?amp", "?amp=1", "&amp=1", "?outputType=amp"];
    let rest = endings.iter().find_map(|ending| rest.strip_suffix(ending)).unwrap_or(rest);
    match rest.strip_prefix("/amp/") {
        Some(page) => rest.get(rest.len() - page.len() - 1..).unwrap_or(rest),
        None => rest,
    }
}
