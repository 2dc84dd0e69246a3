//! The page of `cited verify --format html` in headless Chromium, driven through ChromeDriver: a citation that is
//! clicked brings its source and quote to the front, and the link there opens the page at the quoted words.
//!
//! Where there is no `chromedriver` the tests say `SKIPPED` and pass; with `CITED_REQUIRE_PROGRAMS=1` they fail.
#![cfg(feature = "recall")]

mod browser;
mod loopback;

use std::path::Path;
use std::process::Command;

use browser::Browser;
use loopback::{Act, Server};

const WORDS: &str = "A well-known lake, deep & cold, freezes from above";
const DRAFT: &str =
    "# Lakes\n\nA lake freezes from above.[1] Fish survive below it.[2] Nobody counts them down there.\n";

/// A page of evidence, long enough that the quote stands far below its first screen.
fn lake_page() -> Vec<u8> {
    let filler = "<p>Water is wet.</p>".repeat(400);
    let html = format!(
        "<!doctype html><meta charset=utf-8><title>Lakes</title>{filler}<p id=here>{}.</p>{filler}",
        WORDS.replace('&', "&amp;")
    );
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        html.len()
    );
    [head.into_bytes(), html.into_bytes()].concat()
}

fn cited(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_cited"))
        .args(["--ledger", "ledger.json"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {output:?}");
}

/// A folder with a ledger of two sources, one with a quote from `server`, and the page on a draft that cites both.
fn page(server: &Server) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("lake.txt"), format!("Of lakes. {WORDS}.\n")).expect("a file");
    std::fs::write(at("draft.md"), DRAFT).expect("a file");
    cited(folder.path(), &["add", &format!("{}/lakes", server.url), "--title", "Lakes <in> winter"]);
    cited(folder.path(), &["add", "https://fish.example/below"]);
    cited(folder.path(), &["quote", "1", "--from", "lake.txt", "--text", WORDS]);
    cited(folder.path(), &["verify", "draft.md", "--evidence", "--format", "html", "-o", "page.html"]);
    folder
}

fn opened(folder: &tempfile::TempDir, width: u32) -> Option<Browser> {
    let browser = Browser::start(width, 700)?;
    browser.open(&format!("file://{}", folder.path().join("page.html").display()));
    Some(browser)
}

const FRONT: &str = "const card = document.querySelector('.source:target'); if (!card) return null; \
    const box = card.getBoundingClientRect(); \
    return { text: card.innerText, position: getComputedStyle(card).position, \
        seen: box.top >= 0 && box.bottom <= innerHeight + 1 && box.width > 200, \
        link: card.querySelector('a.open').href };";

#[test]
fn a_clicked_citation_shows_its_source_and_quote_and_the_quote_opens_its_page() {
    let server = Server::new(|_| Act::Raw(lake_page()));
    let folder = page(&server);
    let Some(browser) = opened(&folder, 1200) else { return };
    assert!(browser.run(FRONT).is_null(), "no source is in front before a click");

    browser.click("a.cite[href='#s1']");
    let front = browser.run(FRONT);
    let text = front["text"].as_str().expect("a source in front");
    assert!(text.contains("Lakes <in> winter") && text.contains(WORDS) && text.contains("holds"), "{text}");
    assert!(text.contains("Of lakes."), "what stands around the quote is missing: {text}");
    assert_eq!((&front["position"], &front["seen"]), (&"fixed".into(), &true.into()));
    let encoded = "A%20well%2Dknown%20lake%2C%20deep%20%26%20cold%2C%20freezes%20from%20above";
    assert_eq!(front["link"], format!("{}/lakes#:~:text={encoded}", server.url));

    browser.click(".source:target a.open");
    browser.switch_to_newest_window();
    browser.wait_for("return document.getElementById('here') !== null && scrollY > 0");
    let seen = "const box = document.getElementById('here').getBoundingClientRect(); return box.top > 0 && box.top < innerHeight";
    assert_eq!(browser.run(seen), true, "the page is not open at the quoted words");
}

#[test]
fn a_source_in_front_is_closed_and_the_text_has_not_moved() {
    let server = Server::new(|_| Act::Raw(lake_page()));
    let folder = page(&server);
    let Some(browser) = opened(&folder, 1200) else { return };
    browser.click("a.cite[href='#s1']");
    browser.click(".source:target a.close");
    assert!(browser.run(FRONT).is_null());
    assert_eq!(browser.run("return scrollY"), 0);
}

#[test]
fn a_finding_leads_to_its_place_and_back() {
    let server = Server::new(|_| Act::Raw(lake_page()));
    let folder = page(&server);
    let Some(browser) = opened(&folder, 1200) else { return };
    browser.click(".finding a.place");
    assert_eq!(browser.run("return document.querySelector('.mark:target').innerText"), "1");
    browser.click("a.mark:target");
    assert_eq!(browser.run("return document.querySelector('.finding:target') !== null"), true);
}

#[test]
fn the_page_fits_a_phone_and_breaks_no_policy_of_its_own() {
    let server = Server::new(|_| Act::Raw(lake_page()));
    let folder = page(&server);
    let Some(browser) = opened(&folder, 390) else { return };
    browser.click("a.cite[href='#s1']");
    assert_eq!(browser.run(FRONT)["seen"], true);
    assert_eq!(browser.run("return document.documentElement.scrollWidth <= innerWidth"), true);
    assert_eq!(browser.run("return getComputedStyle(document.querySelector('.evidence')).backgroundColor !== 'rgba(0, 0, 0, 0)'"), true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
