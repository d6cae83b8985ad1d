//! What can go wrong with journals, artifacts and the data directory, and what to do about it.

use std::io;
use std::path::PathBuf;

use paddock_domain::TaskId;

/// The store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another Paddock has the data directory.
    #[error(
        "`{}` is in use by another Paddock{}: stop that one, or choose another data directory",
        dir.display(),
        pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    InUse {
        /// The data directory.
        dir: PathBuf,
        /// The process that has it, where it could be read.
        pid: Option<u32>,
    },
    /// The disk, or the user's share of it, is full. Nothing of this call was written, and what was
    /// written before is whole; the same call works again once there is room.
    #[error("no room left on the disk while {doing} `{}`: make room, then try again", path.display())]
    Full {
        /// What was being done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{doing} `{}` failed: {source}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The disk would not make durable what an earlier call wrote. Nothing of this call was written; the
    /// same call works once the disk does.
    #[error("the disk does not take the journal of task {task}: look at the disk, then try again")]
    InDoubt {
        /// The task.
        task: TaskId,
    },
    /// Whoever wrote the journal died in the middle of a write. What was acknowledged is whole; nothing more
    /// is taken by this writer, and a new one finds out what was written.
    #[error(
        "the writer of task {task}'s journal died in a write, which is a bug of Paddock: nothing that was \
         acknowledged is lost; restart Paddock to go on with the task"
    )]
    WriterLost {
        /// The task.
        task: TaskId,
    },
    /// There is no such task.
    #[error("there is no task {task}")]
    NoSuchTask {
        /// The task.
        task: TaskId,
    },
    /// There is such a task already.
    #[error("there is a task {task} already")]
    TaskExists {
        /// The task.
        task: TaskId,
    },
    /// The first event of a journal must be a `session_started` with number 1.
    #[error("a journal begins with `session_started` as number 1, not with `{found}` as {seq}")]
    NotABeginning {
        /// The type of what came.
        found: &'static str,
        /// Its number.
        seq: u64,
    },
    /// The journal has a writer.
    #[error("the journal of task {task} is being written elsewhere")]
    WriterBusy {
        /// The task.
        task: TaskId,
    },
    /// The task is archived: nothing more is written.
    #[error("task {task} is archived: its journal can be read, not written")]
    Archived {
        /// The task.
        task: TaskId,
    },
    /// The journal cannot be read beyond a line.
    #[error(
        "the journal of task {task} is damaged in {damage}; everything before it can be read, and \
         `paddock journal repair {task}` mends it and keeps the original"
    )]
    Damaged {
        /// The task.
        task: TaskId,
        /// Where and how.
        damage: Damage,
    },
    /// What was offered is not the name of an artifact.
    #[error("`{offered}` is not an artifact: use the 64 hexadecimal digits of its SHA-256")]
    NotAnArtifact {
        /// What came, cut to a length that fits a message.
        offered: String,
    },
    /// The task has no such artifact.
    #[error("task {task} has no artifact {sha256}")]
    NoSuchArtifact {
        /// The task.
        task: TaskId,
        /// The hash asked for.
        sha256: String,
    },
    /// There is no such upload, or no more.
    #[error("there is no upload {sha256} any more: upload the file again")]
    NoSuchUpload {
        /// The hash asked for.
        sha256: String,
    },
    /// Too much waits to be named by a message.
    #[error(
        "uploads that no message has named yet have more than {most} bytes: send them, or try again later"
    )]
    TooManyUploads {
        /// How many bytes may wait.
        most: u64,
    },
    /// An event could not be written as JSON.
    #[error("an event of task {task} cannot be written as JSON: {source}")]
    Encode {
        /// The task.
        task: TaskId,
        /// Why.
        source: serde_json::Error,
    },
    /// The index failed. Journals are not concerned.
    #[error("the index failed: {source}; stop, delete `index.sqlite`, start: it is rebuilt")]
    Index {
        /// What SQLite said.
        #[from]
        source: sqlx::Error,
    },
    /// The journal cannot be repaired.
    #[error("the journal of task {task} cannot be repaired: {why}")]
    BeyondRepair {
        /// The task.
        task: TaskId,
        /// What is in the way and what to do.
        why: String,
    },
    /// The program is shutting down.
    #[error("the store is closed")]
    Closed,
}

/// Where a journal cannot be read any further.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct Damage {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub kind: DamageKind,
}

/// How a journal that can be read differs from what the index knew of it: somebody changed it, or put
/// another copy in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Alteration {
    /// Lines are not what they were.
    #[error("a line up to number {up_to} is not what it was when it was written")]
    Changed {
        /// The last line that is concerned.
        up_to: u64,
    },
    /// Lines at its end are gone.
    #[error(
        "it ends with line {last_seq}, and {known} was there before: lines at its end are gone"
    )]
    Shorter {
        /// The last line there is.
        last_seq: u64,
        /// The last line there was.
        known: u64,
    },
}

/// What is wrong with a line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamageKind {
    /// It is no JSON object with a number, or too long, and whole lines follow it.
    #[error("it is not a journal line, though whole lines follow it")]
    Garbled,
    /// It is a numbered line, but not an event that this version knows.
    #[error("it is no event that this version knows ({why})")]
    Unknown {
        /// What the parser said.
        why: String,
    },
    /// Numbers are missing.
    #[error("it has number {found} where {expected} was due: lines are missing")]
    Gap {
        /// The number that was due.
        expected: u64,
        /// The number found.
        found: u64,
    },
    /// A number came again.
    #[error("it has number {found} again where {expected} was due")]
    Double {
        /// The number that was due.
        expected: u64,
        /// The number found.
        found: u64,
    },
    /// The event belongs to another task.
    #[error("it belongs to task {found}")]
    OtherTask {
        /// The task it belongs to.
        found: TaskId,
    },
    /// The journal does not begin with a `session_started`.
    #[error("the journal does not begin with `session_started`")]
    NoBeginning,
}

impl Damage {
    /// The line is in its place only when `found` is the number that is due, which is also its line.
    pub(crate) fn of_number(expected: u64, found: u64) -> Option<Self> {
        let kind = match found.cmp(&expected) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => DamageKind::Gap { expected, found },
            std::cmp::Ordering::Less => DamageKind::Double { expected, found },
        };
        Some(Self {
            line: expected,
            kind,
        })
    }
}

impl StoreError {
    /// Whether there is no room. Nothing of the call was written, and it works again once there is.
    #[must_use]
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Full { .. })
    }

    /// The error for `source`, met while `doing` something with the file at `path`.
    pub(crate) fn io(doing: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        if matches!(
            source.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
        ) {
            return Self::Full { doing, path };
        }
        Self::Io {
            doing,
            path,
            source,
        }
    }

    /// As [`Self::io`] for the journal of `task`, which may not be there.
    pub(crate) fn journal(
        doing: &'static str,
        task: &TaskId,
        path: PathBuf,
        source: io::Error,
    ) -> Self {
        if source.kind() == io::ErrorKind::NotFound {
            return Self::NoSuchTask { task: task.clone() };
        }
        Self::io(doing, path, source)
    }
}
