//! Every row of fixtures/quotes/*.tsv: a fact's name, a page, a quote, the verdict, the folding rules needed.
//! The file's name is the reader; `auto` lets the page decide. `\n`, `\t` and `\u{…}` are escapes.

use std::path::Path;

use cited::evidence::{Page, Reader, Refusal, Verdict, Warning};

#[test]
fn every_row_of_the_tables_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/quotes");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let reader = Reader::named(path.file_stem().unwrap().to_str().unwrap());
        for line in
            std::fs::read_to_string(&path).unwrap().lines().filter(|l| !l.is_empty() && !l.starts_with('#'))
        {
            rows += 1;
            wrong.extend(judge(line, reader));
        }
    }
    assert!(rows > 150, "only {rows} rows");
    assert!(wrong.is_empty(), "{} of {rows} rows do not hold:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_near_miss_is_told_by_its_kind() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/near-misses.tsv");
    let table = std::fs::read_to_string(path).unwrap();
    let wrong: Vec<_> = table.lines().filter(|l| !l.starts_with('#')).filter_map(judge_near_miss).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn judge_near_miss(line: &str) -> Option<String> {
    let cells: Vec<String> = line.split('\t').map(unescaped).collect();
    let page = Page::read(cells[1].clone().into_bytes(), None).unwrap();
    let Verdict::Refused(refusal) = page.find(&cells[2]) else {
        return Some(format!("{}: accepted", cells[0]));
    };
    let message = refusal.message("page.txt");
    let (kind, at) = match &refusal {
        Refusal::Near(near) => (format!("{:?}", near.kind).to_lowercase(), near.line.to_string()),
        Refusal::Absent => ("absent".into(), String::new()),
        other => (format!("{other:?}"), String::new()),
    };
    let told = message.contains("not found verbatim")
        && cells[5..].iter().all(|part| message.contains(part.as_str()));
    let holds = kind == cells[3] && at == cells[4] && told && !message.contains('\n');
    (!holds).then(|| format!("{}: {kind} {at}: {message}", cells[0]))
}

fn judge(line: &str, reader: Option<Reader>) -> Option<String> {
    let mut cells = line.split('\t');
    let mut cell = || unescaped(cells.next().unwrap_or_default());
    let (name, page, quote, verdict, rules) = (cell(), cell(), cell(), cell(), cell());
    let got = match Page::read(page.into_bytes(), reader) {
        Err(_) => ("cannot-check".to_string(), String::new()),
        Ok(page) => words(&page, &page.find(&quote)),
    };
    let as_wanted = got.0 == verdict && (rules.is_empty() || got.1 == rules);
    (!as_wanted).then(|| format!("{name}: wanted {verdict} {rules}, got {} {}", got.0, got.1))
}

/// The verdict in one word per fact, and the rules.
fn words(page: &Page, verdict: &Verdict) -> (String, String) {
    match verdict {
        Verdict::Found(found) => {
            assert!(page.text().get(found.span.clone()).is_some(), "{:?} is no span", found.span);
            let mut words = "found".to_string();
            if found.crosses_block {
                words.push_str(" across-blocks");
            }
            if found.warnings.contains(&Warning::ClippedAfterNegation) {
                words.push_str(" clipped");
            }
            if found.warnings.contains(&Warning::HiddenDirection) {
                words.push_str(" direction");
            }
            let rules: Vec<_> = found.rules.iter().map(|rule| rule.as_str()).collect();
            (words, if rules.is_empty() { "exact".into() } else { rules.join(" ") })
        }
        Verdict::Refused(Refusal::TooShort { .. }) => ("too-short".into(), String::new()),
        Verdict::Refused(Refusal::CannotCheck(_)) => ("cannot-check".into(), String::new()),
        Verdict::Refused(_) => ("refused".into(), String::new()),
    }
}

fn unescaped(cell: &str) -> String {
    let mut text = String::new();
    let mut rest = cell;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        rest = match escape.chars().next() {
            Some('n') => {
                text.push('\n');
                &escape[1..]
            }
            Some('r') => {
                text.push('\r');
                &escape[1..]
            }
            Some('t') => {
                text.push('\t');
                &escape[1..]
            }
            Some('u') if escape.starts_with("u{") => {
                let end = escape.find('}').unwrap();
                text.push(char::from_u32(u32::from_str_radix(&escape[2..end], 16).unwrap()).unwrap());
                &escape[end + 1..]
            }
            _ => {
                text.push('\\');
                escape
            }
        };
    }
    text + rest
}
