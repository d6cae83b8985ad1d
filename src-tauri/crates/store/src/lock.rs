//! One Paddock per data directory: a locked file that names the process that has it.
//!
//! The system lets go of the lock with the process, however it ends, so a stale file refuses nobody.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use crate::{StoreError, file};

/// The hold on a data directory, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of `dir` at `path` for this process.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it.
    pub(crate) fn take(dir: &Path, path: &Path) -> Result<Self, StoreError> {
        let mut file =
            file::open_private(path).map_err(|source| StoreError::io("opening", path, source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = read_pid(&mut file);
                let dir = dir.to_owned();
                return Err(StoreError::InUse { dir, pid });
            }
            Err(TryLockError::Error(source)) => {
                return Err(StoreError::io("locking", path, source));
            }
        }
        // Only a courtesy to whoever comes second; a full disk must not keep us from opening.
        let named = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        if let Err(error) = named {
            tracing::debug!(%error, "the lock file could not be given our process id");
        }
        Ok(Self { _file: file })
    }
}

fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(16).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
