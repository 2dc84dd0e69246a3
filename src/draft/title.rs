//! Which lines announce a list of sources: `Sources`, `7. References:`, `**Quellen**`, `主要参考文献（12）`. Whether a
//! list follows is for `sources_block` to see.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::html;
use crate::text::digits;

/// The longest line that is looked at, in bytes.
const LONGEST: usize = 120;

/// Titles, lower case.
#[rustfmt::skip]
static TITLES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    HashSet::from([
        "sources", "source", "references", "reference", "bibliography", "works cited", "citations",
        "reference list", "list of references", "list of sources", "sources cited", "references cited",
        "sources consulted", "sources used", "source list", "quellen", "quellenverzeichnis",
        "quellenangaben", "literatur", "literaturverzeichnis", "referenzen", "einzelnachweise",
        "références", "références bibliographiques", "bibliographie", "fuentes", "referencias",
        "referencias bibliográficas", "bibliografía", "fonti", "riferimenti", "bibliografia", "fontes",
        "referências", "referências bibliográficas", "bronnen", "bronvermelding", "literatuur",
        "källor", "kilder", "referanser", "lähteet", "źródła", "zdroje", "kaynaklar", "kaynakça",
        "источники", "литература", "список литературы", "список источников", "ссылки", "джерела",
        "参考文献", "参考资料", "参考来源", "资料来源", "信息来源", "引用来源", "数据来源", "来源", "参考", "引用", "出典", "引用文献", "参考資料",
        "參考文獻", "參考資料", "資料來源", "來源", "参考链接", "参考文献列表", "참고문헌", "참고 문헌", "참고자료", "참고 자료", "출처",
        "المراجع", "المصادر", "مراجع", "مصادر", "संदर्भ", "स्रोत", "מקורות", "nguồn",
        "tài liệu tham khảo", "daftar pustaka",
    ])
});

/// Words before a title that change nothing.
#[rustfmt::skip]
const QUALIFIERS: &[&str] = &[
    "主要", "相关", "相關", "所有", "全部", "本文", "selected", "key", "main", "primary", "all", "full", "cited",
    "further", "additional", "external", "the", "my", "our", "used", "verified", "web", "online",
    "ausgewählte", "wichtige", "verwendete", "principales", "principali", "основные", "использованные",
    "주요", "主な",
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
    let folded = words.to_lowercase();
    let known =
        |title: &str| TITLES.contains(title) || more.iter().any(|own| own.trim().to_lowercase() == title);
    let unqualified = without_qualifiers(&folded);
    let joined = || {
        let mut parts = unqualified
            .split(['&', '/', '+'])
            .flat_map(|part| part.split(" and "))
            .flat_map(|part| part.split("与"));
        parts.all(|part| known(without_qualifiers(part.trim())))
    };
    (known(&folded) || known(unqualified) || (!unqualified.is_empty() && joined())).then_some(Title { words })
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
    text.trim_start_matches(symbol).trim()
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

/// Strips a count or remark in brackets at the end: `(12)`, `[12]`, `（12）`.
fn count(text: &str) -> &str {
    for (open, close) in [('(', ')'), ('（', '）'), ('[', ']')] {
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
        ] {
            assert_eq!(read(line, &[]), None, "{line}");
        }
    }

    #[test]
    fn configured_titles_are_told_too() {
        assert_eq!(read("## Belege", &["Belege".to_owned()]).map(|title| title.words), Some("Belege"));
    }
}
