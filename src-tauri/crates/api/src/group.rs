//! One prompt on several agents: groups as clients see and make them.

use paddock_domain::{CheckResult, Contender, GroupId, HarnessName, TaskId, TaskSpec, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::TaskSummary;

/// Runs one prompt on several agents, each in a task of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupRequest {
    /// What all of them have in common; its harness, version, model and effort are those of the first.
    pub task: TaskSpec,
    /// The others.
    pub also: Vec<Contender>,
    /// A command that tells good work from bad by its exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

/// Runs a check in the box of every task of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CheckRequest {
    /// The command; the group's own when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// A group, with its tasks side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupView {
    /// Its id.
    pub group_id: GroupId,
    /// What heads its tasks.
    pub title: String,
    /// The check that its tasks are held against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// When its first task was created.
    pub created_at: Timestamp,
    /// The task that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<TaskId>,
    /// Its tasks, in the order in which they were named.
    pub members: Vec<GroupMember>,
}

/// One task of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupMember {
    /// The task.
    pub task: TaskSummary,
    /// The agent program that was asked for.
    pub harness: HarnessName,
    /// The model that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_model: Option<String>,
    /// The effort that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_effort: Option<String>,
    /// How long turns took that have ended, in milliseconds.
    pub worked_ms: u64,
    /// Tool calls that have begun.
    pub tool_calls: u64,
    /// How the last check of its work ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckResult>,
}

/// What a check said of each task of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupChecks {
    /// One entry a task.
    pub items: Vec<GroupCheck>,
}

/// What a check said of one task; one of both is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupCheck {
    /// The task.
    pub task_id: TaskId,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<CheckResult>,
    /// Why it could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A task that has to do with another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskRef {
    /// The task.
    pub task_id: TaskId,
    /// What heads it.
    pub title: String,
}

/// What an upload is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// The file's name; one without a path.
    #[serde(default)]
    pub name: String,
}
