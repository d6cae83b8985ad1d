//! Refs of Paddock's own that keep objects from being cleaned away.
//!
//! `refs/paddock/<task-id>/…` holds what a live task needs: where it began, what it delivered, and what
//! its box has besides. `refs/paddock/trash/<task-id>/<n>` holds what was there before something
//! destructive, and outlives the task. A ref of a task goes only when what it holds is on a branch, a
//! remote's branch or a tag, or in the trash.
//!
//! Start at [`pin`], then [`hold`], at the end [`unpin`].

use paddock_domain::{TaskId, TrashReason};
use paddock_exec::Place;

use crate::git::{Git, LOOK, WORK, must, well};
use crate::trash::{
    Keeping, MOST_OTHERS, Manifest, Scope, UNDATED, commit_as_paddock, keep_commit, others,
};
use crate::{Branch, GitError, Oid, ReceiveError, Repository, pack, receive, refs};

/// How many numbers are tried for a place in the trash.
const TRIES: u64 = 1000;

/// Where the trash is.
pub(crate) const TRASH: &str = "refs/paddock/trash/";

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

/// Keeps in `repository` what the work tree `dir` of `from`, a box, has besides `branch`: other
/// branches, tags, stashes, and what was fetched there.
///
/// A box borrows objects of the host that it comes upon, not only those of its base; here they are
/// held for it, and what was made there is safe on the host. Gives how many refs there are.
///
/// # Errors
/// [`ReceiveError`]; what was held before is held still.
pub async fn hold(
    from: &dyn Place,
    dir: &str,
    to: &dyn Place,
    repository: &Repository,
    branch: &Branch,
    keeping: Keeping<'_>,
) -> Result<usize, ReceiveError> {
    let in_box = Git::work_tree(dir);
    let known = refs::read(from, &in_box, &branch.full()).await?;
    let mut found = others(from, &in_box, known.as_slice(), Scope::Everything).await?;
    if let Some(head) = refs::read(from, &in_box, "HEAD").await?
        && known.as_ref() != Some(&head)
    {
        found.insert(0, ("HEAD".to_owned(), head));
    }
    // What was fetched comes last: it can be fetched again.
    found.truncate(MOST_OTHERS);
    let git = Git::bare(&repository.git_dir);
    let name = format!("refs/paddock/{}/box", keeping.task);
    let before = refs::read(to, &git, &name).await?;
    let Some((_, first)) = found.first() else {
        // What was there is on the branch now, or the agent has removed it.
        return let_go(to, &git, &name, before, keeping).await.map(|()| 0);
    };
    let tips: Vec<Oid> = found.iter().map(|(_, oid)| oid.clone()).collect();
    let manifest = Manifest {
        reason: keeping.reason,
        others: found.clone(),
        ..Manifest::default()
    };
    let message = manifest.message(keeping.task);
    if let Some(before) = &before
        && message_of(to, &git, before).await?.trim_end() == message.trim_end()
    {
        return Ok(found.len());
    }
    let have = crate::trash::recent_tips(to, &git).await?;
    let objects = pack::pack_from_box(from, dir, &tips, &have).await?;
    receive::take(to, &git, &tips, objects).await?;
    let mut parents: Vec<&Oid> = tips.iter().collect();
    parents.sort();
    parents.dedup();
    let tree = format!("{first}^{{tree}}");
    let tree = must(to, &git.command(["rev-parse", "--verify", &tree]), LOOK).await?;
    let tree = Oid::read("rev-parse", &tree.text())?;
    let made = commit_as_paddock(to, &git, &message, &tree, &parents, UNDATED).await?;
    refs::set(to, &git, &name, &made).await?;
    if let Some(before) = before {
        keep_unlanded(to, &git, &before, keeping, &[made]).await?;
    }
    Ok(found.len())
}

async fn let_go(
    place: &dyn Place,
    git: &Git,
    name: &str,
    before: Option<Oid>,
    keeping: Keeping<'_>,
) -> Result<(), ReceiveError> {
    if let Some(before) = before {
        keep_unlanded(place, git, &before, keeping, &[]).await?;
        refs::delete(place, git, name, &before).await?;
    }
    Ok(())
}

/// Lets go of all that was kept for `task`, its deliveries included; its trash stays. What would be
/// nowhere else goes into the trash first.
///
/// # Errors
/// [`GitError`].
pub async fn unpin(
    place: &dyn Place,
    repository: &Repository,
    keeping: Keeping<'_>,
) -> Result<(), GitError> {
    let git = Git::bare(&repository.git_dir);
    let task = keeping.task;
    let prefix = format!("refs/paddock/{task}/");
    let held = refs::list(place, &git, &prefix).await?;
    for (name, oid) in &held {
        // Where the task began was the user's before, and is in the history of all that it made.
        let began = name.ends_with("/base") || name.contains("/claim/");
        if !began {
            keep_unlanded(place, &git, oid, keeping, &[]).await?;
        }
    }
    let script: String = held
        .iter()
        .map(|(name, oid)| format!("delete {name}\0{oid}\0"))
        .collect();
    let delete = git.command(["update-ref", "-z", "--stdin"]).stdin(script);
    well(&delete, refs::change(place, &git, &delete).await?).map(drop)
}

/// Puts what `held` holds into the trash, unless it is elsewhere or in `also`.
async fn keep_unlanded(
    place: &dyn Place,
    git: &Git,
    held: &Oid,
    keeping: Keeping<'_>,
    also: &[Oid],
) -> Result<(), GitError> {
    let message = message_of(place, git, held).await?;
    let manifest = Manifest::read(&message, held, None);
    let all = match manifest.others.is_empty() {
        true => vec![("HEAD".to_owned(), held.clone())],
        false => manifest.others,
    };
    let mut lost = Vec::new();
    for (name, oid) in all {
        // What was fetched can be fetched again.
        let fetched = name.starts_with("refs/remotes/");
        let elsewhere = Elsewhere::UsersOr(also);
        if !fetched && !is_elsewhere(place, git, &oid, elsewhere).await? {
            lost.push((name, oid));
        }
    }
    let Some((name, first)) = lost.first().cloned() else {
        return Ok(());
    };
    let reason = TrashReason::Unlanded;
    let keeping = Keeping { reason, ..keeping };
    let branch = name.strip_prefix("refs/heads/").map(str::to_owned);
    let rest = lost.split_off(1);
    keep_commit(place, git, keeping, branch.as_deref(), &first, rest)
        .await
        .map(drop)
}

async fn message_of(place: &dyn Place, git: &Git, commit: &Oid) -> Result<String, GitError> {
    let show = git.command(["cat-file", "commit", commit.as_str()]);
    let text = must(place, &show, LOOK).await?.text();
    let message = text.split_once("\n\n").map(|(_, message)| message);
    Ok(message.unwrap_or_default().to_owned())
}

/// Where a commit is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Elsewhere<'a> {
    /// On a branch of the user, a remote's branch or a tag.
    Users,
    /// There, in the trash, or in the history of one of these.
    UsersOr(&'a [Oid]),
}

/// Whether `commit` is kept by something that is not of a live task.
pub(crate) async fn is_elsewhere(
    place: &dyn Place,
    git: &Git,
    commit: &Oid,
    elsewhere: Elsewhere<'_>,
) -> Result<bool, GitError> {
    let look = git.command(["rev-list", "--max-count=1", commit.as_str(), "--not"]);
    let look = look.args(["--branches", "--remotes", "--tags"]);
    let look = match elsewhere {
        Elsewhere::Users => look,
        Elsewhere::UsersOr(others) => look
            .arg(format!("--glob={TRASH}*"))
            .args(others.iter().map(Oid::as_str)),
    };
    let found = must(place, &look.arg("--"), WORK).await?;
    Ok(found.stdout.is_empty())
}

/// Where the trash of `task` is.
pub(crate) fn trash(task: &TaskId) -> String {
    format!("{TRASH}{task}/")
}

/// Puts `commit` into the trash of `task` under the next free number; gives that and the ref.
pub(crate) async fn in_trash(
    place: &dyn Place,
    git: &Git,
    task: &TaskId,
    commit: &Oid,
) -> Result<(u64, String), GitError> {
    let prefix = trash(task);
    let taken = refs::list(place, git, &prefix).await?;
    let highest = taken.iter().filter_map(|(name, _)| number(name)).max();
    let first = highest.map_or(1, |n| n.saturating_add(1));
    for n in first..first.saturating_add(TRIES) {
        let name = format!("{prefix}{n}");
        if refs::create(place, git, &name, commit).await? {
            return Ok((n, name));
        }
    }
    Err(GitError::unreadable(
        "update-ref",
        "no place in the trash is free",
    ))
}

/// The last component of a ref, when it is a number.
fn number(name: &str) -> Option<u64> {
    name.rsplit('/').next()?.parse().ok()
}
