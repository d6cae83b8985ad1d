//! What stands in a box's work tree: its branch, its commits and what no commit holds.
//!
//! Start at [`status`].

mod porcelain;

use paddock_exec::Place;

use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, WORK, must};
use crate::log::list;
use crate::{GitError, Oid};

pub use porcelain::Changed;

/// The state of one box's repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkStatus {
    /// The branch it is on; nothing when a commit is checked out alone, as in a rebase.
    pub branch: Option<String>,
    /// The commit it is on.
    pub head: Option<Oid>,
    /// Commits that the base does not have, newest first, at most [`WorkStatus::MOST_COMMITS`].
    pub ahead: Vec<Commit>,
    /// Tracked files that differ from the last commit, in the index or the work tree.
    pub changed: Vec<Changed>,
    /// Files that git does not know and does not ignore; a directory of such files is one entry.
    pub untracked: Vec<String>,
    /// Files with conflicts.
    pub conflicted: Vec<String>,
    /// Submodules with another commit, or with changes of their own.
    pub submodules: Vec<String>,
}

impl WorkStatus {
    /// How many commits are listed.
    pub const MOST_COMMITS: usize = 500;

    /// Whether commits hold everything.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.changed.is_empty()
            && self.untracked.is_empty()
            && self.conflicted.is_empty()
            && self.submodules.is_empty()
    }
}

/// One commit, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its name.
    pub id: Oid,
    /// The first line of its message.
    pub subject: String,
    /// Who wrote it.
    pub author: String,
    /// When it was committed, in seconds since 1970, UTC.
    pub time: i64,
}

/// The state of the work tree `dir` in `place`, a box, since `base`.
///
/// # Errors
/// [`GitError`]; a state that cannot be told counts as not clean.
pub async fn status(place: &dyn Place, dir: &str, base: &Oid) -> Result<WorkStatus, GitError> {
    let git = Git::work_tree(dir);
    let disarmed = Disarmed::read(place, &git).await?;
    let git = git.config(&disarmed.content);
    let look = git.command([
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--untracked-files=normal",
        "--ignore-submodules=dirty",
        "--find-renames",
    ]);
    let (output, ahead) = tokio::try_join!(must(place, &look, WORK), commits(place, &git, base))?;
    let mut status = porcelain::parse(&output.text())?;
    status.ahead = ahead;
    for (path, _) in links_in_index(place, &git).await? {
        if !status.submodules.contains(&path) && !submodule_is_clean(place, dir, &path).await {
            status.submodules.push(path);
        }
    }
    Ok(status)
}

/// The commits that `HEAD` has and `base` has not.
async fn commits(place: &dyn Place, git: &Git, base: &Oid) -> Result<Vec<Commit>, GitError> {
    let since = format!("^{base}");
    list(place, git, &["HEAD", &since], WorkStatus::MOST_COMMITS).await
}

/// The paths that the index holds as repositories of their own, with their commits.
pub(crate) async fn links_in_index(
    place: &dyn Place,
    git: &Git,
) -> Result<Vec<(String, Oid)>, GitError> {
    let list = git.command(["ls-files", "-z", "--stage"]);
    let text = must(place, &list, WORK).await?.text();
    let entries = text.split('\0').filter_map(|e| e.split_once('\t'));
    let links = entries.filter_map(|(what, path)| {
        let oid = what.strip_prefix("160000 ")?.split(' ').next()?;
        Some((path.to_owned(), Oid::parse(oid)?))
    });
    Ok(links.collect())
}

/// Whether the submodule `path` has nothing uncommitted. One that is not checked out has not.
pub(crate) async fn submodule_is_clean(place: &dyn Place, dir: &str, path: &str) -> bool {
    let git = Git::submodule(&format!("{}/{path}", dir.trim_end_matches('/')));
    let probe = git.command(["rev-parse", "--git-dir"]);
    match place.run(&probe, LOOK).await {
        Ok(output) if !output.exit.is_success() => return true,
        Ok(_) => {}
        Err(_) => return false,
    }
    let Ok(disarmed) = Disarmed::read(place, &git).await else {
        return false;
    };
    let look = git.config(&disarmed.content).command([
        "status",
        "--porcelain=v2",
        "-z",
        "--ignore-submodules=dirty",
    ]);
    let output = must(place, &look, WORK).await;
    output.is_ok_and(|output| output.stdout.is_empty())
}
