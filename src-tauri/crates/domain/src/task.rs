//! A task as the fold of its journal.
//!
//! [`Task::record`] takes the events of one journal in order and nothing else, so the index, a restart
//! and a client all come to the same task. It ignores what it cannot apply: a journal edited by hand
//! gives a strange task, never a panic.

mod session;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    AccountName, Action, Approval, Body, BoxKind, CheckResult, DiffStat, ErrorClass, Event,
    FollowUp, FollowUpHold, HarnessName, PermissionMode, Plan, PlanDecision, Question, RateLimit,
    RetryUnderWay, RunExit, RunId, StateName, TaskId, TaskSpec, TaskState, Timestamp, TodoItem,
    TurnId, TurnOutcome, Usage, UsageLimit,
};

/// A task, as everyone sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Task {
    /// Its id, for ever.
    pub task_id: TaskId,
    /// What heads it in lists.
    pub title: String,
    /// What was asked for.
    #[schema(value_type = TaskSpec)]
    pub spec: std::sync::Arc<TaskSpec>,
    /// Where it is in its life.
    pub state: StateName,
    /// What a user may do now.
    pub allowed: Vec<Action>,
    /// Whether it waits for the user, who has not put it aside.
    #[serde(default)]
    pub needs_me: bool,
    /// The last event that called for the user.
    #[serde(default)]
    pub called_seq: u64,
    /// The last event that the user has put aside; what is called for after it is new. 0 for none.
    #[serde(default)]
    pub aside_seq: u64,
    /// Since when it is in the archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its state last changed.
    pub state_changed_at: Timestamp,
    /// When anything last happened; that somebody looked at it is nothing that happens.
    pub updated_at: Timestamp,
    /// The last event folded in.
    pub last_seq: u64,
    /// Its repositories, with their branches.
    pub repositories: Vec<RepositoryView>,
    /// What its box is made of, once it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub box_kind: Option<BoxKind>,
    /// The box's name: a container's name or a directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub box_name: Option<String>,
    /// The run that serves it, or the last one that did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunView>,
    /// The agent's own name for the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_session: Option<String>,
    /// The event in which the agent's program last said what it offers; absent until it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offers_seq: Option<u64>,
    /// The agent no longer knows its session: its next run begins a new one, from a summary of the journal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session_lost: bool,
    /// The harness that another has taken over from, until that one's run begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_over_from: Option<HarnessName>,
    /// The session that it came with is not to be gone on with: what was before is told in words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub origin_spent: bool,
    /// The model that the agent says it uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How hard the agent says that it thinks; the effort that was asked for stands in `spec`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// The turn under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<OpenTurn>,
    /// How the last turn ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_outcome: Option<TurnOutcome>,
    /// Questions without an answer.
    pub questions: Vec<Question>,
    /// Permissions without a decision.
    pub approvals: Vec<Approval>,
    /// A plan without a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The agent's list of things to do.
    pub todos: Vec<TodoItem>,
    /// What it has used.
    pub usage: Usage,
    /// What it had used when the run began.
    pub usage_before_run: Usage,
    /// The limit of the provider that holds it up or comes nearest: the first of `rate_limits`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    /// Limits of the provider as each was last told: those that hold it up first, then the fullest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rate_limits: Vec<RateLimit>,
    /// A request to the model that failed and is made again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryUnderWay>,
    /// The usage limit at which the last turn ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<UsageLimit>,
    /// How often it went on by itself after a limit since a turn ended well.
    #[serde(default, skip_serializing_if = "none")]
    pub resumes: u32,
    /// Since when its agent has a turn to do, and says and does nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent_since: Option<Timestamp>,
    /// Turns that have ended.
    pub turns: u64,
    /// How long turns took that have ended, in milliseconds.
    #[serde(default)]
    pub worked_ms: u64,
    /// Tool calls that have begun.
    pub tool_calls: u64,
    /// Why it failed or crashed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// How the last check of its work ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckResult>,
    /// The task of its group that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<TaskId>,
    /// Messages that wait for the end of the turn, the next first.
    #[serde(default)]
    pub follow_ups: Vec<FollowUp>,
    /// Why they do not go out by themselves; absent when the next follows a turn that ends plainly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_ups_hold: Option<FollowUpHold>,
    /// Its rank in the line for a place on its host: lower ones first, equal ones by age.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub rank: i64,
    /// The last event of the run before this one, or the last before a message that it never heard;
    /// messages after it are for this run.
    pub run_since_seq: u64,
    /// The state with where a passing one leads back to; clients read `state` and `allowed`.
    machine: TaskState,
}

/// A repository of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepositoryView {
    /// Its path on the host.
    pub path: String,
    /// The task's branch, once claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// What the branch starts from, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// What the branch starts from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_commit: Option<String>,
    /// What changed since.
    pub diff: DiffStat,
    /// The last commit pushed, and where to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pushed: Option<String>,
}

/// One life of the agent process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunView {
    /// Its id.
    pub run_id: RunId,
    /// The agent program's version.
    pub version: String,
    /// When it began.
    pub started_at: Timestamp,
    /// How it ended; absent while it lives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<RunExit>,
    /// The account that it works with; absent where the key came from the settings or the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountName>,
    /// How the agent program was told to ask; as the task's permission mode when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks_as: Option<PermissionMode>,
    /// The agent's session that it was begun to go on with; whoever reads its log again reads it so, whatever
    /// the session is called by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goes_on_with: Option<String>,
    /// Whether that session stays as it is beside the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forks: bool,
}

/// A turn under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenTurn {
    /// Its id.
    pub turn_id: TurnId,
    /// When it began.
    pub started_at: Timestamp,
}

/// Why a task failed or crashed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Failure {
    /// What kind of thing went wrong.
    pub class: ErrorClass,
    /// What happened and what to do.
    pub message: String,
}

/// The longest effort that a task keeps, in characters.
const EFFORT_MAX: usize = 64;

impl Task {
    /// The task that `first` begins; nothing when it is not a `session_started`.
    #[must_use]
    pub fn begin(first: &Event) -> Option<Self> {
        let Body::SessionStarted {
            task_description,
            spec,
            ..
        } = &first.body
        else {
            return None;
        };
        let repositories = spec.repositories.iter().map(|repository| RepositoryView {
            path: repository.path.clone(),
            branch: None,
            base: None,
            base_commit: None,
            diff: DiffStat::default(),
            pushed: None,
        });
        let machine = TaskState::Pending;
        Some(Self {
            task_id: first.task_id.clone(),
            title: task_description.clone(),
            repositories: repositories.collect(),
            spec: std::sync::Arc::new(TaskSpec::clone(spec)),
            state: machine.name(),
            allowed: machine.allowed(),
            needs_me: false,
            called_seq: 0,
            aside_seq: 0,
            archived_at: None,
            created_at: first.ts,
            state_changed_at: first.ts,
            updated_at: first.ts,
            last_seq: first.seq,
            box_kind: None,
            box_name: None,
            run: None,
            agent_session: None,
            offers_seq: None,
            session_lost: false,
            taken_over_from: None,
            origin_spent: false,
            model: None,
            effort: None,
            turn: None,
            last_outcome: None,
            questions: Vec::new(),
            approvals: Vec::new(),
            plan: None,
            todos: Vec::new(),
            usage: Usage::default(),
            usage_before_run: Usage::default(),
            rate_limit: None,
            rate_limits: Vec::new(),
            retry: None,
            limit: None,
            resumes: 0,
            silent_since: None,
            turns: 0,
            worked_ms: 0,
            tool_calls: 0,
            failure: None,
            check: None,
            winner: None,
            follow_ups: Vec::new(),
            follow_ups_hold: None,
            rank: 0,
            run_since_seq: 0,
            machine,
        })
    }

    /// The state with where it leads back to.
    #[must_use]
    pub fn machine(&self) -> TaskState {
        self.machine
    }

    /// Whether the agent waits for an answer, a decision or an approval.
    #[must_use]
    pub fn has_open_requests(&self) -> bool {
        !self.questions.is_empty() || !self.approvals.is_empty() || self.plan.is_some()
    }

    /// Folds one event in.
    pub fn record(&mut self, event: &Event) {
        self.last_seq = event.seq;
        if !event.body.is_mark() {
            self.updated_at = event.ts;
        }
        self.open_turn(event);
        self.record_standing(event);
        self.record_offers(event);
        match &event.body {
            Body::StateChanged { on, .. } => {
                if let Ok(state) = self.machine.apply(*on) {
                    self.enter(state, event.ts);
                }
            }
            Body::BranchClaimed {
                repository,
                branch,
                base,
                base_commit,
                ..
            } => {
                if let Some(view) = self.repository_mut(repository) {
                    view.branch = Some(branch.clone());
                    view.base = Some(base.clone());
                    view.base_commit = Some(base_commit.clone());
                }
            }
            Body::BoxCreated { kind, name, .. } => {
                // The agent keeps its session in its box: a new box knows of none.
                if self.run.is_some() {
                    self.origin_spent = true;
                    self.agent_session = None;
                    self.session_lost = true;
                }
                self.box_kind = Some(*kind);
                self.box_name = Some(name.clone());
            }
            Body::DiffStat { repository, stat } => {
                if let Some(view) = self.repository_mut(repository) {
                    view.diff = stat.clone();
                }
            }
            Body::BranchPushed {
                repository,
                remote,
                branch,
                commit,
                ..
            } => {
                if let Some(view) = self.repository_mut(repository) {
                    view.pushed = Some(format!("{remote}/{branch}@{commit}"));
                }
            }
            Body::Error {
                class: ErrorClass::SessionLost,
                ..
            } => self.lose_session(),
            Body::Error { class, message, .. } => {
                self.failure = Some(Failure {
                    class: *class,
                    message: message.clone(),
                });
            }
            Body::ModelSelected {
                model,
                reasoning_effort,
                ..
            } => {
                self.model = Some(model.clone());
                let effort = reasoning_effort.as_deref();
                self.effort = effort.map(|told| told.chars().take(EFFORT_MAX).collect());
            }
            Body::AgentSessionNamed { session_id } => self.agent_session = Some(session_id.clone()),
            Body::TodoUpdated { items } => self.todos.clone_from(items),
            Body::UsageUpdated(usage) => self.usage = *usage,
            Body::ContextMeasured { used, limit } => self.usage.measure_context(*used, *limit),
            Body::RateLimited(limit) => self.record_limit(limit, event.ts),
            Body::ToolCallStarted(_) => self.tool_calls += 1,
            Body::RunStarted { .. } | Body::RunEnded { .. } => self.record_run(event),
            Body::TurnFinished { outcome, .. } => self.finish_turn(*outcome, event.ts),
            Body::ProviderSwitched { .. } => self.hand_over(event),
            Body::CheckFinished(result) => {
                self.check = Some(CheckResult {
                    finished_at: Some(event.ts),
                    ..result.clone()
                });
            }
            Body::WinnerPicked { winner, .. } => self.winner = Some(winner.clone()),
            Body::QuestionAsked(_)
            | Body::QuestionAnswered { .. }
            | Body::ApprovalRequested(_)
            | Body::ApprovalResolved { .. }
            | Body::PlanProposed(_)
            | Body::PlanResolved { .. } => self.record_request(&event.body),
            Body::UserMessage { .. }
            | Body::FollowUpQueued { .. }
            | Body::FollowUpEdited { .. }
            | Body::FollowUpRemoved { .. }
            | Body::FollowUpsOrdered { .. } => self.record_follow_up(event),
            Body::AgentTuned { .. } => self.tune(&event.body),
            Body::PlaceMoved { rank } => self.rank = *rank,
            Body::RepositoryRelinked { repository, path } => self.relink(repository, path),
            Body::SessionStarted { .. }
            | Body::AssistantMessage { .. }
            | Body::Thinking { .. }
            | Body::ToolDeclared { .. }
            | Body::ToolCallFinished(_)
            | Body::VerificationAttempt { .. }
            | Body::ContextCondensed { .. }
            | Body::CondensingWished { .. }
            | Body::WishFailed { .. }
            | Body::SessionAdopted { .. }
            | Body::TerminalOutput { .. }
            | Body::SessionEnded { .. }
            | Body::SubagentStarted { .. }
            | Body::SubagentFinished { .. }
            | Body::CommitMade { .. }
            | Body::Retrying(_)
            | Body::RetryEnded {}
            | Body::ResumeScheduled { .. }
            | Body::ResumeCancelled {}
            | Body::AgentSilent { .. }
            | Body::AgentStirred {}
            | Body::AgentOffers(_)
            | Body::PutAside { .. }
            | Body::TakenUp {}
            | Body::Archived {}
            | Body::Unarchived {}
            | Body::Notice { .. } => {}
        }
        self.record_attention(event);
    }

    fn enter(&mut self, state: TaskState, now: Timestamp) {
        self.machine = state;
        self.state = state.name();
        self.state_changed_at = now;
        // What failed before is no reason for what comes.
        if matches!(state, TaskState::Running | TaskState::Provisioning { .. }) {
            self.failure = None;
        }
    }

    fn record_run(&mut self, event: &Event) {
        let Some(run_id) = &event.run_id else { return };
        if let Body::RunStarted {
            version,
            account,
            asks_as,
            ..
        } = &event.body
        {
            self.usage_before_run = self.usage;
            if self.run.as_ref().is_some_and(|run| run.account != *account) {
                self.forget_limits();
            }
            self.session_lost = false;
            self.taken_over_from = None;
            let own = self.agent_session.clone();
            let goes_on_with = own.or_else(|| Some(self.session_to_fork()?.session_id.clone()));
            let forks = self.forks_session();
            self.run = Some(RunView {
                run_id: run_id.clone(),
                version: version.clone(),
                started_at: event.ts,
                exit: None,
                account: account.clone(),
                asks_as: *asks_as,
                goes_on_with,
                forks,
            });
        }
        if let Body::RunEnded {
            exit,
            unheard_since,
            ..
        } = &event.body
        {
            if let Some(run) = self.run.as_mut().filter(|run| run.run_id == *run_id) {
                run.exit = Some(*exit);
            }
            self.withdraw_requests();
            // What was said to a run without a session is still to be heard by the next.
            if !self.session_lost {
                let since = unheard_since.unwrap_or(event.seq);
                self.run_since_seq = since.min(event.seq);
                self.hold_follow_ups(TurnOutcome::RunEnded);
            }
        }
    }

    /// A turn begins with the first event that names it: a message, or what the agent does by itself.
    fn open_turn(&mut self, event: &Event) {
        let closes = matches!(
            event.body,
            Body::TurnFinished { .. } | Body::RunEnded { .. }
        );
        if let (None, false, Some(turn_id)) = (&self.turn, closes, &event.turn_id) {
            self.turn = Some(OpenTurn {
                turn_id: turn_id.clone(),
                started_at: event.ts,
            });
        }
    }

    fn finish_turn(&mut self, outcome: TurnOutcome, now: Timestamp) {
        if let Some(turn) = self.turn.take() {
            self.worked_ms += now.since_ms(turn.started_at);
        }
        self.turns += 1;
        self.last_outcome = Some(outcome);
        self.hold_follow_ups(outcome);
        self.lift_limits();
        self.withdraw_requests();
    }

    fn record_request(&mut self, body: &Body) {
        if let Body::QuestionAsked(question) = body {
            self.questions.push(question.clone());
        } else if let Body::QuestionAnswered { question_id, .. } = body {
            self.questions
                .retain(|question| question.question_id != *question_id);
        } else if let Body::ApprovalRequested(approval) = body {
            self.approvals.push(Approval::clone(approval));
        } else if let Body::ApprovalResolved { approval_id, .. } = body {
            self.approvals
                .retain(|approval| approval.approval_id != *approval_id);
        } else if let Body::PlanProposed(plan) = body {
            self.plan = Some(plan.clone());
        } else if let Body::PlanResolved { decision, .. } = body {
            self.plan = None;
            if let Some(PlanDecision::Approve { .. }) = decision {
                self.carry_out_plan();
            }
        }
    }

    /// An agent whose plan is approved plans no more, and a later run of it neither.
    fn carry_out_plan(&mut self) {
        const NEXT: PermissionMode = PermissionMode::AcceptEdits;
        if self.spec.permission_mode == PermissionMode::Plan {
            std::sync::Arc::make_mut(&mut self.spec).permission_mode = NEXT;
        }
        if let Some(run) = &mut self.run
            && run.asks_as == Some(PermissionMode::Plan)
        {
            run.asks_as = Some(NEXT);
        }
    }

    /// What an agent asked dies with its turn or its run: nobody is left to hear the answer.
    fn withdraw_requests(&mut self) {
        self.questions.clear();
        self.approvals.clear();
        self.plan = None;
    }

    fn relink(&mut self, from: &str, to: &str) {
        if let Some(view) = self.repository_mut(from) {
            to.clone_into(&mut view.path);
        }
        let spec = std::sync::Arc::make_mut(&mut self.spec);
        for repository in spec.repositories.iter_mut().filter(|r| r.path == from) {
            to.clone_into(&mut repository.path);
        }
    }

    fn repository_mut(&mut self, path: &str) -> Option<&mut RepositoryView> {
        self.repositories.iter_mut().find(|view| view.path == path)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn none(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests;
