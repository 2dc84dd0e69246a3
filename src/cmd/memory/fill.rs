//! Filling: `index`, `forget` and `calibrate`.

use std::io::IsTerminal;

use cited::Error;
use cited::memory::Memory;
use cited::memory::calibrate::{LABEL_FORM, Label};
use cited::memory::index::{Progress, Report, Request};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::super::input::read_text;
use super::super::session::now;
use super::super::{Done, Outcome, Terminal};
use crate::cli::memory::{CalibrateArgs, ForgetArgs, IndexArgs};

pub fn index(args: IndexArgs, memory: &Memory, terminal: &mut Terminal) -> Done {
    let bar = bar();
    let mut progress = |at: Progress| {
        bar.set_length(at.total as u64);
        bar.set_position(at.done as u64);
    };
    let request = Request { paths: &args.paths, now: &now(), prune: args.prune };
    let report = memory.index(&request, &mut progress);
    bar.finish_and_clear();
    print(&report?, terminal)
}

pub fn forget(args: ForgetArgs, memory: &Memory, terminal: &mut Terminal) -> Done {
    memory.forget(&args.sources, &now())?;
    args.sources.iter().try_for_each(|source| terminal.line(&format!("forgotten: {source}")))?;
    Ok(Outcome::Fine)
}

pub fn calibrate(args: CalibrateArgs, memory: &Memory, terminal: &mut Terminal) -> Done {
    let labels = labels(&read_text(&args.labels)?)?;
    let found = memory.calibrate(&labels)?;
    terminal.line(&format!(
        "calibrated: threshold {:.3}, AUC {:.3} (lower bound {:.3}); {:.0}% of the answerable questions pass, {:.0}% of the others",
        found.threshold,
        found.auc,
        found.auc_lower,
        found.answered * 100.0,
        found.wrongly_answered * 100.0
    ))?;
    Ok(Outcome::Fine)
}

/// On a terminal's stderr only.
fn bar() -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("indexing {bar:30} {pos}/{len} notes") {
        bar.set_style(style);
    }
    bar
}

fn print(report: &Report, terminal: &mut Terminal) -> Done {
    let counts = [
        (report.added, "added"),
        (report.changed, "changed"),
        (report.unchanged, "unchanged"),
        (report.removed, "removed"),
        (report.forgotten, "forgotten earlier"),
        (report.failed.len(), "failed"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let counts = if counts.is_empty() { "no notes found".to_owned() } else { counts };
    terminal.line(&format!("indexed: {counts}; generation {}", report.generation))?;
    for skipped in &report.skipped {
        terminal.hint(&format!("skipped `{}`: {}", skipped.source, skipped.why))?;
    }
    for failed in &report.failed {
        let message = format!("cannot index `{}`: {}", failed.source, failed.why);
        terminal.error(&message, Some("correct it and index again; what could be read is in memory"))?;
    }
    if !report.kept.is_empty() {
        let message = format!(
            "{} note(s) have vanished, half or more of what memory has there; they were kept",
            report.kept.len()
        );
        terminal.error(&message, Some("add `--prune` to remove them"))?;
        return Ok(Outcome::No);
    }
    Ok(if report.failed.is_empty() { Outcome::Fine } else { Outcome::NotJudged })
}

fn labels(lines: &str) -> cited::Result<Vec<Label>> {
    let numbered = (1..).zip(lines.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = numbered.map(|(number, line)| {
        serde_json::from_str(line).map_err(|error| {
            Error::not_judged(format!("line {number} of the labels is no label: {error}"))
                .with_help(LABEL_FORM)
        })
    });
    read.collect()
}
