//! Transcripts of tool calls, in the spellings of several clients. A call is a request and no source; its reply is
//! read, JSON inside its text too. The reply to a fetch is a page: its address stands in the call alone.
//!
//! What a person or a model said is no reply: JSON in it may be made up, and is not decoded.

use std::borrow::Cow;

use super::json::{self, Json};
use super::names::{self, Facts, Skip};
use super::reader::Reader;
use super::{Found, Shape};

/// A tool call.
pub(super) const CALL: Shape = Shape { name: "transcript", recognises: is_call, read: read_call };

/// A tool's reply.
pub(super) const REPLY: Shape = Shape { name: "transcript", recognises: is_reply, read: read_reply };

/// What a person or a model said.
pub(super) const SPEECH: Shape = Shape { name: "transcript", recognises: is_speech, read: read_speech };

/// Parts of the names of tools that retrieve the page they are given.
const FETCHES: [&str; 9] =
    ["fetch", "extract", "scrape", "crawl", "read", "open", "visit", "browse", "navigate"];

/// How a tool says in plain words that it failed.
const FAILURES: [&str; 15] = [
    "error",
    "failed",
    "could not",
    "cannot",
    "can't",
    "unable to",
    "timeout",
    "timed out",
    "not found",
    "access denied",
    "forbidden",
    "http error",
    "403",
    "404",
    "500",
];

/// A longer text, in bytes, is a page, even where it begins with one of these words.
const FAILURE_BYTES: usize = 300;

/// Fields that name the call which a reply answers.
const CALL_IDS: [&str; 4] = ["call_id", "tool_call_id", "tool_use_id", "toolCallId"];

/// Fields that hold a reply.
const REPLIES: [&str; 4] = ["content", "output", "result", "response"];

/// Fields of a reply in JSON that hold the text of the page that was asked for.
const PAGE_TEXTS: [&str; 5] = ["raw_content", "markdown", "content", "text", "body"];

fn is_call(json: &Json<'_>) -> bool {
    let named = ["name", "function", "toolName"].iter().any(|name| json.has(name));
    named && arguments(json).is_some() && is_no_page(json)
}

fn is_no_page(json: &Json<'_>) -> bool {
    Facts::of(json.fields()).address.is_none()
}

/// What a call was given.
fn arguments<'j, 'a>(json: &'j Json<'a>) -> Option<&'j Json<'a>> {
    let call = json.get("function").filter(|function| function.is_composite()).unwrap_or(json);
    ["args", "arguments", "input"].iter().find_map(|name| call.get(name))
}

fn read_call<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    if let Some((id, address)) = call_id(json).zip(fetched(json)) {
        reader.remember_call(id, &address);
    }
    if reply_field(json).is_some() {
        read_reply(json, reader);
    }
}

fn call_id<'j>(json: &'j Json<'_>) -> Option<&'j str> {
    CALL_IDS.iter().chain(&["id"]).find_map(|name| json.str(name))
}

/// The address that a call retrieves.
fn fetched(json: &Json<'_>) -> Option<String> {
    let function = json.get("function").and_then(|function| function.str("name"));
    let name = json.str("name").or(json.str("toolName")).or(function)?.to_lowercase();
    if !FETCHES.iter().any(|part| name.contains(part)) {
        return None;
    }
    match arguments(json)? {
        Json::Text(text) => address_in(&json::read_one(text).ok()?.0),
        arguments => address_in(arguments),
    }
}

/// The one address among a call's arguments.
fn address_in(arguments: &Json<'_>) -> Option<String> {
    let own = Facts::of(arguments.fields()).address.map(|at| &arguments.fields()[at].1);
    let lists = arguments.get("urls").into_iter().flat_map(Json::items);
    let mut all = own.into_iter().chain(lists).filter_map(names::address);
    let first = all.next()?;
    all.next().is_none().then(|| first.to_owned())
}

fn is_reply(json: &Json<'_>) -> bool {
    CALL_IDS.iter().any(|name| json.str(name).is_some()) && reply_field(json).is_some()
}

fn reply_field(json: &Json<'_>) -> Option<&'static str> {
    REPLIES.into_iter().find(|name| json.has(name))
}

fn read_reply<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let asked = call_id(json).map(str::to_owned).and_then(|id| reader.forget_call(&id));
    let failed = Facts::of(json.fields()).failed || json.get("is_error") == Some(&Json::Bool(true));
    let Some(reply) = reply_field(json).and_then(|name| json.get_mut(name)) else {
        return;
    };
    match asked {
        _ if failed => reader.skip_all(Skip::Failed, reply),
        Some(address) => read_page(address, reply, reader),
        None => reader.walk_reply(reply),
    }
}

/// The reply to a fetch: the page's text, or JSON that may or may not repeat its address.
fn read_page<'a>(address: String, reply: &mut Json<'a>, reader: &mut Reader<'a>) {
    let Some(text) = single_text(reply).filter(|text| !looks_like_json(text)) else {
        let page = page_in_json(reply);
        let before = reader.findings.found.len();
        reader.walk_reply(reply);
        if let (Some((title, body)), true) = (page, reader.findings.found.len() == before) {
            add_page(address, title, body.into(), reader);
        }
        return;
    };
    if looks_failed(&text) {
        return reader.skip(Skip::Failed, 1);
    }
    let heading = text.trim_start().lines().next().and_then(|line| line.strip_prefix('#'));
    let title = heading.unwrap_or_default().trim_start_matches('#').trim().to_owned();
    add_page(address, title, text, reader);
}

/// The text of a reply that has one.
fn single_text<'a>(reply: &Json<'a>) -> Option<Cow<'a, str>> {
    match reply {
        Json::List(items) if items.len() == 1 => items[0].get("text")?.text(),
        reply => reply.text(),
    }
}

fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '"'])
}

/// Title and text of a page in JSON that does not say its address.
fn page_in_json(reply: &Json<'_>) -> Option<(String, String)> {
    let text = single_text(reply);
    let read = text.as_deref().and_then(|text| json::read_one(text).ok());
    let page = read.as_ref().map_or(reply, |(page, _)| page);
    let facts = Facts::of(page.fields());
    if facts.failed || facts.address.is_some() || facts.status.is_some_and(|status| status >= 400) {
        return None;
    }
    let body = PAGE_TEXTS.iter().find_map(|name| page.str(name)).filter(|body| !looks_failed(body))?;
    Some((page.str("title").unwrap_or_default().to_owned(), body.to_owned()))
}

fn looks_failed(text: &str) -> bool {
    let text = text.trim();
    let says = |words: &&str| text.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words));
    text.is_empty() || (text.len() <= FAILURE_BYTES && FAILURES.iter().any(says))
}

fn add_page<'a>(address: String, title: String, body: Cow<'a, str>, reader: &mut Reader<'a>) {
    reader.push(Found { url: address.into(), title: title.into(), body: Some(body), ..Found::default() });
}

fn is_speech(json: &Json<'_>) -> bool {
    let said = |name: &str| {
        let who = json.str(name).unwrap_or_default();
        matches!(who, "assistant" | "user" | "system" | "developer" | "model" | "human" | "ai")
    };
    let words = json.get("content").is_some() || json.get("parts").is_some();
    words && (said("role") || said("type")) && is_no_page(json)
}

fn read_speech<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    for (name, value) in json.fields_mut() {
        match (name.as_ref(), &mut *value) {
            ("tool_calls", calls) => calls.items_mut().iter_mut().for_each(|call| read_call(call, reader)),
            (_, Json::Text(_)) => {}
            (name, value) => reader.speech(name, value),
        }
    }
}
