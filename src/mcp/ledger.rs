//! The ledger: register pages, register what a tool returned, list what there is.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::schema;
use super::tool::{Call, Hints, Tool, no_files};
use crate::identity::{self, Locator};
use crate::ingest::{self, Findings, NotJson};
use crate::ledger::{Ledger, Source, format};
use crate::register::pages::{self, About};
use crate::register::{
    Desk, Registered,
    replies::{self, Entered},
};

pub const ADD: Tool = Tool {
    name: "ledger_add",
    title: "Register pages",
    about: "Register every page at the moment you retrieve it; the `id` you get is the number to cite as `[id]`. One \
            page keeps one id, however often it is registered. Never make up an id or a URL.",
    input: schema::input::<Add>,
    output: include_str!("schemas/sources.json"),
    hints: Hints::ADDS,
    names_files: |arguments| texts(arguments, "urls").any(|url| !url.contains("://")),
    call: add,
};

pub const INGEST: Tool = Tool {
    name: "ledger_ingest",
    title: "Register what a tool returned",
    about: "Register every source in the reply of a search, extract or answer tool, as it was returned: JSON or JSON \
            Lines, in files or as `reply`. Page bodies in it are kept, so that quotes can be checked against them.",
    input: schema::input::<Ingest>,
    output: include_str!("schemas/sources.json"),
    hints: Hints::ADDS,
    names_files: |arguments| texts(arguments, "files").next().is_some(),
    call: ingest,
};

pub const LIST: Tool = Tool {
    name: "ledger_list",
    title: "List the sources",
    about: "Every source of the ledger with its id, URL, title and quotes.",
    input: schema::input::<List>,
    output: include_str!("schemas/ledger_list.json"),
    hints: Hints::LOOKS,
    names_files: no_files,
    call: list,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Add {
    /// URLs, DOIs, arXiv ids, or files beneath a root
    #[schemars(length(min = 1))]
    urls: Vec<String>,
    /// The page's title (with one URL)
    #[serde(default)]
    title: Option<String>,
    /// The day it was retrieved, YYYY-MM-DD; today where it is not said
    #[serde(default)]
    accessed: Option<String>,
    /// How it was found: web, reddit, rss, video, code…
    #[serde(default)]
    via: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ingest {
    /// JSON or JSON Lines files beneath a root
    #[serde(default)]
    files: Vec<PathBuf>,
    /// The reply itself, as the tool returned it: JSON, or a string that holds JSON or JSON Lines
    #[serde(default)]
    reply: Option<Value>,
    /// How the sources were found: web, reddit, rss, video, code…
    #[serde(default)]
    via: Option<String>,
    /// Say what would be registered; change nothing
    #[serde(default)]
    dry_run: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct List {}

/// Something that was given and is not in the ledger now, and why.
struct Refused {
    given: String,
    message: String,
    help: Option<String>,
}

fn add(call: &Call) -> Result<Value, Failure> {
    let args: Add = call.arguments()?;
    let desk = (call.server.around.desk)()?;
    let accessed = args.accessed.as_deref().map_or_else(|| Ok(desk.today.clone()), pages::day)?;
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    for given in call.some("urls", &args.urls)? {
        match locate(call, &desk, given) {
            Ok(locator) => found.push((given.as_str(), locator)),
            Err(why) => refused.push(why),
        }
    }
    let one = if args.urls.len() == 1 { args.title.as_deref().unwrap_or_default() } else { "" };
    let about = About { title: one, accessed: &accessed, via: args.via.as_deref() };
    let mut registered =
        if found.is_empty() { Registered::default() } else { pages::add(&desk, &found, about)? };
    registered.notes.extend(found.into_iter().flat_map(|(_, locator)| locator.warnings));
    if args.urls.len() > 1 && args.title.is_some() {
        registered.notes.push("`title` names one page; with several URLs it is ignored".into());
    }
    told(&registered, refused)
}

fn ingest(call: &Call) -> Result<Value, Failure> {
    let args: Ingest = call.arguments()?;
    let desk = (call.server.around.desk)()?;
    let mut refused = Vec::new();
    let inputs = inputs(call, &args, &mut refused)?;
    let findings = findings(&inputs, &mut refused);
    let mut notes = findings.warnings.clone();
    let skipped = findings.skipped_in_words();
    notes.extend((!skipped.is_empty()).then(|| format!("skipped {skipped}")));
    let mut registered = if !replies::names_a_page(&desk, &findings.found) {
        if refused.is_empty() {
            let help = "`ledger_add` registers a page by its URL";
            return Err(Failure::new("NoUrls", "no urls found in what was given", help));
        }
        Registered::default()
    } else {
        let (found, via) = (&findings.found, args.via.as_deref());
        let see = |ledger: &mut Ledger, entered: &Entered| {
            Ok(entered.sources(ledger).into_iter().cloned().collect::<Vec<_>>())
        };
        let (entered, sources) = match args.dry_run {
            true => replies::preview(&desk, found, via, see)?,
            false => replies::register(&desk, found, via, see)?,
        };
        Registered { sources, notes: entered.notes }
    };
    registered.notes.extend(notes);
    told(&registered, refused)
}

fn list(call: &Call) -> Result<Value, Failure> {
    let List {} = call.arguments()?;
    let ledger = (call.server.around.desk)()?.store.read()?;
    Ok(json!({ "sources": entries(ledger.sources()) }))
}

/// Sources as the ledger's file writes them.
pub fn entries(sources: &[Source]) -> Value {
    serde_json::from_str(&format::entries(sources)).unwrap_or_default()
}

/// The texts in the list `name` of some arguments.
pub fn texts<'a>(arguments: &'a Map<String, Value>, name: &str) -> impl Iterator<Item = &'a str> {
    arguments.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The page that a text names: a URL or locator, else a file that may be read here.
fn locate(call: &Call, desk: &Desk, given: &str) -> Result<Locator, Refused> {
    let reason = match desk.locate(given) {
        Ok(locator) => return Ok(locator),
        Err(reason) => reason,
    };
    match call.files.path(Path::new(given.trim())) {
        Ok(_) => Ok(identity::local(given.trim())),
        Err(_) => Err(Refused { given: given.into(), message: reason.found, help: reason.help }),
    }
}

/// Each input under its name.
fn inputs(call: &Call, args: &Ingest, refused: &mut Vec<Refused>) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut inputs = Vec::new();
    for path in &args.files {
        let name = path.display().to_string();
        match call.files.read(path) {
            Ok(bytes) => inputs.push((name, bytes)),
            Err(why) => refused.push(Refused { given: name, message: why.message, help: why.help }),
        }
    }
    if let Some(reply) = &args.reply {
        let text = reply.as_str().map_or_else(|| Cow::Owned(reply.to_string()), Cow::Borrowed);
        inputs.push(("reply".into(), text.into_owned().into_bytes()));
    }
    if inputs.is_empty() && refused.is_empty() {
        return Err(Failure::arguments("neither `files` nor `reply` was given"));
    }
    Ok(inputs)
}

/// What the inputs name. What can not be read is refused with its place; what stands there is not shown.
fn findings<'b>(inputs: &'b [(String, Vec<u8>)], refused: &mut Vec<Refused>) -> Findings<'b> {
    let mut all = Findings::default();
    let mut refuse = |name: &str, message: String| {
        let help = Some("give the reply as the tool returned it".to_owned());
        refused.push(Refused { given: name.to_owned(), message, help });
    };
    for (name, bytes) in inputs {
        match ingest::read(bytes) {
            Ok(found) => {
                for line in &found.broken {
                    refuse(name, format!("`{name}` line {} is not valid JSON", line.line));
                }
                all.append(found);
            }
            Err(NotJson::Broken { line, column, .. }) => {
                refuse(name, format!("`{name}` is not valid JSON: line {line}, column {column}"));
            }
            Err(other) => refuse(name, format!("`{name}` {other}")),
        }
    }
    all
}

/// What was registered; a failure where something was not.
fn told(registered: &Registered, refused: Vec<Refused>) -> Result<Value, Failure> {
    let list =
        refused.iter().map(|one| json!({ "given": one.given, "message": one.message, "help": one.help }));
    let json = json!({
        "sources": entries(&registered.sources),
        "notes": registered.notes,
        "refused": list.collect::<Vec<_>>(),
    });
    match refused.into_iter().next() {
        None => Ok(json),
        Some(Refused { message, help, .. }) => {
            let failure = Failure { help, ..Failure::new("NotRegistered", message, "") };
            Err(failure.after(json))
        }
    }
}
