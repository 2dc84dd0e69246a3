//! One way to replace a file: whole or not at all, whatever happens in between. A temporary file in the same
//! folder is written, synced and renamed over the old one, which keeps its permissions, its owner and its
//! symbolic links. The ledger and a rewritten draft both go through here.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Stands in the name of every temporary file, between the target's name and the random rest.
const MARK: &str = ".cited-new-";

/// A ledger of a hundred sources is one write.
const BUFFER_BYTES: usize = 64 * 1024;

/// Symbolic links that are followed, one to the next.
const LONGEST_CHAIN: usize = 40;

/// Who may read a file that is made new; one that is replaced keeps its permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Whoever the process lets by default.
    Default,
    /// Its owner alone.
    Private,
}

/// Replaces what `path` holds by `bytes`. A symbolic link stays one: its target is replaced.
///
/// # Errors
/// The file as it was is whole: the folder is missing or read-only, the disk is full, `path` is a folder or
/// no regular file.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, Access::Default, |file| file.write_all(bytes))
}

/// As [`replace`], by what `write` writes; it gets a buffered file.
///
/// # Errors
/// Those of [`replace`], and those of `write`.
pub fn replace_with(
    path: &Path,
    access: Access,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let target = target(path)?;
    let old = match fs::metadata(&target) {
        Ok(found) if found.is_dir() => return Err(io::Error::other("it is a directory")),
        Ok(found) if !found.is_file() => return Err(io::Error::other("it is no regular file")),
        Ok(found) => Some(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let prefix = temporary_prefix(&target);
    let mut builder = Builder::new();
    builder.prefix(&prefix);
    set_new_mode(&mut builder, access);
    let mut temporary = builder.tempfile_in(folder(&target))?;
    let mut buffered = BufWriter::with_capacity(BUFFER_BYTES, temporary.as_file_mut());
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    if let Some(old) = old {
        keep_owner(temporary.as_file(), &old);
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    put(temporary, &target)?;
    sync_folder(folder(&target))
}

#[cfg(not(windows))]
fn put(temporary: NamedTempFile, target: &Path) -> io::Result<()> {
    temporary.persist(target).map(drop).map_err(|error| error.error)
}

/// Windows refuses to replace a file while another process reads it, which takes milliseconds.
#[cfg(windows)]
fn put(mut temporary: NamedTempFile, target: &Path) -> io::Result<()> {
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(10);
    for _ in 0..200 {
        match temporary.persist(target) {
            Ok(_) => return Ok(()),
            Err(refused) if refused.error.kind() == io::ErrorKind::PermissionDenied => {
                temporary = refused.file;
                std::thread::sleep(PAUSE);
            }
            Err(refused) => return Err(refused.error),
        }
    }
    temporary.persist(target).map(drop).map_err(|error| error.error)
}

/// Writes `bytes` to the new file `staged`, ready to take the place of `target` with its permissions and owner:
/// on the disk when this returns. What stood there before is removed.
///
/// # Errors
/// The folder is missing or read-only, or the disk is full.
pub fn stage(staged: &Path, target: &Path, access: Access, bytes: &[u8]) -> io::Result<()> {
    remove(staged)?;
    let mut file = create_new(staged, access)?;
    file.write_all(bytes)?;
    if let Ok(old) = fs::metadata(target) {
        keep_owner(&file, &old);
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()
}

/// Renames a staged file over its target, for good when this returns.
///
/// # Errors
/// The target is a folder, or the system refuses.
pub fn put_in_place(staged: &Path, target: &Path) -> io::Result<()> {
    fs::rename(staged, target)?;
    sync_folder(folder(target))
}

/// Removes a file that need not be there.
///
/// # Errors
/// It is there and stays.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The file that `path` stands for, behind its symbolic links; it need not exist.
///
/// # Errors
/// The links run in a circle, or one cannot be read.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..LONGEST_CHAIN {
        let is_link = fs::symlink_metadata(&target).is_ok_and(|found| found.is_symlink());
        if !is_link {
            return Ok(target);
        }
        let link = fs::read_link(&target)?;
        target = folder(&target).join(link);
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Removes the temporary files that a killed process left beside `path`. Only for who holds a lock that every
/// writer of `path` takes: nobody else is writing one now.
pub fn remove_leftovers(path: &Path) {
    let Ok(target) = target(path) else { return };
    let prefix = temporary_prefix(&target);
    let Ok(entries) = fs::read_dir(folder(&target)) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)) {
        let _ = fs::remove_file(entry.path());
    }
}

/// The folder that holds `path`.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// How the names of a target's temporary files begin. Cut where a long name would leave no room for the rest.
fn temporary_prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let end = name.char_indices().map(|(at, _)| at).take_while(|at| *at <= 180).last().unwrap_or(0);
    let name = if name.len() <= 180 { &name[..] } else { &name[..end] };
    format!(".{name}{MARK}")
}

#[cfg(unix)]
fn set_new_mode(builder: &mut Builder<'_, '_>, access: Access) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(mode(access)));
}

#[cfg(unix)]
fn mode(access: Access) -> u32 {
    match access {
        Access::Default => 0o666,
        Access::Private => 0o600,
    }
}

#[cfg(unix)]
fn create_new(path: &Path, access: Access) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().write(true).create_new(true).mode(mode(access)).open(path)
}

#[cfg(not(unix))]
fn create_new(path: &Path, _: Access) -> io::Result<File> {
    File::create_new(path)
}

#[cfg(not(unix))]
fn set_new_mode(_: &mut Builder<'_, '_>, _: Access) {}

/// Gives the new file the old one's owner and group, where the system lets us.
#[cfg(unix)]
fn keep_owner(new: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let differs = new.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid()));
    if differs {
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

/// Makes the rename itself last through a power cut.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some network and foreign file systems cannot sync a folder; the rename has happened.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        done => done,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("draft.md");
        replace(&path, b"ice").unwrap();
        replace(&path, b"water").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"water");
        assert_eq!(fs::read_dir(room.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_name_of_any_length_that_the_system_takes_is_replaced() {
        let room = tempfile::tempdir().unwrap();
        for name in ["冰".repeat(85), "x".repeat(255)] {
            replace(&room.path().join(&name), b"ice").unwrap();
            assert_eq!(fs::read(room.path().join(name)).unwrap(), b"ice");
        }
    }

    #[test]
    fn what_is_no_regular_file_is_refused() {
        let room = tempfile::tempdir().unwrap();
        assert_eq!(replace(room.path(), b"ice").unwrap_err().to_string(), "it is a directory");
        assert!(replace(&room.path().join("missing/draft.md"), b"ice").is_err());
        if cfg!(unix) {
            assert_eq!(
                replace(Path::new("/dev/null"), b"ice").unwrap_err().to_string(),
                "it is no regular file"
            );
        }
        assert_eq!(fs::read_dir(room.path()).unwrap().count(), 0);
    }

    #[test]
    #[cfg(unix)]
    fn permissions_are_kept_and_a_private_file_is_born_private() {
        use std::os::unix::fs::PermissionsExt;
        let room = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let (kept, private) = (room.path().join("kept"), room.path().join("private"));
        fs::write(&kept, "ice").unwrap();
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o604)).unwrap();
        replace_with(&kept, Access::Private, |file| file.write_all(b"water")).unwrap();
        replace_with(&private, Access::Private, |file| file.write_all(b"water")).unwrap();
        assert_eq!((mode(&kept), mode(&private)), (0o604, 0o600));
    }

    #[test]
    #[cfg(unix)]
    fn a_dangling_link_is_written_through() {
        let room = tempfile::tempdir().unwrap();
        let link = room.path().join("link");
        std::os::unix::fs::symlink("target", &link).unwrap();
        replace(&link, b"ice").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(room.path().join("target")).unwrap(), b"ice");
    }
}
