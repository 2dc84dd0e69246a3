//! How well the built-in threshold tells answerable questions from others, on hand-labelled questions over the
//! notes in `fixtures/memory`. The figures are those of docs/memory.md; `cargo test --test memory threshold --
//! --nocapture` prints them, with the score of every question.

use std::path::Path;

use cited::memory::Decision;
use cited::memory::calibrate::{Label, auc, auc_lower, best_score, best_threshold, share_at};
use cited::memory::retrieve::Query;
use cited::memory::score::BUILT_IN_THRESHOLD;
use cited::memory::trust::TrustState;

use super::Place;

#[derive(serde::Deserialize)]
struct Question {
    query: String,
    answerable: bool,
    kind: String,
    source: Option<String>,
}

/// What came of one question.
struct Outcome {
    question: Question,
    score: f64,
    answered: bool,
    /// The labelled note is among the items.
    right: bool,
}

fn questions() -> Vec<Question> {
    let labels = std::fs::read_to_string("fixtures/memory/labels.jsonl").unwrap();
    labels.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn place() -> Place {
    let place = Place::new(&[]);
    place.index_at(Path::new("fixtures/memory/notes"), super::NOW);
    place
}

fn outcome(place: &Place, question: Question) -> Outcome {
    let bundle = place.ask(&question.query);
    let query = Query::new(&question.query).unwrap();
    let score = place.memory.read(|reader| best_score(reader, &query, reader.size()?.chunks)).unwrap();
    let right = bundle.items.iter().any(|item| Some(&item.source) == question.source.as_ref());
    Outcome { question, score, answered: bundle.decision == Decision::Answer, right }
}

/// How many of a kind were answered, of how many.
fn answered(outcomes: &[Outcome], kind: &str) -> (usize, usize) {
    let of_kind = outcomes.iter().filter(|outcome| outcome.question.kind == kind);
    let answered = of_kind.clone().filter(|outcome| outcome.answered).count();
    (answered, of_kind.count())
}

fn scores<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> (Vec<f64>, Vec<f64>) {
    let (good, bad): (Vec<&Outcome>, Vec<&Outcome>) =
        outcomes.partition(|outcome| outcome.question.answerable);
    let scores = |of: Vec<&Outcome>| of.iter().map(|outcome| outcome.score).collect();
    (scores(good), scores(bad))
}

#[test]
fn the_built_in_threshold_keeps_what_the_docs_say() {
    let place = place();
    let outcomes: Vec<Outcome> = questions().into_iter().map(|question| outcome(&place, question)).collect();
    for Outcome { question, score, right, .. } in &outcomes {
        println!("{score:.3} {:<10} right: {right:<5} {}", question.kind, question.query);
    }
    let (good, bad) = scores(outcomes.iter());
    let area = auc(&good, &bad);
    println!("AUC {area:.3}, lower bound {:.3}", auc_lower(area, good.len(), bad.len()));
    for half in [0, 1] {
        let (good, bad) = scores(outcomes.iter().skip(half).step_by(2));
        let shares = [&good, &bad].map(|scores| share_at(scores, BUILT_IN_THRESHOLD));
        println!("half {half}: best threshold {:.3}; answered {shares:.3?}", best_threshold(&good, &bad));
    }
    let right = outcomes.iter().filter(|outcome| outcome.right).count();
    let figures = ["answerable", "off-topic", "near-miss"].map(|kind| answered(&outcomes, kind));
    println!("answered: {figures:?}; right note among the items: {right}");
    assert_eq!(figures, [(88, 98), (0, 30), (10, 50)]);
    assert_eq!(right, 88);
}

#[test]
fn a_calibration_on_plain_questions_is_trusted_and_a_changed_corpus_is_measured_again() {
    let place = place();
    let plain = questions().into_iter().filter(|question| question.kind != "near-miss");
    let labels: Vec<Label> =
        plain.map(|question| Label { query: question.query, answerable: question.answerable }).collect();
    let found = place.memory.calibrate(&labels).unwrap();
    assert!(found.holds() && found.wrongly_answered < 0.05, "{found:?}");
    let bundle = place.ask("Does salt raise the boiling point of water?");
    assert!(bundle.calibrated && bundle.trust_state == TrustState::Trusted);

    place.write("glass.md", "Glass is made of sand, soda and lime.\n");
    place.index();
    let again = place.ask("What is glass made of?");
    assert!(again.calibrated && again.index_generation != bundle.index_generation);
}

#[test]
fn a_calibration_that_no_longer_holds_degrades() {
    let labels: Vec<Label> = (0..20)
        .flat_map(|n| {
            let label = |word: &str, answerable| Label { query: format!("{word}{n} floats"), answerable };
            [label("ice", true), label("rock", false)]
        })
        .collect();
    let place = Place::new(&[]);
    for n in 0..20 {
        place.write(&format!("{n}.md"), &format!("Ice{n} floats.\n"));
    }
    place.index();
    place.memory.calibrate(&labels).unwrap();
    assert!(place.ask("ice3 floats").calibrated);
    for n in 0..20 {
        place.write(&format!("{n}.md"), &format!("Rock{n} floats.\n"));
    }
    place.index();
    let bundle = place.ask("rock3 floats");
    assert!(!bundle.calibrated && bundle.trust_state == TrustState::Degraded);
}

#[test]
fn too_few_labels_or_labels_that_scores_can_not_tell_apart_are_refused() {
    let place = Place::indexed(&[("ice.md", "Ice floats on water.\n")]);
    let label = |answerable| Label { query: "Does ice float?".into(), answerable };
    let few = vec![label(true); 30];
    assert!(
        place.memory.calibrate(&few).unwrap_err().to_string().contains("30 answerable and 0 unanswerable")
    );
    let mut alike = vec![label(true); 20];
    alike.extend(vec![label(false); 20]);
    assert!(place.memory.calibrate(&alike).unwrap_err().to_string().contains("can not be told apart"));
    assert_eq!(place.ask("Does ice float?").trust_state, TrustState::Provisional);
}
