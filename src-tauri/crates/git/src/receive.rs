//! Brings a box's commits home: checked objects, a ref of the task's, and the task's branch.
//!
//! What a box sends is hostile. It is stored only if every object is sound, and named only if every
//! object it needs is there. The branch is moved by compare-and-swap and only from where this room
//! left it: commits that the user put there are never lost, and a branch that the user has checked
//! out is never moved under their feet.
//!
//! Start at [`receive`].

use paddock_domain::{TaskId, Timestamp, TrashReason};
use paddock_exec::Place;

use crate::git::{Git, WORK, maybe, must};
use crate::trash::{Keeping, keep_commit};
use crate::{Branch, GitError, Oid, Pack, Repository, pack, refs};

/// What a box delivers.
#[derive(Clone, Copy, Debug)]
pub struct Delivery<'a> {
    /// The task it works for.
    pub task: &'a TaskId,
    /// The task's branch.
    pub branch: &'a Branch,
    /// The commit at which the branch was claimed or adopted.
    pub start: &'a Oid,
    /// The commit that the box has it at.
    pub tip: &'a Oid,
    /// The time now.
    pub at: Timestamp,
}

/// What became of the branch. The commits are in the repository in every case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Landed {
    /// It stood there already.
    Unchanged,
    /// It was moved forward from this commit.
    Advanced {
        /// Where it stood.
        from: Oid,
    },
    /// The agent has rewritten its commits; the branch was moved and the old commits are kept.
    Rewritten {
        /// Where it stood.
        from: Oid,
        /// The ref that keeps the old commits.
        kept: String,
    },
    /// Someone else has moved or deleted the branch: it was left alone, the commits are under
    /// `delivered`.
    Moved {
        /// Where it stands; nothing when it was deleted.
        stands: Option<Oid>,
        /// The ref that holds the box's commits.
        delivered: String,
    },
    /// It is checked out: it was left alone, the commits are under `delivered`.
    CheckedOut {
        /// Where it is checked out.
        worktree: String,
        /// The ref that holds the box's commits.
        delivered: String,
    },
}

/// Why a delivery was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiveError {
    /// The objects are not sound, or not all there.
    #[error("what the box sent is damaged or incomplete and was not taken: {detail}")]
    Damaged {
        /// What git found.
        detail: String,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// The ref that holds what was last delivered for `branch` of `task`.
#[must_use]
pub fn delivered_ref(task: &TaskId, branch: &Branch) -> String {
    format!("refs/paddock/{task}/heads/{branch}")
}

/// The commit that was last delivered for `branch` of `task`; nothing before the first.
///
/// # Errors
/// [`GitError`].
pub async fn delivered(
    place: &dyn Place,
    repository: &Repository,
    task: &TaskId,
    branch: &Branch,
) -> Result<Option<Oid>, GitError> {
    refs::read(
        place,
        &Git::bare(&repository.git_dir),
        &delivered_ref(task, branch),
    )
    .await
}

/// The commit that `branch` has in the host's `repository`, if it is there.
///
/// # Errors
/// [`GitError`].
pub async fn branch_tip(
    place: &dyn Place,
    repository: &Repository,
    branch: &Branch,
) -> Result<Option<Oid>, GitError> {
    refs::read(place, &Git::bare(&repository.git_dir), &branch.full()).await
}

/// The commit that `branch` has in the box's work tree `dir`, if it has one.
///
/// # Errors
/// [`GitError`].
pub async fn tip_in_box(
    place: &dyn Place,
    dir: &str,
    branch: &Branch,
) -> Result<Option<Oid>, GitError> {
    refs::read(place, &Git::work_tree(dir), &branch.full()).await
}

/// Stores `pack` in `repository` and moves the branch of `delivery` to its tip.
///
/// # Errors
/// [`ReceiveError`]; nothing is named then.
pub async fn receive(
    place: &dyn Place,
    repository: &Repository,
    delivery: Delivery<'_>,
    pack: Pack,
) -> Result<Landed, ReceiveError> {
    let git = Git::bare(&repository.git_dir);
    take(place, &git, std::slice::from_ref(delivery.tip), pack).await?;
    let ours = delivered_ref(delivery.task, delivery.branch);
    let last = refs::read(place, &git, &ours).await?;
    if let Some(last) = &last
        && !is_ancestor(place, &git, last, delivery.tip).await?
    {
        // The branch may stand elsewhere: what was delivered last would be nowhere any more.
        replaced(place, &git, delivery, last).await?;
    }
    let expected = last.as_ref().unwrap_or(delivery.start);
    let landed = land(place, &git, delivery, expected, ours.clone()).await?;
    // Last: whoever finds it set takes the delivery for done, also after a crash in between.
    refs::set(place, &git, &ours, delivery.tip).await?;
    Ok(landed)
}

/// Keeps `commit`, which the agent has replaced; gives the ref.
async fn replaced(
    place: &dyn Place,
    git: &Git,
    delivery: Delivery<'_>,
    commit: &Oid,
) -> Result<String, GitError> {
    let keeping = Keeping {
        task: delivery.task,
        reason: TrashReason::Rewritten,
        at: delivery.at,
    };
    let branch = Some(delivery.branch.as_str());
    let kept = keep_commit(place, git, keeping, branch, commit, Vec::new()).await?;
    Ok(kept.name)
}

/// Stores `pack`, after which all of `tips` must be commits with all that they need.
pub(crate) async fn take(
    place: &dyn Place,
    git: &Git,
    tips: &[Oid],
    pack: Pack,
) -> Result<(), ReceiveError> {
    pack::unpack(place, git, pack).await.map_err(damaged)?;
    let complete = git.command(["rev-list", "--objects", "--quiet"]);
    let complete = complete
        .args(tips.iter().map(Oid::as_str))
        .args(["--not", "--all"]);
    must(place, &complete, WORK).await.map_err(damaged)?;
    let there = refs::present(place, git, tips).await?;
    match tips.iter().find(|tip| !there.contains(tip)) {
        None => Ok(()),
        Some(tip) => Err(ReceiveError::Damaged {
            detail: format!("{tip} is not a commit"),
        }),
    }
}

fn damaged(error: GitError) -> ReceiveError {
    if let GitError::Failed { stderr, .. } = error {
        return ReceiveError::Damaged { detail: stderr };
    }
    ReceiveError::Git(error)
}

async fn land(
    place: &dyn Place,
    git: &Git,
    delivery: Delivery<'_>,
    expected: &Oid,
    delivered: String,
) -> Result<Landed, GitError> {
    let Delivery { branch, tip, .. } = delivery;
    let Some(stands) = refs::read(place, git, &branch.full()).await? else {
        let stands = None;
        return Ok(Landed::Moved { stands, delivered });
    };
    if stands == *tip {
        return Ok(Landed::Unchanged);
    }
    if let Some(worktree) = refs::checked_out(place, git, branch).await? {
        return Ok(Landed::CheckedOut {
            worktree,
            delivered,
        });
    }
    let forward = is_ancestor(place, git, &stands, tip).await?;
    if !forward && stands != *expected {
        let stands = Some(stands);
        return Ok(Landed::Moved { stands, delivered });
    }
    let kept = match forward {
        true => None,
        false => Some(replaced(place, git, delivery, &stands).await?),
    };
    if !refs::swap(place, git, &branch.full(), &stands, tip).await? {
        let stands = refs::read(place, git, &branch.full()).await?;
        return Ok(Landed::Moved { stands, delivered });
    }
    let from = stands;
    Ok(match kept {
        None => Landed::Advanced { from },
        Some(kept) => Landed::Rewritten { from, kept },
    })
}

/// Whether `newer` contains `older`.
pub(crate) async fn is_ancestor(
    place: &dyn Place,
    git: &Git,
    older: &Oid,
    newer: &Oid,
) -> Result<bool, GitError> {
    let check = git.command([
        "merge-base",
        "--is-ancestor",
        older.as_str(),
        newer.as_str(),
    ]);
    Ok(maybe(place, &check, WORK).await?.is_some())
}
