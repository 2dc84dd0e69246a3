//! The files that a call may name: beneath the roots, reached without links, never hidden, never named as if they
//! held credentials. In: a path as the client gave it. Out: bytes, or a refusal that says nothing of what the file
//! holds, and of a file outside not even whether it is there.

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use super::failure::Failure;
use super::root::Root;
use crate::error::plain;
use crate::memory::walk::is_secret;

/// Bytes; a larger file is refused.
const MOST_BYTES: u64 = 200 << 20;

/// Where files may be named.
#[derive(Debug, Clone, Default)]
pub struct Files {
    roots: Vec<Root>,
    /// What there is to say where there is no root.
    unfit: Option<String>,
}

impl Files {
    /// Beneath the roots that the client named.
    pub fn beneath(roots: Vec<PathBuf>) -> Self {
        let roots: Vec<Root> = roots.into_iter().filter_map(Root::new).collect();
        let unfit =
            roots.is_empty().then(|| "none of the client's roots is a folder on this machine".to_owned());
        Self { roots, unfit }
    }

    /// Beneath the working folder, where that is neither the root of the file system nor the home folder.
    pub fn beneath_folder(folder: &Path, home: Option<&Path>) -> Self {
        let unfit = |why: &str| Self { roots: Vec::new(), unfit: Some(why.to_owned()) };
        let Some(root) = Root::new(folder.to_owned()) else { return unfit("there is no working folder") };
        let home = home.and_then(|home| home.canonicalize().ok());
        if root.real.parent().is_none() {
            return unfit("the working folder is the root of the file system");
        }
        if home.is_some_and(|home| home.starts_with(&root.real)) {
            return unfit("the working folder is the home folder or holds it");
        }
        Self { roots: vec![root], unfit: None }
    }

    /// What the file holds.
    ///
    /// # Errors
    /// The file may not be named, can not be read or is too large.
    pub fn read(&self, given: &Path) -> Result<Vec<u8>, Failure> {
        let file = self.first(given, Root::open)?;
        let mut bytes = Vec::new();
        let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| unreadable(given, &plain(&error)))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(unreadable(given, &format!("it is larger than {} MiB", MOST_BYTES >> 20)));
        }
        Ok(bytes)
    }

    /// The text of the file, which must be UTF-8.
    ///
    /// # Errors
    /// As [`Files::read`]; it is no text.
    pub fn read_text(&self, given: &Path) -> Result<String, Failure> {
        String::from_utf8(self.read(given)?).map_err(|_| unreadable(given, "it is not UTF-8"))
    }

    /// The real path of a file or folder, for who walks folders by himself and follows no links.
    ///
    /// # Errors
    /// As [`Files::read`].
    pub fn path(&self, given: &Path) -> Result<PathBuf, Failure> {
        self.first(given, Root::path)
    }

    /// Replaces what the file holds.
    ///
    /// # Errors
    /// As [`Files::read`]; it can not be written.
    pub fn replace(&self, given: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.first(given, |root, relative| root.replace(relative, bytes))
    }

    /// What `work` gives in the first root that has the file.
    fn first<T>(&self, given: &Path, work: impl Fn(&Root, &Path) -> io::Result<T>) -> Result<T, Failure> {
        if let Some(why) = &self.unfit {
            let help = "start the server in the folder that holds the files, or let the client name roots";
            return Err(refused(format!("no file can be named: {why}"), help));
        }
        let mut missing = None;
        for (root, relative) in self.places(given)? {
            match work(root, &relative) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing = Some(error),
                done => return done.map_err(|error| unreadable(given, &plain(&error))),
            }
        }
        match missing {
            Some(error) => Err(unreadable(given, &plain(&error))),
            None => Err(self.outside(given)),
        }
    }

    /// The roots beneath which the path may lie, each with the path beneath it.
    fn places(&self, given: &Path) -> Result<Vec<(&Root, PathBuf)>, Failure> {
        let mut places = Vec::new();
        for root in &self.roots {
            let relative = match given.is_absolute() {
                false => Some(given),
                true => given.strip_prefix(&root.named).or_else(|_| given.strip_prefix(&root.real)).ok(),
            };
            if let Some(relative) = relative {
                places.push((root, admitted(given, relative)?));
            }
        }
        Ok(places)
    }

    fn outside(&self, given: &Path) -> Failure {
        let roots: Vec<String> =
            self.roots.iter().map(|root| format!("`{}`", root.named.display())).collect();
        refused(
            format!("`{}` is outside of the folders in which files may be named", given.display()),
            format!("files may be named beneath {}", roots.join(", ")),
        )
    }
}

/// The components of a path that leads nowhere but down, and to nothing hidden or secret.
fn admitted(given: &Path, relative: &Path) -> Result<PathBuf, Failure> {
    let shown = given.display();
    if given.as_os_str().is_empty() {
        return Err(refused("an empty path names no file".into(), "`.` is the root itself"));
    }
    let mut path = PathBuf::new();
    for component in relative.components() {
        let name = match component {
            Component::CurDir => continue,
            Component::Normal(name) => name,
            _ => {
                let help = "name the file by its path beneath the root, without `..`";
                return Err(refused(format!("`{shown}` does not lead straight down from a root"), help));
            }
        };
        let text = name.to_string_lossy();
        if text.starts_with('.') {
            return Err(refused(format!("`{shown}` is hidden"), "hidden files are never opened"));
        }
        if is_secret(&text) {
            let help = "such files are never opened; rename it if it is none";
            return Err(refused(format!("`{shown}` may hold credentials"), help));
        }
        path.push(name);
    }
    Ok(path)
}

fn refused(message: String, help: impl Into<String>) -> Failure {
    Failure::new("FileRefused", message, help)
}

fn unreadable(given: &Path, why: &str) -> Failure {
    Failure::new(
        "Unreadable",
        format!("cannot use `{}`: {why}", given.display()),
        "check the path; links are not followed",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    /// A root with one file that may be read, among everything that may not.
    fn place() -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for folder in ["root/notes", "root/.git", "outside"] {
            fs::create_dir_all(place.path().join(folder)).unwrap();
        }
        for (name, text) in [("root/notes/ok.txt", "ice"), ("root/.env", "no"), ("root/.git/ok.txt", "no")] {
            fs::write(place.path().join(name), text).unwrap();
        }
        for name in ["outside/ok.txt", "root/notes/id_rsa", "root/secrets.txt"] {
            fs::write(place.path().join(name), "no").unwrap();
        }
        #[cfg(unix)]
        for (to, link) in [("../outside", "root/link"), ("../.env", "root/notes/env.txt")] {
            std::os::unix::fs::symlink(to, place.path().join(link)).unwrap();
        }
        place
    }

    fn shown(result: Result<String, Failure>) -> String {
        result.unwrap_or_else(|failure| failure.to_json().to_string())
    }

    #[test]
    fn a_file_is_read_by_its_path_beneath_the_root_or_its_whole_path() {
        let place = place();
        let files = Files::beneath(vec![place.path().join("root")]);
        let whole = place.path().join("root/notes/ok.txt");
        for path in [Path::new("notes/ok.txt"), Path::new("./notes/./ok.txt"), &whole] {
            assert_eq!(shown(files.read_text(path)), "ice");
        }
    }

    proptest! {
        #[test]
        fn no_path_whatever_reaches_what_may_not_be_read(
            parts in prop::collection::vec(prop::sample::select(vec![
                "..", ".", "", "root", "notes", "outside", "link", ".git", ".env", "ok.txt", "env.txt", "id_rsa", "secrets.txt",
            ]), 0..6),
            whole in any::<bool>(),
        ) {
            let place = place();
            let root = place.path().join("root");
            let files = Files::beneath(vec![root.clone()]);
            let path = parts.join("/");
            let path = if whole { format!("{}/{path}", root.display()) } else { path };
            if let Ok(text) = files.read_text(Path::new(&path)) {
                prop_assert_eq!(text, "ice", "{}", path);
            }
            let written = files.replace(Path::new(&path), b"ice");
            for name in ["root/.env", "root/.git/ok.txt", "outside/ok.txt", "root/notes/id_rsa", "root/secrets.txt"] {
                prop_assert_eq!(fs::read_to_string(place.path().join(name)).unwrap(), "no", "{} {}", path, written.is_ok());
            }
        }
    }
}
