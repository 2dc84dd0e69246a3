//! A run cut short at each of its steps, and what the next one makes of it.

use super::*;
use crate::identity::{Options, SourceId, locate};

const OLD: [&str; 2] = ["Ice.[1]\n", "Water.[1]\n"];
const NEW: [&str; 2] = ["Ice.[2]\n", "Water.[2]\n"];

/// A ledger with one page, two drafts that cite another, and a plan to take that in.
struct Room {
    folder: tempfile::TempDir,
    store: Store,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("ledger.json"));
        store.update(|ledger| Ok(add(ledger, "https://a.example"))).unwrap();
        for (at, text) in OLD.iter().enumerate() {
            fs::write(folder.path().join(format!("{at}.md")), text).unwrap();
        }
        Self { folder, store }
    }

    fn draft(&self, at: usize) -> PathBuf {
        self.folder.path().join(format!("{at}.md"))
    }

    fn rewrites(&self) -> Vec<Rewrite> {
        let one = |at: usize| Rewrite {
            path: self.draft(at),
            before: OLD[at].to_owned(),
            after: NEW[at].to_owned(),
            numbers: Numbers::from([(SourceId(1), SourceId(2))]),
        };
        vec![one(0), one(1)]
    }

    fn grown(&self) -> Ledger {
        let mut ledger = self.store.read().unwrap();
        add(&mut ledger, "https://b.example");
        ledger
    }

    /// Does the first `steps` of a run: the journal, the staged texts, the mark that all is ready, the ledger,
    /// the first draft.
    fn cut_short_after(&self, steps: usize) {
        let locked = self.store.locked().unwrap();
        let mut journal = Journal::open(&locked).unwrap();
        let rewrites = self.rewrites();
        let (run, text) = journal.plan("merge", &self.grown(), &rewrites).unwrap();
        journal.wire.pending = Some(run.clone());
        journal.write().unwrap();
        if steps > 1 {
            journal.stage(&run, text.as_deref(), &rewrites).unwrap();
        }
        if steps > 2 {
            journal.begin().unwrap();
        }
        if steps > 3 {
            assert!(journal.take_ledger(&run).unwrap());
        }
        if steps > 4 {
            let target = journal.folder().join("0.md");
            file::put_in_place(&run::staged(&target, &run.files[0].after), &target).unwrap();
        }
    }

    fn settle(&self) -> Option<Settled> {
        let locked = self.store.locked().unwrap();
        Journal::open(&locked).unwrap().settle().unwrap()
    }

    fn texts(&self) -> [String; 2] {
        [0, 1].map(|at| fs::read_to_string(self.draft(at)).unwrap())
    }

    fn sources(&self) -> usize {
        self.store.read().unwrap().sources().len()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn add(ledger: &mut Ledger, url: &str) -> SourceId {
    ledger.add(&locate(url, &Options::default()).unwrap(), url, "", "2026-01-31", None).id
}

#[test]
fn a_run_writes_all_and_leaves_only_its_memory() {
    let room = Room::new();
    let locked = room.store.locked().unwrap();
    let mut journal = Journal::open(&locked).unwrap();
    assert!(journal.carry_out("merge", &room.grown(), &room.rewrites()).unwrap().is_empty());
    assert_eq!((room.texts(), room.sources()), (NEW.map(str::to_owned), 2));
    assert_eq!(
        room.names(),
        [".ledger.json.cited-journal", ".ledger.json.cited-lock", "0.md", "1.md", "ledger.json"]
    );
    assert_eq!(memory(&room.store, &room.draft(0), NEW[0]), Memory::Rewritten);
    assert_eq!(memory(&room.store, &room.draft(0), "Steam.[1]\n"), Memory::Changed);
    assert_eq!(memory(&room.store, room.store.path(), NEW[0]), Memory::New);
}

#[test]
fn a_run_cut_short_before_it_is_ready_is_undone_and_after_it_finished() {
    for steps in 1..=5 {
        let room = Room::new();
        room.cut_short_after(steps);
        assert!(is_pending(&room.store));
        let settled = room.settle().unwrap();
        let finished = steps > 2;
        assert_eq!((settled.finished, settled.left.len()), (finished, 0), "{steps}");
        let (texts, sources) = if finished { (NEW, 2) } else { (OLD, 1) };
        assert_eq!((room.texts(), room.sources()), (texts.map(str::to_owned), sources), "{steps}");
        assert!(!is_pending(&room.store) && room.settle().is_none());
        assert!(room.names().iter().all(|name| !name.contains("staged")), "{:?}", room.names());
    }
}

#[test]
fn a_ledger_that_grew_in_between_undoes_a_run_that_had_not_reached_it() {
    let room = Room::new();
    room.cut_short_after(3);
    room.store.update(|ledger| Ok(add(ledger, "https://c.example"))).unwrap();
    assert!(!room.settle().unwrap().finished);
    assert_eq!((room.texts(), room.sources()), (OLD.map(str::to_owned), 2));
}

#[test]
fn a_ledger_that_grew_after_it_was_taken_stops_nothing() {
    let room = Room::new();
    room.cut_short_after(4);
    room.store.update(|ledger| Ok(add(ledger, "https://c.example"))).unwrap();
    assert!(room.settle().unwrap().finished);
    assert_eq!((room.texts(), room.sources()), (NEW.map(str::to_owned), 3));
}

#[test]
fn a_draft_that_was_changed_in_between_is_left_alone_and_named() {
    let room = Room::new();
    room.cut_short_after(5);
    fs::write(room.draft(0), "Ice, once more.[2]\n").unwrap();
    fs::write(room.draft(1), "Water, once more.[1]\n").unwrap();
    let settled = room.settle().unwrap();
    assert_eq!(settled.left, [fs::canonicalize(room.draft(1)).unwrap()]);
    assert_eq!(room.texts(), ["Ice, once more.[2]\n", "Water, once more.[1]\n"]);
}

#[test]
fn a_read_only_draft_stops_the_run_before_anything_changes() {
    let room = Room::new();
    let mut permissions = fs::metadata(room.draft(1)).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(room.draft(1), permissions).unwrap();
    let before = room.names();
    let locked = room.store.locked().unwrap();
    let error =
        Journal::open(&locked).unwrap().carry_out("adopt", &room.grown(), &room.rewrites()).unwrap_err();
    assert!(error.to_string().ends_with("1.md`: it is read-only"), "{error}");
    assert_eq!((room.texts(), room.sources(), room.names()), (OLD.map(str::to_owned), 1, before));
}

#[test]
fn a_journal_that_names_other_files_replaces_none_of_them() {
    let room = Room::new();
    fs::write(room.folder.path().join("mine.txt"), "mine").unwrap();
    let digest = |text: &str| Digest::of(text).as_str().to_owned();
    for staged in [None, Some("theirs")] {
        let wire = format!(
            r#"{{"version":1,"pending":{{"what":"merge","ready":true,"files":[
                {{"path":"mine.txt","before":"{}","after":"{}","map":{{}}}}]}}}}"#,
            digest("mine"),
            digest("evil")
        );
        fs::write(room.folder.path().join(".ledger.json.cited-journal"), wire).unwrap();
        if let Some(text) = staged {
            let path = run::staged(&room.folder.path().join("mine.txt"), &digest("evil"));
            fs::write(path, text).unwrap();
        }
        room.settle();
        assert_eq!(fs::read_to_string(room.folder.path().join("mine.txt")).unwrap(), "mine");
    }
}

#[test]
fn a_journal_that_cannot_be_read_stops_the_run() {
    let room = Room::new();
    let path = room.folder.path().join(".ledger.json.cited-journal");
    for text in ["", "[]", "{", r#"{"version":2}"#, r#"{"version":1,"pending":{}}"#] {
        fs::write(&path, text).unwrap();
        let locked = room.store.locked().unwrap();
        assert!(Journal::open(&locked).is_err(), "{text}");
        assert!(!is_pending(&room.store));
    }
}
