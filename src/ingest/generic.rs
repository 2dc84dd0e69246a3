//! The walk over what no shape claims: an object with an address is a source, whatever it hangs in, unless the
//! name it hangs from says that it never is one.
//!
//! An object that is a source describes one page. What hangs below it (its author, its PDF, an offer) describes
//! that page further and is no source of its own, except in a list of results or citations.

use super::Found;
use super::json::Json;
use super::names::{self, Facts, Role, Skip};
use super::reader::{PLAIN, Reader};

/// Reads an object that no shape recognises.
pub fn object<'a>(json: &mut Json<'a>, facts: &Facts, reader: &mut Reader<'a>) {
    if facts.error_reply || (facts.failed && facts.address.is_some()) {
        return reader.skip_all(Skip::Failed, json);
    }
    if facts.picture {
        return reader.skip_all(Skip::Image, json);
    }
    match facts.address.and_then(|at| json.fields()[at].1.as_str()) {
        Some(address) if names::is_search_page(address) => {
            reader.skip(Skip::SearchPage, 1);
            fields(json, reader);
        }
        Some(_) => page(json, facts, reader),
        None => fields(json, reader),
    }
}

fn page<'a>(json: &mut Json<'a>, facts: &Facts, reader: &mut Reader<'a>) {
    reader.page(json, facts, &PLAIN);
    if facts.composite {
        for (name, value) in json.fields_mut().iter_mut().filter(|(_, value)| value.is_composite()) {
            below_page(name, value, reader);
        }
    }
}

fn fields<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    json.fields_mut().iter_mut().for_each(|(name, value)| field(name, value, reader));
}

/// Reads a field by what its name says.
pub fn field<'a>(name: &str, value: &mut Json<'a>, reader: &mut Reader<'a>) {
    if matches!(value, Json::Null | Json::Bool(_) | Json::Number(_)) {
        return;
    }
    match names::role(name) {
        Role::Never(_) => reader.pass_over(name, value),
        Role::Piece => reader.piece(value),
        Role::Given => given(value, reader),
        Role::Citations => citations(value, reader),
        Role::Container | Role::Plain => reader.walk(value),
    }
}

/// What a tool was given: an address in it was asked for, while messages may hold replies.
fn given<'a>(value: &mut Json<'a>, reader: &mut Reader<'a>) {
    match value.is_composite() && Facts::of(value.fields()).address.is_none() {
        true => reader.walk(value),
        false => reader.skip_all(Skip::Request, value),
    }
}

/// A field of an object that is a source itself; its pictures and profiles are counted already.
fn below_page<'a>(name: &str, value: &mut Json<'a>, reader: &mut Reader<'a>) {
    match names::role(name) {
        Role::Citations => citations(value, reader),
        Role::Container => reader.walk(value),
        Role::Never(_) | Role::Given | Role::Piece | Role::Plain => {}
    }
}

/// Citations: addresses on their own, or anything that the walk understands.
pub fn citations<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    match json {
        Json::List(items) => items.iter_mut().for_each(|item| citation(item, reader)),
        Json::Object(_) if Facts::of(json.fields()).address.is_none() => {
            json.fields_mut().iter_mut().for_each(|(name, value)| named_citation(name, value, reader));
        }
        json => citation(json, reader),
    }
}

fn citation<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    if let Some(addresses) = several(json) {
        for url in addresses {
            reader.push(Found { url: url.to_owned().into(), ..Found::default() });
        }
        return;
    }
    match names::address(json).is_some() {
        true => _ = bare(json, reader),
        false => reader.walk(json),
    }
}

/// The addresses of a text that is nothing but a list of them: `https://…, https://…`.
fn several<'j>(json: &'j Json<'_>) -> Option<impl Iterator<Item = &'j str>> {
    let words = |text: &'j str| text.split_whitespace().map(|word| word.trim_end_matches([',', ';']));
    let text = names::address(json).filter(|text| text.contains(char::is_whitespace))?;
    words(text).all(names::is_address).then(|| words(text))
}

/// One of `{"1": "https://…"}` or `{"a claim": ["https://…"]}`.
fn named_citation<'a>(name: &str, json: &mut Json<'a>, reader: &mut Reader<'a>) {
    match (names::role(name), &mut *json) {
        (Role::Never(_), json) => field(name, json, reader),
        (_, Json::List(_)) => citations(json, reader),
        (_, json) if names::address(json).is_some() => citation(json, reader),
        (_, json) => field(name, json, reader),
    }
}

/// An address without anything else; its place in the findings.
pub fn bare<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) -> Option<usize> {
    let url = json.take_text()?;
    reader.push(Found { url, ..Found::default() })
}
