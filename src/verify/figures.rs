//! The figures of cited sentences beside those of their sources' quotes. In: claims. Out: each figure with how it
//! stands. Reading and comparing figures is [`crate::text::quantity`]'s; passing is not support.

use std::collections::HashMap;

use super::claims::Claim;
use crate::draft::Span;
use crate::ledger::{Source, SourceId};
use crate::text::quantity::{Figure, Reading, Standing, Value, stand};

/// A figure of a cited sentence.
#[derive(Debug)]
pub struct FigureOf<'a> {
    /// The ids that its sentence cites.
    pub ids: Vec<SourceId>,
    /// Its bytes in the draft.
    pub span: Span,
    /// The figure as its sentence shows it.
    pub said: String,
    /// How it stands to the figures of the quotes.
    pub standing: Standing,
    /// The figure of a quote that `standing` speaks of, as the quote writes it.
    pub quoted: Option<&'a str>,
}

impl FigureOf<'_> {
    /// It could not be judged.
    pub fn cannot_tell(&self) -> bool {
        self.standing == Standing::CannotTell
    }
}

/// The figures of `claims`, in text order.
pub fn figures<'a>(claims: &[Claim<'a>]) -> Vec<FigureOf<'a>> {
    let mut read: HashMap<SourceId, Vec<(&str, Reading)>> = HashMap::new();
    for source in claims.iter().flat_map(|claim| &claim.sources) {
        read.entry(source.id).or_insert_with(|| readings(source));
    }
    claims.iter().flat_map(|claim| of_claim(claim, &read)).collect()
}

fn readings(source: &Source) -> Vec<(&str, Reading)> {
    source.quotes.iter().map(|quote| (quote.text.as_str(), Reading::of(&quote.text))).collect()
}

fn of_claim<'a>(claim: &Claim<'a>, read: &HashMap<SourceId, Vec<(&'a str, Reading)>>) -> Vec<FigureOf<'a>> {
    let said = Reading::of(&claim.statement.text);
    if said.figures.is_empty() {
        return Vec::new();
    }
    let quotes: Vec<&(&str, Reading)> = claim.ids().iter().filter_map(|id| read.get(id)).flatten().collect();
    let others: Vec<&Reading> = quotes.iter().map(|(_, reading)| reading).collect();
    let judge = |figure: &Figure| {
        let standing = match stand(figure, &said, &others) {
            Standing::Missing(_) if counts_sources(figure, claim) => Standing::CannotTell,
            standing => standing,
        };
        let at = match standing {
            Standing::Coarser(at) | Standing::Finer(at) => Some(at),
            Standing::Missing(at) => at,
            Standing::Found | Standing::CannotTell => None,
        };
        FigureOf {
            ids: claim.ids(),
            span: claim.statement.original(&figure.span),
            said: claim.statement.text.get(figure.span.clone()).unwrap_or_default().to_owned(),
            standing,
            quoted: at.and_then(|at| written(&quotes, at)),
        }
    };
    said.figures.iter().map(judge).collect()
}

/// `Two studies found …[1][2]`: the figure counts the sources themselves.
fn counts_sources(figure: &Figure, claim: &Claim) -> bool {
    let count = claim.sources.len() as u64;
    count > 1
        && figure.values.iter().any(|value| match value {
            Value::Number(number, _) => number.as_whole() == Some(count),
            Value::Date(_) => false,
        })
}

/// The figure number `at` of all the quotes together, as it is written.
fn written<'a>(quotes: &[&(&'a str, Reading)], at: usize) -> Option<&'a str> {
    let mut figures =
        quotes.iter().flat_map(|(text, reading)| reading.figures.iter().map(|figure| (*text, figure)));
    let (text, figure) = figures.nth(at)?;
    text.get(figure.span.clone())
}
