//! The URL of an entry. Where text runs on without a space, every plausible end is a candidate; the longest one that
//! the register knows under the entry's number wins, else the longest.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{EntryUrl, SourceId};
use crate::identity::{self, Key, Register};
use crate::text::boundary;

/// How many ends of one URL are tried against the register.
const MAX_ENDS: usize = 48;
/// By how many bytes a URL may be longer than the key it has, beyond what percent-encoding adds: its tracking.
const MAX_EXTRA: usize = 4096;
/// How many URLs of one entry are tried.
const MAX_URLS: usize = 8;

/// The URL that was chosen.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Bytes of the URL in the entry.
    pub span: Range<usize>,
    /// The same with the angle brackets or parenthesis that close it.
    pub outer: Range<usize>,
    /// The URL, unescaped.
    pub url: String,
    /// It is the register's for the entry's number.
    pub matches: bool,
}

/// The URL of the entry `source`.
pub(super) fn choose(source: &str, id: Option<SourceId>, register: &dyn Register) -> Option<Chosen> {
    let mut starts = starts(source);
    starts.truncate(MAX_URLS);
    if let Some(key) = id.and_then(|id| register.key_of(id)) {
        let fits = |url: &str| names(url, key);
        for start in &starts {
            let longest = start + MAX_EXTRA + 3 * key.as_str().len();
            let limit = boundary::floor(source, longest);
            let near = ends(source, *start, reach(source, *start).min(limit));
            let angled = ends(source, *start, angled_reach(source, *start).min(limit));
            for end in near.into_iter().chain(angled) {
                if let Some(url) = readings(&source[*start..end]).into_iter().find(|url| fits(url)) {
                    return Some(chosen(source, *start..end, url, true));
                }
            }
        }
        if let Some(found) = whole_locator(source, fits) {
            return Some(found);
        }
    }
    let known = |start: &&usize| register.id_of(&source[**start..longest(source, **start)]).is_some();
    let start = *starts.iter().find(known).or(starts.first())?;
    let end = longest(source, start);
    let url = readings(&source[start..end]).pop()?;
    Some(chosen(source, start..end, url, false))
}

/// The URL that is the whole of `written`.
pub(super) fn whole(written: &str, id: SourceId, register: &dyn Register) -> EntryUrl {
    let key = register.key_of(id);
    let fits = |url: &String| key.is_some_and(|key| names(url, key));
    let mut readings = readings(written);
    let found = readings.iter().position(fits);
    EntryUrl {
        span: 0..written.len(),
        url: readings.swap_remove(found.unwrap_or(0)),
        matches: found.is_some(),
    }
}

/// Whether `text` begins with the locator, of whatever kind, that the register has under `id`.
pub(super) fn is_known(text: &str, id: Option<SourceId>, register: &dyn Register) -> bool {
    let chosen = id.and_then(|id| choose(text.trim_start(), Some(id), register));
    chosen.is_some_and(|chosen| chosen.matches && chosen.outer.start == 0)
}

/// Whether `url` names the page of `key`, which may be a local path.
fn names(url: &str, key: &Key) -> bool {
    match identity::locate(url, &identity::Options::default()) {
        Ok(found) => found.key == *key || encoded(found.key.as_str()) == encoded(key.as_str()),
        Err(_) => url == key.as_str(),
    }
}

/// What a URL or the name of a paper holds or begins with, ready to be searched for.
static MARKS: LazyLock<[Finder<'static>; 5]> =
    LazyLock::new(|| ["://", "www.", "10.", "Xiv:", "xiv:"].map(Finder::new));

/// Whether a URL or the name of a paper stands in `source`.
pub(super) fn any(source: &str) -> bool {
    let [scheme, web, ..] = &*MARKS;
    let url = [scheme, web].iter().any(|mark| mark.find(source.as_bytes()).is_some());
    url || papers(source).next().is_some()
}

/// Where names of papers begin: `doi:10.1000/182`, the `10.1000/182` of `DOI: 10.1000/182`, `arXiv:1706.03762`.
fn papers(source: &str) -> impl Iterator<Item = usize> {
    let [_, _, registrant, preprint, lower_preprint] = &*MARKS;
    let bytes = source.as_bytes();
    let labelled = |end: usize, label: &str| {
        let start = end.checked_sub(label.len())?;
        source.get(start..end).filter(|found| found.eq_ignore_ascii_case(label)).map(|_| start)
    };
    let doi = move |at: usize| {
        let spaced = labelled(at.saturating_sub(1), "doi:").filter(|_| source[..at].ends_with(' '));
        labelled(at, "doi:").or(spaced.map(|_| at))
    };
    let arxiv = move |at: usize| {
        let digit = bytes.get(at + "Xiv:".len()).is_some_and(u8::is_ascii_digit);
        labelled(at, "ar").filter(|_| digit)
    };
    let preprints = preprint.find_iter(bytes).chain(lower_preprint.find_iter(bytes));
    registrant.find_iter(bytes).filter_map(doi).chain(preprints.filter_map(arxiv))
}

/// Where URLs begin in `source`, ascending; a URL inside another is part of it.
pub(super) fn starts(source: &str) -> Vec<usize> {
    let bytes = source.as_bytes();
    let [scheme, web, ..] = &*MARKS;
    let mut found: Vec<usize> =
        scheme.find_iter(bytes).filter_map(|colon| scheme_start(source, colon)).collect();
    let glued = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '@');
    found.extend(web.find_iter(bytes).filter(|at| !source[..*at].ends_with(glued)));
    found.extend(papers(source));
    found.sort_unstable();
    let mut covered = 0;
    found.retain(|start| {
        let fresh = *start >= covered;
        if fresh {
            covered = reach(source, *start);
        }
        fresh
    });
    found
}

/// Where the scheme before `://` begins.
fn scheme_start(source: &str, colon: usize) -> Option<usize> {
    let of_scheme = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-');
    let length = source.as_bytes()[..colon].iter().rev().take(24).take_while(|b| of_scheme(b)).count();
    let start = colon - length;
    let letter = source[start..colon].find(|c: char| c.is_ascii_alphabetic())?;
    Some(start + letter)
}

/// As far as a URL that begins at `start` could reach.
fn reach(source: &str, start: usize) -> usize {
    let rest = &source[start..];
    let stops = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '|');
    start + rest.find(stops).unwrap_or(rest.len())
}

/// As far as one could that holds angle brackets, as old DOIs do: `…15/16<1661::AID-SIM968>3.0.CO;2-2`.
fn angled_reach(source: &str, start: usize) -> usize {
    let near = reach(source, start);
    match source[near..].chars().next() {
        Some('<' | '>') => near + source[near..].find(char::is_whitespace).unwrap_or(source.len() - near),
        _ => start,
    }
}

/// Plausible ends of the URL that begins at `start` and reaches to `far`, the longest first.
fn ends(source: &str, start: usize, far: usize) -> Vec<usize> {
    let mut ends = vec![far];
    let mut previous = None;
    for (offset, c) in source[start..far].char_indices().rev() {
        let at = start + offset;
        let breaks = c.is_ascii_punctuation() && !matches!(c, '/' | '%' | '=' | '&' | '#');
        let turns = previous.is_some_and(|after: char| c.is_ascii() && !after.is_ascii());
        if turns {
            ends.push(at + 1);
        }
        if breaks || (!c.is_ascii() && !c.is_alphanumeric()) {
            ends.push(at);
        }
        if ends.len() >= MAX_ENDS {
            break;
        }
        previous = Some(c);
    }
    let first = source[start..far].find(|c: char| !c.is_ascii()).map(|at| start + at);
    ends.extend(first);
    ends.dedup();
    ends.retain(|end| *end > start);
    ends
}

/// The longest plausible end, where the register does not decide.
fn longest(source: &str, start: usize) -> usize {
    let far = reach(source, start);
    let url = &source[start..far];
    let stop = url.find(|c: char| "，。、；：！？（）《》「」『』【】“”".contains(c)).unwrap_or(url.len());
    let mut url = &url[..stop];
    loop {
        let before = url.len();
        url = url.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '\'', '\\', '’']);
        for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
            if url.ends_with(close) && url.matches(close).count() > url.matches(open).count() {
                url = &url[..url.len() - 1];
            }
        }
        if let Some(at) = url.find(")[").or_else(|| url.find("](")) {
            url = &url[..at];
        }
        if url.len() == before {
            return start + url.len();
        }
    }
}

/// The ways to read a written URL: as it stands, without escapes and entities.
fn readings(written: &str) -> Vec<String> {
    let mut readings = vec![written.to_owned()];
    if written.contains('\\') || written.contains('&') {
        readings.push(super::entry::unescape(written));
    }
    readings
}

/// A key with the characters encoded that no URL may hold, and that TeX needs encoded: `{` is `%7B`.
fn encoded(key: &str) -> Cow<'_, str> {
    if !key.contains(['{', '}', '\\']) {
        return Cow::Borrowed(key);
    }
    Cow::Owned(key.replace('{', "%7B").replace('}', "%7D").replace('\\', "%5C"))
}

/// A locator that is no URL, or one without its scheme, up to the dash before a title, where the register knows it.
fn whole_locator(source: &str, fits: impl Fn(&str) -> bool) -> Option<Chosen> {
    let trimmed = source.trim_start();
    let start = source.len() - trimmed.len();
    let line = &trimmed[..trimmed.find(['\n', '\r']).unwrap_or(trimmed.len())];
    let dashes = line.match_indices(" — ").take(MAX_URLS).map(|(at, _)| at);
    let ends = dashes.chain([line.trim_end().len()]).chain(line.find(char::is_whitespace));
    for end in ends.filter(|end| *end > 0) {
        let bare = |url: &str| url.contains('.') && fits(&format!("https://{url}"));
        if let Some(url) = readings(&line[..end]).into_iter().find(|url| fits(url) || bare(url)) {
            return Some(chosen(source, start..start + end, url, true));
        }
    }
    None
}

fn chosen(source: &str, span: Range<usize>, url: String, matches: bool) -> Chosen {
    let closers = source[span.end..].find(|c| !matches!(c, '>' | ')')).unwrap_or(source.len() - span.end);
    let after = &source[span.end..span.end + closers];
    let open = source[..span.start].ends_with(['<', '(']);
    let end = if open { span.end + after.len() } else { span.end };
    let url = url.trim_end_matches(['\n', '\r']).to_owned();
    Chosen { outer: span.start..end, span, url, matches }
}
