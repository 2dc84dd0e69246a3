//! Bringing memory up to date: what changes, what stays, what is never read.

use std::collections::BTreeMap;
use std::fs;

use cited::memory::index::{Progress, Request};

use super::{NOW, Place};

const LATER: &str = "2025-06-20T12:00:00Z";

/// Every passage: its id, and when it was first seen.
fn passages(place: &Place) -> BTreeMap<String, String> {
    let read = |reader: &cited::memory::reader::Reader| {
        reader.run(|connection| {
            let mut rows = connection.prepare("SELECT chunk_id, first_seen FROM chunks")?;
            rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    };
    place.memory.read(read).unwrap()
}

fn generation(place: &Place) -> String {
    place.memory.read(|reader| Ok(reader.size()?.generation)).unwrap()
}

const NOTE: &str = "# Ice\n\nIce floats on water.\n\n# Boiling\n\nWater boils at 100 degrees.\n";

#[test]
fn a_second_run_writes_nothing() {
    let place = Place::indexed(&[("a.md", NOTE), ("b.md", "Iron is heavy.\n")]);
    let before = passages(&place);
    let report = place.index_at(&place.notes(), LATER);
    assert_eq!((report.added, report.changed, report.unchanged), (0, 0, 2));
    assert_eq!(passages(&place), before);
}

#[test]
fn a_passage_keeps_its_id_and_time_when_another_part_of_its_note_changes() {
    let place = Place::indexed(&[("a.md", NOTE)]);
    let before = passages(&place);
    place.write("a.md", &NOTE.replace("floats", "swims").replace("# Ice", "# Frozen water"));
    let report = place.index_at(&place.notes(), LATER);
    assert_eq!((report.added, report.changed), (0, 1));
    let after = passages(&place);
    let kept: Vec<_> = after.iter().filter(|(id, _)| before.contains_key(*id)).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].1, NOW);
    assert!(after.values().any(|seen| seen == LATER));
}

#[test]
fn a_new_heading_over_the_same_words_keeps_their_id_and_is_searched() {
    let place = Place::indexed(&[("a.md", "# Ice\n\nIt floats on water.\n")]);
    let before = passages(&place);
    place.write("a.md", "# Pumice\n\nIt floats on water.\n");
    place.index_at(&place.notes(), LATER);
    assert_eq!(passages(&place), before);
    assert_eq!(super::sources(&place.ask("Does pumice float?")), ["a.md"]);
}

#[test]
fn the_same_words_twice_in_a_note_are_two_passages() {
    let place = Place::indexed(&[("a.md", "# A\n\nIce floats.\n\n# B\n\nIce floats.\n")]);
    assert_eq!(passages(&place).len(), 2);
}

#[test]
fn another_folder_and_another_order_of_runs_give_the_same_ids_and_generation() {
    let first = Place::indexed(&[("a.md", NOTE), ("sub/b.txt", "Iron is heavy.\r\n")]);
    let second = Place::new(&[("sub/b.txt", "\u{feff}Iron is heavy.\n")]);
    second.index();
    second.write("a.md", "Something else.\n");
    second.index();
    second.write("a.md", &NOTE.replace('\n', "\r\n"));
    second.index();
    assert_eq!(generation(&first), generation(&second));
    assert!(passages(&first).keys().eq(passages(&second).keys()));
}

#[test]
fn a_folder_that_moved_is_the_same_memory() {
    let place = Place::indexed(&[("a.md", NOTE)]);
    let (before, generation_before) = (passages(&place), generation(&place));
    let moved = place.folder.path().join("moved");
    fs::rename(place.notes(), &moved).unwrap();
    let report = place.index_at(&moved, LATER);
    assert_eq!((report.unchanged, report.failed.len()), (1, 0));
    assert_eq!((passages(&place), generation(&place)), (before, generation_before));
}

#[test]
fn notes_that_vanished_are_removed() {
    let place = Place::indexed(&[("a.md", NOTE), ("b.md", "Iron is heavy.\n")]);
    fs::remove_file(place.notes().join("b.md")).unwrap();
    assert_eq!(place.index().removed, 1);
    assert!(place.ask("Is iron heavy?").items.is_empty());
}

#[test]
fn a_run_that_would_remove_half_of_the_notes_keeps_them_unless_told() {
    let notes: Vec<String> = (0..6).map(|n| format!("{n}.md")).collect();
    let place = Place::new(&[]);
    notes.iter().for_each(|name| place.write(name, &format!("Note {name} about iron.\n")));
    place.index();
    notes[..3].iter().for_each(|name| fs::remove_file(place.notes().join(name)).unwrap());
    let report = place.index();
    assert_eq!((report.removed, report.kept.len()), (0, 3));
    assert_eq!(passages(&place).len(), 6);

    let request = Request { paths: &[place.notes()], now: NOW, prune: true };
    let report = place.memory.index(&request, &mut |_| {}).unwrap();
    assert_eq!((report.removed, report.kept.len()), (3, 0));
}

#[test]
fn few_notes_may_all_vanish() {
    let place = Place::indexed(&[("a.md", NOTE), ("b.md", "Iron is heavy.\n")]);
    fs::remove_dir_all(place.notes()).unwrap();
    fs::create_dir(place.notes()).unwrap();
    assert_eq!(place.index().removed, 2);
}

#[test]
fn one_named_file_leaves_the_others_alone_and_keeps_the_name_it_has_in_its_folder() {
    let place = Place::indexed(&[("sub/a.md", NOTE), ("b.md", "Iron is heavy.\n")]);
    place.write("sub/a.md", "Copper is red.\n");
    let report = place.index_at(&place.notes().join("sub/a.md"), LATER);
    assert_eq!((report.changed, report.removed), (1, 0));
    assert_eq!(super::sources(&place.ask("Is copper red?")), ["sub/a.md"]);
    assert_eq!(super::sources(&place.ask("Is iron heavy?")), ["b.md"]);
}

#[test]
fn a_folder_around_an_indexed_one_takes_its_notes_over() {
    let place = Place::new(&[("sub/a.md", NOTE), ("b.md", "Iron is heavy.\n")]);
    place.index_at(&place.notes().join("sub"), NOW);
    place.index();
    assert_eq!(super::sources(&place.ask("Does ice float on water?")), ["sub/a.md"]);
    assert_eq!(passages(&place).len(), 3);
}

#[test]
fn notes_of_a_hidden_folder_stay_when_the_folder_around_it_is_indexed() {
    let place = Place::new(&[(".vault/a.md", "Ice floats.\n"), ("b.md", "Iron sinks.\n")]);
    let vault = place.notes().join(".vault");
    place.index_at(&vault, NOW);
    let report = place.index();
    assert_eq!((report.added, report.removed), (1, 0));
    assert_eq!(passages(&place).len(), 2);
    place.write(".vault/a.md", "Ice floats on water.\n");
    assert_eq!(place.index_at(&vault, LATER).changed, 1);
}

#[test]
fn a_folder_around_an_indexed_one_that_was_emptied_takes_nothing_away_unasked() {
    let notes: Vec<String> = (0..5).map(|n| format!("sub/n{n}.md")).collect();
    let notes: Vec<(&str, &str)> = notes.iter().map(|name| (name.as_str(), "Ice floats.\n")).collect();
    let place = Place::new(&notes);
    place.index_at(&place.notes().join("sub"), NOW);
    fs::remove_dir_all(place.notes().join("sub")).unwrap();
    let report = place.index();
    assert_eq!((report.kept.len(), report.removed), (5, 0));
    assert_eq!(passages(&place).len(), 5);
}

#[test]
fn two_folders_with_a_note_of_one_name_are_not_mixed_up() {
    let place = Place::indexed(&[("a.md", NOTE)]);
    let other = place.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("a.md"), "Iron is heavy.\n").unwrap();
    let report = place.index_at(&other, NOW);
    assert_eq!(report.added, 0);
    assert!(report.failed[0].why.contains("memory has a note of that name from"), "{:?}", report.failed);
    assert_eq!(super::sources(&place.ask("Does ice float on water?")), ["a.md"]);
}

#[test]
fn a_bad_file_is_reported_and_the_others_are_indexed() {
    let place = Place::new(&[("a.md", NOTE), ("c.md", "Iron is heavy.\n")]);
    fs::write(place.notes().join("b.md"), b"\xff\xfe\x00").unwrap();
    let report = place.index();
    assert_eq!((report.added, report.failed.len()), (2, 1));
    assert_eq!(report.failed[0].source, "b.md");
}

#[test]
fn a_path_that_is_not_there_is_reported_and_the_others_are_indexed() {
    let place = Place::new(&[("a.md", NOTE)]);
    let paths = [place.folder.path().join("gone"), place.notes()];
    let report = place.memory.index(&Request { paths: &paths, now: NOW, prune: false }, &mut |_| {}).unwrap();
    assert_eq!((report.added, report.failed.len()), (1, 1));
}

#[test]
fn what_was_forgotten_stays_forgotten() {
    let place = Place::indexed(&[("a.md", NOTE), ("b.md", "The launch code is zebra.\n")]);
    place.memory.forget(&["b.md".into()], NOW).unwrap();
    assert!(place.ask("What is the launch code?").items.is_empty());
    assert_eq!(place.index().forgotten, 1);
    assert!(place.ask("What is the launch code?").items.is_empty());
    assert!(place.memory.forget(&["gone.md".into()], NOW).is_err());
}

#[test]
fn what_was_forgotten_stays_forgotten_whichever_folder_around_it_is_indexed() {
    let place = Place::new(&[("sub/a.md", "Ice floats.\n"), ("sub/b.md", "Iron sinks.\n")]);
    let sub = place.notes().join("sub");
    place.index_at(&sub, NOW);
    place.memory.forget(&["a.md".to_owned()], NOW).unwrap();
    let report = place.index();
    assert_eq!((report.added, report.forgotten), (1, 1));
    place.memory.forget(&["sub/b.md".to_owned()], NOW).unwrap();
    assert_eq!(place.index_at(&sub, LATER).forgotten, 2);
    assert!(passages(&place).is_empty());
}

#[test]
fn a_note_is_forgotten_by_any_spelling_of_its_path_and_more_than_once() {
    let place = Place::indexed(&[("a.md", "Ice floats.\n"), ("b.md", "Iron sinks.\n")]);
    place.memory.forget(&["./a.md".to_owned()], NOW).unwrap();
    place.memory.forget(&["a.md".to_owned()], LATER).unwrap();
    assert!(place.memory.forget(&["a.md".to_owned(), "gone.md".to_owned()], NOW).is_err());
    assert_eq!(passages(&place).len(), 1);
}

#[test]
fn no_word_of_a_forgotten_note_is_left_in_the_files() {
    let place = Place::indexed(&[("a.md", NOTE), ("b.md", "The launch code is zebrafish.\n")]);
    let holds = || -> bool {
        let files = fs::read_dir(place.folder.path()).unwrap().flatten().filter(|f| f.path().is_file());
        files.into_iter().any(|file| {
            let bytes = fs::read(file.path()).unwrap();
            bytes.windows(8).any(|window| window.eq_ignore_ascii_case(b"zebrafis"))
        })
    };
    assert!(holds());
    place.memory.forget(&["b.md".into()], NOW).unwrap();
    assert!(!holds());
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_root_and_nothing_secret_is_ever_read() {
    let place = Place::new(&[("a.md", NOTE), (".env.md", "zebra token"), ("credentials.md", "zebra token")]);
    let outside = place.folder.path().join("outside.md");
    fs::write(&outside, "The zebra is outside.\n").unwrap();
    std::os::unix::fs::symlink(&outside, place.notes().join("link.md")).unwrap();
    std::os::unix::fs::symlink(place.folder.path(), place.notes().join("up")).unwrap();
    let report = place.index();
    assert_eq!(report.added, 1);
    assert_eq!(report.skipped.len(), 3);
    assert!(place.ask("zebra").items.is_empty());
}

#[test]
fn a_run_that_was_cut_off_is_finished_by_the_next_one() {
    let notes: Vec<String> = (0..30).map(|n| format!("{n}.md")).collect();
    let whole = Place::new(&[]);
    let cut = Place::new(&[]);
    for place in [&whole, &cut] {
        notes.iter().for_each(|name| place.write(name, &format!("# {name}\n\nIron note {name}.\n")));
    }
    whole.index();
    let request = Request { paths: &[cut.notes()], now: NOW, prune: false };
    let stops = |at: Progress| assert!(at.done < 10, "stop here");
    let outcome =
        std::panic::catch_unwind(|| cut.memory.index(&request, &mut { stops }).map(|report| report.added));
    assert!(outcome.is_err());
    assert_eq!(passages(&cut).len(), 10);
    let report = cut.index();
    assert_eq!((report.added, report.unchanged), (20, 10));
    assert_eq!(generation(&cut), generation(&whole));
    assert!(passages(&cut).keys().eq(passages(&whole).keys()));
}

#[test]
fn progress_is_told_note_by_note() {
    let place = Place::new(&[("a.md", NOTE), ("b.md", NOTE), ("c.md", NOTE)]);
    let mut told = Vec::new();
    let request = Request { paths: &[place.notes()], now: NOW, prune: false };
    place.memory.index(&request, &mut |at| told.push((at.done, at.total))).unwrap();
    assert_eq!(told, [(1, 3), (2, 3), (3, 3)]);
}

#[test]
fn a_file_of_another_program_is_never_written_to() {
    let place = Place::new(&[("a.md", NOTE)]);
    fs::write(place.memory.path(), "a text, not a database, long enough to be looked at\n").unwrap();
    let request = Request { paths: &[place.notes()], now: NOW, prune: false };
    assert!(place.memory.index(&request, &mut |_| {}).is_err());
    assert!(fs::read_to_string(place.memory.path()).unwrap().starts_with("a text"));

    fs::remove_file(place.memory.path()).unwrap();
    let foreign = rusqlite::Connection::open(place.memory.path()).unwrap();
    foreign.execute_batch("CREATE TABLE theirs (x)").unwrap();
    drop(foreign);
    let error = place.memory.index(&request, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("another program"), "{error}");
}

#[cfg(unix)]
#[test]
fn the_memory_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::indexed(&[("a.md", NOTE)]);
    let mode = fs::metadata(place.memory.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
