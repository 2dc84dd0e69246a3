//! Addresses of the web, http and https: the text after the scheme comes in, the form to print and the key go
//! out. The form to print keeps what was given; the key is what the `url` crate makes of it, with percent
//! signs folded. Nothing that has a meaning of its own in a URL (`%2F %3F %23 %25`) is ever decoded.

use std::borrow::Cow;

use url::Url;

use super::{Key, Locator, NoLocator, Options, refusal};

/// Query names that tell where a reader came from, never which page it is. A closed list, compared exactly.
const TRACKING: &[&str] = &[
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
    "utm_id",
    "gclid",
    "dclid",
    "fbclid",
    "msclkid",
    "mc_cid",
    "mc_eid",
    "igshid",
    "yclid",
    "_hsenc",
    "_hsmi",
];

/// Query names whose value opens the page for a while, and should not be passed on.
const SIGNED: &[&str] = &["x-amz-signature", "x-goog-signature", "signature", "sig", "token", "access_token"];

/// Bytes of host name that are worth reading: a DNS name has 253 at most, a percent sign triples each.
const LONGEST_HOST: usize = 1024;

/// The pieces of an address as they were given.
struct Pieces<'a> {
    credentials: bool,
    host: String,
    path: &'a str,
    query: Option<Cow<'a, str>>,
    route: Option<&'a str>,
}

/// Understands `rest`, the text after `http:` or `https:`.
pub(super) fn locate(scheme: &str, rest: &str, options: &Options) -> Result<Locator, NoLocator> {
    let Some(address) = rest.strip_prefix("//") else {
        return Err(refusal::slashes(scheme, rest, options));
    };
    let pieces = Pieces::of(address, options);
    if pieces.host.is_empty() || pieces.host.len() > LONGEST_HOST {
        return Err(refusal::host(scheme, &pieces.host));
    }
    let url = pieces.print(scheme);
    let parsed = Url::parse(&url).map_err(|cause| refusal::unparsable(&url, cause))?;
    let warnings = pieces.warnings(&url);
    Ok(Locator { key: key(&parsed), url, warnings })
}

/// The text `//user:password@host…` that follows a scheme, without user name and password.
pub(super) fn without_credentials(rest: &str) -> Cow<'_, str> {
    let host = rest.strip_prefix("//").and_then(|address| authority(address).rfind('@'));
    match host {
        Some(at) => Cow::Owned(format!("//{}", &rest[at + 3..])),
        None => Cow::Borrowed(rest),
    }
}

/// The line that says so.
pub(super) fn dropped_credentials(url: &str) -> String {
    format!("the user name and password of `{}` are not kept", refusal::short(url))
}

impl<'a> Pieces<'a> {
    fn of(address: &'a str, options: &Options) -> Self {
        let authority = authority(address);
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let credentials = user.len() + host.len() < authority.len();
        let (page, fragment) = split(&address[authority.len()..], '#');
        let (path, query) = split(page, '?');
        let query = query.map(|query| cleaned(query, options)).filter(|query| !query.is_empty());
        Self { credentials, host: host.to_lowercase(), path, query, route: fragment.filter(|f| is_route(f)) }
    }

    /// As given, minus what is not the page.
    fn print(&self, scheme: &str) -> String {
        let whole = self.query.is_some() || self.route.is_some();
        let path = if whole { self.path } else { self.path.trim_end_matches('/') };
        let mut url = format!("{scheme}://{}{path}", self.host);
        append(&mut url, '?', self.query.as_deref());
        append(&mut url, '#', self.route);
        url
    }

    fn warnings(&self, url: &str) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.credentials {
            warnings.push(dropped_credentials(url));
        }
        if let Some(name) = self.query.as_deref().and_then(signed_name) {
            warnings.push(format!(
                "`{}` carries `{name}`: a signed link expires, and the ledger keeps it for every reader",
                refusal::short(url)
            ));
        }
        warnings
    }
}

/// User, host and port: everything before the path.
fn authority(address: &str) -> &str {
    let end = address.find(['/', '?', '#', '\\']).unwrap_or(address.len());
    &address[..end]
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn append(url: &mut String, mark: char, part: Option<&str>) {
    if let Some(part) = part {
        url.push(mark);
        url.push_str(part);
    }
}

/// A fragment that names a page of its own in an application: `#/…` or `#!…`.
fn is_route(fragment: &str) -> bool {
    fragment.starts_with(['/', '!']) && !fragment.trim_start_matches(['/', '!']).is_empty()
}

/// The query without tracking names, in order.
fn cleaned<'a>(query: &'a str, options: &Options) -> Cow<'a, str> {
    if !options.strip_tracking || !query.split('&').any(is_tracking) {
        return Cow::Borrowed(query);
    }
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_tracking(pair)).collect();
    Cow::Owned(kept.join("&"))
}

fn is_tracking(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default();
    TRACKING.contains(&folded(name).as_ref())
}

fn signed_name(query: &str) -> Option<&str> {
    let mut names = query.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, _)| name);
    names.find(|name| SIGNED.iter().any(|signed| name.eq_ignore_ascii_case(signed)))
}

/// The canonical form. Trailing slashes of the path go, those of the query are data and stay.
fn key(url: &Url) -> Key {
    let host = match url.host_str().unwrap_or_default() {
        "dx.doi.org" => "doi.org",
        host => host,
    };
    let mut key = format!("{}://{host}", url.scheme());
    if let Some(port) = url.port() {
        key.push_str(&format!(":{port}"));
    }
    let path = url.path().trim_end_matches('/');
    if host == "doi.org" && path.starts_with("/10.") {
        key.push_str(&folded(&path.to_ascii_lowercase()));
    } else {
        key.push_str(&folded(path));
    }
    append(&mut key, '?', url.query().map(folded).as_deref());
    append(&mut key, '#', url.fragment().map(folded).as_deref());
    Key(key)
}

/// Percent signs in one spelling: unreserved characters (`%7E`) decoded, other hex digits in upper case.
fn folded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let (spelled, length) = escape(&rest[at..]);
        out.push_str(&spelled);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What the percent sign that starts `text` is spelled as, and how many bytes of `text` it took.
fn escape(text: &str) -> (String, usize) {
    let Some(digits) = text.get(1..3).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit())) else {
        return ("%".to_owned(), 1);
    };
    match u8::from_str_radix(digits, 16) {
        Ok(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
            (char::from(byte).to_string(), 3)
        }
        _ => (format!("%{}", digits.to_ascii_uppercase()), 3),
    }
}
