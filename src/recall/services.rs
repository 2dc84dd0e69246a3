//! The tables under `[recall]`: one for each memory and model, with what each needs to be reached. Data only.

use std::path::PathBuf;

use serde::Deserialize;

use super::secret::Secret;

/// Files that are read whole and split by heading.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Context {
    /// Files and folders beside MEMORY.md.
    pub files: Vec<PathBuf>,
}

/// A file or folder on this machine.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Database {
    /// Where it is, in place of the usual place.
    pub path: Option<PathBuf>,
}

/// An embedding server: OpenAI's `/v1/embeddings` or Ollama's `/api/embed`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Embedding {
    /// The whole URL.
    pub url: String,
    /// The model; the same that the stored vectors were made with.
    pub model: String,
    /// Sent as a bearer token.
    #[serde(default)]
    pub api_key: Option<Secret>,
}

/// Open Brain on Supabase.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ob1 {
    /// The project's URL.
    pub url: Option<String>,
    /// A Supabase key.
    pub api_key: Option<Secret>,
    /// A program that prints the key when it is run with `export`.
    pub key_helper: Option<PathBuf>,
    /// Which function is called first: `text`, `match` or `seed`.
    pub preset: String,
    /// The function's name, in place of the first preset's own.
    pub function: Option<String>,
    /// The least similarity, 0..1.
    pub min_score: f64,
    /// Makes the query's vector for the preset `match`.
    pub embedding: Option<Embedding>,
}

/// Chroma, or a bridge to it.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Obn {
    /// The server's URL.
    pub url: Option<String>,
    /// A token, where the server wants one.
    pub api_key: Option<Secret>,
    /// Chroma's tenant.
    pub tenant: String,
    /// Chroma's database.
    pub database: String,
    /// Only these collections; all where empty.
    pub collections: Vec<String>,
    /// Makes the query's vector; without it the words are looked for.
    pub embedding: Option<Embedding>,
}

/// Hindsight.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Hindsight {
    /// The server's URL.
    pub url: Option<String>,
    /// A token, where the server wants one.
    pub api_key: Option<Secret>,
    /// The memory bank.
    pub bank: String,
    /// How hard it searches: `low`, `mid` or `high`.
    pub budget: String,
    /// The most tokens of memory that it returns.
    pub max_tokens: u32,
    /// The kinds of memory.
    pub types: Vec<String>,
}

/// Honcho; off without a URL.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Honcho {
    /// The server's URL.
    pub url: Option<String>,
    /// A token, where the server wants one.
    pub api_key: Option<Secret>,
    /// The workspace, in place of `default`.
    pub workspace: Option<String>,
}

/// A server that writes answers.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Model {
    /// The server's URL.
    pub url: Option<String>,
    /// Sent as a bearer token.
    pub api_key: Option<Secret>,
    /// The model's name.
    pub model: Option<String>,
}

impl Default for Ob1 {
    fn default() -> Self {
        Self {
            url: None,
            api_key: None,
            key_helper: None,
            preset: "text".into(),
            function: None,
            min_score: 0.5,
            embedding: None,
        }
    }
}

impl Default for Obn {
    fn default() -> Self {
        Self {
            url: None,
            api_key: None,
            tenant: "default_tenant".into(),
            database: "default_database".into(),
            collections: Vec::new(),
            embedding: None,
        }
    }
}

impl Default for Hindsight {
    fn default() -> Self {
        Self {
            url: None,
            api_key: None,
            bank: "default".into(),
            budget: "mid".into(),
            max_tokens: 4096,
            types: vec!["world".into(), "experience".into()],
        }
    }
}
