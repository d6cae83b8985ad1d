//! What a task's box is to be.

use paddock_domain::{BoxKind, Network, Program, TaskId};
use paddock_git::{Branch, Oid, Repository};

/// The box that a task needs.
#[derive(Clone, Debug)]
pub struct BoxRequest {
    /// The task.
    pub task_id: TaskId,
    /// Container or worktree; a container where an engine answers when absent.
    pub kind: Option<BoxKind>,
    /// The container's image; the configured default when absent.
    pub image: Option<String>,
    /// What of the network a container reaches; bridged when absent.
    pub network: Option<Network>,
    /// Most memory, in MiB.
    pub memory_mib: Option<u64>,
    /// Most processors.
    pub cpus: Option<f64>,
    /// Most processes and threads.
    pub pids: Option<u64>,
    /// The repositories to work on.
    pub repositories: Vec<BoxRepository>,
    /// The agent program.
    pub program: Program,
}

/// One repository of a box.
#[derive(Clone, Debug)]
pub struct BoxRepository {
    /// Absolute path on the host, as the task names it.
    pub host_path: String,
    /// The branch that the box is to be on.
    pub branch: Branch,
    /// The commit to start from. Its objects must be in the host's repository.
    pub base: Oid,
    /// A commit of files that the work tree is to have, beside what is committed.
    pub files: Option<Oid>,
    /// Further refs that the box is to have, such as `refs/remotes/origin/main`.
    pub refs: Vec<(String, Oid)>,
    /// What [`paddock_git::inspect`] said of it, when that was asked already.
    pub inspected: Option<Repository>,
}
