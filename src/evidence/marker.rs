//! What refers to a note: `3`, `1, 2`, `a`, `note 1`, `citation needed`, in the brackets of a page. In: a folded label.

use crate::text::digits;

/// What stands in the brackets of a reference marker.
pub fn is_marker(label: &str) -> bool {
    if let Some(name) = label.strip_prefix('^') {
        return !name.is_empty() && !name.contains(char::is_whitespace);
    }
    let mut words = label.split([' ', '\u{a0}']);
    match (words.next(), words.next(), words.next()) {
        (Some(one), None, None) if one.len() == 1 => one.chars().all(|c| c.is_ascii_alphanumeric()),
        (Some(group), Some(n), None) if GROUPS.contains(&group.trim_end_matches('.')) => is_number(n),
        _ => is_number(label) || REMARKS.contains(&label.replace('\u{a0}', " ").as_str()),
    }
}

/// `3`, `1, 2`, `4–6`, in digits of any script.
fn is_number(text: &str) -> bool {
    let digit = |c: char| digits::value(c).is_some();
    text.len() <= 24
        && text.starts_with(digit)
        && text.chars().all(|c| digit(c) || matches!(c, ',' | ';' | '-' | '–' | ' '))
}

/// What a number of its own list of notes begins with.
#[rustfmt::skip]
const GROUPS: &[&str] = &[
    "note", "nb", "n", "fn", "ref", "lower-alpha", "upper-alpha", "lower-roman", "a", "b", "c", "anm", "nota", "к",
    "прим", "комм", "σημ", "註", "注", "註釋", "註釈", "注釋", "注釈", "注释", "脚注", "주", "내용주", "หมายเหตุ", "ملاحظة",
];

/// Remarks of editors that stand where a note would.
#[rustfmt::skip]
const REMARKS: &[&str] = &[
    "citation needed", "clarification needed", "better source needed", "page needed", "verification needed",
    "who?", "when?", "where?", "which?", "by whom?", "according to whom?", "dead link",
    "réf. nécessaire", "réf. souhaitée", "cita requerida", "carece de fontes?", "senza fonte", "bron?",
    "kaynak belirtilmeli", "cần dẫn nguồn", "источник не указан", "εκκρεμεί παραπομπή", "بحاجة لمصدر",
    "要出典", "来源请求", "來源請求", "출처 필요", "ต้องการอ้างอิง",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_told_from_words() {
        for label in [
            "3",
            "1, 2",
            "4–6",
            "a",
            "^7",
            "^ice",
            "note 1",
            "note\u{a0}1",
            "anm. 2",
            "注釈 1",
            "註 3",
            "۳",
            "४",
            "citation needed",
            "réf.\u{a0}nécessaire",
            "要出典",
        ] {
            assert!(is_marker(label), "{label}");
        }
        for label in ["erap1", "ice", "", "3 mg", "not", "不", "不 1", "not 1", "^", "^not now"] {
            assert!(!is_marker(label), "{label}");
        }
    }
}
