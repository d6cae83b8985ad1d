//! What a door may ask of a task, and how it is refused.
//!
//! "Not possible now" is not "broke": a client offers the user something else for the first and shows
//! the cause for the second.

use paddock_domain::{Action, InvalidSpec, Rejected, RepositoryFinding, StateName, TaskId};

/// A command was refused, or failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// There is no such task.
    #[error("there is no task {task}")]
    NoSuchTask {
        /// What was asked for.
        task: String,
    },
    /// The specification cannot be a task.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// Something that the request names is not there: a harness, a repository, a branch, an image.
    #[error("{message}")]
    NotFound {
        /// Which kind of thing.
        what: &'static str,
        /// What is missing and what to do.
        message: String,
    },
    /// The request makes no sense as it is.
    #[error("{message}")]
    Bad {
        /// What is wrong with it.
        message: String,
    },
    /// The task is in a state that does not allow it.
    #[error("{action:?} is not possible while the task is {state}")]
    NotNow {
        /// What was asked for.
        action: Action,
        /// The state of the task.
        state: StateName,
    },
    /// It would lose work, and was not told to.
    #[error("{message}")]
    WouldLose {
        /// What would be lost and how to go on all the same.
        message: String,
    },
    /// The world is not as the caller believed: a moved branch, a changed tree, a conflict.
    #[error("{message}")]
    Conflict {
        /// What differs and what to do.
        message: String,
        /// Paths in conflict, where there are any.
        paths: Vec<String>,
    },
    /// The scan found something that must not be pushed unnoticed.
    #[error("{} findings hold the push back: look at them, then name those to let pass", findings.len())]
    Findings {
        /// What was found.
        findings: Vec<RepositoryFinding>,
    },
    /// The disk has no room for it.
    #[error("{message}")]
    DiskFull {
        /// What was kept and what to do.
        message: String,
    },
    /// Too much is waiting already.
    #[error("{what} is full; try again in a moment")]
    Overloaded {
        /// Which queue.
        what: &'static str,
    },
    /// Paddock is shutting down.
    #[error("Paddock is shutting down; the task goes on and the command can be repeated")]
    ShuttingDown,
    /// It was tried and broke.
    #[error("{message}")]
    Failed {
        /// What happened, what was kept, what to do.
        message: String,
    },
}

impl From<Rejected> for CommandError {
    fn from(rejected: Rejected) -> Self {
        Self::Bad {
            message: rejected.to_string(),
        }
    }
}

impl CommandError {
    pub(crate) fn failed(cause: impl std::fmt::Display) -> Self {
        Self::Failed {
            message: cause.to_string(),
        }
    }

    /// Something named is `missing`, or looking for it broke.
    pub(crate) fn missing_or_failed(
        what: &'static str,
        missing: bool,
        cause: impl std::fmt::Display,
    ) -> Self {
        if missing {
            return Self::NotFound {
                what,
                message: cause.to_string(),
            };
        }
        Self::failed(cause)
    }

    /// The world is not as the caller believed.
    pub(crate) fn conflict(cause: impl std::fmt::Display) -> Self {
        Self::Conflict {
            message: cause.to_string(),
            paths: Vec::new(),
        }
    }

    /// The request makes no sense as it is.
    pub(crate) fn bad(cause: impl std::fmt::Display) -> Self {
        Self::Bad {
            message: cause.to_string(),
        }
    }

    pub(crate) fn no_such_task(task: &TaskId) -> Self {
        Self::NoSuchTask {
            task: task.to_string(),
        }
    }
}
