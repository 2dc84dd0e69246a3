//! Drafts and ledgers joined through the program: killed at any instant, refused as a whole, and every
//! citation on the page that it was on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use cited::draft::renumber::renumbered;
use cited::draft::{Draft, Options, Target};
use cited::identity::{self, Key, Register, locate};
use cited::ledger::{Ledger, Store};
use proptest::prelude::*;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
    command.current_dir(folder).args(["--ledger", "ledger.json"]).args(arguments);
    command
}

fn cited(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Everything in a folder but the lock, which any command may make.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let kept = names(folder).into_iter().filter(|name| !name.ends_with("cited-lock"));
    kept.map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

fn ledger(pages: &[&str]) -> Ledger {
    let mut ledger = Ledger::default();
    for url in pages {
        ledger.add(&locate(url, &identity::Options::default()).unwrap(), url, "", "2026-01-31", None);
    }
    ledger
}

fn write(path: &Path, ledger: &Ledger) {
    fs::write(path, cited::ledger::format::write(ledger)).unwrap();
}

const OURS: [&str; 3] = ["https://x.example/0", "https://a.example/2", "https://a.example/1"];
const THEIRS: [&str; 3] = ["https://a.example/1", "https://a.example/2", "https://a.example/3"];

/// A folder with two ledgers and drafts that cite the other one.
fn room(drafts: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("ledger.json"), &ledger(&OURS));
    write(&folder.path().join("other.json"), &ledger(&THEIRS));
    for at in 0..drafts {
        fs::write(folder.path().join(format!("{at}.md")), draft(at, [1, 2, 3])).unwrap();
    }
    folder
}

fn draft(at: usize, ids: [u32; 3]) -> String {
    let [one, two, three] = ids;
    format!("Draft {at} says that ice floats.[{one}][{two}] Water boils at last.[{three}, {one}]\n")
}

#[test]
fn killed_at_any_instant_the_next_run_finishes_or_undoes_the_whole() {
    const DRAFTS: usize = 4;
    let arguments = ["merge", "other.json", "--rewrite", "0.md", "1.md", "2.md", "3.md"];
    let whole = {
        let room = room(DRAFTS);
        let start = Instant::now();
        assert!(cited(room.path(), &arguments).status.success());
        start.elapsed()
    };
    for round in 0..60u32 {
        let room = room(DRAFTS);
        let mut child =
            command(room.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(whole * round / 50 + Duration::from_micros(u64::from(round) * 37 % 400));
        child.kill().unwrap();
        child.wait().unwrap();
        for at in 0..DRAFTS {
            let text = fs::read_to_string(room.path().join(format!("{at}.md"))).unwrap();
            assert!([draft(at, [1, 2, 3]), draft(at, [3, 2, 4])].contains(&text), "{text}");
        }
        let again = cited(room.path(), &arguments);
        assert!(again.status.success(), "{}", err(&again));
        for at in 0..DRAFTS {
            let text = fs::read_to_string(room.path().join(format!("{at}.md"))).unwrap();
            assert_eq!(text, draft(at, [3, 2, 4]), "round {round}: {}", err(&again));
        }
        let urls: Vec<String> = Store::new(room.path().join("ledger.json"))
            .read()
            .unwrap()
            .sources()
            .iter()
            .map(|source| source.url.clone())
            .collect();
        assert_eq!(
            urls,
            ["https://x.example/0", "https://a.example/2", "https://a.example/1", "https://a.example/3"]
        );
        let left: Vec<String> =
            names(room.path()).into_iter().filter(|name| name.contains("staged")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn merging_twice_changes_nothing() {
    let room = room(1);
    let first = cited(room.path(), &["merge", "other.json", "--rewrite", "0.md"]);
    assert!(first.status.success(), "{}", err(&first));
    let once = contents(room.path());
    let second = cited(room.path(), &["merge", "other.json", "--rewrite", "0.md"]);
    assert!(
        second.status.success() && err(&second).contains("has this ledger's ids already"),
        "{}",
        err(&second)
    );
    assert_eq!(contents(room.path()), once);
}

#[test]
fn a_draft_that_changed_since_it_was_rewritten_is_not_rewritten_by_guess() {
    let room = room(1);
    let arguments = ["merge", "other.json", "--rewrite", "0.md"];
    assert!(cited(room.path(), &arguments).status.success());
    fs::write(room.path().join("0.md"), "Steam is a hot gas.[3]\n").unwrap();
    let before = contents(room.path());
    let refused = cited(room.path(), &arguments);
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("may be either ledger's"), "{}", err(&refused));
    assert_eq!(contents(room.path()), before);
    // Its own list tells whose numbers they are.
    for (list, expected) in [("[3] https://a.example/3", "[4]"), ("[3] https://a.example/1", "[3]")] {
        fs::write(room.path().join("0.md"), format!("Steam is a hot gas.[3]\n\n## Sources\n\n{list}\n"))
            .unwrap();
        let done = cited(room.path(), &arguments);
        assert!(done.status.success(), "{}", err(&done));
        let text = fs::read_to_string(room.path().join("0.md")).unwrap();
        assert!(text.starts_with(&format!("Steam is a hot gas.{expected}")), "{list}: {text}");
    }
}

#[test]
fn a_dry_run_says_the_same_and_changes_nothing() {
    let room = room(1);
    let before = contents(room.path());
    let dry = cited(room.path(), &["merge", "other.json", "--rewrite", "0.md", "--dry-run"]);
    assert_eq!(contents(room.path()), before);
    let done = cited(room.path(), &["merge", "other.json", "--rewrite", "0.md"]);
    assert_eq!(dry.stdout, done.stdout);
    assert_ne!(contents(room.path()), before);
}

#[test]
fn a_draft_named_twice_is_mapped_once() {
    let room = room(1);
    let done = cited(room.path(), &["merge", "other.json", "--rewrite", "0.md", "./0.md"]);
    assert!(done.status.success(), "{}", err(&done));
    assert_eq!(fs::read_to_string(room.path().join("0.md")).unwrap(), draft(0, [3, 2, 4]));
}

#[test]
fn a_number_that_the_other_ledger_never_issued_stays_unknown() {
    let room = room(0);
    write(&room.path().join("other.json"), &ledger(&THEIRS[..1]));
    fs::write(room.path().join("0.md"), "Ice floats on water.[1] Steam is a gas.[2]\n").unwrap();
    let done = cited(room.path(), &["merge", "other.json", "--rewrite", "0.md"]);
    assert!(done.status.success(), "{}", err(&done));
    assert_eq!(
        fs::read_to_string(room.path().join("0.md")).unwrap(),
        "Ice floats on water.[3] Steam is a gas.[4]\n"
    );
    assert!(cited(room.path(), &["add", "https://new.example"]).stdout.starts_with(b"[5]"));
}

#[test]
#[cfg(unix)]
fn a_ledger_is_not_merged_with_itself() {
    let room = room(0);
    std::os::unix::fs::symlink("ledger.json", room.path().join("link.json")).unwrap();
    fs::hard_link(room.path().join("ledger.json"), room.path().join("hard.json")).unwrap();
    for other in ["ledger.json", "./ledger.json", "link.json", "hard.json"] {
        let refused = cited(room.path(), &["merge", other]);
        assert_eq!(refused.status.code(), Some(2), "{other}");
        assert!(err(&refused).contains("is this ledger itself"), "{}", err(&refused));
    }
}

#[test]
fn a_hostile_ledger_is_refused_or_does_no_harm() {
    let room = room(0);
    let before = contents(room.path());
    for text in ["", "[]", "{\"version\":9,\"sources\":[]}", "{\"sources\":[{\"id\":1}]}", "\u{feff}{"] {
        fs::write(room.path().join("other.json"), text).unwrap();
        let refused = cited(room.path(), &["merge", "other.json"]);
        assert_eq!(refused.status.code(), Some(1), "{text}");
    }
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let hostile = format!(
        r#"{{"version":1,"next_id":2000000000,"x":{deep},"sources":[
        {{"id":1,"url":"https://a.example/\u001b]8;;x","title":"a\n[9] https://evil.example",
          "quotes":[{{"text":"ice","sha256":"../../ledger","start":9,"end":1}}],
          "snapshots":[{{"sha256":"../../../etc/passwd"}}]}},
        {{"id":1,"url":"javascript:alert(1)"}},{{"id":2000000000,"url":"https://b.example"}}]}}"#
    );
    fs::write(room.path().join("other.json"), hostile).unwrap();
    let done = cited(room.path(), &["merge", "other.json"]);
    assert!(done.status.success(), "{}", err(&done));
    assert!(!done.stdout.contains(&0x1b) && err(&done).contains("did not come along"), "{}", err(&done));
    let ids: Vec<u32> = Store::new(room.path().join("ledger.json"))
        .read()
        .unwrap()
        .sources()
        .iter()
        .map(|s| s.id.0)
        .collect();
    assert_eq!(ids, [1, 2, 3, 4, 5, 6]);
    let own = |name: &str| before.iter().any(|(known, _)| known == name) || name.starts_with(".ledger.json");
    assert!(names(room.path()).iter().all(|name| own(name)), "{:?}", names(room.path()));
}

#[test]
fn page_texts_come_along_and_a_forged_one_does_not() {
    let room = room(0);
    let theirs = room.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    fs::write(theirs.join("page.txt"), "Ice floats on cold water.").unwrap();
    let quoted = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_cited"))
            .current_dir(&theirs)
            .args(["--ledger", "l.json"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", err(&done));
    };
    quoted(&["add", "https://ice.example"]);
    quoted(&["quote", "1", "--text", "Ice floats on cold water", "--from", "page.txt"]);
    assert!(cited(room.path(), &["merge", "theirs/l.json"]).status.success());
    fs::write(
        room.path().join("d.md"),
        "Ice floats on cold water.[4]\n\n## Sources\n\n[4] https://ice.example\n",
    )
    .unwrap();
    let proven = cited(room.path(), &["verify", "--evidence", "d.md"]);
    assert!(proven.status.success(), "{}", err(&proven));
    let kept = names(&room.path().join("evidence"));
    fs::remove_dir_all(room.path().join("evidence")).unwrap();
    let name = kept.first().unwrap();
    fs::remove_file(theirs.join("evidence").join(name)).unwrap();
    fs::write(theirs.join("evidence").join(name), "Ice sinks.").unwrap();
    let warned = cited(room.path(), &["merge", "theirs/l.json"]);
    assert!(warned.status.success() && err(&warned).contains("did not come along"), "{}", err(&warned));
    assert!(!room.path().join("evidence").join(name).exists());
}

#[test]
fn adopting_is_all_or_nothing_over_several_drafts() {
    let room = room(0);
    let list = |ids: [u32; 2]| {
        format!(
            "Ice floats on water.[{0}] Steam is a gas.[{1}]\r\n\r\n## Sources\r\n\r\n[{0}] https://n.example/1 — One\r\n[{1}] https://a.example/2\r\n",
            ids[0], ids[1]
        )
    };
    fs::write(room.path().join("good.md"), format!("\u{feff}{}", list([1, 2]))).unwrap();
    fs::write(
        room.path().join("bad.md"),
        "Ice.[1]\n\n## Sources\n\n[1] https://a.example\n\n## Sources\n\n[1] https://b.example\n",
    )
    .unwrap();
    let before = contents(room.path());
    for bad in ["bad.md", "missing.md", "-"] {
        let refused = cited(room.path(), &["adopt", "good.md", bad]);
        assert!(!refused.status.success(), "{bad}");
        assert_eq!(contents(room.path()), before, "{bad}");
    }
    let done = cited(room.path(), &["adopt", "good.md", "good.md"]);
    assert!(done.status.success(), "{}", err(&done));
    assert_eq!(
        String::from_utf8_lossy(&done.stdout),
        "[1] -> [4] https://n.example/1\n[2] -> [2] https://a.example/2\n"
    );
    assert_eq!(fs::read_to_string(room.path().join("good.md")).unwrap(), format!("\u{feff}{}", list([4, 2])));
    let source = Store::new(room.path().join("ledger.json")).read().unwrap().sources()[3].clone();
    assert_eq!((source.via.as_deref(), source.title.as_str()), (Some("draft"), "One"));
    let once = contents(room.path());
    assert!(cited(room.path(), &["adopt", "good.md"]).status.success());
    assert_eq!(contents(room.path()), once);
    assert!(cited(room.path(), &["verify", "good.md"]).status.success());
}

#[test]
fn a_number_without_a_page_never_gets_one() {
    let room = room(0);
    let draft = "Ice floats on water.[1] Steam is a gas.[4] Salt melts ice.[3] Snow is white.[9]\n\n## Sources\n\n[1] https://n.example/1\n[4] A book without a page\n[3] Another book\n";
    fs::write(room.path().join("d.md"), draft).unwrap();
    let done = cited(room.path(), &["adopt", "d.md"]);
    assert!(done.status.success(), "{}", err(&done));
    // 4 is passed over, 3 is the ledger's own.
    let expected = draft.replace("[1]", "[5]").replace("[3]", "[6]");
    assert_eq!(fs::read_to_string(room.path().join("d.md")).unwrap(), expected);
    assert!(
        err(&done).contains("[4] has no URL and is left alone: `A book without a page`"),
        "{}",
        err(&done)
    );
    assert!(err(&done).contains("[3] is another page in the ledger, so it is [6] now"), "{}", err(&done));
}

#[test]
fn an_adopted_draft_may_be_worked_on_and_adopted_again() {
    let room = room(0);
    let path = room.path().join("d.md");
    fs::write(&path, "Ice floats on water.[1]\n\n## Sources\n\n[1] https://n.example/1\n").unwrap();
    assert!(cited(room.path(), &["adopt", "d.md"]).status.success());
    let edited = "Ice floats on water.[4] Steam is a gas.[2] Salt melts ice.[9]\n\n## Sources\n\n[4] https://n.example/1\n[9] https://n.example/9\n";
    fs::write(&path, edited).unwrap();
    let done = cited(room.path(), &["adopt", "d.md"]);
    assert!(done.status.success(), "{}", err(&done));
    assert_eq!(fs::read_to_string(&path).unwrap(), edited.replace("[9]", "[5]"));
}

/// A statement with a marker in one of the forms that are read.
fn statement() -> impl Strategy<Value = String> {
    let id = || 1..=9u32;
    prop_oneof![
        id().prop_map(|a| format!("[{a}]")),
        (id(), id()).prop_map(|(a, b)| format!("[{a}][{b}]")),
        (id(), id(), id()).prop_map(|(a, b, c)| format!("[{a}, {b}; {c}]")),
        (id(), 0..3u32).prop_map(|(a, n)| format!("[{a}-{}]", a + n)),
        (id(), 0..3u32).prop_map(|(a, n)| format!("[{a}–{}]", a + n)),
        id().prop_map(|a| format!("【{a}】")),
        id().prop_map(|a| format!("［{a}］")),
        id().prop_map(|a| format!("[[{a}]](https://a.example/{a})")),
        id().prop_map(|a| format!("[{a}](https://a.example/{a})")),
        id().prop_map(|a| format!("\\[{a}\\]")),
        id().prop_map(|a| format!("[^{a}]")),
        id().prop_map(|a| format!(" [{a}]")),
        Just("`a[1]` [2024] [unverified]".to_owned()),
    ]
    .prop_map(|marker| format!("Ice floats on cold water.{marker} "))
}

/// A list of the pages 1 to 9 in one of the forms that are read.
fn list() -> impl Strategy<Value = String> {
    let forms: [fn(u32) -> String; 6] = [
        |a| format!("[{a}] https://a.example/{a} — Page {a}"),
        |a| format!("- **[{a}]** Page {a}: https://a.example/{a}"),
        |a| format!("{a}. [Page {a}](https://a.example/{a})"),
        |a| format!("[{a}]: https://a.example/{a}"),
        |a| format!("[^{a}]: https://a.example/{a} Page {a}"),
        |a| format!("| {a} | Page | https://a.example/{a} |"),
    ];
    prop::sample::select(forms.to_vec()).prop_map(|form| {
        let lines: Vec<String> = (1..=9).map(form).collect();
        format!("## Sources\n\n{}\n", lines.join("\n"))
    })
}

fn page(register: &dyn Register, id: identity::SourceId) -> Option<Key> {
    register.key_of(id).cloned()
}

/// The pages that a draft cites, in text order; each once a marker, and a page that follows itself counts once.
fn cited_pages(draft: &Draft, register: &dyn Register) -> Vec<Option<Key>> {
    let mut pages = Vec::new();
    for citation in &draft.citations {
        let mut own: Vec<Option<Key>> = Vec::new();
        for page in citation.ids().into_iter().map(|id| page(register, id)) {
            if !own.contains(&page) {
                own.push(page);
            }
        }
        pages.extend(own);
    }
    pages.dedup();
    pages
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_citation_points_at_the_same_page_before_and_after(
        statements in prop::collection::vec(statement(), 1..12),
        list in prop::option::of(list()),
        ours in prop::collection::vec(1..14u32, 0..8),
        crlf in any::<bool>(),
    ) {
        let theirs = ledger(&(1..=11).map(|n| format!("https://a.example/{n}")).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>());
        let pages: Vec<String> = ours.iter().map(|n| format!("https://a.example/{n}")).collect();
        let mut ours = ledger(&pages.iter().map(String::as_str).collect::<Vec<_>>());
        let text = format!("{}\n\n{}", statements.concat(), list.unwrap_or_default());
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let numbers = ours.merge(&theirs, &BTreeSet::new()).map();
        let before = Draft::parse(&text, &Options::default(), &theirs);
        let new = renumbered(&before, &numbers);
        let after = Draft::parse(&new.text, &Options::default(), &ours);
        prop_assert_eq!(new.expected.differs_in(&after), None, "{} became {}", text, new.text);
        prop_assert_eq!(cited_pages(&before, &theirs), cited_pages(&after, &ours), "{} became {}", text, new.text);
        for citation in &after.citations {
            if let Target::Linked(id, url) = &citation.target {
                prop_assert_eq!(ours.id_of(url), Some(*id));
            }
        }
        for entry in after.blocks.iter().flat_map(|block| &block.entries) {
            prop_assert!(entry.url.as_ref().is_some_and(|url| url.matches), "{} became {}", text, new.text);
        }
        let written = cited::ledger::format::write(&ours);
        let mut again = cited::ledger::format::read(written.as_bytes()).unwrap();
        prop_assert!(again.merge(&theirs, &BTreeSet::new()).moved.iter().all(|one| !one.new) && !again.is_changed());
    }
}
