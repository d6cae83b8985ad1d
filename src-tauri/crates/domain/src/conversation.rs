//! What an agent and a user say to each other beyond plain text: questions, approvals, plans, todos.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ApprovalId, PlanId, QuestionId, RuleOffer};

/// What a tool does, whatever its harness calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Runs a command.
    Bash,
    /// Reads a file.
    Read,
    /// Writes a whole file.
    Write,
    /// Changes a file.
    Edit,
    /// Finds files by name.
    Glob,
    /// Finds text in files.
    Grep,
    /// Reads the web or searches it.
    Web,
    /// A tool of an MCP server.
    Mcp,
    /// Another agent, started by the agent.
    Subagent,
    /// The agent's own list of things to do.
    Todo,
    /// Anything else.
    Other,
}

/// One possible answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Choice {
    /// What is chosen.
    pub label: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A question that an agent asked; each has an answer of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Question {
    /// Its id; answers name it.
    pub question_id: QuestionId,
    /// A word or two that head it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The question.
    pub text: String,
    /// What can be chosen; free text alone when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// Whether several choices may be taken.
    #[serde(default)]
    pub multiple: bool,
}

/// A user's answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Labels that were chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Text of the user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Answer {
    /// The answer as one line of text: choices, then the user's own words.
    #[must_use]
    pub fn as_text(&self) -> String {
        let words = self
            .choices
            .iter()
            .map(String::as_str)
            .chain(self.text.as_deref());
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A permission that an agent asked for before it acts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Approval {
    /// Its id; decisions name it.
    pub approval_id: ApprovalId,
    /// The tool call that waits for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// What the tool does.
    pub tool: ToolKind,
    /// The tool's own name.
    pub tool_name: String,
    /// What it would do, in one line.
    pub summary: String,
    /// Why the agent asks, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The tool's input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<serde_json::Value>,
    /// How far a permission may reach; at least once.
    pub scopes: Vec<ApprovalScope>,
    /// Rules that would cover it, narrowest first; none where it cannot be covered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<RuleOffer>,
}

/// How far a permission reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalScope {
    /// This one call.
    Once,
    /// Calls like it for the rest of the task.
    Task,
    /// Calls like it in this repository from now on.
    Repository,
    /// Calls like it in every task from now on.
    Everywhere,
}

/// A user's decision on an approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "verdict", rename_all = "snake_case", deny_unknown_fields)]
pub enum Decision {
    /// The agent may go on.
    Allow {
        /// How far this reaches.
        scope: ApprovalScope,
        /// The input to use in place of the agent's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<serde_json::Value>,
    },
    /// The agent may not.
    Deny {
        /// What the agent is told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Whether the turn ends with it.
        #[serde(default)]
        interrupt: bool,
    },
}

/// A plan that an agent proposed before acting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Plan {
    /// Its id; decisions name it.
    pub plan_id: PlanId,
    /// The plan as markdown.
    pub text: String,
}

/// A user's decision on a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "verdict", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlanDecision {
    /// Carry it out.
    Approve {
        /// The plan to carry out in place of the agent's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// Think again.
    Reject {
        /// What is wrong with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
}

/// One entry of the agent's list of things to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TodoItem {
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub status: TodoStatus,
}

/// How far an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun.
    Pending,
    /// Under way.
    InProgress,
    /// Done.
    Completed,
}
