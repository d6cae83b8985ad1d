//! Where a fork begins: what a box holds just now, as objects on the host.
//!
//! The box's work tree, index and branches stay as they are. What comes over is checked like all that a box
//! sends, and held by a ref of the fork's own, so that neither a clean-up nor the end of the first box
//! takes it before the fork has a box.
//!
//! Start at [`fork_point`]; [`lay`] puts the files into the fork's work tree.

use paddock_domain::TaskId;
use paddock_exec::Place;

use crate::git::{Git, LOOK, WORK, must};
use crate::private_index::PrivateIndex;
use crate::receive::take;
use crate::trash::{UNDATED, commit_as_paddock, recent_tips};
use crate::work_tree::take_all;
use crate::{GitError, Oid, ReceiveError, Repository, pack, refs};

/// Where a fork of one repository begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForkPoint {
    /// The commit that the box stands on.
    pub head: Oid,
    /// A commit of the whole work tree, where that differs and was asked for.
    pub files: Option<Oid>,
}

/// Brings what the work tree `dir` of `from`, a box, stands on into `repository` on the host, for the task
/// `fork` to begin from; with `uncommitted` also the files as they are. `base` stands in for a box that
/// has no commit.
///
/// # Errors
/// [`ReceiveError`]; nothing is named then.
pub async fn fork_point(
    from: &dyn Place,
    dir: &str,
    to: &dyn Place,
    repository: &Repository,
    fork: &TaskId,
    base: &Oid,
    uncommitted: bool,
) -> Result<ForkPoint, ReceiveError> {
    let head = refs::read(from, &Git::work_tree(dir), "HEAD").await?;
    let head = head.unwrap_or_else(|| base.clone());
    let files = match uncommitted {
        true => files(from, dir, &head).await?,
        false => None,
    };
    let mut tips = vec![head.clone()];
    tips.extend(files.clone());
    let git = Git::bare(&repository.git_dir);
    let have = recent_tips(to, &git).await?;
    let objects = pack::pack_from_box(from, dir, &tips, &have).await?;
    take(to, &git, &tips, objects).await?;
    let held = files.as_ref().unwrap_or(&head);
    // Its last part says that it is where a task began: nothing of it goes into the trash with the task.
    refs::set(to, &git, &format!("refs/paddock/{fork}/forked/base"), held).await?;
    Ok(ForkPoint { head, files })
}

/// A commit of the files as they are; nothing where no file differs from `head`.
async fn files(place: &dyn Place, dir: &str, head: &Oid) -> Result<Option<Oid>, GitError> {
    let index = PrivateIndex::copy(place, dir).await?;
    let made = files_with(place, &index.git, head).await;
    index.discard(place).await;
    made
}

async fn files_with(place: &dyn Place, git: &Git, head: &Oid) -> Result<Option<Oid>, GitError> {
    take_all(place, git).await?;
    let tree = must(place, &git.command(["write-tree"]), WORK).await?;
    let tree = Oid::read("write-tree", &tree.text())?;
    let question = format!("{head}^{{tree}}");
    let before = git.command(["rev-parse", "--verify", "--end-of-options", &question]);
    let before = must(place, &before, LOOK).await?.text();
    if before.lines().find_map(Oid::parse).as_ref() == Some(&tree) {
        return Ok(None);
    }
    let parents = [head];
    let made = commit_as_paddock(place, git, "paddock: fork", &tree, &parents, UNDATED);
    made.await.map(Some)
}

/// Makes the work tree of `git`, which has `base` checked out, hold the files of `files`, with an index
/// that knows `base` alone: what differs is uncommitted.
pub(crate) async fn lay(
    place: &dyn Place,
    git: &Git,
    base: &Oid,
    files: &Oid,
) -> Result<(), GitError> {
    let over = git.command(["read-tree", "-m", "-u", base.as_str(), files.as_str()]);
    must(place, &over, WORK).await?;
    let back = git.command(["read-tree", base.as_str()]);
    must(place, &back, WORK).await.map(drop)
}
