//! The lines of the scripted agent.

use paddock_domain::{Choice, Timestamp, TodoItem, ToolKind};
use serde::Deserialize;
use serde_json::Value;

/// What it says.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Line {
    Session {
        id: String,
        #[serde(default)]
        model: Option<String>,
    },
    TurnStarted {},
    Text {
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
        kind: String,
        input: Value,
    },
    ToolFinished {
        call: String,
        ok: bool,
        output: String,
        #[serde(default)]
        exit: Option<i32>,
        /// In base64.
        #[serde(default)]
        images: Vec<String>,
    },
    Question(AskedQuestion),
    Approval(AskedApproval),
    Plan(ProposedPlan),
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
    },
    Usage {
        input_tokens: u64,
        output_tokens: u64,
        #[serde(default)]
        cached_tokens: u64,
        #[serde(default)]
        context_window: Option<u64>,
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
        message: String,
        resets_at: Option<Timestamp>,
    },
    Error {
        message: String,
        #[serde(default)]
        fatal: bool,
    },
    TurnFinished {
        outcome: Outcome,
    },
}

/// A question.
#[derive(Deserialize)]
pub(super) struct AskedQuestion {
    pub question: String,
    #[serde(default)]
    pub header: Option<String>,
    pub text: String,
    #[serde(default)]
    pub options: Vec<Choice>,
    #[serde(default)]
    pub multiple: bool,
}

/// A call that needs a permission.
#[derive(Deserialize)]
pub(super) struct AskedApproval {
    pub approval: String,
    pub call: String,
    pub kind: String,
    pub input: Value,
    #[serde(default)]
    pub reason: Option<String>,
}

/// A plan.
#[derive(Deserialize)]
pub(super) struct ProposedPlan {
    pub plan: String,
    pub text: String,
}

/// How a turn ended.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Completed,
    Interrupted,
    Failed,
}

/// What a tool of this name does.
pub(super) fn kind(name: &str) -> ToolKind {
    match name {
        "bash" => ToolKind::Bash,
        "write" => ToolKind::Write,
        "edit" => ToolKind::Edit,
        "read" => ToolKind::Read,
        _ => ToolKind::Other,
    }
}

/// What we said, as far as a replay has to understand it.
#[derive(Deserialize)]
pub(super) struct Said {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub question: Option<String>,
    #[serde(default)]
    pub approval: Option<String>,
    #[serde(default)]
    pub plan: Option<String>,
}
