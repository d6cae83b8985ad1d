//! What can be searched for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What kind of words an event has.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// What a task was created with: its title and its prompt.
    Prompt,
    /// What a user said later, an answer among it.
    Message,
    /// What the agent said.
    Agent,
    /// What it thought.
    Thinking,
    /// A tool call: its command, its file, its input.
    Tool,
    /// What a tool call gave that failed.
    Output,
    /// A question or a permission that was asked for.
    Question,
    /// A plan.
    Plan,
    /// Something that went wrong.
    Error,
    /// Something worth knowing.
    Notice,
    /// A branch, a commit, a push.
    Branch,
}

impl SearchKind {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Prompt,
        Self::Message,
        Self::Agent,
        Self::Thinking,
        Self::Tool,
        Self::Output,
        Self::Question,
        Self::Plan,
        Self::Error,
        Self::Notice,
        Self::Branch,
    ];

    /// Its name on the wire and in a query.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Message => "message",
            Self::Agent => "agent",
            Self::Thinking => "thinking",
            Self::Tool => "tool",
            Self::Output => "output",
            Self::Question => "question",
            Self::Plan => "plan",
            Self::Error => "error",
            Self::Notice => "notice",
            Self::Branch => "branch",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_by_its_name_and_written_so() {
        for kind in SearchKind::ALL {
            assert_eq!(SearchKind::named(kind.as_str()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }
}
