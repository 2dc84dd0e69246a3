//! The key of `ob1` from the user's own token helper, a program that prints it. It is run directly, without a shell, only
//! where the user owns it and nobody else can write it, with next to no environment, for five seconds, and what it
//! prints is read up to 64 KB. The key is never logged.

use crate::recall::secret::Secret;
use crate::recall::settings::Settings;

/// The key that the helper prints; `None` where there is no helper.
///
/// The error says why a helper that is there was not run or gave no key.
pub fn from_helper(settings: &Settings) -> Result<Option<Secret>, String> {
    let usual = settings.hermes_home.join("bin").join("ob1-token.sh");
    let path = match &settings.ob1.key_helper {
        Some(path) => settings.folder.join(path),
        None => usual,
    };
    if !path.exists() {
        return Ok(None);
    }
    run(&path).map(Some).map_err(|reason| format!("no API key available: the token helper {reason}"))
}

#[cfg(not(unix))]
fn run(_: &std::path::Path) -> Result<Secret, String> {
    Err("is only run on Unix; set OB1_API_KEY".into())
}

#[cfg(unix)]
fn run(path: &std::path::Path) -> Result<Secret, String> {
    unix::run(path)
}

/// `export OB1_API_KEY='…'`, `OB1_API_KEY=…` or the key alone on its line: the last that is named a key or token, else the
/// last of any name.
#[cfg(unix)]
fn key_in(printed: &str) -> Option<Secret> {
    let values: Vec<(&str, &str)> = printed.lines().flat_map(values).collect();
    let is_named = |name: &str| ["KEY", "TOKEN", "JWT"].iter().any(|kind| name.contains(kind));
    let named = values.iter().rev().find(|(name, _)| is_named(&name.to_ascii_uppercase()));
    named.or(values.last()).map(|(_, value)| Secret::new(*value))
}

/// The values of one line that could be keys, each with its name, which is empty for a value alone.
#[cfg(unix)]
fn values(line: &str) -> Vec<(&str, &str)> {
    let line = line.trim().trim_start_matches("export ").trim();
    let pieces: Vec<&str> = line.split_whitespace().collect();
    pieces.iter().filter_map(|piece| value(piece, pieces.len() == 1)).collect()
}

#[cfg(unix)]
fn value(piece: &str, is_alone: bool) -> Option<(&str, &str)> {
    let (name, value) = match piece.split_once('=') {
        Some(named) => named,
        None if is_alone => ("", piece),
        None => return None,
    };
    let value = value.trim_end_matches(';');
    let quoted = ["'", "\""].iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
    let value = quoted.unwrap_or(value);
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    (!value.is_empty() && value.bytes().all(is_plain)).then_some((name, value))
}

#[cfg(unix)]
mod unix {
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc;
    use std::thread;
    use std::time::{Duration, Instant};

    use crate::recall::secret::Secret;

    const TIMEOUT: Duration = Duration::from_secs(5);
    const MAX_OUTPUT_BYTES: u64 = 64 * 1024;

    pub fn run(path: &Path) -> Result<Secret, String> {
        let path = path.canonicalize().map_err(|error| crate::error::plain(&error))?;
        is_safe(&path)?;
        let mut child = start(&path)?;
        let printed = read(&mut child);
        let status = end(&mut child);
        let printed = printed.ok_or("did not end within 5 s")?;
        if !status {
            return Err("ended with an error".into());
        }
        super::key_in(&String::from_utf8_lossy(&printed)).ok_or_else(|| "printed no key".into())
    }

    /// The file and its folder are the user's own (or the system's), and nobody else can write them.
    fn is_safe(path: &Path) -> Result<(), String> {
        let own = own_user()?;
        let folder = path.parent().unwrap_or(path);
        for (place, owners) in [(path, vec![own]), (folder, vec![own, 0])] {
            let meta = place.metadata().map_err(|error| crate::error::plain(&error))?;
            if !owners.contains(&meta.uid()) {
                return Err("is not the user's own; it was not run".into());
            }
            if meta.mode() & 0o022 != 0 {
                return Err("can be written by others; it was not run".into());
            }
        }
        Ok(())
    }

    /// Whoever owns a file that we make is us.
    fn own_user() -> Result<u32, String> {
        let probe = tempfile::tempfile().and_then(|file| file.metadata());
        probe.map(|meta| meta.uid()).map_err(|error| crate::error::plain(&error))
    }

    fn start(path: &Path) -> Result<Child, String> {
        let mut command = Command::new(path);
        command.arg("export").env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(home) = path.ancestors().nth(3) {
            command.env("HOME", home);
        }
        command.spawn().map_err(|error| format!("cannot be run: {}", crate::error::plain(&error)))
    }

    /// What it prints, read in a thread of its own: a grandchild may hold the pipe open. `None` when time is up.
    fn read(child: &mut Child) -> Option<Vec<u8>> {
        let stdout = child.stdout.take()?;
        let (send, receive) = mpsc::channel();
        thread::spawn(move || {
            let mut printed = Vec::new();
            let read = stdout.take(MAX_OUTPUT_BYTES).read_to_end(&mut printed);
            send.send(read.map(|_| printed).unwrap_or_default())
        });
        receive.recv_timeout(TIMEOUT).ok()
    }

    /// Whether it ended well; it gets a moment after its last word, then it is killed.
    fn end(child: &mut Child) -> bool {
        let until = Instant::now() + Duration::from_millis(500);
        while Instant::now() < until {
            if let Ok(Some(status)) = child.try_wait() {
                return status.success();
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        let _ = child.wait();
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_from_what_helpers_print() {
        for printed in
            ["abc.D-1_\n", "export OB1_API_KEY='abc.D-1_'\n", "# comment here\nOB1_API_KEY=\"abc.D-1_\";\n\n"]
        {
            assert_eq!(key_in(printed).unwrap().expose(), "abc.D-1_", "{printed}");
        }
        for printed in [
            "OB1_TOKEN=abc.D-1_\nexport OB1_EXPIRES=3600\n",
            "export OB1_API_KEY=abc.D-1_ OB1_REGION=eu; # until Friday\n",
            "ready\nOB1_JWT='abc.D-1_'\nREGION=eu\ndone\n",
        ] {
            assert_eq!(key_in(printed).unwrap().expose(), "abc.D-1_", "{printed}");
        }
        for printed in ["", "a b", "x=$(rm -rf y)", "é", "OB1_API_KEY=", "OB1_API_KEY='a b'"] {
            assert!(key_in(printed).is_none(), "{printed}");
        }
    }
}
