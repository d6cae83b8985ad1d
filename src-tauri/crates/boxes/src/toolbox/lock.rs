//! One install at a time in a toolbox, over all processes.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use tokio::time::Instant;

use super::ToolboxError;

/// How long an install waits for another one.
const WAIT: Duration = Duration::from_secs(20 * 60);

/// Pause between two tries.
const PAUSE: Duration = Duration::from_millis(100);

/// Holds the lock of a toolbox; the system lets it go when the process ends.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock; calls `waiting` once when it is held by another.
    pub(crate) async fn take(toolbox: &Path, waiting: impl Fn()) -> Result<Self, ToolboxError> {
        let path = toolbox.join(".lock");
        fs::create_dir_all(toolbox).map_err(|e| ToolboxError::disk(toolbox, e))?;
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        let file = file.map_err(|e| ToolboxError::disk(&path, e))?;
        let begun = Instant::now();
        let mut told = false;
        while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            if !std::mem::replace(&mut told, true) {
                waiting();
            }
            if begun.elapsed() > WAIT {
                return Err(ToolboxError::Locked {
                    path: path.display().to_string(),
                });
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(Self { _file: file })
    }
}
