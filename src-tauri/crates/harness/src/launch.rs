//! Launch plans: what a box needs to start an agent program.

use std::collections::BTreeMap;

use paddock_domain::PermissionMode;

/// Tokens that fit a model of a provider of the user's own, where nobody says.
pub(crate) const OWN_MODEL_CONTEXT: u32 = 200_000;
/// Tokens that such a model writes at most.
pub(crate) const OWN_MODEL_OUTPUT: u32 = 32_000;

/// What a run is to be.
#[derive(Clone, Copy, Debug)]
pub struct LaunchRequest<'a> {
    /// The model, in the harness's words; its default when absent.
    pub model: Option<&'a str>,
    /// How hard the model thinks, in the harness's words.
    pub effort: Option<&'a str>,
    /// What the agent may do without asking.
    pub permission_mode: PermissionMode,
    /// The agent's home in the box: an absolute path of its own.
    pub home: &'a str,
    /// Where it works: an absolute path in the box.
    pub work_dir: &'a str,
    /// The agent's own id of the session to go on with.
    pub resume: Option<&'a str>,
    /// Whether that session stays as it is, and the run goes on with a copy of its own.
    pub fork: bool,
    /// A fresh UUID, for harnesses that let us choose the session's id.
    pub session_id: &'a str,
    /// Provider variables that are set, base URLs already as the box reaches them.
    pub provider: &'a BTreeMap<String, String>,
}

impl<'a> LaunchRequest<'a> {
    /// The value of a provider variable; an empty one counts as not set.
    pub(crate) fn provided(&self, variable: &str) -> Option<&'a str> {
        let value = self.provider.get(variable).map(String::as_str);
        value.filter(|value| !value.trim().is_empty())
    }
}

/// How to start an agent program in a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchPlan {
    /// Its arguments, without the program itself. Never a secret.
    pub args: Vec<String>,
    /// Its environment beyond what the box sets (`PATH`, `LANG`, `TMPDIR` …). May hold secrets.
    pub env: BTreeMap<String, String>,
    /// Files it needs. Never a secret.
    pub files: Vec<PlanFile>,
    /// What the user should know about the choices made here, each one sentence.
    pub notices: Vec<String>,
}

/// A file below the agent's home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    /// Path relative to the home.
    pub path: String,
    /// Its whole content.
    pub content: String,
    /// Unix permission bits.
    pub mode: u32,
}

/// The agent cannot be launched like this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// No key or login is there.
    #[error("{harness} has no key: set {} where `paddock serve` runs, or store one with Paddock", variables.join(" or "))]
    MissingKey {
        /// The harness.
        harness: &'static str,
        /// Variables of which one is needed.
        variables: &'static [&'static str],
    },
    /// The harness is known not to have this model.
    #[error("{harness} has no model `{model}`: {hint}")]
    UnknownModel {
        /// The harness.
        harness: &'static str,
        /// What was asked for.
        model: String,
        /// What to choose.
        hint: &'static str,
    },
    /// The harness does not know this effort.
    #[error("{harness} has no effort `{effort}`: choose one of {}", known.join(", "))]
    UnknownEffort {
        /// The harness.
        harness: &'static str,
        /// What was asked for.
        effort: String,
        /// What there is, least first.
        known: &'static [&'static str],
    },
    /// A value would be taken for an option or cannot be passed.
    #[error("`{value}` cannot be the {field} of {harness}: {reason}")]
    BadValue {
        /// The harness.
        harness: &'static str,
        /// Which value.
        field: &'static str,
        /// What it is.
        value: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// Refuses values that a command line would take for options or that hide characters.
pub(crate) fn plain(
    harness: &'static str,
    field: &'static str,
    value: &str,
) -> Result<(), LaunchError> {
    let reason = if value.is_empty() {
        "it is empty"
    } else if value.starts_with('-') {
        "it begins like an option"
    } else if value.chars().any(|c| c.is_control() || c.is_whitespace()) {
        "it has spaces or control characters"
    } else {
        return Ok(());
    };
    let value = value.chars().take(80).collect();
    Err(LaunchError::BadValue {
        harness,
        field,
        value,
        reason,
    })
}

/// Refuses an effort that is not among `known`.
pub(crate) fn known_effort(
    harness: &'static str,
    effort: Option<&str>,
    known: &'static [&'static str],
) -> Result<(), LaunchError> {
    match effort {
        Some(effort) if !known.contains(&effort) => Err(LaunchError::UnknownEffort {
            harness,
            effort: effort.chars().take(80).collect(),
            known,
        }),
        Some(_) | None => Ok(()),
    }
}
