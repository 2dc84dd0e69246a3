//! What the name of a field says: this is an address, a title, a list of results, or something that is never a
//! source. Names count in any case, with or without `_` and `-`.

use super::json::{Field, Json};

/// Names longer than this, in bytes, mean nothing to us.
const NAME_BYTES: usize = 40;

/// Why an address was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skip {
    /// Pictures, thumbnails, favicons, logos, screenshots.
    Image,
    /// The page of an author, owner, publisher or seller.
    Profile,
    /// Sitelinks, buttons, related searches, links that a page contains.
    Navigation,
    /// A page that could not be retrieved.
    Failed,
    /// What was asked for, not what came back.
    Request,
    /// A search engine's own result page.
    SearchPage,
    /// No http(s) address.
    NoAddress,
}

impl Skip {
    /// What was passed over, in words for one of them and for many.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Image => ("image address", "image addresses"),
            Self::Profile => ("profile", "profiles"),
            Self::Navigation => ("navigation link", "navigation links"),
            Self::Failed => ("failed result", "failed results"),
            Self::Request => ("address of a request", "addresses of requests"),
            Self::SearchPage => ("search engine page", "search engine pages"),
            Self::NoAddress => ("entry without a web address", "entries without a web address"),
        }
    }
}

/// What hangs below a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Results, messages, pages: walked even below a page.
    Container,
    /// A container whose plain strings are addresses too.
    Citations,
    /// A piece of what is being said or asked for, as a stream brings it: no JSON, even where it looks like it.
    Piece,
    /// What a tool was given, which is no source; or the messages of a request, which may hold replies.
    Given,
    /// Never a source.
    Never(Skip),
    /// Anything else.
    Plain,
}

/// What the field `name` holds.
pub fn role(name: &str) -> Role {
    let mut buffer = [0; NAME_BYTES];
    match folded(name, &mut buffer) {
        "citations" | "sources" | "references" => Role::Citations,
        "annotations" | "answers" | "articles" | "body" | "children" | "chunks" | "content" | "contents"
        | "data" | "documents" | "docs" | "entries" | "hits" | "items" | "messages" | "news" | "output"
        | "pages" | "payload" | "posts" | "records" | "response" | "responses" | "result" | "results"
        | "searchresults" | "structuredcontent" | "subpages" | "videos" | "web" | "webpages" => {
            Role::Container
        }
        "delta" | "partialjson" => Role::Piece,
        "input" | "inputs" => Role::Given,
        "failed" | "failedresults" | "failures" | "failedurls" | "errors" => Role::Never(Skip::Failed),
        "args" | "arguments" | "parameters" | "params" | "queries" | "query" | "request" | "requests"
        | "requestbody" | "toolargs" | "toolinput" | "searchquery" | "searchinformation"
        | "searchmetadata" | "searchparameters" | "toolcalls" | "tooluse" | "tools" | "functioncall" => {
            Role::Never(Skip::Request)
        }
        "actions" | "breadcrumb" | "breadcrumbs" | "button" | "buttons" | "deeplinks" | "deepresults"
        | "extras" | "inlinelinks" | "links" | "menu" | "metaurl" | "navigation" | "offers"
        | "pagination" | "relatedlinks" | "relatedqueries" | "relatedquestions" | "relatedsearches"
        | "selfurl" | "serpapipagination" | "sitelinks" | "sitelink" => Role::Never(Skip::Navigation),
        "account" | "author" | "authors" | "channel" | "contributors" | "creator" | "organization"
        | "owner" | "profile" | "profiles" | "provider" | "providers" | "publisher" | "seller"
        | "socialprofiles" | "uploader" | "user" | "users" => Role::Never(Skip::Profile),
        other if is_picture(other) => Role::Never(Skip::Image),
        other if other.ends_with("results") => Role::Container,
        _ => Role::Plain,
    }
}

fn is_picture(name: &str) -> bool {
    const PARTS: [&str; 8] =
        ["image", "thumbnail", "favicon", "logo", "screenshot", "avatar", "picture", "photo"];
    const WHOLE: [&str; 5] = ["img", "imgs", "icon", "icons", "thumb"];
    PARTS.iter().any(|part| name.contains(part)) || WHOLE.contains(&name)
}

/// `name` in lower case without `_` and `-`; empty where it is too long to mean anything.
fn folded<'b>(name: &str, buffer: &'b mut [u8; NAME_BYTES]) -> &'b str {
    if name.len() > NAME_BYTES {
        return "";
    }
    let mut length = 0;
    for byte in name.bytes().filter(|b| !matches!(b, b'_' | b'-')) {
        buffer[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    std::str::from_utf8(&buffer[..length]).unwrap_or_default()
}

/// What an object's own fields say about the page it stands for; found in one pass.
#[derive(Debug, Default)]
pub struct Facts {
    /// Which field holds the address.
    pub address: Option<usize>,
    /// Which field holds the title.
    pub title: Option<usize>,
    /// It says that it failed.
    pub failed: bool,
    /// It says of itself that it is a picture.
    pub picture: bool,
    /// It is a reply that says of itself that it is an error.
    pub error_reply: bool,
    /// The HTTP status it states.
    pub status: Option<u64>,
    /// It has fields that are lists or objects.
    pub composite: bool,
}

impl Facts {
    /// Reads the names of `fields`.
    pub fn of(fields: &[Field<'_>]) -> Self {
        let (mut facts, mut address_rank, mut title_rank) = (Self::default(), u8::MAX, u8::MAX);
        for (at, (name, value)) in fields.iter().enumerate() {
            facts.composite |= value.is_composite();
            match meaning(name) {
                Meaning::Address(rank) if rank <= address_rank && address(value).is_some() => {
                    (facts.address, address_rank) = (Some(at), rank);
                }
                Meaning::Title(rank) if rank <= title_rank && title(value).is_some() => {
                    (facts.title, title_rank) = (Some(at), rank);
                }
                Meaning::Error => facts.failed |= is_error(value),
                Meaning::Kind => facts.picture |= value.as_str().is_some_and(names_a_picture),
                Meaning::Success => facts.failed |= *value == Json::Bool(false),
                Meaning::ErrorReply => facts.error_reply = *value == Json::Bool(true),
                Meaning::Status => {
                    facts.status = value.as_u64().or(facts.status);
                    facts.failed |= value.as_str().is_some_and(says_failed);
                }
                _ => {}
            }
        }
        facts
    }
}

/// What a field says about the page; addresses and titles with their rank, the best first.
enum Meaning {
    Address(u8),
    Title(u8),
    Error,
    Kind,
    Success,
    ErrorReply,
    Status,
    Nothing,
}

fn meaning(name: &str) -> Meaning {
    let first = name.bytes().next().unwrap_or_default().to_ascii_lowercase();
    if !(3..=11).contains(&name.len()) || !b"ehilnpstu".contains(&first) {
        return Meaning::Nothing;
    }
    match folded(name, &mut [0; NAME_BYTES]) {
        "htmlurl" => Meaning::Address(0),
        "url" => Meaning::Address(1),
        "link" => Meaning::Address(2),
        "sourceurl" => Meaning::Address(3),
        "uri" => Meaning::Address(4),
        "href" => Meaning::Address(5),
        "pageurl" => Meaning::Address(6),
        "title" => Meaning::Title(0),
        "name" => Meaning::Title(1),
        "error" => Meaning::Error,
        "type" => Meaning::Kind,
        "success" => Meaning::Success,
        "iserror" => Meaning::ErrorReply,
        "status" | "statuscode" | "httpstatus" => Meaning::Status,
        _ => Meaning::Nothing,
    }
}

fn is_error(value: &Json<'_>) -> bool {
    match value {
        Json::Text(text) => !text.trim().is_empty(),
        Json::Bool(failed) => *failed,
        Json::List(items) => !items.is_empty(),
        Json::Object(fields) => !fields.is_empty(),
        Json::Null | Json::Number(_) => false,
    }
}

fn names_a_picture(kind: &str) -> bool {
    matches!(kind, "image" | "image_url" | "input_image")
}

fn says_failed(status: &str) -> bool {
    ["error", "failed", "failure"].iter().any(|word| status.eq_ignore_ascii_case(word))
}

/// The http(s) address that `value` is.
pub fn address<'j>(value: &'j Json<'_>) -> Option<&'j str> {
    value.as_str().map(str::trim).filter(|text| is_address(text))
}

/// Is `text` an http(s) address? The scheme counts in any case.
pub fn is_address(text: &str) -> bool {
    let bytes = text.as_bytes();
    let scheme =
        |name: &str| bytes.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
    let host = match (scheme("http://"), scheme("https://")) {
        (true, _) => bytes.get(7),
        (_, true) => bytes.get(8),
        _ => None,
    };
    host.is_some_and(|b| !b.is_ascii_whitespace() && !matches!(b, b'/' | b'?' | b'#'))
}

/// An address without its scheme: the host and all behind it.
pub fn place(address: &str) -> &str {
    address.split_once(':').map_or(address, |(_, place)| place.trim_start_matches('/'))
}

/// The title that `value` is: text, or a list that begins with it.
pub fn title<'j>(value: &'j Json<'_>) -> Option<&'j str> {
    let text = value.as_str().or_else(|| value.items().first()?.as_str())?;
    (!text.trim().is_empty()).then_some(text)
}

/// Is this a search engine's own page of results, or its copy of a page?
pub fn is_search_page(address: &str) -> bool {
    let (host, path) = place(address).split_once('/').unwrap_or((place(address), ""));
    let searches = path.starts_with("search?") || path == "search";
    match host.strip_prefix("www.").unwrap_or(host) {
        "webcache.googleusercontent.com" => true,
        "serpapi.com" => path.starts_with("search"),
        "duckduckgo.com" => path.starts_with("?q="),
        "bing.com" | "search.brave.com" | "search.yahoo.com" => searches,
        host => searches && host.starts_with("google."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::json;

    fn facts(object: &str) -> (Option<String>, Option<String>, bool) {
        let (json, _) = json::read_one(object).unwrap();
        let facts = Facts::of(json.fields());
        let text = |at: Option<usize>, read: fn(&Json<'_>) -> Option<String>| {
            at.and_then(|at| read(&json.fields()[at].1))
        };
        (
            text(facts.address, |value| address(value).map(Into::into)),
            text(facts.title, |value| title(value).map(Into::into)),
            facts.failed,
        )
    }

    #[test]
    fn the_page_wins_over_the_interface() {
        let object =
            r#"{"url":"https://api.a.example/1","HTML_URL":"HTTPS://a.example/1","Name":"n","title":["t"]}"#;
        assert_eq!(facts(object), (Some("HTTPS://a.example/1".into()), Some("t".into()), false));
    }

    #[test]
    fn an_empty_or_relative_address_leaves_the_place_to_the_next() {
        let object = r#"{"url":"/page","link":"","sourceURL":"https://a.example/","title":" ","name":"n"}"#;
        assert_eq!(facts(object), (Some("https://a.example/".into()), Some("n".into()), false));
    }

    #[test]
    fn failure_is_what_says_so() {
        assert!(facts(r#"{"url":"https://a.example","error":"timeout"}"#).2);
        assert!(facts(r#"{"url":"https://a.example","success":false}"#).2);
        assert!(facts(r#"{"url":"https://a.example","status":"failed"}"#).2);
        assert!(!facts(r#"{"url":"https://a.example","error":null,"success":true,"status":"ok"}"#).2);
        assert!(!facts(r#"{"url":"https://a.example","error":""}"#).2);
    }

    #[test]
    fn an_address_has_a_host() {
        assert!(is_address("https://a.example") && is_address("HTTP://a"));
        assert!(
            !is_address("https://")
                && !is_address("https:///x")
                && !is_address("ftp://a")
                && !is_address("http")
        );
    }

    #[test]
    fn names_count_in_any_case_and_spelling() {
        assert_eq!(role("failed_results"), role("failedResults"));
        assert_eq!(role("ogImage"), Role::Never(Skip::Image));
        assert_eq!(role("References"), Role::Citations);
        assert_eq!(role("review"), Role::Plain);
        assert_eq!(role("organicResults"), Role::Container);
        assert_eq!(role("image_results"), Role::Never(Skip::Image));
        assert_eq!(role(&"x".repeat(500)), Role::Plain);
    }

    #[test]
    fn a_search_engines_own_pages_are_told_from_results() {
        assert!(is_search_page("https://www.google.com/search?q=ice"));
        assert!(is_search_page("https://www.google.co.uk/search?q=ice"));
        assert!(is_search_page("https://webcache.googleusercontent.com/search?q=cache:x"));
        assert!(!is_search_page("https://developers.google.com/search?x"));
        assert!(!is_search_page("https://shop.example/search?q=ice"));
    }
}
