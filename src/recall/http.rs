//! Requests to memory services and models. Every request has a deadline and a limit on the reply, follows no redirect
//! (a key would travel along), and talks to this machine without a proxy. Errors are one line, without URLs' secrets.

use std::io;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::http::StatusCode;
use url::{Host, Url};

use super::secret::{Secret, scrub_json};

/// The largest reply that is read, in bytes.
const MAX_REPLY_BYTES: u64 = 8 * 1024 * 1024;

/// Requests that must all be over by one deadline.
#[derive(Debug, Clone)]
pub struct Client {
    deadline: Instant,
    timeout: Duration,
}

/// One request.
#[derive(Debug)]
pub struct Request {
    url: Url,
    headers: Vec<(&'static str, String)>,
    secrets: Vec<Secret>,
    body: Option<Value>,
}

/// A reply of any status.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    body: Vec<u8>,
    /// What was sent as a key: a server that says it back does not make us show it.
    secrets: Vec<Secret>,
}

impl Client {
    /// Requests that are over within `timeout` from now.
    pub fn new(timeout: Duration) -> Self {
        Self { deadline: Instant::now() + timeout, timeout }
    }

    /// Sends a request; a status of 400 and above is a reply like any other.
    pub fn send(&self, mut request: Request) -> Result<Reply, String> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.timed_out());
        }
        let secrets = std::mem::take(&mut request.secrets);
        let agent = agent(&request.url, left);
        let mut reply = self.call(&agent, request).map_err(|error| self.plain(&error))?;
        if reply.body().content_length().is_some_and(|bytes| bytes > MAX_REPLY_BYTES) {
            return Err(too_large());
        }
        let body = reply.body_mut().with_config().limit(MAX_REPLY_BYTES).read_to_vec();
        let body = body.map_err(|error| self.plain(&error))?;
        Ok(Reply { status: reply.status().as_u16(), body, secrets })
    }

    fn call(
        &self,
        agent: &ureq::Agent,
        request: Request,
    ) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        let url = request.url.as_str();
        match request.body {
            Some(body) => {
                let mut builder = agent.post(url).header("content-type", "application/json");
                for (name, value) in &request.headers {
                    builder = builder.header(*name, value);
                }
                builder.send(body.to_string())
            }
            None => {
                let mut builder = agent.get(url);
                for (name, value) in &request.headers {
                    builder = builder.header(*name, value);
                }
                builder.call()
            }
        }
    }

    fn timed_out(&self) -> String {
        format!("timed out after {} s", self.timeout.as_secs_f64())
    }

    fn plain(&self, error: &ureq::Error) -> String {
        match error {
            ureq::Error::Timeout(_) => self.timed_out(),
            ureq::Error::Io(error) => plain_io(error).unwrap_or_else(|| self.timed_out()),
            ureq::Error::HostNotFound => "host not found".into(),
            ureq::Error::ConnectionFailed => "connection failed".into(),
            ureq::Error::BodyExceedsLimit(_) => too_large(),
            ureq::Error::Protocol(_) | ureq::Error::Http(_) => "the reply is no HTTP".into(),
            other => other.to_string(),
        }
    }
}

/// `None` for a time-out.
fn plain_io(error: &io::Error) -> Option<String> {
    let words = match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => return None,
        io::ErrorKind::ConnectionRefused => "connection refused",
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => "connection reset",
        io::ErrorKind::ConnectionAborted | io::ErrorKind::UnexpectedEof => "connection closed early",
        _ if error.to_string().starts_with("failed to lookup address") => "host not found",
        _ => return Some(crate::error::plain(error)),
    };
    Some(words.to_owned())
}

fn too_large() -> String {
    format!("the reply is larger than {} MB", MAX_REPLY_BYTES / (1024 * 1024))
}

/// Nothing of a request to this machine leaves it through a proxy.
fn agent(url: &Url, left: Duration) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(left))
        .http_status_as_error(false)
        .max_redirects(0)
        .user_agent(concat!("cited/", env!("CARGO_PKG_VERSION")));
    let config = if is_local(url) { config.proxy(None) } else { config };
    config.build().into()
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
        None => false,
    }
}

impl Request {
    /// Reads `path` below `base`.
    pub fn get(base: &str, path: &str) -> Result<Self, String> {
        Ok(Self { url: join(base, path)?, headers: Vec::new(), secrets: Vec::new(), body: None })
    }

    /// Sends JSON to `path` below `base`.
    pub fn post(base: &str, path: &str, body: Value) -> Result<Self, String> {
        Ok(Self { url: join(base, path)?, headers: Vec::new(), secrets: Vec::new(), body: Some(body) })
    }

    /// With a query parameter, encoded.
    #[must_use]
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    /// With a key in a header.
    #[must_use]
    pub fn key(mut self, name: &'static str, key: &Secret) -> Self {
        self.headers.push((name, key.expose().to_owned()));
        self.secrets.push(key.clone());
        self
    }

    /// With a bearer token, where there is one.
    #[must_use]
    pub fn bearer(mut self, key: Option<&Secret>) -> Self {
        if let Some(key) = key {
            self.headers.push(("authorization", format!("Bearer {}", key.expose())));
            self.secrets.push(key.clone());
        }
        self
    }
}

impl Reply {
    /// The body as JSON, where the status is a success.
    pub fn json(&self) -> Result<Value, String> {
        match self.status {
            200..=299 => self.any_json(),
            status => Err(status_error(status)),
        }
    }

    /// The body as JSON, whatever the status.
    pub fn any_json(&self) -> Result<Value, String> {
        let mut value = serde_json::from_slice(&self.body).map_err(|_| "the reply is no JSON".to_owned())?;
        if !self.secrets.is_empty() {
            scrub_json(&mut value, &self.secrets);
        }
        Ok(value)
    }
}

/// `HTTP Error 404: Not Found`.
pub fn status_error(status: u16) -> String {
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    let followed = if (300..400).contains(&status) { " (redirects are not followed)" } else { "" };
    format!("HTTP Error {status}: {}{followed}", reason.unwrap_or("Unknown"))
}

/// One segment of a path, encoded.
pub fn segment(text: &str) -> String {
    let mut url = Url::parse("http://a/").ok();
    if let Some(mut segments) = url.as_mut().and_then(|url| url.path_segments_mut().ok()) {
        segments.clear().push(text);
    }
    url.map(|url| url.path().trim_start_matches('/').to_owned()).unwrap_or_default()
}

/// A base URL as it may be shown: without user, password and query.
pub fn shown(base: &str) -> String {
    match parse(base) {
        Ok(mut url) => {
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            url.set_fragment(None);
            url.as_str().trim_end_matches('/').to_owned()
        }
        Err(_) => "(no valid URL)".into(),
    }
}

fn join(base: &str, path: &str) -> Result<Url, String> {
    let mut url = parse(base)?;
    let joined = format!("{}{path}", url.path().trim_end_matches('/'));
    url.set_path(&joined);
    url.set_fragment(None);
    Ok(url)
}

/// A host alone is meant as `http://`.
fn parse(base: &str) -> Result<Url, String> {
    let base = base.trim();
    let whole = if base.contains("://") { base.to_owned() } else { format!("http://{base}") };
    match Url::parse(&whole) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => Err("its URL is no http URL".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_parameters_encoded() {
        let request = Request::get("http://127.0.0.1:1/base/", "/search").unwrap().query("q", "a b&c");
        assert_eq!(request.url.as_str(), "http://127.0.0.1:1/base/search?q=a+b%26c");
        assert_eq!(
            Request::get("localhost:11434", "/api/tags").unwrap().url.as_str(),
            "http://localhost:11434/api/tags"
        );
        assert!(Request::get("file:///etc/passwd", "/").is_err());
        assert!(Request::get("", "/").is_err());
        assert_eq!(segment("a/b ../c?"), "a%2Fb%20..%2Fc%3F");
    }

    #[test]
    fn what_is_shown_of_a_url_holds_no_secret() {
        assert_eq!(shown("https://ada:pass@x.example/a/?apikey=k#f"), "https://x.example/a");
    }

    #[test]
    fn only_requests_to_this_machine_go_past_a_proxy() {
        for (url, local) in [
            ("http://localhost:1", true),
            ("http://127.0.0.9", true),
            ("http://[::1]:2", true),
            ("https://localhost.example", false),
            ("http://10.0.0.1", false),
        ] {
            assert_eq!(is_local(&parse(url).unwrap()), local, "{url}");
        }
    }

    #[test]
    fn a_status_reads_as_the_seed_wrote_it() {
        assert_eq!(status_error(404), "HTTP Error 404: Not Found");
        assert_eq!(status_error(302), "HTTP Error 302: Found (redirects are not followed)");
        assert_eq!(status_error(799), "HTTP Error 799: Unknown");
    }
}
