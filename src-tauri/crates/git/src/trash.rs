//! The trash: everything that something destructive would take, kept in the user's own repository.
//!
//! An entry is one commit under `refs/paddock/trash/<task-id>/<n>`. Its tree is the work tree, what git
//! does not know included; its parents are the commit that the files stood on, the index, ignored files
//! and repositories inside, and every other branch, tag and stash of the box; its message says which is
//! which. It is made without touching the box's work tree, index or branch, checked like all that
//! comes from a box, and put under its name last. What cannot be kept whole is an error: then nothing
//! may be destroyed. Keeping the same twice makes one entry, so that whatever was cut short can be
//! repeated.
//!
//! Where the box's own repository is damaged, [`rescue`] keeps its files and what is left of it.
//!
//! Start at [`keep`], then [`trash`], [`look_into`], [`bring_back`], [`drop_kept`].

mod extra;
mod gather;
mod look;
mod manifest;
mod rescue;
mod restore;

use paddock_domain::{IgnoredFiles, TaskId, Timestamp, TrashReason};
use paddock_exec::Place;

use crate::git::{Git, LOOK, must};
use crate::receive::{ReceiveError, take};
use crate::{GitError, Oid, Repository, keep as refs_of, pack, refs};

pub(crate) use extra::ignored_files;
pub use extra::{MOST_IGNORED, MOST_IGNORED_BYTES};
pub(crate) use gather::{MOST_OTHERS, Scope, Stash, UNDATED, commit_as_paddock, others, stashes};
pub use look::{LookedInto, look_into};
pub(crate) use manifest::Manifest;
pub use rescue::{Rescued, rescue};
pub use restore::{BroughtBack, bring_back, free_branch};

/// How many entries at the end of a task's trash are compared with a new one.
const COMPARED: usize = 20;

/// Whose work is kept, when, and before what.
#[derive(Clone, Copy, Debug)]
pub struct Keeping<'a> {
    /// The task whose work it is.
    pub task: &'a TaskId,
    /// Before what.
    pub reason: TrashReason,
    /// The time now.
    pub at: Timestamp,
}

/// One entry of the trash, as the repository tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The task whose work it is.
    pub task: TaskId,
    /// Its number among the task's.
    pub number: u64,
    /// The ref that holds it.
    pub name: String,
    /// The commit that holds everything.
    pub commit: Oid,
    /// When it was put there.
    pub at: Timestamp,
    /// Before what.
    pub reason: TrashReason,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// The commit that the files stood on; nothing when there was none.
    pub head: Option<Oid>,
    /// Files that differ from it.
    pub uncommitted: u64,
    /// Files that git ignores.
    pub ignored: IgnoredFiles,
    /// A commit of ignored files (`ignored/`) and repositories inside (`inner/`).
    pub extra: Option<Oid>,
    /// Other branches, tags and stashes.
    pub others: Vec<(String, Oid)>,
}

/// Why something could not be kept, or not be brought back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrashError {
    /// Some files could not be read.
    #[error("these could not be kept, so nothing may be removed: {}", paths.join(", "))]
    Incomplete {
        /// Their paths.
        paths: Vec<String>,
    },
    /// There are too many branches.
    #[error(
        "the box has more than {most} branches, tags and stashes, which cannot all be kept: remove some of them there"
    )]
    TooManyRefs {
        /// How many can be kept.
        most: usize,
    },
    /// The branch to make is there already.
    #[error(
        "there is a branch `{branch}` already, which is never overwritten: choose another name"
    )]
    BranchTaken {
        /// The branch.
        branch: String,
    },
    /// What came from the box is damaged.
    #[error(transparent)]
    Receive(#[from] ReceiveError),
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Keeps everything that the work tree `dir` of `from`, a box, holds in `repository` on the host.
///
/// Gives nothing where the host has all of it: no file is changed, and every commit is on a branch of
/// the user, a remote's or a tag.
///
/// # Errors
/// [`TrashError`]; nothing may be removed then.
pub async fn keep(
    from: &dyn Place,
    dir: &str,
    to: &dyn Place,
    repository: &Repository,
    keeping: Keeping<'_>,
) -> Result<Option<Kept>, TrashError> {
    let gathered = gather::gather(from, dir).await?;
    let git = Git::bare(&repository.git_dir);
    let tips = gathered.tips();
    let have = recent_tips(to, &git).await?;
    let objects = pack::pack_from_box(from, dir, &tips, &have).await?;
    take(to, &git, &tips, objects).await?;
    let files = tree_of(to, &git, &gathered.files).await?;
    let staged = tree_of(to, &git, &gathered.index).await?;
    let committed = tree_of(to, &git, &gathered.base).await?;
    let mut safe = files == committed && staged == committed && gathered.extra.is_none();
    let commits = gathered
        .head
        .iter()
        .chain(gathered.others.iter().map(|(_, oid)| oid));
    for commit in commits {
        safe = safe && refs_of::is_elsewhere(to, &git, commit, refs_of::Elsewhere::Users).await?;
    }
    if safe {
        return Ok(None);
    }
    let manifest = Manifest {
        reason: keeping.reason,
        uncommitted: changed_between(to, &git, &committed, &files).await?,
        branch: gathered.branch,
        head: gathered.head,
        extra: gathered.extra.clone(),
        ignored: gathered.ignored,
        others: gathered.others.clone(),
    };
    let mut parents = vec![gathered.base, gathered.index];
    parents.extend(gathered.extra);
    parents.extend(gathered.others.into_iter().map(|(_, oid)| oid));
    Ok(Some(
        put(to, &git, keeping, manifest, &files, parents).await?,
    ))
}

/// Puts the commit `commit`, which is in the repository of `git`, into the trash.
pub(crate) async fn keep_commit(
    place: &dyn Place,
    git: &Git,
    keeping: Keeping<'_>,
    branch: Option<&str>,
    commit: &Oid,
    others: Vec<(String, Oid)>,
) -> Result<Kept, GitError> {
    let files = tree_of(place, git, commit).await?;
    let manifest = Manifest {
        reason: keeping.reason,
        branch: branch.map(str::to_owned),
        head: Some(commit.clone()),
        others: others.clone(),
        ..Manifest::default()
    };
    let mut parents = vec![commit.clone()];
    parents.extend(others.into_iter().map(|(_, oid)| oid));
    put(place, git, keeping, manifest, &files, parents).await
}

/// Everything in the trash of the repository with the git directory `git_dir`, or what is `task`'s of
/// it; oldest first.
///
/// # Errors
/// [`GitError`].
pub async fn trash(
    place: &dyn Place,
    git_dir: &str,
    task: Option<&TaskId>,
) -> Result<Vec<Kept>, GitError> {
    read_all(place, &Git::bare(git_dir), task).await
}

/// Lets go of `kept`, if it still stands where it was seen. Gives whether it did. Its commit stays
/// until the repository is cleaned up.
///
/// # Errors
/// [`GitError`].
pub async fn drop_kept(
    place: &dyn Place,
    repository: &Repository,
    kept: &Kept,
) -> Result<bool, GitError> {
    let git = Git::bare(&repository.git_dir);
    refs::delete(place, &git, &kept.name, &kept.commit).await
}

/// Makes the entry and gives it the next free number; or finds that it is there.
async fn put(
    place: &dyn Place,
    git: &Git,
    keeping: Keeping<'_>,
    manifest: Manifest,
    files: &Oid,
    mut parents: Vec<Oid>,
) -> Result<Kept, GitError> {
    let mut seen = std::collections::BTreeSet::new();
    parents.retain(|parent| seen.insert(parent.clone()));
    let kept = read_all(place, git, Some(keeping.task)).await?;
    if let Some(same) = same(place, git, &kept, files, &parents).await? {
        return Ok(same.clone());
    }
    let message = manifest.message(keeping.task);
    let seconds = keeping.at.unix_ms().div_euclid(1000).max(1);
    let all: Vec<_> = parents.iter().collect();
    let commit = commit_as_paddock(place, git, &message, files, &all, seconds).await?;
    let (number, name) = refs_of::in_trash(place, git, keeping.task, &commit).await?;
    let at = Timestamp::from_unix_ms(seconds.saturating_mul(1000));
    let task = keeping.task.clone();
    Ok(entry(task, number, name, commit, at, manifest))
}

fn entry(
    task: TaskId,
    number: u64,
    name: String,
    commit: Oid,
    at: Timestamp,
    manifest: Manifest,
) -> Kept {
    Kept {
        task,
        number,
        name,
        commit,
        at,
        reason: manifest.reason,
        branch: manifest.branch,
        head: manifest.head,
        uncommitted: manifest.uncommitted,
        ignored: manifest.ignored,
        extra: manifest.extra,
        others: manifest.others,
    }
}

/// The latest of the last entries of `kept` that has just this tree and these parents.
async fn same<'a>(
    place: &dyn Place,
    git: &Git,
    kept: &'a [Kept],
    tree: &Oid,
    parents: &[Oid],
) -> Result<Option<&'a Kept>, GitError> {
    let last = || kept.iter().rev().take(COMPARED);
    if kept.is_empty() {
        return Ok(None);
    }
    let show = git.command(["for-each-ref", "--format=%(refname) %(tree) %(parent)"]);
    let show = show.args(last().map(|kept| &kept.name));
    let text = must(place, &show, LOOK).await?.text();
    let wanted = std::iter::once(tree).chain(parents).map(Oid::as_str);
    let wanted: Vec<&str> = wanted.collect();
    let alike = |kept: &&Kept| {
        let is_its = |line: &str| {
            let holds = line.strip_prefix(kept.name.as_str())?.strip_prefix(' ')?;
            holds.split(' ').eq(wanted.iter().copied()).then_some(())
        };
        text.lines().find_map(is_its).is_some()
    };
    Ok(last().find(alike))
}

/// Reads `ref NUL commit NUL seconds NUL parents NUL message NUL` of every entry.
async fn read_all(
    place: &dyn Place,
    git: &Git,
    task: Option<&TaskId>,
) -> Result<Vec<Kept>, GitError> {
    let prefix = task.map_or_else(|| refs_of::TRASH.to_owned(), refs_of::trash);
    let list = git.command([
        "for-each-ref",
        "--format=%(refname)%00%(objectname)%00%(committerdate:unix)%00%(parent)%00%(contents)%00",
        &prefix,
    ]);
    let text = must(place, &list, LOOK).await?.text();
    let fields: Vec<&str> = text.split('\0').collect();
    let mut all: Vec<_> = fields.chunks_exact(5).filter_map(entry_in).collect();
    all.sort_by(|a, b| (a.at, &a.task, a.number).cmp(&(b.at, &b.task, b.number)));
    Ok(all)
}

fn entry_in(fields: &[&str]) -> Option<Kept> {
    let [name, commit, seconds, parents, message] = fields else {
        return None;
    };
    let name = name.trim_start_matches('\n');
    let (task, number) = name.strip_prefix(refs_of::TRASH)?.split_once('/')?;
    let (task, number) = (TaskId::parse(task).ok()?, number.parse().ok()?);
    let commit = Oid::parse(commit)?;
    let parent = parents.split(' ').next().and_then(Oid::parse);
    let seconds: i64 = seconds.parse().ok()?;
    let at = Timestamp::from_unix_ms(seconds.saturating_mul(1000));
    let manifest = Manifest::read(message, &commit, parent.as_ref());
    Some(entry(task, number, name.to_owned(), commit, at, manifest))
}

async fn tree_of(place: &dyn Place, git: &Git, commit: &Oid) -> Result<Oid, GitError> {
    let question = format!("{commit}^{{tree}}");
    let show = git.command(["rev-parse", "--verify", "--end-of-options", &question]);
    let text = must(place, &show, LOOK).await?.text();
    let tree = text.lines().find_map(Oid::parse);
    tree.ok_or_else(|| GitError::unreadable("rev-parse", "this is no object name"))
}

/// How many files differ between two trees.
async fn changed_between(
    place: &dyn Place,
    git: &Git,
    from: &Oid,
    to: &Oid,
) -> Result<u64, GitError> {
    let list = git.command(["diff-tree", "-r", "-z", "--name-only", "--no-renames"]);
    let list = list.args([from.as_str(), to.as_str(), "--"]);
    let names = must(place, &list, crate::git::WORK).await?.stdout;
    Ok(names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .count() as u64)
}

/// What the host has, for a box to leave out.
pub(crate) async fn recent_tips(place: &dyn Place, git: &Git) -> Result<Vec<Oid>, GitError> {
    const MOST: usize = 200;
    let recent = git.command([
        "for-each-ref",
        "--sort=-committerdate",
        &format!("--count={MOST}"),
        "--format=%(objectname)",
        "refs/heads/",
        "refs/paddock/",
        // Of remotes' branches, which may be very many, those that agents merge.
        "refs/remotes/*/HEAD",
        "refs/remotes/*/main",
        "refs/remotes/*/master",
    ]);
    let text = must(place, &recent, LOOK).await?.text();
    Ok(text.lines().filter_map(Oid::parse).collect())
}
