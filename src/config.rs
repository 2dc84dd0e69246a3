//! `cited.toml` and the environment, merged once into options. The values of the environment come in from
//! `cmd`; nothing here reads it, or the working folder, by itself.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::{draft, identity};

/// The name of a project's configuration file.
const FILE_NAME: &str = "cited.toml";

/// What the nearest `cited.toml` says; empty where there is none.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// The ledger, below the file's folder.
    pub ledger: Option<PathBuf>,
    /// How locators are understood.
    pub identity: identity::Options,
    /// Further headings and provenance markers.
    pub draft: draft::Options,
    /// Severities by rule id, as written: `off`, `note`, `warning` or `error`.
    pub rules: BTreeMap<String, String>,
}

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    ledger: Option<String>,
    strip_tracking: Option<bool>,
    #[serde(default)]
    sources: Sources,
    #[serde(default)]
    markers: BTreeMap<String, String>,
    #[serde(default)]
    rules: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sources {
    #[serde(default)]
    headings: Vec<String>,
}

impl Project {
    /// Reads the nearest `cited.toml` in `folder` or above it.
    ///
    /// # Errors
    /// [`crate::error::Exit::NotJudged`] when the file is unreadable, is no TOML, has a key that means nothing,
    /// or names a ledger outside its own folder.
    pub fn find(folder: &Path) -> Result<Self> {
        let candidates = folder.ancestors().map(|ancestor| ancestor.join(FILE_NAME));
        for path in candidates {
            match std::fs::read_to_string(&path) {
                Ok(text) => return Self::parse(&text, &path),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::unreadable(&path, &error)),
            }
        }
        Ok(Self::default())
    }

    /// Reads the text of the file at `path`.
    ///
    /// # Errors
    /// As [`Project::find`].
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let file: File = toml::from_str(text).map_err(|error| misread(path, text, &error))?;
        let ledger = file.ledger.map(|name| below(path, &name)).transpose()?;
        Ok(Self {
            ledger,
            identity: identity::Options { strip_tracking: file.strip_tracking.unwrap_or(true) },
            draft: draft::Options {
                headings: file.sources.headings,
                markers: file.markers.into_iter().collect(),
            },
            rules: file.rules,
        })
    }
}

fn misread(path: &Path, text: &str, error: &toml::de::Error) -> Error {
    let at = error.span().map_or(0, |span| span.start).min(text.len());
    let (line, column) = crate::text::lines::LineIndex::new(text).place(text, at);
    let message =
        format!("`{}` line {line}, column {column}: {}", path.display(), error.message().replace('\n', " "));
    Error::not_judged(message).with_help("docs/cli.md lists what cited.toml may hold")
}

/// The ledger that a project names: it must lie below the file's own folder, so that a checkout can not make
/// the program write elsewhere.
fn below(file: &Path, name: &str) -> Result<PathBuf> {
    let plain =
        Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let folder = file.parent().unwrap_or(Path::new(""));
    let path = folder.join(name);
    if name.trim().is_empty() || !plain || leaves(folder, &path) {
        let message =
            format!("`{}` names the ledger `{name}`, which is not below its folder", file.display());
        return Err(Error::not_judged(message).with_help("`ledger = \"citations.json\"`, or `--ledger PATH`"));
    }
    Ok(path)
}

/// A symbolic link on the way leads out of `folder`.
fn leaves(folder: &Path, path: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let nearest = path.ancestors().find_map(real);
    match (real(folder), nearest) {
        (Some(folder), Some(target)) => !target.starts_with(&folder) && !folder.starts_with(&target),
        _ => false,
    }
}

/// What the environment says about where the ledger is. Blank values count as unset.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `$CITED_LEDGER`
    pub cited_ledger: Option<PathBuf>,
    /// `$HERMES_CITATION_LEDGER`
    pub hermes_ledger: Option<PathBuf>,
    /// `$HERMES_HOME`
    pub hermes_home: Option<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The platform's data folder for this program.
    pub data: Option<PathBuf>,
}

/// Where the ledger is; the first that is set wins: the flag, the two variables, the project's file (read only
/// if it comes to that), Hermes's cache where Hermes is installed, the platform's data folder.
///
/// # Errors
/// What reading the project's file gives, and [`crate::error::Exit::No`] where nothing names a place.
pub fn ledger_path(
    flag: Option<&Path>,
    environment: &Environment,
    project: impl FnOnce() -> Result<Option<PathBuf>>,
) -> Result<PathBuf> {
    let home = environment.home.as_deref();
    let named = [flag, environment.cited_ledger.as_deref(), environment.hermes_ledger.as_deref()];
    if let Some(path) = named.into_iter().flatten().find(|path| !is_blank(path)) {
        return Ok(expand_home(path, home));
    }
    if let Some(path) = project()? {
        return Ok(path);
    }
    let hermes =
        environment.hermes_home.as_deref().filter(|path| !is_blank(path)).map(|path| expand_home(path, home));
    let hermes = hermes.or_else(|| home.map(|home| home.join(".hermes")).filter(|folder| folder.is_dir()));
    if let Some(folder) = hermes {
        return Ok(folder.join("cache").join("citations").join("ledger.json"));
    }
    match &environment.data {
        Some(folder) => Ok(folder.join("ledger.json")),
        None => {
            Err(Error::no("no place for the ledger: there is no home folder").with_help("`--ledger PATH`"))
        }
    }
}

fn is_blank(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.trim().is_empty())
}

/// `~` and `~/…` as the home folder.
fn expand_home(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(text: &str) -> Result<Project> {
        Project::parse(text, Path::new("/reports/cited.toml"))
    }

    #[test]
    fn a_project_names_its_ledger_markers_headings_and_severities() {
        let text = "ledger = \"citations.json\"\nstrip-tracking = false\n[sources]\nheadings = [\"Belege\"]\n\
                    [markers]\ntool = \"[tool:NAME]\"\n[rules]\nuncited-source = \"off\"\n";
        let project = project(text).unwrap();
        assert_eq!(project.ledger.unwrap(), Path::new("/reports/citations.json"));
        assert!(!project.identity.strip_tracking);
        assert_eq!(project.draft.headings, ["Belege"]);
        assert_eq!(project.draft.markers, [("tool".to_owned(), "[tool:NAME]".to_owned())]);
        assert_eq!(project.rules["uncited-source"], "off");
    }

    #[test]
    fn a_ledger_outside_the_project_is_refused() {
        for name in ["/etc/ledger.json", "../ledger.json", "a/../../ledger.json", " "] {
            let error = project(&format!("ledger = {name:?}")).unwrap_err();
            assert!(error.to_string().contains("not below its folder"), "{error}");
        }
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        let error = project("ledger = \"a.json\"\nledgr = 1\n").unwrap_err().to_string();
        assert!(error.contains("line 2, column 1") && error.contains("ledgr"), "{error}");
    }

    #[test]
    fn a_project_can_not_set_where_memory_is_sent() {
        assert!(project("[recall]\nhindsight = \"https://evil.example\"\n").is_err());
    }

    fn path_with(environment: &Environment, flag: Option<&str>, project: Option<&str>) -> PathBuf {
        ledger_path(flag.map(Path::new), environment, || Ok(project.map(PathBuf::from))).unwrap()
    }

    #[test]
    fn the_first_place_that_is_named_wins() {
        let mut environment = Environment {
            cited_ledger: Some("/c.json".into()),
            hermes_ledger: Some("/h.json".into()),
            hermes_home: Some("/hermes".into()),
            home: Some("/home/ada".into()),
            data: Some("/data".into()),
        };
        assert_eq!(path_with(&environment, Some("~/f.json"), Some("/p.json")), Path::new("/home/ada/f.json"));
        assert_eq!(path_with(&environment, None, Some("/p.json")), Path::new("/c.json"));
        environment.cited_ledger = Some("  ".into());
        assert_eq!(path_with(&environment, None, Some("/p.json")), Path::new("/h.json"));
        environment.hermes_ledger = None;
        assert_eq!(path_with(&environment, None, Some("/p.json")), Path::new("/p.json"));
        assert_eq!(path_with(&environment, None, None), Path::new("/hermes/cache/citations/ledger.json"));
        environment.hermes_home = Some("".into());
        assert_eq!(path_with(&environment, None, None), Path::new("/data/ledger.json"));
    }
}
