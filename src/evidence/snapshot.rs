//! Page texts kept by content: `<folder>/<sha256>.txt`, written once, read-only. Names come from digests that
//! are checked first, so a hand-made ledger never becomes a path.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::recheck::Recheck;

/// Bytes; a larger file is no snapshot of ours.
const MAX_SNAPSHOT: u64 = 1 << 30;

/// The SHA-256 of a text, as 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(String);

impl Digest {
    /// The digest of `text`.
    pub fn of(text: &str) -> Self {
        let digits = b"0123456789abcdef";
        let hash = Sha256::digest(text.as_bytes());
        Self(
            hash.iter()
                .flat_map(|byte| [byte >> 4, byte & 15])
                .map(|n| digits[usize::from(n)] as char)
                .collect(),
        )
    }

    /// A digest that was recorded; `None` unless it is 64 lower-case hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 64 && text.bytes().all(hex)).then(|| Self(text.to_string()))
    }

    /// The hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a snapshot could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotLoaded {
    /// The digest is no digest, or the file is not what it names: the evidence is broken.
    Broken(String),
    /// It is no longer there, or it can not be read.
    Missing(String),
}

impl From<NotLoaded> for Recheck {
    fn from(cause: NotLoaded) -> Self {
        match cause {
            NotLoaded::Broken(why) => Self::Broken(why),
            NotLoaded::Missing(why) => Self::NotRecheckable(why),
        }
    }
}

/// The folder that keeps snapshots.
#[derive(Debug, Clone)]
pub struct Snapshots {
    folder: PathBuf,
}

impl Snapshots {
    /// Snapshots in `folder`, which is made when the first one is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps a page text, on disk when this returns; one that is kept already is left alone.
    ///
    /// # Errors
    /// The folder or the file can not be written.
    pub fn keep(&self, text: &str) -> io::Result<Digest> {
        fs::create_dir_all(&self.folder)?;
        let digest = Digest::of(text);
        if let Some(file) = self.write(&digest, text)? {
            file.sync_data()?;
            self.sync_folder()?;
        }
        Ok(digest)
    }

    /// Keeps many page texts and syncs the folder once; digests in the order of the texts. A file that a crash
    /// of the machine cut short does not fit its digest and is written anew by the next call.
    ///
    /// # Errors
    /// The folder or a file can not be written.
    pub fn keep_all<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> io::Result<Vec<Digest>> {
        fs::create_dir_all(&self.folder)?;
        let mut digests = Vec::new();
        let mut wrote = false;
        for text in texts {
            let digest = Digest::of(text);
            wrote |= self.write(&digest, text)?.is_some();
            digests.push(digest);
        }
        if wrote {
            self.sync_folder()?;
        }
        Ok(digests)
    }

    /// The page text of a recorded digest, its hash checked.
    ///
    /// # Errors
    /// It is not there, not what the digest names, or too large.
    pub fn load(&self, digest: &str) -> Result<String, NotLoaded> {
        let broken = |why: &str| NotLoaded::Broken(why.to_string());
        let digest =
            Digest::parse(digest).ok_or_else(|| broken("its sha256 is not 64 lower-case hex digits"))?;
        let file = match open_regular(&self.path(&digest)) {
            Ok(Some(file)) => file,
            Ok(None) => return Err(broken("its snapshot is not a regular file")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(NotLoaded::Missing("its snapshot is no longer there".into()));
            }
            Err(error) => {
                return Err(NotLoaded::Missing(format!("its snapshot can not be read: {}", error.kind())));
            }
        };
        let mut bytes = Vec::new();
        match file.take(MAX_SNAPSHOT + 1).read_to_end(&mut bytes) {
            Ok(read) if read as u64 > MAX_SNAPSHOT => {
                Err(NotLoaded::Missing("its snapshot is larger than 1 GiB".into()))
            }
            Err(error) => Err(NotLoaded::Missing(format!("its snapshot can not be read: {}", error.kind()))),
            Ok(_) => match String::from_utf8(bytes) {
                Ok(text) if Digest::of(&text) == digest => Ok(text),
                _ => Err(broken("its snapshot was changed: the bytes do not fit the recorded sha256")),
            },
        }
    }

    /// Snapshots that none of the `named` digests names, for `gc`, in order of name.
    ///
    /// # Errors
    /// The folder can not be listed.
    pub fn unused(&self, named: &HashSet<String>) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut unused = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            let digest = name.to_str().and_then(|name| name.strip_suffix(".txt")).and_then(Digest::parse);
            if digest.is_some_and(|digest| !named.contains(digest.as_str())) {
                unused.push(self.folder.join(name));
            }
        }
        unused.sort();
        Ok(unused)
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        self.folder.join(format!("{}.txt", digest.as_str()))
    }

    /// Writes the snapshot, unless it is there already.
    fn write(&self, digest: &Digest, text: &str) -> io::Result<Option<File>> {
        let path = self.path(digest);
        if holds(&path, text) {
            return Ok(None);
        }
        let mut builder = tempfile::Builder::new();
        let mut file = read_only(&mut builder).tempfile_in(&self.folder)?;
        file.write_all(text.as_bytes())?;
        let file = file.persist(&path)?;
        #[cfg(not(unix))]
        make_read_only(&path)?;
        Ok(Some(file))
    }

    #[cfg(unix)]
    fn sync_folder(&self) -> io::Result<()> {
        File::open(&self.folder)?.sync_all()
    }

    #[cfg(not(unix))]
    fn sync_folder(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The file at `path` is a snapshot of `text`.
fn holds(path: &Path, text: &str) -> bool {
    let Ok(Some(file)) = open_regular(path) else { return false };
    if file.metadata().map_or(true, |about| about.len() != text.len() as u64) {
        return false;
    }
    let mut bytes = Vec::with_capacity(text.len());
    file.take(text.len() as u64 + 1).read_to_end(&mut bytes).is_ok() && bytes == text.as_bytes()
}

/// The file at `path`, no link followed; `None` where it is not a regular file.
#[cfg(unix)]
fn open_regular(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;

    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = fs::OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    match opened {
        Ok(file) if file.metadata()?.is_file() => Ok(Some(file)),
        Ok(_) => Ok(None),
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn open_regular(path: &Path) -> io::Result<Option<File>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(None);
    }
    File::open(path).map(Some)
}

#[cfg(unix)]
fn read_only<'a, 'b>(builder: &'a mut tempfile::Builder<'b, 'b>) -> &'a mut tempfile::Builder<'b, 'b> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o444))
}

#[cfg(not(unix))]
fn read_only<'a, 'b>(builder: &'a mut tempfile::Builder<'b, 'b>) -> &'a mut tempfile::Builder<'b, 'b> {
    builder
}

#[cfg(not(unix))]
fn make_read_only(path: &Path) -> io::Result<()> {
    let mut permissions = fs::metadata(path)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(path, permissions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshots() -> (tempfile::TempDir, Snapshots) {
        let folder = tempfile::tempdir().unwrap();
        let snapshots = Snapshots::new(folder.path().join("evidence"));
        (folder, snapshots)
    }

    #[test]
    fn a_kept_text_is_loaded_as_it_was() {
        let (_folder, snapshots) = snapshots();
        let digest = snapshots.keep("Ice floats.\r\n").unwrap();
        assert_eq!(digest, snapshots.keep("Ice floats.\r\n").unwrap());
        assert_eq!(snapshots.load(digest.as_str()).unwrap(), "Ice floats.\r\n");
        assert!(fs::metadata(snapshots.path(&digest)).unwrap().permissions().readonly());
    }

    #[test]
    fn a_digest_is_never_a_path() {
        let (folder, snapshots) = snapshots();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        for digest in ["../secret", "", "A", &"A".repeat(64), &"g".repeat(64), "../../../../etc/passwd"] {
            assert!(matches!(snapshots.load(digest), Err(NotLoaded::Broken(_))), "{digest}");
        }
    }

    #[test]
    fn a_changed_snapshot_is_broken_and_a_missing_one_is_missing() {
        let (_folder, snapshots) = snapshots();
        let digest = snapshots.keep("Ice floats.").unwrap();
        let path = snapshots.path(&digest);
        fs::remove_file(&path).unwrap();
        assert!(matches!(snapshots.load(digest.as_str()), Err(NotLoaded::Missing(_))));
        fs::write(&path, "Ice sinks!!").unwrap();
        assert!(matches!(snapshots.load(digest.as_str()), Err(NotLoaded::Broken(_))));
        snapshots.keep("Ice floats.").unwrap();
        assert!(snapshots.load(digest.as_str()).is_ok(), "a changed snapshot is written anew");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        let (folder, snapshots) = snapshots();
        let digest = snapshots.keep("Ice floats.").unwrap();
        let path = snapshots.path(&digest);
        let target = folder.path().join("target.txt");
        fs::write(&target, "Ice floats.").unwrap();
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        assert!(matches!(snapshots.load(digest.as_str()), Err(NotLoaded::Broken(_))));
        snapshots.keep("Ice floats.").unwrap();
        assert!(fs::symlink_metadata(&path).unwrap().is_file(), "the link is replaced, not followed");
    }

    #[test]
    fn many_are_kept_at_once_and_those_that_no_one_names_are_unused() {
        let (_folder, snapshots) = snapshots();
        assert!(snapshots.unused(&HashSet::new()).unwrap().is_empty());
        let digests = snapshots.keep_all(["ice", "water", "ice"]).unwrap();
        assert_eq!(digests[0], digests[2]);
        let named = HashSet::from([digests[0].as_str().to_string()]);
        fs::write(snapshots.folder().join("notes.txt"), "mine").unwrap();
        assert_eq!(snapshots.unused(&named).unwrap(), [snapshots.path(&digests[1])]);
    }
}
