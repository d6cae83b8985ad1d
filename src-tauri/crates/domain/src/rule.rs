//! Rules: what agents may do without asking, and what they may not do at all.
//!
//! A rule is data. What it covers is decided in one place, the room `policy`, so that the journal, the
//! API and the user interface can show the very rule that made a decision.
//!
//! Start at [`Rule`].

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ApprovalScope, RuleId, TaskId, Timestamp};

/// A standing answer to what agents ask for. Where an allowing and a denying rule both cover something, it
/// is denied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its id.
    pub rule_id: RuleId,
    /// Whether it allows or denies.
    pub verdict: RuleVerdict,
    /// Where it holds.
    pub reach: RuleReach,
    /// What it is about.
    pub subject: RuleSubject,
    /// When it was made.
    pub made_at: Timestamp,
    /// The task whose approval it was made from; absent when it was written by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_in: Option<TaskId>,
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleVerdict {
    /// It may be done without asking.
    Allow,
    /// It may not be done, and nobody is asked.
    Deny,
}

/// Where a rule holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "scope", rename_all = "snake_case", deny_unknown_fields)]
pub enum RuleReach {
    /// In one task.
    Task {
        /// Which.
        task_id: TaskId,
    },
    /// In every task on one repository.
    Repository {
        /// Its path on the host.
        path: String,
    },
    /// In every task.
    Everywhere,
}

/// What a rule is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "on", rename_all = "snake_case", deny_unknown_fields)]
pub enum RuleSubject {
    /// One command with its arguments. Everything that a command line runs must be covered by itself.
    Command {
        /// Its words. `*` within a word stands for any characters of that word; a last word `*` for any
        /// further words, and none.
        command: String,
    },
    /// Writing, changing and removing files of a repository.
    Edit {
        /// A path from the repository's top: `*` for a part of a name, `**` for any number of directories.
        paths: String,
    },
    /// Reading files of a repository.
    Read {
        /// As for edits.
        paths: String,
    },
    /// Reading from the web.
    Web {
        /// A host name; `*.` before it for all below it.
        domain: String,
    },
    /// Any other tool, by the name that its harness gives it.
    Tool {
        /// Its name; `*` for any part of it.
        tool: String,
    },
}

/// Subjects that would cover what an agent asked for, to be taken together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RuleOffer {
    /// One subject a part.
    pub subjects: Vec<RuleSubject>,
}

/// What of a decision is to hold from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeepRule {
    /// Where: the task, its repositories, or everywhere.
    pub scope: ApprovalScope,
    /// About what; the first that the approval offers when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<RuleSubject>,
}

impl RuleSubject {
    /// Longest text of a subject, in bytes.
    pub const TEXT_MAX: usize = 4096;

    /// The pattern itself.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Command { command } => command,
            Self::Edit { paths } | Self::Read { paths } => paths,
            Self::Web { domain } => domain,
            Self::Tool { tool } => tool,
        }
    }
}

impl fmt::Display for RuleVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        })
    }
}

impl fmt::Display for RuleReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Task { task_id } => write!(f, "in task {task_id}"),
            Self::Repository { path } => write!(f, "in {path}"),
            Self::Everywhere => f.write_str("everywhere"),
        }
    }
}

impl fmt::Display for RuleSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command { command } => write!(f, "command `{command}`"),
            Self::Edit { paths } => write!(f, "edit `{paths}`"),
            Self::Read { paths } => write!(f, "read `{paths}`"),
            Self::Web { domain } => write!(f, "web `{domain}`"),
            Self::Tool { tool } => write!(f, "tool `{tool}`"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.verdict, self.subject, self.reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_back_and_says_itself_in_words() {
        let json = r#"{"rule_id":"r1","verdict":"allow","reach":{"scope":"repository","path":"/r"},"subject":{"on":"command","command":"cargo build"},"made_at":"1970-01-01T00:00:00.000Z"}"#;
        let rule: Rule = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&rule).unwrap(), json);
        assert_eq!(rule.to_string(), "allow command `cargo build` in /r");
    }
}
