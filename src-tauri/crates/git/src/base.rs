//! What a task's branch starts from.

use paddock_exec::Place;

use crate::git::{Git, LOOK, must};
use crate::{GitError, Head, Oid, Repository, refs};

/// A commit to start from, by the name that the user knows it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// A branch, tag or commit, as it was asked for.
    pub name: String,
    /// The commit it stands for now.
    pub commit: Oid,
}

/// Why there is nothing to start from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaseError {
    /// The name stands for no commit.
    #[error("{root} has no branch, tag or commit `{name}`: check the name, or fetch it first")]
    NoSuchBase {
        /// The repository's checkout.
        root: String,
        /// The name that was asked for.
        name: String,
    },
    /// No name was given and the current branch has no commit.
    #[error("the current branch of {root} has no commit yet: name a base to start from")]
    NoCommit {
        /// The repository's checkout.
        root: String,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// The commit that `base` names, or the one the checkout stands on when nothing is named.
///
/// A name is looked for as a local branch, a branch of `origin`, a branch of any remote, a tag, and
/// then as git would read it.
///
/// # Errors
/// [`BaseError`].
pub async fn resolve_base(
    place: &dyn Place,
    repository: &Repository,
    base: Option<&str>,
) -> Result<Base, BaseError> {
    let Some(name) = base else {
        return current(place, repository).await;
    };
    find(place, repository, name)
        .await?
        .ok_or_else(|| BaseError::NoSuchBase {
            root: repository.root.clone(),
            name: name.to_owned(),
        })
}

/// Whether `repository` has `commit`; not when it is another repository than it was, or damaged.
///
/// # Errors
/// [`GitError`] when git cannot be run.
pub async fn has_commit(
    place: &dyn Place,
    repository: &Repository,
    commit: &Oid,
) -> Result<bool, GitError> {
    let git = Git::bare(&repository.git_dir);
    let there = refs::present(place, &git, std::slice::from_ref(commit)).await?;
    Ok(!there.is_empty())
}

async fn current(place: &dyn Place, repository: &Repository) -> Result<Base, BaseError> {
    let base = match &repository.head {
        Head::Branch { name, commit } => Some(Base {
            name: name.clone(),
            commit: commit.clone(),
        }),
        Head::Detached { commit } => Some(Base {
            name: commit.short().to_owned(),
            commit: commit.clone(),
        }),
        Head::Unborn { name } => match &repository.default_branch {
            Some(default) if default != name => find(place, repository, default).await?,
            Some(_) | None => None,
        },
    };
    base.ok_or_else(|| BaseError::NoCommit {
        root: repository.root.clone(),
    })
}

async fn find(
    place: &dyn Place,
    repository: &Repository,
    name: &str,
) -> Result<Option<Base>, GitError> {
    if name.is_empty() || name.starts_with('-') || name.contains(char::is_control) {
        return Ok(None);
    }
    let places = [
        "refs/heads/",
        "refs/remotes/origin/",
        "refs/remotes/",
        "refs/tags/",
        "",
    ];
    let questions: String = places
        .iter()
        .map(|prefix| format!("{prefix}{name}^{{commit}}\n"))
        .collect();
    let check = Git::discover(&repository.root)
        .command(["cat-file", "--batch-check=%(objectname) %(objecttype)"])
        .stdin(questions);
    let answers = must(place, &check, LOOK).await?.text();
    let commits = answers
        .lines()
        .filter_map(|line| line.strip_suffix(" commit"));
    Ok(commits.filter_map(Oid::parse).next().map(|commit| Base {
        name: name.to_owned(),
        commit,
    }))
}
