//! Tavily search and extract: `results[]`, with the page's text in `raw_content`. `content` is a snippet.

use super::Shape;
use super::json::Json;
use super::reader::{PLAIN, Reader};

pub(super) const SHAPE: Shape = Shape { name: "tavily", recognises, read };

fn recognises(json: &Json<'_>) -> bool {
    let own = ["follow_up_questions", "failed_results", "failedResults", "response_time", "responseTime"];
    json.has("results") && own.iter().any(|name| json.get(name).is_some())
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    for (name, value) in json.fields_mut() {
        match name.as_ref() {
            "results" => reader.entries(value, &PLAIN),
            _ => reader.pass_over(name, value),
        }
    }
}
