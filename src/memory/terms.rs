//! Text into search terms, the same way for notes and for queries: case and accents folded, English words
//! stemmed, scripts that write without spaces cut into pairs of characters. Nothing here knows the index.

use std::borrow::Cow;
use std::collections::HashSet;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::stop_words;
use crate::text::words::is_unspaced;

/// The most terms a query is judged by; further words are left out.
pub const QUERY_TERMS: usize = 32;

/// A term that a query asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// The folded word, stem or pair of characters.
    pub text: String,
    /// A single character of an unspaced script: it matches every pair that begins with it.
    pub prefix: bool,
}

impl Term {
    fn whole(text: &str) -> Self {
        Self { text: text.to_owned(), prefix: false }
    }
}

/// Turns text into terms.
pub struct Analyser {
    stemmer: Stemmer,
}

impl Default for Analyser {
    fn default() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English) }
    }
}

impl Analyser {
    /// Appends every term of `text` to `line`, each after a space, in reading order.
    pub fn append(&self, text: &str, line: &mut String) {
        for run in runs(text) {
            match run {
                Run::Word(word) => push(line, &self.stem(&fold(word))),
                Run::Unspaced(run) => push_pairs(line, &fold(run)),
            }
        }
    }

    /// The distinct content words of a query, at most [`QUERY_TERMS`]; every word, where all are stop words.
    pub fn query(&self, text: &str) -> Vec<Term> {
        let content = self.query_terms(text, Words::Content);
        if content.is_empty() { self.query_terms(text, Words::All) } else { content }
    }

    fn query_terms(&self, text: &str, words: Words) -> Vec<Term> {
        let mut terms = Terms::default();
        for run in runs(text) {
            match run {
                Run::Word(word) => {
                    let word = fold(word);
                    if words == Words::All || !stop_words::is_stop_word(&word) {
                        terms.add(Term::whole(&self.stem(&word)));
                    }
                }
                Run::Unspaced(run) => terms.add_pairs(&fold(run), words),
            }
        }
        terms.list
    }

    /// The stem of an English word; anything else as it is.
    fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        let english = word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase());
        if english { self.stemmer.stem(word) } else { Cow::Borrowed(word) }
    }
}

/// Which words of a query are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Those that are no stop words.
    Content,
    All,
}

/// Terms in order, each once.
#[derive(Default)]
struct Terms {
    list: Vec<Term>,
    seen: HashSet<Term>,
}

impl Terms {
    fn add(&mut self, term: Term) {
        if !term.text.is_empty() && self.list.len() < QUERY_TERMS && self.seen.insert(term.clone()) {
            self.list.push(term);
        }
    }

    fn add_pairs(&mut self, run: &str, words: Words) {
        let pieces = match words {
            Words::Content => stop_words::split_unspaced(run),
            Words::All => vec![run],
        };
        for piece in pieces {
            let mut ends = piece.char_indices().map(|(at, c)| at + c.len_utf8());
            let Some(mut middle) = ends.next() else { continue };
            let mut start = 0;
            if middle == piece.len() {
                self.add(Term { text: piece.to_owned(), prefix: true });
            }
            for end in ends {
                self.add(Term::whole(&piece[start..end]));
                (start, middle) = (middle, end);
            }
        }
    }
}

fn push(line: &mut String, term: &str) {
    if !term.is_empty() {
        line.push(' ');
        line.push_str(term);
    }
}

/// Every pair of neighbours, and the last character alone, so that each character begins some term.
fn push_pairs(line: &mut String, run: &str) {
    let mut characters = run.chars().peekable();
    while let Some(c) = characters.next() {
        line.push(' ');
        line.push(c);
        line.extend(characters.peek());
    }
}

/// A stretch of text between separators.
enum Run<'a> {
    Word(&'a str),
    Unspaced(&'a str),
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(char::is_alphanumeric)?;
        rest = &rest[start..];
        let unspaced = rest.starts_with(is_unspaced);
        let ends = |c: char| !is_term_char(c) || is_unspaced(c) != unspaced && !is_combining_mark(c);
        let (run, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        rest = after;
        Some(if unspaced { Run::Unspaced(run) } else { Run::Word(run) })
    })
}

fn is_term_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii() && (c.is_alphanumeric() || is_combining_mark(c))
}

/// Case, width and accents folded: `Ｒésumé` is `resume`, `ß` is `ss`.
fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return if word.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(word.to_ascii_lowercase())
        } else {
            Cow::Borrowed(word)
        };
    }
    let bare: String = word.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).nfc().collect();
    let folded = caseless::default_case_fold_str(&bare);
    Cow::Owned(folded.chars().filter(|c| is_term_char(*c)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(text: &str) -> String {
        let mut line = String::new();
        Analyser::default().append(text, &mut line);
        line
    }

    fn asked(text: &str) -> Vec<String> {
        Analyser::default().query(text).into_iter().map(|term| term.text).collect()
    }

    #[test]
    fn inflected_words_and_accents_are_one_term() {
        assert_eq!(line("Boiling boils BOILED"), " boil boil boil");
        assert_eq!(line("Résumé ｒｅｓｕｍｅ"), " resum resum");
        assert_eq!(line("Straße"), " strass");
    }

    #[test]
    fn unspaced_scripts_are_cut_into_pairs() {
        assert_eq!(line("水沸腾"), " 水沸 沸腾 腾");
        assert_eq!(asked("水沸腾"), ["水沸", "沸腾"]);
    }

    #[test]
    fn a_single_character_asks_for_every_pair_that_begins_with_it() {
        let terms = Analyser::default().query("水");
        assert_eq!(terms, [Term { text: "水".into(), prefix: true }]);
    }

    #[test]
    fn question_words_are_no_content_in_any_of_the_known_languages() {
        assert_eq!(asked("At what temperature does water boil?"), ["temperatur", "water", "boil"]);
        assert_eq!(asked("Wann kocht das Wasser?"), ["kocht", "wasser"]);
        assert_eq!(asked("水在多少度沸腾"), ["水", "度沸", "沸腾"]);
    }

    #[test]
    fn a_query_of_stop_words_alone_is_judged_by_them() {
        assert_eq!(asked("who is it"), ["who", "is", "it"]);
        assert!(asked("?!").is_empty());
    }

    #[test]
    fn a_query_has_at_most_its_limit_of_terms() {
        let long: String = (0..100).map(|n| format!("w{n} ")).collect();
        assert_eq!(asked(&long).len(), QUERY_TERMS);
    }

    proptest! {
        #[test]
        fn every_word_of_a_text_is_found_by_asking_for_it(text in "\\PC{0,60}") {
            let line = format!("{} ", line(&text));
            for term in Analyser::default().query_terms(&text, Words::All) {
                let needle = if term.prefix { format!(" {}", term.text) } else { format!(" {} ", term.text) };
                prop_assert!(line.contains(&needle), "{needle:?} in {line:?}");
            }
        }
    }
}
