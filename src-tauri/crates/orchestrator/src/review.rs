//! What a reviewer asks: a task's commits, and names to start or to compare from.

use paddock_domain::{BranchNames, TaskCommits, TaskId};

use crate::runner::Order;
use crate::{CommandError, Orchestrator};

/// How many names are listed when nobody says.
const NAMES: usize = 50;

impl Orchestrator {
    /// The commits of a task, in one repository or in all.
    ///
    /// # Errors
    /// [`CommandError::Bad`] before the task has its branch, [`CommandError::NotFound`] for a repository
    /// that is not the task's.
    pub async fn commits(
        &self,
        id: &TaskId,
        repository: Option<String>,
    ) -> Result<TaskCommits, CommandError> {
        self.order(id, |reply| Order::Commits(repository, reply))
            .await
    }

    /// Names that a task on the repository at `path` can start from and that begin with `prefix`.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] when there is no repository.
    pub async fn branch_names(
        &self,
        path: &str,
        prefix: &str,
        limit: Option<usize>,
    ) -> Result<BranchNames, CommandError> {
        let host = &self.rooms.host;
        let git_dir = paddock_git::locate(host, path)
            .await
            .map_err(|error| CommandError::missing_or_failed("repository", true, error))?;
        paddock_git::branch_names(host, &git_dir, prefix, limit.unwrap_or(NAMES))
            .await
            .map_err(CommandError::failed)
    }
}
