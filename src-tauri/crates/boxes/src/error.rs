//! Why a box could not be made, reached or removed.

use std::io;
use std::path::Path;

use paddock_docker::{BadReference, EngineError, NoEngine};
use paddock_domain::TaskId;
use paddock_exec::ExecError;
use paddock_git::{GitError, InspectError, SeedError};
use paddock_relay_client::RelayError;
use paddock_relay_client::protocol::VersionRange;

/// Something about a box failed. Every text says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoxError {
    /// No engine answers, and the box is to be a container.
    #[error("{0}. Without an engine, tasks can run in a worktree box")]
    NoEngine(NoEngine),
    /// The engine refused or broke.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The image's name is none.
    #[error(transparent)]
    BadImage(#[from] BadReference),
    /// The image has no git, or too old a one.
    #[error("the image `{image}` cannot hold a repository: {source}. Choose an image with git")]
    ImageWithoutGit {
        /// The image.
        image: String,
        /// What is wrong with its git.
        source: GitError,
    },
    /// A repository cannot be worked on.
    #[error(transparent)]
    Repository(#[from] InspectError),
    /// A repository could not be checked out in the box.
    #[error("{host_path} could not be checked out in the box: {source}")]
    Seed {
        /// The repository on the host.
        host_path: String,
        /// What failed.
        source: SeedError,
    },
    /// Git on the host failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The relay's binary is missing.
    #[error(
        "the relay binary is not at {path}: build it with `cargo xtask relay`, or set where it is"
    )]
    RelayMissing {
        /// Where it was looked for.
        path: String,
    },
    /// The agent program is not in the toolbox.
    #[error("{path} is not there: install the agent with `paddock harness install {harness}`")]
    ProgramMissing {
        /// Where it was looked for.
        path: String,
        /// The harness.
        harness: String,
    },
    /// The relay did not come up.
    #[error("the relay in the box did not start: {why}")]
    RelayNotStarted {
        /// What was seen of it.
        why: String,
    },
    /// There is no box of this task.
    #[error(
        "the box of task {task} is gone: purge the task, its commits are safe if they were brought out"
    )]
    BoxGone {
        /// The task.
        task: TaskId,
    },
    /// The box's container was removed, and its directory is there.
    #[error(
        "the container of task {task} was removed; its work, home and logs are kept: revive the task, which makes the container again"
    )]
    ContainerGone {
        /// The task.
        task: TaskId,
    },
    /// Another container has the name of the box's, which is gone.
    #[error(
        "the container `{name}` is not the box of task {task}, whose labels it does not carry. It was left alone: rename or remove it, then revive the task"
    )]
    Impostor {
        /// The task.
        task: TaskId,
        /// The container's name.
        name: String,
    },
    /// The box stands and does not run.
    #[error("the box of task {task} has ended{}: revive the task", ending(*exit, *oom))]
    BoxEnded {
        /// The task.
        task: TaskId,
        /// The code that it ended with, when known.
        exit: Option<i64>,
        /// Whether it ran out of memory.
        oom: bool,
    },
    /// The box stands and its relay is gone.
    #[error("the relay of task {task} is gone ({source}): revive the task")]
    RelayDead {
        /// The task.
        task: TaskId,
        /// What was seen of it.
        source: RelayError,
    },
    /// The box stands, its relay lives and cannot be talked to just now. What runs there may run on.
    #[error(
        "the relay of task {task} does not answer just now ({source}); what it runs may run on"
    )]
    RelaySilent {
        /// The task.
        task: TaskId,
        /// What was seen of it.
        source: RelayError,
    },
    /// The box stands, and its relay is of a build that shares no protocol with this one.
    #[error(
        "the relay of task {task} (build {build}) speaks protocol {theirs}, this Paddock {ours}. Its agent works on, unseen: go on with the Paddock that started it, or stop the task, which ends the agent and keeps its work, and revive it"
    )]
    RelayForeign {
        /// The task.
        task: TaskId,
        /// The versions that we speak.
        ours: VersionRange,
        /// The versions that it speaks.
        theirs: VersionRange,
        /// Its build.
        build: String,
    },
    /// The making of the box was cut short.
    #[error(
        "the box of task {task} was never finished: it is made again when the task starts, or removed with it"
    )]
    HalfMade {
        /// The task.
        task: TaskId,
    },
    /// A worktree box cannot be held to a limit.
    #[error(
        "task {task} works in a worktree, which has no memory limit of its own: the machine's is its limit"
    )]
    NoLimit {
        /// The task.
        task: TaskId,
    },
    /// The relay refused or broke.
    #[error(transparent)]
    Relay(#[from] RelayError),
    /// A file of the box could not be read or written.
    #[error("{path}: {source}{}", advice(source))]
    Disk {
        /// The path.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The box's record cannot be understood.
    #[error(
        "the box's record {path} cannot be read ({why}): move the directory away, or remove it"
    )]
    BadRecord {
        /// The record.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// Something is mounted in the box's directory.
    #[error("something is mounted at {mount}: unmount it, then remove the task again")]
    Mounted {
        /// The mount.
        mount: String,
    },
    /// A file cannot be put into the box's home.
    #[error("`{path}` is not a file below the home")]
    BadHomeFile {
        /// The path.
        path: String,
    },
    /// The path of a repository or directory is not UTF-8.
    #[error("{path} is not UTF-8: rename it")]
    BadPath {
        /// The path, as far as it can be shown.
        path: String,
    },
    /// A task of this process broke.
    #[error("an inner task of Paddock broke ({what}); please report this")]
    Broken {
        /// What it said.
        what: String,
    },
}

impl BoxError {
    /// Whether only the link to the box was at fault: what was tried may work when tried again.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        if let Self::Relay(error)
        | Self::RelaySilent { source: error, .. }
        | Self::RelayDead { source: error, .. } = self
        {
            return is_link(error);
        }
        if let Self::Git(GitError::Exec(error))
        | Self::Seed {
            source: SeedError::Git(GitError::Exec(error)),
            ..
        } = self
        {
            return lost(error);
        }
        let Self::Disk { source, .. } = self else {
            return false;
        };
        inner(source).is_some_and(lost)
    }

    /// Whether nothing of the box runs any more: its relay, and what only the relay held, will not come back.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(
            self,
            Self::BoxGone { .. }
                | Self::ContainerGone { .. }
                | Self::Impostor { .. }
                | Self::BoxEnded { .. }
                | Self::RelayDead { .. }
                | Self::HalfMade { .. }
        )
    }

    pub(crate) fn disk(path: &Path, source: io::Error) -> Self {
        Self::Disk {
            path: path.display().to_string(),
            source,
        }
    }

    /// The relay of `task` lives, and this came of talking to it.
    pub(crate) fn unreached(task: &TaskId, refusal: RelayError) -> Self {
        let task = task.clone();
        if let RelayError::VersionMismatch {
            ours,
            theirs,
            build,
        } = refusal
        {
            return Self::RelayForeign {
                task,
                ours,
                theirs,
                build,
            };
        }
        Self::RelaySilent {
            task,
            source: refusal,
        }
    }

    pub(crate) fn broken(error: &tokio::task::JoinError) -> Self {
        Self::Broken {
            what: error.to_string(),
        }
    }
}

fn ending(exit: Option<i64>, oom: bool) -> String {
    match (exit, oom) {
        (_, true) => " because its memory was used up".to_owned(),
        (Some(code), false) => format!(" with code {code}"),
        (None, false) => String::new(),
    }
}

fn advice(error: &io::Error) -> &'static str {
    let is = |kinds: &[io::ErrorKind]| kinds.contains(&error.kind());
    if is(&[io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded]) {
        ": free some space"
    } else if is(&[io::ErrorKind::PermissionDenied]) {
        ": see the permissions of the directory"
    } else if is(&[io::ErrorKind::ReadOnlyFilesystem]) {
        ": choose a data directory that can be written"
    } else {
        ""
    }
}

/// `path` as text, which git, the engine and the relay all need.
pub(crate) fn text(path: &Path) -> Result<String, BoxError> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| BoxError::BadPath {
        path: path.display().to_string(),
    })
}

/// Whether the link to the box broke under a command or a transfer.
fn lost(error: &ExecError) -> bool {
    if let ExecError::Transfer { source, .. } = error {
        return inner(source).is_some_and(lost) || inner(source).is_some_and(is_link);
    }
    matches!(error, ExecError::Lost { .. })
}

/// Whether a relay could not be talked to, rather than that it said no.
fn is_link(error: &RelayError) -> bool {
    matches!(
        error,
        RelayError::NotConnected { .. }
            | RelayError::Stalled { .. }
            | RelayError::NoRelay { .. }
            | RelayError::TimedOut { .. }
    )
}

/// The error that a disk's or a stream's error was made from.
fn inner<T: std::error::Error + 'static>(error: &io::Error) -> Option<&T> {
    error.get_ref().and_then(|inner| inner.downcast_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_link_may_work_again_and_a_full_disk_does_not() {
        let lost = || ExecError::Lost {
            program: "git".to_owned(),
            source: io::Error::from(io::ErrorKind::UnexpectedEof),
        };
        let path = Path::new("/home/agent");
        let seed = BoxError::Seed {
            host_path: "/repo".to_owned(),
            source: SeedError::Git(GitError::Exec(lost())),
        };
        assert!(seed.is_passing());
        assert!(BoxError::disk(path, io::Error::other(lost())).is_passing());
        let transfer = ExecError::Transfer {
            path: "/work".to_owned(),
            source: io::Error::other(lost()),
        };
        assert!(BoxError::disk(path, io::Error::other(transfer)).is_passing());
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert!(!BoxError::disk(path, full).is_passing());
    }
}
