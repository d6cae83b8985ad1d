//! Shows what an entry of the trash holds.

use paddock_domain::{CommitView, DiffStat};
use paddock_exec::Place;

use super::{Kept, tree_of};
use crate::diff::{Diff, DiffLimits, between, stat_between};
use crate::git::Git;
use crate::log::{Log, log};
use crate::{GitError, Oid, Repository};

/// How many commits are listed.
const MOST_COMMITS: usize = 200;

/// What an entry of the trash holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookedInto {
    /// The uncommitted files.
    pub files: DiffStat,
    /// Commits that are on no branch of the user, of a remote, and under no tag; newest first.
    pub commits: Vec<CommitView>,
    /// Commits beyond those listed.
    pub more_commits: u64,
    /// What the uncommitted files changed.
    pub diff: Diff,
}

/// Looks into `kept`; the text of its changes is that of `path` alone if given.
///
/// # Errors
/// [`GitError`].
pub async fn look_into(
    place: &dyn Place,
    repository: &Repository,
    kept: &Kept,
    path: Option<&str>,
    limits: DiffLimits,
) -> Result<LookedInto, GitError> {
    let git = Git::bare(&repository.git_dir);
    let files = tree_of(place, &git, &kept.commit).await?;
    let from = match &kept.head {
        Some(head) => tree_of(place, &git, head).await?,
        None => Oid::empty_tree(files.format()),
    };
    let tips = kept
        .head
        .iter()
        .chain(kept.others.iter().map(|(_, oid)| oid));
    let tips: Vec<Oid> = tips.cloned().collect();
    let only_here = ["--not", "--branches", "--remotes", "--tags"];
    let Log { commits, more } = log(place, &git, &tips, &only_here, MOST_COMMITS).await?;
    Ok(LookedInto {
        files: stat_between(place, &git, &from, &files).await?,
        diff: between(place, &git, &from, &files, path, limits).await?,
        commits,
        more_commits: more,
    })
}
