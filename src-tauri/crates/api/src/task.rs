//! A task as lists show it: small, whatever its prompt and its diff.

use paddock_domain::{
    Action, BoxKind, Failure, FollowUpHold, GroupId, HarnessName, HostName, Link, OpenTurn,
    RateLimit, RetryUnderWay, StateName, Task, TaskId, Timestamp, TurnOutcome, Usage, UsageLimit,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{TaskPlace, TaskRef};

/// A task as lists show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskSummary {
    /// Its id, for ever.
    pub task_id: TaskId,
    /// What heads it.
    pub title: String,
    /// Where it is in its life.
    pub state: StateName,
    /// What a user may do now.
    pub allowed: Vec<Action>,
    /// Whether it waits for the user, who has not put it aside.
    pub needs_me: bool,
    /// Since when it is in the archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<Timestamp>,
    /// Its agent program.
    pub harness: HarnessName,
    /// Where its box stands.
    pub host: HostName,
    /// What its box is made of, once it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub box_kind: Option<BoxKind>,
    /// The model that the agent says it uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its repositories.
    pub repositories: Vec<RepositorySummary>,
    /// The turn under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<OpenTurn>,
    /// How the last turn ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_outcome: Option<TurnOutcome>,
    /// Questions, permissions and plans that wait for the user.
    pub open_requests: u64,
    /// What it has used.
    pub usage: Usage,
    /// The limit of the provider that holds it up or comes nearest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    /// A request to the model that failed and is made again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryUnderWay>,
    /// The usage limit at which the last turn ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<UsageLimit>,
    /// Since when its agent has a turn to do, and says and does nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent_since: Option<Timestamp>,
    /// Turns that have ended.
    pub turns: u64,
    /// Messages that wait for the end of the turn.
    #[serde(default)]
    pub follow_ups: u64,
    /// Why they do not go out by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_ups_hold: Option<FollowUpHold>,
    /// Where it stands in the line for a place on its host, while it waits for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Box<TaskPlace>>,
    /// Why it failed or crashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The task that it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<TaskId>,
    /// The group that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_id: Option<GroupId>,
    /// The task of its group that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<TaskId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its state last changed.
    pub state_changed_at: Timestamp,
    /// When anything last happened.
    pub updated_at: Timestamp,
    /// The last event folded in: events of a stream with a higher `seq` are new.
    pub last_seq: u64,
    /// How Paddock is connected to its box just now; not part of its journal.
    #[serde(default)]
    pub link: Link,
}

/// A task, whole, with what is known of it just now and stands in no journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskView {
    /// The fold of its journal.
    #[serde(flatten)]
    pub task: Task,
    /// How Paddock is connected to its box.
    #[serde(default)]
    pub link: Link,
    /// Repositories that are not where the task knows them, by those paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Tasks that were forked from it, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forks: Vec<TaskRef>,
}

impl std::ops::Deref for TaskView {
    type Target = Task;

    fn deref(&self) -> &Task {
        &self.task
    }
}

/// A repository of a task, without its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepositorySummary {
    /// Its path on the host.
    pub path: String,
    /// The task's branch, once claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// What the branch starts from, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Files that changed.
    pub files: u64,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// Commits over the base.
    pub commits: u64,
    /// Files with changes that no commit holds.
    pub uncommitted: u64,
}

impl From<&Task> for TaskSummary {
    fn from(task: &Task) -> Self {
        let requests =
            task.questions.len() + task.approvals.len() + usize::from(task.plan.is_some());
        Self {
            task_id: task.task_id.clone(),
            title: task.title.clone(),
            state: task.state,
            allowed: task.allowed.clone(),
            needs_me: task.needs_me,
            archived_at: task.archived_at,
            harness: task.spec.harness.clone(),
            host: task.spec.host.clone(),
            box_kind: task.box_kind,
            model: task.model.clone(),
            repositories: task
                .repositories
                .iter()
                .map(RepositorySummary::from)
                .collect(),
            turn: task.turn.clone(),
            last_outcome: task.last_outcome,
            open_requests: requests as u64,
            usage: task.usage,
            rate_limit: task.rate_limit.clone(),
            retry: task.retry.clone(),
            limit: task.limit.clone(),
            silent_since: task.silent_since,
            turns: task.turns,
            follow_ups: task.follow_ups.len() as u64,
            follow_ups_hold: task.follow_ups_hold,
            place: None,
            failure: task.failure.clone(),
            forked_from: task.spec.origin.as_ref().and_then(|it| it.task_id.clone()),
            group_id: task.spec.group.as_ref().map(|it| it.group_id.clone()),
            winner: task.winner.clone(),
            created_at: task.created_at,
            state_changed_at: task.state_changed_at,
            updated_at: task.updated_at,
            last_seq: task.last_seq,
            link: Link::default(),
        }
    }
}

impl From<&paddock_domain::RepositoryView> for RepositorySummary {
    fn from(view: &paddock_domain::RepositoryView) -> Self {
        Self {
            path: view.path.clone(),
            branch: view.branch.clone(),
            base: view.base.clone(),
            files: view.diff.files.len() as u64 + view.diff.more_files,
            added: view.diff.added,
            removed: view.diff.removed,
            commits: view.diff.commits,
            uncommitted: view.diff.uncommitted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paddock_domain::{Body, Event, EventId, TaskSpec};

    #[test]
    fn a_summary_stays_small_whatever_the_prompt() {
        let mut spec: TaskSpec =
            serde_json::from_str(r#"{"prompt":"x","harness":"claude"}"#).unwrap();
        spec.prompt = "word ".repeat(200_000);
        let task = Task::begin(&Event {
            event_id: EventId::parse("e1").unwrap(),
            ts: Timestamp::from_unix_ms(0),
            seq: 1,
            task_id: TaskId::parse("t1").unwrap(),
            run_id: None,
            turn_id: None,
            source: None,
            body: Body::SessionStarted {
                task_description: spec.title(),
                project_path: None,
                coding_provider: spec.harness.clone(),
                spec: Box::new(spec),
            },
        });
        let summary = TaskSummary::from(&task.unwrap());
        let json = serde_json::to_string(&summary).unwrap();
        assert!(json.len() < 1024, "{} bytes", json.len());
        assert_eq!(serde_json::from_str::<TaskSummary>(&json).unwrap(), summary);
    }
}
