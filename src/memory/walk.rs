//! Which files of a folder become notes: text and Markdown beneath the root, in order of their names. Links are
//! never followed (what they point to inside the root is found under its own name), hidden files and files that
//! hold credentials are never opened, and a folder over the limits is refused before anything is read.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;
use walkdir::{DirEntry, WalkDir};

use super::names::ENDINGS;
use crate::error::{Error, Result, plain};

/// The most files that one folder may bring.
pub const MAX_FILES: usize = 50_000;
/// The most bytes that one file may have.
pub const MAX_FILE_BYTES: u64 = 8 * 1024 * 1024;
/// The most bytes that one folder may bring.
const MAX_TOTAL_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// A file that becomes a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// Its path beneath the root: `/` between components, NFC; the same on every machine.
    pub source: String,
}

/// Something that was not read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Its path beneath the root.
    pub source: String,
    /// Why, in words.
    pub why: String,
}

/// What a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    /// Files to read, in order.
    pub found: Vec<Found>,
    /// Left out on purpose: links, files that may hold credentials.
    pub skipped: Vec<Unread>,
    /// Folders and files that could not be looked at; what memory knows beneath them has not vanished.
    pub failed: Vec<Unread>,
}

/// Walks `scope`, a folder or file beneath `root`; both canonical.
///
/// # Errors
/// Too many files, or too many bytes.
pub fn walk(root: &Path, scope: &Path) -> Result<Walk> {
    let mut walk = Walk::default();
    let (mut bytes, mut names) = (0, HashSet::new());
    let mut entries = WalkDir::new(scope).follow_links(false).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                walk.failed.push(failure(root, scope, &error));
                continue;
            }
        };
        let is_scope = entry.depth() == 0;
        match admit(root, &entry) {
            Admitted::File(found) if !names.insert(found.source.clone()) => {
                let why = "another file has that name in other code points".to_owned();
                walk.failed.push(Unread { source: found.source, why });
            }
            Admitted::File(found) => {
                bytes += entry.metadata().map_or(0, |metadata| metadata.len().min(MAX_FILE_BYTES));
                walk.found.push(found);
                within_limits(scope, walk.found.len(), bytes)?;
            }
            Admitted::Folder => {}
            // What was named itself is not passed over in silence.
            Admitted::Not(unread) | Admitted::Other(unread) if is_scope => walk.failed.push(unread),
            refused @ (Admitted::Not(_) | Admitted::Other(_)) => {
                if entry.file_type().is_dir() {
                    entries.skip_current_dir();
                }
                walk.skipped.extend(refused.worth_saying());
            }
            Admitted::Nameless(unread) => walk.failed.push(unread),
        }
    }
    Ok(walk)
}

/// Reads a file that was found: UTF-8 with a BOM or without, line ends made `\n`. `Err` says why not.
pub fn read(found: &Found) -> std::result::Result<String, String> {
    let file = File::open(&found.path).map_err(|error| plain(&error))?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| plain(&error))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("over the limit of {MAX_FILE_BYTES} bytes for one file"));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("no UTF-8 text at byte {}", error.utf8_error().valid_up_to()))?;
    if text.contains('\0') {
        return Err("binary: it holds a NUL byte".into());
    }
    Ok(text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n"))
}

/// The path of `path` beneath `root` as memory names it; `None` outside of it or where it is no Unicode.
pub fn source_name(root: &Path, path: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for component in path.strip_prefix(root).ok()?.components() {
        parts.push(component.as_os_str().to_str()?.nfc().collect::<String>());
    }
    Some(parts.join("/"))
}

/// Does a walk from `root` come to `path`, which lies beneath it? Not through hidden folders and secret ones.
pub fn reaches(root: &Path, path: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|beneath| {
        let names = beneath.components().map(|component| component.as_os_str().to_string_lossy());
        names.into_iter().all(|name| !name.starts_with('.') && !is_secret(&name))
    })
}

/// The name of a note as memory writes it, from how a user writes it: `./Ice.md` is `Ice.md`.
pub fn as_source(given: &str) -> String {
    let mut name = given;
    while let Some(rest) = name.strip_prefix("./") {
        name = rest;
    }
    name.nfc().collect()
}

/// A file or folder that may hold credentials: never opened, whoever asks.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase().replace('-', "_");
    let (stem, ending) = name.split_once('.').unwrap_or((&name, ""));
    let last = name.rsplit('.').next().unwrap_or_default();
    name.starts_with(".env")
        || SECRET_STEMS.contains(&stem)
        || ending.split('.').any(|part| part == "env")
        || !ending.is_empty() && SECRET_ENDINGS.contains(&last)
}

const SECRET_STEMS: &[&str] = &[
    "credential",
    "credentials",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "token",
    "api_key",
    "api_keys",
    "apikey",
    "apikeys",
    "private_key",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "service_account",
    "client_secret",
    "htpasswd",
    "env",
];

const SECRET_ENDINGS: &[&str] =
    &["pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "gpg", "asc", "ppk", "ovpn"];

enum Admitted {
    File(Found),
    Folder,
    /// It looks like a note, or like what the user may miss.
    Not(Unread),
    /// Every folder has such files: hidden ones, those of other programs.
    Other(Unread),
    Nameless(Unread),
}

impl Admitted {
    fn worth_saying(self) -> Option<Unread> {
        match self {
            Self::Not(unread) => Some(unread),
            _ => None,
        }
    }
}

fn admit(root: &Path, entry: &DirEntry) -> Admitted {
    let Some(source) = source_name(root, entry.path()) else {
        let source = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_string_lossy().into_owned();
        return Admitted::Nameless(Unread { source, why: "its name is no Unicode text".into() });
    };
    let unread = |why: &str| Unread { source: source.clone(), why: why.into() };
    let name = source.rsplit('/').next().unwrap_or_default();
    if entry.path() != root && name.starts_with('.') {
        return Admitted::Other(unread("it is hidden; hidden files are never read"));
    }
    if entry.path() != root && is_secret(name) {
        return Admitted::Not(unread("it may hold credentials"));
    }
    let kind = entry.file_type();
    if kind.is_symlink() {
        return Admitted::Not(unread("links are not followed"));
    }
    if kind.is_dir() {
        return Admitted::Folder;
    }
    if !kind.is_file() {
        return Admitted::Other(unread("it is no regular file"));
    }
    match entry.depth() == 0 || has_note_ending(entry.path()) {
        true => Admitted::File(Found { path: entry.path().to_owned(), source }),
        false => Admitted::Other(unread("it does not end like a note")),
    }
}

fn has_note_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

fn failure(root: &Path, scope: &Path, error: &walkdir::Error) -> Unread {
    let path = error.path().unwrap_or(scope);
    let source = source_name(root, path).unwrap_or_else(|| path.display().to_string());
    let why = error.io_error().map_or_else(|| error.to_string(), plain);
    Unread { source, why }
}

fn within_limits(scope: &Path, files: usize, bytes: u64) -> Result<()> {
    let over = if files > MAX_FILES {
        format!("more than {MAX_FILES} files")
    } else if bytes > MAX_TOTAL_BYTES {
        format!("more than {MAX_TOTAL_BYTES} bytes of text")
    } else {
        return Ok(());
    };
    Err(Error::not_judged(format!("`{}` holds {over}; nothing was indexed", scope.display()))
        .with_help("name the folders that hold notes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "Ice floats.\n").unwrap();
        }
        folder
    }

    fn sources(folder: &Path) -> Vec<String> {
        let root = folder.canonicalize().unwrap();
        walk(&root, &root).unwrap().found.into_iter().map(|found| found.source).collect()
    }

    #[test]
    fn notes_are_found_in_order_of_their_names() {
        let folder = folder(&["b.md", "a/z.txt", "a/b/c.markdown", "photo.png", "Makefile", "d.MD"]);
        assert_eq!(sources(folder.path()), ["a/b/c.markdown", "a/z.txt", "b.md", "d.MD"]);
    }

    #[test]
    fn hidden_files_and_credentials_are_never_found() {
        let folder = folder(&[
            "ok.md",
            ".env",
            ".env.md",
            ".hidden.md",
            ".git/notes.md",
            "prod.env",
            "prod.env.txt",
            "credentials.md",
            "secrets/plan.md",
            "Passwords.txt",
            "api-keys.txt",
            "id_rsa.txt",
            "server.key",
            "server.pem",
        ]);
        assert_eq!(sources(folder.path()), ["ok.md"]);
    }

    #[test]
    fn a_note_about_secrets_is_a_note() {
        for name in ["secrets of bread.md", "environment.md", "token-rings.md", "monkey.md"] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn a_credential_is_refused_even_when_it_is_named() {
        let folder = folder(&["credentials.md"]);
        let root = folder.path().canonicalize().unwrap();
        let walk = walk(&root, &root.join("credentials.md")).unwrap();
        assert!(walk.found.is_empty());
        assert_eq!(walk.failed[0].source, "credentials.md");
    }

    #[test]
    fn what_was_named_itself_and_is_no_note_is_not_passed_over_in_silence() {
        let folder = folder(&[".env", ".hidden.md", "a.md"]);
        let root = folder.path().canonicalize().unwrap();
        for name in [".env", ".hidden.md"] {
            let walk = walk(&root, &root.join(name)).unwrap();
            assert!(walk.found.is_empty());
            assert!(walk.failed[0].why.contains("hidden"), "{name}");
        }
        let walk = walk(&root, &root).unwrap();
        assert!(walk.failed.is_empty() && walk.skipped.is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn two_files_whose_names_differ_in_code_points_alone_are_not_mixed_up() {
        let folder = folder(&["caf\u{e9}.md", "cafe\u{301}.md"]);
        let root = folder.path().canonicalize().unwrap();
        let walk = walk(&root, &root).unwrap();
        assert_eq!((walk.found.len(), walk.failed.len()), (1, 1));
    }

    #[test]
    fn a_walk_comes_to_what_is_neither_hidden_nor_secret() {
        let reaches = |path: &str| super::reaches(Path::new("/home/ada"), Path::new(path));
        assert!(reaches("/home/ada") && reaches("/home/ada/notes/x"));
        assert!(!reaches("/home/ada/.vault") && !reaches("/home/ada/secrets/x") && !reaches("/home/adam"));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_or_to_a_hidden_file() {
        let outside = folder(&["outside.md"]);
        let folder = folder(&["in.md", ".env"]);
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, folder.path().join(name)).unwrap();
        link(&outside.path().join("outside.md"), "out.md");
        link(outside.path(), "out");
        link(&folder.path().join(".env"), "env.md");
        link(folder.path(), "loop");
        assert_eq!(sources(folder.path()), ["in.md"]);
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_cause() {
        let folder = folder(&["a.md"]);
        let found = Found { path: folder.path().join("a.md"), source: "a.md".into() };
        fs::write(&found.path, b"ice \xff floats").unwrap();
        assert_eq!(read(&found).unwrap_err(), "no UTF-8 text at byte 4");
        fs::write(&found.path, b"ice\0").unwrap();
        assert!(read(&found).unwrap_err().starts_with("binary"));
        fs::write(&found.path, vec![b'x'; MAX_FILE_BYTES as usize + 1]).unwrap();
        assert!(read(&found).unwrap_err().contains("8388608 bytes"));
    }

    #[test]
    fn line_ends_and_a_byte_order_mark_make_no_difference() {
        let folder = folder(&["a.md"]);
        let found = Found { path: folder.path().join("a.md"), source: "a.md".into() };
        fs::write(&found.path, "\u{feff}ice\r\nfloats\r").unwrap();
        assert_eq!(read(&found).unwrap(), "ice\nfloats\n");
    }
}
