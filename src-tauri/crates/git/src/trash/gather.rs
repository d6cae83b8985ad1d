//! Collects everything in a box that would be lost with it, as objects in the box's own repository.
//!
//! The work tree, the agent's index, its branch and its refs stay as they are: it is all done through
//! a private index, and no ref is made. Doing it twice makes the same objects.
//!
//! Start at [`gather`].

use paddock_domain::IgnoredFiles;
use paddock_exec::Place;

use super::TrashError;
use super::extra::{self, Store};
use crate::git::{Git, LOOK, WORK, ask, git_dir_of, maybe, must};
use crate::private_index::PrivateIndex;
use crate::work_tree::take_all;
use crate::{GitError, Oid, refs};

/// How many other branches, tags and stashes are kept by name. A box with more is told so.
pub(crate) const MOST_OTHERS: usize = 500;

/// Everything that one box's repository holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gathered {
    /// The branch that is checked out.
    pub(super) branch: Option<String>,
    /// The commit that the files stand on.
    pub(super) head: Option<Oid>,
    /// The same, or a commit of nothing where there is none.
    pub(super) base: Oid,
    /// A commit of the files.
    pub(super) files: Oid,
    /// A commit of the index.
    pub(super) index: Oid,
    /// A commit of ignored files and of repositories inside, where there is something to keep.
    pub(super) extra: Option<Oid>,
    /// Files that git ignores.
    pub(super) ignored: IgnoredFiles,
    /// Other branches, tags and stashes that the head does not contain.
    pub(super) others: Vec<(String, Oid)>,
}

impl Gathered {
    /// All commits that must be kept.
    pub(super) fn tips(&self) -> Vec<Oid> {
        let mut tips = vec![self.base.clone(), self.files.clone(), self.index.clone()];
        tips.extend(self.extra.clone());
        tips.extend(self.others.iter().map(|(_, oid)| oid.clone()));
        tips.dedup();
        tips
    }
}

/// Collects what the work tree `dir` of `place`, a box, holds.
pub(super) async fn gather(place: &dyn Place, dir: &str) -> Result<Gathered, TrashError> {
    let plain = Git::work_tree(dir);
    let head = head(place, &plain).await?;
    let index = PrivateIndex::copy(place, dir).await?;
    let gathered = gather_with(place, dir, &index, head).await;
    index.discard(place).await;
    gathered
}

async fn gather_with(
    place: &dyn Place,
    dir: &str,
    index: &PrivateIndex,
    head: Option<Oid>,
) -> Result<Gathered, TrashError> {
    let git = &index.git;
    let base = match &head {
        Some(head) => head.clone(),
        None => {
            let empty = must(place, &git.command(["mktree"]), LOOK).await?;
            let empty = Oid::read("mktree", &empty.text())?;
            commit(place, git, "nothing", &empty, &[]).await?
        }
    };
    trust_nothing(place, git).await?;
    let staged = ask(place, &git.command(["write-tree"]), WORK).await?;
    // What could not be added are repositories without a commit: they are kept apart.
    let hollow = take_all(place, git).await?;
    let files = must(place, &git.command(["write-tree"]), WORK).await?;
    let files = Oid::read("write-tree", &files.text())?;
    // An index with conflicts has no tree; the files with their marks are kept all the same.
    let staged = match staged.exit.is_success() {
        true => Oid::read("write-tree", &staged.text())?,
        false => files.clone(),
    };
    let store = Store {
        dir,
        home: &git_dir_of(dir),
    };
    let (tree, ignored) = extra::tree(place, store, git, &base, &hollow, None).await?;
    let extra = match tree {
        Some(tree) => Some(commit(place, git, "extra", &tree, &[]).await?),
        None => None,
    };
    let staged = commit(place, git, "index", &staged, &[&base]).await?;
    let files = commit(place, git, "files", &files, &[&base]).await?;
    let mut others = others(place, git, head.as_slice(), Scope::Own).await?;
    if others.len() > MOST_OTHERS {
        return Err(TrashError::TooManyRefs { most: MOST_OTHERS });
    }
    others.retain(|(_, oid)| *oid != base);
    Ok(Gathered {
        branch: branch(place, git).await?,
        head,
        base,
        files,
        index: staged,
        extra,
        ignored,
        others,
    })
}

/// The commit that `HEAD` stands for; nothing on a branch without a commit. A head that cannot be
/// read is an error: what it held would be lost.
async fn head(place: &dyn Place, git: &Git) -> Result<Option<Oid>, GitError> {
    if let Some(head) = refs::read(place, git, "HEAD").await? {
        return Ok(Some(head));
    }
    let named = git.command(["rev-parse", "-q", "--verify", "HEAD"]);
    let named = maybe(place, &named, LOOK).await?;
    let symbolic = git.command(["symbolic-ref", "-q", "HEAD"]);
    let symbolic = maybe(place, &symbolic, LOOK).await?;
    match (named, symbolic) {
        (None, Some(_)) => Ok(None),
        (Some(_), _) | (None, None) => Err(GitError::unreadable("rev-parse", "HEAD is damaged")),
    }
}

async fn branch(place: &dyn Place, git: &Git) -> Result<Option<String>, GitError> {
    let name = git.command(["symbolic-ref", "-q", "--short", "HEAD"]);
    let name = maybe(place, &name, LOOK).await?;
    Ok(name.map(|output| output.text().trim().to_owned()))
}

/// An agent may have told git not to look at some files; here they are looked at.
async fn trust_nothing(place: &dyn Place, git: &Git) -> Result<(), GitError> {
    let list = must(place, &git.command(["ls-files", "-z", "-v"]), WORK).await?;
    let mut paths = Vec::new();
    for record in list.stdout.split(|byte| *byte == 0) {
        if let [tag, b' ', path @ ..] = record
            && tag.is_ascii_lowercase()
        {
            paths.extend_from_slice(path);
            paths.push(0);
        }
    }
    if paths.is_empty() {
        return Ok(());
    }
    let update = git.command(["update-index", "--no-assume-unchanged", "-z", "--stdin"]);
    must(place, &update.stdin(paths), WORK).await.map(drop)
}

/// Commits `tree`; the same tree and parents always give the same commit.
pub(super) async fn commit(
    place: &dyn Place,
    git: &Git,
    what: &str,
    tree: &Oid,
    parents: &[&Oid],
) -> Result<Oid, GitError> {
    let message = format!("paddock: {what}");
    commit_as_paddock(place, git, &message, tree, parents, UNDATED).await
}

/// When commits are dated that the same content must make again.
pub(crate) const UNDATED: i64 = 1_000_000_000;

/// Commits `tree` as Paddock, whoever works there, at `seconds` since 1970.
pub(crate) async fn commit_as_paddock(
    place: &dyn Place,
    git: &Git,
    message: &str,
    tree: &Oid,
    parents: &[&Oid],
    seconds: i64,
) -> Result<Oid, GitError> {
    let parents = parents.iter().flat_map(|parent| ["-p", parent.as_str()]);
    let mut command = git
        .command(["commit-tree", "-F", "-"])
        .args(parents)
        .arg(tree.as_str())
        .stdin(message.to_owned());
    for role in ["AUTHOR", "COMMITTER"] {
        command = command
            .env(format!("GIT_{role}_NAME"), "Paddock")
            .env(format!("GIT_{role}_EMAIL"), "paddock@localhost")
            .env(format!("GIT_{role}_DATE"), format!("{seconds} +0000"));
    }
    let made = must(place, &command, LOOK).await?;
    Oid::read("commit-tree", &made.text())
}

/// Which refs of a box are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// What was made there: branches, tags, stashes, unfinished merges.
    Own,
    /// That, and what was fetched there.
    Everything,
}

/// Refs of a box whose commits `known` do not contain: first what was made there, then what was fetched;
/// the newest first, and of each at most one more than [`MOST_OTHERS`].
pub(crate) async fn others(
    place: &dyn Place,
    git: &Git,
    known: &[Oid],
    scope: Scope,
) -> Result<Vec<(String, Oid)>, GitError> {
    let mut others = Vec::new();
    for mark in ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"] {
        if let Some(oid) = refs::read(place, git, mark).await? {
            others.push((mark.to_owned(), oid));
        }
    }
    others.extend(
        stashes(place, git)
            .await?
            .into_iter()
            .map(|s| (s.name, s.commit)),
    );
    others.extend(newest(place, git, known, &["refs/heads/", "refs/tags/"]).await?);
    if scope == Scope::Everything {
        others.extend(newest(place, git, known, &["refs/remotes/"]).await?);
    }
    Ok(others)
}

async fn newest(
    place: &dyn Place,
    git: &Git,
    known: &[Oid],
    below: &[&str],
) -> Result<Vec<(String, Oid)>, GitError> {
    let list = git.command([
        "for-each-ref",
        "--sort=-committerdate",
        &format!("--count={}", MOST_OTHERS + 1),
        "--format=%(objecttype) %(*objecttype) %(objectname) %(*objectname) %(refname)",
    ]);
    let list = list.args(known.iter().map(|oid| format!("--no-merged={oid}")));
    let text = must(place, &list.args(below.iter().copied()), LOOK)
        .await?
        .text();
    Ok(text.lines().filter_map(commit_in).collect())
}

/// Reads `type peeled-type name peeled-name ref`, where the peeled ones may be empty.
fn commit_in(line: &str) -> Option<(String, Oid)> {
    let mut fields = line.splitn(5, ' ');
    let mut next = || fields.next();
    let (kind, peeled_kind, oid, peeled) = (next()?, next()?, next()?, next()?);
    let name = next()?.to_owned();
    match (kind, peeled_kind) {
        ("commit", _) => Some((name, Oid::parse(oid)?)),
        (_, "commit") => Some((name, Oid::parse(peeled)?)),
        _ => None,
    }
}

/// One stash of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stash {
    /// `refs/stash@{n}`.
    pub(crate) name: String,
    pub(crate) commit: Oid,
    /// What git calls it.
    pub(crate) subject: String,
}

/// The stashes of a box, newest first.
pub(crate) async fn stashes(place: &dyn Place, git: &Git) -> Result<Vec<Stash>, GitError> {
    if refs::read(place, git, "refs/stash").await?.is_none() {
        return Ok(Vec::new());
    }
    let list = git.command([
        "log",
        "-g",
        "-z",
        "--format=%H %gs",
        &format!("--max-count={MOST_OTHERS}"),
        "refs/stash",
        "--",
    ]);
    let text = must(place, &list, LOOK).await?.text();
    let records = text.split('\0').filter_map(|record| record.split_once(' '));
    let stashes = records.enumerate().filter_map(|(n, (oid, subject))| {
        Some(Stash {
            name: format!("refs/stash@{{{n}}}"),
            commit: Oid::parse(oid.trim())?,
            subject: subject.to_owned(),
        })
    });
    Ok(stashes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_and_tags_of_commits_are_refs_to_keep_and_other_objects_are_not() {
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let found = |line: String| commit_in(&line).map(|(name, oid)| (name, oid.to_string()));
        assert_eq!(
            found(format!("commit  {a}  refs/heads/x y")),
            Some(("refs/heads/x y".to_owned(), a.clone()))
        );
        assert_eq!(
            found(format!("tag commit {a} {b} refs/tags/v1")),
            Some(("refs/tags/v1".to_owned(), b.clone()))
        );
        assert_eq!(found(format!("tag blob {a} {b} refs/tags/key")), None);
    }
}
