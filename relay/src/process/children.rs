//! The one place where child processes are started and waited for.
//!
//! The relay adopts orphans (as process 1 of a container, or as a subreaper), so anything may turn out
//! to be its child. Invariant: every dead child is reaped exactly once, here; whoever started one learns
//! its status, and a status nobody asked for is dropped.
//!
//! Start at [`Children::start`].

use std::collections::HashMap;
use std::io;
use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError};

use paddock_relay_protocol::Ending;
use rustix::process::WaitOptions;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitStatus {
    Code(i32),
    Signal(i32),
}

impl From<WaitStatus> for Ending {
    fn from(status: WaitStatus) -> Self {
        match status {
            WaitStatus::Code(code) => Self::Exited { code },
            WaitStatus::Signal(signal) => Self::Signalled { signal },
        }
    }
}

/// A child of ours that will be reaped.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    pub(crate) pid: u32,
    status: watch::Receiver<Option<WaitStatus>>,
}

impl Started {
    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> WaitStatus {
        match self
            .status
            .wait_for(Option::is_some)
            .await
            .map(|status| *status)
        {
            Ok(Some(status)) => status,
            // Only when the table itself is gone, and with it the relay.
            Ok(None) | Err(_) => std::future::pending().await,
        }
    }
}

type Waiting = HashMap<u32, watch::Sender<Option<WaitStatus>>>;

/// The children of this process. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Children {
    waiting: Arc<Mutex<Waiting>>,
}

impl Children {
    /// Starts a child through `spawn`.
    ///
    /// The table is locked meanwhile: nothing is reaped between the birth of a child and its entry,
    /// and the standard library may wait for a child that failed to execute.
    pub(crate) fn start(
        &self,
        spawn: impl FnOnce() -> io::Result<Child>,
    ) -> io::Result<(Child, Started)> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let child = spawn()?;
        let (tell, status) = watch::channel(None);
        let pid = child.id();
        go_first(pid);
        waiting.insert(pid, tell);
        Ok((child, Started { pid, status }))
    }

    /// Whether `pid` is a child that was started here and lives.
    pub(crate) fn knows(&self, pid: u32) -> bool {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains_key(&pid)
    }

    /// Whether no child that was started here lives but `pid`.
    pub(crate) fn none_but(&self, pid: u32) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.keys().all(|other| *other == pid)
    }

    /// Reaps for as long as it is polled.
    pub(crate) async fn reap_forever(&self) -> io::Result<()> {
        let mut died = signal(SignalKind::child())?;
        loop {
            self.reap();
            died.recv().await;
        }
    }

    fn reap(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
            let status = match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => WaitStatus::Code(code),
                (None, Some(signal)) => WaitStatus::Signal(signal),
                (None, None) => continue,
            };
            let pid = pid.as_raw_nonzero().get().unsigned_abs();
            if let Some(tell) = waiting.remove(&pid) {
                tell.send_replace(Some(status));
            }
        }
    }
}

/// When memory runs out, what the relay has started goes before the relay, before Paddock and before
/// the user's other programs: a task can be revived, they cannot. Children of `pid` inherit it. Where
/// the system does not allow it, nothing is lost but that order.
fn go_first(pid: u32) {
    const SCORE: &str = "500";
    let _ = std::fs::write(format!("/proc/{pid}/oom_score_adj"), SCORE);
}
