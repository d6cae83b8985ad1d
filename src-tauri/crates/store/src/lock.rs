//! One Paddock per data directory: a locked file that names the process that has it.
//!
//! The system lets go of the lock with the process, however it ends, so a stale file refuses nobody.
//! A process that was killed while it started a program (git, say) leaves a child that holds the lock as
//! well, until it becomes that program an instant later: who finds the lock held and its holder gone
//! waits for that.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::{StoreError, file};

/// The hold on a data directory, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// How long the children of a holder that is gone are waited for.
    const CHILDREN_MAX: Duration = Duration::from_secs(5);
    /// How often is looked: no event tells of a lock that was let go.
    const LOOK: Duration = Duration::from_millis(5);

    /// Takes the lock of `dir` at `path` for this process.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it.
    pub(crate) async fn take(dir: &Path, path: &Path) -> Result<Self, StoreError> {
        let mut file =
            file::open_private(path).map_err(|source| StoreError::io("opening", path, source))?;
        let began = Instant::now();
        let mut waits_for = None;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(source)) => {
                    return Err(StoreError::io("locking", path, source));
                }
            }
            let pid = read_pid(&mut file);
            if !pid.is_some_and(is_gone) || began.elapsed() > Self::CHILDREN_MAX {
                let dir = dir.to_owned();
                return Err(StoreError::InUse { dir, pid });
            }
            waits_for = pid;
            sleep(Self::LOOK).await;
        }
        if let Some(pid) = waits_for {
            let waited_ms = began.elapsed().as_millis();
            tracing::info!(
                pid,
                waited_ms,
                "waited for what a killed process had just started"
            );
        }
        // For whoever comes second; a full disk must not keep us from opening.
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

/// The process that the lock file names, wherever it was read before.
fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(16).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(unix)]
fn is_gone(pid: u32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(Errno::SRCH))
}

#[cfg(not(unix))]
fn is_gone(_pid: u32) -> bool {
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// A lock that is held by this file, and names a process that is gone: ended and waited for.
    fn held_for_a_dead_process(path: &Path) -> (File, u32) {
        let mut gone = Command::new("true").spawn().unwrap();
        gone.wait().unwrap();
        let held = file::open_private(path).unwrap();
        held.lock().unwrap();
        std::fs::write(path, format!("{}\n", gone.id())).unwrap();
        (held, gone.id())
    }

    #[tokio::test]
    async fn a_lock_that_only_a_child_of_a_dead_process_still_holds_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let (held, _) = held_for_a_dead_process(&path);
        // Its child has the same open file, and ends when we say.
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::from(held))
            .spawn()
            .unwrap();
        let mut taking = std::pin::pin!(Lock::take(dir.path(), &path));
        tokio::select! {
            biased;
            taken = &mut taking => panic!("it does not wait: {taken:?}"),
            () = std::future::ready(()) => {}
        }
        drop(child.stdin.take());
        child.wait().unwrap();
        let _lock = taking.await.unwrap();
        let named = std::fs::read_to_string(&path).unwrap();
        assert_eq!(named.trim(), std::process::id().to_string());
    }

    #[tokio::test(start_paused = true)]
    async fn a_lock_that_is_never_let_go_is_refused_after_a_while() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let (_held, gone) = held_for_a_dead_process(&path);
        let began = Instant::now();
        let refused = Lock::take(dir.path(), &path).await.unwrap_err();
        assert!(began.elapsed() >= Lock::CHILDREN_MAX, "it does not wait");
        assert!(
            matches!(refused, StoreError::InUse { pid: Some(pid), .. } if pid == gone),
            "{refused}"
        );
    }
}
