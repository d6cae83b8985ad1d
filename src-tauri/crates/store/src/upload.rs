//! Files that users send: uploaded first, then taken into a task's artifacts by the message that names them.
//!
//! An upload belongs to no task yet. It lies under its hash in `<data>/uploads`, is kept for
//! [`Store::UPLOADS_KEPT`] after it was last offered or looked at, and goes then: what a task has taken is
//! the task's own from that moment. Taking is done before the journal line that names the file is written,
//! and doing it twice changes nothing.
//!
//! Start at [`Store::upload`], then [`Store::take_upload`].

use std::fs::{self, FileTimes};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use paddock_domain::{Attachment, TaskId, Timestamp};
use sha2::{Digest, Sha256};

use crate::artifact::hex;
use crate::store::blocking;
use crate::{Store, StoreError, artifact, file};

/// Tells files apart that are being written at the same time.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Store {
    /// How long an upload waits for a message that names it.
    pub const UPLOADS_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
    /// Most bytes that may wait so.
    pub const UPLOADS_MAX: u64 = 1 << 30;

    /// Keeps `content` until a message names it; gives its SHA-256 in hexadecimal. Uploads whose time is
    /// over at `now` are removed.
    ///
    /// # Errors
    /// [`StoreError::TooManyUploads`], [`StoreError::Full`], and other failures of the system.
    pub async fn upload(&self, content: Bytes, now: Timestamp) -> Result<String, StoreError> {
        let layout = self.layout().clone();
        blocking(move || {
            let dir = layout.uploads();
            let failed = |source| StoreError::io("storing", &dir, source);
            let waiting = sweep(&dir, now).map_err(failed)?;
            let sha256 = hash(&content);
            let path = layout.upload(&sha256)?;
            if path.exists() {
                touch(&path, now).map_err(failed)?;
                return Ok(sha256);
            }
            if waiting.saturating_add(content.len() as u64) > Self::UPLOADS_MAX {
                return Err(StoreError::TooManyUploads {
                    most: Self::UPLOADS_MAX,
                });
            }
            put(&dir, &path, &content)
                .and_then(|()| touch(&path, now))
                .map_err(failed)?;
            Ok(sha256)
        })
        .await
    }

    /// The content of an upload, which is kept from `now` on as if it were new.
    ///
    /// # Errors
    /// [`StoreError::NoSuchUpload`], and failures of the system.
    pub async fn uploaded(&self, sha256: &str, now: Timestamp) -> Result<Bytes, StoreError> {
        let (layout, sha256) = (self.layout().clone(), sha256.to_owned());
        blocking(move || {
            let path = layout.upload(&sha256)?;
            match read(&path) {
                Ok(content) => {
                    // A file system without times keeps it as long as others.
                    let _ = touch(&path, now);
                    Ok(Bytes::from(content))
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Err(StoreError::NoSuchUpload { sha256 })
                }
                Err(source) => Err(StoreError::io("reading", path, source)),
            }
        })
        .await
    }

    /// Makes an upload an artifact of task `id`, durable when this returns. One that the task has already
    /// is left as it is.
    ///
    /// # Errors
    /// [`StoreError::NoSuchUpload`], [`StoreError::Full`], and other failures of the system.
    pub async fn take_upload(&self, id: &TaskId, sha256: &str) -> Result<(), StoreError> {
        let (layout, id, sha256) = (self.layout().clone(), id.clone(), sha256.to_owned());
        blocking(move || {
            let (from, to) = (layout.upload(&sha256)?, layout.artifact(&id, &sha256)?);
            if to.exists() {
                return Ok(());
            }
            let dir = layout.task_artifacts(&id);
            let taken = read(&from).and_then(|content| put(&dir, &to, &content));
            match taken {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Err(StoreError::NoSuchUpload { sha256 })
                }
                Err(source) => Err(StoreError::io("storing", to, source)),
                Ok(()) => Ok(()),
            }
        })
        .await
    }

    /// Keeps `content` among the artifacts of task `id`, whatever its length; gives its hash.
    ///
    /// # Errors
    /// [`StoreError::Full`], and other failures of the system.
    pub async fn put_archive(&self, id: &TaskId, content: Bytes) -> Result<String, StoreError> {
        let (layout, id) = (self.layout().clone(), id.clone());
        blocking(move || {
            let sha256 = hash(&content);
            let (dir, path) = (layout.task_artifacts(&id), layout.artifact(&id, &sha256)?);
            put(&dir, &path, &content).map_err(|e| StoreError::io("storing", path, e))?;
            Ok(sha256)
        })
        .await
    }

    /// What [`Self::put_archive`] kept, at most `limit` bytes of it.
    ///
    /// # Errors
    /// As [`Self::artifact`].
    pub async fn archive_of(
        &self,
        id: &TaskId,
        sha256: &str,
        limit: u64,
    ) -> Result<Bytes, StoreError> {
        let (layout, id, sha256) = (self.layout().clone(), id.clone(), sha256.to_owned());
        blocking(move || artifact::read(&layout, &id, &sha256, limit)).await
    }
}

fn hash(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// Writes `content` to `path` in `dir`, whole and durable or not at all.
fn put(dir: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    file::make_private_dir(dir)?;
    // Two that write the same at once are not in each other's way.
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let half = dir.join(format!(".half-{n}"));
    let written = (|| {
        let mut file = file::open_private(&half)?;
        file.set_len(0)?;
        file.write_all(content)?;
        file.sync_data()?;
        fs::rename(&half, path)?;
        file::sync_dir(dir)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&half); // gives its room back; it is overwritten in any case
    }
    written
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    file::read_up_to(path, Attachment::SIZE_MAX as u64)
}

fn touch(path: &Path, now: Timestamp) -> io::Result<()> {
    let times = FileTimes::new().set_modified(at(now));
    file::open_plain(path, true)?.set_times(times)
}

fn at(now: Timestamp) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(now.unix_ms()).unwrap_or(0))
}

/// Removes the uploads in `dir` whose time is over at `now`; gives the bytes of those that are left.
fn sweep(dir: &Path, now: Timestamp) -> io::Result<u64> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut left = 0_u64;
    for entry in entries {
        let entry = entry?;
        let found = match entry.metadata() {
            Ok(found) => found,
            // One that another upload has just given its name, or removed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let written = found.modified().ok();
        let age = written.and_then(|written| at(now).duration_since(written).ok());
        if age.is_some_and(|age| age > Store::UPLOADS_KEPT) {
            gone(fs::remove_file(entry.path()))?;
        } else {
            left = left.saturating_add(found.len());
        }
    }
    Ok(left)
}

/// What came of removing a file, where another may have been faster.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_unix_ms(1_800_000_000_000)
    }

    #[tokio::test]
    async fn an_upload_is_kept_once_and_becomes_a_tasks_own() {
        let data = tempfile::tempdir().unwrap();
        let (store, _) = Store::open(data.path(), Timestamp::from_unix_ms(0))
            .await
            .unwrap();
        let id = TaskId::parse("t1").unwrap();
        let sha = store
            .upload(Bytes::from_static(b"abc"), now())
            .await
            .unwrap();
        assert_eq!(
            store
                .upload(Bytes::from_static(b"abc"), now())
                .await
                .unwrap(),
            sha
        );
        assert_eq!(store.uploaded(&sha, now()).await.unwrap(), "abc");
        store.take_upload(&id, &sha).await.unwrap();
        fs::remove_file(store.layout().upload(&sha).unwrap()).unwrap();
        store.take_upload(&id, &sha).await.unwrap();
        assert_eq!(store.artifact(&id, &sha).await.unwrap(), "abc");
        let gone = store.uploaded(&sha, now()).await.unwrap_err();
        assert!(matches!(gone, StoreError::NoSuchUpload { .. }), "{gone}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_same_file_uploaded_often_at_once_is_kept_for_each() {
        let data = tempfile::tempdir().unwrap();
        let (store, _) = Store::open(data.path(), Timestamp::from_unix_ms(0))
            .await
            .unwrap();
        let content = Bytes::from(vec![b'x'; 1 << 20]);
        let (id, mut all) = (TaskId::parse("t1").unwrap(), tokio::task::JoinSet::new());
        for _ in 0..16 {
            let (store, id, content) = (store.clone(), id.clone(), content.clone());
            all.spawn(async move {
                let sha = store.upload(content, Timestamp::from_unix_ms(0)).await?;
                store.take_upload(&id, &sha).await?;
                Ok::<_, StoreError>(sha)
            });
        }
        while let Some(sha) = all.join_next().await {
            let sha = sha.unwrap().unwrap();
            assert_eq!(store.artifact(&id, &sha).await.unwrap(), content);
        }
        let left = fs::read_dir(store.layout().uploads()).unwrap().count();
        assert_eq!(left, 1, "no half of one is left");
    }

    #[tokio::test]
    async fn an_upload_that_nobody_named_goes_when_its_time_is_over() {
        let data = tempfile::tempdir().unwrap();
        let (store, _) = Store::open(data.path(), Timestamp::from_unix_ms(0))
            .await
            .unwrap();
        let old = store
            .upload(Bytes::from_static(b"old"), now())
            .await
            .unwrap();
        let path = store.layout().upload(&old).unwrap();
        let kept = i64::try_from(Store::UPLOADS_KEPT.as_millis()).unwrap();
        let new = Bytes::from_static(b"new");
        store
            .upload(new.clone(), now().plus_ms(kept))
            .await
            .unwrap();
        assert!(path.exists());
        store.upload(new, now().plus_ms(kept + 1)).await.unwrap();
        assert!(!path.exists());
    }
}
