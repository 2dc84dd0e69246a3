//! Reciprocal rank fusion, exact and pure: rank, dedupe, fuse, filter. In: each source's chunks in its own order. Out:
//! the kept chunks, best first, with normalised scores in millionths. Every comparison is between integers or exact
//! fractions, so ties are ties and the order never depends on which source answered first.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::chunk::Chunk;
use super::share::Share;

/// The constant of reciprocal rank fusion.
const RRF_K: u32 = 60;

/// One source's chunks, best first.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// The source's name.
    pub source: &'static str,
    /// Its weight, in thousandths.
    pub weight: u32,
    /// Its chunks; the first has rank 1.
    pub chunks: Vec<Chunk>,
}

/// How the occurrences of one text make its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fusion {
    /// The largest contribution counts.
    #[default]
    Keep,
    /// The contributions of all occurrences are added.
    Sum,
}

/// A chunk that stayed, with its place.
#[derive(Debug, Clone)]
pub struct Fused {
    /// The occurrence that is kept.
    pub chunk: Chunk,
    /// The source of it.
    pub source: &'static str,
    /// Its rank there, from 1.
    pub rank: u32,
    /// The normalised score in millionths, 1 to 1,000,000.
    pub micros: u32,
    /// The other occurrences, the largest contribution first.
    pub also_in: Vec<Occurrence>,
}

/// Where else a text was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The source.
    pub source: &'static str,
    /// The rank there, from 1.
    pub rank: u32,
    /// The store's own id.
    pub native_id: Option<String>,
}

/// What fusing gives.
#[derive(Debug, Default)]
pub struct Fusing {
    /// The chunks that stayed, best first; citation ids count them from 1.
    pub kept: Vec<Fused>,
    /// Texts after dedupe, those that were dropped included.
    pub distinct: usize,
    /// How many were dropped as too low.
    pub dropped: usize,
    /// The best normalised score among them, in millionths.
    pub best_dropped: Option<u32>,
}

/// One place of one chunk; small, so that sorting moves little.
#[derive(Debug, Clone, Copy)]
struct Hit {
    weight: u32,
    rank: u32,
    source: u32,
    at: u32,
}

/// A text: its best hit, the others, and what they make together.
struct Group {
    best: Hit,
    others: Vec<Hit>,
}

/// Fuses `sources`. `floor` is the least normalised score that stays, in thousandths.
pub fn fuse(mut sources: Vec<Ranked>, fusion: Fusion, floor: u32) -> Fusing {
    let groups = dedupe(&sources);
    let distinct = groups.len();
    let mut scored: Vec<(Share, Group)> =
        groups.into_iter().map(|group| (score(&group, fusion), group)).collect();
    // Stable, because each source's part is in order already, and such a sort merges what is in order.
    scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| tie(&a.1.best, &b.1.best, &sources)));
    let Some(top) = scored.first().map(|(share, _)| *share) else { return Fusing::default() };
    let stay = scored.partition_point(|(share, _)| share.is_at_least(floor, top));
    let best_dropped = scored.get(stay).map(|(share, _)| share.micros_of(top));
    let dropped = distinct - stay;
    let kept = scored.drain(..stay).map(|(share, group)| keep(group, share.micros_of(top), &mut sources));
    Fusing { kept: kept.collect(), distinct, dropped, best_dropped }
}

/// The normalised contribution of rank `rank` in a source of `weight`, in millionths of `top`'s.
pub fn contribution_micros(weight: u32, rank: u32, top: (u32, u32)) -> u32 {
    contribution(weight, rank).micros_of(contribution(top.0, top.1))
}

fn contribution(weight: u32, rank: u32) -> Share {
    Share::new(weight, RRF_K.saturating_add(rank))
}

/// Groups equal texts. A second occurrence in the same source is forgotten: the first has the better rank.
fn dedupe(sources: &[Ranked]) -> Vec<Group> {
    let total = sources.iter().map(|source| source.chunks.len()).sum();
    let mut groups: Vec<Group> = Vec::with_capacity(total);
    let mut by_key: HashMap<u64, usize, Keyed> = HashMap::with_capacity_and_hasher(total, Keyed::default());
    for hit in hits(sources) {
        let chunk = chunk_of(&hit, sources);
        let mut key = chunk.key();
        loop {
            match by_key.get(&key) {
                None => {
                    by_key.insert(key, groups.len());
                    groups.push(Group { best: hit, others: Vec::new() });
                    break;
                }
                Some(&at) if chunk_of(&groups[at].best, sources).content() == chunk.content() => {
                    join(&mut groups[at], hit, sources);
                    break;
                }
                // Equal keys of different texts: a key has 48 bits, the upper 16 tell the collisions apart.
                Some(_) => key = key.wrapping_add(1 << 48),
            }
        }
    }
    groups
}

type Keyed = BuildHasherDefault<KeyHasher>;

/// A content key is a piece of a digest already: it needs no hashing, only its low bits spread to the top.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| hash.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn hits(sources: &[Ranked]) -> impl Iterator<Item = Hit> {
    (0u32..).zip(sources).flat_map(|(source, ranked)| {
        let places = (0u32..).take(ranked.chunks.len());
        places.map(move |at| Hit { weight: ranked.weight, rank: at + 1, source, at })
    })
}

fn chunk_of<'a>(hit: &Hit, sources: &'a [Ranked]) -> &'a Chunk {
    &sources[hit.source as usize].chunks[hit.at as usize]
}

/// Adds an occurrence to a text, and keeps the better one in front.
fn join(group: &mut Group, hit: Hit, sources: &[Ranked]) {
    let known =
        group.best.source == hit.source || group.others.iter().any(|other| other.source == hit.source);
    if known {
        return;
    }
    group.others.push(hit);
    group.others.push(group.best);
    group.others.sort_unstable_by(|a, b| better(a, b, sources));
    group.best = group.others.remove(0);
}

/// Larger contribution first, then the tie rules.
fn better(a: &Hit, b: &Hit, sources: &[Ranked]) -> Ordering {
    let (left, right) = (contribution(a.weight, a.rank), contribution(b.weight, b.rank));
    right.cmp(&left).then_with(|| tie(a, b, sources))
}

/// Equal scores: higher weight, lower rank, source name, native id.
fn tie(a: &Hit, b: &Hit, sources: &[Ranked]) -> Ordering {
    let order = Reverse(a.weight).cmp(&Reverse(b.weight)).then(a.rank.cmp(&b.rank));
    order.then_with(|| {
        let name = |hit: &Hit| sources[hit.source as usize].source;
        let id = |hit: &Hit| chunk_of(hit, sources).native_id.as_deref();
        name(a).cmp(name(b)).then_with(|| id(a).cmp(&id(b)))
    })
}

fn score(group: &Group, fusion: Fusion) -> Share {
    let best = contribution(group.best.weight, group.best.rank);
    match fusion {
        Fusion::Keep => best,
        Fusion::Sum => {
            group.others.iter().fold(best, |sum, hit| sum.plus(contribution(hit.weight, hit.rank)))
        }
    }
}

/// Takes a text's best occurrence out of its source.
fn keep(group: Group, micros: u32, sources: &mut [Ranked]) -> Fused {
    let others = group.others.iter().map(|hit| Occurrence {
        source: sources[hit.source as usize].source,
        rank: hit.rank,
        native_id: chunk_of(hit, sources).native_id.clone(),
    });
    let also_in = others.collect();
    let Hit { source, at, rank, .. } = group.best;
    let ranked = &mut sources[source as usize];
    let chunk = std::mem::replace(&mut ranked.chunks[at as usize], Chunk::taken());
    Fused { chunk, source: ranked.source, rank, micros, also_in }
}
