//! The directory that a relay serves: its lock, its socket, the logs of its runs.
//!
//! Invariant: while a [`ServedDir`] lives, no other relay serves the same directory. Paths may be of
//! any length: where a socket's address has no room for one, it goes through `/proc/self/fd`.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustix::fs::{FlockOperation, flock};

/// Longest path put into a socket's address as it is; the system allows 107.
const ADDRESS_FITS: usize = 100;

/// Another relay serves the directory.
#[derive(Debug, thiserror::Error)]
#[error("another relay (process {pid}) serves {}; connect to it, or stop it first", dir.display())]
pub(crate) struct Taken {
    dir: PathBuf,
    pid: String,
}

/// A directory that is ours to serve.
#[derive(Debug)]
pub(crate) struct ServedDir {
    path: PathBuf,
    _lock: File,
}

impl ServedDir {
    /// Makes `path` ours, creating it when it is not there.
    pub(crate) fn take(path: &Path) -> anyhow::Result<Self> {
        let named = || format!("cannot serve {}", path.display());
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .with_context(named)?;
        let path = path.canonicalize().with_context(named)?;
        let (mut lock, ours) = lock(&path.join("lock")).with_context(named)?;
        if !ours {
            let mut pid = String::new();
            let _ = (&lock).take(32).read_to_string(&mut pid);
            return Err(Taken {
                dir: path,
                pid: pid.trim().to_owned(),
            }
            .into());
        }
        lock.set_len(0).with_context(named)?;
        writeln!(lock, "{}", std::process::id()).with_context(named)?;
        let runs = path.join("runs");
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(runs)
            .with_context(named)?;
        Ok(Self { path, _lock: lock })
    }

    /// Where the directories of the runs are.
    pub(crate) fn runs(&self) -> PathBuf {
        self.path.join("runs")
    }

    /// A directory for private files, empty at first.
    pub(crate) fn scratch(&self) -> anyhow::Result<PathBuf> {
        let scratch = self.path.join("scratch");
        let made = match fs::remove_dir_all(&scratch) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => fs::DirBuilder::new().mode(0o700).create(&scratch),
        };
        made.with_context(|| format!("cannot make {}", scratch.display()))?;
        Ok(scratch)
    }

    /// Listens on the socket, which only we may open.
    pub(crate) fn listen(&self) -> anyhow::Result<UnixListener> {
        let socket = self.path.join("socket");
        match fs::remove_file(&socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot replace {}", socket.display()));
            }
            Ok(()) | Err(_) => {}
        }
        let listener = through_short_path(&socket, |path| UnixListener::bind(path))
            .with_context(|| format!("cannot listen on {}", socket.display()))?;
        fs::set_permissions(&socket, Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    }
}

/// Opens the file at `path` and locks it, if nobody else has; says whether it is ours.
pub(crate) fn lock(path: &Path) -> io::Result<(File, bool)> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)?;
    let ours = flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
    Ok((file, ours))
}

/// Connects to the relay that serves `dir`.
pub(crate) fn dial(dir: &Path) -> anyhow::Result<UnixStream> {
    let socket = dir.join("socket");
    through_short_path(&socket, |path| UnixStream::connect(path))
        .with_context(|| format!("no relay answers at {}; is it running?", socket.display()))
}

/// Does something with a socket's path, or with a shorter one for the same place.
fn through_short_path<T>(socket: &Path, act: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
    if socket.as_os_str().len() <= ADDRESS_FITS {
        return act(socket);
    }
    let (Some(dir), Some(name)) = (socket.parent(), socket.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let dir = File::open(dir)?;
    act(&Path::new("/proc/self/fd")
        .join(dir.as_raw_fd().to_string())
        .join(name))
}
