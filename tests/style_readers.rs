//! What programs that own a format read from a rendered block: pandoc for CSL-JSON, BibTeX and LaTeX, the Python
//! libraries bibtexparser, rispy and lxml for BibTeX, RIS and HTML. Each must find every source once, with its
//! title and URL, whatever those hold, and nothing else.
//!
//! Where a program is missing its test says `SKIPPED` on stderr; with `CITED_REQUIRE_PROGRAMS=1` it fails.
//! `CITED_PYTHON` names the Python that has the libraries.

use std::io::Write;
use std::process::{Command, Stdio};

use cited::identity::SourceId;
use cited::ledger::Source;
use cited::render::style;
use cited::text::printable::one_line;
use serde_json::Value;

const TITLES: &[&str] = &[
    "Density of ice",
    "50% {of} ice & <b>bold</b> $x_1^2$ ~#\\ end",
    "[1] \"Quoted\" 'single' “curly” — dash",
    "\\input{/etc/passwd} \\LaTeX{} \\",
    "}} unbalanced { braces",
    "冰与水的密度：研究",
    "Über é ß ñ Ł 😀",
    "Ice, water and steam; d @ e | g, and \"more\", author = {Evil}",
    "<script>alert(1)</script> <!-- x --> &amp; &lt; </li></ol>",
    "Ice\nER  - \nTY  - ELEC\r\nTI  - Evil\n@misc{source99,}\n\\bibitem{source99} Evil",
    "a --- b -- c, ?` !` << >> ``q''",
    "* star _under_ **b** # x",
    "%",
    "\"",
    "\\end{thebibliography}",
    "NASA, DNA and eBay",
    "",
];

const URLS: &[&str] = &[
    "https://a.example/ice",
    "https://a.example/q?x={a}&y=%7Bb",
    "https://a.example/q?z=a\\b",
    "https://a.example/wiki/Ice_(film)",
    "https://a.example/100%25#!/r_o~u^te",
    "https://a.example/冰/水",
    "https://a.example/it's?a=\"q\"&b=<i>",
    "https://a.example/a|b`c`$d$",
    "https://a.example/?a=1&lt=2&copy=3",
    "urn:isbn:9780131101630",
    "https://a.example/%E5%86%B0_#/x",
];

/// Every title with every fifth URL.
fn sources() -> Vec<Source> {
    let pairs = TITLES.iter().flat_map(|title| URLS.iter().map(move |url| (*title, *url)));
    let source = |(id, (title, url)): (u32, (&str, &str))| Source {
        id: SourceId(id),
        url: url.into(),
        title: title.into(),
        accessed: "2026-01-31".into(),
        ..Source::default()
    };
    (1..).zip(pairs.step_by(5)).map(source).collect()
}

fn rendered(name: &str) -> String {
    let sources = sources();
    let chosen: Vec<&Source> = sources.iter().collect();
    (style(name).expect("a style").write)(&chosen).text()
}

/// What a program prints about `input`; `None`, said aloud, where the program is not here.
fn read_by(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    let mut command = Command::new(program);
    let probe =
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = probe else { return skipped(program) };
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the text is written");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    if complaint.contains("ModuleNotFoundError") {
        return skipped(complaint.lines().last().unwrap_or_default());
    }
    assert!(output.status.success(), "{program} {arguments:?}: {complaint}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Says so past the capture of the test runner.
fn skipped(what: &str) -> Option<String> {
    let required = std::env::var_os("CITED_REQUIRE_PROGRAMS").is_some_and(|value| value == "1");
    assert!(!required, "not here: {what}");
    let _ = writeln!(std::io::stderr(), "SKIPPED: a style was not read back: {what}");
    None
}

fn pandoc(from: &str, to: &str, input: &str) -> Option<String> {
    read_by("pandoc", &["--from", from, "--to", to, "--wrap", "none"], input)
}

/// Runs `code`, which prints `[[id, title, url], …]` of what it reads as `text`.
fn python(code: &str, input: &str) -> Option<Vec<Found>> {
    let program = std::env::var("CITED_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let code = format!(
        "import sys, json\nsys.stdin.reconfigure(encoding='utf-8', newline='')\ntext = sys.stdin.read()\n{code}"
    );
    let printed = read_by(&program, &["-X", "utf8", "-c", &code], input)?;
    let rows: Vec<[String; 3]> = serde_json::from_str(&printed).expect("rows");
    Some(rows.into_iter().map(|[id, title, url]| Found { id, title, url }).collect())
}

/// A source as a reader found it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    id: String,
    title: String,
    url: String,
}

/// The sources as a faithful reader finds them, each text passed through what the format is known to change.
fn expected(title: impl Fn(&str) -> String, url: impl Fn(&str) -> String) -> Vec<Found> {
    let found = |source: &Source| Found {
        id: format!("source{}", source.id),
        title: title(&one_line(&source.title)),
        url: url(&source.url),
    };
    sources().iter().map(found).collect()
}

fn same(text: &str) -> String {
    text.to_owned()
}

/// White space plain, and each run of quotation marks one mark: pandoc sets them as a printer would.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        let c = if "‘’“”\"`".contains(c) { '\'' } else { c };
        let c = if c.is_whitespace() { ' ' } else { c };
        if !(matches!(c, ' ' | '\'') && plain.ends_with(c)) {
            plain.push(c);
        }
    }
    plain.trim().to_owned()
}

/// The characters that no URL may hold and TeX needs encoded.
fn encoded(url: &str) -> String {
    url.replace('{', "%7B").replace('}', "%7D").replace('\\', "%5C")
}

fn assert_same(found: &[Found], expected: &[Found]) {
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

/// The items of CSL-JSON, with texts as [`plain`] leaves them.
fn items(json: &str) -> Vec<Found> {
    let items: Vec<Value> = serde_json::from_str(json).expect("CSL-JSON");
    let text = |item: &Value, key: &str| item[key].as_str().unwrap_or_default().to_owned();
    let found = |item: &Value| Found {
        id: text(item, "id"),
        title: plain(&text(item, "title")),
        url: plain(&text(item, "URL")),
    };
    items.iter().map(found).collect()
}

#[test]
fn pandoc_reads_csl_json() {
    let Some(json) = pandoc("csljson", "csljson", &rendered("csl-json")) else { return };
    assert_same(&items(&json), &expected(plain, plain));
    assert!(json.matches("\"accessed\"").count() == sources().len(), "{json}");
}

#[test]
fn pandoc_reads_the_titles_of_bibtex() {
    let Some(json) = pandoc("bibtex", "csljson", &rendered("bibtex")) else { return };
    // BibTeX styles decide about capitals, and a URL in `howpublished` is text to pandoc.
    let lower = |text: &str| plain(text).to_lowercase();
    let found = items(&json).into_iter().map(|item| Found { title: item.title.to_lowercase(), ..item });
    assert_same(&found.collect::<Vec<_>>(), &expected(lower, |_| String::new()));
}

#[test]
fn bibtexparser_reads_bibtex() {
    let code = r"
import bibtexparser
from bibtexparser.middlewares import LatexDecodingMiddleware
raw = bibtexparser.parse_string(text)
assert not raw.failed_blocks, raw.failed_blocks
plain = bibtexparser.parse_string(text, append_middleware=[LatexDecodingMiddleware()])
def value(entry, key):
    return entry.fields_dict[key].value if key in entry.fields_dict else ''
assert all(set(entry.fields_dict) <= {'title', 'howpublished', 'note'} for entry in raw.entries)
print(json.dumps([[p.key, value(p, 'title'), value(r, 'howpublished')] for p, r in zip(plain.entries, raw.entries)]))
";
    let Some(found) = python(code, &rendered("bibtex")) else { return };
    // The decoder turns `\textasciicircum` into the modifier letter.
    let title = |text: &str| plain(text).replace('^', "ˆ");
    let found: Vec<Found> =
        found.into_iter().map(|item| Found { title: plain(&item.title), ..item }).collect();
    assert_same(&found, &expected(title, |url| format!("\\url{{{}}}", encoded(url))));
}

#[test]
fn rispy_reads_ris() {
    let code = r"
import rispy
rows = rispy.loads(text)
assert all(set(row) <= {'type_of_reference', 'id', 'title', 'urls', 'access_date'} for row in rows), rows
print(json.dumps([[row['id'], row.get('title', ''), ' '.join(row['urls'])] for row in rows]))
";
    let Some(found) = python(code, &rendered("ris")) else { return };
    assert_same(&found, &expected(same, same));
}

#[test]
fn lxml_reads_html() {
    let code = r"
import lxml.html
page = lxml.html.document_fromstring('<!doctype html><meta charset=utf-8><body>' + text)
tags = {tag.tag for tag in page.iter()}
assert tags <= {'html', 'head', 'meta', 'body', 'section', 'h2', 'ol', 'li', 'a'}, tags
rows = page.xpath('//li')
print(json.dumps([[row.get('id'), row.text_content(), ''.join(row.xpath('./a/@href'))] for row in rows]))
";
    let Some(found) = python(code, &rendered("html")) else { return };
    let mut expected = expected(same, same);
    for source in &mut expected {
        source.id = source.id.replace("source", "source-");
        if source.title.is_empty() {
            source.title.clone_from(&source.url);
        }
        source.url = match source.url.starts_with("http") {
            true => url::Url::parse(&source.url).expect("a URL").into(),
            false => String::new(),
        };
    }
    assert_same(&found, &expected);
}

#[test]
fn pandoc_reads_latex() {
    let Some(text) = pandoc("latex", "plain", &rendered("latex")) else { return };
    let mut read = plain(&text);
    for source in expected(plain, |url| plain(&encoded(url))) {
        let title = if source.title.is_empty() { String::new() } else { format!("{}. ", source.title) };
        let entry = format!("{title}{} (accessed 2026-01-31)", source.url);
        let at = read.find(&entry).unwrap_or_else(|| panic!("{}: `{entry}` is not in `{read}`", source.id));
        read.replace_range(at..at + entry.len(), "");
    }
    // What is left is the number of the widest label.
    assert_eq!(read.trim(), sources().len().to_string());
}
