//! What happened: one variant per event type.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    ArtifactRef, Block, CondensePolicy, Condensing, ErrorClass, NoticeLevel, Phase, RunExit,
    ToolCallFinished, ToolCallStarted, TurnOutcome,
};
use crate::{
    AccountName, Answer, Approval, ApprovalId, Attachment, BoxKind, CheckResult, Decision,
    DiffStat, GroupId, HarnessName, InputId, Offers, PastMessage, PermissionMode, Plan,
    PlanDecision, PlanId, Question, QuestionId, RateLimit, Retry, Rule, StateName, TaskId,
    TaskSpec, Timestamp, TodoItem, Transition, Usage,
};

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Body {
    /// The task was created; always the first event.
    SessionStarted {
        /// Its title.
        task_description: String,
        /// Its first repository.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        project_path: Option<String>,
        /// Its harness.
        coding_provider: HarnessName,
        /// All that was asked for.
        spec: Box<TaskSpec>,
    },
    /// The agent said which model it uses.
    ModelSelected {
        /// The harness.
        provider: HarnessName,
        /// The model, in the harness's words.
        model: String,
        /// How hard it thinks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning_effort: Option<String>,
    },
    /// Another harness took over.
    ProviderSwitched {
        /// The harness that leaves.
        from_provider: HarnessName,
        /// The harness that comes.
        to_provider: HarnessName,
        /// The model that leaves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from_model: Option<String>,
        /// The model that comes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_model: Option<String>,
        /// The version of the harness that comes; the newest installed when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_version: Option<String>,
        /// How hard it is to think.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_effort: Option<String>,
        /// Why.
        reason: String,
    },
    /// A user said something.
    UserMessage {
        /// Its id; delivered once.
        input_id: InputId,
        /// What was said.
        content: String,
        /// Whether it joined a turn that was under way.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        during_turn: bool,
        /// Files that went with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
    },
    /// A user queued a message for after the turn. Its delivery is a `user_message` with the same id.
    FollowUpQueued {
        /// Its id.
        input_id: InputId,
        /// What is to be said.
        content: String,
        /// Files that go with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
    },
    /// A message in the queue was changed.
    FollowUpEdited {
        /// Which.
        input_id: InputId,
        /// What is to be said in its place.
        content: String,
    },
    /// A message was taken out of the queue; it will not be said.
    FollowUpRemoved {
        /// Which.
        input_id: InputId,
    },
    /// The queue was put in another order.
    FollowUpsOrdered {
        /// Every message in it, first one first.
        input_ids: Vec<InputId>,
    },
    /// The task was moved in the line of tasks that wait for a place on its host.
    PlaceMoved {
        /// Its rank: lower ones are served first, equal ones by age. 0 for a task that was never moved.
        rank: i64,
    },
    /// The user put aside what the task called for; until something new is called for, it does not need them.
    PutAside {
        /// The last event that they knew of.
        up_to_seq: u64,
    },
    /// The user takes up again what was put aside.
    TakenUp {},
    /// The task was put into the archive: it is in no list but that of the archive.
    Archived {},
    /// The task was taken out of the archive.
    Unarchived {},
    /// The agent said something.
    AssistantMessage {
        /// What it said.
        blocks: Vec<Block>,
        /// The sub-agent's call that it belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent_tool_call_id: Option<String>,
    },
    /// The agent thought something.
    Thinking {
        /// What it thought, as far as it shows it.
        text: String,
        /// The sub-agent's call that it belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent_tool_call_id: Option<String>,
    },
    /// A tool is on offer.
    ToolDeclared {
        /// Its name.
        name: String,
        /// The schema of its input.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        args_schema: Option<serde_json::Value>,
        /// Its version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
    },
    /// A tool call began.
    ToolCallStarted(ToolCallStarted),
    /// A tool call ended.
    ToolCallFinished(ToolCallFinished),
    /// Another agent looked the work over.
    VerificationAttempt {
        /// From 1.
        attempt_number: u32,
        /// The tool calls it made.
        tool_call_refs: Vec<String>,
        /// Whether it was content.
        passed: bool,
        /// What it says.
        summary: String,
        /// What it found.
        issues: Vec<String>,
    },
    /// The agent's context was shortened.
    ContextCondensed {
        /// Why.
        policy: CondensePolicy,
        /// Tokens before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens_before: Option<u64>,
        /// Tokens after.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens_after: Option<u64>,
        /// What stands for what was dropped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary_text: Option<String>,
    },
    /// A terminal showed something.
    TerminalOutput {
        /// Its bytes, in base64.
        data: String,
    },
    /// The task is over.
    SessionEnded {
        /// Whether it ended well.
        success: bool,
        /// Why it ended.
        reason: String,
        /// Tool calls made.
        total_tool_calls: u64,
        /// Turns taken.
        total_turns: u64,
    },
    /// The task moved to another state.
    StateChanged {
        /// Where it was.
        from: StateName,
        /// Where it is.
        to: StateName,
        /// What moved it.
        on: Transition,
        /// Why, in plain words, where that is not plain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
    },
    /// A repository got its branch.
    BranchClaimed {
        /// The repository's path.
        repository: String,
        /// The branch.
        branch: String,
        /// What it starts from, by name.
        base: String,
        /// What it starts from.
        base_commit: String,
        /// Whether it was there before.
        adopted: bool,
    },
    /// The task's box was made.
    BoxCreated {
        /// What it is made of.
        kind: BoxKind,
        /// Its name: a container's name or a directory.
        name: String,
        /// The container's image.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        image: Option<String>,
    },
    /// An agent process began to serve the task.
    RunStarted {
        /// The harness.
        harness: HarnessName,
        /// The agent program's version.
        version: String,
        /// Whether it goes on with an earlier session.
        resumed: bool,
        /// The account that it works with; absent where the key came from the settings or the environment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        account: Option<AccountName>,
        /// How the agent program was told to ask; it may ask for more than the user wants to be asked, so that
        /// rules can deny.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asks_as: Option<PermissionMode>,
    },
    /// The agent named its session; a later run resumes it by this name.
    AgentSessionNamed {
        /// The agent's own id for the conversation.
        session_id: String,
    },
    /// The task goes on with a session that the agent had outside Paddock, and this was said in it before.
    SessionAdopted {
        /// Whose session it is.
        harness: HarnessName,
        /// The agent's own id for it.
        session_id: String,
        /// The directory that it worked in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directory: Option<String>,
        /// What was said, oldest first, long texts cut.
        messages: Vec<PastMessage>,
        /// Messages that are left out, all but the first user's before those that are told.
        #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
        left_out: u64,
    },
    /// The agent process is gone.
    RunEnded {
        /// How it ended.
        exit: RunExit,
        /// The last lines of its standard error.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        stderr_tail: String,
        /// Messages after this event never reached the agent; the next run hears them first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unheard_since: Option<u64>,
    },
    /// The turn is over.
    TurnFinished {
        /// How.
        outcome: TurnOutcome,
        /// How long it took, in milliseconds, where the agent says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
    },
    /// The agent asked a question.
    QuestionAsked(Question),
    /// A question was answered, or withdrawn by the agent.
    QuestionAnswered {
        /// Which.
        question_id: QuestionId,
        /// The answer; none when the agent withdrew the question.
        answer: Option<Answer>,
    },
    /// The agent asked for a permission.
    ApprovalRequested(Box<Approval>),
    /// A permission was decided on, or the request withdrawn by the agent.
    ApprovalResolved {
        /// Which.
        approval_id: ApprovalId,
        /// The decision; none when the agent withdrew the request.
        decision: Option<Decision>,
        /// Rules that made the decision, or that the user made with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rules: Vec<Rule>,
        /// Whether rules decided and nobody was asked.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_rule: bool,
    },
    /// The agent proposed a plan.
    PlanProposed(Plan),
    /// A plan was decided on, or withdrawn by the agent.
    PlanResolved {
        /// Which.
        plan_id: PlanId,
        /// The decision; none when the agent withdrew the plan.
        decision: Option<PlanDecision>,
    },
    /// The agent's list of things to do changed.
    TodoUpdated {
        /// The whole list.
        items: Vec<TodoItem>,
    },
    /// The agent started another agent.
    SubagentStarted {
        /// The tool call that started it.
        tool_call_id: String,
        /// What it is called.
        name: String,
        /// What it was told.
        prompt: String,
    },
    /// That agent is done.
    SubagentFinished {
        /// The tool call that started it.
        tool_call_id: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// What the whole task has used by now.
    UsageUpdated(Usage),
    /// How full the agent's context is while a turn goes on; the end of the turn tells all of the usage.
    ContextMeasured {
        /// Tokens in the context window.
        used: u64,
        /// Tokens that fit it, where the agent says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
    },
    /// A limit of the provider was met or comes near.
    RateLimited(RateLimit),
    /// A request to the model failed, and the agent program makes it again.
    Retrying(Retry),
    /// The model answers again.
    RetryEnded {},
    /// The turn ended at a usage limit; the task goes on by itself then.
    ResumeScheduled {
        /// When.
        resume_at: Timestamp,
        /// How often it went on by itself since a turn ended well; from 1.
        attempt: u32,
    },
    /// It does not go on by itself any more.
    ResumeCancelled {},
    /// The agent has a turn to do, and says and does nothing.
    AgentSilent {
        /// Since when.
        since_at: Timestamp,
    },
    /// An agent that was silent works again.
    AgentStirred {},
    /// The running program said what it offers; all of it, in place of what it said before.
    AgentOffers(Offers),
    /// A user changed how the agent works from now on; what is absent stays as it is.
    AgentTuned {
        /// Another model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// Another effort.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effort: Option<String>,
        /// Another permission mode.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        permission_mode: Option<PermissionMode>,
        /// Another account, from the next run on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        account: Option<AccountName>,
    },
    /// A user wished for a shorter or an empty context, between two turns; `context_condensed` tells that it is so.
    CondensingWished {
        /// Which.
        what: Condensing,
        /// What is to be kept in mind.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<String>,
    },
    /// What a user wished of the agent did not reach it, and will not any more.
    WishFailed {
        /// Which: the id of its event, under which the agent was to hear it.
        wish: InputId,
        /// Why, and what to do.
        why: String,
    },
    /// What changed in a repository.
    DiffStat {
        /// The repository's path.
        repository: String,
        /// What changed since the base.
        stat: DiffStat,
    },
    /// A commit was brought out of the box, or made on request.
    CommitMade {
        /// The repository's path.
        repository: String,
        /// The commit.
        commit: String,
        /// Its first line.
        subject: String,
    },
    /// A check of the task's work ended.
    CheckFinished(CheckResult),
    /// One task of the task's group was chosen; the task itself, or another.
    WinnerPicked {
        /// The group.
        group_id: GroupId,
        /// The one that was chosen.
        winner: TaskId,
    },
    /// A repository was moved on the host, and the task was told where it is now.
    RepositoryRelinked {
        /// The path by which the task knew it; what came before names it so.
        repository: String,
        /// The path by which it knows it from now on.
        path: String,
    },
    /// A branch was pushed to a remote.
    BranchPushed {
        /// The repository's path.
        repository: String,
        /// The remote.
        remote: String,
        /// The branch there.
        branch: String,
        /// The commit it is at.
        commit: String,
        /// Whether it is one squashed commit on the default branch.
        squashed: bool,
    },
    /// Something went wrong.
    Error {
        /// What kind of thing.
        class: ErrorClass,
        /// What happened and what to do.
        message: String,
        /// The agent line that caused it, while that is short.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<String>,
        /// The agent line that caused it, where that is long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw_ref: Option<ArtifactRef>,
    },
    /// Something worth knowing.
    Notice {
        /// How much it matters.
        level: NoticeLevel,
        /// Which part of setting up it belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        phase: Option<Phase>,
        /// What.
        text: String,
    },
}

impl Body {
    /// The event's type on the wire.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::SessionStarted { .. } => "session_started",
            Self::ModelSelected { .. } => "model_selected",
            Self::ProviderSwitched { .. } => "provider_switched",
            Self::UserMessage { .. } => "user_message",
            Self::FollowUpQueued { .. } => "follow_up_queued",
            Self::FollowUpEdited { .. } => "follow_up_edited",
            Self::FollowUpRemoved { .. } => "follow_up_removed",
            Self::FollowUpsOrdered { .. } => "follow_ups_ordered",
            Self::PlaceMoved { .. } => "place_moved",
            Self::PutAside { .. } => "put_aside",
            Self::TakenUp {} => "taken_up",
            Self::Archived {} => "archived",
            Self::Unarchived {} => "unarchived",
            Self::AssistantMessage { .. } => "assistant_message",
            Self::Thinking { .. } => "thinking",
            Self::ToolDeclared { .. } => "tool_declared",
            Self::ToolCallStarted(_) => "tool_call_started",
            Self::ToolCallFinished(_) => "tool_call_finished",
            Self::VerificationAttempt { .. } => "verification_attempt",
            Self::ContextCondensed { .. } => "context_condensed",
            Self::TerminalOutput { .. } => "terminal_output",
            Self::SessionEnded { .. } => "session_ended",
            Self::StateChanged { .. } => "state_changed",
            Self::BranchClaimed { .. } => "branch_claimed",
            Self::BoxCreated { .. } => "box_created",
            Self::RunStarted { .. } => "run_started",
            Self::AgentSessionNamed { .. } => "agent_session_named",
            Self::SessionAdopted { .. } => "session_adopted",
            Self::RunEnded { .. } => "run_ended",
            Self::TurnFinished { .. } => "turn_finished",
            Self::QuestionAsked(_) => "question_asked",
            Self::QuestionAnswered { .. } => "question_answered",
            Self::ApprovalRequested(_) => "approval_requested",
            Self::ApprovalResolved { .. } => "approval_resolved",
            Self::PlanProposed(_) => "plan_proposed",
            Self::PlanResolved { .. } => "plan_resolved",
            Self::TodoUpdated { .. } => "todo_updated",
            Self::SubagentStarted { .. } => "subagent_started",
            Self::SubagentFinished { .. } => "subagent_finished",
            Self::UsageUpdated(_) => "usage_updated",
            Self::ContextMeasured { .. } => "context_measured",
            Self::RateLimited(_) => "rate_limited",
            Self::Retrying(_) => "retrying",
            Self::RetryEnded {} => "retry_ended",
            Self::ResumeScheduled { .. } => "resume_scheduled",
            Self::ResumeCancelled {} => "resume_cancelled",
            Self::AgentSilent { .. } => "agent_silent",
            Self::AgentStirred {} => "agent_stirred",
            Self::AgentOffers(_) => "agent_offers",
            Self::AgentTuned { .. } => "agent_tuned",
            Self::CondensingWished { .. } => "condensing_wished",
            Self::WishFailed { .. } => "wish_failed",
            Self::DiffStat { .. } => "diff_stat",
            Self::CommitMade { .. } => "commit_made",
            Self::CheckFinished(_) => "check_finished",
            Self::WinnerPicked { .. } => "winner_picked",
            Self::RepositoryRelinked { .. } => "repository_relinked",
            Self::BranchPushed { .. } => "branch_pushed",
            Self::Error { .. } => "error",
            Self::Notice { .. } => "notice",
        }
    }

    /// Moves texts longer than [`ArtifactRef::OVER`] out of the event: `keep` stores one and gives its
    /// reference, or nothing to leave it where it is.
    pub fn offload(&mut self, mut keep: impl FnMut(&str) -> Option<ArtifactRef>) {
        let mut long = |text: &mut Option<String>, reference: &mut Option<ArtifactRef>| {
            if let Some(full) = text
                .as_deref()
                .filter(|text| text.len() > ArtifactRef::OVER)
            {
                *reference = keep(full);
                if reference.is_some() {
                    *text = None;
                }
            }
        };
        if let Self::ToolCallFinished(call) = self {
            long(&mut call.output, &mut call.stdout_ref);
            long(&mut call.patch, &mut call.patch_ref);
        } else if let Self::Error { raw, raw_ref, .. } = self {
            long(raw, raw_ref);
        } else if let Self::ToolCallStarted(call) = self {
            let mut args = call.args.as_ref().map(ToString::to_string);
            long(&mut args, &mut call.args_ref);
            if call.args_ref.is_some() {
                call.args = None;
            }
        }
    }

    /// The artifacts that the event refers to.
    pub fn artifacts(&self) -> impl Iterator<Item = &ArtifactRef> {
        let all = if let Self::ToolCallFinished(call) = self {
            [call.stdout_ref.as_ref(), call.patch_ref.as_ref()]
        } else if let Self::Error { raw_ref, .. } = self {
            [raw_ref.as_ref(), None]
        } else if let Self::ToolCallStarted(call) = self {
            [call.args_ref.as_ref(), None]
        } else {
            [None, None]
        };
        all.into_iter().flatten()
    }

    /// Keeps the images that a tool gave, as [`ToolCallFinished::keep_images`] has it.
    pub fn keep_images(&mut self, keep: impl FnMut(&[u8]) -> Option<String>) {
        if let Self::ToolCallFinished(call) = self {
            call.keep_images(keep);
        }
    }

    /// The files that go with it: those that users sent, and the images that a tool gave.
    #[must_use]
    pub fn attachments(&self) -> &[Attachment] {
        if let Self::UserMessage { attachments, .. } | Self::FollowUpQueued { attachments, .. } =
            self
        {
            return attachments;
        }
        if let Self::SessionStarted { spec, .. } = self {
            return &spec.attachments;
        }
        if let Self::ToolCallFinished(call) = self {
            return &call.images;
        }
        &[]
    }

    /// Whether it says how a user keeps the task in their lists, and nothing of the task itself.
    #[must_use]
    pub fn is_mark(&self) -> bool {
        matches!(
            self,
            Self::PutAside { .. } | Self::TakenUp {} | Self::Archived {} | Self::Unarchived {}
        )
    }

    /// Whether the journal is made durable before anything else happens after this event.
    #[must_use]
    pub fn is_durable(&self) -> bool {
        matches!(
            self,
            Self::SessionStarted { .. }
                | Self::UserMessage { .. }
                | Self::FollowUpQueued { .. }
                | Self::FollowUpEdited { .. }
                | Self::FollowUpRemoved { .. }
                | Self::FollowUpsOrdered { .. }
                | Self::PlaceMoved { .. }
                | Self::PutAside { .. }
                | Self::TakenUp {}
                | Self::Archived {}
                | Self::Unarchived {}
                | Self::RepositoryRelinked { .. }
                | Self::StateChanged { .. }
                | Self::TurnFinished { .. }
                | Self::RunEnded { .. }
                | Self::QuestionAsked(_)
                | Self::QuestionAnswered { .. }
                | Self::ApprovalRequested(_)
                | Self::ApprovalResolved { .. }
                | Self::PlanProposed(_)
                | Self::PlanResolved { .. }
                | Self::ResumeScheduled { .. }
                | Self::ResumeCancelled {}
                | Self::AgentTuned { .. }
                | Self::CondensingWished { .. }
                | Self::WishFailed { .. }
                | Self::BranchClaimed { .. }
                | Self::BoxCreated { .. }
                | Self::ProviderSwitched { .. }
                | Self::CheckFinished(_)
                | Self::WinnerPicked { .. }
        )
    }
}

#[cfg(test)]
mod tests;
