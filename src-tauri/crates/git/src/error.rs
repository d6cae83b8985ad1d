//! Why git could not be run, or not be understood.
//!
//! Every family of operations has an error of its own with the cases that a caller can act upon;
//! what is left over is a [`GitError`] inside it.

use paddock_exec::{ExecError, Exit};

use crate::Version;

/// Git failed in a way that the operation did not foresee.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// There is no git in that place.
    #[error("git was not found there: install git {} or newer", Version::NEEDED)]
    Missing,
    /// The git there cannot do what is needed.
    #[error("git {found} is too old: install git {} or newer", Version::NEEDED)]
    TooOld {
        /// The version there.
        found: Version,
    },
    /// It ended with something other than 0.
    #[error("`git {verb}` failed ({exit:?}): {stderr}")]
    Failed {
        /// The git command, such as `update-ref`.
        verb: String,
        /// How it ended.
        exit: Exit,
        /// The end of its standard error.
        stderr: String,
    },
    /// It printed something that its documentation does not promise.
    #[error("`git {verb}` printed something that cannot be read: {what}; please report this")]
    Unreadable {
        /// The git command.
        verb: String,
        /// What was wrong.
        what: String,
    },
    /// It could not be run at all, or went over a limit.
    #[error(transparent)]
    Exec(ExecError),
}

impl GitError {
    /// Whether the repository may be damaged: git ran, and could not do with it what it does with a sound
    /// one.
    #[must_use]
    pub fn may_be_damage(&self) -> bool {
        matches!(self, Self::Failed { .. } | Self::Unreadable { .. })
    }

    pub(crate) fn unreadable(verb: &str, what: impl Into<String>) -> Self {
        Self::Unreadable {
            verb: verb.to_owned(),
            what: what.into(),
        }
    }
}

impl From<ExecError> for GitError {
    fn from(error: ExecError) -> Self {
        if matches!(error, ExecError::NotFound { .. }) {
            return Self::Missing;
        }
        Self::Exec(error)
    }
}
