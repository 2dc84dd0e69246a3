//! Walks a document: hands objects to the shape that recognises them, decodes JSON inside strings, and gathers
//! what they find. The shapes call back for what they have in common: lists of entries, a page with its body.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::text::printable::printable;

use super::answer::Answer;
use super::json::Json;
use super::names::{self, Facts, Role, Skip};
use super::{Findings, Found, SHAPES, generic};

/// JSON inside a string inside a string is read; deeper is text.
const DECODES: u8 = 2;

/// A host whose addresses lead to the page for a few weeks only.
const EXPIRING: &str = "vertexaisearch.cloud.google.com/grounding-api-redirect";

/// Which fields of an entry hold the text of the page, and passages from it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Entry {
    /// Names of fields with the page's own text; the first that is not empty counts.
    pub body: &'static [&'static str],
    /// Names of fields with passages from the page: a string or a list of strings.
    pub quotes: &'static [&'static str],
}

/// What an entry of a plain list of results has.
pub const PLAIN: Entry = Entry { body: &["raw_content", "rawContent", "markdown"], quotes: &[] };

/// What has been found so far, and what is needed to read on.
#[derive(Debug, Default)]
pub struct Reader<'a> {
    /// What has been found so far.
    pub findings: Findings<'a>,
    calls: HashMap<String, String>,
    decoded: u8,
    speech: bool,
}

impl<'a> Reader<'a> {
    /// Reads any value.
    pub fn walk(&mut self, json: &mut Json<'a>) {
        self.make_room(json);
        match json {
            Json::List(items) => items.iter_mut().for_each(|item| self.walk(item)),
            Json::Object(_) => self.object(json),
            Json::Text(_) => _ = self.nested(json),
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }

    /// A list of objects is mostly a list of sources: one allocation instead of many.
    fn make_room(&mut self, list: &Json<'_>) {
        if let [Json::Object(_), ..] = list.items() {
            self.findings.found.reserve(list.items().len());
        }
    }

    fn object(&mut self, json: &mut Json<'a>) {
        let facts = Facts::of(json.fields());
        let entry = facts.address.is_some() && !facts.composite;
        match SHAPES.iter().find(|shape| !entry && (shape.recognises)(json)) {
            Some(shape) => (shape.read)(json, self),
            None => generic::object(json, &facts, self),
        }
    }

    /// Reads a list of entries, or a single one; what is no object in it is passed over.
    pub fn entries(&mut self, json: &mut Json<'a>, entry: &Entry) {
        self.make_room(json);
        match json {
            Json::List(items) => items.iter_mut().for_each(|item| self.entries(item, entry)),
            Json::Object(_) => _ = self.entry(json, entry),
            _ => {}
        }
    }

    /// Reads one page; its place in the findings.
    pub fn entry(&mut self, json: &mut Json<'a>, entry: &Entry) -> Option<usize> {
        let facts = Facts::of(json.fields());
        self.page(json, &facts, entry)
    }

    /// Reads one page whose facts are known; its place in the findings.
    pub fn page(&mut self, json: &mut Json<'a>, facts: &Facts, entry: &Entry) -> Option<usize> {
        let Some(address) = facts.address else {
            self.skip(Skip::NoAddress, 1);
            return None;
        };
        if facts.failed || facts.picture {
            self.skip(if facts.failed { Skip::Failed } else { Skip::Image }, 1);
            return None;
        }
        let body = self.body(json, facts, entry);
        let quotes = entry.quotes.iter().filter_map(|name| json.get(name)).flat_map(texts).collect();
        let url = json.fields_mut()[address].1.take_text()?;
        let title = match facts.title {
            Some(at) => title(&mut json.fields_mut()[at].1),
            None => json.get_mut("metadata").and_then(|metadata| title(metadata.get_mut("title")?)),
        };
        let title = title.unwrap_or_default();
        for (name, value) in json.fields() {
            self.pass_over(name, value);
        }
        self.push(Found { url, title, body, quotes, ..Found::default() })
    }

    /// The text of a page that answered well.
    fn body(&mut self, json: &mut Json<'a>, facts: &Facts, entry: &Entry) -> Option<Cow<'a, str>> {
        let status = facts.status.filter(|status| *status < 600).unwrap_or_default();
        if status >= 400 {
            let address = facts.address.and_then(|at| json.fields()[at].1.as_str()).unwrap_or_default();
            self.warn_of_status(address, status);
            return None;
        }
        let name =
            entry.body.iter().find(|name| json.str(name).is_some_and(|text| !text.trim().is_empty()))?;
        json.get_mut(name)?.take_text()
    }

    /// Says that a page answered with an error; what it sent is no evidence.
    pub fn warn_of_status(&mut self, address: &str, status: u64) {
        self.warn(format!("`{address}` answered with status {status}; its text is not kept"));
    }

    /// A line for the user.
    pub fn warn(&mut self, line: String) {
        self.findings.warnings.push(printable(&line).into_owned());
    }

    /// Adds a source; its place in the findings.
    pub fn push(&mut self, mut found: Found<'a>) -> Option<usize> {
        found.url = trimmed(found.url);
        if names::is_search_page(&found.url) {
            self.skip(Skip::SearchPage, 1);
            return None;
        }
        self.findings.found.push(found);
        Some(self.findings.found.len() - 1)
    }

    /// Adds an answer over the sources that were found from `first` on.
    pub fn answer(&mut self, answer: Answer<'a>) {
        if !answer.text.trim().is_empty() {
            self.findings.answers.push(answer);
        }
    }

    /// Counts addresses that were passed over.
    pub fn skip(&mut self, reason: Skip, count: usize) {
        if count > 0 {
            *self.findings.skipped.entry(reason).or_default() += count;
        }
    }

    /// Counts the addresses in a field that is never a source.
    pub fn pass_over(&mut self, name: &str, value: &Json<'_>) {
        if (value.is_composite() || names::address(value).is_some())
            && let Role::Never(reason) = names::role(name)
        {
            self.skip(reason, addresses(value));
        }
    }

    /// Counts every address in `value` as passed over.
    pub fn skip_all(&mut self, reason: Skip, value: &Json<'_>) {
        self.skip(reason, addresses(value));
    }

    /// Reads JSON inside a string; false where the string holds none or may not be decoded.
    pub fn nested(&mut self, json: &mut Json<'a>) -> bool {
        if self.decoded == DECODES || self.speech {
            return false;
        }
        let Some(text) = json.as_str().map(str::trim).filter(|text| looks_like_json(text)) else {
            return false;
        };
        let inner = || Reader { decoded: self.decoded + 1, ..Reader::default() };
        let Ok(findings) = super::read_text(text, inner) else {
            return false;
        };
        self.findings.append(Findings { broken: Vec::new(), ..findings }.into_owned());
        true
    }

    /// Reads a field of what somebody said: what looks like JSON in it is words, not a reply.
    pub fn speech(&mut self, name: &str, value: &mut Json<'a>) {
        let before = std::mem::replace(&mut self.speech, true);
        generic::field(name, value, self);
        self.speech = before;
    }

    /// Reads a piece of speech.
    pub fn piece(&mut self, json: &mut Json<'a>) {
        let before = std::mem::replace(&mut self.speech, true);
        self.walk(json);
        self.speech = before;
    }

    /// Reads `json` as what a tool replied, even inside speech.
    pub fn walk_reply(&mut self, json: &mut Json<'a>) {
        let before = std::mem::replace(&mut self.speech, false);
        self.walk(json);
        self.speech = before;
    }

    /// Remembers that the call `id` fetches `address`.
    pub fn remember_call(&mut self, id: &str, address: &str) {
        self.calls.insert(id.to_owned(), address.to_owned());
    }

    /// The address that the call `id` fetched, once.
    pub fn forget_call(&mut self, id: &str) -> Option<String> {
        self.calls.remove(id)
    }

    /// The same reader for text of any life.
    pub fn into_owned<'b>(self) -> Reader<'b> {
        let Self { findings, calls, decoded, speech } = self;
        Reader { findings: findings.into_owned(), calls, decoded, speech }
    }

    /// Everything that was found.
    pub fn finish(mut self) -> Findings<'a> {
        let expiring = self.findings.found.iter().filter(|found| expires(&found.url)).count();
        if expiring > 0 && self.decoded == 0 {
            self.warn(format!(
                "redirects that expire, at `{EXPIRING}`: {expiring}; register the pages that they lead to"
            ));
        }
        self.findings
    }
}

fn expires(address: &str) -> bool {
    names::place(address).starts_with(EXPIRING)
}

/// Text that may be JSON: a list, an object, or a string that holds one.
fn looks_like_json(text: &str) -> bool {
    let ends = (text.as_bytes().first(), text.as_bytes().last());
    matches!(ends, (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')) | (Some(b'"'), Some(b'"')))
}

/// A string, or the strings of a list.
fn texts<'a>(json: &Json<'a>) -> Vec<Cow<'a, str>> {
    let all = std::slice::from_ref(json).iter().chain(json.items());
    all.filter_map(Json::text).filter(|text| !text.trim().is_empty()).collect()
}

/// A title: text, or a list that begins with it.
fn title<'a>(json: &mut Json<'a>) -> Option<Cow<'a, str>> {
    match json {
        Json::List(items) => items.first_mut()?.take_text(),
        json => json.take_text(),
    }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// How many addresses stand in `value`.
fn addresses(value: &Json<'_>) -> usize {
    match value {
        Json::List(items) => items.iter().map(addresses).sum(),
        Json::Object(fields) => fields.iter().map(|(_, value)| addresses(value)).sum(),
        value => usize::from(names::address(value).is_some()),
    }
}
