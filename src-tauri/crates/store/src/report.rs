//! What was found at [`crate::Store::open`], for the log and the user.

use std::path::PathBuf;

use paddock_domain::{StateName, TaskId, Timestamp};

use crate::{Alteration, Damage};

/// What was found when a store was opened. All but [`Self::tasks`] is empty on a good day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenReport {
    /// Tasks in [`crate::Store::tasks`].
    pub tasks: usize,
    /// Archived tasks that are older and listed by [`crate::Store::older`] alone.
    pub older: usize,
    /// How the index was.
    pub index: IndexFound,
    /// Tasks whose journal was folded from its first line, because the index did not know it.
    pub refolded: Vec<TaskId>,
    /// Tasks whose journal had grown since the index was last written; only what was new was read.
    pub caught_up: Vec<TaskId>,
    /// Torn ends that were cut off.
    pub cuts: Vec<Cut>,
    /// Journals that can be read up to a line only. Such a task is as it was at that line, and
    /// nothing is appended to it.
    pub damaged: Vec<(TaskId, Damage)>,
    /// Journals that can be read and are not what they were when they were last written.
    pub altered: Vec<(TaskId, Alteration)>,
    /// Journals that stood beside a compressed one that is right; they were set aside as cuts are.
    pub set_aside: Vec<TaskId>,
    /// What lies among the tasks and is none, with the reason.
    pub unreadable: Vec<(PathBuf, String)>,
    /// Tasks that the index knew and whose journal is gone.
    pub vanished: Vec<TaskId>,
    /// Folders of tasks whose creation was cut short before it was acknowledged; they were removed.
    pub half_made: usize,
}

/// How the index was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum IndexFound {
    /// It was there and could be read.
    #[default]
    Good,
    /// There was none; it was made.
    Made,
    /// It was of another version or broken; it was made anew.
    Remade {
        /// What was wrong with it.
        why: String,
    },
    /// It cannot be written; one is kept in memory until the next start.
    InMemory {
        /// What is in the way.
        why: String,
    },
}

/// The torn end of a journal: a write that was cut short and never acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The task.
    pub task_id: TaskId,
    /// The last event before it.
    pub after_seq: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// Where the bytes are kept; nothing when they could not be, and the journal still has them.
    pub kept: Option<PathBuf>,
}

/// A task as the index lists it, without its journal being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub task_id: TaskId,
    /// What heads it in lists.
    pub title: String,
    /// Where it is in its life.
    pub state: StateName,
    /// When it was created.
    pub created_at: Timestamp,
    /// When anything last happened.
    pub updated_at: Timestamp,
}

impl OpenReport {
    /// Whether everything was as it was left.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self
            == Self {
                tasks: self.tasks,
                older: self.older,
                ..Self::default()
            }
    }
}
