//! Which lines announce a list of sources: `Sources`, `7. References:`, `**Quellen**`, `主要参考文献（12）`. Whether a
//! list follows is for `sources_block` to see.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::html;
use crate::text::digits;
use crate::text::fold::unseen;

/// The longest line that is looked at, in bytes.
const LONGEST: usize = 120;

/// Titles, lower case, composed.
#[rustfmt::skip]
static TITLES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    HashSet::from([
        "sources", "source", "references", "reference", "bibliography", "works cited", "citations",
        "reference list", "list of references", "list of sources", "source list", "source links",
        "reference links", "literature", "footnotes", "endnotes", "notes and references",
        "quellen", "quellenverzeichnis", "quellenangaben", "quellennachweise", "literatur", "literaturverzeichnis",
        "referenzen", "einzelnachweise", "nachweise", "belege", "fußnoten",
        "références", "références bibliographiques", "bibliographie", "notes et références",
        "fuentes", "referencias", "referencias bibliográficas", "bibliografía", "obras", "notas y referencias",
        "fonti", "riferimenti", "riferimenti bibliografici", "bibliografia", "note e riferimenti",
        "fontes", "referências", "referências bibliográficas", "notas e referências", "referències",
        "bronnen", "bronvermelding", "bronnenlijst", "referenties", "literatuur", "literatuurlijst",
        "källor", "källförteckning", "referenser", "kilder", "kildeliste", "referanser", "referencer",
        "litteratur", "lähteet", "viitteet", "allikad", "avoti", "šaltiniai", "források", "hivatkozások",
        "źródła", "przypisy", "odnośniki", "literatura", "zdroje", "izvori", "surse",
        "referințe", "bibliografie", "kaynaklar", "kaynakça", "referanslar", "atıflar", "πηγές", "αναφορές",
        "βιβλιογραφία", "источники", "литература", "список литературы", "список источников", "библиография",
        "список использованных источников", "список использованной литературы", "ссылки",
        "источники информации", "джерела", "література", "список джерел", "список літератури",
        "посилання", "источници", "извори",
        "参考文献", "参考资料", "参考来源", "资料来源", "信息来源", "引用来源", "数据来源", "文献来源", "来源", "参考", "引用",
        "引文", "文献", "出处", "参考链接", "引用链接", "来源链接", "参考网址", "参考网站", "参考书目", "引用文献", "引用资料",
        "參考文獻", "參考資料", "參考來源", "資料來源", "資訊來源", "引用來源", "來源", "參考", "參考連結", "參考書目", "引用文獻",
        "出典", "参考資料", "参照", "参考サイト", "参考リンク", "参考url", "情報源", "引用元", "引用・参考文献", "ソース", "脚注",
        "참고문헌", "참고 문헌", "참고자료", "참고 자료", "출처", "인용", "참조", "각주",
        "المراجع", "المصادر", "مراجع", "مصادر", "منابع", "مآخذ", "حوالہ جات", "संदर्भ", "सन्दर्भ", "स्रोत", "তথ্যসূত্র",
        "מקורות", "ביבליוגרפיה", "הפניות", "סימוכין", "nguồn", "tài liệu", "trích dẫn", "daftar pustaka", "sumber",
        "referensi", "rujukan", "แหล่งอ้างอิง", "แหล่งที่มา", "แหล่งข้อมูล", "อ้างอิง", "เอกสารอ้างอิง",
    ])
});

/// Words before a title that change nothing.
#[rustfmt::skip]
const QUALIFIERS: &[&str] = &[
    "主要", "相关", "相關", "所有", "全部", "本文", "selected", "key", "main", "primary", "all", "full", "cited",
    "further", "additional", "external", "the", "my", "our", "used", "verified", "web", "online",
    "ausgewählte", "wichtige", "verwendete", "weiterführende", "principales", "principali", "geraadpleegde",
    "gebruikte", "основные", "использованные", "использованная", "použité", "wykorzystane", "주요", "인용", "主な",
    "قائمة", "أهم", "فهرست", "רשימת",
];

/// Words behind a title that change nothing.
#[rustfmt::skip]
const FOLLOWERS: &[&str] = &[
    "cited", "consulted", "used", "list", "citées", "consultées", "utilisées", "citadas", "consultadas",
    "utilizadas", "citate", "consultate", "cytowane",
    "सूची", "tham khảo", "trích dẫn", "列表", "清单", "清單", "目录", "一覧", "リスト", "목록",
];

/// What joins two titles.
#[rustfmt::skip]
const JOINERS: &[&str] = &[
    "&", "/", "+", "＆", "・", " and ", " und ", " et ", " y ", " e ", " en ", " i ", " и ", " і ", " ve ", " và ",
    " dan ", " och ", " og ", "与", "和", "及", "與", "と", " 및 ", " و", " और ",
];

/// What a line that announces sources says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Title<'t> {
    /// The words as written, without number, `#`, emphasis, colon and count.
    pub words: &'t str,
}

/// Reads `line` (without containers such as `>`) as a title; `more` are titles that were configured.
pub(super) fn read<'t>(line: &'t str, more: &[String]) -> Option<Title<'t>> {
    let line = line.trim();
    if line.is_empty() || line.len() > LONGEST || line.contains("://") {
        return None;
    }
    let words = bare(line);
    let folded = folded(words);
    let known = |title: &str| is_title(title, more);
    let joined = |joiner: &str| folded.contains(joiner) && folded.split(joiner).all(known);
    (known(&folded) || JOINERS.iter().any(|joiner| joined(joiner))).then_some(Title { words })
}

/// `words`, lower case, are a title, whatever qualifies it.
fn is_title(words: &str, more: &[String]) -> bool {
    let words = words.trim();
    let known = |title: &str| TITLES.contains(title) || more.iter().any(|own| folded(own.trim()) == title);
    let bare = without_qualifiers(words);
    let followed = |word: &str| bare.strip_suffix(word).is_some_and(|title| known(title.trim_end()));
    known(words) || known(bare) || FOLLOWERS.iter().any(|word| followed(word))
}

/// `words` in one case, composed.
fn folded(words: &str) -> String {
    words.to_lowercase().nfc().collect()
}

/// `line` without tags, `#`, emphasis, section number, colon and count.
fn bare(line: &str) -> &str {
    let mut rest = line;
    loop {
        let before = rest;
        rest = decoration(rest);
        rest = section_number(rest);
        rest = count(rest);
        if rest == before {
            return rest;
        }
    }
}

/// Strips what dresses a title up.
fn decoration(text: &str) -> &str {
    let mut text = text.trim();
    if let Some(end) = text.starts_with('<').then(|| html::tag_end(text, 0)).flatten() {
        text = &text[end..];
    }
    if text.ends_with('>')
        && let Some(open) = text.rfind('<')
    {
        text = &text[..open];
    }
    let dress = |c: char| {
        matches!(
            c,
            '#' | '*'
                | '_'
                | ':'
                | '：'
                | '='
                | '-'
                | '–'
                | '—'
                | '•'
                | '【'
                | '】'
                | '「'
                | '」'
                | '~'
                | '`'
        )
    };
    let text = text.trim_matches(|c: char| c.is_whitespace() || dress(c));
    let symbol = |c: char| !c.is_alphanumeric() && !c.is_ascii() && !matches!(c, '（' | '）' | '．' | '、');
    let emoji = |c: char| matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}') || unseen(c);
    text.trim_start_matches(symbol).trim_end_matches(emoji).trim()
}

/// Strips a section number: `7.`, `7.1`, `(7)`, `七、`, `VII.`, `第七章`.
fn section_number(text: &str) -> &str {
    let numeral = |c: char| digits::value(c).is_some() || "一二三四五六七八九十".contains(c);
    let inner = text.trim_start_matches(['(', '（', '第']);
    let end = inner.find(|c: char| !numeral(c) && c != '.').unwrap_or(inner.len());
    let roman = inner.find(|c: char| !"IVXivx".contains(c)).unwrap_or(inner.len());
    let (number, rest) = if end > 0 { inner.split_at(end) } else { inner.split_at(roman) };
    if number.is_empty() || rest.is_empty() {
        return text;
    }
    let separated =
        rest.trim_start_matches(['.', ')', '）', '、', '．', ':', '：', '章', '节', '部', '分', '-', '–']);
    let separated = separated.trim_start();
    let closed = separated.len() < rest.len() || number.ends_with('.');
    if closed { separated } else { text }
}

/// Strips a count, remark or anchor in brackets at the end: `(12)`, `[12]`, `（12）`, `{#sources}`.
fn count(text: &str) -> &str {
    for (open, close) in [('(', ')'), ('（', '）'), ('[', ']'), ('{', '}')] {
        if let Some(inner) = text.strip_suffix(close)
            && let Some(at) = inner.rfind(open)
            && at > 0
        {
            return text[..at].trim_end();
        }
    }
    text
}

fn without_qualifiers(folded: &str) -> &str {
    let mut rest = folded;
    loop {
        let shorter = QUALIFIERS.iter().find_map(|qualifier| {
            let after = rest.strip_prefix(qualifier)?;
            let apart = !qualifier.is_ascii() || after.starts_with(' ');
            (apart && !after.trim().is_empty()).then(|| after.trim_start_matches([' ', '的']))
        });
        match shorter {
            Some(shorter) => rest = shorter,
            None => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_in_many_dresses_are_told() {
        for (line, words) in [
            ("Sources:", "Sources"),
            ("## 7. Sources", "Sources"),
            ("**References**", "References"),
            ("**References:**", "References"),
            ("### VII. Works Cited", "Works Cited"),
            ("七、主要参考文献", "主要参考文献"),
            ("## 参考资料（12）", "参考资料"),
            ("# Selected Sources (12):", "Selected Sources"),
            ("<summary>Sources</summary>", "Sources"),
            ("<h2><b>Quellen</b></h2>", "Quellen"),
            ("## 📚 Sources", "Sources"),
            ("## References and Sources", "References and Sources"),
            ("Источники", "Источники"),
            ("## المراجع", "المراجع"),
            ("第七章 参考文献", "参考文献"),
            ("## Sources 📚", "Sources"),
            ("## Sources {#sources}", "Sources"),
            ("## Literature cited", "Literature cited"),
            ("## Sources et références", "Sources et références"),
            ("## Re\u{301}fe\u{301}rences", "Re\u{301}fe\u{301}rences"),
            ("## Quellen und Literatur", "Quellen und Literatur"),
            ("## Список использованных источников", "Список использованных источников"),
            ("## المصادر والمراجع", "المصادر والمراجع"),
            ("## संदर्भ सूची", "संदर्भ सूची"),
            ("## 参考文献列表", "参考文献列表"),
            ("## Tài liệu tham khảo", "Tài liệu tham khảo"),
            ("KAYNAKLAR", "KAYNAKLAR"),
        ] {
            assert_eq!(read(line, &[]).map(|title| title.words), Some(words), "{line}");
        }
    }

    #[test]
    fn sentences_about_sources_are_no_titles() {
        for line in [
            "Sources of error",
            "The sources say so.",
            "Data sources",
            "Sources: we asked four people",
            "",
            "## Ice",
            "Resources",
            "## Further reading",
            "## Notes",
            "Ice cited",
            "List",
            "资料很多",
        ] {
            assert_eq!(read(line, &[]), None, "{line}");
        }
    }

    #[test]
    fn configured_titles_are_told_too() {
        assert_eq!(read("## Belege", &["Belege".to_owned()]).map(|title| title.words), Some("Belege"));
    }
}
