//! Which elements are open, and what that means for the text inside: hidden, struck out, raised, a block of its
//! own. A stack without a tree; end tags that are left out are closed as the standard says where it matters.

use std::collections::HashMap;

use super::{EmptyElement, Tag};
use crate::evidence::writer::Writer;

/// Elements whose content is not seen.
const SILENT: &[&str] = &[
    "script",
    "style",
    "template",
    "noscript",
    "head",
    "title",
    "canvas",
    "audio",
    "video",
    "iframe",
    "object",
    "noframes",
    "noembed",
    "datalist",
    "rp",
    "rt",
    "rtc",
    "annotation",
    "annotation-xml",
];
/// What may stand in a head without ending it.
const HEAD: &[&str] = &[
    "title", "meta", "link", "script", "style", "base", "noscript", "template", "head", "html", "basefont",
    "bgsound",
];
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
];
const BLOCK: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "textarea",
    "tfoot",
    "thead",
    "tr",
    "ul",
];
/// Parts of a formula whose children stand above, below or beside each other: `10` and `2` of 10² are not `102`.
const LAYOUT: &[&str] =
    &["mfrac", "mmultiscripts", "mover", "mroot", "msqrt", "msub", "msubsup", "msup", "munder", "munderover"];
/// End tags do not reach through these.
const BOUNDARY: &[&str] =
    &["td", "th", "table", "caption", "template", "html", "body", "object", "marquee", "applet", "button"];
/// An element of the first kind ends an open one of the second, unless one of the third stands between.
const ENDS: &[(&[&str], &[&str], &[&str])] = &[
    (&["li"], &["li"], &["ul", "ol", "menu"]),
    (&["dt", "dd"], &["dt", "dd"], &["dl"]),
    (&["option", "optgroup"], &["option"], &["select"]),
    (&["td", "th"], &["td", "th"], &["tr", "table"]),
    (&["tr"], &["tr"], &["table"]),
    (&["tbody", "thead", "tfoot"], &["tbody", "thead", "tfoot"], &["table"]),
    (&["rb", "rp", "rt", "rtc"], &["rb", "rp", "rt", "rtc"], &["ruby"]),
];

/// What a name means.
#[derive(Debug, Clone, Copy, Default)]
struct Traits {
    silent: bool,
    void: bool,
    block: bool,
    cell: bool,
    boundary: bool,
    struck: bool,
    script: bool,
    pre: bool,
    layout: bool,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    name: usize,
    hides: bool,
    struck: bool,
    script: bool,
}

/// Walks over tags and text.
#[derive(Debug, Default)]
pub(super) struct Walker {
    names: HashMap<Vec<u8>, usize>,
    traits: Vec<Traits>,
    /// Where on the stack the open elements of each name are.
    places: Vec<Vec<usize>>,
    /// Where on the stack the elements are through which no end tag reaches.
    boundaries: Vec<usize>,
    stack: Vec<Open>,
    hidden: usize,
    struck: usize,
    pre: usize,
    /// Every element may end with its start tag.
    is_xml: bool,
    writer: Writer,
}

impl Walker {
    pub(super) fn new(is_xml: bool) -> Self {
        Self { is_xml, ..Self::default() }
    }

    pub(super) fn finish(self) -> String {
        self.writer.finish()
    }

    /// Takes a start tag; tells where its element ends with it.
    pub(super) fn open(&mut self, tag: &Tag) -> Option<EmptyElement> {
        let name = self.name(&tag.name);
        let text = std::str::from_utf8(&tag.name).unwrap_or_default();
        if !HEAD.contains(&text) {
            self.close(b"head");
        }
        self.end_implied(text);
        let traits = self.traits[name];
        self.separate(traits);
        let in_layout = self.stack.last().is_some_and(|open| self.traits[open.name].layout);
        if (traits.layout || in_layout) && self.is_seen() {
            self.writer.wall();
        }
        if text == "br" && self.is_seen() {
            self.writer.line();
        }
        let empty = tag.self_closing && (self.is_xml || self.is_foreign(text));
        if !empty && !traits.void {
            self.push(name, tag);
        }
        empty.then_some(EmptyElement)
    }

    /// A drawing or a formula, or a part of one.
    fn is_foreign(&self, name: &str) -> bool {
        let is_open = |name: &str| self.last(&[name]).is_some();
        matches!(name, "svg" | "math") || is_open("svg") || is_open("math")
    }

    fn push(&mut self, name: usize, tag: &Tag) {
        let traits = self.traits[name];
        let hides = traits.silent || tag.hidden || tag.name == b"dialog" && !tag.open;
        let struck = traits.struck || tag.struck;
        if struck && self.is_seen() {
            self.writer.gap();
        }
        let raised = tag.raised.or(traits.script.then_some(tag.name == b"sup"));
        if let Some(raised) = raised.filter(|_| self.is_seen()) {
            self.writer.open_script(raised);
        }
        self.hidden += usize::from(hides);
        self.struck += usize::from(struck);
        self.pre += usize::from(traits.pre);
        self.places[name].push(self.stack.len());
        if traits.boundary {
            self.boundaries.push(self.stack.len());
        }
        self.stack.push(Open { name, hides, struck, script: raised.is_some() });
    }

    pub(super) fn close(&mut self, name: &[u8]) {
        let Some(&name) = self.names.get(name) else { return };
        let Some(&at) = self.places[name].last() else { return };
        let shut_in = self.boundaries.last().is_some_and(|boundary| *boundary > at);
        if self.traits[name].boundary || !shut_in {
            self.pop(self.stack.len() - at);
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        let in_head =
            self.stack.last().is_some_and(|open| Some(&open.name) == self.names.get(b"head".as_slice()));
        if in_head && !text.trim_ascii().is_empty() {
            self.pop(1);
        }
        if !self.is_seen() {
            return;
        }
        if self.pre > 0 { self.writer.preformatted(text) } else { self.writer.text(text) }
    }

    fn is_seen(&self) -> bool {
        self.hidden == 0 && self.struck == 0
    }

    fn separate(&mut self, traits: Traits) {
        if !self.is_seen() {
            return;
        }
        if traits.cell {
            self.writer.cell();
        } else if traits.block {
            self.writer.block();
        }
    }

    fn pop(&mut self, elements: usize) {
        for _ in 0..elements {
            let Some(open) = self.stack.pop() else { return };
            let traits = self.traits[open.name];
            self.places[open.name].pop();
            if traits.boundary {
                self.boundaries.pop();
            }
            self.hidden -= usize::from(open.hides);
            self.struck -= usize::from(open.struck);
            self.pre -= usize::from(traits.pre);
            if traits.layout && self.is_seen() {
                self.writer.wall();
            }
            if open.script && self.is_seen() {
                self.writer.close_script();
            }
            self.separate(traits);
        }
    }

    /// Ends what the start of `name` ends though it has no end tag.
    fn end_implied(&mut self, name: &str) {
        if BLOCK.contains(&name) {
            self.end_nearest(&["p"], BOUNDARY);
        }
        for (starts, ends, stops) in ENDS {
            if starts.contains(&name) {
                self.end_nearest(ends, stops);
            }
        }
    }

    fn end_nearest(&mut self, ends: &[&str], stops: &[&str]) {
        let Some(at) = self.last(ends) else { return };
        if self.last(stops).is_none_or(|stop| stop < at) {
            self.pop(self.stack.len() - at);
        }
    }

    /// Where on the stack the innermost open element of one of these names is.
    fn last(&self, names: &[&str]) -> Option<usize> {
        let place = |name: &&str| self.places[*self.names.get(name.as_bytes())?].last().copied();
        names.iter().filter_map(place).max()
    }

    /// The number of a name; names that are new get one.
    fn name(&mut self, name: &[u8]) -> usize {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let text = std::str::from_utf8(name).unwrap_or_default();
        self.traits.push(Traits {
            silent: SILENT.contains(&text),
            void: VOID.contains(&text),
            block: BLOCK.contains(&text),
            cell: matches!(text, "td" | "th"),
            boundary: BOUNDARY.contains(&text),
            struck: matches!(text, "del" | "s" | "strike"),
            script: matches!(text, "sup" | "sub"),
            pre: matches!(text, "pre" | "textarea" | "xmp" | "listing"),
            layout: LAYOUT.contains(&text),
        });
        self.places.push(Vec::new());
        self.names.insert(name.to_vec(), self.traits.len() - 1);
        self.traits.len() - 1
    }
}
