//! Pure rewriting of a draft's text: its Sources blocks replaced by one, and single findings mended. Every byte that
//! is not rewritten stays as it was. No files here; writing them is for `cmd`.

use std::borrow::Cow;

use super::{Draft, Heading, SourcesBlock, Span};

/// What a style writes above its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// `## Sources` and a blank line: markdown, evidence.
    Heading,
    /// `Sources:` and no blank line: plain.
    Line,
    /// Nothing: footnotes, bibtex.
    Nothing,
}

/// The text of `draft` with its generated blocks replaced by one at the place of the last, or with one appended.
///
/// `entries` are the rendered entries alone, without heading, one per line (or record), with `\n` as line end; they
/// are written with the draft's own line end. A heading that stands in the draft keeps its text and level. The
/// result is the same when it is rewritten again.
pub fn replace_blocks(draft: &Draft<'_>, entries: &str, opening: Opening) -> String {
    let text = draft.text;
    let newline = line_end(text);
    let body = entries.trim_matches(['\n', '\r']).replace("\r\n", "\n").replace('\n', newline);
    let mut blocks: Vec<&SourcesBlock> = draft.blocks.iter().filter(|block| block.generated).collect();
    blocks.sort_by_key(|block| block.span.start);
    let Some((last, earlier)) = blocks.split_last() else { return append(text, &body, opening, newline) };
    let mut fixes: Vec<(Span, String)> =
        earlier.iter().map(|block| (with_space_behind(text, &block.span), String::new())).collect();
    fixes.push((last.span.clone(), replacement(text, last, &body, opening, newline)));
    apply_fixes(text, &fixes)
}

/// `text` with each span replaced; spans that overlap an earlier one or do not fit the text are left alone.
pub fn apply_fixes(text: &str, fixes: &[(Span, String)]) -> String {
    let mut sorted: Vec<&(Span, String)> = fixes.iter().collect();
    sorted.sort_by_key(|(span, _)| (span.start, span.end));
    let mut rewritten = String::with_capacity(text.len());
    let mut from = 0;
    for (span, replacement) in sorted {
        if span.start < from || span.end < span.start {
            continue;
        }
        let (Some(kept), true) = (text.get(from..span.start), text.is_char_boundary(span.end)) else {
            continue;
        };
        if span.end > text.len() {
            continue;
        }
        rewritten.push_str(kept);
        rewritten.push_str(replacement);
        from = span.end;
    }
    rewritten.push_str(&text[from..]);
    rewritten
}

/// The line end that the text uses first.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// `text` with a new block behind it.
fn append(text: &str, body: &str, opening: Opening, newline: &str) -> String {
    let bare = text.trim_start_matches('\u{feff}').trim_end_matches([' ', '\t']);
    let gap = match bare {
        "" => Cow::Borrowed(""),
        _ if !bare.ends_with('\n') => Cow::Owned(newline.repeat(2)),
        _ if ends_with_blank_line(bare) => Cow::Borrowed(""),
        _ => Cow::Borrowed(newline),
    };
    format!("{text}{gap}{}{body}{newline}", written(opening, newline))
}

fn ends_with_blank_line(text: &str) -> bool {
    let Some(before) = text.strip_suffix('\n') else { return false };
    let last = before.trim_end_matches('\r');
    last.rsplit('\n').next().unwrap_or_default().trim().is_empty()
}

/// What stands above the entries where the draft has no heading of its own.
fn written(opening: Opening, newline: &str) -> String {
    match opening {
        Opening::Heading => format!("## Sources{newline}{newline}"),
        Opening::Line => format!("Sources:{newline}"),
        Opening::Nothing => String::new(),
    }
}

/// What replaces `block`.
fn replacement(text: &str, block: &SourcesBlock, body: &str, opening: Opening, newline: &str) -> String {
    let prefix = container(&text[block.span.start..]);
    let head = match &block.heading {
        None => written(opening, newline),
        Some(heading) if heading.span.end <= block.span.start => String::new(),
        Some(heading) => head(text, block, heading, opening, newline),
    };
    let behind = &text[block.span.end..];
    let next_line = behind.trim_start_matches([' ', '\t']).strip_prefix(newline);
    let touches = next_line.is_some_and(|next| {
        !next.is_empty() && !next[..next.find('\n').unwrap_or(next.len())].trim().is_empty()
    });
    let gap = if touches { newline } else { "" };
    if prefix.is_empty() {
        return format!("{head}{body}{gap}");
    }
    let quoted: Vec<String> = body.split(newline).map(|line| format!("{prefix}{line}")).collect();
    let head =
        head.replace(&format!("{newline}{newline}"), &format!("{newline}{}{newline}", prefix.trim_end()));
    format!("{head}{}", quoted.join(newline))
}

/// The heading that a block keeps, with what stands between it and the entries.
fn head(text: &str, block: &SourcesBlock, heading: &Heading, opening: Opening, newline: &str) -> String {
    let raw = &text[block.span.start..heading.span.end];
    let plain = heading.level == 0 && matches!(raw.trim(), "Sources" | "Sources:");
    match opening {
        Opening::Heading | Opening::Line if plain => written(opening, newline),
        Opening::Line if heading.level == 0 => format!("{raw}{newline}"),
        _ => format!("{raw}{newline}{newline}"),
    }
}

/// The quote marks that the lines of a block stand behind.
fn container(text: &str) -> &str {
    let end = text.find(|c| !matches!(c, ' ' | '>')).unwrap_or(0);
    if text[..end].contains('>') { &text[..end] } else { "" }
}

/// A block that goes, with its line end and the blank lines behind it.
fn with_space_behind(text: &str, span: &Span) -> Span {
    let behind = &text[span.end..];
    let rest = behind.trim_start_matches([' ', '\t', '\r', '\n']);
    let blank = &behind[..behind.len() - rest.len()];
    let end = blank.rfind('\n').map_or(span.end, |at| span.end + at + 1);
    span.start..end
}
