//! A small file of the data directory that holds what users chose by commands: rules, accounts, settings,
//! templates.
//!
//! Invariant: readers see what is on the disk. It is written whole, beside the old one, synced and renamed, so
//! a crash leaves the old or the new. A file that cannot be read is an error at start and never an empty one:
//! a rule that denies must not be lost unseen.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Mutex, watch};

use crate::CommandError;

/// Largest file that is read, in bytes.
const FILE_MAX: u64 = 16 << 20;

/// What is kept, and where.
pub(crate) struct Kept<T> {
    file: PathBuf,
    now: watch::Sender<Arc<T>>,
    writing: Mutex<()>,
}

/// A file of what users chose cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read: {cause}. Mend it, or move it away to start without it", file.display())]
pub struct KeptError {
    file: PathBuf,
    cause: String,
}

impl<T> Kept<T>
where
    T: Serialize + DeserializeOwned + Default + Clone + Send + Sync + 'static,
{
    /// Reads `file`; a default where there is none.
    ///
    /// # Errors
    /// [`KeptError`] when it is there and cannot be read.
    pub(crate) fn open(file: PathBuf) -> Result<Self, KeptError> {
        let now = match read(&file) {
            Ok(None) => T::default(),
            Ok(Some(bytes)) => serde_json::from_slice(&bytes).map_err(|error| KeptError {
                file: file.clone(),
                cause: error.to_string(),
            })?,
            Err(error) => {
                let cause = error.to_string();
                return Err(KeptError { file, cause });
            }
        };
        Ok(Self {
            file,
            now: watch::Sender::new(Arc::new(now)),
            writing: Mutex::new(()),
        })
    }

    /// What is kept now.
    pub(crate) fn now(&self) -> Arc<T> {
        self.now.borrow().clone()
    }

    /// Hears of changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Arc<T>> {
        self.now.subscribe()
    }

    /// Changes what is kept, one change after the other; nothing changes when `change` refuses or the file
    /// cannot be written.
    pub(crate) async fn change<R>(
        &self,
        change: impl FnOnce(&mut T) -> Result<R, CommandError> + Send,
    ) -> Result<R, CommandError> {
        let _one = self.writing.lock().await;
        let mut next = T::clone(&self.now());
        let result = change(&mut next)?;
        let bytes = serde_json::to_vec_pretty(&next).map_err(CommandError::failed)?;
        let file = self.file.clone();
        let written = tokio::task::spawn_blocking(move || write(&file, &bytes)).await;
        written
            .map_err(CommandError::failed)?
            .map_err(CommandError::failed)?;
        self.now.send_replace(Arc::new(next));
        Ok(result)
    }
}

fn read(file: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(file) {
        Ok(found) if found.len() > FILE_MAX => Err(io::Error::other("it is too large")),
        Ok(_) => fs::read(file).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file whole, for its owner alone.
pub(crate) fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let next = file.with_extension("next");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut written = options.open(&next)?;
    written.write_all(bytes)?;
    written.sync_all()?;
    fs::rename(&next, file)?;
    match file.parent() {
        Some(dir) => File::open(dir)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_changed_is_there_again_and_a_refused_change_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("kept.json");
        let kept: Kept<Vec<u32>> = Kept::open(file.clone()).unwrap();
        kept.change(|all| {
            all.push(7);
            Ok(())
        })
        .await
        .unwrap();
        let refused = kept.change(|all| {
            all.clear();
            Err::<(), _>(CommandError::bad("no"))
        });
        assert!(refused.await.is_err());
        assert_eq!(*kept.now(), [7]);
        assert_eq!(*Kept::<Vec<u32>>::open(file).unwrap().now(), [7]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_and_no_empty_one() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("kept.json");
        fs::write(&file, "{torn").unwrap();
        assert!(Kept::<Vec<u32>>::open(file).is_err());
    }
}
