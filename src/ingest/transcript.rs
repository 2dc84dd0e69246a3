//! Transcripts of tool calls, in the spellings of several clients. A call is a request and no source; its reply is
//! read, JSON inside its text too. The reply to a fetch is a page: its address stands in the call alone.
//!
//! What a person or a model said is no reply: JSON in it may be made up, and is not decoded.

use std::borrow::Cow;

use super::json::Json;
use super::names::{self, Facts, Skip};
use super::reader::Reader;
use super::{Found, Shape};

/// A tool call.
pub(super) const CALL: Shape = Shape { name: "tool_call", recognises: is_call, read: read_call };

/// A tool's reply.
pub(super) const REPLY: Shape = Shape { name: "tool_reply", recognises: is_reply, read: read_reply };

/// What a person or a model said.
pub(super) const SPEECH: Shape = Shape { name: "speech", recognises: is_speech, read: read_speech };

/// Parts of the names of tools that retrieve the page they are given.
const FETCHES: [&str; 9] =
    ["fetch", "extract", "scrape", "crawl", "read", "open", "visit", "browse", "navigate"];

/// How a tool says in plain words that it failed.
const FAILURES: [&str; 6] = ["error", "failed", "could not", "cannot", "unable to", "timeout"];

/// A plain reply that is shorter, in characters, is a message and no page.
const PAGE_CHARS: usize = 40;

fn is_call(json: &Json<'_>) -> bool {
    arguments(json).is_some() && (json.has("name") || json.has("function"))
}

/// What a call was given.
fn arguments<'j, 'a>(json: &'j Json<'a>) -> Option<&'j Json<'a>> {
    let call = json.get("function").filter(|function| function.is_composite()).unwrap_or(json);
    ["args", "arguments", "input"].iter().find_map(|name| call.get(name))
}

fn read_call<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let Some((id, arguments)) = id(json, &["call_id", "id"]).zip(arguments(json)) else {
        return;
    };
    let fetched = match arguments {
        Json::Text(text) => input_address(text),
        arguments => address_in(arguments),
    };
    let name =
        json.str("name").or_else(|| json.get("function")?.str("name")).unwrap_or_default().to_lowercase();
    if let Some(address) = fetched.filter(|_| FETCHES.iter().any(|part| name.contains(part))) {
        reader.remember_call(id, &address);
    }
}

fn id<'j>(json: &'j Json<'_>, names: &[&str]) -> Option<&'j str> {
    names.iter().find_map(|name| json.str(name))
}

fn input_address(text: &str) -> Option<String> {
    let (arguments, _) = super::json::read_one(text).ok()?;
    address_in(&arguments)
}

/// The one address among a call's arguments.
fn address_in(arguments: &Json<'_>) -> Option<String> {
    let lists =
        arguments.fields().iter().filter(|(name, _)| name == "urls").flat_map(|(_, list)| list.items());
    let own = Facts::of(arguments.fields()).address.map(|at| &arguments.fields()[at].1);
    let mut all = own.into_iter().chain(lists).filter_map(names::address);
    all.next().filter(|_| all.next().is_none()).map(str::to_owned)
}

fn is_reply(json: &Json<'_>) -> bool {
    let reply = ["content", "output"].iter().any(|name| json.get(name).is_some());
    reply && id(json, &["tool_call_id", "tool_use_id", "call_id"]).is_some()
}

fn read_reply<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    let call = id(json, &["tool_call_id", "tool_use_id", "call_id"]).map(str::to_owned);
    let asked = call.and_then(|call| reader.forget_call(&call));
    let failed = Facts::of(json.fields()).failed || json.get("is_error") == Some(&Json::Bool(true));
    let name = if json.has("content") { "content" } else { "output" };
    let Some(reply) = json.get_mut(name) else {
        return;
    };
    if failed {
        let asked = usize::from(asked.is_some());
        reader.skip(Skip::Failed, asked);
        return;
    }
    let before = reader.findings.found.len();
    let page = asked.and_then(|address| Some((address, plain_text(reply)?)));
    match page {
        Some((address, text)) if !looks_failed(&text) => add_page(address, text, reader),
        Some(_) => reader.skip(Skip::Failed, 1),
        None => reader.walk_reply(reply),
    }
    debug_assert!(before <= reader.findings.found.len());
}

/// The text of a reply that is no JSON.
fn plain_text<'a>(reply: &Json<'a>) -> Option<Cow<'a, str>> {
    let text = match reply {
        Json::Text(_) => reply,
        Json::List(items) => items.first().filter(|_| items.len() == 1)?.get("text")?,
        _ => return None,
    };
    text.text().filter(|text| !text.trim_start().starts_with(['{', '[', '"']))
}

fn looks_failed(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(PAGE_CHARS).flat_map(char::to_lowercase).collect();
    start.chars().count() < PAGE_CHARS || FAILURES.iter().any(|word| start.starts_with(word))
}

fn add_page<'a>(address: String, text: Cow<'a, str>, reader: &mut Reader<'a>) {
    let title =
        text.lines().map(|line| line.trim_start_matches(['#', ' '])).find(|line| !line.trim().is_empty());
    let title = title.filter(|_| text.trim_start().starts_with('#')).unwrap_or_default().to_owned();
    reader.push(Found { url: address.into(), title: title.into(), body: Some(text), ..Found::default() });
}

fn is_speech(json: &Json<'_>) -> bool {
    let said = |name: &str| {
        let who = json.str(name).unwrap_or_default();
        matches!(who, "assistant" | "user" | "system" | "developer" | "model" | "human" | "ai")
    };
    (said("role") || said("type")) && (json.get("content").is_some() || json.get("parts").is_some())
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
