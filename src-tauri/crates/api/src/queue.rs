//! Saying something to an agent, now or after its turn, and what clients ask of what waits.

use paddock_domain::{Attachment, InputId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Says something to an agent, now or after its turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SendRequest {
    /// Chosen by the client; a repeated id is acknowledged and not delivered again. Made when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_id: Option<InputId>,
    /// What to say.
    pub text: String,
    /// Files that go with it, as their uploads said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// When.
    #[serde(default)]
    pub when: SendWhen,
}

/// When a message goes to the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SendWhen {
    /// Now: it begins a turn, or joins the one under way where the harness can steer; an agent that cannot
    /// be steered hears it when its turn is over. A stopped task is revived for it.
    #[default]
    Now,
    /// Behind everything queued, when the turn under way has ended plainly; until then it can be edited,
    /// moved and removed.
    AfterTurn,
}

/// A message was taken and will reach the agent once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sent {
    /// The message's id: a repeat with the same id is taken and not delivered again.
    pub input_id: InputId,
    /// Whether it waits in the queue.
    #[serde(default)]
    pub queued: bool,
}

/// Puts the queue in another order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowUpOrder {
    /// Every message in the queue, once, the next first.
    pub order: Vec<InputId>,
}

/// Changes a message in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowUpEdit {
    /// What is to be said in its place.
    pub text: String,
}
