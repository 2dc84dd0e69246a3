//! What recall costs: the whole process over 10,000 messages against the bare SQL, and fusing 100,000 chunks against
//! sorting them. `cargo bench --bench recall` prints medians and ratios.

#[cfg(feature = "recall")]
#[path = "../tests/memories/mod.rs"]
mod memories;

#[cfg(not(feature = "recall"))]
fn main() {}

#[cfg(feature = "recall")]
fn main() {
    measured::sessions();
    measured::fusion();
}

#[cfg(feature = "recall")]
mod measured {
    use std::hint::black_box;
    use std::process::Command;
    use std::time::{Duration, Instant};

    use cited::recall::chunk::{Chunk, ScoreKind};
    use cited::recall::fuse::{Fusion, Ranked, fuse};
    use rusqlite::{Connection, OpenFlags};

    use super::memories::{Columns, Home, Shape};

    const WORDS: &[&str] = &[
        "crane", "harbour", "ferry", "report", "green", "motor", "winter", "budget", "server", "deploy",
        "water", "ice", "paper", "letter", "garden", "window", "kitchen", "music", "planet", "orbit",
        "valley", "bridge", "stone",
    ];

    fn median(mut run: impl FnMut() -> Duration) -> Duration {
        let mut times: Vec<Duration> = (0..31).map(|_| run()).collect();
        times.sort_unstable();
        times[times.len() / 2]
    }

    fn text(seed: usize, words: usize) -> String {
        let word = |at: usize| WORDS[(seed * 31 + at * at * 7 + seed / 23) % WORDS.len()];
        format!("{} number {seed}.", (0..words).map(word).collect::<Vec<_>>().join(" "))
    }

    pub fn sessions() {
        let home = Home::new();
        let state = home.state(Shape::External, Columns::Later);
        state.connection.execute_batch("BEGIN").unwrap();
        for at in 0..10_000 {
            let session = format!("s{}", at / 20);
            if at % 20 == 0 {
                state.session(&session, "cli", None);
            }
            state.say(&session, if at % 2 == 0 { "user" } else { "assistant" }, &text(at, 40));
        }
        state.connection.execute_batch("COMMIT").unwrap();
        drop(state);
        let question = "What did we decide about the harbour crane motor?";
        let bare = median(|| {
            let begun = Instant::now();
            black_box(bare_sql(&home.path("state.db")));
            begun.elapsed()
        });
        let process = median(|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
            command.args(["recall", "--sources", "session", "--llm", "none", "-q", question]);
            command.env("HERMES_HOME", home.folder.path()).current_dir(home.folder.path());
            let begun = Instant::now();
            let output = command.output().unwrap();
            let took = begun.elapsed();
            assert!(output.stdout.len() > 2_000, "{}", String::from_utf8_lossy(&output.stderr));
            took
        });
        let ratio = process.as_secs_f64() / bare.as_secs_f64();
        println!(
            "10,000 messages: bare SQL {bare:.2?}, whole process {process:.2?}, ratio {ratio:.2} (at most 3)"
        );
    }

    /// Opens the file and reads the five best rows, as the plainest program would.
    fn bare_sql(path: &std::path::Path) -> Vec<(i64, String)> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let sql = "SELECT m.id, m.content FROM messages_fts f JOIN messages m ON m.id = f.rowid \
                   WHERE messages_fts MATCH '\"harbour\" OR \"crane\" OR \"motor\"' AND m.role IN ('user', 'assistant') \
                   ORDER BY rank, m.id LIMIT 5";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(|row| row.unwrap()).collect()
    }

    pub fn fusion() {
        let sources = ["a", "b", "c", "d", "e"];
        let ranked: Vec<Ranked> = sources
            .iter()
            .enumerate()
            .map(|(at, source)| Ranked {
                source,
                weight: 1000 - at as u32 * 100,
                // One in ten texts stands in two sources.
                chunks: (0..20_000)
                    .map(|n| {
                        let shared = n % 10 == 0;
                        let mut chunk = Chunk::new(text(if shared { n } else { at * 20_000 + n }, 12));
                        chunk.native_id = Some(format!("{source}-{n}"));
                        chunk.scored(1.0 / (n + 1) as f64, ScoreKind::Similarity)
                    })
                    .collect(),
            })
            .collect();
        let mut state = 1u64;
        let mut flat: Vec<(u64, Chunk)> = Vec::new();
        for chunk in ranked.iter().flat_map(|ranked| &ranked.chunks) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            flat.push((state >> 33, chunk.clone()));
        }
        flat.sort_by_key(|(place, _)| *place);
        let sort = median(|| {
            let mut chunks = flat.clone();
            let begun = Instant::now();
            chunks.sort_by(|a, b| {
                let order = b.1.score.map(|s| s.value).partial_cmp(&a.1.score.map(|s| s.value));
                order.unwrap_or(std::cmp::Ordering::Equal).then_with(|| a.1.content().cmp(b.1.content()))
            });
            let took = begun.elapsed();
            black_box(chunks);
            took
        });
        for fusion in [Fusion::Keep, Fusion::Sum] {
            let fusing = median(|| {
                let sources = ranked.clone();
                let begun = Instant::now();
                let fused = fuse(sources, fusion, 0);
                let took = begun.elapsed();
                assert!(fused.kept.len() > 80_000);
                took
            });
            let ratio = fusing.as_secs_f64() / sort.as_secs_f64();
            println!(
                "100,000 chunks: sorting {sort:.2?}, fusing ({fusion:?}) {fusing:.2?}, ratio {ratio:.2} (at most 2)"
            );
        }
    }
}
