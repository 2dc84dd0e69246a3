//! Drafts: write their Sources block, check them against the ledger.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::schema;
use super::tool::{Call, Hints, Tool};
use crate::draft::Draft;
use crate::draft::rewrite::replace_blocks;
use crate::ledger::{Ledger, Source};
use crate::register::Desk;
use crate::render::selection::{self, Selection};
use crate::render::{self, STYLES, Style};
use crate::report::provenance::Provenance;
use crate::report::{self, DraftReport, Report, Verdict};
use crate::verify::{self, Options, Strictness, parallel};

pub const RENDER: Tool = Tool {
    name: "ledger_render",
    title: "Write the Sources block",
    about: "Write the Sources block from the ledger: of all sources, of the ids in `only`, or of what the draft \
            `cited_in` cites. `replace_in` puts it into a draft, where the user allows that. Never write the block \
            by hand.",
    input: schema::input::<Render>,
    output: include_str!("schemas/ledger_render.json"),
    hints: Hints::REPLACES,
    names_files: |arguments| arguments.contains_key("cited_in") || arguments.contains_key("replace_in"),
    call: render,
};

pub const VERIFY: Tool = Tool {
    name: "ledger_verify",
    title: "Check drafts against the ledger",
    about: "Check drafts before delivering them: unknown numbers, a Sources block that disagrees with the ledger, \
            sentences without provenance, sources without a quote that stands on their page. Mend every finding that \
            `fails`, then check again.",
    input: schema::input::<Verify>,
    output: include_str!("schemas/ledger_verify.json"),
    hints: Hints::LOOKS,
    names_files: |_| true,
    call: verify,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Render {
    /// markdown, plain, footnotes, bibtex, evidence, csl-json, ris, html or latex; markdown where it is not said
    #[serde(default)]
    style: Option<String>,
    /// Only these ids: 1,3,5-7
    #[serde(default)]
    only: Option<String>,
    /// Only what this draft cites, a file beneath a root
    #[serde(default)]
    cited_in: Option<PathBuf>,
    /// Rewrite the Sources block of this draft in place, where the user allows it
    #[serde(default)]
    replace_in: Option<PathBuf>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Verify {
    /// Markdown files beneath a root
    #[schemars(length(min = 1))]
    drafts: Vec<PathBuf>,
    /// Warnings fail too; `all` adds notes
    #[serde(default)]
    strict: Option<Asked<Strict>>,
    /// The least share of sentences with declared provenance, 0 to 1
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: Option<f64>,
    /// Every cited source needs a quote that still stands on its page; `sentence` asks that for each cited sentence
    #[serde(default)]
    evidence: Option<Asked<Evidence>>,
    /// Hold the figures of cited sentences against the quotes of their sources
    figures: Option<bool>,
    /// Look up quotations in cited sentences on the pages of their sources
    quotations: Option<bool>,
}

/// A level, or only whether it is asked for.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Asked<T> {
    Whether(bool),
    Level(T),
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Strict {
    Warnings,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Evidence {
    Source,
    Sentence,
}

impl<T> Asked<T> {
    fn level(self, usual: T) -> Option<T> {
        match self {
            Self::Whether(false) => None,
            Self::Whether(true) => Some(usual),
            Self::Level(level) => Some(level),
        }
    }
}

fn render(call: &Call) -> Result<Value, Failure> {
    let args: Render = call.arguments()?;
    let style = style(&args)?;
    if args.replace_in.is_some() && !call.server.around.allowed.write {
        let message = "replacing in a file is not allowed here";
        let help =
            "put `text` into the draft yourself, or ask the user to start the server with `--allow-write`";
        return Err(Failure::new("NotAllowed", message, help));
    }
    let desk = (call.server.around.desk)()?;
    let ledger = desk.store.read()?;
    let mut notes = Vec::new();
    let sources = chosen(call, &args, &desk, &ledger, &mut notes)?;
    if sources.is_empty() {
        return Err(Failure::new(
            "NoSources",
            "no sources to render",
            "`ledger_list` shows what the ledger holds",
        ));
    }
    let block = (style.write)(&sources);
    if let Some(path) = &args.replace_in {
        let text = call.files.read_text(path)?;
        let draft = Draft::parse(&text, &desk.project.draft, &ledger);
        let rewritten = replace_blocks(&draft, &block.body, block.opening);
        if rewritten != text {
            call.files.replace(path, rewritten.as_bytes())?;
        }
    }
    let ids: Vec<u32> = sources.iter().map(|source| source.id.0).collect();
    Ok(json!({ "text": block.text(), "ids": ids, "rewritten": args.replace_in, "notes": notes }))
}

fn style(args: &Render) -> Result<&'static Style, Failure> {
    let named = args.style.as_deref().unwrap_or("markdown");
    let names = |fit: fn(&Style) -> bool| -> String {
        STYLES.iter().filter(|style| fit(style)).map(|style| style.name).collect::<Vec<_>>().join(", ")
    };
    let Some(style) = render::style(named) else {
        return Err(Failure::arguments(format!("no style `{named}`; there are {}", names(|_| true))));
    };
    if args.replace_in.is_some() && !style.in_draft {
        let fit = names(|style| style.in_draft);
        return Err(Failure::arguments(format!("style `{named}` can not stand in a draft; {fit} can")));
    }
    Ok(style)
}

/// `only` and the draft's citations narrow each other; without either, everything that may be cited.
fn chosen<'l>(
    call: &Call,
    args: &Render,
    desk: &Desk,
    ledger: &'l Ledger,
    notes: &mut Vec<String>,
) -> Result<Vec<&'l Source>, Failure> {
    let mut asked = Vec::from_iter(args.only.as_deref().map(Selection::parse).transpose()?);
    let own = args.replace_in.as_ref().filter(|_| args.cited_in.is_none() && args.only.is_none());
    for path in args.cited_in.iter().chain(own) {
        let text = call.files.read_text(path)?;
        asked.push(Selection::of(&Draft::parse(&text, &desk.project.draft, ledger).cited()));
    }
    for id in asked.iter().flat_map(|selection| selection.missing(ledger)) {
        notes.push(format!("no source [{id}] in the ledger; it is left out"));
    }
    Ok(selection::chosen(&asked, ledger))
}

fn verify(call: &Call) -> Result<Value, Failure> {
    let args: Verify = call.arguments()?;
    let drafts = call.some("drafts", &args.drafts)?;
    let desk = (call.server.around.desk)()?;
    let options = options(&args, &desk)?;
    let ledger = desk.store.read()?;
    let texts: Vec<Result<String, Failure>> = drafts.iter().map(|path| call.files.read_text(path)).collect();
    let report = judge(&args, &texts, &desk, &ledger, &options);
    let json = json_of(&report);
    match texts.into_iter().find_map(Result::err) {
        Some(failure) if report.verdict() == Verdict::NotJudged => Err(failure.after(json)),
        _ => Ok(json),
    }
}

fn options(args: &Verify, desk: &Desk) -> Result<Options, Failure> {
    let mut options = Options::with_levels(&desk.project.rules)?;
    if let Some(share) = args.min_coverage {
        options.set_min_coverage(share)?;
    }
    options.sentences = evidence(args) == Some(Evidence::Sentence);
    options.figures = args.figures.unwrap_or(false);
    Ok(options)
}

fn evidence(args: &Verify) -> Option<Evidence> {
    args.evidence?.level(Evidence::Source)
}

fn judge(
    args: &Verify,
    texts: &[Result<String, Failure>],
    desk: &Desk,
    ledger: &Ledger,
    options: &Options,
) -> Report {
    let readable: Vec<Option<&str>> = texts.iter().map(|text| text.as_deref().ok()).collect();
    let drafts =
        parallel::map(&readable, |text| text.map(|text| Draft::parse(text, &desk.project.draft, ledger)));
    let asked =
        verify::Asked { quotes: evidence(args).is_some(), quotations: args.quotations.unwrap_or(false) };
    let evidence = verify::Evidence::of(asked, &drafts, ledger, |digest| desk.snapshots.load(digest));
    let (checked, together) = verify::check_all(&drafts, ledger, options, &evidence);
    let reports = args.drafts.iter().zip(texts).zip(checked).map(|((path, text), checked)| {
        let text = text.as_deref().map_err(|why| (why.message.clone(), why.help.clone()));
        DraftReport::of(path, text, checked, Provenance::default())
    });
    let strictness = match args.strict.and_then(|strict| strict.level(Strict::Warnings)) {
        None => Strictness::Errors,
        Some(Strict::Warnings) => Strictness::Strict,
        Some(Strict::All) => Strictness::All,
    };
    let drafts = reports.collect();
    Report { drafts, together: together.into_iter().collect(), strictness, ..Report::default() }
}

/// The report in its JSON format.
fn json_of(report: &Report) -> Value {
    let (mut out, mut aside) = (Vec::new(), Vec::new());
    let mut sinks = report::Sinks { out: &mut out, err: &mut aside, colored: false };
    let written = report::format("json").map(|format| (format.write)(report, &mut sinks));
    let json = matches!(written, Some(Ok(()))).then(|| serde_json::from_slice(&out).ok()).flatten();
    json.unwrap_or_else(|| Value::Object(Map::new()))
}
