//! Serper and SerpApi, which pass on a search engine's page: organic results, news, videos, and the pages that an
//! answer box or an overview quotes. Sitelinks, related questions and related searches are no sources.

use super::Shape;
use super::json::Json;
use super::reader::{Entry, Reader};

pub(super) const SHAPE: Shape = Shape { name: "serp", recognises, read };

fn recognises(json: &Json<'_>) -> bool {
    let own =
        ["organic", "organic_results", "searchParameters", "search_parameters", "answerBox", "answer_box"];
    own.iter().any(|name| json.get(name).is_some_and(Json::is_composite))
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    for (name, value) in json.fields_mut() {
        match name.as_ref() {
            "organic" | "organic_results" | "news" | "news_results" | "videos" | "video_results"
            | "references" => reader.entries(value, &Entry::default()),
            "answerBox" | "answer_box" if value.has("link") => reader.entries(value, &Entry::default()),
            "ai_overview" => value
                .get_mut("references")
                .into_iter()
                .for_each(|list| reader.entries(list, &Entry::default())),
            _ => reader.pass_over(name, value),
        }
    }
}
