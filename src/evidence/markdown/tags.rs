//! HTML inside Markdown: tags are not seen, their text is. A scanner of a few rules, not a parser: what it does
//! not know it shows.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};

use super::builder::{Builder, Muted};
use crate::evidence::html::visible_text;

/// Elements whose content is not shown.
const SILENT: &[&str] = &["script", "style", "template", "noscript", "rp", "rt", "rtc"];
/// Elements that stand in a line.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "q", "rb", "rp", "rt", "rtc", "ruby", "samp", "small", "span", "strong", "time", "tt",
    "u", "var", "wbr", "img", "sup", "sub",
];

impl Builder<'_> {
    /// Takes `range` of the source, which holds tags and maybe text between them.
    pub(super) fn tags(&mut self, range: Range<usize>) {
        let source = self.raw(&range);
        let mut at = 0;
        while let Some(found) = source[at..].find('<') {
            let open = at + found;
            if memchr::memchr(b'>', &source.as_bytes()[open..]).is_none() {
                break;
            }
            self.html_text(&source[at..open], range.start + at);
            let end = open + piece_len(&source[open..]);
            self.tag(&source[open..end], range.start + open);
            at = end;
        }
        self.html_text(&source[at..], range.start + at);
    }

    fn tag(&mut self, tag: &str, at: usize) {
        let closing = tag.starts_with("</");
        let name = name_of(tag);
        if self.in_muted(&name, tag, at) {
            return;
        }
        if let Some(data) = tag.strip_prefix("<![CDATA[") {
            let text = data.strip_suffix("]]>").unwrap_or(data);
            return self.verbatim(text, at + 9..at + 9 + text.len());
        }
        match name.as_str() {
            "" if tag.starts_with("<!--") => self.hide(at..at + tag.len()),
            "" if tag == "<" => self.verbatim("<", at..at + 1),
            "" => {}
            "br" => self.line(at),
            "sup" | "sub" if closing => self.end_script(),
            "sup" | "sub" => self.open_script(name == "sup", at),
            "del" | "s" | "strike" if closing => self.close_strike(at + tag.len()),
            "del" | "s" | "strike" => self.open_strike(at),
            name => {
                if !INLINE.contains(&name) {
                    self.block(at);
                }
                if !closing && is_silent(name, tag) {
                    self.muted = Some(Muted { name: name.to_owned(), from: at, depth: 1 });
                }
            }
        }
    }

    /// The tag stands inside an element whose content is not shown, or ends it.
    fn in_muted(&mut self, name: &str, tag: &str, at: usize) -> bool {
        let Some(muted) = &mut self.muted else { return false };
        if muted.name == name && !tag.ends_with("/>") {
            muted.depth = if tag.starts_with("</") { muted.depth - 1 } else { muted.depth + 1 };
        }
        if muted.depth == 0 {
            let from = muted.from;
            self.muted = None;
            self.hide(from..at + tag.len());
        }
        true
    }

    /// Text between tags, its entities decoded.
    fn html_text(&mut self, text: &str, at: usize) {
        let mut done = 0;
        for (amp, _) in text.match_indices('&') {
            let Some(len) = entity_len(&text[amp..]) else { continue };
            let Some(decoded) = decode(&text[amp..amp + len]) else { continue };
            self.verbatim(&text[done..amp], at + done..at + amp);
            self.verbatim(&decoded, at + amp..at + amp + len);
            done = amp + len;
        }
        self.verbatim(&text[done..], at + done..at + text.len());
    }
}

/// The content of the element that `tag` opens is not shown.
fn is_silent(name: &str, tag: &str) -> bool {
    let lower = tag.to_ascii_lowercase();
    let may_hide = lower.contains("hidden") || lower.contains("display");
    SILENT.contains(&name) || may_hide && !tag.ends_with("/>") && visible_text(&format!("{tag}x")).is_empty()
}

/// Bytes of the tag, comment or lone `<` that `source` begins with; a `>` follows somewhere.
fn piece_len(source: &str) -> usize {
    if source.starts_with("<!--") {
        return source.find("-->").map_or(source.len(), |at| at + 3);
    }
    if source.starts_with("<![CDATA[") {
        return source.find("]]>").map_or(source.len(), |at| at + 3);
    }
    let named = source[1..]
        .trim_start_matches('/')
        .starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?');
    if !named {
        return 1;
    }
    quoted_end(source).or_else(|| source.find('>')).map_or(1, |at| at + 1)
}

/// The first `>` outside quotation marks, where it is near.
fn quoted_end(source: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in source.bytes().enumerate().take(LONGEST_QUOTED_TAG) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// Bytes; a longer tag ends at its first `>`.
const LONGEST_QUOTED_TAG: usize = 256;

fn name_of(tag: &str) -> String {
    let name = tag.trim_start_matches('<').trim_start_matches('/');
    name.chars().take_while(char::is_ascii_alphanumeric).take(16).collect::<String>().to_ascii_lowercase()
}

fn entity_len(text: &str) -> Option<usize> {
    let body = text
        .bytes()
        .skip(1)
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
        .count();
    (body > 1 && text.as_bytes().get(body + 1) == Some(&b';')).then_some(body + 2)
}

/// What an entity stands for, as the Markdown parser has it.
fn decode(entity: &str) -> Option<String> {
    let common = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&nbsp;", "\u{a0}"),
        ("&#39;", "'"),
    ];
    if let Some((_, decoded)) = common.iter().find(|(name, _)| *name == entity) {
        return Some((*decoded).to_string());
    }
    Parser::new(entity).find_map(|event| match event {
        Event::Text(text) if *text != *entity => Some(text.to_string()),
        _ => None,
    })
}
