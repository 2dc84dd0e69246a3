//! A finding: which rule, how grave, what it says, where it points, and how to mend it.

use std::ops::Range;

/// How grave a finding is; errors fail a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A smaller sign; never fails unless asked to.
    Note,
    /// Fails under `--strict`.
    Warning,
    /// Fails the draft.
    Error,
}

/// Where a finding points in its draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Bytes of the draft as it was given.
    pub span: Range<usize>,
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Column of the first byte in characters, from 1.
    pub column: usize,
}

/// A rewrite that mends a finding without changing what the draft says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The bytes to replace.
    pub span: Range<usize>,
    /// What to put there.
    pub replacement: String,
}

/// One finding about one draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's id: its file, its page in `docs/rules` and the code in every report.
    pub rule: &'static str,
    /// How grave it is, after configuration.
    pub severity: Severity,
    /// One line, with ids in brackets; may hold text from the draft or the ledger (print it through
    /// [`crate::text::printable`]).
    pub message: String,
    /// Where it points; `None` for findings about the draft as a whole.
    pub place: Option<Place>,
    /// What to do about it.
    pub help: Option<String>,
    /// A safe rewrite, where there is one.
    pub fix: Option<Fix>,
}
