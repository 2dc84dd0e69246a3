//! Firecrawl: a page is `markdown` beside `metadata.sourceURL`, on its own, in `data`, or in a list of a crawl. A
//! page that answered with an error status is a source with a warning; its text is not kept.

use super::json::Json;
use super::names::{self, Facts, Skip};
use super::reader::{PLAIN, Reader};
use super::{Found, Shape};

pub(super) const SHAPE: Shape = Shape { name: "firecrawl", recognises, read };

fn recognises(json: &Json<'_>) -> bool {
    let metadata = json.get("metadata");
    let has = |name: &str| metadata.is_some_and(|metadata| metadata.get(name).is_some());
    has("sourceURL") || (has("url") && json.get("markdown").is_some())
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    json.fields().iter().for_each(|(name, value)| reader.pass_over(name, value));
    let metadata = json.get("metadata");
    let addresses = ["sourceURL", "url"].iter().filter_map(|name| metadata?.get(name));
    let Some(url) = addresses.filter(|url| names::address(url).is_some()).find_map(Json::text) else {
        reader.entry(json, &PLAIN);
        return;
    };
    let status =
        metadata.and_then(|metadata| metadata.get("statusCode")).and_then(Json::as_u64).unwrap_or(200);
    let failed = metadata.is_some_and(|metadata| Facts::of(metadata.fields()).failed);
    if failed && status < 400 {
        return reader.skip(Skip::Failed, 1);
    }
    if status >= 400 {
        reader.warn_of_status(&url, status);
    }
    let title = title(json).unwrap_or_default();
    let body = json.get_mut("markdown").filter(|_| status < 400).and_then(Json::take_text);
    let body = body.filter(|body| !body.trim().is_empty());
    reader.push(Found { url, title, body, ..Found::default() });
}

fn title<'a>(json: &Json<'a>) -> Option<std::borrow::Cow<'a, str>> {
    [json.get("metadata")?, json].into_iter().find_map(|place| {
        let at = Facts::of(place.fields()).title?;
        let value = &place.fields()[at].1;
        value.text().or_else(|| value.items().first()?.text())
    })
}
