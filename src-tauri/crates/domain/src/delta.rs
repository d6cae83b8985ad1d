//! What streams while an agent works. Deltas go to live clients and are never journalled: the message
//! that they build arrives whole as an event.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A piece of something that is being said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Delta {
    /// What it is a piece of.
    pub kind: DeltaKind,
    /// Which message or tool call it belongs to, unique within the turn.
    pub key: String,
    /// The text to append.
    pub text: String,
    /// The call of the sub-agent that says it, where the program tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
}

/// What a delta is a piece of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeltaKind {
    /// The agent's message.
    Text,
    /// Its thinking.
    Thinking,
    /// The output of a tool call; `key` is the call's id.
    ToolOutput,
}
