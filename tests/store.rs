//! The ledger's file under load, under attack and on a bad day.
//!
//! Where a test needs processes of its own it runs this very test binary again: see `child`.

// Helpers fail a test like the test itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write, stdout};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use cited::identity::{Options, locate};
use cited::ledger::{Ledger, Store, format};

const LEDGER: &str = "CITED_TEST_LEDGER";
const PAGES: &str = "CITED_TEST_PAGES";

fn add(ledger: &mut Ledger, url: &str) -> u32 {
    let locator = locate(url, &Options::default()).expect("a URL");
    ledger.add(&locator, url, "", "2026-01-31", None).id.0
}

fn register(store: &Store, url: &str) -> cited::Result<u32> {
    store.update(|ledger| Ok(add(ledger, url)))
}

/// Every id of the ledger with its URL; fails where an id stands twice.
fn contents(path: &Path) -> BTreeMap<u32, String> {
    let ledger = Store::new(path).read().expect("a ledger");
    assert!(ledger.ambiguous().is_empty());
    ledger.sources().iter().map(|source| (source.id.0, source.url.clone())).collect()
}

/// Names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names: BTreeSet<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.into_iter().collect()
}

/// Not a test of its own: the process that others start. Registers pages one by one and prints each id once it
/// is on the disk, or the error.
#[test]
#[ignore = "run by the other tests as a process"]
fn child() {
    let Ok(path) = std::env::var(LEDGER) else { return };
    let store = Store::new(path);
    for url in std::env::var(PAGES).unwrap().split(' ') {
        let line = match register(&store, url) {
            Ok(id) => format!("registered {id} {url}"),
            Err(error) => format!("failed {error}"),
        };
        writeln!(stdout(), "{line}").unwrap();
    }
}

fn child_command(path: &Path, pages: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(LEDGER, path).env(PAGES, pages).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn output(mut child: Child) -> String {
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    text
}

/// The whole lines in which a child says what is on the disk. The test harness may write before them on a line.
fn registered(output: &str) -> Vec<(u32, String)> {
    let whole = output.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let told = whole.lines().filter_map(|line| line.split_once("registered ")).map(|(_, told)| told);
    told.map(|told| told.split_once(' ').unwrap())
        .map(|(id, url)| (id.parse().unwrap(), url.to_owned()))
        .collect()
}

#[test]
fn a_missing_file_is_an_empty_ledger_and_reading_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("new/ledger.json"));
    assert!(store.read().unwrap().sources().is_empty());
    assert!(names(folder.path()).is_empty());
    assert_eq!(register(&store, "https://a.example").unwrap(), 1);
    assert_eq!(names(&folder.path().join("new")), [".ledger.json.cited-lock", "ledger.json"]);
}

#[test]
fn nothing_is_written_where_nothing_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    let text = r#"{"version":1,"sources":[{"id":1,"url":"https://a.example","title":"","accessed":""}]}"#;
    fs::write(&path, text).unwrap();
    assert_eq!(register(&Store::new(&path), "https://a.example/").unwrap(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let refused: cited::Result<()> = Store::new(&path).update(|ledger| {
        add(ledger, "https://b.example");
        Err(cited::Error::no("no"))
    });
    assert!(refused.is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn threads_that_add_at_once_share_no_id_and_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    let store = Store::new(&path);
    let told: Vec<(u32, String)> = thread::scope(|scope| {
        let url = |at| format!("https://a.example/{}", at / 2);
        let threads: Vec<_> = (0..64)
            .map(|at| {
                scope.spawn({
                    let store = &store;
                    move || (register(store, &url(at)).unwrap(), url(at))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let kept = contents(&path);
    assert_eq!(kept.keys().copied().collect::<Vec<_>>(), (1..=32).collect::<Vec<_>>());
    assert!(told.iter().all(|(id, url)| kept[id] == *url));
}

#[test]
fn three_hundred_processes_share_no_id_and_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    let start = Instant::now();
    let children: Vec<Child> = (0..300)
        .map(|at| child_command(&path, &format!("https://a.example/{at}")).spawn().unwrap())
        .collect();
    let told: Vec<(u32, String)> =
        children.into_iter().flat_map(|child| registered(&output(child))).collect();
    let kept = contents(&path);
    assert_eq!(told.len(), 300, "after {:?}", start.elapsed());
    assert_eq!(kept.len(), 300);
    assert!(told.iter().all(|(id, url)| kept[id] == *url));
    assert_eq!(names(folder.path()), [".ledger.json.cited-lock", "ledger.json"]);
}

#[test]
fn writers_killed_at_any_instant_lose_nothing_that_they_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    let mut told = Vec::new();
    for round in 0..10u64 {
        let pages = |at| {
            (0..500).map(|n| format!("https://a.example/{round}/{at}/{n}")).collect::<Vec<_>>().join(" ")
        };
        let mut children: Vec<Child> =
            (0..6).map(|at| child_command(&path, &pages(at)).spawn().unwrap()).collect();
        for (at, child) in children.iter_mut().enumerate() {
            // Spread over the milliseconds in which a write happens, without a source of chance.
            thread::sleep(Duration::from_micros(9_000 + (round * 6 + at as u64) * 7_919 % 13_000));
            child.kill().unwrap();
        }
        for child in children {
            told.extend(registered(&output(child)));
        }
        contents(&path);
    }
    let start = Instant::now();
    register(&Store::new(&path), "https://last.example").unwrap();
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    let kept = contents(&path);
    assert!(!told.is_empty() && kept.len() > told.len());
    assert!(told.iter().all(|(id, url)| kept.get(id) == Some(url)));
    assert_eq!(names(folder.path()), [".ledger.json.cited-lock", "ledger.json"]);
}

/// A file-size limit stands in for a full disk: both end a write half way.
#[cfg(unix)]
fn child_with_little_room(path: &Path, before: &str) -> String {
    let long = format!("https://a.example/{}", "x".repeat(4000));
    let child = child_command(path, &long);
    let mut limited = Command::new("sh");
    limited.arg("-c").arg(format!("{before} ulimit -f 1; exec \"$0\" \"$@\"")).arg(child.get_program());
    limited.args(child.get_args()).env(LEDGER, path).env(PAGES, &long);
    output(limited.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_an_error_and_the_old_file_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    register(&Store::new(&path), "https://a.example").unwrap();
    let old = fs::read(&path).unwrap();
    let told = child_with_little_room(&path, "trap '' XFSZ;");
    assert!(
        told.contains(&format!("failed cannot write the ledger `{}`: file too large\n", path.display())),
        "{told}"
    );
    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(names(folder.path()), [".ledger.json.cited-lock", "ledger.json"]);
}

#[test]
#[cfg(unix)]
fn half_a_copy_of_a_ledger_is_not_left_to_pass_for_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    register(&Store::new(&path), &format!("https://a.example/{}", "x".repeat(4000))).unwrap();
    let old = fs::read(&path).unwrap();
    let mut limited = Command::new("sh");
    limited.arg("-c").arg("ulimit -f 1; exec \"$0\" --ledger \"$1\" reset");
    let reset = limited.arg(env!("CARGO_BIN_EXE_cited")).arg(&path).stderr(Stdio::null()).status().unwrap();
    assert_eq!(reset.code(), Some(1));
    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(names(folder.path()), [".ledger.json.cited-lock", "ledger.json"]);
}

#[test]
#[cfg(target_os = "linux")]
fn ids_that_cannot_be_printed_are_an_error_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    let mut add = Command::new(env!("CARGO_BIN_EXE_cited"));
    add.arg("--ledger").arg(&path).args(["add", "https://a.example"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let done = add.stdout(full).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(said, "error: cannot write the output: no space left on device\n");
    assert_eq!(contents(&path).len(), 1);
}

#[test]
#[cfg(unix)]
fn what_a_killed_writer_left_behind_goes_with_the_next_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    register(&Store::new(&path), "https://a.example").unwrap();
    let other = folder.path().join(".other.json.cited-new-abc");
    fs::write(&other, "of another file").unwrap();
    assert_eq!(registered(&child_with_little_room(&path, "")), []);
    assert_eq!(
        names(folder.path()).len(),
        4,
        "the signal left its temporary file: {:?}",
        names(folder.path())
    );
    assert_eq!(register(&Store::new(&path), "https://b.example").unwrap(), 2);
    assert_eq!(names(folder.path()), [".ledger.json.cited-lock", ".other.json.cited-new-abc", "ledger.json"]);
}

#[test]
fn a_place_that_cannot_be_written_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let in_place = folder.path().join("ledger.json");
    fs::create_dir(&in_place).unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let mut places = vec![in_place.clone(), file.join("ledger.json"), folder.path().join("..")];
    if cfg!(target_os = "linux") {
        places.push("/proc/cited/ledger.json".into());
    }
    for place in places {
        let store = Store::new(&place);
        let error = register(&store, "https://a.example").unwrap_err().to_string();
        assert!(!error.contains('\n') && error.contains(&*place.to_string_lossy()), "{error}");
        assert!(store.reset(Some("1")).is_err(), "{}", place.display());
    }
    assert!(Store::new(&in_place).read().unwrap_err().to_string().ends_with("it is a directory"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "x");
}

#[test]
#[cfg(unix)]
fn a_read_only_folder_is_an_error_and_the_old_file_is_whole() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    register(&Store::new(&path), "https://a.example").unwrap();
    let old = fs::read(&path).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.path().join("probe"), "").is_ok() {
        writeln!(stdout(), "skipped: this user may write into a read-only folder").unwrap();
        return;
    }
    assert!(register(&Store::new(&path), "https://b.example").is_err());
    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(Store::new(&path).read().unwrap().sources().len(), 1);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[cfg(unix)]
fn permissions_and_symbolic_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real/ledger.json");
    let link = folder.path().join("link.json");
    fs::create_dir(real.parent().unwrap()).unwrap();
    symlink("real/ledger.json", &link).unwrap();
    assert_eq!(register(&Store::new(&link), "https://a.example").unwrap(), 1);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(register(&Store::new(&link), "https://b.example").unwrap(), 2);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(contents(&real).len(), 2);
    assert_eq!(names(real.parent().unwrap()), [".ledger.json.cited-lock", "ledger.json"]);
    let circle = folder.path().join("circle");
    symlink("circle", &circle).unwrap();
    assert!(register(&Store::new(&circle), "https://a.example").is_err());
}

#[test]
#[cfg(unix)]
fn a_new_ledger_below_the_home_folder_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let private = folder.path().join("home/ice/data/ledger.json");
    register(&Store::new(&private).private_below(folder.path().join("home/ice")), "https://a.example")
        .unwrap();
    assert_eq!(mode(&private), 0o600);
    let outside = folder.path().join("home/icecap/ledger.json");
    register(&Store::new(&outside).private_below(folder.path().join("home/ice")), "https://a.example")
        .unwrap();
    let usual = folder.path().join("usual");
    fs::write(&usual, "").unwrap();
    assert_eq!(mode(&outside), mode(&usual));
}

#[test]
fn reset_keeps_a_copy_of_what_held_anything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    let store = Store::new(&path);
    assert_eq!(store.reset(Some("20260131")).unwrap(), None);
    assert_eq!(fs::read_to_string(&path).unwrap(), format::write(&Ledger::default()));
    assert_eq!(store.reset(Some("20260131")).unwrap(), None);
    for (held, copied) in
        [("", false), (" \n", false), ("nonsense", true), (r#"{"sources":[{"id":1,"url":"x:y"}]}"#, true)]
    {
        fs::write(&path, held).unwrap();
        let copy = store.reset(Some("20260131")).unwrap();
        assert_eq!(copy.is_some(), copied, "{held}");
        assert!(copy.is_none_or(|copy| fs::read_to_string(copy).unwrap() == held));
        assert!(store.read().unwrap().sources().is_empty());
    }
    register(&store, "https://a.example").unwrap();
    assert_eq!(store.reset(None).unwrap(), None);
    assert_eq!(register(&store, "https://b.example").unwrap(), 1);
    let copies = ["ledger.20260131-2.json", "ledger.20260131.json"];
    assert_eq!(
        names(folder.path()),
        [[".ledger.json.cited-lock"].as_slice(), &copies, &["ledger.json"]].concat()
    );
}

#[test]
fn a_file_that_is_no_ledger_is_named_and_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.json");
    for text in ["", "nonsense", "{\"version\":9,\"sources\":[]}", "{\"sources\":[{\"id\":1}]}"] {
        fs::write(&path, text).unwrap();
        let error = register(&Store::new(&path), "https://a.example").unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("cannot read the ledger `{}`: ", path.display())),
            "{error}"
        );
        assert_eq!(error.help().unwrap().contains("reset"), !text.contains('9'));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}
