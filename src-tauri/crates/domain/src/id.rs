//! Ids: short texts that are safe in paths, labels, branch names and URLs.
//!
//! A task's id is stable for ever, a run's is ephemeral. Ids are made from a time and randomness that
//! the caller gives, so this room stays pure.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What was offered is not an id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{offered}` is not a {noun}: use 1 to {max} characters of a-z, 0-9, `-`, `_` and `.`")]
pub struct InvalidId {
    /// The noun that was expected.
    pub noun: &'static str,
    /// What came instead, cut to a length that fits a message.
    pub offered: String,
    /// Longest id of this kind, in bytes.
    pub max: usize,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident: $noun:literal, $max:literal, $allowed:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(value_type = String)]
        pub struct $name(String);

        impl $name {
            /// Longest id accepted, in bytes.
            pub const MAX_LEN: usize = $max;

            /// Takes `text` as an id.
            ///
            /// # Errors
            /// [`InvalidId`] when it is empty, too long, or has a character that is not allowed.
            pub fn parse(text: &str) -> Result<Self, InvalidId> {
                let allowed: fn(char) -> bool = $allowed;
                let fits = !text.is_empty() && text.len() <= Self::MAX_LEN;
                if fits && !text.starts_with(['.', '-']) && text.chars().all(allowed) {
                    return Ok(Self(text.to_owned()));
                }
                let offered = text.chars().take(40).collect();
                Err(InvalidId { noun: $noun, offered, max: Self::MAX_LEN })
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;
            fn try_from(text: String) -> Result<Self, InvalidId> {
                Self::parse(&text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Self::parse(text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    )*};
}

fn small(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.')
}

/// Ids that agents choose: any visible ASCII.
fn visible(c: char) -> bool {
    c.is_ascii_graphic()
}

ids! {
    /// A task, for ever.
    TaskId: "task id", 40, small;
    /// One life of an agent process.
    RunId: "run id", 40, small;
    /// From one prompt to the result that ends it.
    TurnId: "turn id", 40, small;
    /// Tasks that try the same with several agents.
    GroupId: "group id", 40, small;
    /// One line of a journal.
    EventId: "event id", 40, small;
    /// A message to an agent; a repeated id is never delivered twice.
    InputId: "input id", 64, visible;
    /// A request to create a task; a repeated key creates nothing again.
    RequestKey: "request key", 64, visible;
    /// A question that an agent asked.
    QuestionId: "question id", 128, visible;
    /// A permission that an agent asked for.
    ApprovalId: "approval id", 128, visible;
    /// A plan that an agent proposed.
    PlanId: "plan id", 128, visible;
    /// An agent program and its protocol.
    HarnessName: "harness name", 32, small;
    /// A login or key for a harness.
    AccountName: "account name", 40, small;
    /// A terminal in a task's box.
    TerminalName: "terminal name", 32, small;
    /// A template.
    TemplateName: "template name", 60, small;
    /// A rule.
    RuleId: "rule id", 40, small;
    /// A machine that can hold boxes.
    HostName: "host name", 64, small;
}

macro_rules! made {
    ($($name:ident),*) => {$(
        impl $name {
            /// A new id that sorts by `unix_ms`, unique by `random`.
            #[must_use]
            pub fn new(unix_ms: u64, random: u128) -> Self {
                Self(ulid::Ulid::from_parts(unix_ms, random).to_string().to_ascii_lowercase())
            }
        }
    )*};
}

made!(TaskId, RunId, TurnId, EventId, GroupId, RuleId);

impl From<EventId> for InputId {
    /// Every event id is an input id: shorter, and of fewer characters.
    fn from(id: EventId) -> Self {
        Self(id.0)
    }
}

impl HostName {
    /// This machine.
    #[must_use]
    pub fn local() -> Self {
        Self("local".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_ids_sort_by_time_and_are_ids() {
        let (a, b) = (TaskId::new(1, u128::MAX), TaskId::new(2, 0));
        assert!(a < b);
        assert_eq!(TaskId::parse(a.as_str()), Ok(a));
    }

    #[test]
    fn what_could_leave_a_directory_or_a_label_is_refused() {
        for bad in [
            "",
            "..",
            "-x",
            ".x",
            "a/b",
            "A",
            "a b",
            "ä",
            "a\n",
            &"x".repeat(41),
        ] {
            assert!(TaskId::parse(bad).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn json_with_a_bad_id_is_refused() {
        assert!(serde_json::from_str::<TaskId>("\"../x\"").is_err());
        assert!(serde_json::from_str::<TaskId>("\"x-1\"").is_ok());
    }
}
