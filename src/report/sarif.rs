//! SARIF 2.1.0, as code scanning services read it: rules with help, results with places, fingerprints that
//! survive edits elsewhere, and fixes. Own structs, checked against the published schema.

use std::collections::HashMap;
use std::io;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use super::fingerprint::fingerprint;
use super::json::write_document;
use super::{Format, Judged, Outcome, Report, Sinks, Verdict, end_of, shown_severity, word};
use crate::diagnostic::{Diagnostic, Fix, Place};
use crate::draft::Span;
use crate::text::lines::LineIndex;
use crate::text::printable::printable;
use crate::verify::{RULES, Rule, Strictness};

pub(super) const FORMAT: Format =
    Format { name: "sarif", summary: "SARIF 2.1.0, for code scanning services", with_drafts: false, write };

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<ResultObject>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<ReportingDescriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportingDescriptor {
    id: &'static str,
    short_description: Message,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultObject {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    partial_fingerprints: HashMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixObject>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    byte_offset: usize,
    byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixObject {
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: [Replacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Message,
}

fn write(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    let mut results = Vec::new();
    let mut notifications = Vec::new();
    for draft in &report.drafts {
        match &draft.outcome {
            Outcome::Judged(judged) => add_results(&draft.path, judged, report.strictness, &mut results),
            Outcome::NotJudged { message, .. } => notifications.push(unread(&draft.path, message)),
        }
    }
    let together = report.together.iter().map(|f| result(f, report.strictness, fingerprint("", f)));
    results.extend(together);
    let run = Run {
        tool: tool(),
        invocations: [Invocation {
            execution_successful: report.count(Verdict::NotJudged) == 0,
            tool_execution_notifications: notifications,
        }],
        column_kind: "unicodeCodePoints",
        results,
    };
    write_document(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }, sinks.out)
}

fn tool() -> Tool {
    let rules = RULES.iter().map(descriptor).collect();
    Tool { driver: Driver { name: "cited", semantic_version: env!("CARGO_PKG_VERSION"), rules } }
}

fn descriptor(rule: &Rule) -> ReportingDescriptor {
    ReportingDescriptor {
        id: rule.id,
        short_description: Message { text: rule.summary.to_owned() },
        help: Help { text: rule.page, markdown: rule.page },
        default_configuration: Configuration { level: word(rule.severity) },
    }
}

fn unread(path: &str, message: &str) -> Notification {
    Notification {
        level: "error",
        message: Message { text: printable(message).into_owned() },
        locations: vec![location(path, None)],
    }
}

fn add_results(path: &str, judged: &Judged, strictness: Strictness, results: &mut Vec<ResultObject>) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for finding in &judged.findings {
        let print = fingerprint(&judged.text, finding);
        let nth = seen.entry(print.clone()).or_default();
        *nth += 1;
        let mut one = result(finding, strictness, format!("{print}:{nth}"));
        let place = finding.place.as_ref();
        one.locations.push(location(path, place.map(|place| region(&judged.text, place))));
        let fix = place.zip(finding.fix.as_ref());
        one.fixes.extend(fix.map(|(place, fix)| fix_object(path, &judged.text, place, fix)));
        results.push(one);
    }
}

fn result(finding: &Diagnostic, strictness: Strictness, print: String) -> ResultObject {
    let mut text = printable(&finding.message).into_owned();
    if let Some(help) = &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(&printable(help));
    }
    ResultObject {
        rule_id: finding.rule,
        rule_index: RULES.iter().position(|rule| rule.id == finding.rule).unwrap_or_default(),
        level: word(shown_severity(finding, strictness)),
        message: Message { text },
        locations: Vec::new(),
        partial_fingerprints: HashMap::from([("cited/v1", print)]),
        fixes: Vec::new(),
    }
}

fn location(path: &str, region: Option<Region>) -> Location {
    let artifact_location = ArtifactLocation { uri: uri(path) };
    Location { physical_location: PhysicalLocation { artifact_location, region } }
}

fn region(text: &str, place: &Place) -> Region {
    let (end_line, end_column) = end_of(text, place);
    Region {
        start_line: place.line,
        start_column: place.column,
        end_line,
        end_column,
        byte_offset: place.span.start,
        byte_length: place.span.len(),
    }
}

fn fix_object(path: &str, text: &str, place: &Place, fix: &Fix) -> FixObject {
    let (start_line, start_column) = start_of(text, place, &fix.span);
    let start = Place { span: fix.span.clone(), line: start_line, column: start_column };
    let inserted_content = Message { text: fix.replacement.clone() };
    let artifact_location = ArtifactLocation { uri: uri(path) };
    let replacements = [Replacement { deleted_region: region(text, &start), inserted_content }];
    FixObject { artifact_changes: [ArtifactChange { artifact_location, replacements }] }
}

/// Line and column of a fix, counted from its finding: a fix begins there or a little before it on the line.
fn start_of(text: &str, place: &Place, fix: &Span) -> (usize, usize) {
    match text.get(fix.start..place.span.start) {
        Some(between) if !between.contains(['\n', '\r']) => {
            (place.line, place.column.saturating_sub(between.chars().count()).max(1))
        }
        _ => LineIndex::new(text).place(text, fix.start),
    }
}

/// A path as a relative or `file:` URI; standard input has a name of its own.
fn uri(path: &str) -> String {
    if path == "-" {
        return "stdin".to_owned();
    }
    let slashed = path.replace('\\', "/");
    let encoded = encode(&slashed);
    if slashed.starts_with('/') {
        format!("file://{encoded}")
    } else if slashed.as_bytes().get(1) == Some(&b':') {
        format!("file:///{}:{}", &slashed[..1], encode(&slashed[2..]))
    } else {
        encoded.trim_start_matches("./").to_owned()
    }
}

/// What the path of a URI may not hold as it stands.
const NOT_IN_PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

fn encode(path: &str) -> String {
    utf8_percent_encode(path, NOT_IN_PATH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_any_kind_becomes_a_uri() {
        for (path, expected) in [
            ("docs/a b.md", "docs/a%20b.md"),
            ("./d.md", "d.md"),
            ("/tmp/冰.md", "file:///tmp/%E5%86%B0.md"),
            ("C:\\docs\\d.md", "file:///C:/docs/d.md"),
            ("a:b", "file:///a:b"),
            ("x\n%.md", "x%0A%25.md"),
            ("冰", "%E5%86%B0"),
            ("-", "stdin"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }
}
