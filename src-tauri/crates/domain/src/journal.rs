//! Journals as things that lie on a disk: how they lie there, whether they are whole, what is kept of them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{TaskId, Timestamp};

/// How a journal lies on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalForm {
    /// Lines as they were written.
    Plain,
    /// Settled and compressed.
    Compressed,
}

/// One journal, as it lies on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalFile {
    /// Its task.
    pub task_id: TaskId,
    /// Its form.
    pub form: JournalForm,
    /// The number of its last event that can be read.
    pub last_seq: u64,
    /// Bytes of its text.
    pub text_bytes: u64,
    /// Bytes that it takes on the disk.
    pub file_bytes: u64,
    /// Whether nothing is appended any more: its task is purged.
    pub archived: bool,
    /// What keeps it from being read further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
    /// Names of files beside it: ends that were cut off, copies from before a repair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
}

/// What was found when a whole journal was read and held against everything that it must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalCheck {
    /// Its task.
    pub task_id: TaskId,
    /// Its form; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<JournalForm>,
    /// Lines that were read.
    pub lines: u64,
    /// Bytes of text that were read.
    pub text_bytes: u64,
    /// Artifacts that were read and hashed.
    pub artifacts: u64,
    /// Names of files beside it: ends that were cut off, copies from before a repair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// What is wrong, in the order of the lines; empty when all is well.
    pub findings: Vec<JournalFinding>,
    /// Whether there was more than is listed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

/// One thing that is wrong with a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalFinding {
    /// What kind of thing.
    pub kind: JournalFault,
    /// The line it was found in, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What is wrong and, where something can be done, what.
    pub text: String,
}

/// What can be wrong with a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalFault {
    /// It cannot be opened or read.
    Unreadable,
    /// Its last write was cut short.
    Torn,
    /// A line is no event.
    Garbled,
    /// A line is an event that this version does not know.
    Unknown,
    /// Numbers are missing.
    Gap,
    /// A number comes again or too late.
    Double,
    /// An event belongs to another task.
    OtherTask,
    /// It does not begin with `session_started`.
    NoBeginning,
    /// Two events have one id.
    EventId,
    /// A source of agent output was taken twice or out of order.
    Source,
    /// It is not what it was when it was written.
    Altered,
    /// A part of the compressed file is broken.
    Compressed,
    /// Two forms of it differ.
    TwoForms,
    /// An artifact is not there.
    ArtifactMissing,
    /// An artifact is not what its name says.
    ArtifactWrong,
    /// The index says something else of it.
    Index,
}

/// A journal was repaired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalRepair {
    /// Its task.
    pub task_id: TaskId,
    /// What was done, or would be, in the order of the lines; empty when nothing has to be done.
    pub steps: Vec<String>,
    /// The original's name in the task's folder; absent when nothing was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The number of the last event now.
    pub last_seq: u64,
}

/// Something that is removed because nobody wanted it kept any longer, or because nothing refers to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Expired {
    /// The task it belongs to.
    pub task_id: TaskId,
    /// What heads that task in lists.
    pub title: String,
    /// What it is.
    pub what: ExpiredKind,
    /// Bytes that it takes on the disk.
    pub bytes: u64,
    /// When anything last happened to it.
    pub since: Timestamp,
}

/// What is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExpiredKind {
    /// A purged task's journal with its artifacts: the last that is left of the task.
    Journal,
    /// A purged task's artifacts: large outputs. The journal stays.
    Artifacts,
    /// Large outputs that no journal refers to: left by writes that were cut short.
    Unreferenced,
}
