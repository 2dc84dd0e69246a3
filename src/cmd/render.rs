//! `cited render`: the Sources block to stdout, or into a draft.

use std::path::Path;

use cited::Error;
use cited::draft::Draft;
use cited::draft::rewrite::replace_blocks;
use cited::ledger::{Ledger, Source};
use cited::render::selection::{self, Selection};
use cited::render::{self, Block, STYLES, Style};

use super::input::read_text;
use super::session::Session;
use super::{Done, Failure, Outcome, Terminal};
use crate::cli::RenderArgs;

pub fn run(args: RenderArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let style =
        render::style(&args.style).ok_or_else(|| Error::not_judged(format!("no style `{}`", args.style)))?;
    if args.replace_in.is_some() && !style.in_draft {
        return Err(unfit(style).into());
    }
    if args.replace_in.as_deref() == Some(Path::new("-")) {
        let refused = Error::not_judged("standard input cannot be rewritten in place");
        return Err(refused.with_help("name the draft's file").into());
    }
    let ledger = session.store()?.read()?;
    let sources = chosen(&args, &ledger, session, terminal)?;
    if sources.is_empty() {
        return Err(Error::no("no sources to render")
            .with_help("`cited list` shows what the ledger holds")
            .into());
    }
    let block = (style.write)(&sources);
    match &args.replace_in {
        None => terminal.raw(block.text().as_bytes())?,
        Some(path) => {
            rewrite(path, &block, &ledger, session)?;
            terminal.line(&format!("Sources block rewritten in {}", path.display()))?;
        }
    }
    Ok(Outcome::Fine)
}

/// `--only` and the draft's citations narrow each other; without either, everything that may be cited.
fn chosen<'l>(
    args: &RenderArgs,
    ledger: &'l Ledger,
    session: &Session,
    terminal: &mut Terminal,
) -> Result<Vec<&'l Source>, Failure> {
    let only = args.only.as_deref().map(Selection::parse).transpose()?;
    let mut asked = Vec::from_iter(only);
    let drafts = args
        .cited_in
        .iter()
        .chain(args.replace_in.iter().filter(|_| args.cited_in.is_none() && args.only.is_none()));
    for path in drafts {
        let text = read_text(path)?;
        asked.push(Selection::of(&Draft::parse(&text, &session.project()?.draft, ledger).cited()));
    }
    for id in asked.iter().flat_map(|selection| selection.missing(ledger)) {
        terminal.warn(&format!("no source [{id}] in the ledger; it is left out"))?;
    }
    Ok(selection::chosen(&asked, ledger))
}

fn rewrite(path: &Path, block: &Block, ledger: &Ledger, session: &Session) -> Result<(), Failure> {
    let text = read_text(path)?;
    let draft = Draft::parse(&text, &session.project()?.draft, ledger);
    let rewritten = replace_blocks(&draft, &block.body, block.opening);
    if rewritten != text {
        cited::file::replace(path, rewritten.as_bytes()).map_err(|error| Error::unwritable(path, error))?;
    }
    Ok(())
}

fn unfit(style: &Style) -> Error {
    let fit: Vec<&str> = STYLES.iter().filter(|style| style.in_draft).map(|style| style.name).collect();
    Error::not_judged(format!("style `{}` can not stand in a draft", style.name))
        .with_help(format!("`--replace-in` takes the styles {}", fit.join(", ")))
}
