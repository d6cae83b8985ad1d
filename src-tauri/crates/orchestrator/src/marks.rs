//! How a user keeps a task in their lists: what they have put aside, what they have archived.
//!
//! A mark is one line in the task's journal, and only where it changes something: to look at a task twice writes
//! once. What they mean is in the fold.

use paddock_domain::{Action, Body, Task, TaskId};

use crate::runner::Order;
use crate::{CommandError, Orchestrator};

/// A mark that a user sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It need not be seen to until something new is called for.
    PutAside {
        /// The last event that the user knows of; the last that there is when absent.
        up_to_seq: Option<u64>,
    },
    /// They looked at it: as put aside, but for what an agent waits for.
    Seen {
        /// The last event that they saw; the last that there is when absent.
        up_to_seq: Option<u64>,
    },
    /// It is to be seen to after all.
    TakeUp,
    /// It is in no list but the archive's.
    Archive,
    /// It is in the lists again.
    Unarchive,
}

impl Mark {
    pub(crate) fn action(self) -> Action {
        match self {
            Self::PutAside { .. } | Self::Seen { .. } => Action::PutAside,
            Self::TakeUp => Action::TakeUp,
            Self::Archive => Action::Archive,
            Self::Unarchive => Action::Unarchive,
        }
    }

    /// What is to be written of it: nothing where `task` is so already, or where the mark does not reach it.
    ///
    /// # Errors
    /// [`CommandError::NotNow`].
    pub(crate) fn on(self, task: &Task) -> Result<Option<Body>, CommandError> {
        let action = self.action();
        let possible = task.allowed.contains(&action);
        match self {
            Self::PutAside { up_to_seq } if possible => Ok(put_aside(task, up_to_seq)),
            Self::PutAside { .. } if task.is_aside() => Ok(None),
            Self::Seen { up_to_seq } if possible && !task.waits_for_answer() => {
                Ok(put_aside(task, up_to_seq))
            }
            Self::Seen { .. } => Ok(None),
            Self::TakeUp if possible => Ok(Some(Body::TakenUp {})),
            Self::TakeUp if task.needs_me => Ok(None),
            Self::Archive if possible => Ok(Some(Body::Archived {})),
            Self::Archive if task.archived_at.is_some() => Ok(None),
            Self::Unarchive if possible => Ok(Some(Body::Unarchived {})),
            Self::Unarchive if task.archived_at.is_none() => Ok(None),
            Self::PutAside { .. } | Self::TakeUp | Self::Archive | Self::Unarchive => {
                Err(CommandError::NotNow {
                    action,
                    state: task.state,
                })
            }
        }
    }
}

/// The mark on all up to `up_to_seq`, unless something was called for since.
fn put_aside(task: &Task, up_to_seq: Option<u64>) -> Option<Body> {
    let up_to_seq = up_to_seq.unwrap_or(task.last_seq).min(task.last_seq);
    (up_to_seq >= task.called_seq).then_some(Body::PutAside { up_to_seq })
}

/// Doors.
impl Orchestrator {
    /// Sets a mark; one that is there already is no error.
    ///
    /// # Errors
    /// [`CommandError::NotNow`].
    pub async fn mark(&self, id: &TaskId, mark: Mark) -> Result<(), CommandError> {
        let task = self.task(id)?;
        // Most looks at a task change nothing: they need not wait for its runner.
        if let Mark::Seen { .. } = mark
            && mark.on(&task)?.is_none()
        {
            return Ok(());
        }
        self.order(id, |reply| Order::Mark(mark, reply)).await
    }
}
