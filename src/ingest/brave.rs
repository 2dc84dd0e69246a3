//! Brave search: `results[]` of the blocks `web`, `news`, `videos`, `faq` and `discussions`. The info box and
//! what hangs below a result (`profile`, `meta_url`, `thumbnail`, `deep_results`) are no sources.

use super::Shape;
use super::json::Json;
use super::reader::{Entry, Reader};

pub(super) const SHAPE: Shape = Shape { name: "brave", recognises, read };

const BLOCKS: [&str; 5] = ["web", "news", "videos", "faq", "discussions"];

fn recognises(json: &Json<'_>) -> bool {
    BLOCKS.iter().any(|block| json.get(block).is_some_and(|block| block.has("results")))
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    for (name, value) in json.fields_mut() {
        match value.get_mut("results") {
            Some(results) if BLOCKS.contains(&name.as_ref()) => reader.entries(results, &Entry::default()),
            _ => reader.pass_over(name, value),
        }
    }
}
