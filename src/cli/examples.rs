//! What stands below the options in `--help` and in the manual pages. `tests/for_users.rs` runs every line.

pub const RESET: &str = "\
Examples:
  cited reset
  cited --ledger citations.json reset";

pub const INGEST: &str = "\
Examples:
  cited ingest search.json --via web
  cat search.json | cited ingest -";

pub const ADD: &str = "\
Examples:
  cited add https://rivers.example/floods --title 'Spring floods'
  cited add doi:10.1000/182 arXiv:2101.00001";

pub const QUOTE: &str = "\
Examples:
  cited quote 1 --text 'Ice is about 9 % less dense than liquid water'
  cited quote 2 --from lakes.txt --text 'until the whole lake'";

pub const LIST: &str = "\
Examples:
  cited list --unquoted
  cited list --json";

pub const SHOW: &str = "\
Examples:
  cited show 1";

pub const RENDER: &str = "\
Examples:
  cited render --replace-in report.md
  cited render --cited-in report.md --style bibtex";

pub const VERIFY: &str = "\
Examples:
  cited verify report.md
  cited verify report.md --evidence --min-coverage 0.9
  cited verify reports --format sarif -o citations.sarif

Exit codes: 0 nothing fails, 1 a draft fails, 2 a draft could not be judged";

pub const MERGE: &str = "\
Examples:
  cited merge worker/citations.json --rewrite worker/draft.md";

pub const ADOPT: &str = "\
Examples:
  cited adopt report.md --dry-run
  cited adopt report.md";

pub const EDIT: &str = "\
Examples:
  cited edit 1 --title 'Why ice floats'";

pub const WITHDRAW: &str = "\
Examples:
  cited withdraw 3 --why 'retracted by its authors'";

pub const GC: &str = "\
Examples:
  cited gc
  cited gc --yes";

#[cfg(feature = "recall")]
pub const MEMORY: &str = "\
Examples:
  cited memory index notes
  cited memory evidence 'Does ice float on water?'";

#[cfg(feature = "recall")]
pub const RECALL: &str = "\
Examples:
  cited recall -q 'Does ice float on water?'
  cited recall -q 'Does ice float on water?' --memory notes --html -o answer.html
  cited recall --check

Exit codes: 0 answered, 1 abstained, 2 could not run";

pub const SKILL: &str = "\
Examples:
  cited skill cited-research
  cited skill --install skills";
