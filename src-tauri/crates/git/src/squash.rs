//! Puts a branch onto another as one commit, by a three-way merge that refuses on conflict.
//!
//! The merge is made of objects alone (`git merge-tree --write-tree`): nothing is checked out. A
//! local branch that a worktree has checked out is not moved, since that would leave its files
//! behind; the squash then goes to a remote, or the user merges there.
//!
//! Start at [`squash_preview`], then [`squash`].

use paddock_domain::DiffStat;
use paddock_exec::{Exit, Place};

use crate::diff::{PLAIN, numstat, summed};
use crate::disarm::Disarmed;
use crate::git::{Git, WORK, ask, failure, must};
use crate::preview::commit_tree;
use crate::push::{push, tracking_ref};
use crate::{Branch, GitError, Oid, RemoteError, Repository, refs};

/// The branch that a squash goes onto.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Onto {
    /// A branch of this repository.
    Local(Branch),
    /// A branch of a remote, as last fetched.
    Remote {
        /// The remote's name.
        remote: String,
        /// Its branch.
        branch: Branch,
    },
}

/// A merge without conflicts, ready to be committed.
#[derive(Clone, Debug, PartialEq)]
pub struct SquashPlan {
    /// Where it goes.
    pub onto: Onto,
    /// The commit that is there.
    pub parent: Oid,
    /// All files as they would be.
    pub tree: Oid,
    /// What it would change there.
    pub stat: DiffStat,
}

/// Why nothing was squashed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SquashError {
    /// The branch to go onto does not exist.
    #[error("there is no branch `{name}` to squash onto: check the name, or fetch it first")]
    NoSuchBranch {
        /// Its ref.
        name: String,
    },
    /// Both sides changed the same lines.
    #[error(
        "{} files conflict ({}): let the agent merge the branch first, then squash again",
        paths.len(), paths.join(", ")
    )]
    Conflicts {
        /// The files.
        paths: Vec<String>,
    },
    /// The branch has nothing that the other does not have.
    #[error("there is nothing to squash: the branch changes nothing there")]
    Nothing,
    /// The branches have no commit in common.
    #[error("the branches have no history in common: they cannot be merged")]
    Unrelated,
    /// The branch to go onto is checked out.
    #[error(
        "`{branch}` is checked out in {worktree}, which is never touched: squash onto the remote's \
         branch, check out another one there, or run `git merge --squash` there yourself"
    )]
    CheckedOut {
        /// The branch.
        branch: Branch,
        /// Where.
        worktree: String,
    },
    /// The branch has moved since the preview.
    #[error("`{name}` has moved since the preview: look at a new one")]
    Moved {
        /// Its ref.
        name: String,
    },
    /// Git does not know who commits.
    #[error("git does not know who commits: set `user.name` and `user.email`")]
    NoIdentity,
    /// The remote did not take it.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Onto {
    fn name(&self) -> String {
        match self {
            Self::Local(branch) => branch.full(),
            Self::Remote { remote, branch } => tracking_ref(remote, branch),
        }
    }
}

/// Merges `tip` with the branch `onto`, changing nothing.
///
/// # Errors
/// [`SquashError`].
pub async fn squash_preview(
    place: &dyn Place,
    repository: &Repository,
    onto: Onto,
    tip: &Oid,
) -> Result<SquashPlan, SquashError> {
    let git = Git::bare(&repository.git_dir);
    refuse_checked_out(place, &git, &onto).await?;
    let name = onto.name();
    let parent = refs::read(place, &git, &name).await?;
    let parent = parent.ok_or(SquashError::NoSuchBranch { name })?;
    let tree = merge(place, &git, &parent, tip).await?;
    let show = git.command(["diff-tree", "-r", "-z", "-M", "--numstat"]);
    let show = show
        .args(PLAIN)
        .args([parent.as_str(), tree.as_str(), "--"]);
    let listing = must(place, &show, WORK).await?.text();
    if listing.is_empty() {
        return Err(SquashError::Nothing);
    }
    Ok(SquashPlan {
        onto,
        parent,
        tree,
        stat: summed(numstat::parse(&listing)?),
    })
}

/// Commits `plan` with `message` and moves its branch there. Gives the commit.
///
/// # Errors
/// [`SquashError`]; no branch has moved then.
pub async fn squash(
    place: &dyn Place,
    repository: &Repository,
    plan: &SquashPlan,
    message: &str,
) -> Result<Oid, SquashError> {
    let git = Git::bare(&repository.git_dir);
    refuse_checked_out(place, &git, &plan.onto).await?;
    let made = commit_tree(place, &git, &plan.parent, &plan.tree, message).await?;
    let made = made.ok_or(SquashError::NoIdentity)?;
    match &plan.onto {
        Onto::Local(branch) => {
            let name = branch.full();
            if !refs::swap(place, &git, &name, &plan.parent, &made).await? {
                return Err(SquashError::Moved { name });
            }
        }
        Onto::Remote { remote, branch } => {
            push(place, repository, remote, &made, branch, Some(&plan.parent)).await?;
        }
    }
    Ok(made)
}

async fn refuse_checked_out(place: &dyn Place, git: &Git, onto: &Onto) -> Result<(), SquashError> {
    let Onto::Local(branch) = onto else {
        return Ok(());
    };
    match refs::checked_out(place, git, branch).await? {
        Some(worktree) => Err(SquashError::CheckedOut {
            branch: branch.clone(),
            worktree,
        }),
        None => Ok(()),
    }
}

async fn merge(place: &dyn Place, git: &Git, ours: &Oid, theirs: &Oid) -> Result<Oid, SquashError> {
    let disarmed = Disarmed::read(place, git).await?;
    let merge = git.clone().config(&disarmed.content).command([
        "merge-tree",
        "--write-tree",
        "-z",
        "--name-only",
        "--no-messages",
        ours.as_str(),
        theirs.as_str(),
    ]);
    let output = ask(place, &merge, WORK).await?;
    let text = output.text();
    let mut fields = text.split('\0').filter(|field| !field.is_empty());
    match output.exit {
        Exit::Code(0) => Ok(Oid::read("merge-tree", fields.next().unwrap_or_default())?),
        Exit::Code(1) => Err(SquashError::Conflicts {
            paths: fields.skip(1).map(str::to_owned).collect(),
        }),
        Exit::Code(_) | Exit::Signal(_) if output.error_text().contains("unrelated histories") => {
            Err(SquashError::Unrelated)
        }
        Exit::Code(_) | Exit::Signal(_) => Err(failure(&merge, &output).into()),
    }
}
