//! Refs of Paddock's own that keep objects from being cleaned away.
//!
//! `refs/paddock/<task-id>/…` holds what a live task needs; `refs/paddock/trash/<task-id>/<n>` holds
//! what was there before something destructive, and outlives the task.
//!
//! Start at [`pin`].

use paddock_domain::TaskId;
use paddock_exec::Place;

use crate::git::{Git, LOOK, must};
use crate::{GitError, Oid, Repository, refs};

/// How many numbers are tried for a place in the trash.
const TRIES: u64 = 1000;

/// Keeps `commit` and its history in `repository` for as long as the box of `task` borrows them.
///
/// # Errors
/// [`GitError`].
pub async fn pin(
    place: &dyn Place,
    repository: &Repository,
    task: &TaskId,
    commit: &Oid,
) -> Result<(), GitError> {
    let git = Git::bare(&repository.git_dir);
    refs::set(place, &git, &format!("refs/paddock/{task}/base"), commit).await
}

/// Lets go of all that was kept for `task`, its deliveries included; its trash stays.
///
/// # Errors
/// [`GitError`].
pub async fn unpin(
    place: &dyn Place,
    repository: &Repository,
    task: &TaskId,
) -> Result<(), GitError> {
    let git = Git::bare(&repository.git_dir);
    let held = refs::list(place, &git, &format!("refs/paddock/{task}/")).await?;
    let script: String = held
        .iter()
        .map(|(name, oid)| format!("delete {name}\0{oid}\0"))
        .collect();
    let delete = git.command(["update-ref", "-z", "--stdin"]).stdin(script);
    must(place, &delete, LOOK).await.map(drop)
}

/// Where the trash of `task` is.
pub(crate) fn trash(task: &TaskId) -> String {
    format!("refs/paddock/trash/{task}/")
}

/// Puts `commit` into the trash of `task` under the next free number and gives the ref.
pub(crate) async fn in_trash(
    place: &dyn Place,
    git: &Git,
    task: &TaskId,
    commit: &Oid,
) -> Result<String, GitError> {
    let prefix = trash(task);
    let taken = refs::list(place, git, &prefix).await?;
    let highest = taken.iter().filter_map(|(name, _)| number(name)).max();
    let first = highest.map_or(0, |n| n + 1);
    for n in first..first.saturating_add(TRIES) {
        let name = format!("{prefix}{n}");
        if refs::create(place, git, &name, commit).await? {
            return Ok(name);
        }
    }
    Err(GitError::unreadable(
        "update-ref",
        "no place in the trash is free",
    ))
}

/// The last component of a ref, when it is a number.
pub(crate) fn number(name: &str) -> Option<u64> {
    name.rsplit('/').next()?.parse().ok()
}
