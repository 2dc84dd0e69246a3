//! What a memory store gives back: one [`Chunk`] a hit, best first, with whatever the store knows about it. The
//! dedupe key is computed here, in the adapter's own thread, so that fusing only compares integers.

use md5::{Digest, Md5};
use serde_json::{Map, Value};

/// The longest content that is kept, in bytes; what is longer is cut and says so in its metadata.
const MAX_CONTENT_BYTES: usize = 64 * 1024;

/// One hit of one store.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    content: String,
    key: u64,
    /// The store's own id for it.
    pub native_id: Option<String>,
    /// Which store of that kind: a bank, a collection, a workspace, a folder.
    pub store_id: Option<String>,
    /// A real URL, where the store has one.
    pub uri: Option<String>,
    /// A title, where the store has one.
    pub title: Option<String>,
    /// When the store says it was written, RFC 3339 where it can be told.
    pub created_at: Option<String>,
    /// The store's own score.
    pub score: Option<Score>,
    /// Anything else that a reader may want.
    pub metadata: Map<String, Value>,
}

/// A store's own score and what it means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The larger the better.
    pub value: f64,
    /// How to read it.
    pub kind: ScoreKind,
}

/// What a store's score measures. Only the first two say how relevant a chunk is by themselves, in 0..1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreKind {
    /// Likeness of embeddings, 0..1.
    Similarity,
    /// A reranking model's judgement, 0..1.
    Reranker,
    /// BM25 of a full-text index: it orders, and means nothing across queries.
    Bm25,
    /// A full-text rank of another make.
    TextRank,
    /// The share of the query's words that the chunk holds, 0..1.
    WordShare,
}

impl ScoreKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Similarity => "similarity",
            Self::Reranker => "reranker",
            Self::Bm25 => "bm25",
            Self::TextRank => "text_rank",
            Self::WordShare => "word_share",
        }
    }
}

impl Chunk {
    /// A chunk of that content; everything else is unknown until it is set.
    pub fn new(content: impl Into<String>) -> Self {
        let mut content = content.into();
        let mut metadata = Map::new();
        if content.len() > MAX_CONTENT_BYTES {
            metadata.insert("cut_from_bytes".into(), content.len().into());
            let boundary = (0..=MAX_CONTENT_BYTES).rev().find(|at| content.is_char_boundary(*at));
            content.truncate(boundary.unwrap_or(0));
        }
        let key = content_key(&content);
        Self { content, key, metadata, ..Self::taken() }
    }

    /// What stands in for a chunk that was moved out of its source.
    pub(super) fn taken() -> Self {
        Self {
            content: String::new(),
            key: 0,
            native_id: None,
            store_id: None,
            uri: None,
            title: None,
            created_at: None,
            score: None,
            metadata: Map::new(),
        }
    }

    /// Its text.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The first 48 bits of the MD5 of its content.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key as twelve hexadecimal digits.
    pub fn content_hash(&self) -> String {
        format!("{:012x}", self.key)
    }

    /// The same chunk with the store's score.
    #[must_use]
    pub fn scored(mut self, value: f64, kind: ScoreKind) -> Self {
        self.score = value.is_finite().then_some(Score { value, kind });
        self
    }
}

/// The first twelve hexadecimal digits of the MD5, as a number. It tells equal texts quickly; nothing trusts it.
fn content_key(content: &str) -> u64 {
    let digest = Md5::digest(content.as_bytes());
    digest.iter().take(6).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_hash_is_twelve_digits_of_the_md5() {
        // printf 'ice floats' | md5sum
        assert_eq!(Chunk::new("").content_hash(), "d41d8cd98f00");
        assert_eq!(Chunk::new("abc").content_hash(), "900150983cd2");
    }

    #[test]
    fn a_huge_content_is_cut_at_a_character_and_says_so() {
        let chunk = Chunk::new("冰".repeat(50_000));
        assert!(chunk.content().len() <= MAX_CONTENT_BYTES);
        assert_eq!(chunk.metadata["cut_from_bytes"], 150_000);
    }

    #[test]
    fn a_score_that_is_no_number_is_no_score() {
        assert_eq!(Chunk::new("ice").scored(f64::NAN, ScoreKind::Similarity).score, None);
    }
}
