//! Do the stored quotes of a cited sentence speak of the same thing? In: claims. Out: a judgement for each that can
//! be judged. It compares words, weighted by how rare they are among the quotes of the ledger and the cited
//! sentences of the draft; it tells a wrong source, not a slight overstatement, and passing it is not support.

use std::collections::{BTreeSet, HashMap};

use super::claims::Claim;
use crate::ledger::{Ledger, SourceId};
use crate::text::content::content_words;
use crate::text::language::{Language, language};

/// The least weighted share of a sentence's content words that a quote of its sources holds. Chosen on one half of
/// the labelled pairs and measured on the other: docs/evidence.md.
const LEAST_RECALL: f64 = 0.12;

/// Content words below which a sentence is too short to be judged.
const LEAST_WORDS: usize = 6;

/// What the quotes of a claim say about its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bearing {
    /// The largest share of the sentence's weighted content words that one quote holds, 0 to 1.
    Recall(f64),
    /// Too few words, no quote, or quotes in another script or language only.
    CannotTell,
}

impl Bearing {
    /// No quote shares enough words with the sentence.
    pub fn is_apart(self) -> bool {
        matches!(self, Self::Recall(recall) if recall < LEAST_RECALL)
    }
}

/// One judgement for each of `claims`, in their order.
pub fn bearings(claims: &[Claim], ledger: &Ledger) -> Vec<Bearing> {
    let mut rarity = Rarity::default();
    let mut quotes: HashMap<SourceId, Vec<Passage>> = HashMap::new();
    for source in ledger.sources() {
        let passages: Vec<Passage> = source.quotes.iter().map(|quote| Passage::read(&quote.text)).collect();
        passages.iter().for_each(|passage| rarity.count(&passage.words));
        quotes.insert(source.id, passages);
    }
    let said: Vec<Passage> = claims.iter().map(|claim| Passage::read(&claim.statement.text)).collect();
    said.iter().for_each(|passage| rarity.count(&passage.words));
    let of_claim = |claim: &Claim| claim.ids().into_iter().filter_map(|id| quotes.get(&id)).flatten();
    claims.iter().zip(&said).map(|(claim, said)| bearing(said, of_claim(claim), &rarity)).collect()
}

fn bearing<'p>(said: &Passage, quotes: impl Iterator<Item = &'p Passage>, rarity: &Rarity) -> Bearing {
    if said.words.len() < LEAST_WORDS {
        return Bearing::CannotTell;
    }
    let whole: f64 = said.words.iter().map(|word| rarity.weight(word)).sum();
    let recall = |quote: &Passage| {
        let shared = said.words.iter().filter(|word| quote.words.contains(*word));
        shared.map(|word| rarity.weight(word)).sum::<f64>() / whole
    };
    let comparable = quotes.filter(|quote| said.is_comparable(quote));
    comparable.map(recall).reduce(f64::max).map_or(Bearing::CannotTell, Bearing::Recall)
}

/// A sentence or a quote, read once.
struct Passage {
    words: BTreeSet<String>,
    script: Option<&'static str>,
    language: Option<Language>,
}

impl Passage {
    fn read(text: &str) -> Self {
        let words = content_words(text).into_iter().collect();
        Self { words, script: script(text), language: language(text) }
    }

    /// The two are written in one script and, as far as can be told, in one language.
    fn is_comparable(&self, other: &Self) -> bool {
        let languages = self.language.zip(other.language);
        self.script == other.script && languages.is_none_or(|(one, other)| one == other)
    }
}

/// The script, or family of scripts, that most letters of `text` are from.
fn script(text: &str) -> Option<&'static str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        *counts.entry(family(c)).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(family, count)| (*count, *family)).map(|(family, _)| family)
}

fn family(c: char) -> &'static str {
    match c as u32 {
        0..=0x24f | 0x1e00..=0x1eff => "latin",
        0x370..=0x3ff | 0x1f00..=0x1fff => "greek",
        0x400..=0x52f => "cyrillic",
        0x530..=0x58f => "armenian",
        0x590..=0x5ff => "hebrew",
        0x600..=0x77f | 0x8a0..=0x8ff | 0xfb50..=0xfeff => "arabic",
        0x900..=0x97f => "devanagari",
        0x980..=0xdff => "indic",
        0xe00..=0xe7f => "thai",
        0x1100..=0x11ff | 0xac00..=0xd7af => "hangul",
        0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff => "han",
        _ => "other",
    }
}

/// How rare each word is among the cited sentences of a draft and the quotes of its ledger.
#[derive(Default)]
struct Rarity {
    texts: usize,
    holding: HashMap<String, usize>,
}

impl Rarity {
    fn count(&mut self, words: &BTreeSet<String>) {
        self.texts += 1;
        for word in words {
            *self.holding.entry(word.clone()).or_default() += 1;
        }
    }

    /// Above 0; the larger, the fewer texts hold the word.
    fn weight(&self, word: &str) -> f64 {
        let holding = self.holding.get(word).copied().unwrap_or(1);
        (1.0 + self.texts as f64 / holding as f64).ln()
    }
}
