//! JUnit XML: a suite for each draft, a test case for each rule, so that a dashboard shows which rules fail
//! where and for how long. No clock and no random id: the same report gives the same bytes.

use std::io;

use quick_junit::{NonSuccessKind, Report as Xml, TestCase, TestCaseStatus, TestSuite};

use super::{Format, Judged, Outcome, Report, Sinks};
use crate::diagnostic::Diagnostic;
use crate::text::printable::printable;
use crate::verify::{RULES, Strictness};

pub(super) const FORMAT: Format =
    Format { name: "junit", summary: "JUnit XML: a suite a draft, a case a rule", with_drafts: false, write };

fn write(report: &Report, sinks: &mut Sinks) -> io::Result<()> {
    let mut xml = Xml::new("cited");
    for draft in &report.drafts {
        xml.add_test_suite(match &draft.outcome {
            Outcome::Judged(judged) => suite(&draft.path, judged, report.strictness),
            Outcome::NotJudged { message, .. } => unread(&draft.path, message),
        });
    }
    if !report.together.is_empty() {
        let mut suite = TestSuite::new("all drafts together");
        for finding in &report.together {
            suite.add_test_case(case(finding.rule, "all drafts together", &[finding], report.strictness));
        }
        xml.add_test_suite(suite);
    }
    let text = xml.to_string().map_err(io::Error::other)?;
    sinks.out.write_all(text.as_bytes())
}

fn suite(path: &str, judged: &Judged, strictness: Strictness) -> TestSuite {
    let path = printable(path).into_owned();
    let mut suite = TestSuite::new(path.as_str());
    for rule in RULES {
        let of_rule = |finding: &&Diagnostic| finding.rule == rule.id;
        let findings: Vec<&Diagnostic> = judged.findings.iter().filter(of_rule).collect();
        suite.add_test_case(case(rule.id, &path, &findings, strictness));
    }
    suite.set_system_out(judged.stats.to_string());
    suite
}

fn unread(path: &str, message: &str) -> TestSuite {
    let path = printable(path).into_owned();
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(printable(message).as_ref());
    let mut case = TestCase::new("readable", status);
    case.set_classname(path.as_str());
    let mut suite = TestSuite::new(path.as_str());
    suite.add_test_case(case);
    suite
}

/// What fails is the failure's text; what does not is the case's output.
fn case(rule: &str, path: &str, findings: &[&Diagnostic], strictness: Strictness) -> TestCase {
    let (failing, other): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        findings.iter().copied().partition(|finding| strictness.fails(finding));
    let mut status = TestCaseStatus::success();
    if let Some(first) = failing.first() {
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status
            .set_type(rule)
            .set_message(printable(&first.message).as_ref())
            .set_description(lines(&failing));
    }
    let mut case = TestCase::new(rule, status);
    case.set_classname(path);
    if !other.is_empty() {
        case.set_system_out(lines(&other));
    }
    case
}

fn lines(findings: &[&Diagnostic]) -> String {
    let lines = findings.iter().map(|finding| {
        let place = finding.place.as_ref().map(|place| format!("{}:{}: ", place.line, place.column));
        format!("{}{}", place.unwrap_or_default(), printable(&finding.message))
    });
    lines.collect::<Vec<String>>().join("\n")
}
