//! Raw HTML in a draft: which of its bytes a reader sees as text. No tree is built; tags are skipped over, and
//! with them comments, code, scripts and style sheets.

use std::borrow::Cow;
use std::ops::Range;

/// The stretches of `source` that are text.
pub(super) fn visible(source: &str) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut from = 0;
    while let Some(open) = memchr::memchr(b'<', &source.as_bytes()[from..]).map(|at| from + at) {
        let Some(after) = tag_end(source, open) else {
            push(&mut stretches, from..open + 1);
            from = open + 1;
            continue;
        };
        push(&mut stretches, from..open);
        from = after;
        let name = tag_name(&source[open..after]);
        if is_verbatim(&name) && !source[open..].starts_with("</") {
            from = closing_tag(source, after, &name);
        }
    }
    push(&mut stretches, from..source.len());
    stretches
}

/// `source` without tags and comments.
pub(super) fn text(source: &str) -> Cow<'_, str> {
    if !source.contains('<') {
        return Cow::Borrowed(source);
    }
    Cow::Owned(visible(source).into_iter().map(|stretch| &source[stretch]).collect())
}

/// The lower-case name of the tag that `tag` begins with; empty for a comment.
pub(super) fn tag_name(tag: &str) -> String {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    name[..end].to_ascii_lowercase()
}

/// An element whose text is no prose.
pub(super) fn is_verbatim(name: &str) -> bool {
    matches!(name, "pre" | "code" | "script" | "style" | "kbd" | "samp" | "template" | "textarea")
}

/// One past the tag or comment that opens at `open`; `None` where `<` is a character.
pub(super) fn tag_end(source: &str, open: usize) -> Option<usize> {
    let rest = &source[open..];
    if let Some(comment) = rest.strip_prefix("<!--") {
        return Some(comment.find("-->").map_or(source.len(), |at| open + 4 + at + 3));
    }
    if !rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
        return None;
    }
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'>') => return Some(open + at + 1),
            (None, b'<') => return None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(mark), _) if mark == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// What would close the raw HTML `block`, where it is of a kind that nothing else closes, not even a blank line.
pub(super) fn closer(block: &str) -> Option<String> {
    let start = block.trim_start();
    for (open, close) in [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")] {
        if start.starts_with(open) {
            return (!start.contains(close)).then(|| close.to_owned());
        }
    }
    let name = tag_name(start);
    let raw = matches!(name.as_str(), "pre" | "script" | "style" | "textarea") && !start.starts_with("</");
    let closed = || block.match_indices("</").any(|(at, _)| ends_raw(&block[at..]));
    (raw && !closed()).then(|| format!("</{name}>"))
}

/// A closing tag that ends a raw block, whichever of them opened it.
fn ends_raw(tag: &str) -> bool {
    let name = tag_name(tag);
    let whole = tag.get(2 + name.len()..).is_some_and(|rest| rest.starts_with('>'));
    whole && matches!(name.as_str(), "pre" | "script" | "style" | "textarea")
}

/// One past the closing tag of `name`, or the end of the source.
fn closing_tag(source: &str, from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(open) = source[at..].find("</").map(|found| at + found) {
        let end = source[open..].find('>').map_or(source.len(), |found| open + found + 1);
        if tag_name(&source[open..]) == name {
            return end;
        }
        at = open + 2;
    }
    source.len()
}

fn push(stretches: &mut Vec<Range<usize>>, stretch: Range<usize>) {
    if !stretch.is_empty() {
        stretches.push(stretch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        visible(source).into_iter().map(|stretch| &source[stretch]).collect()
    }

    #[test]
    fn tags_comments_and_code_are_not_text() {
        assert_eq!(
            shown("<p title=\"[9] > x\">Ice [1]<!-- [9] --> <code>a[9]</code>floats</p>"),
            "Ice [1] floats"
        );
        assert_eq!(shown("<script>x[9]"), "");
    }

    #[test]
    fn only_what_a_blank_line_does_not_close_needs_closing() {
        for (block, close) in [
            ("<!-- ice\n\nfloats", Some("-->")),
            ("<!-- ice -->", None),
            ("  <SCRIPT>\nx </b>", Some("</script>")),
            ("<pre>\nx</PRE>", None),
            ("<?php x", Some("?>")),
            ("<![CDATA[ x", Some("]]>")),
            ("<!DOCTYPE", Some(">")),
            ("<div>\nice", None),
        ] {
            assert_eq!(closer(block).as_deref(), close, "{block}");
        }
    }

    #[test]
    fn a_lone_angle_is_a_character() {
        assert_eq!(shown("ice < water, 3 <4 <b>x"), "ice < water, 3 <4 x");
    }
}
