//! Git that reaches a remote without asking anyone anything.

use std::time::Duration;

use paddock_exec::{Command, Limits, Place};

use crate::GitError;
use crate::disarm::Disarmed;
use crate::git::Git;

/// For commands that speak with a remote.
pub(crate) const REACH: Limits = Limits {
    stdout: 16 << 20,
    time: Duration::from_secs(300),
};

/// Git for one repository and its remotes, with the user's helpers and not the repository's.
pub(crate) struct Network(Git);

impl Network {
    pub(crate) async fn of(place: &dyn Place, git_dir: &str) -> Result<Self, GitError> {
        let git = Git::bare(git_dir);
        let disarmed = Disarmed::read(place, &git).await?;
        let mut git = git.config(&disarmed.network);
        if let Some(ssh) = &disarmed.ssh {
            git = git.env("GIT_SSH_COMMAND", ssh);
        }
        Ok(Self(git))
    }

    pub(crate) fn git(&self) -> &Git {
        &self.0
    }

    pub(crate) fn command<S: Into<String>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        self.0.command(args)
    }
}
