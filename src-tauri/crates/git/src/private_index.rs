//! A copy of a box's index to work in, so that the agent's own is neither locked nor changed.

use std::sync::atomic::{AtomicU64, Ordering};

use paddock_exec::{Command, Place};

use crate::GitError;
use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, WORK, ask, failure, git_dir_of, must};

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
            must(place, &index.git.command(["read-tree", "HEAD"]), LOOK).await?;
        }
        Ok(index)
    }

    /// Makes the index know every file of the work tree that is not ignored.
    ///
    /// With `content`, what it knows is what is in the files, and their objects are written;
    /// without, only that the files are there. Gives the paths that could not be added.
    pub(crate) async fn add_all(
        &self,
        place: &dyn Place,
        content: bool,
    ) -> Result<Vec<String>, GitError> {
        let mut add = self.git.command(["add", "--all", "--ignore-errors"]);
        if !content {
            add = add.arg("--intent-to-add");
        }
        let output = ask(place, &add, WORK).await?;
        if output.exit.is_success() {
            return Ok(Vec::new());
        }
        // A directory that is an empty repository, or a file that may not be read: the rest is added.
        let text = output.error_text();
        let left: Vec<String> = text.lines().filter_map(left_out).collect();
        if left.is_empty() {
            return Err(failure(&add, &output));
        }
        Ok(left)
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

/// The path in git's words about a file that it could not add.
fn left_out(line: &str) -> Option<String> {
    let rest = line.strip_prefix("error: ")?;
    if let Some((path, _)) = rest.split_once(" does not have a commit checked out") {
        return Some(path.trim_matches('\'').to_owned());
    }
    let path = rest.strip_prefix("open(\"")?.split_once("\")")?.0;
    Some(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_that_could_not_be_added_is_found() {
        let words = "error: 'a b/' does not have a commit checked out";
        assert_eq!(left_out(words).as_deref(), Some("a b/"));
        let words = "error: open(\"x\"): Permission denied";
        assert_eq!(left_out(words).as_deref(), Some("x"));
        assert_eq!(left_out("fatal: adding files failed"), None);
    }
}
