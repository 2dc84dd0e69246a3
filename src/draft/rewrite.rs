//! Pure rewriting of a draft's text: its Sources blocks replaced by one, and single findings mended. Every byte that
//! is not rewritten stays as it was. No files here; writing them is for `cmd`.

use std::borrow::Cow;

use super::{Draft, Heading, Options, SourcesBlock, Span};
use crate::identity::Unknown;

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
    let Some((last, earlier)) = blocks.split_last() else { return append(draft, &body, opening, newline) };
    let mut fixes: Vec<(Span, String)> =
        earlier.iter().map(|block| (with_space_behind(text, &block.span), String::new())).collect();
    fixes.push((last.span.clone(), replacement(text, last, &body, opening, newline)));
    let replaced = apply_fixes(text, &fixes);
    let behind = text[last.span.end..].trim_start().len();
    if !takes_more(&replaced, replaced.len() - behind) {
        return replaced;
    }
    // Where the new block would take what stands behind it, and the next rewrite would lose that, it goes to the end.
    if let Some((span, new)) = fixes.last_mut() {
        *span = with_space_behind(text, span);
        new.clear();
    }
    append(&read(&apply_fixes(text, &fixes)), &body, opening, newline)
}

fn read(text: &str) -> Draft<'_> {
    Draft::parse(text, &Options::default(), &Unknown)
}

/// A Sources block of `text` reaches over byte `at`, behind which it should be prose.
fn takes_more(text: &str, at: usize) -> bool {
    at < text.len() && read(text).blocks.iter().any(|block| block.span.start < at && at < block.span.end)
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

/// The text of `draft` with a new block behind it, outside any code or comment that its end leaves open.
fn append(draft: &Draft<'_>, body: &str, opening: Opening, newline: &str) -> String {
    let text = draft.text;
    if let Some(closer) = &draft.left_open {
        let line = if text.ends_with('\n') { "" } else { newline };
        return format!("{text}{line}{closer}{newline}{newline}{}{body}{newline}", written(opening, newline));
    }
    let bare = text.trim_start_matches('\u{feff}').trim_end_matches([' ', '\t']);
    let gap = match bare {
        _ if bare.len() < text.trim_start_matches('\u{feff}').len()
            && (bare.is_empty() || bare.ends_with('\n')) =>
        {
            Cow::Borrowed(newline)
        }
        "" => Cow::Borrowed(""),
        _ if !bare.ends_with('\n') => Cow::Owned(newline.repeat(2)),
        _ if ends_with_blank_line(bare) => Cow::Borrowed(""),
        _ => Cow::Borrowed(newline),
    };
    let appended = format!("{text}{gap}{}{body}{newline}", written(opening, newline));
    if opening == Opening::Nothing && takes_more(&appended, text.len()) {
        // A title without entries of its own would take them for its own, with what stands below it.
        return format!("{text}{gap}{}{body}{newline}", written(Opening::Heading, newline));
    }
    appended
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Key, Register, SourceId, locate};

    /// `https://a.example/1` and `https://b.example/2`.
    struct Two(Vec<Key>);

    impl Register for Two {
        fn key_of(&self, id: SourceId) -> Option<&Key> {
            self.0.get((id.0 as usize).checked_sub(1)?)
        }
        fn id_of(&self, _: &str) -> Option<SourceId> {
            None
        }
    }

    const ENTRIES: &str = "[1] https://a.example/1 — Page A\n[2] https://b.example/2\n";
    const NOTES: &str = "[^1]: https://a.example/1 — Page A\n[^2]: https://b.example/2\n";
    const RECORDS: &str =
        "@misc{source1,\n  title = {Page A},\n  howpublished = {\\url{https://a.example/1}},\n}\n";
    const EVIDENCE: &str =
        "[1] https://a.example/1\n    > \"ice floats\"\n[2] https://b.example/2\n    > \"water boils\"\n";

    fn replaced(text: &str, entries: &str, opening: Opening) -> String {
        let keys = ["https://a.example/1", "https://b.example/2"]
            .map(|url| locate(url, &Default::default()).unwrap().key);
        let known = Two(keys.to_vec());
        let once = replace_blocks(&Draft::parse(text, &Options::default(), &known), entries, opening);
        let twice = replace_blocks(&Draft::parse(&once, &Options::default(), &known), entries, opening);
        assert_eq!(twice, once, "a second rewrite changes the draft");
        once
    }

    #[test]
    fn a_draft_without_a_block_gets_one_behind_its_text() {
        for (text, gap) in [
            ("Ice.[1]\n", "\n"),
            ("Ice.[1]", "\n\n"),
            ("Ice.[1]\n\n\n", ""),
            ("\u{feff}Ice.[1]\n", "\n"),
            ("", ""),
        ] {
            let expected = format!("{text}{gap}## Sources\n\n{ENTRIES}");
            assert_eq!(replaced(text, ENTRIES, Opening::Heading), expected, "{text:?}");
        }
    }

    #[test]
    fn every_style_can_be_written_twice() {
        let text = "Ice floats on water.[1]\n";
        assert_eq!(replaced(text, ENTRIES, Opening::Line), format!("{text}\nSources:\n{ENTRIES}"));
        assert_eq!(replaced(text, NOTES, Opening::Nothing), format!("{text}\n{NOTES}"));
        assert_eq!(replaced(text, RECORDS, Opening::Nothing), format!("{text}\n{RECORDS}"));
        assert_eq!(replaced(text, EVIDENCE, Opening::Heading), format!("{text}\n## Sources\n\n{EVIDENCE}"));
    }

    #[test]
    fn one_style_gives_way_to_another() {
        let plain = "Ice.[1]\n\nSources:\n[1] https://old.example\n\nMore.\n";
        let marked = replaced(plain, ENTRIES, Opening::Heading);
        assert_eq!(marked, format!("Ice.[1]\n\n## Sources\n\n{ENTRIES}\nMore.\n"));
        assert_eq!(
            replaced(&marked, NOTES, Opening::Nothing),
            format!("Ice.[1]\n\n## Sources\n\n{NOTES}\nMore.\n")
        );
        assert_eq!(
            replaced(&marked, RECORDS, Opening::Nothing),
            format!("Ice.[1]\n\n## Sources\n\n{RECORDS}\nMore.\n")
        );
        assert_eq!(
            replaced(plain, ENTRIES, Opening::Line),
            format!("Ice.[1]\n\nSources:\n{ENTRIES}\nMore.\n")
        );
    }

    #[test]
    fn a_heading_keeps_its_words_and_level() {
        for heading in [
            "### Sources",
            "## 7. References (2)",
            "**Quellen:**",
            "Literatur",
            "Sources\n-------",
            "# 参考文献",
        ] {
            let text = format!("Ice.[1]\n\n{heading}\n\n[1] https://old.example\n\n## Appendix\n");
            let expected = format!("Ice.[1]\n\n{heading}\n\n{ENTRIES}\n## Appendix\n");
            assert_eq!(replaced(&text, ENTRIES, Opening::Heading), expected);
        }
    }

    #[test]
    fn blocks_become_one_at_the_place_of_the_last() {
        let text = "# A\n\n## Sources\n\n[1] https://old.example\n\n# B\n\n### Sources\n\n[2] https://older.example\n\nEnd.\n";
        assert_eq!(
            replaced(text, ENTRIES, Opening::Heading),
            format!("# A\n\n# B\n\n### Sources\n\n{ENTRIES}\nEnd.\n")
        );
    }

    #[test]
    fn records_right_below_a_footnote_are_of_its_block() {
        let text = format!("Ice.[^1]\n\n[^1]: https://a.example/1\n{RECORDS}\nMore ice.\n");
        assert_eq!(replaced(&text, NOTES, Opening::Nothing), format!("Ice.[^1]\n\n{NOTES}\nMore ice.\n"));
    }

    #[test]
    fn records_and_rows_of_one_list_come_in_text_order() {
        let text =
            format!("Ice.[1]\n\n## Sources\n\nRead with care.\n\n{RECORDS}| 2 | B | https://b.example/2 |\n");
        let expected = format!("Ice.[1]\n\n## Sources\n\nRead with care.\n\n{ENTRIES}");
        assert_eq!(replaced(&text, ENTRIES, Opening::Heading).trim_end(), expected.trim_end());
    }

    #[test]
    fn a_block_stands_on_a_line_of_its_own() {
        for (text, gap) in [("\t", "\n"), ("Ice.\n\n  ", "\n")] {
            let expected = format!("{text}{gap}## Sources\n\n{ENTRIES}");
            assert_eq!(replaced(text, ENTRIES, Opening::Heading), expected);
            assert_eq!(replaced(text, NOTES, Opening::Nothing), format!("{text}{gap}{NOTES}"));
        }
    }

    #[test]
    fn a_title_without_entries_takes_no_appended_ones() {
        let text = "Ice.[1]\n\n## Sources\n\n[1]\n";
        assert_eq!(replaced(text, NOTES, Opening::Nothing), format!("{text}\n## Sources\n\n{NOTES}"));
    }

    #[test]
    fn what_a_new_block_would_take_for_its_own_is_kept_before_it() {
        for behind in ["[1]>ß\n", "\n[7] A book of ice\n", "\n    code of ice\n"] {
            let text = format!("Ice.[1]\n\n[1]: https://a.example/1\n{behind}");
            let expected = format!("Ice.[1]\n\n{}\n## Sources\n\n{ENTRIES}", behind.trim_start_matches('\n'));
            assert_eq!(replaced(&text, ENTRIES, Opening::Heading), expected);
        }
    }

    #[test]
    fn line_ends_and_the_end_of_the_file_stay() {
        let text =
            "\u{feff}Ice.[1]\r\n\r\n## Sources\r\n\r\n[1] https://old.example\r\n\r\nMore ice.  \r\n\r\n\r\n";
        let entries = ENTRIES.trim_end().replace('\n', "\r\n");
        let expected =
            format!("\u{feff}Ice.[1]\r\n\r\n## Sources\r\n\r\n{entries}\r\n\r\nMore ice.  \r\n\r\n\r\n");
        assert_eq!(replaced(text, ENTRIES, Opening::Heading), expected);
        let open = "Ice.[1]\n\n## Sources\n\n[1] https://old.example";
        assert_eq!(
            replaced(open, ENTRIES, Opening::Heading),
            format!("Ice.[1]\n\n## Sources\n\n{}", ENTRIES.trim_end())
        );
    }

    #[test]
    fn prose_under_such_a_title_and_titles_in_code_stay() {
        let prose = "Ice.[1]\n\n## Sources\n\nWe asked four people.\nThey agreed.\n";
        assert_eq!(replaced(prose, ENTRIES, Opening::Heading), format!("{prose}\n## Sources\n\n{ENTRIES}"));
        let code = "Ice.[1]\n\n```\n## Sources\n\n[1] https://...\n```\n\nEnd.\n";
        assert_eq!(replaced(code, ENTRIES, Opening::Heading), format!("{code}\n## Sources\n\n{ENTRIES}"));
    }

    #[test]
    fn a_block_in_a_quote_stays_in_it() {
        let text = "> Ice.[1]\n>\n> ## Sources\n>\n> [1] https://old.example\n\nEnd.\n";
        let expected = "> Ice.[1]\n>\n> ## Sources\n>\n> [1] https://a.example/1 — Page A\n> [2] https://b.example/2\n\nEnd.\n";
        assert_eq!(replaced(text, ENTRIES, Opening::Heading), expected);
    }

    #[test]
    fn a_block_behind_an_open_fence_is_no_code() {
        let text = "Ice.[1]\n\n```\ncode\n";
        assert_eq!(
            replaced(text, ENTRIES, Opening::Heading),
            format!("{text}```\n\n## Sources\n\n{ENTRIES}")
        );
    }

    #[test]
    fn a_block_behind_an_open_comment_is_seen() {
        for (text, closer) in [
            ("Ice.[1]\n\n<!-- to do\n", "-->"),
            ("Ice.[1]\n\n<!--", "\n-->"),
            ("<script>\nice()\n", "</script>"),
        ] {
            let expected = format!("{text}{closer}\n\n## Sources\n\n{ENTRIES}");
            assert_eq!(replaced(text, ENTRIES, Opening::Heading), expected);
        }
        let closed = "Ice.[1]\n\n<!-- done -->\n";
        assert_eq!(replaced(closed, ENTRIES, Opening::Heading), format!("{closed}\n## Sources\n\n{ENTRIES}"));
    }

    #[test]
    fn fixes_are_applied_in_order_and_overlaps_are_left() {
        let fixes =
            [(4..5, "B".to_owned()), (0..1, "A".to_owned()), (0..3, "X".to_owned()), (9..99, "Y".to_owned())];
        assert_eq!(apply_fixes("a b c", &fixes), "A b B");
    }
}
