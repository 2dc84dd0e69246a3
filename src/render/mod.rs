//! A selection of sources, written as a Sources block. A style is a plain struct in [`STYLES`]: its name, what
//! it is for, and a function from sources to a [`Block`].
//!
//! Titles, quotes and URLs come from the web. Each style writes them on one line and escapes what is special
//! in it; nothing that they hold can start a line, a heading or another entry.

mod bibtex;
mod csl_json;
mod escape;
mod evidence;
mod footnotes;
mod html;
mod latex;
mod markdown;
mod plain;
mod ris;
pub mod selection;

pub use crate::draft::rewrite::Opening;
use crate::ledger::Source;

/// One way to write a Sources block.
#[derive(Debug)]
pub struct Style {
    /// What `--style` takes.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// A draft's own block can be written in it (`--replace-in`).
    pub in_draft: bool,
    /// Writes the sources, in the order given.
    pub write: fn(&[&Source]) -> Block,
}

/// A rendered Sources block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What stands above the entries.
    pub opening: Opening,
    /// The entries; ends in a line end.
    pub body: String,
}

/// Every style; the order is that of `--help`.
pub const STYLES: &[Style] = &[
    markdown::STYLE,
    plain::STYLE,
    footnotes::STYLE,
    bibtex::STYLE,
    evidence::STYLE,
    csl_json::STYLE,
    ris::STYLE,
    html::STYLE,
    latex::STYLE,
];

/// The style of that name.
pub fn style(name: &str) -> Option<&'static Style> {
    STYLES.iter().find(|style| style.name == name)
}

impl Block {
    /// The whole block as it is printed.
    pub fn text(&self) -> String {
        let opening = match self.opening {
            Opening::Heading => "## Sources\n\n",
            Opening::Line => "Sources:\n",
            Opening::Nothing => "",
        };
        format!("{opening}{}", self.body)
    }
}

/// One entry a source, each written by `entry` and ended by a line end.
fn entries(sources: &[&Source], entry: impl Fn(&Source) -> String) -> String {
    let mut body = String::new();
    for source in sources {
        body.push_str(&entry(source));
        body.push('\n');
    }
    body
}

/// `url — title`, without the dash where there is no title.
fn with_title(url: &str, title: &str) -> String {
    if title.is_empty() { url.to_owned() } else { format!("{url} — {title}") }
}

#[cfg(test)]
mod tests;
