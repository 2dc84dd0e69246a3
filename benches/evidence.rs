//! What checking a quote costs beside the least that the same job can cost, in one process and one run: reading a page
//! and searching it for bytes, the Markdown parser's own pass, the HTML tokenizer's own pass. Hashing and keeping the
//! page are apart. Each row prints the ratio of the medians and its limit.
//!
//! `cargo bench --bench evidence` runs all rows, `cargo bench --bench evidence -- html` those whose name has the word.

#![allow(missing_docs)]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cited::evidence::recheck::{Recheck, Recorded, recheck};
use cited::evidence::{Page, Reader, Verdict};

const RUNS: usize = 5;

/// The quote that every page holds once, at its end, typed in another way than it stands there.
const QUOTE: &str = "the lake's ice is nine percent less dense than its water";
const PASSAGE: &str = "the lake\u{2019}s ice is nine percent\nless dense than its water";

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let asked = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    println!("{:<34} {:>9} {:>9} {:>7} {:>7}", "page", "cited ms", "bare ms", "ratio", "limit");
    for (name, sentence, limit) in PLAIN {
        if asked(name) {
            plain(name, &page(sentence, 40_000_000), *limit, folder.path());
        }
    }
    if asked("markdown 20 MB") {
        markdown(&page(
            "Ice *floats* on [water](https://a.example/ice) and `melts` in the **sun**.",
            20_000_000,
        ));
    }
    if asked("html 20 MB") {
        html(&page(
            "<p>Ice <b>floats</b> on <a href=\"/water\">water</a> &amp; melts in the sun.</p>",
            20_000_000,
        ));
    }
    if asked("1,000 quotes checked again") {
        again(&page("Ice floats on water and melts in the sun.", 1_000_000));
    }
    if asked("near miss on 1 MB") {
        near(&page("Ice floats on water and melts in the sun.", 1_000_000));
    }
    if asked("peak memory") {
        memory(folder.path());
    }
}

const PLAIN: &[(&str, &str, f64)] = &[
    ("ascii 40 MB", "Ice floats on water and melts in the sun.", 4.0),
    ("greek 40 MB", "Ο πάγος επιπλέει στο νερό και λιώνει στον ήλιο.", 8.0),
    ("cyrillic 40 MB", "Лёд плавает на воде и тает на солнце.", 8.0),
    ("chinese 40 MB", "冰浮在水上，在阳光下融化。", 8.0),
    ("thai 40 MB", "น้ำแข็งลอยอยู่บนน้ำและละลายในแสงแดด", 8.0),
    ("hindi 40 MB", "बर्फ पानी पर तैरती है और धूप में पिघलती है।", 8.0),
];

/// `sentence` over and over, a paragraph every eight times, and the passage at the end.
fn page(sentence: &str, bytes: usize) -> String {
    let mut page = String::with_capacity(bytes + 1_000);
    let mut n = 0;
    while page.len() < bytes {
        n += 1;
        page.push_str(sentence);
        page.push_str(if n % 8 == 0 { "\n\n" } else { " " });
    }
    page.push_str("\n\n");
    page.push_str(PASSAGE);
    page.push_str(".\n");
    page
}

fn plain(name: &str, text: &str, limit: f64, folder: &Path) {
    let path = folder.join("page.txt");
    fs::write(&path, text).expect("written");
    let ours = median(|| {
        let page = Page::read(fs::read(&path).expect("read"), None).expect("a page");
        found(&page);
    });
    let bare = median(|| {
        let bytes = fs::read(&path).expect("read");
        black_box(memchr::memmem::find(&bytes, b"less dense than its water"));
    });
    row(name, ours, bare, limit);
}

fn markdown(text: &str) {
    let ours = median(|| found(&Page::from_snapshot(text.to_owned(), Reader::Markdown)));
    let bare = median(|| {
        black_box(pulldown_cmark::Parser::new_ext(text, pulldown_cmark::Options::all()).count());
    });
    row("markdown 20 MB, beside its parser", ours, bare, 2.5);
}

fn html(text: &str) {
    let source = format!("<!doctype html><body>{text}</body>");
    let ours =
        median(|| found(&Page::read(source.clone().into_bytes(), Some(Reader::Html)).expect("a page")));
    let bare = median(|| {
        black_box(html5gum::Tokenizer::new(source.as_str()).count());
    });
    row("html 20 MB, beside its tokenizer", ours, bare, 2.0);
}

fn again(text: &str) {
    let places = text.match_indices("Ice floats on water").step_by(text.len() / 42 / 1_000).take(1_000);
    let quotes: Vec<Recorded> = places
        .map(|(at, quote)| Recorded { quote, span: at..at + quote.len(), before: "", after: "" })
        .collect();
    assert_eq!(quotes.len(), 1_000);
    let once = median(|| found(&Page::from_snapshot(text.to_owned(), Reader::Text)));
    let ours = median(|| {
        let seen = recheck(&Page::from_snapshot(text.to_owned(), Reader::Text), &quotes);
        assert!(seen.iter().all(|one| *one == Recheck::Sound));
    });
    row("1,000 quotes again, beside 1 quote", ours, once, f64::INFINITY);
}

fn near(text: &str) {
    let page = Page::from_snapshot(text.to_owned(), Reader::Text);
    let altered = QUOTE.replace("nine", "eight");
    found(&page);
    let ours = median(|| {
        assert!(matches!(page.find(&altered), Verdict::Refused(_)));
    });
    println!("{:<34} {:>9.2} {:>9} {:>7} {:>7}", "near miss on 1 MB", ms(ours), "", "", "20 ms");
}

/// Not a time: the peak of resident memory over the size of the page, as GNU time tells it.
fn memory(folder: &Path) {
    if !Path::new("/usr/bin/time").exists() {
        return println!("peak memory needs /usr/bin/time");
    }
    let pages = [
        ("text", page(PLAIN[0].1, 40_000_000), 6.0),
        (
            "markdown",
            page("Ice *floats* on [water](https://a.example/ice) in the **sun**.", 20_000_000),
            16.0,
        ),
        ("html", format!("<!doctype html>{}", page("<p>Ice <b>floats</b> on water.</p>", 20_000_000)), 20.0),
    ];
    for (reader, text, limit) in pages {
        let path = folder.join("page");
        fs::write(&path, &text).expect("written");
        let ledger = folder.join("ledger.json");
        let cited = env!("CARGO_BIN_EXE_cited");
        let base = ["--ledger", ledger.to_str().expect("text")];
        let run = |command: &mut Command| command.stdout(Stdio::null()).output().expect("run");
        run(Command::new(cited).args(base).args(["add", "https://lakes.example"]));
        let mut command = Command::new("/usr/bin/time");
        command.args(["-f", "%M", cited]).args(base).args(["quote", "1", "--no-snapshot", "--as", reader]);
        let output = run(command.args(["--text", QUOTE, "--from"]).arg(&path));
        let told = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned();
        let peak: f64 = told.trim().parse().expect("kilobytes");
        let ratio = peak * 1024.0 / text.len() as f64;
        println!(
            "{:<34} {:>9} {:>9} {ratio:>7.2} {limit:>7}",
            format!("peak memory, {reader}, over page"),
            "",
            ""
        );
    }
}

fn found(page: &Page) {
    assert!(matches!(page.find(QUOTE), Verdict::Found(_)), "the quote stands on the page");
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}

fn row(name: &str, ours: Duration, bare: Duration, limit: f64) {
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    println!("{name:<34} {:>9.2} {:>9.2} {ratio:>7.2} {limit:>7}", ms(ours), ms(bare));
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
