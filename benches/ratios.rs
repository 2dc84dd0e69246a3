//! How much the program costs beside the least that the same job can cost: each row runs `cited` and a bare
//! program in turn and prints the ratio of their times. The bare program is this one, started again with a
//! word that names the job; it parses its arguments with clap as `cited` does.
//!
//! `cargo bench --bench ratios` runs all rows, `cargo bench --bench ratios -- ingest` those whose name has the word.

#![allow(missing_docs)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use sha2::{Digest, Sha256};

/// The bare program's arguments.
#[derive(Parser)]
struct Bare {
    job: String,
    files: Vec<PathBuf>,
}

fn main() {
    let first = std::env::args().nth(1).unwrap_or_default();
    if let Some(job) = first.strip_prefix("bare-") {
        let _ = job;
        return bare(&Bare::parse());
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let folder = tempfile::tempdir().unwrap();
    println!(
        "{:<44} {:>7} {:>7} {:>7}   {:>9} {:>9}   limit",
        "ratio of times", "min", "median", "max", "cited ms", "bare ms"
    );
    for row in ROWS
        .iter()
        .filter(|row| wanted.is_empty() || wanted.iter().any(|word| row.name.contains(word.as_str())))
    {
        let place = folder.path().join(row.name.replace([' ', ',', '.'], "-"));
        fs::create_dir(&place).unwrap();
        (row.run)(row, &place);
    }
}

/// One comparison.
struct Row {
    name: &'static str,
    limit: f64,
    run: fn(&Row, &Path),
}

const ROWS: &[Row] = &[
    Row { name: "add", limit: 3.0, run: add },
    Row { name: "verify, 20 KB report", limit: 3.0, run: verify },
    Row { name: "add to 100,000 sources", limit: 5.0, run: add_to_many },
    Row { name: "ingest 10,000 results", limit: 4.0, run: ingest },
    Row { name: "ingest 10,000 results with pages", limit: 2.0, run: ingest_pages },
    Row { name: "ingest peak memory over input", limit: 4.0, run: ingest_memory },
];

// The bare jobs: the reads and the fsynced write, and nothing else.

fn bare(arguments: &Bare) {
    let files: Vec<&Path> = arguments.files.iter().map(PathBuf::as_path).collect();
    match arguments.job.as_str() {
        "bare-add" => write_synced(files[0], &fs::read(files[0]).unwrap()),
        "bare-verify" => {
            let bytes: usize = files.iter().map(|file| fs::read(file).unwrap().len()).sum();
            println!("{bytes}");
        }
        "bare-parse-write" => {
            let value: serde_json::Value = serde_json::from_slice(&fs::read(files[0]).unwrap()).unwrap();
            write_synced(files[1], &serde_json::to_vec_pretty(&value).unwrap());
        }
        "bare-pages" => bare_pages(files[0], files[1], files[2]),
        other => panic!("no job `{other}`"),
    }
}

fn bare_pages(input: &Path, ledger: &Path, folder: &Path) {
    let value: serde_json::Value = serde_json::from_slice(&fs::read(input).unwrap()).unwrap();
    fs::create_dir_all(folder).unwrap();
    for result in value["results"].as_array().unwrap() {
        let body = result["raw_content"].as_str().unwrap();
        let mut name = String::new();
        for byte in Sha256::digest(body.as_bytes()) {
            write!(name, "{byte:02x}").unwrap();
        }
        fs::write(folder.join(name + ".txt"), body).unwrap();
    }
    File::open(folder).unwrap().sync_all().unwrap();
    write_synced(ledger, b"{}\n");
}

fn write_synced(path: &Path, bytes: &[u8]) {
    let folder = path.parent().unwrap();
    let mut file = tempfile::NamedTempFile::new_in(folder).unwrap();
    file.write_all(bytes).unwrap();
    file.as_file().sync_all().unwrap();
    file.persist(path).unwrap();
    File::open(folder).unwrap().sync_all().unwrap();
}

// The rows.

fn add(row: &Row, folder: &Path) {
    let ledger = small_ledger(folder);
    let mut count = 0;
    compare(
        row,
        40,
        || {
            count += 1;
            let url = format!("https://new.example/{count}");
            cited(&["--ledger", text(&ledger), "add", &url])
        },
        || this(&["bare-add", text(&ledger)]),
    );
}

fn verify(row: &Row, folder: &Path) {
    let ledger = small_ledger(folder);
    let report = folder.join("report.md");
    fs::write(&report, report_of(20_000)).unwrap();
    run(cited(&["--ledger", text(&ledger), "render", "--replace-in", text(&report)]));
    compare(
        row,
        40,
        || cited(&["--ledger", text(&ledger), "verify", text(&report)]),
        || this(&["bare-verify", text(&report), text(&ledger)]),
    );
}

fn add_to_many(row: &Row, folder: &Path) {
    let (ledger, input, copy) =
        (folder.join("ledger.json"), folder.join("input.json"), folder.join("copy.json"));
    fs::write(&input, results(100_000, None)).unwrap();
    run(cited(&["--ledger", text(&ledger), "ingest", text(&input)]));
    let mut count = 0;
    compare(
        row,
        7,
        || {
            count += 1;
            let url = format!("https://new.example/{count}");
            cited(&["--ledger", text(&ledger), "add", &url])
        },
        || this(&["bare-parse-write", text(&ledger), text(&copy)]),
    );
}

fn ingest(row: &Row, folder: &Path) {
    let (input, copy) = (folder.join("input.json"), folder.join("copy.json"));
    fs::write(&input, results(10_000, None)).unwrap();
    let mut count = 0;
    compare(
        row,
        15,
        || {
            count += 1;
            let ledger = folder.join(format!("{count}.json"));
            cited(&["--ledger", text(&ledger), "ingest", text(&input)])
        },
        || this(&["bare-parse-write", text(&input), text(&copy)]),
    );
}

fn ingest_pages(row: &Row, folder: &Path) {
    let input = folder.join("input.json");
    fs::write(&input, results(10_000, Some(4_000))).unwrap();
    let mut count = 0;
    compare(
        row,
        5,
        || {
            count += 1;
            let own = folder.join(format!("cited-{count}"));
            fs::create_dir(&own).unwrap();
            cited(&["--ledger", text(&own.join("ledger.json")), "ingest", text(&input)])
        },
        || {
            let own = folder.join(format!("bare-{}", fs::read_dir(folder).unwrap().count()));
            fs::create_dir(&own).unwrap();
            this(&["bare-pages", text(&input), text(&own.join("ledger.json")), text(&own.join("evidence"))])
        },
    );
}

/// Not a time: the peak of resident memory over the size of the input, as GNU time tells it.
fn ingest_memory(row: &Row, folder: &Path) {
    if !Path::new("/usr/bin/time").exists() {
        return println!("{:<44} needs /usr/bin/time", row.name);
    }
    for (count, page) in [(10_000, None), (100_000, None), (100_000, Some(300)), (10_000, Some(4_000))] {
        let input = folder.join("input.json");
        fs::write(&input, results(count, page)).unwrap();
        let ledger = folder.join(format!("{count}-{}.json", page.unwrap_or(0)));
        let mut command = Command::new("/usr/bin/time");
        command.args([
            "-f",
            "%M",
            env!("CARGO_BIN_EXE_cited"),
            "--ledger",
            text(&ledger),
            "ingest",
            text(&input),
        ]);
        let output = command.stdout(Stdio::null()).output().unwrap();
        let peak: f64 =
            String::from_utf8_lossy(&output.stderr).lines().last().unwrap().trim().parse().unwrap();
        let size = fs::metadata(&input).unwrap().len() as f64 / 1024.0;
        let what = format!("{}, {count} results, {size:.0} KiB", row.name);
        println!("{what:<60} {:>6.2}   limit {}", peak / size, row.limit);
    }
}

// Measuring.

/// Runs the two in turn and prints minimum, median and maximum of the ratio, pair by pair.
fn compare(row: &Row, pairs: usize, mut ours: impl FnMut() -> Command, mut bare: impl FnMut() -> Command) {
    let mut taken = Vec::new();
    for pair in 0..=pairs {
        let (a, b) = (timed(ours()), timed(bare()));
        if pair > 0 {
            taken.push((a.as_secs_f64() / b.as_secs_f64(), a, b));
        }
    }
    taken.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (median, ours, bare) = taken[taken.len() / 2];
    let (least, most) = (taken[0].0, taken[taken.len() - 1].0);
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "{:<44} {least:>7.2} {median:>7.2} {most:>7.2}   {:>9.2} {:>9.2}   {}",
        row.name,
        ms(ours),
        ms(bare),
        row.limit
    );
}

fn timed(command: Command) -> Duration {
    let start = Instant::now();
    run(command);
    start.elapsed()
}

fn run(mut command: Command) {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}

fn cited(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
    command.args(arguments);
    command
}

fn this(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments);
    command
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

// Inputs.

fn small_ledger(folder: &Path) -> PathBuf {
    let ledger = folder.join("ledger.json");
    let urls: Vec<String> = (1..=20).map(|n| format!("https://page{n}.example/ice")).collect();
    let mut arguments = vec!["--ledger", text(&ledger), "add"];
    arguments.extend(urls.iter().map(String::as_str));
    run(cited(&arguments));
    ledger
}

/// A report of about `bytes` bytes that cites twenty sources.
fn report_of(bytes: usize) -> String {
    let mut report = String::from("# Ice and water\n\n");
    let mut n = 0;
    while report.len() < bytes {
        n += 1;
        let id = n % 20 + 1;
        write!(report, "Ice is about nine percent less dense than liquid water, as Dr. Snow measured in {n} lakes.[{id}] ").unwrap();
        if n % 5 == 0 {
            write!(report, "\n\n## Section {n}\n\n").unwrap();
        }
    }
    report
}

/// A search reply with `count` results, each with a page of `page` bytes if asked for.
fn results(count: usize, page: Option<usize>) -> String {
    let mut json = String::from("{\"results\": [");
    for n in 0..count {
        let comma = if n == 0 { "" } else { "," };
        write!(json, "{comma}{{\"url\": \"https://site{}.example/articles/{n}\", \"title\": \"Article {n}: why ice floats\"", n % 100).unwrap();
        if let Some(size) = page {
            let sentence = format!("Ice floats on liquid water, says article {n}. ");
            let body = sentence.repeat(size / sentence.len() + 1);
            write!(json, ", \"raw_content\": \"{body}\"").unwrap();
        }
        json.push('}');
    }
    json.push_str("]}");
    json
}
