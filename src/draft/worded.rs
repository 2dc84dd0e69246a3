//! Brackets that hold words beside their numbers, as other styles write them: `[1, p. 5]`, `[see 1]`, `[1 and 2]`,
//! `[№1]`, `〔1〕`. Only words of closed lists count, so that an editor's `[in 1990]` stays text. Whether the brackets
//! cite anything is decided in `citation`.

use super::bracket::{Bracket, number};
use super::{Form, SourceId, Span, Target};
use crate::text::boundary;
use crate::text::fold::unseen;

/// The longest pair of brackets, in bytes.
const LONGEST: usize = 96;

/// Words before a number, lower case.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "see also", "see", "cf.", "cf", "sources", "source", "references", "reference", "refs.", "refs", "ref.", "ref",
    "vgl.", "siehe", "quellen", "quelle", "voir", "véase", "fuente", "fonte", "vedi", "bron", "см.", "источник",
    "参考文献", "文献", "来源", "來源", "参见", "出典", "参照", "출처", "№",
];

/// Words between two numbers.
const JOINERS: &[&str] = &["and", "und", "et", "y", "e", "en", "и", "&", "和", "及", "与", "與", "と"];

/// Words that open a place in a source, lower case.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "p.", "pp.", "p", "pp", "page", "pages", "pg.", "s.", "seite", "seiten", "с.", "стр.", "pág.", "págs.", "chapter",
    "chap.", "ch.", "kap.", "kapitel", "section", "sec.", "sect.", "abschnitt", "§§", "§", "figure", "fig.", "abb.",
    "table", "tab.", "paragraph", "para.", "abs.", "art.", "line", "lines", "note", "appendix", "app.", "vol.",
    "eq.", "theorem", "thm.", "lemma", "第", "頁", "页",
];

/// Numbers beside words, in brackets.
pub(super) struct Worded {
    pub bracket: Bracket,
    /// Where each number is written, in bytes of the text.
    pub numbers: Vec<(Span, SourceId)>,
}

/// The brackets at byte `at` of `text`, where words stand beside their numbers.
pub(super) fn read(text: &str, at: usize) -> Option<Worded> {
    let rest = &text[at..boundary::floor(text, at.saturating_add(LONGEST))];
    let open = rest.chars().next()?;
    let close = match open {
        '[' => ']',
        '【' => '】',
        '［' => '］',
        '〔' => '〕',
        '〖' => '〗',
        _ => return None,
    };
    let inner = &rest[open.len_utf8()..];
    let inner = &inner[..inner.find(close)?];
    let end = at + open.len_utf8() + inner.len() + close.len_utf8();
    // A Chinese decree: `国发〔2015〕33号`.
    let decree = text[end..].starts_with(|c: char| c.is_numeric() || c == '第');
    if matches!(open, '〔' | '〖') && decree || inner.contains(['[', '\\']) {
        return None;
    }
    let mut reader = Reader { inner, at: 0, numbers: Vec::new(), places: false };
    reader.all()?;
    let base = at + open.len_utf8();
    let numbers: Vec<_> =
        reader.numbers.iter().map(|(span, id)| (base + span.start..base + span.end, *id)).collect();
    let mut ids: Vec<SourceId> = Vec::new();
    for (_, id) in &numbers {
        if !ids.contains(id) {
            ids.push(*id);
        }
    }
    let form = match (reader.places, open) {
        (true, _) => Form::Pinpoint,
        (false, '[') => Form::List,
        (false, _) => Form::FullWidth,
    };
    Some(Worded { bracket: Bracket { end, target: Target::Ids(ids), form }, numbers })
}

struct Reader<'t> {
    inner: &'t str,
    at: usize,
    numbers: Vec<(Span, SourceId)>,
    /// A place in a source is given.
    places: bool,
}

impl<'t> Reader<'t> {
    fn all(&mut self) -> Option<()> {
        loop {
            self.lead();
            let (id, length) = number(self.rest())?;
            self.numbers.push((self.at..self.at + length, SourceId(id)));
            self.at += length;
            self.place();
            self.space();
            if self.rest().is_empty() {
                return Some(());
            }
            self.joiner()?;
        }
    }

    fn rest(&self) -> &'t str {
        &self.inner[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || unseen(c)).len();
    }

    /// `see`, `Source:` or `№` before a number.
    fn lead(&mut self) {
        self.space();
        if let Some(length) = LEADS.iter().find_map(|word| begins(self.rest(), word)) {
            self.at += length;
            self.space();
            self.at += usize::from(self.rest().starts_with(':'));
            self.space();
        }
    }

    /// `, p. 5`, `: 12` or ` §4` behind a number, up to a semicolon or the end.
    fn place(&mut self) {
        let rest = self.rest();
        let inner = rest.trim_start_matches([',', ' ', '，', '\u{a0}', ':', '：']);
        let separator = &rest[..rest.len() - inner.len()];
        let page = separator.starts_with([':', '：']) && separator.ends_with([' ', '\u{a0}', '：']);
        let named = !separator.is_empty() && PLACES.iter().any(|word| begins(inner, word).is_some());
        if named && inner.contains(char::is_numeric) || page && number(inner).is_some() {
            self.places = true;
            self.at += rest.find([';', '；']).unwrap_or(rest.len());
        }
    }

    /// What stands between two numbers.
    fn joiner(&mut self) -> Option<()> {
        let from = self.at;
        if let Some(rest) = self.rest().strip_prefix([',', ';', '，', '；', '、']) {
            self.at = self.inner.len() - rest.len();
            self.space();
        }
        if let Some(length) = JOINERS.iter().find_map(|word| begins(self.rest(), word)) {
            self.at += length;
        }
        (self.at > from).then_some(())
    }
}

/// The length of `word` where `text` begins with it, in any case, and it is a word of its own.
fn begins(text: &str, word: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    for expected in word.chars() {
        let (_, c) = chars.next()?;
        if !c.to_lowercase().eq([expected]) {
            return None;
        }
    }
    let rest = chars.as_str();
    let letters = word.ends_with(|c: char| c.is_ascii_alphabetic() || ('à'..='я').contains(&c));
    let goes_on = letters && rest.starts_with(char::is_alphanumeric);
    (!goes_on).then(|| text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Option<Vec<u32>> {
        let worded = read(text, 0)?;
        assert_eq!(worded.bracket.end, text.len(), "{text}");
        for (span, id) in &worded.numbers {
            assert_eq!(number(&text[span.clone()]).map(|found| found.0), Some(id.0), "{text}");
        }
        match worded.bracket.target {
            Target::Ids(ids) => Some(ids.into_iter().map(|id| id.0).collect()),
            _ => None,
        }
    }

    #[test]
    fn numbers_beside_words_of_a_citation_are_read() {
        for (text, expected) in [
            ("[1, p. 5]", vec![1]),
            ("[1, pp. 5, 7; 2, §4]", vec![1, 2]),
            ("[1: 12]", vec![1]),
            ("[1, S. 12]", vec![1]),
            ("[1 Fig. 2]", vec![1]),
            ("[1，第5页]", vec![1]),
            ("[see 1]", vec![1]),
            ("[See also 1, 2]", vec![1, 2]),
            ("[Source: 7]", vec![7]),
            ("[ref. 12]", vec![12]),
            ("[№97]", vec![97]),
            ("〔97〕", vec![97]),
            ("【来源1】", vec![1]),
            ("[97 and 98]", vec![97, 98]),
            ("[1, 2, and 3]", vec![1, 2, 3]),
            ("[1 & 2]", vec![1, 2]),
            ("[1 и 2 и 1]", vec![1, 2]),
            ("[12和13]", vec![12, 13]),
        ] {
            assert_eq!(ids(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_words_in_brackets_are_text() {
        for text in [
            "[in 1990]",
            "[12:30]",
            "[1/2]",
            "[1 2]",
            "[1a]",
            "[page 5]",
            "[Step 1]",
            "[see page 5]",
            "[1 of 2]",
            "[see]",
            "[1, p.]",
            "[1, people]",
            "[refs]",
            "[sources and 1 more]",
            "[1 and]",
            "[no. 5]",
            "〔2015〕33号",
        ] {
            let end = text.find(['〕']).map_or(text.len(), |at| at + '〕'.len_utf8());
            assert!(read(text, 0).is_none_or(|found| found.bracket.end != end), "{text}");
        }
    }
}
