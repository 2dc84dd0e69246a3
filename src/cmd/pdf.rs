//! A PDF is read by this program started again: its libraries may crash, and only the child then ends. The child is
//! told by its first argument, which `--help` does not list.

use std::io;
use std::process::ExitCode;

use cited::evidence::CannotCheck;
use cited::evidence::pdf::{Library, Limits, serve, spawn};

/// The child's first argument; the second names the library.
const CHILD: &str = "__read-pdf";

/// The text of a PDF, read in a child process.
pub fn text(bytes: &[u8]) -> Result<String, CannotCheck> {
    let program = std::env::current_exe().map_err(|error| CannotCheck::Pdf(error.to_string()))?;
    let arguments = |library: Library| vec![CHILD.to_owned(), library.as_str().to_owned()];
    spawn(&program, arguments, bytes, &Limits::default())
}

/// Answers as the child, if this process was started as one.
pub fn serve_if_child() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != CHILD {
        return None;
    }
    let library = Library::named(arguments.next()?.to_str()?)?;
    let served = serve(io::stdin().lock(), io::stdout().lock(), library, &Limits::default());
    Some(if matches!(served, Ok(true)) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
