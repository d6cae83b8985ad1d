//! What clients ask, and the short answers to what only has to be accepted.

use paddock_domain::{
    Answer, ApprovalId, Decision, HarnessName, KeepRule, PlanDecision, PlanId, QuestionId,
    StateName, TaskId,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Cursor;

/// Chooses tasks; all of them when nothing is chosen. Newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TaskQuery {
    /// Those whose id begins or ends so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Those in this state.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub state: Option<StateName>,
    /// Those that work on the repository at this path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Those of this harness.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub harness: Option<HarnessName>,
    /// Only those that wait for the user, who has not put them aside: questions, approvals, plans, finished turns,
    /// failures, agents that have fallen silent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_me: bool,
    /// Those whose title has these words, in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Only those that were purged more than 14 days before Paddock started; they are in no other list.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub older: bool,
    /// Only those that are in the archive; they are in no other list, but `id` finds them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// Where the page begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub cursor: Option<Cursor>,
    /// Most entries of the page; 50 when absent, at most 200.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// Where an event stream begins. `Last-Event-ID` goes before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// The cursor of the last event that the client has: a sequence number for one task, what `id:`
    /// said for all tasks. One task's stream begins at its first event when absent, the stream of all
    /// tasks begins now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_seq: Option<String>,
}

/// Names a repository on the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct InspectQuery {
    /// Absolute path of a checkout or a bare repository.
    pub path: String,
}

/// Chooses what a commit is previewed for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CommitPreviewQuery {
    /// One repository's path; all of the task's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
}

/// Answers one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRequest {
    /// The question.
    pub question_id: QuestionId,
    /// The answer.
    pub answer: Answer,
}

/// Decides on one permission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalRequest {
    /// The permission asked for.
    pub approval_id: ApprovalId,
    /// The decision.
    pub decision: Decision,
    /// What of it is to hold from now on, as rules; nothing but this once when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<KeepRule>,
}

/// Decides on a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanRequest {
    /// The plan.
    pub plan_id: PlanId,
    /// The decision.
    pub decision: PlanDecision,
}

/// Installs an agent program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InstallRequest {
    /// Its exact version; the one that Paddock was tested with when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// Starts an agent again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviveRequest {
    /// Most memory of its container from now on, in MiB; as before when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
}

/// A command was taken; events tell what comes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Accepted {
    /// The task.
    pub task_id: TaskId,
    /// Its state as the command was taken.
    pub state: StateName,
    /// The last event by then: what comes of the command has a higher `seq`.
    pub seq: u64,
}
