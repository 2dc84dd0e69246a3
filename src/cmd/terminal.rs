//! Where output goes. Everything printed passes through here: one line at a time, with whatever could steer a
//! terminal shown instead of sent. Results own stdout; errors, warnings and hints go to stderr.

use std::io::{self, BufWriter, IsTerminal, Write};

use cited::text::printable::printable;

use crate::cli::Color;

/// Stdout and stderr of this process.
pub struct Terminal {
    out: BufWriter<Box<dyn Write>>,
    quiet: bool,
    colored: bool,
    is_terminal: bool,
}

impl Terminal {
    /// Takes the streams as they are.
    pub fn new(color: Color, quiet: bool) -> Self {
        let choice = match color {
            Color::Auto => anstream::AutoStream::choice(&io::stdout()),
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        let colored = !matches!(choice, anstream::ColorChoice::Never);
        Self {
            out: BufWriter::new(Box::new(Pipe { to: io::stdout(), is_left: false })),
            quiet,
            colored,
            is_terminal: io::stdout().is_terminal(),
        }
    }

    /// Stdout is a terminal, so a person reads it.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Colour is wanted on stdout.
    pub fn is_colored(&self) -> bool {
        self.colored
    }

    /// One line of result; hostile text is made visible.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", printable(text))
    }

    /// Result that is already safe and complete: JSON, a rendered block, a report.
    pub fn raw(&mut self, text: &[u8]) -> io::Result<()> {
        self.out.write_all(text)
    }

    /// Stdout for a report, which makes hostile text harmless by itself.
    pub fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// A line for the person at the keyboard that is no error: silenced by `--quiet`.
    pub fn warn(&mut self, text: &str) -> io::Result<()> {
        if self.quiet { Ok(()) } else { self.err_line("warning: ", text) }
    }

    /// As [`Terminal::warn`], for something worth a look.
    pub fn hint(&mut self, text: &str) -> io::Result<()> {
        if self.quiet { Ok(()) } else { self.err_line("hint: ", text) }
    }

    /// An error and the way out of it.
    pub fn error(&mut self, text: &str, help: Option<&str>) -> io::Result<()> {
        self.err_line("error: ", text)?;
        help.map_or(Ok(()), |help| self.err_line("  help: ", help))
    }

    /// A line on stderr, after everything printed so far.
    fn err_line(&mut self, label: &str, text: &str) -> io::Result<()> {
        // What stdout does not take is told at the end; it must not keep a line from stderr.
        let _ = self.out.flush();
        writeln!(io::stderr(), "{label}{}", printable(text))
    }

    /// Sends what is still buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Stdout as a pipe. A reader that has seen enough and left (`| head`) is no failure, and changes no exit code.
struct Pipe<W> {
    to: W,
    is_left: bool,
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_left {
            return Ok(bytes.len());
        }
        match self.to.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_left = true;
                Ok(bytes.len())
            }
            done => done,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.to.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_left = true;
                Ok(())
            }
            done => done,
        }
    }
}
