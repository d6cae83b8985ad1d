//! A copy of a box's index to work in, so that the agent's own is neither locked nor changed.

use std::sync::atomic::{AtomicU64, Ordering};

use paddock_exec::{Command, Place};

use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, git_dir_of, must};
use crate::{GitError, Oid, refs};

/// Git on a box's repository with an index of its own.
pub(crate) struct PrivateIndex {
    pub(crate) git: Git,
    path: String,
}

/// Tells copies apart that exist at the same time.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl PrivateIndex {
    /// Copies the index of the work tree `dir`, or makes one of its head when it has none.
    pub(crate) async fn copy(place: &dyn Place, dir: &str) -> Result<Self, GitError> {
        let git_dir = git_dir_of(dir);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = format!("{git_dir}/paddock-index.{}.{n}", std::process::id());
        let plain = Git::work_tree(dir);
        let disarmed = Disarmed::read(place, &plain).await?;
        let git = plain.config(&disarmed.content).env("GIT_INDEX_FILE", &path);
        // Times are kept: git compares them to tell which entries it must look at again.
        let copy = Command::new("cp").args(["-p", "--", &format!("{git_dir}/index"), &path]);
        let copied = place.run(&copy, LOOK).await?;
        let index = Self { git, path };
        if !copied.exit.is_success() {
            let head = refs::read(place, &index.git, "HEAD").await?;
            let from = head.as_ref().map_or("--empty", Oid::as_str);
            must(place, &index.git.command(["read-tree", from]), LOOK).await?;
        }
        Ok(index)
    }

    /// Removes the copy.
    pub(crate) async fn discard(self, place: &dyn Place) {
        let lock = format!("{}.lock", self.path);
        let remove = Command::new("rm").args(["-f", "--", &self.path, &lock]);
        if place.run(&remove, LOOK).await.is_err() {
            tracing::warn!("a private index was left behind in a box");
        }
    }
}
