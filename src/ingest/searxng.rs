//! SearXNG: `results[]`; its info boxes and results without an address are no sources.

use super::Shape;
use super::json::Json;
use super::reader::{Entry, Reader};

pub(super) const SHAPE: Shape = Shape { name: "searxng", recognises, read };

fn recognises(json: &Json<'_>) -> bool {
    let own = ["infoboxes", "number_of_results", "unresponsive_engines"];
    json.has("results") && own.iter().any(|name| json.get(name).is_some())
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    for (name, value) in json.fields_mut() {
        match name.as_ref() {
            "results" => reader.entries(value, &Entry::default()),
            _ => reader.pass_over(name, value),
        }
    }
}
