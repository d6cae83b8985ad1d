//! What boxes use and what runs in them, as the API shows it.

use paddock_domain::{BoxKind, BoxLimits, BoxProcess, ProcessSignal, Statistics, TaskId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a task's box uses, and what it used in the last minutes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskStatistics {
    /// The task.
    pub task_id: TaskId,
    /// What its box is made of; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub box_kind: Option<BoxKind>,
    /// Whether samples come: the box runs and can be asked.
    pub following: bool,
    /// How often, in milliseconds.
    pub every_ms: u64,
    /// What the box may use at most; absent before the first sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<BoxLimits>,
    /// The last sample; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<Statistics>,
    /// The last ten minutes, oldest first; empty in lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Statistics>,
}

/// A sample of a box, as event streams carry it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StatisticsData {
    /// The task.
    pub task_id: TaskId,
    /// What the box may use at most.
    pub limits: BoxLimits,
    /// The sample.
    #[serde(flatten)]
    pub statistics: Statistics,
}

/// What runs in a box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProcessList {
    /// The processes, parents before their children.
    pub items: Vec<BoxProcess>,
    /// Whether there are more than are listed.
    pub more: bool,
}

/// Sends a signal to a process in a box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignalRequest {
    /// The signal.
    pub signal: ProcessSignal,
    /// When the process started, as the list says: another process with its id is not signalled.
    pub start: u64,
}
