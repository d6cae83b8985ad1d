//! What a repository still knows of a task whose journal is lost: its branch, and where it began.

use paddock_domain::TaskId;
use paddock_exec::Place;

use crate::git::Git;
use crate::{Branch, GitError, Oid, Repository, refs};

/// The branch of a task and the commit from which it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// The branch.
    pub branch: Branch,
    /// Where it began.
    pub base: Oid,
}

/// The branch that `task` has in `repository`, by the refs that were kept for it; nothing when there are
/// none.
///
/// # Errors
/// [`GitError`].
pub async fn claimed(
    place: &dyn Place,
    repository: &Repository,
    task: &TaskId,
) -> Result<Option<Claimed>, GitError> {
    let prefix = format!("refs/paddock/{task}/");
    let kept = refs::list(place, &Git::bare(&repository.git_dir), &prefix).await?;
    let (mut branch, mut base) = (None, None);
    for (name, commit) in kept {
        let name = name.strip_prefix(&prefix).unwrap_or_default();
        if name == "base" {
            base = Some(commit);
            continue;
        }
        let named = name
            .strip_prefix("claim/")
            .or_else(|| name.strip_prefix("heads/"));
        branch = branch.or_else(|| Branch::parse(named?).ok());
    }
    Ok(branch
        .zip(base)
        .map(|(branch, base)| Claimed { branch, base }))
}
