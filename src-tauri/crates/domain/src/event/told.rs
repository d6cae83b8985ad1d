//! The words in which events tell: how a turn or a run ended, what kind of thing went wrong, what a message is
//! made of. Wire names are snake case and never change.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A part of an agent's message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its text.
    pub content: String,
}

/// What a part of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// Markdown.
    Text,
    /// A refusal.
    Refusal,
}

/// Why a context was shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CondensePolicy {
    /// The agent did it as its window filled.
    RollingWindow,
    /// A user asked for it.
    Requested,
    /// A user cleared it.
    Cleared,
    /// Another harness took over.
    ProviderHandoff,
    /// The task began as a fork, without the session of the one before.
    Forked,
    /// The agent had lost its session: a new one begins with this summary of the journal.
    SessionLost,
}

/// What a user wishes to become of an agent's context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Condensing {
    /// Shorter.
    Compact,
    /// Empty.
    Clear,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnOutcome {
    /// The agent is done with the prompt.
    Completed,
    /// It gave up with an error.
    Failed,
    /// The user ended it.
    Interrupted,
    /// The run ended under it.
    RunEnded,
}

/// How an agent process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum RunExit {
    /// It returned a code.
    Code {
        /// The code.
        code: i32,
    },
    /// A signal ended it.
    Signal {
        /// The signal's number.
        signal: i32,
    },
    /// It could not be executed.
    NotStarted,
    /// It is gone, and nobody saw how.
    Lost,
}

/// What kind of thing went wrong; clients tell the user what to do by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The key or login is missing or wrong.
    Auth,
    /// A usage limit is reached.
    Quota,
    /// The provider is overloaded.
    Overload,
    /// The provider cannot be reached.
    Network,
    /// The conversation no longer fits the model.
    ContextTooLong,
    /// The provider refused the request.
    Refused,
    /// The agent program misbehaved.
    Agent,
    /// The agent no longer knows the session that it was to go on with.
    SessionLost,
    /// It said something that its codec does not know.
    UnknownLine,
    /// Setting up the branch, the box or the agent failed.
    Setup,
    /// Git could not do its part.
    Git,
    /// Paddock itself failed.
    Internal,
}

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Something is not as asked for.
    Warning,
}

/// A part of setting up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Making branches.
    Branching,
    /// Making the box.
    Provisioning,
    /// Starting the agent.
    Starting,
}
