//! A `<section>` with a list: an anchor `source-N` an entry, links only where the scheme is http or https.

use super::{Block, Opening, Style, escape};
use crate::ledger::Source;

pub const STYLE: Style =
    Style { name: "html", summary: "an HTML section with anchors", in_draft: false, write };

fn write(sources: &[&Source]) -> Block {
    let mut body = String::from("<section class=\"sources\">\n<h2>Sources</h2>\n<ol>\n");
    for source in sources {
        body.push_str(&entry(source));
    }
    body.push_str("</ol>\n</section>\n");
    Block { opening: Opening::Nothing, body }
}

fn entry(source: &Source) -> String {
    let url = escape::html(&source.url);
    let shown = if source.title.is_empty() { url.clone() } else { escape::html(&source.title) };
    let linked = if is_web(&source.url) { format!("<a href=\"{url}\">{shown}</a>") } else { shown };
    let mut item = format!("<li id=\"source-{0}\" value=\"{0}\">{linked}", source.id);
    for quote in &source.quotes {
        item.push_str(&format!("\n<blockquote>{}</blockquote>", escape::html(&quote.text)));
    }
    item.push_str("</li>\n");
    item
}

fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}
