//! Keeps everything in a work tree before something destructive happens to it, and brings it back.
//!
//! A snapshot is a commit of the whole work tree, what git does not know included and what it
//! ignores left out. Its first parent is the commit the work tree was on, its second a commit of the
//! index. It is made through a private index: the work tree, the agent's index and its branch stay
//! as they are. What cannot be kept whole is an error: then nothing may be destroyed.
//!
//! Start at [`snapshot`].

use paddock_domain::TaskId;
use paddock_exec::{Command, Place};

use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, WORK, ask, must};
use crate::private_index::PrivateIndex;
use crate::receive::{ReceiveError, is_ancestor, take};
use crate::work_tree::{know_all, take_all};
use crate::{GitError, Oid, Repository, keep, pack, refs};

/// One snapshot of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its number among the task's.
    pub number: u64,
    /// The commit that holds the work tree.
    pub commit: Oid,
}

/// Why there is no snapshot, or why it could not be brought back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Some files could not be read.
    #[error("these could not be kept, so nothing may be removed: {}", paths.join(", "))]
    Incomplete {
        /// Their paths.
        paths: Vec<String>,
    },
    /// The number is taken.
    #[error("snapshot {number} exists already: take the next number")]
    Taken {
        /// The number.
        number: u64,
    },
    /// The work tree holds what no commit and no snapshot does.
    #[error("{dir} has changes that are not kept: take a snapshot of it first, then restore")]
    NotKept {
        /// The work tree.
        dir: String,
    },
    /// What came from the box is damaged.
    #[error(transparent)]
    Receive(#[from] ReceiveError),
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Keeps the work tree `dir` of `place`, a box, as snapshot `number` of `task`, in the box.
///
/// # Errors
/// [`SnapshotError`].
pub async fn snapshot(
    place: &dyn Place,
    dir: &str,
    task: &TaskId,
    number: u64,
) -> Result<Snapshot, SnapshotError> {
    let index = PrivateIndex::copy(place, dir).await?;
    let commit = commit_all(place, &index, number).await;
    index.discard(place).await;
    let commit = commit?;
    let name = format!("{}{number}", keep::trash(task));
    if refs::create(place, &Git::work_tree(dir), &name, &commit).await? {
        return Ok(Snapshot { number, commit });
    }
    Err(SnapshotError::Taken { number })
}

/// Brings `snapshot` of a box's work tree `dir` to `repository` on the host, where it outlives the box.
///
/// # Errors
/// [`SnapshotError`].
pub async fn keep_snapshot(
    from: &dyn Place,
    dir: &str,
    to: &dyn Place,
    repository: &Repository,
    task: &TaskId,
    snapshot: &Snapshot,
) -> Result<(), SnapshotError> {
    let git = Git::bare(&repository.git_dir);
    let have = tips(to, &git).await?;
    let tip = std::slice::from_ref(&snapshot.commit);
    let objects = pack::pack_from_box(from, dir, tip, &have).await?;
    take(to, &git, &snapshot.commit, objects).await?;
    let name = format!("{}{}", keep::trash(task), snapshot.number);
    if refs::create(to, &git, &name, &snapshot.commit).await?
        || refs::read(to, &git, &name).await?.as_ref() == Some(&snapshot.commit)
    {
        return Ok(());
    }
    let number = snapshot.number;
    Err(SnapshotError::Taken { number })
}

/// The snapshots of `task` in the repository whose git directory is `git_dir`, oldest first.
///
/// # Errors
/// [`GitError`].
pub async fn snapshots(
    place: &dyn Place,
    git_dir: &str,
    task: &TaskId,
) -> Result<Vec<Snapshot>, GitError> {
    let found = refs::list(place, &Git::bare(git_dir), &keep::trash(task)).await?;
    let mut snapshots: Vec<_> = found
        .into_iter()
        .filter_map(|(name, commit)| {
            let number = keep::number(&name)?;
            Some(Snapshot { number, commit })
        })
        .collect();
    snapshots.sort_by_key(|snapshot| snapshot.number);
    Ok(snapshots)
}

/// Makes the work tree `dir` of `place`, a box, and its index and branch what they were at `snapshot`.
///
/// The box must hold the snapshot's objects. Files that git ignores stay.
///
/// # Errors
/// [`SnapshotError::NotKept`] when the work tree holds something that neither its last commit nor a
/// snapshot in `kept` holds.
pub async fn restore(
    place: &dyn Place,
    dir: &str,
    snapshot: &Oid,
    kept: &[Snapshot],
) -> Result<(), SnapshotError> {
    refuse_unkept(place, dir, snapshot, kept).await?;
    let plain = Git::work_tree(dir);
    let disarmed = Disarmed::read(place, &plain).await?;
    let git = plain.config(&disarmed.content);
    // What git does not know yet must be known, or it would stay behind.
    know_all(place, &git, snapshot.format()).await?;
    let files = git.command(["read-tree", "--reset", "-u", snapshot.as_str()]);
    must(place, &files, WORK).await?;
    let head = git.command(["update-ref", "-m", "paddock: restore", "HEAD"]);
    must(place, &head.arg(format!("{snapshot}^1")), LOOK).await?;
    let index = git.command(["read-tree", "--reset"]);
    must(place, &index.arg(format!("{snapshot}^2")), WORK).await?;
    Ok(())
}

async fn commit_all(
    place: &dyn Place,
    index: &PrivateIndex,
    number: u64,
) -> Result<Oid, SnapshotError> {
    let git = &index.git;
    let staged = ask(place, &git.command(["write-tree"]), WORK).await?;
    let paths = take_all(place, git).await?;
    if !paths.is_empty() {
        return Err(SnapshotError::Incomplete { paths });
    }
    let files = written_tree(place, git).await?;
    // An index with conflicts has no tree; the files with their marks are kept all the same.
    let staged = match staged.exit.is_success() {
        true => Oid::read("write-tree", &staged.text())?,
        false => files.clone(),
    };
    let message = format!("paddock: snapshot {number}");
    let parent = commit_of(git, &format!("{message}, index"), &staged, &["HEAD"]);
    let parent = must(place, &parent, LOOK).await?;
    let parent = Oid::read("commit-tree", &parent.text())?;
    let commit = commit_of(git, &message, &files, &["HEAD", parent.as_str()]);
    let commit = must(place, &commit, LOOK).await?;
    Ok(Oid::read("commit-tree", &commit.text())?)
}

async fn written_tree(place: &dyn Place, git: &Git) -> Result<Oid, GitError> {
    let output = must(place, &git.command(["write-tree"]), WORK).await?;
    Oid::read("write-tree", &output.text())
}

/// The command that commits `tree`; a snapshot is Paddock's, whoever works in the box.
fn commit_of(git: &Git, message: &str, tree: &Oid, parents: &[&str]) -> Command {
    let parents = parents.iter().flat_map(|parent| ["-p", parent]);
    let mut command = git
        .command(["commit-tree", "-F", "-"])
        .args(parents)
        .arg(tree.as_str())
        .stdin(message.to_owned());
    for role in ["AUTHOR", "COMMITTER"] {
        command = command
            .env(format!("GIT_{role}_NAME"), "Paddock")
            .env(format!("GIT_{role}_EMAIL"), "paddock@localhost");
    }
    command
}

async fn refuse_unkept(
    place: &dyn Place,
    dir: &str,
    target: &Oid,
    kept: &[Snapshot],
) -> Result<(), SnapshotError> {
    let index = PrivateIndex::copy(place, dir).await?;
    let now = async {
        let left_out = take_all(place, &index.git).await?;
        Ok::<_, GitError>((written_tree(place, &index.git).await?, left_out))
    };
    let now = now.await;
    index.discard(place).await;
    let (tree, left_out) = now?;
    if left_out.is_empty() && is_kept(place, dir, &tree, target, kept).await? {
        return Ok(());
    }
    Err(SnapshotError::NotKept {
        dir: dir.to_owned(),
    })
}

/// Whether `tree` and the commits below it outlive a move to `target`: all is in `target`'s own
/// history, or a snapshot was taken of just this.
async fn is_kept(
    place: &dyn Place,
    dir: &str,
    tree: &Oid,
    target: &Oid,
    kept: &[Snapshot],
) -> Result<bool, GitError> {
    let git = Git::work_tree(dir);
    let mut questions = "HEAD\nHEAD^{tree}\n".to_owned();
    for snapshot in kept {
        questions.push_str(&format!("{0}^1\n{0}^{{tree}}\n", snapshot.commit));
    }
    let check = git
        .command(["cat-file", "--batch-check=%(objectname)"])
        .stdin(questions);
    let answers = must(place, &check, LOOK).await?.text();
    let mut oids = answers.lines().map(Oid::parse);
    let (Some(Some(head)), Some(committed)) = (oids.next(), oids.next()) else {
        return Ok(false);
    };
    let rest: Vec<_> = oids.collect();
    let this = [Some(head.clone()), Some(tree.clone())];
    if rest.chunks_exact(2).any(|pair| pair == this) {
        return Ok(true);
    }
    Ok(committed.as_ref() == Some(tree) && is_ancestor(place, &git, &head, target).await?)
}

/// What the host has, for a box to leave out.
async fn tips(place: &dyn Place, git: &Git) -> Result<Vec<Oid>, GitError> {
    const MOST: usize = 200;
    let recent = git.command([
        "for-each-ref",
        "--sort=-committerdate",
        &format!("--count={MOST}"),
        "--format=%(objectname)",
    ]);
    let text = must(place, &recent, LOOK).await?.text();
    Ok(text.lines().filter_map(Oid::parse).collect())
}
