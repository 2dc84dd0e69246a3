//! One page, one number: whatever is added, in whatever order, beside whatever another program wrote.

use proptest::prelude::*;

use super::*;
use crate::identity::locate;

fn add(ledger: &mut Ledger, given: &str) -> u32 {
    add_titled(ledger, given, "").id.0
}

fn add_titled(ledger: &mut Ledger, given: &str, title: &str) -> Added {
    let locator = locate(given, &Options::default()).unwrap();
    ledger.add(&locator, given, title, "2026-01-31", None)
}

fn load(text: &str) -> Ledger {
    format::read(text.as_bytes()).unwrap()
}

fn quote(text: &str) -> Quote {
    Quote { text: text.into(), added: "2026-01-31".into(), ..Quote::default() }
}

#[test]
fn same_page_keeps_its_id() {
    let mut ledger = Ledger::default();
    assert_eq!(add(&mut ledger, "https://a.example/1"), 1);
    assert_eq!(add(&mut ledger, "https://b.example/2"), 2);
    assert_eq!(add(&mut ledger, "HTTPS://A.example:443/1/?utm_source=x#top"), 1);
    assert_eq!(ledger.sources().len(), 2);
}

#[test]
fn a_page_is_stored_as_printed_and_as_given() {
    let mut ledger = Ledger::default();
    let given = "https://ice:secret@A.example/1/#top";
    let locator = locate(given, &Options::default()).unwrap();
    ledger.add(&locator, given, " Density\n[7] of ice ", "2026-01-31", Some("web"));
    let source = ledger.get(SourceId(1)).unwrap();
    assert_eq!(source.url, "https://a.example/1");
    assert_eq!(source.as_given.as_deref(), Some("https://A.example/1/#top"));
    assert_eq!(source.title, "Density [7] of ice");
    assert_eq!((source.accessed.as_str(), source.via.as_deref()), ("2026-01-31", Some("web")));
    assert_eq!(add(&mut ledger, "https://b.example/2"), 2);
    assert_eq!(ledger.get(SourceId(2)).unwrap().as_given, None);
}

#[test]
fn a_title_fills_an_empty_one_and_no_other() {
    let mut ledger = Ledger::default();
    assert!(add_titled(&mut ledger, "https://a.example/1", "").new);
    ledger.changed = false;
    assert!(!add_titled(&mut ledger, "https://a.example/1", "").new);
    assert!(!ledger.is_changed());
    add_titled(&mut ledger, "https://a.example/1", "Ice");
    assert!(ledger.is_changed());
    ledger.changed = false;
    add_titled(&mut ledger, "https://a.example/1", "Water");
    assert_eq!(ledger.sources()[0].title, "Ice");
    assert!(!ledger.is_changed());
}

#[test]
fn the_next_id_is_one_above_the_highest_ever_issued() {
    let mut holes = load(
        r#"{"version":1,"sources":[{"id":7,"url":"https://g.example"},{"id":3,"url":"https://c.example"}]}"#,
    );
    assert_eq!(add(&mut holes, "https://new.example"), 8);
    let mut lost = load(r#"{"version":1,"sources":[{"id":1,"url":"https://a.example"}],"next_id":6}"#);
    assert_eq!(add(&mut lost, "https://new.example"), 6);
    let mut stale = load(r#"{"version":1,"sources":[{"id":9,"url":"https://a.example"}],"next_id":2}"#);
    assert_eq!(add(&mut stale, "https://new.example"), 10);
}

#[test]
fn an_entry_of_the_script_is_found_by_both_keys() {
    let mut ledger = load(
        r#"{"version":1,"sources":[
        {"id":1,"url":"https://A.example:443/1","title":"","accessed":"2025-01-01"},
        {"id":2,"url":"https://b.example/view?path=/docs","title":"","accessed":"2025-01-01"},
        {"id":3,"url":"notaurl","title":"","accessed":"2025-01-01"}]}"#,
    );
    assert_eq!(add(&mut ledger, "https://a.example/1?utm_source=x"), 1);
    assert_eq!(add(&mut ledger, "https://b.example/view?path=/docs/"), 2);
    assert_eq!(ledger.id_of("notaurl"), Some(SourceId(3)));
    assert_eq!(ledger.key_of(SourceId(1)).unwrap().as_str(), "https://a.example/1");
    assert_eq!(ledger.key_of(SourceId(3)), None);
    assert!(!ledger.is_changed());
}

#[test]
fn an_entry_with_our_key_is_found_by_it_alone() {
    let mut ledger = Ledger::default();
    assert_eq!(add(&mut ledger, "https://b.example/view?path=/docs"), 1);
    assert_eq!(add(&mut ledger, "https://b.example/view?path=/docs/"), 2);
    let mut stored =
        load(r#"{"sources":[{"id":1,"url":"https://a.example/1","key":"https://other.example"}]}"#);
    assert_eq!(stored.id_of("https://a.example/1"), None);
    assert_eq!(add(&mut stored, "https://other.example"), 1);
}

#[test]
fn two_old_entries_of_one_page_stay_two_and_the_first_answers() {
    let mut ledger = load(
        r#"{"sources":[{"id":4,"url":"https://a.example/1?utm_source=x"},{"id":2,"url":"https://a.example/1"}]}"#,
    );
    assert_eq!(add(&mut ledger, "https://A.example/1"), 4);
    assert_eq!(ledger.sources().len(), 2);
    assert!(ledger.ambiguous().is_empty());
}

#[test]
fn an_id_that_stands_twice_is_told_and_the_first_answers() {
    let ledger = load(
        r#"{"sources":[{"id":2,"url":"https://a.example"},{"id":2,"url":"https://b.example"},
        {"id":1,"url":"https://c.example"},{"id":2,"url":"https://d.example"}]}"#,
    );
    assert_eq!(ledger.ambiguous(), [SourceId(2)]);
    assert_eq!(ledger.get(SourceId(2)).unwrap().url, "https://a.example");
}

#[test]
fn a_quote_is_stored_once_and_takes_a_later_anchor() {
    let mut ledger = load(
        r#"{"sources":[{"id":1,"url":"https://a.example","quotes":[{"text":"ice floats","start":"x"}]}]}"#,
    );
    assert_eq!(ledger.attach_quote(SourceId(1), quote("ice floats")).unwrap(), 1);
    assert!(!ledger.is_changed());
    let anchored = Quote { anchor: Some(anchor()), ..quote("ice floats") };
    assert_eq!(ledger.attach_quote(SourceId(1), anchored).unwrap(), 1);
    assert!(ledger.is_changed());
    let stored = &ledger.get(SourceId(1)).unwrap().quotes[0];
    assert_eq!((stored.anchor.clone(), stored.extra.get("start")), (Some(anchor()), None));
    assert_eq!(ledger.attach_quote(SourceId(1), quote("water boils")).unwrap(), 2);
    let error = ledger.attach_quote(SourceId(7), quote("x")).unwrap_err();
    assert_eq!(error.to_string(), "no source [7] in the ledger; it has [1]");
}

fn anchor() -> Anchor {
    Anchor {
        sha256: "00".repeat(32),
        start: 3,
        end: 13,
        prefix: "on ".into(),
        suffix: String::new(),
        rules: vec!["case".into()],
        reader: "text".into(),
        kept: true,
    }
}

#[test]
fn a_ledger_that_keeps_tracking_names_finds_its_pages() {
    let mut ledger = Ledger::default();
    let given = "https://a.example/1?utm_source=x";
    let whole = locate(given, &Options { strip_tracking: false }).unwrap();
    ledger.add(&whole, given, "", "2026-01-31", None);
    assert_eq!(add(&mut ledger, "https://a.example/1"), 2);
    assert_eq!(ledger.id_of(given), Some(SourceId(1)));
    assert_eq!(ledger.id_of("https://a.example/1?utm_source=y"), Some(SourceId(2)));
}

#[test]
fn a_local_file_is_found_by_its_path() {
    let mut ledger = Ledger::default();
    let locator = identity::local("./my notes/ice.md");
    assert_eq!(locator.url, "my%20notes/ice.md");
    ledger.add(&locator, "./my notes/ice.md", "", "2026-01-31", None);
    assert_eq!(ledger.id_of("my notes/ice.md"), Some(SourceId(1)));
    assert_eq!(ledger.id_of("my%20notes/ice.md"), Some(SourceId(1)));
    assert_eq!(ledger.id_of("ice.md"), None);
}

#[test]
fn an_unknown_id_is_told_with_what_there_is() {
    let told = |ids: &[u32]| held(ids);
    assert_eq!(told(&[]), "it is empty");
    assert_eq!(told(&[3]), "it has [3]");
    assert_eq!(told(&[1, 2, 3]), "it has [1] to [3]");
    assert_eq!(told(&[1, 3]), "it has 2 sources from [1] to [3]");
    assert_eq!(told(&[2, 2]), "it has 2 sources from [2] to [2]");
}

#[test]
fn a_title_is_corrected_and_a_source_withdrawn_without_losing_its_id() {
    let mut ledger = Ledger::default();
    add_titled(&mut ledger, "https://a.example", "Iec");
    ledger.set_title(SourceId(1), "Ice\n[2]").unwrap();
    ledger.withdraw(SourceId(1), "retracted").unwrap();
    let source = ledger.get(SourceId(1)).unwrap();
    assert_eq!((source.title.as_str(), source.withdrawn.as_deref()), ("Ice [2]", Some("retracted")));
    assert!(ledger.withdraw(SourceId(2), "x").is_err() && ledger.set_title(SourceId(2), "x").is_err());
    assert_eq!(add(&mut ledger, "https://a.example"), 1);
    assert_eq!(add(&mut ledger, "https://b.example"), 2);
}

#[test]
fn a_look_alike_is_told_and_is_never_the_page_itself() {
    let mut ledger = Ledger::default();
    let of = |given: &str| locate(given, &Options::default()).unwrap();
    add(&mut ledger, "https://b.example/2");
    add(&mut ledger, "http://a.example/1");
    assert_eq!(ledger.looks_like(&of("https://www.a.example/1")), Some(SourceId(2)));
    assert_eq!(ledger.looks_like(&of("http://a.example/1/")), None);
    assert_eq!(add(&mut ledger, "https://www.a.example/1"), 3);
    assert_eq!(ledger.looks_like(&of("https://www.a.example/1")), Some(SourceId(2)));
    assert_eq!(ledger.looks_like(&of("http://a.example/1")), Some(SourceId(3)));
}

#[test]
fn ten_thousand_pages_are_added_in_linear_time() {
    let time = |count: usize| {
        let mut ledger = Ledger::default();
        let start = std::time::Instant::now();
        (0..count)
            .for_each(|at| assert_eq!(add(&mut ledger, &format!("https://a.example/{at}")) as usize, at + 1));
        start.elapsed()
    };
    let (short, long) = (time(2_500), time(10_000));
    assert!(long < short * 12, "{short:?} for 2,500 and {long:?} for 10,000");
}

/// URLs of which many name one page.
fn url() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "https://a.example",
        "HTTPS://A.EXAMPLE:443",
        "http://a.example",
        "https://www.a.example",
    ]);
    let path = prop::sample::select(vec![
        "",
        "/",
        "/1",
        "/1/",
        "/%7e1",
        "/~1",
        "/a%2Fb",
        "/a/b",
        "/1?q=/",
        "/1?q=",
        "/1?utm_id=2",
        "/#/r",
        "/#r",
    ]);
    (start, path).prop_map(|(start, path)| format!("{start}{path}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_adding_never_decides_what_is_one_page(urls in prop::collection::vec(url(), 2..12), turn in any::<prop::sample::Index>()) {
        let mut turned = urls.clone();
        turned.rotate_left(turn.index(urls.len()));
        turned.reverse();
        let (mut one, mut other) = (Ledger::default(), Ledger::default());
        urls.iter().for_each(|url| { add(&mut one, url); });
        turned.iter().for_each(|url| { add(&mut other, url); });
        for a in &urls {
            for b in &urls {
                prop_assert_eq!(one.id_of(a) == one.id_of(b), other.id_of(a) == other.id_of(b), "{} {}", a, b);
            }
        }
    }

    #[test]
    fn adding_again_changes_nothing_and_ids_never_change(urls in prop::collection::vec(url(), 1..12)) {
        let mut ledger = Ledger::default();
        let ids: Vec<u32> = urls.iter().map(|url| add(&mut ledger, url)).collect();
        let text = format::write(&ledger);
        let mut again = load(&text);
        prop_assert_eq!(&ids, &urls.iter().map(|url| add(&mut again, url)).collect::<Vec<_>>());
        prop_assert!(!again.is_changed());
        prop_assert_eq!(text, format::write(&again));
    }
}
