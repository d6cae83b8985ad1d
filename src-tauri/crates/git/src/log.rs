//! Lists commits with what each of them changed.
//!
//! Start at [`log`] or [`commits`].

use paddock_domain::{CommitView, Timestamp};
use paddock_exec::Place;

use crate::diff::PLAIN;
use crate::git::{Git, LOOK, WORK, must};
use crate::{Commit, GitError, Oid};

/// How many commits of a task are listed.
pub const MOST_COMMITS: usize = 500;

/// Commits, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The first of them.
    pub commits: Vec<CommitView>,
    /// How many more there are.
    pub more: u64,
}

/// The commits of the work tree `dir` of `place`, a box, since `base`.
///
/// # Errors
/// [`GitError`].
pub async fn commits(place: &dyn Place, dir: &str, base: &Oid) -> Result<Log, GitError> {
    let git = Git::work_tree(dir);
    let Some(head) = crate::refs::read(place, &git, "HEAD").await? else {
        return Ok(Log::default());
    };
    let since = ["--not", base.as_str()];
    log(place, &git, &[head], &since, MOST_COMMITS).await
}

/// The same of `tip` in the repository with the git directory `git_dir` on the host.
///
/// # Errors
/// [`GitError`].
pub async fn commits_here(
    place: &dyn Place,
    git_dir: &str,
    tip: &Oid,
    base: &Oid,
) -> Result<Log, GitError> {
    let since = ["--not", base.as_str()];
    let tips = std::slice::from_ref(tip);
    log(place, &Git::bare(git_dir), tips, &since, MOST_COMMITS).await
}

/// The first `most` commits of `tips`, narrowed by `revisions`.
pub(crate) async fn log(
    place: &dyn Place,
    git: &Git,
    tips: &[Oid],
    revisions: &[&str],
    most: usize,
) -> Result<Log, GitError> {
    if tips.is_empty() {
        return Ok(Log::default());
    }
    let all: Vec<&str> = tips.iter().map(Oid::as_str).collect();
    let all = [&all, revisions].concat();
    let listed = list(place, git, &all, most).await?;
    let mut commits: Vec<CommitView> = listed.into_iter().map(view_of).collect();
    let mut more = 0;
    if commits.len() == most {
        let count = git.command(["rev-list", "--count"]).args(all).arg("--");
        let all = must(place, &count, WORK).await?.text();
        let all: u64 = all.trim().parse().unwrap_or(0);
        more = all.saturating_sub(most as u64);
    }
    add_figures(place, git, &mut commits).await?;
    Ok(Log { commits, more })
}

/// The first `most` commits of `revisions`, in short.
pub(crate) async fn list(
    place: &dyn Place,
    git: &Git,
    revisions: &[&str],
    most: usize,
) -> Result<Vec<Commit>, GitError> {
    let list = git.command([
        "rev-list",
        "--no-commit-header",
        "--format=%H%x00%ct%x00%an%x00%s",
        &format!("--max-count={most}"),
    ]);
    let list = list.args(revisions.iter().copied()).arg("--");
    let text = must(place, &list, WORK).await?.text();
    text.lines().map(commit_of).collect()
}

fn commit_of(line: &str) -> Result<Commit, GitError> {
    let mut fields = line.splitn(4, '\0');
    let mut next = || fields.next().unwrap_or_default();
    let (id, time, author, subject) = (next(), next(), next(), next());
    Ok(Commit {
        id: Oid::read("rev-list", id)?,
        subject: subject.to_owned(),
        author: author.to_owned(),
        time: time.parse().unwrap_or(0),
    })
}

fn view_of(commit: Commit) -> CommitView {
    CommitView {
        commit: commit.id.as_str().to_owned(),
        subject: commit.subject,
        author: commit.author,
        committed_at: Timestamp::from_unix_ms(commit.time.saturating_mul(1000)),
        files: 0,
        added: 0,
        removed: 0,
    }
}

async fn add_figures(
    place: &dyn Place,
    git: &Git,
    commits: &mut [CommitView],
) -> Result<(), GitError> {
    let names: String = commits.iter().map(|c| format!("{}\n", c.commit)).collect();
    let show = git.command(["diff-tree", "--stdin", "-r", "--root", "--numstat", "-M"]);
    let show = show.args(PLAIN).stdin(names);
    let text = must(place, &show, LOOK).await?.text();
    let mut rest = commits.iter_mut();
    let mut now: Option<&mut CommitView> = None;
    for line in text.lines() {
        if Oid::parse(line).is_some() {
            // Those without a difference are left out, the order stays.
            now = rest.find(|commit| commit.commit == line);
        } else if let Some(commit) = now.as_deref_mut() {
            let mut figures = line.split('\t').map(|n| n.parse::<u64>().unwrap_or(0));
            commit.files += 1;
            commit.added += figures.next().unwrap_or(0);
            commit.removed += figures.next().unwrap_or(0);
        }
    }
    Ok(())
}
