//! PDF to text, in a process of its own: the libraries that read PDF panic, loop and exhaust memory on hostile
//! files. The program starts itself again with a hidden argument; the child gets the file on its standard input
//! and answers with text on its standard output. [`spawn`] is the parent's side, [`serve`] the child's. Where
//! the program lies and which argument is hidden is the command's business.
//!
//! Two libraries take turns, each in a child of its own, so that one may crash. Text of the pages is parted by
//! form feeds; raised and lowered figures are marked as in HTML.

mod layout;

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use pdf_extract::Document;

use super::verdict::CannotCheck;

/// What a child may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long one library may take.
    pub time: Duration,
    /// Bytes of address space.
    pub memory: u64,
    /// Bytes of text.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), memory: 2 << 30, output: 256 << 20 }
    }
}

/// Which library reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// pdf-extract, which knows where characters stand.
    First,
    /// lopdf, which reads what the first can not.
    Second,
}

impl Library {
    /// Both, in the order in which they are tried.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The name that the parent gives to the child.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }

    /// The library of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|library| library.as_str() == name)
    }
}

/// The text of a PDF, form feeds between its pages. To be called in a child: it may panic, loop, exhaust the
/// stack or the memory.
///
/// # Errors
/// What the library said, in its words.
pub fn extract(bytes: &[u8], library: Library) -> Result<String, String> {
    let read = || {
        let mut document = Document::load_mem(bytes).map_err(|error| error.to_string())?;
        if document.is_encrypted() {
            document.decrypt("").map_err(|_| "it is encrypted".to_string())?;
        }
        match library {
            Library::First => layout::text(&document),
            Library::Second => Ok(plain_text(&document)),
        }
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err("its reader failed".into()))
}

fn plain_text(document: &Document) -> String {
    let pages = document.get_pages();
    let texts = pages.keys().map(|page| document.extract_text(&[*page]).unwrap_or_default());
    texts.collect::<Vec<_>>().join("\u{c}")
}

/// The child's side: reads a PDF from `input` and writes its text to `output`. True where it went well; where
/// not, `output` gets the cause.
///
/// # Errors
/// The pipes are broken.
pub fn serve(
    mut input: impl Read,
    mut output: impl Write,
    library: Library,
    limits: &Limits,
) -> io::Result<bool> {
    confine(limits);
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let answer = extract(&bytes, library);
    let good = answer.is_ok();
    let (Ok(text) | Err(text)) = answer;
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(good)
}

/// The parent's side: starts `program` with the arguments that `arguments` gives for a library, one after the
/// other, until one finds text.
///
/// # Errors
/// No library could read it within the limits; the cause is that of the last one.
pub fn spawn(
    program: &Path,
    arguments: impl Fn(Library) -> Vec<String>,
    bytes: &[u8],
    limits: &Limits,
) -> Result<String, CannotCheck> {
    let mut answer = Err("no reader".to_string());
    for library in Library::ALL {
        answer = ask(program, &arguments(library), bytes, limits);
        if answer.as_ref().is_ok_and(|text| !text.trim().is_empty()) {
            break;
        }
    }
    answer.map_err(CannotCheck::Pdf)
}

fn ask(program: &Path, arguments: &[String], bytes: &[u8], limits: &Limits) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child =
        command.spawn().map_err(|error| format!("its reader does not start: {}", error.kind()))?;
    let answer = converse(&mut child, bytes, limits);
    if answer.is_err() {
        // It may have ended by itself; then there is nothing to kill.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.kind().to_string())?;
    let text = String::from_utf8(answer?).map_err(|_| "its reader gave no text".to_string())?;
    match status.code() {
        Some(0) => Ok(text),
        Some(_) if !text.is_empty() && text.len() < 400 => Err(text),
        _ => Err("its reader failed".into()),
    }
}

/// Gives the child its file and takes its answer, both within the limits.
fn converse(child: &mut Child, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, String> {
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("its reader has no pipes".into());
    };
    let most = limits.output as u64 + 1;
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        scope.spawn(move || {
            let mut answer = Vec::new();
            let read = stdout.take(most).read_to_end(&mut answer).map(|_| answer);
            // The parent has stopped listening when the time is up.
            let _ = send.send(read);
        });
        scope.spawn(move || {
            // A child that dies early does not read its file to the end.
            let _ = stdin.write_all(bytes);
        });
        let answer = receive.recv_timeout(limits.time);
        if answer.is_err()
            || answer.as_ref().is_ok_and(|read| read.as_ref().is_ok_and(|b| b.len() as u64 == most))
        {
            // The pipes close with the child, and the threads end.
            let _ = child.kill();
        }
        match answer {
            Err(_) => Err(format!("its reader took longer than {} s", limits.time.as_secs())),
            Ok(Err(error)) => Err(error.kind().to_string()),
            Ok(Ok(answer)) if answer.len() as u64 == most => Err("its text is too long".into()),
            Ok(Ok(answer)) => Ok(answer),
        }
    })
}

/// Takes from this process what reading a PDF does not need.
#[cfg(unix)]
fn confine(limits: &Limits) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = |value: u64| Rlimit { current: Some(value), maximum: Some(value) };
    let all = [
        (Resource::As, limits.memory),
        (Resource::Cpu, limits.time.as_secs() + 1),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 3),
    ];
    for (resource, value) in all {
        // A limit that the system does not know leaves the others in force, and the parent's clock.
        let _ = setrlimit(resource, most(value));
    }
}

#[cfg(not(unix))]
fn confine(_limits: &Limits) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PDF of one page per content stream, in Helvetica.
    pub(super) fn pdf(pages: &[&str]) -> Vec<u8> {
        let mut objects = vec![
            "<< /Type /Catalog /Pages 2 0 R >>".to_string(),
            String::new(),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_string(),
        ];
        let mut kids = String::new();
        for page in pages {
            let number = objects.len() + 1;
            kids.push_str(&format!("{number} 0 R "));
            objects.push(format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
                number + 1
            ));
            objects.push(format!("<< /Length {} >>\nstream\n{page}\nendstream", page.len()));
        }
        objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
        let mut file = "%PDF-1.4\n".to_string();
        let mut table = "0000000000 65535 f \n".to_string();
        for (at, object) in objects.iter().enumerate() {
            table.push_str(&format!("{:010} 00000 n \n", file.len()));
            file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
        }
        let (start, size) = (file.len(), objects.len() + 1);
        file.push_str(&format!(
            "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
        ));
        file.into_bytes()
    }

    const LINES: &str =
        "BT /F1 12 Tf 72 700 Td (Ice floats on water in every exam-) Tj 0 -14 Td (ple that was seen.) Tj ET";
    const POWER: &str = "BT /F1 12 Tf 72 700 Td (It was 10) Tj 5 Ts /F1 8 Tf (2) Tj 0 Ts /F1 12 Tf ( metres of ice) Tj \
        5 Ts /F1 8 Tf (3) Tj 0 Ts /F1 12 Tf ( in all.) Tj ET";

    #[test]
    fn lines_are_lines_and_pages_are_parted() {
        let text =
            extract(&pdf(&[LINES, "BT /F1 12 Tf 72 700 Td (Page two.) Tj ET"]), Library::First).unwrap();
        assert_eq!(text, "Ice floats on water in every exam-\nple that was seen.\u{c}Page two.");
    }

    #[test]
    fn raised_figures_are_marked() {
        let text = extract(&pdf(&[POWER]), Library::First).unwrap();
        assert_eq!(text, "It was 10\u{fdd0}2\u{fdd0} metres of ice\u{fdd1}3\u{fdd2} in all.");
    }

    #[test]
    fn both_libraries_read_text_and_neither_panics() {
        let whole = pdf(&[LINES]);
        assert!(extract(&whole, Library::Second).unwrap().contains("Ice floats on water"));
        for library in Library::ALL {
            for cut in (0..whole.len()).step_by(37) {
                let _ = extract(&whole[..cut], library);
            }
            assert!(extract(b"%PDF-1.4 nothing", library).is_err());
        }
    }

    #[cfg(unix)]
    fn shell(script: &str, limits: &Limits) -> Result<String, CannotCheck> {
        spawn(
            Path::new("/bin/sh"),
            |library| vec!["-c".into(), script.replace("LIBRARY", library.as_str())],
            b"Ice",
            limits,
        )
    }

    #[cfg(unix)]
    #[test]
    fn a_child_answers_within_its_limits_or_not_at_all() {
        let limits = Limits { time: Duration::from_millis(300), output: 1_000, ..Limits::default() };
        assert_eq!(shell("cat", &limits).unwrap(), "Ice");
        let cause = |script: &str| match shell(script, &limits) {
            Err(CannotCheck::Pdf(cause)) => cause,
            other => panic!("{script}: {other:?}"),
        };
        assert!(cause("exec sleep 20").contains("took longer"));
        assert!(cause("while :; do echo ice; done").contains("too long"));
        assert!(cause("kill -9 $$").contains("failed"));
        assert_eq!(cause("echo no pages; exit 1"), "no pages\n");
        assert!(spawn(Path::new("/nowhere"), |_| Vec::new(), b"", &limits).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn the_second_library_is_asked_where_the_first_finds_nothing() {
        assert_eq!(shell("test LIBRARY = second && printf ice", &Limits::default()).unwrap(), "ice");
        assert_eq!(shell("exit 0", &Limits::default()).unwrap(), "");
    }

    #[cfg(unix)]
    #[test]
    fn a_child_sees_no_environment() {
        assert!(!shell("env", &Limits::default()).unwrap().contains("HOME="));
    }
}
