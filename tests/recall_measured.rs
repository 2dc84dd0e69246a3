//! How well the abstention tells what memory answers from what it does not, measured over made-up memories whose
//! truth is known. The figures stand in docs/recall.md; `cargo test --test recall_measured -- --nocapture` prints them.
#![cfg(feature = "recall")]

mod memories;

#[path = "memories/world.rs"]
mod world;

use std::collections::BTreeMap;

use cited::recall::models::Choice;
use cited::recall::{Params, Recall, recall};
use world::{Kind, Question, World};

/// Worlds that the threshold was looked at on, and others that it is judged on.
const LOOKED_AT: [u64; 2] = [11, 12];
const JUDGED_ON: [u64; 3] = [101, 102, 103];
const SUBJECTS: usize = 40;

struct Asked {
    question: Question,
    evidence: f64,
    answered: bool,
    /// The rule as the seed wrote it: two sources, two chunks, normalised top score of at least 0.3.
    seed_answers: bool,
    /// The only score that the seed's rule looks at.
    seed_score: f64,
    found: Recall,
}

fn ask_all(worlds: &[u64]) -> Vec<Asked> {
    let mut all = Vec::new();
    for seed in worlds {
        let World { home, questions } = world::world(*seed, SUBJECTS);
        for question in questions {
            let params = Params { llm: Choice::None, ..Params::default() };
            let sources = ["context", "session", "memory_store", "memory"].map(str::to_owned).to_vec();
            let found = recall(&question.text, Params { sources, ..params }, home.settings()).unwrap();
            all.push(asked(question, found));
        }
    }
    all
}

fn asked(question: Question, found: Recall) -> Asked {
    let citations = &found.findings.citations;
    let evidence = citations.iter().map(|cited| cited.evidence).fold(0.0, f64::max);
    let mut sources: Vec<&str> = citations.iter().map(|cited| cited.fused.source).collect();
    let also = citations.iter().flat_map(|cited| &cited.fused.also_in);
    sources.extend(also.map(|occurrence| occurrence.source));
    sources.sort_unstable();
    sources.dedup();
    let seed_score = citations.first().map_or(0.0, |top| f64::from(top.fused.micros) / 1e6);
    let seed_answers = sources.len() >= 2 && citations.len() >= 2 && seed_score >= 0.3;
    Asked { evidence, answered: found.abstention().is_none(), seed_answers, seed_score, question, found }
}

fn accuracy(all: &[Asked], answers: impl Fn(&Asked) -> bool) -> f64 {
    let right = all.iter().filter(|asked| answers(asked) == asked.question.kind.is_answerable()).count();
    right as f64 / all.len() as f64
}

/// The chance that an answerable question scores above one that is not; ties count half.
fn auroc(all: &[Asked], score: impl Fn(&Asked) -> f64) -> f64 {
    let (yes, no): (Vec<&Asked>, Vec<&Asked>) =
        all.iter().partition(|asked| asked.question.kind.is_answerable());
    let mut wins = 0.0;
    for positive in &yes {
        for negative in &no {
            wins += match score(positive).total_cmp(&score(negative)) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    wins / (yes.len() * no.len()) as f64
}

fn by_kind(all: &[Asked], answers: impl Fn(&Asked) -> bool) -> String {
    let mut kinds: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
    for asked in all {
        let (answered, total) = kinds.entry(asked.question.kind).or_default();
        *answered += usize::from(answers(asked));
        *total += 1;
    }
    let shown = kinds.iter().map(|(kind, (answered, total))| format!("{kind:?} {answered}/{total}"));
    shown.collect::<Vec<_>>().join(", ")
}

/// The share of the questions that `of` picks for which `is` holds.
fn share(all: &[Asked], of: impl Fn(&&Asked) -> bool, is: impl Fn(&Asked) -> bool) -> f64 {
    let picked: Vec<&Asked> = all.iter().filter(of).collect();
    picked.iter().filter(|asked| is(asked)).count() as f64 / picked.len() as f64
}

fn is_cited(asked: &Asked, words: Option<&String>) -> bool {
    let citations = &asked.found.findings.citations;
    words.is_some_and(|words| citations.iter().any(|cited| cited.fused.chunk.content().contains(words)))
}

fn is_in_extract(asked: &Asked) -> bool {
    let text = asked.found.extract.as_ref().map(|extract| extract.text()).unwrap_or_default();
    asked.question.answer.as_ref().is_some_and(|words| text.contains(words))
}

/// Answered, and no remark says that the extract may be beside the point.
fn is_told_plainly(asked: &Asked) -> bool {
    asked.answered && asked.found.extract.as_ref().is_some_and(|extract| !extract.is_partial())
}

fn print_figures(name: &str, all: &[Asked]) {
    println!("{name}: {} questions", all.len());
    let seed = (accuracy(all, |a| a.seed_answers), auroc(all, |a| a.seed_score));
    println!(
        "  seed's rule      accuracy {:.3}, AUROC {:.3}; {}",
        seed.0,
        seed.1,
        by_kind(all, |a| a.seed_answers)
    );
    let ours = (accuracy(all, |a| a.answered), auroc(all, |a| a.evidence));
    println!(
        "  ours             accuracy {:.3}, AUROC {:.3}; {}",
        ours.0,
        ours.1,
        by_kind(all, |a| a.answered)
    );
    for percent in (10..=95).step_by(5) {
        let least = f64::from(percent) / 100.0;
        let answers = |a: &Asked| a.evidence >= least;
        println!(
            "  evidence >= {least:.2} accuracy {:.3}; {}",
            accuracy(all, answers),
            by_kind(all, answers)
        );
    }
    println!(
        "  without a remark accuracy {:.3}; {}",
        accuracy(all, is_told_plainly),
        by_kind(all, is_told_plainly)
    );
    let known = |a: &&Asked| a.question.answer.is_some();
    let plain = |a: &&Asked| a.question.kind == Kind::Plain;
    let changed = |a: &&Asked| a.question.overruled.is_some();
    println!(
        "  right answer among the citations: {:.3}",
        share(all, known, |a| is_cited(a, a.question.answer.as_ref()))
    );
    println!("  right answer in the extract, asked plainly: {:.3}", share(all, plain, is_in_extract));
    let both =
        |a: &Asked| is_cited(a, a.question.answer.as_ref()) && is_cited(a, a.question.overruled.as_ref());
    println!("  both sides of a contradiction cited: {:.3}", share(all, changed, both));
}

#[test]
fn the_threshold_is_measured() {
    print_figures("looked at", &ask_all(&LOOKED_AT));
    let all = ask_all(&JUDGED_ON);
    print_figures("judged on", &all);
    let of = |kind: Kind| share(&all, |a| a.question.kind == kind, |a| a.answered);
    assert_eq!(of(Kind::Plain), 1.0, "what was decided is told");
    assert_eq!(of(Kind::Elsewhere), 0.0);
    assert!(of(Kind::Incidental) <= 0.05, "{}", of(Kind::Incidental));
    assert!(accuracy(&all, is_told_plainly) > accuracy(&all, |a| a.answered) + 0.1);
    assert!(auroc(&all, |a| a.evidence) >= auroc(&all, |a| a.seed_score) + 0.1);
    assert!(accuracy(&all, |a| a.answered) > accuracy(&all, |a| a.seed_answers));
}
