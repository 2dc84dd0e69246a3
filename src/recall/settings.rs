//! Where the memories and the models are, and what is asked of them: the user's own config file (table `[recall]`),
//! then the environment over it. Nothing of it is read from a project's cited.toml: a checkout must not be able to
//! send memory text or keys to a host of its own. The file's text and the variables are handed in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::adapters;
use super::models::PROVIDERS;
use super::secret::Secret;
pub use super::services::{Context, Database, Embedding, Hindsight, Honcho, Model, Ob1, Obn};
use crate::error::{Error, Result};

/// Everything under `[recall]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The time-out of a source, in seconds.
    pub timeout: f64,
    /// Time-outs of single sources, in seconds.
    pub timeouts: BTreeMap<String, f64>,
    /// Weights of single sources, 0 to 10, in place of the built-in ones.
    pub weights: BTreeMap<String, f64>,
    /// The least evidence that is answered from, 0..1.
    pub threshold: f64,
    /// `$HERMES_HOME`, or `~/.hermes`.
    #[serde(skip)]
    pub hermes_home: PathBuf,
    /// The working folder.
    #[serde(skip)]
    pub folder: PathBuf,
    /// This instant: some notes only hold for some days.
    #[serde(skip)]
    pub now: jiff::Timestamp,
    /// The memory that is always in the context.
    pub context: Context,
    /// Past sessions.
    pub session: Database,
    /// Facts with a trust score.
    pub memory_store: Database,
    /// Our own notes.
    pub memory: Database,
    /// Open Brain.
    pub ob1: Ob1,
    /// Chroma.
    pub obn: Obn,
    /// Hindsight.
    pub hindsight: Hindsight,
    /// Honcho.
    pub honcho: Honcho,
    /// The Hermes API server.
    pub hermes: Model,
    /// Ollama.
    pub ollama: Model,
    /// Any server with OpenAI's chat interface.
    pub openai: Model,
}

/// What is read around the program: the variables, the folders, the user's config file.
pub struct Surroundings<'a> {
    /// The user's own config file and its text, where there is one.
    pub config: Option<(&'a Path, &'a str)>,
    /// A variable of the environment, when it is set and not empty.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The user's home folder.
    pub home: Option<&'a Path>,
    /// The working folder.
    pub folder: &'a Path,
    /// This instant.
    pub now: jiff::Timestamp,
}

/// The user's config file; other tables are not ours.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    recall: Settings,
}

impl Settings {
    /// The settings of this machine and user.
    ///
    /// # Errors
    /// [`crate::error::Exit::NotJudged`] when the config file is no TOML, has a key under `[recall]` that means
    /// nothing, or a number is out of range.
    pub fn read(around: &Surroundings) -> Result<Self> {
        let mut settings = match around.config {
            Some((path, text)) => parse(path, text)?,
            None => Self::default(),
        };
        settings.check_names()?;
        settings.folder = around.folder.to_owned();
        settings.now = around.now;
        settings.hermes_home = hermes_home(around);
        settings.paths().for_each(|path| *path = at_home(path, around.home));
        settings.override_by(around.variable)?;
        settings.check()?;
        Ok(settings)
    }

    /// The time-out of the source `name`.
    pub fn timeout_of(&self, name: &str) -> Duration {
        let seconds = self.timeouts.get(name).copied().unwrap_or(self.timeout);
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(10))
    }

    /// Every secret, to be kept out of messages.
    pub fn secrets(&self) -> Vec<&Secret> {
        let embeddings = [&self.ob1.embedding, &self.obn.embedding].into_iter().flatten();
        let keys = [
            &self.ob1.api_key,
            &self.obn.api_key,
            &self.hindsight.api_key,
            &self.honcho.api_key,
            &self.hermes.api_key,
            &self.ollama.api_key,
            &self.openai.api_key,
        ];
        keys.into_iter().chain(embeddings.map(|embedding| &embedding.api_key)).flatten().collect()
    }

    fn override_by(&mut self, variable: &dyn Fn(&str) -> Option<String>) -> Result<()> {
        let text = |name: &str, place: &mut Option<String>| {
            if let Some(value) = variable(name) {
                *place = Some(value);
            }
        };
        text("CITED_OB1_URL", &mut self.ob1.url);
        text("CITED_OBN_URL", &mut self.obn.url);
        text("CITED_HINDSIGHT_URL", &mut self.hindsight.url);
        text("CITED_HONCHO_URL", &mut self.honcho.url);
        text("CITED_HONCHO_WORKSPACE", &mut self.honcho.workspace);
        text("CITED_HERMES_URL", &mut self.hermes.url);
        text("OLLAMA_HOST", &mut self.ollama.url);
        text("CITED_LLM_URL", &mut self.openai.url);
        if let Some(bank) = variable("CITED_HINDSIGHT_BANK") {
            self.hindsight.bank = bank;
        }
        for (name, place) in [
            ("OB1_API_KEY", &mut self.ob1.api_key),
            ("API_SERVER_KEY", &mut self.hermes.api_key),
            ("CITED_LLM_API_KEY", &mut self.openai.api_key),
        ] {
            if let Some(value) = variable(name) {
                *place = Some(Secret::new(value));
            }
        }
        if let Some(seconds) = variable("CITED_RECALL_TIMEOUT") {
            self.timeout = seconds.trim().parse().map_err(|_| {
                Error::not_judged(format!("CITED_RECALL_TIMEOUT is `{seconds}`, not a number of seconds"))
            })?;
            self.timeouts.retain(|name, _| is_model(name));
        }
        Ok(())
    }

    /// Every path that the config file can name.
    fn paths(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let single = [
            &mut self.session.path,
            &mut self.memory_store.path,
            &mut self.memory.path,
            &mut self.ob1.key_helper,
        ];
        self.context.files.iter_mut().chain(single.into_iter().flatten())
    }

    fn check_names(&self) -> Result<()> {
        for name in self.weights.keys() {
            if adapters::adapter(name).is_none() {
                return Err(unknown("recall.weights", name));
            }
        }
        for name in self.timeouts.keys() {
            if adapters::adapter(name).is_none() && !is_model(name) {
                return Err(unknown("recall.timeouts", name));
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let range = |what: &str, value: f64, least: f64, most: f64| {
            let fits = (least..=most).contains(&value);
            let message = format!("the {what} is {value}; it goes from {least} to {most}");
            if fits {
                return Ok(());
            }
            Err(Error::not_judged(message)
                .with_help("correct it in the config file; every key has a default"))
        };
        let timeouts = self.timeouts.values().chain([&self.timeout]);
        timeouts.copied().try_for_each(|seconds| range("time-out of a source", seconds, 0.01, 3600.0))?;
        self.weights.values().try_for_each(|weight| range("weight of a source", *weight, 0.001, 10.0))?;
        range("threshold of recall", self.threshold, 0.0, 1.0)
    }
}

fn is_model(name: &str) -> bool {
    PROVIDERS.iter().any(|provider| provider.name == name)
}

fn unknown(table: &str, name: &str) -> Error {
    let sources: Vec<&str> = adapters::ADAPTERS.iter().map(|adapter| adapter.name).collect();
    let models: Vec<&str> = PROVIDERS.iter().map(|provider| provider.name).collect();
    let message = format!("nothing is called `{name}` in [{table}] of the config file");
    let help =
        format!("sources: {}; models, in [recall.timeouts]: {}", sources.join(", "), models.join(", "));
    Error::not_judged(message).with_help(help)
}

/// The message says the line, and shows nothing of it: the excerpt that TOML errors carry could hold a key.
fn parse(path: &Path, text: &str) -> Result<Settings> {
    let file: File = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let found = error.message().replace('\n', " ");
        Error::not_judged(format!("cannot read `{}`, line {line}: {found}", path.display()))
            .with_help("correct that line, or take it out: every key has a default")
    })?;
    Ok(file.recall)
}

fn hermes_home(around: &Surroundings) -> PathBuf {
    match (around.variable)("HERMES_HOME") {
        Some(path) => around.folder.join(at_home(Path::new(&path), around.home)),
        None => around.home.unwrap_or(around.folder).join(".hermes"),
    }
}

/// No shell has read the config file: a `~` that leads a path is the home folder.
fn at_home(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            timeout: 10.0,
            timeouts: BTreeMap::new(),
            weights: BTreeMap::new(),
            threshold: 0.3,
            hermes_home: PathBuf::new(),
            folder: PathBuf::new(),
            now: jiff::Timestamp::UNIX_EPOCH,
            context: Context::default(),
            session: Database::default(),
            memory_store: Database::default(),
            memory: Database::default(),
            ob1: Ob1::default(),
            obn: Obn::default(),
            hindsight: Hindsight::default(),
            honcho: Honcho::default(),
            hermes: Model::default(),
            ollama: Model::default(),
            openai: Model::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(config: &str, variables: &[(&str, &str)]) -> Result<Settings> {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Settings::read(&Surroundings {
            config: Some((Path::new("config.toml"), config)),
            variable: &variable,
            home: Some(Path::new("/home/ada")),
            folder: Path::new("/srv"),
            now: jiff::Timestamp::UNIX_EPOCH,
        })
    }

    #[test]
    fn the_environment_wins_over_the_config_file() {
        let config =
            "[recall]\ntimeout = 3\n[recall.timeouts]\nob1 = 9\n[recall.ob1]\nurl = 'https://a.example'";
        let from_file = read(config, &[]).unwrap();
        assert_eq!(from_file.timeout_of("ob1").as_secs(), 9);
        assert_eq!(from_file.timeout_of("obn").as_secs(), 3);
        assert_eq!(from_file.hermes_home, Path::new("/home/ada/.hermes"));
        let variables =
            [("CITED_OB1_URL", "https://b.example"), ("CITED_RECALL_TIMEOUT", "1.5"), ("HERMES_HOME", "h")];
        let over = read(config, &variables).unwrap();
        assert_eq!(over.ob1.url.as_deref(), Some("https://b.example"));
        assert_eq!(over.timeout_of("ob1").as_millis(), 1500);
        assert_eq!(over.hermes_home, Path::new("/srv/h"));
    }

    #[test]
    fn the_time_out_of_sources_leaves_that_of_a_model_alone() {
        let config = "[recall.timeouts]\nob1 = 9\nollama = 300";
        let settings = read(config, &[("CITED_RECALL_TIMEOUT", "2")]).unwrap();
        assert_eq!((settings.timeout_of("ob1").as_secs(), settings.timeout_of("ollama").as_secs()), (2, 300));
    }

    #[test]
    fn a_name_that_nothing_has_is_refused_and_the_line_is_named() {
        let text = |config: &str| read(config, &[]).unwrap_err().to_string();
        assert!(text("[recall.weights]\nob2 = 1").contains("`ob2` in [recall.weights]"));
        assert!(text("[recall.weights]\nollama = 1").contains("`ollama`"));
        assert!(text("[recall.timeouts]\nolama = 1").contains("`olama` in [recall.timeouts]"));
        assert!(text("[recall]\n\nlimit = 3").contains("line 3: unknown field `limit`"));
        assert!(
            read("[recall.timeouts]\nollama = 1\nsession = 1\n[recall.weights]\nsession = 1", &[]).is_ok()
        );
    }

    #[test]
    fn a_tilde_is_the_home_folder_in_every_path() {
        let config = "[recall.context]\nfiles = ['~/a.md', 'b~.md']\n[recall.session]\npath = '~/s.db'\n\
            [recall.memory-store]\npath = '~/f.db'\n[recall.memory]\npath = '~'\n\
            [recall.ob1]\nkey-helper = '~/key'";
        let settings = read(config, &[("HERMES_HOME", "~/h")]).unwrap();
        let home = |name: &str| Some(Path::new("/home/ada").join(name));
        assert_eq!(settings.context.files, [home("a.md").unwrap(), PathBuf::from("b~.md")]);
        assert_eq!((settings.session.path, settings.memory_store.path), (home("s.db"), home("f.db")));
        assert_eq!((settings.memory.path, settings.ob1.key_helper), (home(""), home("key")));
        assert_eq!(Some(settings.hermes_home), home("h"));
    }

    #[test]
    fn a_wrong_key_or_number_is_refused_and_names_itself() {
        let error = read("[recall.ob1]\nurll = 'x'", &[]).unwrap_err().to_string();
        assert!(error.contains("config.toml") && error.contains("urll"), "{error}");
        assert!(read("[recall]\ntimeout = -1", &[]).is_err());
        assert!(read("", &[("CITED_RECALL_TIMEOUT", "soon")]).unwrap_err().to_string().contains("soon"));
        assert!(read("[other]\nx = 1", &[]).is_ok());
    }

    #[test]
    fn a_key_never_shows_in_an_error_or_in_debug_output() {
        let broken = read("[recall.ob1]\napi-key = 'sb_secret_1'\nmin-score = 'x'", &[]).unwrap_err();
        assert!(!broken.to_string().contains("sb_secret_1"), "{broken}");
        let settings = read("", &[("OB1_API_KEY", "sb_secret_1")]).unwrap();
        assert!(!format!("{settings:?}").contains("sb_secret_1"));
        assert_eq!(settings.secrets().len(), 1);
    }
}
