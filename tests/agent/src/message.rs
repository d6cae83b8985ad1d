//! The lines of the protocol, as `README.md` sets them down.
//!
//! Start at [`Said`] for what goes out and [`Input`] for what comes in.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the protocol.
pub(crate) const PROTOCOL: u32 = 1;

/// Tokens that the agent claims to have room for.
pub(crate) const CONTEXT_WINDOW: u64 = 200_000;

/// A line that the agent says.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Said {
    Session {
        protocol: u32,
        id: String,
        resumed: bool,
        model: String,
        turns: u64,
    },
    TurnStarted {
        turn: u64,
        prompt: String,
    },
    Text {
        message: String,
        text: String,
    },
    Delta {
        message: String,
        text: String,
    },
    Thinking {
        text: String,
    },
    ToolStarted {
        call: String,
        kind: ToolKind,
        input: ToolInput,
    },
    ToolFinished {
        call: String,
        kind: ToolKind,
        ok: bool,
        output: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        exit: Option<i32>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<String>,
    },
    Question {
        question: String,
        header: String,
        text: String,
        options: Vec<QuestionOption>,
        multiple: bool,
    },
    Approval {
        approval: String,
        call: String,
        kind: ToolKind,
        input: ToolInput,
        reason: String,
    },
    Plan {
        plan: String,
        text: String,
    },
    Withdrawn {
        id: String,
    },
    Todo {
        items: Vec<TodoItem>,
    },
    SubagentStarted {
        subagent: String,
        description: String,
    },
    SubagentFinished {
        subagent: String,
        ok: bool,
        text: String,
    },
    Usage {
        input_tokens: u64,
        output_tokens: u64,
        cached_tokens: u64,
        context_window: u64,
    },
    Offers {
        commands: Vec<String>,
        models: Vec<String>,
    },
    Model {
        model: String,
    },
    Compacted {
        before_tokens: u64,
        after_tokens: u64,
    },
    Cleared {
        id: String,
    },
    RateLimited {
        retry_after_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        resets_at: Option<String>,
        message: String,
    },
    Error {
        message: String,
        fatal: bool,
    },
    TurnFinished {
        turn: u64,
        prompt: String,
        outcome: Outcome,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToolKind {
    Bash,
    Write,
    Edit,
    Read,
}

/// What a tool is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum ToolInput {
    Bash {
        command: String,
    },
    Write {
        path: String,
        content: String,
    },
    Edit {
        path: String,
        old: String,
        new: String,
    },
    Read {
        path: String,
    },
}

impl ToolInput {
    /// The tool that takes this.
    pub(crate) fn kind(&self) -> ToolKind {
        match self {
            Self::Bash { .. } => ToolKind::Bash,
            Self::Write { .. } => ToolKind::Write,
            Self::Edit { .. } => ToolKind::Edit,
            Self::Read { .. } => ToolKind::Read,
        }
    }
}

/// One choice of a question.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct QuestionOption {
    pub(crate) label: String,
    pub(crate) description: String,
}

/// One line of a to-do list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TodoItem {
    pub(crate) text: String,
    pub(crate) status: TodoStatus,
}

/// How far a to-do item is.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TodoStatus {
    Pending,
    InProgress,
    Completed,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Completed,
    Interrupted,
    Failed,
}

/// A line that the agent takes, beside its `id`.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Input {
    Prompt {
        text: String,
        #[serde(default)]
        images: Vec<Value>,
    },
    Answer {
        question: String,
        answers: Vec<String>,
    },
    Approval {
        approval: String,
        decision: ApprovalDecision,
        #[serde(default)]
        message: Option<String>,
        /// What is run instead of what was asked for.
        #[serde(default)]
        command: Option<String>,
    },
    Plan {
        plan: String,
        decision: PlanDecision,
        #[serde(default)]
        message: Option<String>,
    },
    Interrupt,
    SetModel {
        model: String,
    },
    Compact,
    Clear,
}

/// Whether a command may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ApprovalDecision {
    Allow,
    Deny,
}

/// Whether a plan is to be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlanDecision {
    Accept,
    Reject,
}
