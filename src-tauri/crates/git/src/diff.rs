//! What changed in a box since its base, committed or not, in figures and as text.
//!
//! Files that git does not know yet count too: a private index is told of them, so that the agent's
//! own index is never touched.
//!
//! Start at [`diff_stat`] or [`diff`].

pub(crate) mod numstat;

use bytes::BytesMut;
use paddock_domain::{DiffStat, DiffWhat, FileStat};
use paddock_exec::{Command, ExecError, Place};
use tokio::io::AsyncReadExt;

use crate::git::{Git, LOOK, WORK, ask, must};
use crate::private_index::PrivateIndex;
use crate::receive::is_ancestor;
use crate::work_tree::know_all;
use crate::{GitError, Oid, refs};

/// How many files a [`DiffStat`] lists.
pub const MOST_FILES: usize = 3000;

/// What every diff of this room is made with: git alone, and nothing left to configuration.
pub(crate) const PLAIN: [&str; 9] = [
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--ignore-submodules=dirty",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "-O/dev/null",
];

/// How much text a diff may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffLimits {
    /// Most bytes of text.
    pub bytes: usize,
    /// Unchanged lines around each change.
    pub context: u32,
}

impl Default for DiffLimits {
    /// 4 MiB, three lines.
    fn default() -> Self {
        Self {
            bytes: 4 << 20,
            context: 3,
        }
    }
}

/// Changes as unified text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// The text, with what is not UTF-8 replaced.
    pub text: String,
    /// Whether more followed.
    pub truncated: bool,
}

/// What changed in the work tree `dir` of `place`, a box, since `base`, in figures.
///
/// # Errors
/// [`GitError`].
pub async fn diff_stat(place: &dyn Place, dir: &str, base: &Oid) -> Result<DiffStat, GitError> {
    let index = PrivateIndex::copy(place, dir).await?;
    let stat = stat_with(place, &index, base).await;
    index.discard(place).await;
    stat
}

/// What changed in the work tree `dir` of `place`, a box, since `base`, as text; `path` alone if given.
///
/// With a branch that has no commit, all is uncommitted.
///
/// # Errors
/// [`GitError`].
pub async fn diff(
    place: &dyn Place,
    dir: &str,
    base: &Oid,
    what: DiffWhat,
    path: Option<&str>,
    limits: DiffLimits,
) -> Result<Diff, GitError> {
    let git = Git::work_tree(dir);
    let from = match what {
        DiffWhat::All => base.clone(),
        DiffWhat::Committed | DiffWhat::Uncommitted => {
            let head = refs::read(place, &git, "HEAD").await?;
            head.unwrap_or_else(|| Oid::empty_tree(base.format()))
        }
    };
    if what == DiffWhat::Committed {
        return between(place, &git, base, &from, path, limits).await;
    }
    let index = PrivateIndex::copy(place, dir).await?;
    let text = text_with(place, &index, &from, path, limits).await;
    index.discard(place).await;
    text
}

/// What the commits of `tip` have changed since `base`, in the repository with the git directory
/// `git_dir` on the host.
///
/// # Errors
/// [`GitError`].
pub async fn diff_here(
    place: &dyn Place,
    git_dir: &str,
    base: &Oid,
    tip: &Oid,
    path: Option<&str>,
    limits: DiffLimits,
) -> Result<Diff, GitError> {
    between(place, &Git::bare(git_dir), base, tip, path, limits).await
}

/// What `commit` alone did, in the work tree `dir` of a box or in the repository with the git
/// directory `git_dir` on the host; nothing when it is none of the commits of `tip` since `base`.
///
/// # Errors
/// [`GitError`].
pub async fn diff_of_commit(
    place: &dyn Place,
    at: Whose<'_>,
    (base, tip): (&Oid, &Oid),
    commit: &Oid,
    path: Option<&str>,
    limits: DiffLimits,
) -> Result<Option<Diff>, GitError> {
    let git = match at {
        Whose::Box { dir } => Git::work_tree(dir),
        Whose::Host { git_dir } => Git::bare(git_dir),
    };
    if refs::read(place, &git, commit.as_str()).await?.is_none() {
        return Ok(None);
    }
    let known = is_ancestor(place, &git, commit, tip).await?
        && !is_ancestor(place, &git, commit, base).await?;
    if !known {
        return Ok(None);
    }
    let parent = refs::read(place, &git, &format!("{commit}^1")).await?;
    let from = parent.unwrap_or_else(|| Oid::empty_tree(commit.format()));
    between(place, &git, &from, commit, path, limits)
        .await
        .map(Some)
}

/// Where a repository is.
#[derive(Clone, Copy, Debug)]
pub enum Whose<'a> {
    /// In a box.
    Box {
        /// Its work tree.
        dir: &'a str,
    },
    /// On the host.
    Host {
        /// Its git directory.
        git_dir: &'a str,
    },
}

/// What differs between two commits or trees, as text.
pub(crate) async fn between(
    place: &dyn Place,
    git: &Git,
    from: &Oid,
    to: &Oid,
    path: Option<&str>,
    limits: DiffLimits,
) -> Result<Diff, GitError> {
    let context = format!("-U{}", limits.context);
    let command = git.command(["diff", "-M", &context]).args(PLAIN);
    let command = command.args([from.as_str(), to.as_str(), "--"]).args(path);
    beginning(place, &command, limits.bytes).await
}

/// The same in figures.
pub(crate) async fn stat_between(
    place: &dyn Place,
    git: &Git,
    from: &Oid,
    to: &Oid,
) -> Result<DiffStat, GitError> {
    let command = git.command(["diff", "-M", "--numstat", "-z"]).args(PLAIN);
    let command = command.args([from.as_str(), to.as_str(), "--"]);
    let text = must(place, &command, WORK).await?.text();
    Ok(summed(numstat::parse(&text)?))
}

async fn stat_with(
    place: &dyn Place,
    index: &PrivateIndex,
    base: &Oid,
) -> Result<DiffStat, GitError> {
    know_all(place, &index.git, base.format()).await?;
    let since = |from: &str| {
        let diff = index.git.command(["diff", "--numstat", "-z", "-M"]);
        diff.args(PLAIN).args([from, "--"])
    };
    let (since_base, since_head, count) = (
        since(base.as_str()),
        since("HEAD"),
        count_of(&index.git, base),
    );
    let (all, loose, commits) = tokio::try_join!(
        must(place, &since_base, WORK),
        must(place, &since_head, WORK),
        ask(place, &count, LOOK)
    )?;
    let uncommitted = numstat::parse(&loose.text())?.len() as u64;
    let commits = commits.text().trim().parse().unwrap_or(0);
    Ok(DiffStat {
        commits,
        uncommitted,
        ..summed(numstat::parse(&all.text())?)
    })
}

fn count_of(git: &Git, base: &Oid) -> Command {
    git.command(["rev-list", "--count", "HEAD", &format!("^{base}"), "--"])
}

/// `files` with their sums, the list cut at [`MOST_FILES`].
pub(crate) fn summed(mut files: Vec<FileStat>) -> DiffStat {
    let (added, removed) = (
        files.iter().map(|file| file.added).sum(),
        files.iter().map(|file| file.removed).sum(),
    );
    let more_files = files.len().saturating_sub(MOST_FILES) as u64;
    files.truncate(MOST_FILES);
    DiffStat {
        files,
        more_files,
        added,
        removed,
        ..DiffStat::default()
    }
}

async fn text_with(
    place: &dyn Place,
    index: &PrivateIndex,
    base: &Oid,
    path: Option<&str>,
    limits: DiffLimits,
) -> Result<Diff, GitError> {
    know_all(place, &index.git, base.format()).await?;
    let context = format!("-U{}", limits.context);
    let command = index.git.command(["diff", "-M", &context]);
    let command = command.args(PLAIN).args([base.as_str(), "--"]).args(path);
    beginning(place, &command, limits.bytes).await
}

/// The first `limit` bytes that `command` prints, cut at a line.
async fn beginning(place: &dyn Place, command: &Command, limit: usize) -> Result<Diff, GitError> {
    let read = async {
        let mut process = place.spawn(command).await?;
        drop(process.stdin);
        let mut text = BytesMut::new();
        let lost = |source| ExecError::Lost {
            program: command.program.clone(),
            source,
        };
        // Nothing of interest comes on the other stream, but nobody may wait for it to be read.
        let mut nowhere = tokio::io::sink();
        let drained = tokio::io::copy(&mut process.stderr, &mut nowhere);
        let wanted = async {
            let mut out = process.stdout.take(limit as u64 + 1);
            while out.read_buf(&mut text).await.map_err(lost)? > 0 {}
            Ok::<_, ExecError>(())
        };
        tokio::select! {
            read = wanted => read?,
            _ = async { let _ = drained.await; std::future::pending::<()>().await } => {}
        }
        Ok::<_, ExecError>(text)
    };
    let text = tokio::time::timeout(WORK.time, read).await;
    let text = text.map_err(|_| ExecError::TimedOut {
        program: command.program.clone(),
        limit_ms: u64::try_from(WORK.time.as_millis()).unwrap_or(u64::MAX),
    })??;
    Ok(cut(&text, limit))
}

fn cut(text: &[u8], limit: usize) -> Diff {
    if text.len() <= limit {
        return Diff {
            text: String::from_utf8_lossy(text).into_owned(),
            truncated: false,
        };
    }
    let kept = &text[..limit];
    let end = kept.iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    Diff {
        text: String::from_utf8_lossy(&kept[..end]).into_owned(),
        truncated: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_diff_is_cut_at_a_line() {
        let diff = cut(b"one\ntwo\nthree\n", 9);
        assert_eq!((diff.text.as_str(), diff.truncated), ("one\ntwo\n", true));
        assert!(!cut(b"one\n", 4).truncated);
    }
}
