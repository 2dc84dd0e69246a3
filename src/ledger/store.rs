//! The ledger's file: read without a lock, changed under one. Every change is read, change, write by one
//! process at a time; whoever is killed leaves the old file or the new one, and the kernel frees its lock.
//!
//! What the file's text means is `format`'s business.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime};

use super::Ledger;
use super::format::{self, Unreadable};
use crate::error::{Error, Result};
use crate::file::{self, Access};

/// How long to wait while no other command gets anything done.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of a ledger's name that leave room for the rest of its companions' names.
const LONGEST_NAME: usize = 230;

/// Where a ledger is kept.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    home: Option<PathBuf>,
    patience: Duration,
}

/// A ledger whose lock this process holds until the value is dropped.
#[derive(Debug)]
pub struct Locked<'s> {
    store: &'s Store,
    _lock: File,
}

impl Locked<'_> {
    /// The ledger that is locked.
    pub fn store(&self) -> &Store {
        self.store
    }

    /// Writes the ledger, if something changed.
    ///
    /// # Errors
    /// [`Error::LedgerUnwritable`]; the old file is whole.
    pub fn write(&self, ledger: &Ledger) -> Result<()> {
        if ledger.is_changed() { self.store.write(ledger) } else { Ok(()) }
    }
}

impl Store {
    /// The ledger in the file `path`, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), home: None, patience: PATIENCE }
    }

    /// The same, and a file that it creates below `home` is readable by its owner alone.
    #[must_use]
    pub fn private_below(self, home: impl Into<PathBuf>) -> Self {
        Self { home: Some(home.into()), ..self }
    }

    /// The file, as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file holds; an empty ledger where there is no file. Takes no lock: a writer replaces the file
    /// as a whole.
    ///
    /// # Errors
    /// [`Error::LedgerUnreadable`] and [`Error::LedgerNewer`].
    pub fn read(&self) -> Result<Ledger> {
        match read_regular(&self.path) {
            Ok(bytes) => format::read(&bytes).map_err(|why| self.misshapen(why)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ledger::default()),
            Err(error) => Err(self.unreadable(crate::error::plain(&error))),
        }
    }

    /// Reads, lets `change` work, and writes if something changed, all under the lock. When it returns `Ok`,
    /// the change is on the disk.
    ///
    /// # Errors
    /// Those of [`Store::read`] and of `change`, [`Error::LedgerBusy`] when another process keeps the lock, and
    /// [`Error::LedgerUnwritable`]; the old file is whole in each case.
    pub fn update<T>(&self, change: impl FnOnce(&mut Ledger) -> Result<T>) -> Result<T> {
        let _lock = self.lock()?;
        let mut ledger = self.read()?;
        let value = change(&mut ledger)?;
        if ledger.is_changed() {
            self.write(&ledger)?;
        }
        Ok(value)
    }

    /// Starts an empty ledger, whatever the file holds. The old file is kept beside it, with `stamp` in its
    /// name, where a stamp is given and it held anything; the result is that copy.
    ///
    /// # Errors
    /// [`Error::LedgerBusy`], and [`Error::LedgerUnwritable`] when the copy or the new file cannot be written.
    pub fn reset(&self, stamp: Option<&str>) -> Result<Option<PathBuf>> {
        let _lock = self.lock()?;
        let copy = match stamp {
            Some(stamp) => self.keep_copy(stamp).map_err(|error| self.unwritable(error))?,
            None => None,
        };
        self.write(&Ledger::default())?;
        Ok(copy)
    }

    /// Takes the lock and keeps it, for a change that reaches further than this one file.
    ///
    /// # Errors
    /// [`Error::LedgerBusy`] when another process keeps the lock, and [`Error::LedgerUnwritable`].
    pub fn locked(&self) -> Result<Locked<'_>> {
        Ok(Locked { _lock: self.lock()?, store: self })
    }

    /// A file of this program's own beside the ledger's target: `.<ledger>.cited-<what>`.
    ///
    /// # Errors
    /// The ledger's symbolic links run in a circle, or it names no file.
    pub fn companion(&self, what: &str) -> io::Result<PathBuf> {
        let target = file::target(&self.path)?;
        let name = target.file_name().ok_or_else(|| io::Error::other("it names no file"))?;
        Ok(target.with_file_name(companion_name(name, what)))
    }

    /// Who may read a ledger file that is made new.
    pub fn access(&self) -> Access {
        if self.is_private() { Access::Private } else { Access::Default }
    }

    fn write(&self, ledger: &Ledger) -> Result<()> {
        file::remove_leftovers(&self.path);
        let written = file::replace_with(&self.path, self.access(), |file| format::write_to(file, ledger));
        written.map_err(|error| self.unwritable(error))
    }

    /// The file lies below the home folder, by whatever names both are called.
    fn is_private(&self) -> bool {
        let Some(home) = self.home.as_ref().and_then(|home| fs::canonicalize(home).ok()) else {
            return false;
        };
        let folder = file::target(&self.path).and_then(|target| fs::canonicalize(file::folder(&target)));
        folder.is_ok_and(|folder| folder.starts_with(home))
    }

    fn keep_copy(&self, stamp: &str) -> io::Result<Option<PathBuf>> {
        let bytes = match read_regular(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let blank = bytes.iter().all(u8::is_ascii_whitespace);
        if blank || format::read(&bytes).is_ok_and(|ledger| ledger.sources().is_empty()) {
            return Ok(None);
        }
        let target = file::target(&self.path)?;
        let (path, mut copy) = new_beside(&target, stamp)?;
        let permissions = fs::metadata(&target)?.permissions();
        let kept = copy.write_all(&bytes).and_then(|()| copy.set_permissions(permissions));
        match kept.and_then(|()| copy.sync_all()) {
            Ok(()) => Ok(Some(path)),
            // Half a copy would pass for a whole one.
            Err(error) => {
                let _ = fs::remove_file(&path);
                Err(error)
            }
        }
    }

    /// Takes the lock, a file of its own beside the ledger's target: two names of one ledger share it. It is
    /// never deleted, so nobody can hold the lock on a file that is gone.
    fn lock(&self) -> Result<File> {
        let path = self.lock_path().map_err(|error| self.unwritable(error))?;
        let file = open_lock(&path).map_err(|error| self.unwritable(error))?;
        // The library's own methods, since later standard libraries have others of the same names.
        if fs2::FileExt::try_lock_exclusive(&file).is_ok() {
            return Ok(file);
        }
        // Waiting in the kernel's queue is fair among hundreds of processes, where trying again is not.
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let locked = fs2::FileExt::lock_exclusive(&file);
            let _ = sender.send(locked.map(|()| file));
        });
        loop {
            let seen = self.last_write();
            match receiver.recv_timeout(self.patience) {
                Ok(locked) => return locked.map_err(|error| self.unwritable(error)),
                // The queue is long, but it moves.
                Err(_) if self.last_write() != seen => {}
                Err(_) => return Err(Error::LedgerBusy { path, seconds: self.patience.as_secs() }),
            }
        }
    }

    fn last_write(&self) -> Option<SystemTime> {
        fs::metadata(&self.path).and_then(|found| found.modified()).ok()
    }

    fn lock_path(&self) -> io::Result<PathBuf> {
        let path = self.companion("lock")?;
        fs::create_dir_all(file::folder(&path))?;
        Ok(path)
    }

    fn misshapen(&self, why: Unreadable) -> Error {
        match why {
            Unreadable::Newer(version) => Error::LedgerNewer { path: self.path.clone(), version },
            Unreadable::Misshapen(found) => self.unreadable(found),
        }
    }

    fn unreadable(&self, found: String) -> Error {
        Error::LedgerUnreadable { path: self.path.clone(), found }
    }

    fn unwritable(&self, source: io::Error) -> Error {
        Error::LedgerUnwritable { path: self.path.clone(), source }
    }
}

/// The lock is not `<ledger>.lock`: the Python script takes that for its own and deletes it. A very long name is cut: two
/// ledgers of that folder may then share a lock, which only makes them wait.
fn companion_name(name: &OsStr, what: &str) -> OsString {
    if name.len() <= LONGEST_NAME {
        let ending = format!(".cited-{what}");
        return [OsStr::new("."), name, OsStr::new(&ending)].into_iter().collect();
    }
    let start: String = name.to_string_lossy().chars().take(LONGEST_NAME / 4).collect();
    format!(".{start}.cited-{what}").into()
}

/// The bytes of a regular file; a folder is named as such, and a pipe is not waited for.
fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    if !found.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    fs::read(path)
}

/// Opens the lock file; one that another user made may be readable only, and that is enough to lock it.
fn open_lock(path: &Path) -> io::Result<File> {
    let created = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    match created {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => File::open(path).map_err(|_| error),
        opened => opened,
    }
}

/// A new file named like `path` with `stamp` before the extension, and a number where that name is taken.
fn new_beside(path: &Path, stamp: &str) -> io::Result<(PathBuf, File)> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
    let names = (1..).map(|number: u32| match number {
        1 => format!("{stem}.{stamp}{extension}"),
        _ => format!("{stem}.{stamp}-{number}{extension}"),
    });
    for name in names.take(1000) {
        let copy = path.with_file_name(name);
        match create_private(&copy) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (copy, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<File> {
    File::create_new(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_queue_that_moves_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.json");
        let hasty = Store { patience: Duration::from_millis(200), ..Store::new(&path) };
        let held = hasty.lock().unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| hasty.update(|_| Ok(())));
            for _ in 0..20 {
                file::replace(&path, format::write(&Ledger::default()).as_bytes()).unwrap();
                thread::sleep(Duration::from_millis(30));
            }
            assert!(!waiting.is_finished());
            drop(held);
            waiting.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_ledger_may_have_the_longest_name_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("冰".repeat(85)));
        store.reset(Some("1")).unwrap();
        assert!(store.read().unwrap().sources().is_empty());
    }

    #[test]
    fn a_lock_that_is_kept_is_told_after_a_while_and_free_again_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.json");
        let hasty = Store { patience: Duration::from_millis(50), ..Store::new(&path) };
        let held = hasty.lock().unwrap();
        let error = hasty.update(|_| Ok(())).unwrap_err();
        let lock = folder.path().join(".ledger.json.cited-lock");
        assert!(error.to_string().contains(&format!("`{}` has been locked", lock.display())), "{error}");
        drop(held);
        Store::new(&path).update(|_| Ok(())).unwrap();
        assert!(lock.exists());
    }
}
