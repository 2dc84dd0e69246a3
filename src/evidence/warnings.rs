//! What a reader of an accepted quote should know: that its sentence goes on with a negation it leaves out, or
//! that the page's text is shown in another order than it is stored.

use std::ops::Range;

use super::judge::Reading;
use super::marker::is_marker;
use super::verdict::Warning;
use crate::text::fold::{GAP, REFERENCE_CLOSE, REFERENCE_OPEN, WALL};
use crate::text::sentences::{self, Mark};

/// Characters of a sentence that are looked at on each side.
const SENTENCE: usize = 400;

/// Characters between the brackets of a reference mark.
const LONGEST_LABEL: usize = 32;

/// Warnings about the match at folded `range`, which is `span` of the page's text.
pub fn about(page: Reading<'_>, range: &Range<usize>, span: &Range<usize>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if clips_negation(page, range, span) {
        warnings.push(Warning::ClippedAfterNegation);
    }
    if page.raw.get(span.clone()).is_some_and(|text| text.chars().any(hides_direction)) {
        warnings.push(Warning::HiddenDirection);
    }
    warnings
}

fn hides_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// The sentence that the match begins in holds a negation before it, or the one that it ends in does behind it.
fn clips_negation(page: Reading<'_>, range: &Range<usize>, span: &Range<usize>) -> bool {
    let in_block = |c: &char| *c != '\u{2029}';
    let mut before: Vec<char> =
        page.view.before(page.raw, range.start).take_while(in_block).take(SENTENCE).collect();
    before.reverse();
    let after = page.view.after(page.raw, range.end).take_while(in_block).take(SENTENCE);
    let mut text: String = before.into_iter().map(plain).collect();
    let start = text.len();
    text.push_str(page.raw.get(span.clone()).unwrap_or_default());
    let end = text.len();
    text.extend(after.map(plain));
    let sentences = sentences::split(&text, &reference_marks(&text));
    let first =
        sentences.iter().rfind(|sentence| sentence.start <= start).map_or(0, |sentence| sentence.start);
    let last = sentences.iter().find(|sentence| sentence.end >= end).map_or(end, |sentence| sentence.end);
    holds_negation(&text[first..start]) || holds_negation(&text[end..last])
}

fn reference_marks(text: &str) -> Vec<Mark> {
    let mark = |(open, _): (usize, &str)| {
        let label = &text[open + 1..];
        let (length, _) = label.char_indices().take(LONGEST_LABEL).find(|(_, c)| *c == ']')?;
        is_marker(&label[..length]).then(|| Mark { span: open..open + length + 2, attached: true })
    };
    text.match_indices('[').filter_map(mark).collect()
}

/// Raised reference marks as marks in brackets, other signs of a folded page as nothing.
fn plain(c: char) -> char {
    match c {
        REFERENCE_OPEN => '[',
        REFERENCE_CLOSE => ']',
        WALL | GAP => ' ',
        c => c,
    }
}

/// Some words of `text` are a negation.
pub fn holds_negation(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    UNSPACED.iter().any(|word| text.contains(word))
        || text.split(|c: char| !c.is_alphanumeric() && c != '\'').any(is_negation)
}

/// `word` (lower case, straight apostrophe) denies something.
pub fn is_negation(word: &str) -> bool {
    let word = word.trim_matches('\'');
    word.ends_with("n't") || word.starts_with("n'") || NEGATIONS.contains(&word)
}

const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "none",
    "nor",
    "neither",
    "nobody",
    "nothing",
    "nowhere",
    "cannot",
    "without",
    "hardly",
    "scarcely",
    "barely",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "keinem",
    "keiner",
    "keines",
    "nie",
    "niemals",
    "niemand",
    "nichts",
    "ohne",
    "ne",
    "pas",
    "jamais",
    "sans",
    "aucun",
    "aucune",
    "rien",
    "ni",
    "nunca",
    "jamás",
    "sin",
    "ningún",
    "ninguna",
    "nada",
    "non",
    "mai",
    "senza",
    "nessun",
    "nessuno",
    "nessuna",
    "não",
    "sem",
    "nenhum",
    "nenhuma",
    "niet",
    "geen",
    "nooit",
    "zonder",
    "не",
    "нет",
    "никогда",
    "без",
    "ни",
    "nie",
    "bez",
    "nigdy",
    "inte",
    "ikke",
    "aldrig",
    "utan",
    "uden",
    "uten",
    "değil",
    "yok",
    "لا",
    "لم",
    "لن",
    "ليس",
    "ليست",
    "بدون",
    "नहीं",
    "לא",
    "δεν",
    "μη",
    "όχι",
];

const UNSPACED: &[&str] =
    &["不", "没", "沒", "無", "无", "非", "未", "ない", "ません", "なかっ", "않", "못", "없", "아니", "ไม่"];

#[cfg(test)]
mod tests {
    use super::super::page::{Page, Reader};
    use super::*;

    fn is_clipped(page: &str, quote: &str) -> bool {
        let page = Page::from_snapshot(page.into(), Reader::Text);
        let verdict = page.find(quote);
        verdict.found().unwrap().warnings.contains(&Warning::ClippedAfterNegation)
    }

    #[test]
    fn a_negation_of_the_same_sentence_is_told() {
        for page in [
            "It is not so that ice sinks in water at 4.5 degrees.",
            "Ice sinks in water, says no one.[3] Snow melts.",
            "Nobody (see Dr. A. B. Cold et al.) says ice sinks in water.",
            "Ice sinks in water at 4.5 kPa, but never here.",
        ] {
            assert!(is_clipped(page, "ice sinks in water"), "{page}");
        }
    }

    #[test]
    fn a_negation_of_the_next_sentence_is_its_own() {
        for mark in [" ", "[3] ", "[3][4] ", "\" ", ") ", ".” ", " [3] "] {
            let page =
                format!("Snow is not salt.{mark}Ice sinks in water in that case.{mark}Salt is not ice.");
            assert!(!is_clipped(&page, "Ice sinks in water"), "{page}");
        }
        assert!(!is_clipped("雪不是盐。冰浮在水面上了。盐不是冰。", "冰浮在水面上"));
    }

    #[test]
    fn negations_of_several_languages_are_known() {
        for text in ["it is not", "it isn’t", "ohne", "n'est", "冰不", "그렇지 않다", "никогда"]
        {
            assert!(holds_negation(text), "{text}");
        }
        for text in ["a knot", "notable", "another", "冰浮"] {
            assert!(!holds_negation(text), "{text}");
        }
    }
}
