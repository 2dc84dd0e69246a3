//! The question as the stores are asked it: its content words, folded and lightly stemmed, at most 32 of them.
//! In: what the user typed. Out: [`Query`], the full-text expression built from it, and which of its words a text
//! holds. Raw query text never reaches a store's query language.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::stop_words;
use crate::text::words::is_unspaced;

/// The most words of a query that are searched for; a mask of them fits in 32 bits.
pub const MAX_TERMS: usize = 32;

/// A message that ends with the question may add this many content words to it: "search the memory for: …".
const MAX_WORDS_ABOUT_ASKING: usize = 4;

/// A question and its content words.
#[derive(Debug, Clone)]
pub struct Query {
    text: String,
    folded_words: Vec<String>,
    terms: Vec<Term>,
    bits: HashMap<String, u32>,
}

/// One content word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The word, folded.
    pub word: String,
    /// The word without a common English ending.
    pub stem: String,
    /// It belongs to a script without spaces: looked for as a part of the text, not as a word.
    pub unspaced: bool,
}

/// A set of a query's terms, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TermSet(pub u32);

impl TermSet {
    /// How many terms it holds.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// It holds none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The terms of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the term of that index is in it.
    pub fn has(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }
}

impl Query {
    /// Reads a question. Stop words are left out, and the words that frame a question to a memory, unless there is
    /// nothing else.
    pub fn new(text: &str) -> Self {
        let folded = fold(text);
        let words: Vec<&str> = runs(&folded).collect();
        let telling: Vec<&str> = words.iter().copied().filter(|word| !stop_words::is_frame(word)).collect();
        let mut terms = content_terms(&telling);
        if terms.is_empty() {
            terms = content_terms(&words);
        }
        if terms.is_empty() {
            terms = distinct(words.iter().flat_map(|word| terms_of(word)));
        }
        let bits = terms.iter().enumerate().map(|(at, term)| (term.stem.clone(), 1 << at)).collect();
        let folded_words = words.into_iter().map(str::to_owned).collect();
        Self { text: text.trim().to_owned(), folded_words, terms, bits }
    }

    /// The question as it was asked.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its content words, in order, each once.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Some term belongs to a script that full-text indexes do not split into words.
    pub fn has_unspaced(&self) -> bool {
        self.terms.iter().any(|term| term.unspaced)
    }

    /// Which terms `text` holds.
    pub fn terms_in(&self, text: &str) -> TermSet {
        let folded = fold(text);
        let mut found = 0;
        for word in runs(&folded) {
            found |= self.bits.get(stem(word)).copied().unwrap_or(0);
        }
        for (at, term) in self.terms.iter().enumerate() {
            if term.unspaced && folded.contains(&term.word) {
                found |= 1 << at;
            }
        }
        TermSet(found)
    }

    /// `text` only repeats the question: the same words, a question that adds no content word to it, or a few
    /// words that lead to the question itself.
    pub fn is_echoed_by(&self, text: &str) -> bool {
        if text.len() > 4 * self.text.len() + 80 {
            return false;
        }
        let folded = fold(text);
        let words: Vec<&str> = runs(&folded).collect();
        if words.iter().eq(self.folded_words.iter()) {
            return true;
        }
        let telling: Vec<&str> = words.iter().copied().filter(|word| !stop_words::is_frame(word)).collect();
        let asked = content_terms(&telling);
        let added = asked.iter().filter(|term| !self.bits.contains_key(&term.stem)).count();
        let asks = text.trim_end().ends_with(['?', '？']);
        asks && !asked.is_empty() && added == 0 || self.ends(&words) && added <= MAX_WORDS_ABOUT_ASKING
    }

    /// `words` end with the whole question, which has some length.
    fn ends(&self, words: &[&str]) -> bool {
        let own = &self.folded_words;
        own.len() >= 3 && words.len() >= own.len() && words[words.len() - own.len()..].iter().eq(own.iter())
    }

    /// An FTS5 expression: each word quoted, and its stem as a quoted prefix, joined with OR. `None` without a word.
    pub fn fts(&self) -> Option<String> {
        let mut parts: Vec<String> = self.terms.iter().map(|term| format!("\"{}\"", term.word)).collect();
        let prefixes = self.terms.iter().filter(|t| t.stem.chars().count() >= 4 && t.stem != t.word);
        parts.extend(prefixes.filter(|t| t.word.starts_with(&t.stem)).map(|t| format!("\"{}\"*", t.stem)));
        any_of(parts)
    }

    /// The same for a trigram index: words, and every three characters of a run without spaces. `None` where a
    /// piece of such a run is too short for that index.
    pub fn trigrams(&self) -> Option<String> {
        let mut parts = Vec::new();
        for word in self.folded_words.iter().filter(|word| !stop_words::is_one(word)) {
            let unspaced = word.chars().next().is_some_and(is_unspaced);
            if !unspaced {
                parts.extend((word.chars().count() >= 3).then(|| format!("\"{word}\"")));
                continue;
            }
            for piece in stop_words::cut_unspaced(word) {
                let letters: Vec<char> = piece.chars().collect();
                if letters.len() < 3 {
                    return None;
                }
                let threes = letters.windows(3).map(|three| three.iter().collect::<String>());
                parts.extend(threes.map(|three| format!("\"{three}\"")));
            }
        }
        any_of(parts)
    }
}

/// `("a" OR "b")`, of at most [`MAX_TERMS`] parts.
fn any_of(mut parts: Vec<String>) -> Option<String> {
    parts.truncate(MAX_TERMS);
    (!parts.is_empty()).then(|| format!("({})", parts.join(" OR ")))
}

/// The terms of `words` that are no stop words, each once.
fn content_terms(words: &[&str]) -> Vec<Term> {
    distinct(words.iter().filter(|word| !stop_words::is_one(word)).flat_map(|word| {
        let unspaced = word.chars().next().is_some_and(is_unspaced);
        if unspaced { unspaced_terms(word) } else { terms_of(word) }
    }))
}

/// The first [`MAX_TERMS`] terms with different stems.
fn distinct(terms: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut kept: Vec<Term> = Vec::new();
    for term in terms {
        if kept.len() < MAX_TERMS && !kept.iter().any(|other| other.stem == term.stem) {
            kept.push(term);
        }
    }
    kept
}

/// A spaced word is one term.
fn terms_of(word: &str) -> Vec<Term> {
    let unspaced = word.chars().next().is_some_and(is_unspaced);
    vec![Term { word: word.to_owned(), stem: stem(word).to_owned(), unspaced }]
}

/// A run of a script without spaces is its pairs of characters, once the function words are cut out of it.
fn unspaced_terms(run: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    for piece in stop_words::cut_unspaced(run) {
        let letters: Vec<char> = piece.chars().collect();
        let width = letters.len().min(2);
        for pair in letters.windows(width.max(1)) {
            let word: String = pair.iter().collect();
            terms.push(Term { stem: word.clone(), word, unspaced: true });
        }
    }
    terms
}

/// Lower case without accents and compatibility forms.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let bare = text.nfkd().filter(|c| !unicode_normalization::char::is_combining_mark(*c));
    bare.flat_map(char::to_lowercase).nfc().collect()
}

/// Runs of letters and digits of a folded text, cut where a script without spaces begins or ends.
pub fn runs(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|c: char| !c.is_alphanumeric()).flat_map(Cuts).filter(|run| !run.is_empty())
}

/// The pieces of one run, each all spaced or all unspaced.
struct Cuts<'a>(&'a str);

impl<'a> Iterator for Cuts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let first = is_unspaced(self.0.chars().next()?);
        let end = if self.0.is_ascii() {
            self.0.len()
        } else {
            self.0.find(|c| is_unspaced(c) != first).unwrap_or(self.0.len())
        };
        let (piece, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(piece)
    }
}

/// `word` without a common English ending; other languages lose at most a final `s` or `e`.
fn stem(word: &str) -> &str {
    if word.len() < 4 || !word.is_ascii() || word.bytes().any(|b| b.is_ascii_digit()) {
        return word;
    }
    let bare = without_ending(word);
    let bare = if bare.len() > 4 { bare.strip_suffix('e').unwrap_or(bare) } else { bare };
    without_double(bare)
}

/// Without a plural or a verb's ending.
fn without_ending(word: &str) -> &str {
    for (ending, least) in [("ing", 6), ("ed", 5)] {
        if let Some(bare) = word.strip_suffix(ending)
            && word.len() >= least
            && bare.bytes().any(|b| b"aeiouy".contains(&b))
        {
            return bare;
        }
    }
    if ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        return word;
    }
    word.strip_suffix('s').unwrap_or(word)
}

/// `plann` is `plan`, but `call` stays.
fn without_double(bare: &str) -> &str {
    let mut ends = bare.bytes().rev();
    match (ends.next(), ends.next()) {
        (Some(last), Some(before)) if last == before && b"bdgmnprt".contains(&last) => {
            &bare[..bare.len() - 1]
        }
        _ => bare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(query: &str) -> Vec<String> {
        Query::new(query).terms().iter().map(|term| term.word.clone()).collect()
    }

    #[test]
    fn stop_words_are_not_searched_for() {
        assert_eq!(words("What did we decide about the Größe of ice?"), ["große", "ice"]);
        assert_eq!(words("What did we decide?"), ["decide"]);
        assert_eq!(words("to be or not to be"), ["to", "be", "or", "not"]);
    }

    #[test]
    fn scripts_without_spaces_become_pairs_without_function_words() {
        assert_eq!(words("我们决定了什么数据库?"), ["决定", "数据", "据库"]);
        assert_eq!(words("Postgres数据库"), ["postgres", "数据", "据库"]);
        assert_eq!(words("猫"), ["猫"]);
    }

    #[test]
    fn endings_do_not_hide_a_word() {
        let query = Query::new("deciding databases planned policies");
        assert_eq!(query.terms_in("We decide on a database; planning the policy.").len(), 3);
        assert_eq!(query.terms_in("Boxes of ice").len(), 0);
    }

    #[test]
    fn the_full_text_expression_holds_quoted_words_only() {
        let hostile = Query::new("ice\" OR NEAR(content* AND {x}: -melt^2");
        let fts = hostile.fts().unwrap();
        assert_eq!(fts, r#"("ice" OR "near" OR "content" OR "x" OR "melt" OR "2")"#);
        assert_eq!(Query::new("?!").fts(), None);
        assert_eq!(Query::new("databases").fts().unwrap(), r#"("databases" OR "databas"*)"#);
    }

    #[test]
    fn a_long_query_is_cut_to_32_words() {
        let long: String = (0..100).map(|n| format!("w{n} ")).collect();
        assert_eq!(Query::new(&long).terms().len(), 32);
        assert_eq!(Query::new(&long).fts().unwrap().matches(" OR ").count(), 31);
    }

    #[test]
    fn the_question_asked_before_is_an_echo_and_its_answer_is_not() {
        let query = Query::new("What did we decide about the database?");
        assert!(query.is_echoed_by("what did we decide about the DATABASE"));
        assert!(query.is_echoed_by("So, what about the database decided?"));
        assert!(query.is_echoed_by("Please search memory: what did we decide about the database?"));
        assert!(!query.is_echoed_by("What did we decide about the database? Postgres."));
        assert!(!query.is_echoed_by("We decided about the database: Postgres."));
        assert!(!query.is_echoed_by("Is the Postgres database decided?"));
    }

    proptest! {
        #[test]
        fn no_query_breaks_out_of_the_quotes(text in "\\PC{0,80}") {
            if let Some(fts) = Query::new(&text).fts() {
                let inner = fts.strip_prefix("(").unwrap().strip_suffix(')').unwrap();
                for part in inner.split(" OR ") {
                    let word = part.trim_end_matches('*');
                    prop_assert!(word.len() > 2 && word.starts_with('"') && word.ends_with('"'));
                    prop_assert!(word[1..word.len() - 1].chars().all(char::is_alphanumeric));
                }
            }
        }
    }
}
