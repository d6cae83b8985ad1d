//! Gives a task its branch, without checking anything out.
//!
//! A branch is made with "create, and only if it is not there": of two tasks that want the same
//! number, one gets it and the other takes the next. HEAD, index, work tree and configuration of
//! the checkout are not read for it and not written.
//!
//! Start at [`claim_branch`] or [`adopt_branch`].

use std::collections::BTreeSet;
use std::time::Duration;

use paddock_domain::TaskId;
use paddock_exec::{Limits, Place};

use crate::git::{Git, LOOK, ask, must};
use crate::network::Network;
use crate::refs::{self, checked_out};
use crate::{Branch, GitError, Oid, Repository};

/// How many numbers are tried when others keep taking them.
const TRIES: usize = 100;

/// Why a branch could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// Every number that was tried was taken meanwhile.
    #[error("{TRIES} branch names were taken by others while one was chosen: try again")]
    Contended,
    /// The branch to adopt does not exist.
    #[error("{root} has no branch `{branch}` to adopt: check the name, or fetch it first")]
    NoSuchBranch {
        /// The repository's checkout.
        root: String,
        /// The branch that was asked for.
        branch: Branch,
    },
    /// The branch to adopt is in use.
    #[error(
        "`{branch}` is checked out in {worktree}: check out another branch there, \
         or let the task make a branch of its own"
    )]
    InUse {
        /// The branch that was asked for.
        branch: Branch,
        /// Where it is checked out.
        worktree: String,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Whether remotes are asked which names they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskRemotes {
    /// What was fetched last is believed.
    No,
    /// Each is asked, for at most this long; one that does not answer is passed over.
    Within(Duration),
}

/// Makes the branch `paddock-N` in every repository of `claims` at the commit beside it.
///
/// N is the smallest number that no branch of any of them, nor of their remotes, has. A mark of `task`
/// is set before each branch, so that what a claim that was cut short has left is removed by the next.
///
/// # Errors
/// [`ClaimError`]; branches made before an error are removed again.
pub async fn claim_branch(
    place: &dyn Place,
    task: &TaskId,
    claims: &[(&Repository, &Oid)],
    remotes: AskRemotes,
) -> Result<Branch, ClaimError> {
    for (repository, _) in claims {
        remove_remains(place, repository, task).await?;
    }
    let mut taken = BTreeSet::new();
    for (repository, _) in claims {
        taken.extend(numbers_in(place, repository).await?);
        if let AskRemotes::Within(time) = remotes {
            taken.extend(numbers_at_remotes(place, repository, time).await);
        }
    }
    let free = (0_u64..).filter(|n| !taken.contains(n));
    for n in free.take(TRIES) {
        let branch = Branch::of_task(n);
        if create_in_all(place, task, claims, &branch).await? {
            return Ok(branch);
        }
    }
    Err(ClaimError::Contended)
}

/// Takes the existing branch `branch` of every repository of `repositories`, for a task to go on with.
///
/// One that only `origin` has is made here. Gives the commit of each.
///
/// # Errors
/// [`ClaimError::NoSuchBranch`], [`ClaimError::InUse`].
pub async fn adopt_branch(
    place: &dyn Place,
    repositories: &[&Repository],
    branch: &Branch,
) -> Result<Vec<Oid>, ClaimError> {
    let mut commits = Vec::new();
    for repository in repositories {
        let git = Git::bare(&repository.git_dir);
        if let Some(worktree) = checked_out(place, &git, branch).await? {
            return Err(ClaimError::InUse {
                branch: branch.clone(),
                worktree,
            });
        }
        commits.push(local_or_of_origin(place, repository, &git, branch).await?);
    }
    Ok(commits)
}

/// Removes the branch `branch` from `repository` if it still stands at `commit`, as after a failed start.
///
/// Gives whether it did.
///
/// # Errors
/// [`GitError`] when git cannot be run.
pub async fn release_branch(
    place: &dyn Place,
    repository: &Repository,
    branch: &Branch,
    commit: &Oid,
) -> Result<bool, GitError> {
    let git = Git::bare(&repository.git_dir);
    refs::delete(place, &git, &branch.full(), commit).await
}

async fn numbers_in(place: &dyn Place, repository: &Repository) -> Result<Vec<u64>, GitError> {
    let names = Branch::PREFIX;
    let list = Git::bare(&repository.git_dir)
        .command(["for-each-ref", "--format=%(refname)"])
        .arg(format!("refs/heads/{names}*"))
        .arg(format!("refs/heads/{names}*/**"))
        .arg(format!("refs/remotes/**/{names}*"))
        .arg(format!("refs/remotes/**/{names}*/**"));
    let text = must(place, &list, LOOK).await?.text();
    Ok(text.lines().filter_map(number_in_ref).collect())
}

fn number_in_ref(name: &str) -> Option<u64> {
    name.split('/').find_map(Branch::task_number)
}

/// What remotes hold; one that cannot be reached in time holds nothing we could know of.
async fn numbers_at_remotes(
    place: &dyn Place,
    repository: &Repository,
    time: Duration,
) -> Vec<u64> {
    let mut numbers = Vec::new();
    for remote in &repository.remotes {
        let pattern = format!("refs/heads/{}*", Branch::PREFIX);
        let limits = Limits { time, ..LOOK };
        let Ok(network) = Network::of(place, &repository.git_dir).await else {
            continue;
        };
        let list = network.command([
            "ls-remote",
            "--upload-pack=git-upload-pack",
            "--",
            &remote.name,
            &pattern,
        ]);
        match ask(place, &list, limits).await {
            Ok(output) if output.exit.is_success() => {
                let text = output.text();
                let names = text.lines().filter_map(|line| line.split_once('\t'));
                numbers.extend(names.filter_map(|(_, name)| number_in_ref(name)));
            }
            Ok(_) | Err(_) => {
                tracing::info!(remote = remote.name, "a remote did not say its branches")
            }
        }
    }
    numbers
}

/// Where the marks of `task`'s claims are; the branch's name follows.
fn marks(task: &TaskId) -> String {
    format!("refs/paddock/{task}/claim/")
}

/// Removes the branches that an earlier claim of `task` made and nobody heard of.
async fn remove_remains(
    place: &dyn Place,
    repository: &Repository,
    task: &TaskId,
) -> Result<(), GitError> {
    let git = Git::bare(&repository.git_dir);
    let prefix = marks(task);
    for (mark, commit) in refs::list(place, &git, &prefix).await? {
        let name = mark.strip_prefix(&prefix).unwrap_or_default();
        if let Ok(branch) = Branch::parse(name) {
            release_branch(place, repository, &branch, &commit).await?;
        }
        refs::delete(place, &git, &mark, &commit).await?;
    }
    Ok(())
}

/// Creates `branch` everywhere, or nowhere when someone has it somewhere.
async fn create_in_all(
    place: &dyn Place,
    task: &TaskId,
    claims: &[(&Repository, &Oid)],
    branch: &Branch,
) -> Result<bool, GitError> {
    let mark = format!("{}{branch}", marks(task));
    for (done, (repository, commit)) in claims.iter().enumerate() {
        let git = Git::bare(&repository.git_dir);
        let created = claim_in_one(place, &git, &mark, branch, commit).await;
        if matches!(created, Ok(true)) {
            continue;
        }
        for (earlier, commit) in &claims[..done] {
            release_branch(place, earlier, branch, commit).await?;
            refs::delete(place, &Git::bare(&earlier.git_dir), &mark, commit).await?;
        }
        return created;
    }
    Ok(true)
}

/// The mark comes after a look, so that it never stands beside a branch of someone else for long, and
/// before the branch, so that no branch is ever without it.
async fn claim_in_one(
    place: &dyn Place,
    git: &Git,
    mark: &str,
    branch: &Branch,
    commit: &Oid,
) -> Result<bool, GitError> {
    if refs::read(place, git, &branch.full()).await?.is_some() {
        return Ok(false);
    }
    refs::set(place, git, mark, commit).await?;
    let created = refs::create(place, git, &branch.full(), commit).await;
    if !matches!(created, Ok(true)) {
        refs::delete(place, git, mark, commit).await?;
    }
    created
}

async fn local_or_of_origin(
    place: &dyn Place,
    repository: &Repository,
    git: &Git,
    branch: &Branch,
) -> Result<Oid, ClaimError> {
    if let Some(commit) = refs::read(place, git, &branch.full()).await? {
        return Ok(commit);
    }
    let of_origin = format!("refs/remotes/origin/{branch}");
    let missing = || ClaimError::NoSuchBranch {
        root: repository.root.clone(),
        branch: branch.clone(),
    };
    let commit = refs::read(place, git, &of_origin)
        .await?
        .ok_or_else(missing)?;
    if refs::create(place, git, &branch.full(), &commit).await? {
        return Ok(commit);
    }
    refs::read(place, git, &branch.full())
        .await?
        .ok_or_else(missing)
}
