//! A `<section>` with a list: an anchor `source-N` an entry, links only where the scheme is http or https; a
//! quote links to the place on its page where it stands.

use super::{Block, Opening, Style, escape};
use crate::ledger::{Quote, Source};
use crate::text::web_link::{link_to_words, web_link};

pub const STYLE: Style = Style {
    name: "html",
    summary: "an HTML section with anchors and links to quotes",
    in_draft: false,
    write,
};

fn write(sources: &[&Source]) -> Block {
    let mut body = String::from("<section class=\"sources\">\n<h2>Sources</h2>\n<ol>\n");
    for source in sources {
        body.push_str(&entry(source));
    }
    body.push_str("</ol>\n</section>\n");
    Block { opening: Opening::Nothing, body }
}

fn entry(source: &Source) -> String {
    let shown = escape::html(if source.title.is_empty() { &source.url } else { &source.title });
    let linked = match web_link(&source.url) {
        Some(link) => format!("<a href=\"{}\">{shown}</a>", escape::html(&link)),
        None => shown,
    };
    let mut item = format!("<li id=\"source-{0}\" value=\"{0}\">{linked}", source.id);
    for quote in &source.quotes {
        item.push_str(&blockquote(source, quote));
    }
    item.push_str("</li>\n");
    item
}

fn blockquote(source: &Source, quote: &Quote) -> String {
    let words = escape::html(&quote.text);
    match link_to_words(&source.url, &quote.text) {
        Some(link) => format!("\n<blockquote><a href=\"{}\">{words}</a></blockquote>", escape::html(&link)),
        None => format!("\n<blockquote>{words}</blockquote>"),
    }
}
