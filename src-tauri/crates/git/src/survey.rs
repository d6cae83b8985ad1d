//! What a purge would take: what a box has besides its files, and which commits no remote has.
//!
//! Start at [`besides`] and [`unpublished`].

use paddock_domain::IgnoredFiles;
use paddock_exec::Place;

use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, WORK, ask, must};
use crate::log::{Log, log};
use crate::trash::{Scope, ignored_files, others, stashes};
use crate::{GitError, Oid, Repository, refs};

/// How many commits are listed.
const MOST_COMMITS: usize = 200;

/// How many branches are listed.
const MOST_BRANCHES: usize = 100;

/// What a box has besides its files and the commits below its head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Besides {
    /// Stashes, in git's words.
    pub stashes: Vec<String>,
    /// Other branches and tags that the head does not contain.
    pub others: Vec<(String, Oid)>,
    /// Files that git ignores.
    pub ignored: IgnoredFiles,
}

/// What the work tree `dir` of `place`, a box, has besides its files and its head.
///
/// # Errors
/// [`GitError`]; what cannot be told counts as not safe.
pub async fn besides(place: &dyn Place, dir: &str) -> Result<Besides, GitError> {
    let plain = Git::work_tree(dir);
    let git = plain
        .clone()
        .config(&Disarmed::read(place, &plain).await?.content);
    let head = refs::read(place, &git, "HEAD").await?;
    let known = head.as_slice();
    let (stashes, others, (ignored, _)) = tokio::try_join!(
        stashes(place, &git),
        others(place, &git, known, Scope::Own),
        ignored_files(place, &git, dir)
    )?;
    let named = |stash: crate::trash::Stash| {
        let name = stash.name.strip_prefix("refs/").unwrap_or(&stash.name);
        format!("{name}: {}", stash.subject)
    };
    let others = others.into_iter();
    let others = others.filter(|(name, _)| !name.starts_with("refs/stash@"));
    Ok(Besides {
        others: others.take(MOST_BRANCHES).collect(),
        stashes: stashes.into_iter().map(named).collect(),
        ignored,
    })
}

/// The commits of `tip`, which is in `repository`, that no remote's branch has, as they were fetched
/// and pushed last, and none of `known`.
///
/// # Errors
/// [`GitError`].
pub async fn unpublished(
    place: &dyn Place,
    repository: &Repository,
    tip: &Oid,
    known: &[Oid],
) -> Result<Log, GitError> {
    let git = Git::bare(&repository.git_dir);
    let known = refs::present(place, &git, known).await?;
    let mut without = vec!["--not", "--remotes"];
    without.extend(known.iter().map(Oid::as_str));
    log(
        place,
        &git,
        std::slice::from_ref(tip),
        &without,
        MOST_COMMITS,
    )
    .await
}

/// Whether the work tree `dir` of `place`, a box, has `base` and all objects of what it made since.
///
/// # Errors
/// [`GitError`] when git cannot be run.
pub async fn is_whole(place: &dyn Place, dir: &str, base: &Oid) -> Result<bool, GitError> {
    let git = Git::work_tree(dir);
    let list = git.command(["rev-list", "--objects", "--quiet", "--all", "--not"]);
    let made = ask(place, &list.args([base.as_str(), "--"]), WORK).await?;
    let base = git.command(["cat-file", "-e", &format!("{base}^{{tree}}")]);
    Ok(made.exit.is_success() && ask(place, &base, LOOK).await?.exit.is_success())
}

/// Whether merging `tip` into `other` would change nothing there: all its work is in it, as after a
/// squash.
///
/// # Errors
/// [`GitError`] when git cannot be run.
pub async fn is_contained(
    place: &dyn Place,
    repository: &Repository,
    tip: &Oid,
    other: &Oid,
) -> Result<bool, GitError> {
    let git = Git::bare(&repository.git_dir);
    let git = git
        .clone()
        .config(&Disarmed::read(place, &git).await?.content);
    let merge = git.command(["merge-tree", "--write-tree", other.as_str(), tip.as_str()]);
    let merged = ask(place, &merge, WORK).await?;
    if !merged.exit.is_success() {
        return Ok(false);
    }
    let tree = git.command(["rev-parse", "--verify", &format!("{other}^{{tree}}")]);
    let tree = must(place, &tree, LOOK).await?;
    Ok(merged.text().lines().next() == Some(tree.text().trim()))
}
