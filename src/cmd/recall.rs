//! `cited recall`: ask the memories, print a cited answer or why there is none.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cited::file::Access;
use cited::recall::models::Choice;
use cited::recall::{self, Params, Recall, Settings, Surroundings, check, fuse, page, report};
use cited::{Error, Result};

use super::memory::beside_ledger;
use super::session::{Session, now};
use super::{Done, Outcome, Terminal};
use crate::cli::{Fusion, RecallArgs};

/// The page's file where none is named.
const PAGE: &str = "cited_recall_output.html";
/// The path that stands for stdout.
const STDOUT: &str = "-";
/// How often the sign that something is waited for moves.
const TICK: Duration = Duration::from_millis(120);

pub fn run(args: RecallArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let settings = settings(&args, session)?;
    if args.check {
        return print_check(&args, &settings, terminal);
    }
    let params = params(&args, &settings)?;
    let waiting = waiting();
    let found = recall::recall(args.query.as_deref().unwrap_or_default(), params, settings);
    waiting.finish_and_clear();
    let found = found?;
    print(&args, &found, terminal)?;
    Ok(if found.abstention().is_some() { Outcome::No } else { Outcome::Fine })
}

/// Shows that something is being waited for, on a terminal's stderr only.
fn waiting() -> indicatif::ProgressBar {
    let spinner = indicatif::ProgressBar::new_spinner().with_message("asking the memories");
    if !spinner.is_hidden() {
        spinner.enable_steady_tick(TICK);
    }
    spinner
}

fn print(
    args: &RecallArgs,
    found: &Recall,
    terminal: &mut Terminal,
) -> std::result::Result<(), super::Failure> {
    let now = now();
    let output = args.output.as_deref();
    if args.html {
        let path = output.unwrap_or(Path::new(PAGE));
        write(path, &page::html(found, &now), terminal)?;
        if path != Path::new(STDOUT) {
            terminal.hint(&format!("the page is in `{}`", path.display()))?;
        }
    }
    if args.json || !args.html {
        let path = output.filter(|_| !args.html).unwrap_or(Path::new(STDOUT));
        write(path, &report::json(found, &now), terminal)?;
    }
    Ok(())
}

/// To a file, or to stdout where the path is `-`. What cannot be written is not judged: an exit code of 1 would say
/// that there is no answer.
fn write(path: &Path, text: &str, terminal: &mut Terminal) -> std::result::Result<(), super::Failure> {
    let bytes = text.as_bytes();
    let written = match path == Path::new(STDOUT) {
        true => terminal.raw(bytes).and_then(|()| terminal.flush()),
        false => cited::file::replace_with(path, Access::Private, |file| file.write_all(bytes)),
    };
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let message = format!("cannot write `{}`: {}", path.display(), cited::error::plain(&error));
            let help = "check the path and its permissions; `--output -` is stdout";
            Err(Error::not_judged(message).with_help(help).into())
        }
        other => Ok(other?),
    }
}

fn print_check(args: &RecallArgs, settings: &Settings, terminal: &mut Terminal) -> Done {
    let lines = check::check(settings);
    if args.json {
        let mut text = serde_json::to_vec_pretty(&lines).unwrap_or_default();
        text.push(b'\n');
        terminal.raw(&text)?;
    } else {
        for line in &lines {
            terminal.line(&format!("{:<6} {:<12} {:<5} {}", line.kind, line.name, line.state, line.found))?;
            terminal.line(&format!("{:<6} {:<12} {:<5}   would {}", "", "", "", line.asks))?;
        }
    }
    let reached = lines.iter().any(|line| line.kind == "source" && line.state == "ok");
    Ok(if reached { Outcome::Fine } else { Outcome::No })
}

fn params(args: &RecallArgs, settings: &Settings) -> Result<Params> {
    let params = Params {
        limit: args.limit as usize,
        sources: args.sources.iter().map(|name| name.trim().to_owned()).collect(),
        min_sources: args.min_sources as usize,
        threshold: args.threshold.unwrap_or(settings.threshold),
        fusion: match args.fusion {
            Fusion::Keep => fuse::Fusion::Keep,
            Fusion::Sum => fuse::Fusion::Sum,
        },
        llm: Choice::named(&args.llm).unwrap_or_default(),
        ..Params::default()
    };
    params.checked()
}

fn settings(args: &RecallArgs, session: &Session) -> Result<Settings> {
    let mut settings = with_notes(args.memory.clone(), session)?;
    settings.context.files.extend(args.context.iter().cloned());
    Ok(settings)
}

/// The user's settings, with our own notes: those named on the command line, those of the settings, or the index
/// beside the ledger.
pub fn with_notes(named: Option<PathBuf>, session: &Session) -> Result<Settings> {
    let mut settings = of_the_user()?;
    let notes = named.or(settings.memory.path.take());
    settings.memory.path = notes.or_else(|| index_beside_ledger(session));
    Ok(settings)
}

/// The user's own config file and the environment; a project's cited.toml has no say here.
fn of_the_user() -> Result<Settings> {
    let path = config_file();
    let text = path.as_deref().map(text_if_there).transpose()?.flatten();
    let folder = std::env::current_dir().unwrap_or_default();
    let base = directories::BaseDirs::new();
    Settings::read(&Surroundings {
        config: path.as_deref().zip(text.as_deref()),
        variable: &|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()),
        home: base.as_ref().map(|base| base.home_dir()),
        folder: &folder,
        now: jiff::Timestamp::now(),
    })
}

fn text_if_there(path: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::unreadable(path, &error)),
    }
}

/// The embedded index, where it is already there; what keeps the ledger's place from being told is no matter here.
fn index_beside_ledger(session: &Session) -> Option<PathBuf> {
    beside_ledger(session).ok().filter(|index| index.is_file())
}

fn config_file() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "cited")?;
    Some(folders.config_dir().join("config.toml"))
}
