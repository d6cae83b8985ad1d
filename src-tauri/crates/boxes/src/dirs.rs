//! Where a box lies on the host.

use std::path::{Path, PathBuf};

use paddock_domain::TaskId;

/// The directories of one box: `<data>/boxes/<task-id>` and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxDirs {
    /// All of it.
    pub root: PathBuf,
    /// What the relay serves: its socket, the logs of all runs.
    pub relay: PathBuf,
    /// The repositories.
    pub work: PathBuf,
    /// The agent's home.
    pub home: PathBuf,
    /// For temporary files of a worktree box.
    pub tmp: PathBuf,
}

impl BoxDirs {
    /// The directories of the box of `task_id`, whether they are there or not.
    #[must_use]
    pub fn of(data_dir: &Path, task_id: &TaskId) -> Self {
        let root = Self::all(data_dir).join(task_id.as_str());
        Self {
            relay: root.join("relay"),
            work: root.join("work"),
            home: root.join("home"),
            tmp: root.join("tmp"),
            root,
        }
    }

    /// Where all boxes of a data directory lie.
    #[must_use]
    pub fn all(data_dir: &Path) -> PathBuf {
        data_dir.join("boxes")
    }

    /// The box's record.
    pub(crate) fn record(&self) -> PathBuf {
        self.root.join("box.json")
    }

    /// An empty file, mounted over what a box must not read.
    pub(crate) fn empty(&self) -> PathBuf {
        self.root.join("empty")
    }

    /// Those that the box itself writes.
    pub(crate) fn own(&self) -> [&Path; 4] {
        [&self.relay, &self.work, &self.home, &self.tmp]
    }
}
