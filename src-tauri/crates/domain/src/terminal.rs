//! A terminal in a task's box: a shell of the user's, or the agent's own program.
//!
//! What is shown on it and typed on it is nobody's record: it is not journalled. That an agent's own
//! program was given the task's session is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{RunExit, TerminalName, Timestamp};

/// One terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Terminal {
    /// Its name, by which it is found; unique in its box.
    pub name: TerminalName,
    /// What runs on it.
    pub what: TerminalKind,
    /// The program, as it was started.
    pub program: String,
    /// Its size.
    pub size: TerminalSize,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// How its program ended; absent while it lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<RunExit>,
}

/// What runs on a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TerminalKind {
    /// A shell.
    #[default]
    Shell,
    /// The agent's own program for people, with the task's session.
    Agent,
}

/// The size of a terminal, in character cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TerminalSize {
    /// Height, 1 to 500.
    pub rows: u16,
    /// Width, 1 to 1,000.
    pub cols: u16,
}

impl TerminalSize {
    /// Most rows.
    pub const ROWS_MAX: u16 = 500;
    /// Most columns.
    pub const COLS_MAX: u16 = 1_000;

    /// The nearest size within the bounds.
    #[must_use]
    pub fn bounded(self) -> Self {
        Self {
            rows: self.rows.clamp(1, Self::ROWS_MAX),
            cols: self.cols.clamp(1, Self::COLS_MAX),
        }
    }
}

impl Default for TerminalSize {
    fn default() -> Self {
        Self { rows: 24, cols: 80 }
    }
}

/// Opens a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TerminalRequest {
    /// What is to run on it; a shell when absent.
    #[serde(default)]
    pub what: TerminalKind,
    /// Its name; the next free one, such as `shell-2`, when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<TerminalName>,
    /// Its size; 24 rows of 80 columns when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<TerminalSize>,
}

impl TerminalRequest {
    /// The name to give it where `taken` are taken: the one that is asked for, else the next free one.
    #[must_use]
    pub fn name_among(&self, taken: &[TerminalName]) -> Option<TerminalName> {
        if self.name.is_some() {
            return self.name.clone();
        }
        let stem = match self.what {
            TerminalKind::Shell => "shell",
            TerminalKind::Agent => "agent",
        };
        let mut numbered = (1..=taken.len() + 1).map(|n| format!("{stem}-{n}"));
        let free = numbered.find(|name| taken.iter().all(|taken| taken.as_str() != name));
        free.and_then(|name| TerminalName::parse(&name).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_was_asked_for_or_the_next_free_one() {
        let name = |text: &str| TerminalName::parse(text).unwrap();
        let mut request = TerminalRequest::default();
        assert_eq!(request.name_among(&[]), Some(name("shell-1")));
        let taken = [name("shell-1"), name("build"), name("shell-3")];
        assert_eq!(request.name_among(&taken), Some(name("shell-2")));
        request.what = TerminalKind::Agent;
        assert_eq!(request.name_among(&taken), Some(name("agent-1")));
        request.name = Some(name("build"));
        assert_eq!(request.name_among(&taken), Some(name("build")));
    }

    #[test]
    fn a_size_is_kept_within_bounds() {
        let wild = TerminalSize {
            rows: 0,
            cols: u16::MAX,
        };
        assert_eq!(
            wild.bounded(),
            TerminalSize {
                rows: 1,
                cols: 1000
            }
        );
    }
}
