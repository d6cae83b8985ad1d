//! Rules: what agents may do without asking, and what not; what clients ask and are told.

use paddock_domain::{Rule, RuleReach, RuleSubject, RuleVerdict, TaskId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Makes a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleRequest {
    /// Whether it allows or denies.
    pub verdict: RuleVerdict,
    /// Where it holds.
    pub reach: RuleReach,
    /// What it is about.
    pub subject: RuleSubject,
}

/// Chooses rules; all of them when nothing is chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RuleQuery {
    /// Those that hold in this task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub task_id: Option<TaskId>,
    /// Those that hold in tasks on the repository at this path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
}

/// Asks what rules make of something. Nothing is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleTest {
    /// What an agent would ask for.
    pub asked: RuleAsked,
    /// The task that would ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// Without a task, the repository that it would work on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
}

/// What an agent would ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "to", rename_all = "snake_case", deny_unknown_fields)]
pub enum RuleAsked {
    /// To run a command line.
    Run {
        /// The line.
        command: String,
    },
    /// To change a file of the repository.
    Edit {
        /// Its path from the repository's top.
        path: String,
    },
    /// To read a file of the repository.
    Read {
        /// Its path from the repository's top.
        path: String,
    },
    /// To read from the web.
    Reach {
        /// A host name.
        domain: String,
    },
    /// To use another tool.
    Use {
        /// Its name.
        tool: String,
    },
}

/// What rules make of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RuleVerdictView {
    /// What becomes of it.
    pub verdict: RuleOutcome,
    /// The rules that say so.
    pub rules: Vec<Rule>,
    /// Each command of a command line, with the rule that allows it.
    pub parts: Vec<RulePart>,
    /// Why no rule can say, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
}

/// What becomes of something that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleOutcome {
    /// It is done without asking.
    Allow,
    /// It is not done, and nobody is asked.
    Deny,
    /// The user is asked.
    Ask,
}

/// One command of a command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RulePart {
    /// The command as it reaches the program.
    pub command: String,
    /// The rule that allows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
}
