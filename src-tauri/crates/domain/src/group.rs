//! One prompt on several harnesses: each is a task of its own, and together they are a group.
//!
//! A group is nothing but the tasks that name it; there is no record of it anywhere else.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{GroupId, HarnessName, PurgeRequest, TaskId, Timestamp};

/// The group that a task belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskGroup {
    /// Its id.
    pub group_id: GroupId,
    /// A command that tells good work from bad by its exit code; run in each box when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

impl TaskGroup {
    /// Most tasks of one group.
    pub const MEMBERS_MAX: usize = 12;
    /// Longest check command, in bytes.
    pub const CHECK_MAX: usize = 4096;
}

/// What runs one task of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Contender {
    /// The agent program.
    pub harness: HarnessName,
    /// Which of its versions; the newest installed when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness_version: Option<String>,
    /// The model, in the harness's words; its default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How hard the model thinks, in the harness's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
}

/// How a check of a task's work ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckResult {
    /// The command.
    pub command: String,
    /// Its exit code; absent when it was ended by a signal, took too long or could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The end of what it said, or why it could not be run.
    pub output: String,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
}

impl CheckResult {
    /// How much of what a check said is kept, in bytes.
    pub const OUTPUT_MAX: usize = 8 << 10;

    /// Whether the work was found good.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.exit_code == Some(0)
    }
}

/// Says which task of a group is the one to keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PickRequest {
    /// The one to keep.
    pub task_id: TaskId,
    /// Purge the others like this; they stay when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purge_others: Option<PurgeRequest>,
}
