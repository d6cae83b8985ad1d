//! The log of a run: an append-only file, and its published length.
//!
//! Invariant: the published length only ever covers whole records that are in the file. A reader opens
//! the file for itself and reads up to that length, so replay and live are one thing, and no reader can
//! hold up the writer. An append that fails leaves nothing behind.
//!
//! A log is never rotated, cut or compressed while its relay may serve it: readers hold offsets into it. It
//! grows as long as the disk lets it, in constant memory at either end; then the agent waits.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

/// How long a writer waits before it tries a failed append again.
const RETRY_EVERY: Duration = Duration::from_secs(1);

/// How far a log has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Bytes of whole records.
    pub(crate) len: u64,
    /// Whether the exit record is among them.
    pub(crate) ended: bool,
}

/// A log open for writing.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: Mutex<File>,
    extent: watch::Sender<Extent>,
    trouble: Mutex<Option<String>>,
}

impl Log {
    /// Begins the log at `path`; it must not be there yet.
    pub(crate) fn create(path: PathBuf) -> io::Result<Self> {
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        Ok(Self::of(path, file, Extent::default()))
    }

    /// Goes on with a log whose tail is whole.
    pub(crate) fn reopen(path: PathBuf, extent: Extent) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).open(&path)?;
        Ok(Self::of(path, file, extent))
    }

    fn of(path: PathBuf, file: File, extent: Extent) -> Self {
        let extent = watch::Sender::new(extent);
        Self {
            path,
            file: Mutex::new(file),
            extent,
            trouble: Mutex::default(),
        }
    }

    /// Where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How far it has got, now and later.
    pub(crate) fn extent(&self) -> watch::Receiver<Extent> {
        self.extent.subscribe()
    }

    /// What keeps it from being written just now.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Appends whole records.
    pub(crate) fn append(&self, records: &[u8]) -> io::Result<()> {
        self.append_with(|file| file.write_all(records).map(|()| records.len() as u64))
    }

    /// Appends whole records through `write`, which gives their length in bytes.
    pub(crate) fn append_with(
        &self,
        write: impl FnOnce(&mut File) -> io::Result<u64>,
    ) -> io::Result<()> {
        let mut file = self.lock();
        let written = write(&mut file).inspect_err(|_| {
            // What was half written must not stay: nobody was told of it.
            let _ = file.set_len(self.extent.borrow().len);
        })?;
        self.extent.send_modify(|extent| extent.len += written);
        Ok(())
    }

    /// Appends whole records, however long that takes: while the disk is full, the agent waits and
    /// nothing is lost.
    pub(crate) async fn append_patiently(&self, records: &[u8]) {
        while let Err(error) = self.append(records) {
            self.note_trouble(&error).await;
        }
        self.clear_trouble();
    }

    /// Says what is wrong, and waits before the next try.
    pub(crate) async fn note_trouble(&self, error: &io::Error) {
        let trouble =
            format!("the log cannot be written ({error}); the agent waits: free some space");
        if self.set_trouble(Some(trouble.clone())).is_none() {
            crate::diary::write(format_args!("{}: {trouble}", self.path.display()));
        }
        tokio::time::sleep(RETRY_EVERY).await;
    }

    /// Says that all is well again.
    pub(crate) fn clear_trouble(&self) {
        self.set_trouble(None);
    }

    fn set_trouble(&self, trouble: Option<String>) -> Option<String> {
        let mut current = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *current, trouble)
    }

    /// Makes all that was appended durable.
    pub(crate) async fn sync(&self) -> io::Result<()> {
        let file = self.lock().try_clone()?;
        let synced = tokio::task::spawn_blocking(move || file.sync_data());
        synced.await.map_err(io::Error::other)?
    }

    /// Says that the exit record is in.
    pub(crate) fn end(&self) {
        self.extent.send_modify(|extent| extent.ended = true);
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> (tempfile::TempDir, Log) {
        let dir = tempfile::tempdir().unwrap();
        let log = Log::create(dir.path().join("log.jsonl")).unwrap();
        (dir, log)
    }

    #[test]
    fn the_published_length_is_that_of_the_file() {
        let (_dir, log) = log();
        log.append(b"one\n").unwrap();
        log.append(b"three\n").unwrap();
        assert_eq!(log.extent().borrow().len, 10);
        assert_eq!(std::fs::read(log.path()).unwrap(), b"one\nthree\n");
    }

    #[test]
    fn a_failed_append_leaves_nothing_behind() {
        let (_dir, log) = log();
        log.append(b"one\n").unwrap();
        let failed = log.append_with(|file| {
            file.write_all(b"half a rec")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        log.append(b"two\n").unwrap();
        assert_eq!(std::fs::read(log.path()).unwrap(), b"one\ntwo\n");
        assert_eq!(log.extent().borrow().len, 8);
    }

    #[test]
    fn a_log_is_never_begun_twice() {
        let (_dir, log) = log();
        assert!(Log::create(log.path().to_owned()).is_err());
    }
}
