//! Repositories on the host, as a user looks at them before a task starts.

use paddock_domain::RepositorySpec;
use paddock_git::{Head, inspect, resolve_base};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::CommandError;
use crate::rooms::Rooms;

/// What is known of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepositoryInfo {
    /// The checkout's top directory.
    pub path: String,
    /// The branch it stands on; absent when a commit alone is checked out.
    pub branch: Option<String>,
    /// The branch that others call the main one.
    pub default_branch: Option<String>,
    /// Names of its remotes.
    pub remotes: Vec<String>,
    /// Whether it has changes that no commit holds; they stay where they are.
    pub dirty: bool,
    /// Whether its history is cut off.
    pub shallow: bool,
    /// What a user should know before a task starts from it.
    pub notices: Vec<String>,
    /// Names that a task can start from, most recent first; the first of them.
    pub branches: Vec<String>,
}

/// How many names a look at a repository lists.
const NAMES: usize = 50;

pub(crate) async fn look(rooms: &Rooms, path: &str) -> Result<RepositoryInfo, CommandError> {
    let found = inspect(&rooms.host, path).await.map_err(not_found)?;
    let branch = match &found.head {
        Head::Branch { name, .. } | Head::Unborn { name } => Some(name.clone()),
        Head::Detached { .. } => None,
    };
    let names = paddock_git::branch_names(&rooms.host, &found.git_dir, "", NAMES)
        .await
        .map_err(CommandError::failed)?;
    Ok(RepositoryInfo {
        branches: names.items.into_iter().map(|name| name.name).collect(),
        branch,
        notices: found.notices(),
        dirty: found.dirty,
        shallow: !found.shallow.is_empty(),
        remotes: found
            .remotes
            .into_iter()
            .map(|remote| remote.name)
            .collect(),
        default_branch: found.default_branch,
        path: found.root,
    })
}

/// Refuses what a task could not start from.
pub(crate) async fn check(rooms: &Rooms, spec: &RepositorySpec) -> Result<(), CommandError> {
    let found = inspect(&rooms.host, &spec.path).await.map_err(not_found)?;
    let missing = |error: &dyn std::fmt::Display| CommandError::NotFound {
        what: "branch",
        message: error.to_string(),
    };
    if let Some(branch) = &spec.branch {
        let branch = paddock_git::Branch::parse(branch).map_err(|error| missing(&error))?;
        paddock_git::adopt_branch(&rooms.host, &[&found], &branch)
            .await
            .map_err(|error| missing(&error))?;
    }
    let base = resolve_base(&rooms.host, &found, spec.base.as_deref()).await;
    base.map(drop).map_err(|error| missing(&error))
}

fn not_found(error: impl std::fmt::Display) -> CommandError {
    CommandError::missing_or_failed("repository", true, error)
}
