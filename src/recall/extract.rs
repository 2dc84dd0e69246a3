//! An answer without a model: the sentences of the chunks that hold most of what was asked, word for word, each with its
//! citation id. It is an extract and says so; it draws no conclusion. Pure.

use super::pipeline::Findings;
use super::query::{Query, TermSet};

/// The most sentences.
const MAX_SENTENCES: usize = 3;
/// A sentence longer than this is cut, in characters.
const MAX_CHARS: usize = 320;
/// A sentence with less of the best sentence's share than this is left out.
const LEAST_PART: f64 = 0.5;

/// Sentences taken from the citations.
#[derive(Debug, Clone, PartialEq)]
pub struct Extract {
    /// The sentences, the most telling first.
    pub sentences: Vec<Sentence>,
    /// The weighted share of the question's words that the first of them holds, 0..1.
    pub share: f64,
}

/// One sentence and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// Its words, on one line.
    pub text: String,
    /// The citation it was taken from, from 1.
    pub citation_id: usize,
}

/// Under this share something that was asked for is missing: measured, see docs/recall.md.
const WHOLE: f64 = 0.75;

impl Extract {
    /// Its best sentence holds only a part of what was asked, so it may be beside the point.
    pub fn is_partial(&self) -> bool {
        self.share < WHOLE
    }

    /// The sentences with their ids: `Ice floats.[1] Water boils.[2]`
    pub fn text(&self) -> String {
        let cited =
            self.sentences.iter().map(|sentence| format!("{}[{}]", sentence.text, sentence.citation_id));
        cited.collect::<Vec<_>>().join(" ")
    }
}

/// The best sentences of what was found; `None` where no sentence holds a word of the question.
pub fn extract(findings: &Findings, query: &Query) -> Option<Extract> {
    let mut scored: Vec<(f64, Sentence)> = Vec::new();
    for (citation_id, cited) in (1..).zip(&findings.citations) {
        for (terms, text) in telling(cited.fused.chunk.content(), query) {
            let sentence = Sentence { text: one_line(text), citation_id };
            scored.push((findings.rarity.share(terms), sentence));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = scored.first()?.0;
    let mut sentences: Vec<Sentence> = Vec::new();
    for (share, sentence) in scored {
        let repeats = sentences.iter().any(|other| other.text == sentence.text);
        if sentences.len() < MAX_SENTENCES && share >= best * LEAST_PART && !repeats {
            sentences.push(sentence);
        }
    }
    Some(Extract { sentences, share: best })
}

/// The sentences of `text` that hold a word of the question, with the words that they and the headings above them
/// hold; where only the headings hold one, the first sentence under them.
fn telling<'a>(text: &'a str, query: &Query) -> Vec<(TermSet, &'a str)> {
    let headings: Vec<&str> = text.lines().filter(|line| is_heading(line)).collect();
    let above = query.terms_in(&headings.join("\n"));
    let said = sentences(text).into_iter().filter(|sentence| !query.is_echoed_by(sentence));
    let all: Vec<(TermSet, &str)> = said.map(|sentence| (query.terms_in(sentence), sentence)).collect();
    let mut telling: Vec<(TermSet, &str)> =
        all.iter().filter(|(own, _)| !own.is_empty()).map(|(own, said)| (own.and(above), *said)).collect();
    if telling.is_empty() && !above.is_empty() {
        telling.extend(all.first().map(|(_, sentence)| (above, *sentence)));
    }
    telling
}

/// What to say of an extract that is partial, with the words that stand nowhere.
pub fn remark(findings: &Findings, query: &Query) -> String {
    let held = findings.citations.iter().fold(TermSet::default(), |held, cited| held.and(cited.terms));
    let terms = query.terms().iter().enumerate();
    let missing: Vec<String> =
        terms.filter(|(at, _)| !held.has(*at)).map(|(_, term)| format!("`{}`", term.word)).collect();
    let what = match missing.is_empty() {
        true => "no sentence holds all that was asked".to_owned(),
        false => format!("nothing that was found holds {}", missing.join(", ")),
    };
    format!("{what}; the extract may be beside the point")
}

/// Sentences of running text: they end at a line's end, at a full stop before white space, and at the full stops
/// of scripts that write none after it. Headings are not sentences.
fn sentences(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim).filter(|line| !is_heading(line));
    lines.flat_map(|line| split(line.trim_start_matches(['-', '*', '+', '>', ' ']))).collect()
}

fn is_heading(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

fn split(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let next = chars.peek().map(|(_, next)| *next);
        let closes = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace) && !is_abbreviation(&line[start..at]),
            _ => false,
        };
        if closes {
            pieces.push(line[start..end].trim());
            start = end;
        }
    }
    pieces.push(line[start..].trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// `Dr`, `e.g`, an initial: the full stop after it ends no sentence.
fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let known =
        ["dr", "mr", "mrs", "ms", "prof", "st", "vs", "etc", "approx", "no", "fig", "cf", "ca", "bzw"];
    let letters = last.chars().count();
    let initial = letters == 1 && last.chars().all(char::is_uppercase);
    let dotted = last.contains('.') && letters <= 5 && last.split('.').all(|part| part.chars().count() <= 1);
    initial || dotted || known.iter().any(|word| last.eq_ignore_ascii_case(word))
}

fn one_line(text: &str) -> String {
    let line = crate::text::printable::one_line(text);
    if line.chars().count() <= MAX_CHARS {
        return line;
    }
    let cut: String = line.chars().take(MAX_CHARS).collect();
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        assert_eq!(
            sentences("# Ice\n- Dr. Ada says ice floats at 0.9 g. It melts, e.g. in tea.\n冰浮。水沸。"),
            ["Dr. Ada says ice floats at 0.9 g.", "It melts, e.g. in tea.", "冰浮。", "水沸。"]
        );
    }

    #[test]
    fn a_sentence_says_what_its_headings_say_too() {
        let query = Query::new("density of ice");
        let found = |text| telling(text, &query).into_iter().map(|(t, s)| (t.len(), s)).collect::<Vec<_>>();
        assert_eq!(found("# Ice\n## Density\n0.9 g. Less than water."), [(2, "0.9 g.")]);
        assert_eq!(found("# Ice\nIt floats. Its density is low."), [(2, "Its density is low.")]);
        assert_eq!(found("# Water\nIt boils."), []);
    }
}
