//! How often the rules about evidence are right, over the labelled pairs in `fixtures/evidence`: a sentence beside
//! the only quote (or page) of the source it cites. Every second pair was used to choose thresholds; the pairs in
//! `held-out.tsv` were written after the last change to the rules and only measure. `cargo test --test evidence_labels -- --nocapture` prints the figures of docs/evidence.md.
//!
//! A row holds a label, a language, the sentence and the quote. `same`, `bears`, `verbatim`: nothing is wrong;
//! `altered`, `apart`, `misquoted`: the rule should say so; `rounded`: figure-rounded should; `open`: no rule may
//! speak, since it can not be told.

#![allow(clippy::expect_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cited::diagnostic::Diagnostic;
use cited::draft::{self, Draft};
use cited::identity;
use cited::ledger::{Ledger, Quote, Snapshot};
use cited::verify::{self, Bearing, Evidence, Facts, Options, Scope};

/// A labelled pair.
struct Pair {
    label: String,
    sentence: String,
    quote: String,
}

fn pairs(name: &str) -> Vec<Pair> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/evidence").join(name);
    let text = fs::read_to_string(path).expect("a table");
    let pair = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [label, _language, sentence, quote] = columns[..] else { panic!("four columns: {line}") };
        Pair { label: label.into(), sentence: sentence.into(), quote: quote.into() }
    };
    text.lines().map(pair).collect()
}

/// A ledger with one source a pair, and a draft with one paragraph a pair.
fn world(pairs: &[Pair]) -> (Ledger, String) {
    let mut ledger = Ledger::default();
    let mut text = String::new();
    for (at, pair) in pairs.iter().enumerate() {
        let url = format!("https://a.example/{at}");
        let locator = identity::locate(&url, &identity::Options::default()).expect("a locator");
        let id = ledger.add(&locator, &url, "", "2026-01-31", None).id;
        let quote = Quote { text: pair.quote.clone(), ..Quote::default() };
        ledger.attach_quote(id, quote).expect("a source");
        let page = Snapshot { sha256: pair.quote.clone(), reader: "text".into(), ..Snapshot::default() };
        ledger.keep_snapshot(id, page).expect("a source");
        text.push_str(&format!("{}[{id}]\n\n", pair.sentence));
    }
    (ledger, text)
}

/// The rules that spoke about each pair.
fn spoken(pairs: &[Pair], options: &Options, with_pages: bool) -> Vec<Vec<&'static str>> {
    let (ledger, text) = world(pairs);
    let draft = Draft::parse(&text, &draft::Options::default(), &ledger);
    let pages = with_pages.then(|| verify::look_up(&[&draft], &ledger, |page| Ok(page.to_owned())));
    let evidence = Evidence { rechecks: None, quotations: pages };
    let facts = Facts::new(&draft, &ledger, options, &evidence, Scope::Alone);
    let mut spoken = vec![Vec::new(); pairs.len()];
    for Diagnostic { rule, place, .. } in verify::check(&facts) {
        if let Some(place) = place
            && ["figure-mismatch", "figure-rounded", "misquoted", "unsupported-sentence"].contains(&rule)
        {
            spoken[(place.line - 1) / 2].push(rule);
        }
    }
    spoken
}

/// Right, wrong and missed findings of one rule.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Score {
    fn add(&mut self, due: bool, spoke: bool) {
        self.right += usize::from(due && spoke);
        self.wrong += usize::from(!due && spoke);
        self.missed += usize::from(due && !spoke);
    }

    fn precision(self) -> f64 {
        self.right as f64 / (self.right + self.wrong).max(1) as f64
    }

    fn recall(self) -> f64 {
        self.right as f64 / (self.right + self.missed).max(1) as f64
    }
}

/// The score of `rule` on the half that chose and on the half that measures.
fn scores(pairs: &[Pair], spoken: &[Vec<&'static str>], rule: &str, label: &str) -> [Score; 2] {
    let mut halves = [Score::default(); 2];
    for (at, (pair, rules)) in pairs.iter().zip(spoken).enumerate() {
        let (due, spoke) = (pair.label == label, rules.contains(&rule));
        halves[at % 2].add(due, spoke);
        if due != spoke {
            println!(
                "{rule} is {} about: {} | {}",
                if spoke { "wrong" } else { "silent" },
                pair.sentence,
                pair.quote
            );
        }
    }
    for (half, score) in ["chosen on", "measured on"].iter().zip(halves) {
        println!(
            "{rule}, {half}: precision {:.2}, recall {:.2} ({score:?})",
            score.precision(),
            score.recall()
        );
    }
    halves
}

fn holds(score: Score, precision: f64, recall: f64) {
    assert!(score.precision() >= precision && score.recall() >= recall, "{score:?}");
}

#[test]
fn altered_figures_are_found_and_other_spellings_pass() {
    let pairs = pairs("figures.tsv");
    let mut options = Options::default();
    options.figures = true;
    let spoken = spoken(&pairs, &options, false);
    let [_, mismatch] = scores(&pairs, &spoken, "figure-mismatch", "altered");
    let [_, rounded] = scores(&pairs, &spoken, "figure-rounded", "rounded");
    holds(mismatch, 0.9, 0.85);
    holds(rounded, 0.8, 0.8);
}

#[test]
fn other_words_in_quotation_marks_are_found() {
    let pairs = pairs("quotations.tsv");
    let spoken = spoken(&pairs, &Options::default(), true);
    let [_, misquoted] = scores(&pairs, &spoken, "misquoted", "misquoted");
    holds(misquoted, 0.95, 0.95);
}

#[test]
fn a_wrong_source_is_found_and_a_paraphrase_passes() {
    let pairs = pairs("sentences.tsv");
    let mut options = Options::default();
    options.sentences = true;
    let spoken = spoken(&pairs, &options, false);
    let [_, apart] = scores(&pairs, &spoken, "unsupported-sentence", "apart");
    sweep(&pairs, &options);
    holds(apart, 0.8, 0.5);
}

/// Prints what other thresholds would do, on each half.
fn sweep(pairs: &[Pair], options: &Options) {
    let (ledger, text) = world(pairs);
    let draft = Draft::parse(&text, &draft::Options::default(), &ledger);
    let nothing = Evidence::default();
    let facts = Facts::new(&draft, &ledger, options, &nothing, Scope::Alone);
    let line = |claim: &verify::Claim| (draft.lines.line(claim.sentence.span.start) - 1) / 2;
    let recalls: BTreeMap<usize, Bearing> =
        facts.claims.iter().map(line).zip(facts.bearings.iter().copied()).collect();
    for percent in (4..=32).step_by(2) {
        let mut halves = [Score::default(); 2];
        for (at, pair) in pairs.iter().enumerate() {
            let spoke =
                matches!(recalls[&at], Bearing::Recall(recall) if recall < f64::from(percent) / 100.0);
            halves[at % 2].add(pair.label == "apart", spoke);
        }
        println!("threshold 0.{percent:02}: {halves:?}");
    }
}

#[test]
fn pairs_that_the_rules_have_never_seen_are_judged_as_well() {
    let pairs = pairs("held-out.tsv");
    let mut options = Options::default();
    options.figures = true;
    options.sentences = true;
    let spoken = spoken(&pairs, &options, true);
    let both = |rule: &str, label: &str| {
        let [one, other] = scores(&pairs, &spoken, rule, label);
        let all = Score {
            right: one.right + other.right,
            wrong: one.wrong + other.wrong,
            missed: one.missed + other.missed,
        };
        println!("{rule}, held out: precision {:.2}, recall {:.2} ({all:?})", all.precision(), all.recall());
        all
    };
    holds(both("figure-mismatch", "altered"), 0.8, 0.8);
    holds(both("figure-rounded", "rounded"), 0.6, 0.6);
    holds(both("misquoted", "misquoted"), 0.9, 0.9);
    holds(both("unsupported-sentence", "apart"), 0.6, 0.4);
}

#[test]
fn the_tables_hold_enough_pairs_of_each_kind() {
    let tables = ["figures.tsv", "quotations.tsv", "sentences.tsv", "held-out.tsv"];
    let count: usize = tables.iter().map(|name| pairs(name).len()).sum();
    assert!(count >= 120, "{count}");
}
