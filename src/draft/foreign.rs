//! Citation markers of other systems: `【4:0†source】`, `[cite: 12]`, `[cite_start]`, `[oaicite:0]` and their kin.
//! They name nothing that a ledger issued.

use crate::text::boundary;

/// Names that open such a marker in square brackets, with what must follow them.
const NAMES: &[&str] =
    &["cite:", "cite_start]", "cite_end]", "citation:", "oaicite:", "web:", "source_id:", "†"];

/// The longest marker, in bytes.
const LONGEST: usize = 160;

/// One past the foreign marker at byte `at` of `text`.
pub(super) fn read(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..boundary::floor(text, at.saturating_add(LONGEST))];
    if let Some(inner) = rest.strip_prefix('【') {
        let close = inner.find('】')?;
        let inner = &inner[..close];
        return (inner.contains('†') && !inner.contains('【')).then_some(at + '【'.len_utf8() * 2 + close);
    }
    if rest.starts_with('\u{e200}') {
        let close = rest.find('\u{e201}')?;
        return Some(at + close + '\u{e201}'.len_utf8());
    }
    let inner = rest.strip_prefix('[')?;
    let close = inner.find(']')?;
    let inner = &inner[..=close];
    let named =
        NAMES.iter().any(|name| inner.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name)));
    let numbered =
        named && (inner.ends_with("start]") || inner.ends_with("end]") || inner.contains(char::is_numeric));
    let caret = inner.strip_prefix('^').and_then(|inner| inner.strip_suffix("^]"));
    let caret = caret.is_some_and(|label| !label.is_empty() && label.chars().all(char::is_numeric));
    let dagger = inner.contains('†') && inner.starts_with(|c: char| c.is_ascii_digit());
    (numbered || caret || dagger).then_some(at + 1 + close + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_of_other_systems_are_told() {
        for text in [
            "【4:0†source】",
            "【12†L3-L5】",
            "[cite: 12]",
            "[cite_start]",
            "[oaicite:0]",
            "[^3^]",
            "[citation:3]",
            "[4†L1]",
        ] {
            assert_eq!(read(text, 0), Some(text.len()), "{text}");
        }
    }

    #[test]
    fn words_in_brackets_are_text() {
        for text in ["[citation needed]", "[web: an essay]", "【注】", "[1]", "[^3]", "[cite]", "【1】"]
        {
            assert_eq!(read(text, 0), None, "{text}");
        }
    }
}
