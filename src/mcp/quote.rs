//! Quotes: words that stand on the page become evidence.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::failure::Failure;
use super::schema;
use super::tool::{Call, Hints, Tool};
use crate::evidence::{Page, Reader, Refusal};
use crate::ledger::SourceId;
use crate::register::quotes::{self, Blocks, Checked, Keep};
use crate::text::lines::LineIndex;

pub const QUOTE: Tool = Tool {
    name: "ledger_quote",
    title: "Attach verbatim evidence",
    about: "Attach words that stand on a source's page, copied exactly. They are checked against the page text that \
            was kept at registering, or against the file `from`. A refusal says how the page differs: copy the \
            sentence, never reword it to pass.",
    input: schema::input::<Quotes>,
    output: include_str!("schemas/ledger_quote.json"),
    hints: Hints::ADDS,
    names_files: |arguments| arguments.get("from").is_some_and(Value::is_string),
    call: quote,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Quotes {
    /// The source's id
    id: u32,
    /// Words that stand on the page, each at least three words long
    #[schemars(length(min = 1))]
    texts: Vec<String>,
    /// The page as it was retrieved, a file beneath a root; the page text that was kept where it is not said
    #[serde(default)]
    from: Option<PathBuf>,
    /// How to read that file; told by its content where it is not said
    #[serde(default, rename = "as")]
    kind: Option<Kind>,
    /// Refuse a quote that runs from one block of the page into the next
    #[serde(default)]
    strict: bool,
    /// Keep the hash and the place of the quote, but not the page's text
    #[serde(default)]
    no_snapshot: bool,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Text,
    Markdown,
    Html,
    Pdf,
}

fn quote(call: &Call) -> Result<Value, Failure> {
    let args: Quotes = call.arguments()?;
    let id = SourceId(args.id);
    let desk = (call.server.around.desk)()?;
    let ledger = desk.store.read()?;
    let source = ledger.require(id)?;
    let (page, name) = match &args.from {
        Some(path) => (read(call, path, args.kind)?, path.display().to_string()),
        None => (quotes::kept_page(&desk, source)?, format!("snapshot of [{id}]")),
    };
    if args.from.is_some() {
        quotes::refuse_own_draft(&desk, &ledger, id, &page, &name)?;
    }
    let texts: Vec<&str> = call.some("texts", &args.texts)?.iter().map(String::as_str).collect();
    let blocks = if args.strict { Blocks::One } else { Blocks::Any };
    let checked = quotes::check(&desk, &ledger, id, &page, &texts, blocks);
    let keep = if args.no_snapshot { Keep::Hash } else { Keep::Page };
    let total = match checked.found.is_empty() {
        true => source.quotes.len(),
        false => quotes::attach(&desk, id, &checked.found, &page, keep)?,
    };
    told(id, total, &page, &name, &checked)
}

/// The page in the file that was named.
fn read(call: &Call, path: &Path, kind: Option<Kind>) -> Result<Page, Failure> {
    let reader = kind.map(|kind| match kind {
        Kind::Text => Reader::Text,
        Kind::Markdown => Reader::Markdown,
        Kind::Html => Reader::Html,
        Kind::Pdf => Reader::Pdf,
    });
    let pdf = call.server.around.pdf;
    Page::read_with(call.files.read(path)?, reader, |bytes| pdf(&bytes)).map_err(|cause| {
        let refusal = Refusal::CannotCheck(cause);
        Failure::new("CannotCheck", refusal.message(&path.display().to_string()), refusal.help())
    })
}

/// What was attached; a failure where a quote was refused.
fn told(id: SourceId, total: usize, page: &Page, name: &str, checked: &Checked) -> Result<Value, Failure> {
    let lines = LineIndex::new(page.text());
    let attached = checked.found.iter().map(|(text, found)| {
        json!({ "text": text, "line": lines.line(found.span.start), "warnings": quotes::warnings(found) })
    });
    let refused = checked.refused.iter().map(
        |(text, refusal)| json!({ "text": text, "message": refusal.message(name), "help": refusal.help() }),
    );
    let json = json!({
        "id": id.0,
        "quotes": total,
        "attached": attached.collect::<Vec<_>>(),
        "refused": refused.collect::<Vec<_>>(),
    });
    match checked.refused.first() {
        None => Ok(json),
        Some((_, refusal)) => {
            Err(Failure::new("QuoteRefused", refusal.message(name), refusal.help()).after(json))
        }
    }
}
