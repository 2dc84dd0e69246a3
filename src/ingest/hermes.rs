//! Hermes `web_search`: `data.web[]`. Its `web_extract` is a plain `results[]`, which the generic walk reads.

use super::Shape;
use super::json::Json;
use super::reader::{PLAIN, Reader};

pub(super) const SHAPE: Shape = Shape { name: "hermes", recognises, read };

fn recognises(json: &Json<'_>) -> bool {
    json.get("data")
        .is_some_and(|data| data.fields().iter().all(|(name, _)| name == "web") && data.has("web"))
}

fn read<'a>(json: &mut Json<'a>, reader: &mut Reader<'a>) {
    if let Some(web) = json.get_mut("data").and_then(|data| data.get_mut("web")) {
        reader.entries(web, &PLAIN);
    }
}
