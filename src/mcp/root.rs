//! One folder in which files may be named, and the files beneath it. Each component of a path is opened by itself,
//! relative to the folder before it, and never through a link; what is opened at the end is looked at again on the
//! open handle.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A folder in which files may be named.
#[derive(Debug, Clone)]
pub struct Root {
    /// As it was named.
    pub named: PathBuf,
    /// Without links.
    pub real: PathBuf,
}

impl Root {
    /// The folder at `named`; `None` where there is none.
    pub fn new(named: PathBuf) -> Option<Self> {
        let real = named.canonicalize().ok().filter(|real| real.is_dir())?;
        Some(Self { named, real })
    }

    /// Opens the regular file at `relative`, to be read.
    ///
    /// # Errors
    /// There is none; a link is on the way; it is something else.
    pub fn open(&self, relative: &Path) -> io::Result<File> {
        let file = open(&self.real, relative)?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
    }

    /// The path of the file or folder at `relative`, which was reached without a link.
    ///
    /// # Errors
    /// As [`Root::open`].
    pub fn path(&self, relative: &Path) -> io::Result<PathBuf> {
        let found = open(&self.real, relative)?.metadata()?;
        if found.is_file() || found.is_dir() {
            Ok(self.real.join(relative))
        } else {
            Err(io::Error::other("it is no file and no folder"))
        }
    }

    /// Replaces the regular file at `relative` in one step.
    ///
    /// # Errors
    /// As [`Root::open`]; it can not be written.
    pub fn replace(&self, relative: &Path, bytes: &[u8]) -> io::Result<()> {
        let old = self.open(relative)?;
        replace(&self.real, relative, &old, bytes)
    }
}

#[cfg(unix)]
mod beneath {
    use super::*;
    use rustix::fs::{self, AtFlags, Mode, OFlags};
    use std::io::Write;
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::MetadataExt;

    pub(super) fn open(root: &Path, relative: &Path) -> io::Result<File> {
        let (folder, name) = folder_of(root, relative)?;
        // A pipe without a writer must not hold the call.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let name = name.unwrap_or(Path::new("."));
        fs::openat(&folder, name, flags, Mode::empty()).map(File::from).map_err(plainly)
    }

    pub(super) fn replace(root: &Path, relative: &Path, old: &File, bytes: &[u8]) -> io::Result<()> {
        let (folder, name) = folder_of(root, relative)?;
        let name = name.ok_or_else(|| io::Error::other("it is a folder"))?;
        let old = old.metadata()?;
        let aside = format!(".cited-{}-{}.tmp", std::process::id(), old.ino());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let _ = fs::unlinkat(&folder, aside.as_str(), AtFlags::empty());
        let new = fs::openat(&folder, aside.as_str(), flags, Mode::RUSR | Mode::WUSR).map_err(plainly)?;
        let mut new = File::from(new);
        let written = new
            .write_all(bytes)
            .and_then(|()| new.set_permissions(old.permissions()))
            .and_then(|()| new.sync_all())
            .and_then(|()| fs::renameat(&folder, aside.as_str(), &folder, name).map_err(io::Error::from));
        if written.is_err() {
            let _ = fs::unlinkat(&folder, aside.as_str(), AtFlags::empty());
        }
        written.and_then(|()| Ok(fs::fsync(&folder)?))
    }

    /// The open folder that holds the last component, and that component; none where the root itself is meant.
    fn folder_of<'a>(root: &Path, relative: &'a Path) -> io::Result<(OwnedFd, Option<&'a Path>)> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut folder = fs::open(root, flags, Mode::empty())?;
        let mut components = relative.components().map(|component| Path::new(component.as_os_str()));
        let last = components.next_back();
        for name in components {
            folder = fs::openat(&folder, name, flags | OFlags::NOFOLLOW, Mode::empty()).map_err(plainly)?;
        }
        Ok((folder, last))
    }

    /// A link is said to be one, whichever of its words the system has for it.
    fn plainly(error: rustix::io::Errno) -> io::Error {
        match error {
            rustix::io::Errno::LOOP | rustix::io::Errno::MLINK => io::Error::other("a link is on its way"),
            other => other.into(),
        }
    }
}

#[cfg(not(unix))]
mod beneath {
    use super::*;

    pub(super) fn open(root: &Path, relative: &Path) -> io::Result<File> {
        let path = unlinked(root, relative)?;
        let file = if path.is_dir() { open_folder(&path)? } else { File::open(&path)? };
        // Swapped for a link between the look and the opening: the real path would be another one.
        if path.canonicalize()? == path { Ok(file) } else { Err(io::Error::other("a link is on its way")) }
    }

    pub(super) fn replace(root: &Path, relative: &Path, _old: &File, bytes: &[u8]) -> io::Result<()> {
        crate::file::replace(&unlinked(root, relative)?, bytes)
    }

    fn unlinked(root: &Path, relative: &Path) -> io::Result<PathBuf> {
        let mut path = root.to_owned();
        for component in relative.components() {
            path.push(component);
            if path.symlink_metadata()?.is_symlink() {
                return Err(io::Error::other("a link is on its way"));
            }
        }
        Ok(path)
    }

    #[cfg(windows)]
    fn open_folder(path: &Path) -> io::Result<File> {
        use std::os::windows::fs::OpenOptionsExt;
        const BACKUP_SEMANTICS: u32 = 0x0200_0000;
        std::fs::OpenOptions::new().read(true).custom_flags(BACKUP_SEMANTICS).open(path)
    }

    #[cfg(not(windows))]
    fn open_folder(path: &Path) -> io::Result<File> {
        File::open(path)
    }
}

use beneath::{open, replace};
