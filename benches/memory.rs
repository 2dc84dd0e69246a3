//! What the embedded memory costs beside bare SQLite: a warm evidence call beside the FTS5 query it stands on, and
//! indexing beside reading and inserting the same passages. `cargo bench --bench memory` prints times, ratios and
//! limits, and fails where a limit is passed.

#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cited::memory::index::Request;
use cited::memory::{Args, Memory, Now};
use rusqlite::{Connection, params};

const NOW: &str = "2025-06-15T12:00:00Z";
const CALLS: usize = 200;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let fine = [evidence(folder.path()), indexing(folder.path())];
    if fine.contains(&false) {
        std::process::exit(1);
    }
}

/// Numbers that look random and are the same on every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A word of a vocabulary of 8,000, the first ones far more often, as in real text.
    fn word(&mut self) -> String {
        let share = (self.next() % 1_000_000) as f64 / 1e6;
        let rank = (8000_f64.powf(share) - 1.0) as u64;
        let syllables = [
            "ka", "lo", "mi", "ren", "tu", "sa", "pol", "vi", "ga", "den", "or", "el", "ch", "ba", "um",
            "ist",
        ];
        let mut word = String::new();
        let mut rest = rank + 16;
        while rest > 0 {
            word.push_str(syllables[(rest % 16) as usize]);
            rest /= 16;
        }
        word
    }
}

/// Writes `count` notes of `sections` sections of about 700 characters each.
fn write_notes(folder: &Path, count: usize, sections: usize) {
    let mut numbers = Numbers(7);
    fs::create_dir_all(folder).unwrap();
    for note in 0..count {
        let mut text = String::new();
        for section in 0..sections {
            write!(text, "# {} {section}\n\n", numbers.word()).unwrap();
            for _ in 0..100 {
                text.push_str(&numbers.word());
                text.push(' ');
            }
            text.push_str("\n\n");
        }
        fs::write(folder.join(format!("{note}.md")), text).unwrap();
    }
}

fn index(memory: &Path, notes: &Path) -> Duration {
    let paths = [notes.to_owned()];
    let start = Instant::now();
    Memory::open(memory).index(&Request { paths: &paths, now: NOW, prune: false }, &mut |_| {}).unwrap();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn row(name: &str, ours: Duration, bare: Duration, most: f64) -> bool {
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    println!("{name:<60} {:>9.3} ms {:>9.3} ms {ratio:>6.2} (limit {most})", ms(ours), ms(bare));
    ratio <= most
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn evidence(folder: &Path) -> bool {
    let (notes, path) = (folder.join("many"), folder.join("many.sqlite"));
    write_notes(&notes, 1000, 10);
    index(&path, &notes);
    let memory = Memory::open(&path);
    let chunks = memory.read(|reader| Ok(reader.size()?.chunks)).unwrap();
    println!("{:<60} {:>12} {:>12} {:>6}", format!("{chunks} passages"), "cited", "bare", "ratio");
    let mut fine = true;
    for words in [3, 6, 12] {
        let mut numbers = Numbers(99);
        let queries: Vec<String> =
            (0..CALLS).map(|_| (0..words).map(|_| numbers.word() + " ").collect()).collect();
        let ours = queries.iter().map(|query| ask(&memory, query)).collect();
        let bare = bare_queries(&path, &queries);
        let (ours, bare) = (median(ours), median(bare));
        fine &= row(&format!("evidence, {words} words, warm, median"), ours, bare, 2.0);
        fine &= ours < Duration::from_millis(20);
    }
    fine
}

fn ask(memory: &Memory, query: &str) -> Duration {
    let start = Instant::now();
    let now = Now { at: NOW.parse().unwrap(), ticks: &move || start.elapsed() };
    black_box(memory.evidence(query, &Args::default(), now).unwrap());
    start.elapsed()
}

/// The same words, ranked by FTS5 alone, with the text of the best five.
fn bare_queries(path: &Path, queries: &[String]) -> Vec<Duration> {
    let connection = Connection::open(path).unwrap();
    let sql = "SELECT c.chunk_id, c.text, hit.rank
               FROM (SELECT rowid, rank FROM fts WHERE fts MATCH ?1 ORDER BY rank LIMIT 5) AS hit
               JOIN chunks AS c ON c.id = hit.rowid";
    let mut statement = connection.prepare(sql).unwrap();
    let expressions: Vec<String> = queries.iter().map(|query| expression(query)).collect();
    let mut run = |expression: &String| {
        let start = Instant::now();
        let rows = statement.query_map([expression], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, f64>(2)?))
        });
        black_box(rows.unwrap().collect::<Result<Vec<_>, _>>().unwrap());
        start.elapsed()
    };
    expressions.iter().map(&mut run).collect()
}

fn expression(query: &str) -> String {
    let query = cited::memory::retrieve::Query::new(query).unwrap();
    query.terms().iter().map(|term| format!("\"{}\"", term.text)).collect::<Vec<_>>().join(" OR ")
}

fn indexing(folder: &Path) -> bool {
    let notes = folder.join("thousand");
    write_notes(&notes, 1000, 4);
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for run in 0..3 {
        bare.push(bare_insert(&folder.join(format!("bare-{run}.sqlite")), &notes));
        ours.push(index(&folder.join(format!("ours-{run}.sqlite")), &notes));
    }
    let again = index(&folder.join("ours-0.sqlite"), &notes);
    println!("{:<60} {:>9.3} ms", "index 1,000 unchanged files", ms(again));
    row("index 1,000 files, 4 passages each", median(ours), median(bare), 3.0)
}

/// Reads every file and inserts its sections into an FTS5 table, one transaction a file.
fn bare_insert(path: &Path, notes: &Path) -> Duration {
    let start = Instant::now();
    let mut connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
             CREATE TABLE chunks (id INTEGER PRIMARY KEY, source TEXT, text TEXT);
             CREATE VIRTUAL TABLE fts USING fts5 (text, content = 'chunks', content_rowid = 'id');",
        )
        .unwrap();
    let mut files: Vec<PathBuf> = fs::read_dir(notes).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let transaction = connection.transaction().unwrap();
        for section in text.split("# ").filter(|section| !section.is_empty()) {
            let id = transaction
                .prepare_cached("INSERT INTO chunks (source, text) VALUES (?1, ?2)")
                .unwrap()
                .insert(params![file.to_string_lossy(), section])
                .unwrap();
            transaction
                .prepare_cached("INSERT INTO fts (rowid, text) VALUES (?1, ?2)")
                .unwrap()
                .execute(params![id, section])
                .unwrap();
        }
        transaction.commit().unwrap();
    }
    start.elapsed()
}
