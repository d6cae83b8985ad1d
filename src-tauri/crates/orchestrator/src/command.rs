//! What a door may ask of a task, and how it is refused.
//!
//! "Not possible now" is not "broke": a client offers the user something else for the first and shows
//! the cause for the second.

use paddock_domain::{Action, InvalidSpec, Rejected, RepositoryFinding, StateName, TaskId};
use paddock_harness::CannotSay;

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
    #[error("{action:?} is not possible while the task is {state}{}", way_out(*action, *state))]
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

/// What to do first, where that is not plain.
fn way_out(action: Action, state: StateName) -> &'static str {
    if action != Action::Archive {
        return "";
    }
    match state {
        StateName::Pending => ": it has not begun; purge it instead",
        StateName::Branching => {
            ": its branches are just being made; wait until it can be stopped, or purge it instead"
        }
        StateName::Provisioning
        | StateName::Starting
        | StateName::Running
        | StateName::Waiting
        | StateName::Asking
        | StateName::HasPlan => ": its agent is not done with it; stop it first, then archive it",
        StateName::Pulling | StateName::Pushing => {
            ": its work is just being brought out; try again when that is done"
        }
        StateName::Stopping => ": its agent is just being ended; try again when it is stopped",
        StateName::Purging => ": restore it first, or let it be purged",
        // Such a task can be archived, or nothing can happen to it any more.
        StateName::Stopped | StateName::Crashed | StateName::Failed | StateName::Purged => "",
    }
}

impl From<Rejected> for CommandError {
    fn from(rejected: Rejected) -> Self {
        Self::Bad {
            message: rejected.to_string(),
        }
    }
}

impl From<CannotSay> for CommandError {
    fn from(cannot: CannotSay) -> Self {
        Self::bad(cannot)
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

#[cfg(test)]
mod tests {
    use paddock_domain::{Back, Kept, Need, TaskState};

    use super::*;

    /// What is advised where archiving `state` is refused, and that it can be followed there.
    #[track_caller]
    fn check(state: TaskState, advised: &str) {
        let told = way_out(Action::Archive, state.name());
        assert!(told.contains(advised), "{state:?}: {told}");
        assert_eq!(told.is_empty(), advised.is_empty(), "{state:?}: {told}");
        let words = [
            ("stop it first", Action::Stop),
            ("purge it instead", Action::Purge),
            ("restore it first", Action::Restore),
        ];
        for (words, action) in words {
            let can = state.allowed().contains(&action);
            assert!(can || !told.contains(words), "{state:?}: {told}");
        }
    }

    #[test]
    fn what_is_advised_where_a_task_cannot_be_archived_can_be_done_in_its_state() {
        check(TaskState::Pending, "purge it instead");
        check(TaskState::Branching, "purge it instead");
        let begun = [false, true].into_iter().flat_map(|again| {
            [
                TaskState::Provisioning { again },
                TaskState::Starting { again },
            ]
        });
        let needs = [Need::Prompt, Need::Answers, Need::PlanDecision];
        let lives = begun.chain([TaskState::Running]);
        for state in lives.chain(needs.map(TaskState::Resting)) {
            check(state, "stop it first");
        }
        let backs = [Back::Running, Back::Stopped, Back::Crashed];
        for back in backs.into_iter().chain(needs.map(Back::Resting)) {
            check(TaskState::Pulling(back), "try again when that is done");
            check(TaskState::Pushing(back), "try again when that is done");
        }
        check(TaskState::Stopping, "when it is stopped");
        for kept in [Kept::Pending, Kept::Stopped, Kept::Crashed, Kept::Failed] {
            check(TaskState::Purging(kept), "restore it first");
        }
        for over in [
            TaskState::Stopped,
            TaskState::Crashed,
            TaskState::Failed,
            TaskState::Purged,
        ] {
            check(over, "");
        }
    }

    #[test]
    fn other_refusals_advise_nothing() {
        for state in StateName::ALL {
            assert_eq!(way_out(Action::Revive, *state), "");
        }
    }
}
