//! Worked tables of the fusion: `fixtures/recall/fusion.tsv` and `first_dropped.tsv`.
#![cfg(feature = "recall")]

use cited::recall::chunk::Chunk;
use cited::recall::fuse::{Fused, Fusion, Ranked, fuse};

fn rows(table: &str) -> Vec<Vec<String>> {
    let path = format!("{}/fixtures/recall/{table}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn sources(written: &str) -> Vec<Ranked> {
    let parts = written.split(';').filter(|part| !part.is_empty());
    let read = |part: &str| {
        let (head, texts) = part.split_once('=').unwrap();
        let (name, weight) = head.split_once(':').unwrap();
        let chunks = texts.split(' ').map(Chunk::new).collect();
        Ranked { source: name.to_owned().leak(), weight: weight.parse().unwrap(), chunks }
    };
    parts.map(read).collect()
}

fn shown(fused: &Fused) -> String {
    let others: String = fused.also_in.iter().map(|o| format!("+{}#{}", o.source, o.rank)).collect();
    let score = f64::from(fused.micros) / 1e6;
    format!("{}@{}#{}={score:.6}{others}", fused.chunk.content(), fused.source, fused.rank)
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(count - 1);
    let insert = |order: &Vec<usize>, at| {
        let mut longer = order.clone();
        longer.insert(at, count - 1);
        longer
    };
    shorter.iter().flat_map(|order| (0..count).map(move |at| insert(order, at))).collect()
}

#[test]
fn every_worked_table_holds_in_every_order_of_the_sources() {
    let rows = rows("fusion.tsv");
    assert!(rows.len() >= 10);
    for row in rows {
        let fusion = if row[1] == "sum" { Fusion::Sum } else { Fusion::Keep };
        let given = sources(&row[3]);
        for order in permutations(given.len()) {
            let shuffled = order.iter().map(|at| given[*at].clone()).collect();
            let kept = fuse(shuffled, fusion, row[2].parse().unwrap()).kept;
            let kept: Vec<String> = kept.iter().map(shown).collect();
            assert_eq!(kept.join(" "), row[4], "{} {order:?}", row[0]);
        }
    }
}

#[test]
fn the_floor_bites_at_the_first_rank_of_each_weight_when_ob1_leads() {
    for row in rows("first_dropped.tsv") {
        let (weight, first): (u32, u32) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        let chunks: Vec<Chunk> = (1..=200).map(|rank| Chunk::new(format!("text {rank}"))).collect();
        let leader = Ranked { source: "ob1", weight: 1000, chunks: vec![Chunk::new("leads")] };
        let fusing = fuse(vec![leader, Ranked { source: "other", weight, chunks }], Fusion::Keep, 300);
        let last = fusing.kept.iter().filter(|f| f.source == "other").map(|f| f.rank).max().unwrap();
        assert_eq!(last + 1, first, "weight {weight}");
        assert_eq!(fusing.dropped as u32, 200 - last);
        assert!(fusing.best_dropped.unwrap() < 300_000);
    }
}

#[test]
fn with_limit_five_nothing_is_dropped_and_the_lowest_score_is_0_469231() {
    let five = |name: &str| (1..=5).map(|rank| Chunk::new(format!("{name} {rank}"))).collect();
    let weights = [
        ("ob1", 1000),
        ("obn", 900),
        ("hindsight", 800),
        ("session", 700),
        ("honcho", 600),
        ("memory_store", 500),
    ];
    let all = weights.map(|(source, weight)| Ranked { source, weight, chunks: five(source) });
    let fusing = fuse(all.to_vec(), Fusion::Keep, 300);
    assert_eq!((fusing.dropped, fusing.kept.len()), (0, 30));
    assert_eq!(fusing.kept.last().unwrap().micros, 469_231);
}

#[test]
fn ties_of_one_source_and_rank_are_decided_by_the_native_id() {
    let with_id = |text: &str, id: &str| {
        let mut chunk = Chunk::new(text);
        chunk.native_id = Some(id.into());
        chunk
    };
    let one = |text, id| Ranked { source: "session", weight: 700, chunks: vec![with_id(text, id)] };
    let kept = fuse(vec![one("B", "2"), one("A", "1")], Fusion::Keep, 300).kept;
    assert_eq!(kept.iter().map(|f| f.chunk.content()).collect::<Vec<_>>(), ["A", "B"]);
}
