//! Sessions that agent programs keep for themselves: those that a user may go on with, and what was said
//! in one before Paddock had it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{HarnessName, TaskId, Timestamp};

/// A session of an agent program, as its own history tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PastSession {
    /// Whose it is.
    pub harness: HarnessName,
    /// The agent's own id for it.
    pub session_id: String,
    /// Its title, or the first words that the user said in it; empty when nobody said any.
    pub title: String,
    /// The directory that it worked in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_at: Option<Timestamp>,
    /// When it was last written to; absent where a box does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_at: Option<Timestamp>,
    /// How long its history is, in bytes.
    pub size: u64,
    /// How often the user said something; absent for a history that is too long to be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts: Option<u64>,
    /// The task that goes on with it, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
}

/// Something that was said in a session before Paddock had it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PastMessage {
    /// Who said it.
    pub by: Speaker,
    /// What was said; of a tool, its name and what it was called with.
    pub text: String,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// Who said something in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The user.
    User,
    /// The agent.
    Agent,
    /// The agent called a tool.
    Tool,
}

impl PastMessage {
    /// Most messages that are told of one session.
    pub const COUNT_MAX: usize = 400;
    /// Longest text that is told of one message, in bytes.
    pub const TEXT_MAX: usize = 8 << 10;
    /// Most bytes of text that are told of one session.
    pub const TOTAL_MAX: usize = 256 << 10;

    /// Shortens the text to [`Self::TEXT_MAX`]; what is cut off is marked.
    #[must_use]
    pub fn shortened(mut self) -> Self {
        const MARK: &str = " […]";
        if self.text.len() > Self::TEXT_MAX {
            let end = self.text.floor_char_boundary(Self::TEXT_MAX - MARK.len());
            self.text.truncate(end);
            self.text.push_str(MARK);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_two_characters_and_marked() {
        let message = |text: String| PastMessage {
            by: Speaker::User,
            text,
            at: None,
        };
        let long = message("ä".repeat(PastMessage::TEXT_MAX)).shortened();
        assert!(long.text.len() <= PastMessage::TEXT_MAX && long.text.ends_with("ä […]"));
        let short = message("as it is".to_owned());
        assert_eq!(short.clone().shortened(), short);
    }
}
