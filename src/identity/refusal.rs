//! The words for a text that names no page, and what would work in its place. A suggestion is only made where
//! it would itself be understood.

use crate::text::printable::one_line;

use super::{NoLocator, Options, breaks, locate};

/// Characters of a hostile text that an error shows.
const SHOWN: usize = 80;

const WHOLE_URL: &str =
    "give the whole URL, such as `https://example.org/page`, or the path of a file that exists";

pub(super) fn blank() -> NoLocator {
    no("an empty text is no URL".into(), Some(WHOLE_URL.into()))
}

/// Words, a path that does not exist, or an address without its scheme.
pub(super) fn no_scheme(bare: &str, options: &Options) -> NoLocator {
    let help = suggestion(bare, options).unwrap_or_else(|| WHOLE_URL.into());
    no(format!("`{}` is no URL", short(bare)), Some(help))
}

/// `javascript:` and its like, which run or carry something and name no page.
pub(super) fn no_page(scheme: &str, bare: &str) -> NoLocator {
    no(format!("`{}` names no page: a `{scheme}:` URL is not a source", short(bare)), Some(WHOLE_URL.into()))
}

/// `https:a.example` and `http:/a`.
pub(super) fn slashes(scheme: &str, rest: &str, options: &Options) -> NoLocator {
    let address = rest.trim_start_matches(['/', '\\']);
    let meant = format!("{scheme}://{address}");
    let help = understood(&meant, options).unwrap_or_else(|| WHOLE_URL.into());
    no(
        format!("`{}` is no URL: `//` is missing after `{scheme}:`", short(&format!("{scheme}:{rest}"))),
        Some(help),
    )
}

pub(super) fn host(scheme: &str, host: &str) -> NoLocator {
    match host {
        "" => no(
            format!("a URL that begins with `{scheme}://` needs a host name after it"),
            Some(WHOLE_URL.into()),
        ),
        long => no(
            format!("the host name `{}` is too long: {} bytes", short(long), long.len()),
            Some(WHOLE_URL.into()),
        ),
    }
}

pub(super) fn unparsable(url: &str, cause: url::ParseError) -> NoLocator {
    no(format!("`{}` is no URL: {cause}", short(url)), Some(WHOLE_URL.into()))
}

/// `doi:` or `arXiv:` before something else.
pub(super) fn not_a_name(text: &str, kind: &str, example: &str) -> NoLocator {
    no(format!("`{}` is not {kind}", short(text)), Some(format!("such as `{example}`")))
}

/// `text` on one line and short enough for an error.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => one_line(&text[..end]) + "…",
        None => one_line(text),
    }
}

/// `www.a.example/x` and `//a.example/x` with the scheme that they lack.
fn suggestion(bare: &str, options: &Options) -> Option<String> {
    let address = bare.strip_prefix("//").unwrap_or(bare);
    let end = address.find(['/', '?', '#', ':']).unwrap_or(address.len());
    let (name, top) = address[..end].rsplit_once('.')?;
    let named = !name.is_empty() && top.chars().count() > 1 && top.chars().all(char::is_alphabetic);
    let plain = !bare.contains(breaks) && !bare.contains(['@', '\\']);
    (named && plain).then(|| understood(&format!("https://{address}"), options)).flatten()
}

/// `url`, where it is one and fits an error line.
fn understood(url: &str, options: &Options) -> Option<String> {
    let fits = url.len() < 4 * SHOWN && locate(url, options).is_ok();
    fits.then(|| one_line(url))
}

fn no(found: String, help: Option<String>) -> NoLocator {
    NoLocator { found, help }
}
