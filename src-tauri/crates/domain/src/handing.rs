//! A task that goes on otherwise: as a fork beside itself, or with another agent in its place.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Attachment, Contender, RequestKey};

/// Forks a task: another with a branch and a box of its own begins where this one stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForkRequest {
    /// What the agent of the fork is told first.
    pub prompt: String,
    /// Files that go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// A title of the user's own; taken from the prompt when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether files that no commit holds come along.
    #[serde(default)]
    pub uncommitted: bool,
    /// Another agent for the fork; the same when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Contender>,
    /// Chosen by the client: a repeated key gives the fork that is there and makes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_key: Option<RequestKey>,
}

/// Hands a task to another agent, which goes on in the same box from a summary of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HandOffRequest {
    /// The agent that takes over.
    pub to: Contender,
    /// Why; shown in the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
