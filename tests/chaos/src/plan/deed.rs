//! What a user does while a round goes on, beside answering what is asked.

use serde_json::Value;

use crate::journal::{kind, text};

/// One thing that a user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Says something more.
    Say(String),
    /// Ends the turn.
    Interrupt,
    /// Ends the run.
    Stop,
    /// Starts the agent again.
    Revive,
    /// Brings commits out and pushes them.
    Sync(Target),
    /// Removes the box and takes that back.
    PurgeAndRestore,
    /// Looks at what changed.
    Diff,
    /// Wishes something of the agent's context or model.
    Wish(Wish),
}

/// What a user wishes of an agent beside its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// A shorter context.
    Compact,
    /// An empty one.
    Clear,
    /// Another model.
    Model(String),
}

impl Wish {
    /// Whether this event of a journal is such a wish.
    pub(crate) fn is(&self, event: &Value) -> bool {
        match self {
            Self::Compact => is_condensing(event, "compact"),
            Self::Clear => is_condensing(event, "clear"),
            Self::Model(model) => {
                kind(event) == "agent_tuned" && text(event, "model") == model.as_str()
            }
        }
    }
}

fn is_condensing(event: &Value, what: &str) -> bool {
    kind(event) == "condensing_wished" && text(event, "what") == what
}

/// Where a sync goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Branch,
    Local,
}
