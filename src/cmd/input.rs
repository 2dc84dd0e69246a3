//! What the user named as input: a file, or `-` for stdin.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use cited::Error;

/// The bytes of a file or of stdin.
pub fn read_input(path: &Path) -> cited::Result<Vec<u8>> {
    let bytes = if path == Path::new("-") { stdin() } else { fs::read(path) };
    bytes.map_err(|error| Error::unreadable(path, &error))
}

/// The text of a file or of stdin, which must be UTF-8.
pub fn read_text(path: &Path) -> cited::Result<String> {
    String::from_utf8(read_input(path)?).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::not_judged(format!("cannot read `{}`: it is not UTF-8 at line {line}", path.display()))
            .with_help("save it as text in UTF-8 first")
    })
}

fn stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
