//! Drafts that agree with their ledger, in every dress that writers and programs give them: each is green, and
//! after one seeded fault exactly that fault is found, at its line and column. Draft and ledger are both made from
//! the tables below; the places are counted here, not by the library.

use cited::diagnostic::Severity;
use cited::draft::{Draft, Options as Reading};
use cited::identity::{self, SourceId};
use cited::ledger::Ledger;
use cited::verify::{self, Facts, Options, Scope};
use proptest::prelude::*;

/// URL and title; ids count from 1.
const SOURCES: &[(&str, &str)] = &[
    ("https://water.example/ice-density", "Density of ice"),
    ("https://lakes.example/winter_(film)?page=2&lang=en", "Lakes, in winter: a study"),
    ("https://de.example/wiki/Eis%20und%20Wasser", "Eis [2024] & Wasser"),
    ("https://zh.example/冰/水", "冰与水的密度"),
    ("https://app.example/#!/steam", "What steam is"),
];

/// An id that no ledger here issued, and a page that none holds.
const MADE_UP: u32 = 977;
const ELSEWHERE: &str = "https://elsewhere.example/page";

/// Statements and what ends them.
const STATEMENTS: &[(&str, &str)] = &[
    ("Ice floats on liquid water", "."),
    ("At 4 °C, i.e. above freezing, water is densest", "."),
    ("Eis schwimmt z. B. auf kaltem Wasser", "."),
    ("Das Wasser gefriert bei null Grad", "!"),
    ("La glace flotte sur l'eau froide", "."),
    ("¿El hielo flota siempre sobre el agua", "?"),
    ("Лёд плавает на поверхности воды", "."),
    ("冰会浮在水面上，因为它的密度较低", "。"),
    ("氷は水の上に浮かびますから湖は底まで凍りません", "。"),
    ("얼음은 차가운 물 위에 뜬다", "."),
    ("الجليد يطفو على سطح الماء", "."),
    ("बर्फ ठंडे पानी पर तैरती है", "।"),
    ("Dr. Ng et al. measured 0.917 g/cm³ in 2019", "."),
    ("Prices rose from $3 to US$5 a tonne", "."),
];

const HEADINGS: &[&str] = &[
    "## Sources",
    "### 7. References (5)",
    "**Sources:**",
    "Sources:",
    "# Quellen",
    "## Références",
    "## Fuentes",
    "**Источники**",
    "## 七、主要参考文献",
    "## 出典",
    "## 참고문헌",
    "## المراجع",
    "References\n----------",
    "## Sources 📚",
    "## References {#refs}",
    "## Quellen und Literatur",
    "## Sources et références",
    "## Список использованных источников",
    "## المصادر والمراجع",
    "## \u{200f}מקורות\u{200f}",
    "## संदर्भ सूची",
    "## Tài liệu tham khảo",
];

/// How a citation is written behind a statement: `marker` from id and URL, before or behind the stop.
struct Marking {
    write: fn(u32, &str) -> String,
    before_stop: bool,
    gap: &'static str,
    /// It holds its page's URL, which an invented id has not.
    holds_url: bool,
}

const fn marking(write: fn(u32, &str) -> String) -> Marking {
    Marking { write, before_stop: false, gap: "", holds_url: false }
}

const MARKINGS: &[Marking] = &[
    marking(|id, _| format!("[{id}]")),
    Marking { before_stop: true, gap: " ", ..marking(|id, _| format!("[{id}]")) },
    Marking { before_stop: true, ..marking(|id, _| format!("[{id}]")) },
    Marking { gap: " ", ..marking(|id, _| format!("[{id}]")) },
    marking(|id, _| format!("[{id}, {}]", id % 5 + 1)),
    marking(|id, _| format!("【{id}】")),
    marking(|id, _| format!("［{id}］")),
    Marking { holds_url: true, ..marking(|id, url| format!("[{id}](<{url}>)")) },
    Marking { holds_url: true, ..marking(|id, url| format!("[[{id}]](<{url}>)")) },
    marking(|id, _| format!("[^{id}]")),
];

/// An entry of a block from id, URL and title, and what joins entries.
struct Listing {
    write: fn(u32, &str, &str) -> String,
    /// Stands before the first entry, as the head of a table.
    head: &'static str,
    /// Blank lines may stand between entries.
    airy: bool,
}

const fn listing(write: fn(u32, &str, &str) -> String) -> Listing {
    Listing { write, head: "", airy: true }
}

const LISTINGS: &[Listing] = &[
    listing(|id, url, title| format!("[{id}] {url} — {title}")),
    listing(|id, url, title| format!("[{id}] {title}: {url}")),
    listing(|id, url, title| format!("[{id}] {title}, {url}.")),
    listing(|id, url, title| format!("**[{id}]** {title} <{url}>")),
    listing(|id, url, title| format!("{id}. [{title}](<{url}>)")),
    listing(|id, url, title| format!("{id}. {title}. {url}")),
    listing(|id, url, title| format!("- [{id}] {title} - {url}")),
    listing(|id, url, title| format!("* [{id}] [{title}](<{url}>)")),
    listing(|id, url, title| format!("[{id}] {title}\n    {url}")),
    listing(|id, url, title| format!("[{id}] <{url}><br />\n{title}")),
    listing(|id, url, title| format!("【{id}】{title}：{url}")),
    listing(|id, url, title| format!("> [{id}] {url} — {title}")),
    listing(|id, url, title| format!("[{id}] {title}  \n    <{url}>  ")),
    listing(|id, url, title| format!("[{id}] arXiv: {title}\n{url}")),
    listing(|id, url, title| format!("[{id}] [PDF] {title} [2024]\n{url}")),
    listing(|id, url, title| format!("**[{id}] {title}**\nURL: {url}\nAccessed: 2026-01-31")),
    listing(|id, url, title| format!("#### {id}. {title}\n\n<{url}>")),
    listing(|id, url, title| format!("・[{id}] {title} {url}")),
    listing(|id, url, title| format!("（{id}）{title} {url}")),
    listing(|id, url, title| format!("\u{200f}[{id}]\u{200e} {title} {url}\u{200f}")),
    listing(|id, url, title| format!("[^{id}]: {url} — {title}")),
    listing(|id, url, title| {
        format!("@misc{{source{id},\n  title = {{{title}}},\n  howpublished = {{\\url{{{url}}}}},\n}}")
    }),
    listing(|id, url, title| format!("@misc{{source{id},\n  title = {{{title}}},\n  url = {{{url}}}\n}}")),
    listing(|id, url, title| {
        format!("@online{{source{id},\n  note = {{At {url} (2026)}},\n  title = {{{title}}}\n}}")
    }),
    Listing {
        head: "| id | page | title |\n|---|---|---|\n",
        airy: false,
        ..listing(|id, url, title| format!("| {id} | {url} | {title} |"))
    },
    Listing {
        head: "title | page | id\n---|---|---\n",
        airy: false,
        ..listing(|id, url, title| format!("| {title} | {url} | {id} |"))
    },
    Listing {
        head: "id | page | title\n---|---|---\n",
        airy: false,
        ..listing(|id, url, title| format!("{id} | {title} | {url}"))
    },
    Listing {
        head: "| | source |\n|---|---|\n",
        airy: false,
        ..listing(|id, url, title| format!("| [{id}] | [{title}](<{url}>) |"))
    },
];

/// What a draft is written as.
#[derive(Debug, Clone, Copy)]
struct Dress {
    heading: usize,
    listing: usize,
    marking: usize,
    /// The statement that the others turn around, and that a fault falls on.
    target: usize,
    line_end: &'static str,
    mark_order: bool,
    front_matter: bool,
    traps: bool,
    airy: bool,
    appendix: bool,
}

/// What is wrong with a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    MadeUpId,
    SwappedUrl,
    DroppedEntry,
    DeletedCitation,
}

/// A draft being written, and where its fault went.
#[derive(Default)]
struct Writer {
    text: String,
    line_end: &'static str,
    fault: Option<(&'static str, usize)>,
}

impl Writer {
    fn push(&mut self, text: &str) {
        self.text.push_str(&text.replace('\n', self.line_end));
    }

    fn here(&mut self, rule: &'static str) {
        self.fault.get_or_insert((rule, self.text.len()));
    }

    /// Line and column of the fault, counted by hand.
    fn place(&self) -> Option<(&'static str, usize, usize)> {
        let (rule, at) = self.fault?;
        let before = &self.text[..at];
        let line = before.rsplit('\n').next().unwrap_or_default();
        Some((rule, before.matches('\n').count() + 1, line.chars().count() + 1))
    }
}

/// The id that statement `number` cites.
fn id_of(number: usize) -> u32 {
    (number % SOURCES.len()) as u32 + 1
}

fn written(dress: &Dress, fault: Fault) -> Writer {
    let mut draft = Writer { line_end: dress.line_end, ..Writer::default() };
    if dress.mark_order {
        draft.text.push('\u{feff}');
    }
    if dress.front_matter {
        draft.push("---\ntitle: \"Ice [99]\"\ntags: [98, 97]\n---\n\n");
    }
    draft.push("# Ice and water\n\n");
    for number in 0..STATEMENTS.len() {
        statement(&mut draft, dress, number, fault);
        draft.push(if number % 2 == 0 { " " } else { "\n\n" });
        if number == 5 && dress.traps {
            draft.push("| lake | depth[1] |\n|---|---|\n| north | 3 m[2] |\n\n");
            draft.push("```python\nice = lakes[96]  # Sources: [95]\n```\n\n<!-- see [94] -->\n\n");
            draft.push("> Ask `lakes[93]` about the winter and its ice.[3]\n\n- a short item[4]\n\n");
        }
    }
    block(&mut draft, dress, fault);
    if dress.appendix {
        draft.push("\n## Appendix: how we measured\n\nWe measured each of the lakes twice.[1]\n");
    }
    draft
}

fn statement(draft: &mut Writer, dress: &Dress, number: usize, fault: Fault) {
    let (words, stop) = STATEMENTS[number];
    let marking = &MARKINGS[dress.marking];
    let here = number == dress.target;
    let id = id_of(number);
    if here && fault == Fault::DeletedCitation {
        draft.here("coverage");
        return draft.push(&format!("{words}{stop}"));
    }
    draft.push(words);
    if !marking.before_stop {
        draft.push(stop);
    }
    // An exclamation mark would make an image of a link.
    draft.push(if marking.holds_url && stop == "!" { " " } else { marking.gap });
    if here && fault == Fault::MadeUpId {
        draft.here("unknown-id");
        draft.push(&(marking.write)(MADE_UP, ELSEWHERE));
    } else {
        let marker = (marking.write)(id, SOURCES[id as usize - 1].0);
        if fault == Fault::DroppedEntry && cites(&marker, id_of(dress.target)) {
            draft.here("not-listed");
        }
        draft.push(&marker);
    }
    if marking.before_stop {
        draft.push(stop);
    }
}

/// Whether the number of `id` stands in the brackets of `marker`.
fn cites(marker: &str, id: u32) -> bool {
    let inside = marker.split('(').next().unwrap_or_default();
    inside.split(|c: char| !c.is_ascii_digit()).any(|number| number == id.to_string())
}

fn block(draft: &mut Writer, dress: &Dress, fault: Fault) {
    let listing = &LISTINGS[dress.listing];
    draft.push(&format!("{}\n\n{}", HEADINGS[dress.heading], listing.head));
    for (id, (url, title)) in (1..).zip(SOURCES) {
        let here = id == id_of(dress.target);
        if here && fault == Fault::DroppedEntry {
            continue;
        }
        let swapped = here && fault == Fault::SwappedUrl;
        let entry = (listing.write)(id, if swapped { ELSEWHERE } else { url }, title);
        let (before, after) = entry.split_at(if swapped { entry.find(ELSEWHERE).unwrap_or(0) } else { 0 });
        draft.push(before);
        if swapped {
            draft.here("url-mismatch");
        }
        draft.push(after);
        draft.push(if dress.airy && listing.airy { "\n\n" } else { "\n" });
    }
}

fn ledger() -> Ledger {
    let mut ledger = Ledger::default();
    for (url, title) in SOURCES {
        let locator = identity::locate(url, &identity::Options::default()).expect("a URL");
        ledger.add(&locator, url, title, "2026-01-31", None);
    }
    assert_eq!(ledger.get(SourceId(5)).map(|source| source.url.as_str()), Some(SOURCES[4].0));
    ledger
}

/// Errors as rule, line and column, with their messages.
fn errors(text: &str, ledger: &Ledger) -> Vec<(&'static str, usize, usize, String)> {
    let draft = Draft::parse(text, &Reading::default(), ledger);
    let mut options = Options::default();
    options.set_min_coverage(1.0).expect("a share");
    let found =
        verify::check(&Facts::new(&draft, ledger, &options, &verify::Evidence::default(), Scope::Alone));
    found
        .into_iter()
        .filter(|finding| finding.severity == Severity::Error || finding.rule == "title-mismatch")
        .map(|finding| {
            let (line, column) = finding.place.map_or((0, 0), |place| (place.line, place.column));
            (finding.rule, line, column, finding.message)
        })
        .collect()
}

/// What is wrong with how a draft is judged; empty where nothing is.
fn misjudged(dress: &Dress, fault: Fault, ledger: &Ledger) -> String {
    let draft = written(dress, fault);
    let found = errors(&draft.text, ledger);
    let places: Vec<_> = found.iter().map(|(rule, line, column, _)| (*rule, *line, *column)).collect();
    let expected: Vec<_> = draft.place().into_iter().collect();
    if places == expected {
        return String::new();
    }
    format!("{dress:?} with {fault:?}\nexpected {expected:?}\nfound {found:?}\n")
}

fn faults(dress: &Dress) -> Vec<Fault> {
    let mut faults = vec![Fault::None, Fault::SwappedUrl, Fault::DroppedEntry, Fault::DeletedCitation];
    if !MARKINGS[dress.marking].holds_url || dress.target.is_multiple_of(2) {
        faults.push(Fault::MadeUpId);
    }
    faults
}

fn plain() -> Dress {
    Dress {
        heading: 0,
        listing: 0,
        marking: 0,
        target: 7,
        line_end: "\n",
        mark_order: false,
        front_matter: false,
        traps: true,
        airy: false,
        appendix: true,
    }
}

/// Judges each dress with each fault.
fn all_judged(dresses: impl Iterator<Item = Dress>) {
    let ledger = ledger();
    let wrong: Vec<String> = dresses
        .flat_map(|dress| faults(&dress).into_iter().map(move |fault| (dress, fault)))
        .map(|(dress, fault)| misjudged(&dress, fault, &ledger))
        .filter(|wrong| !wrong.is_empty())
        .collect();
    assert!(wrong.is_empty(), "{}\n{} drafts misjudged", wrong.join("\n"), wrong.len());
}

#[test]
fn a_fault_is_found_in_every_form_of_the_list() {
    all_judged(
        (0..LISTINGS.len()).flat_map(|listing| [false, true].map(|airy| Dress { listing, airy, ..plain() })),
    );
}

#[test]
fn a_fault_is_found_under_every_heading() {
    all_judged((0..HEADINGS.len()).map(|heading| Dress { heading, ..plain() }));
}

#[test]
fn a_fault_is_found_in_every_form_of_marker_and_every_language() {
    let markings = 0..MARKINGS.len();
    all_judged(
        markings.flat_map(|marking| {
            (0..STATEMENTS.len()).map(move |target| Dress { marking, target, ..plain() })
        }),
    );
}

fn dresses() -> impl Strategy<Value = Dress> {
    let indexes = (0..HEADINGS.len(), 0..LISTINGS.len(), 0..MARKINGS.len(), 0..STATEMENTS.len());
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (indexes, flags).prop_map(
        |((heading, listing, marking, target), (crlf, mark_order, front_matter, traps, airy, appendix))| {
            let line_end = if crlf { "\r\n" } else { "\n" };
            Dress {
                heading,
                listing,
                marking,
                target,
                line_end,
                mark_order,
                front_matter,
                traps,
                airy,
                appendix,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_fault_is_found_in_every_dress(dress in dresses()) {
        let ledger = ledger();
        for fault in faults(&dress) {
            let wrong = misjudged(&dress, fault, &ledger);
            prop_assert!(wrong.is_empty(), "{wrong}");
        }
    }
}
