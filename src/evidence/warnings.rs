//! What a reader of an accepted quote should know: that its sentence goes on with a negation it leaves out, or
//! that the page's text is shown in another order than it is stored.

use std::ops::Range;

use super::judge::Reading;
use super::verdict::Warning;

/// Characters of a sentence that are looked at on each side.
const SENTENCE: usize = 400;

/// Warnings about the match at folded `range`, which is `span` of the page's text.
pub fn about(page: Reading<'_>, range: &Range<usize>, span: &Range<usize>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if clips_negation(page, range) {
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

fn clips_negation(page: Reading<'_>, range: &Range<usize>) -> bool {
    let mut before = Vec::new();
    for c in page.view.before(page.raw, range.start).take(SENTENCE) {
        let ends =
            is_full_stop(c) || is_stop(c) && before.last().is_some_and(|next: &char| next.is_whitespace());
        if ends || c == '\u{2029}' {
            break;
        }
        before.push(c);
    }
    before.reverse();
    holds_negation(&before)
        || !ends_sentence(page, range) && holds_negation(&rest_of_sentence(page, range.end))
}

fn ends_sentence(page: Reading<'_>, range: &Range<usize>) -> bool {
    let words = page.view.folded.text().get(range.clone()).unwrap_or_default();
    words
        .trim_end_matches(['"', '\'', ')', ']', '」', '』', '）'])
        .ends_with(|c| is_stop(c) || is_full_stop(c))
}

fn rest_of_sentence(page: Reading<'_>, from: usize) -> Vec<char> {
    let mut rest = Vec::new();
    for c in page.view.after(page.raw, from).take(SENTENCE) {
        let ended = rest.last().is_some_and(|last: &char| is_stop(*last)) && c.is_whitespace();
        if ended || is_full_stop(c) || c == '\u{2029}' {
            break;
        }
        rest.push(c);
    }
    rest
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?')
}

fn is_full_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '।' | '؟')
}

/// Some of the characters are a negation.
pub fn holds_negation(text: &[char]) -> bool {
    let text: String =
        text.iter().flat_map(|c| c.to_lowercase()).map(|c| if c == '’' { '\'' } else { c }).collect();
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
    use super::*;

    #[test]
    fn negations_of_several_languages_are_known() {
        for text in ["it is not", "it isn’t", "ohne", "n'est", "冰不", "그렇지 않다", "никогда"]
        {
            assert!(holds_negation(&text.chars().collect::<Vec<_>>()), "{text}");
        }
        for text in ["a knot", "notable", "another", "冰浮"] {
            assert!(!holds_negation(&text.chars().collect::<Vec<_>>()), "{text}");
        }
    }
}
