//! Shows what a commit would hold, and makes exactly that commit.
//!
//! What an agent leaves uncommitted is never committed silently: a preview names every file and
//! flags secrets, large binaries and repositories inside the repository; the commit takes the
//! preview's token and refuses when anything has changed since.
//!
//! Start at [`commit_preview`].

use paddock_domain::DiffStat;
use paddock_exec::Place;

use crate::diff::{PLAIN, numstat, summed};
use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, WORK, must};
use crate::private_index::PrivateIndex;
use crate::scan::{Finding, ScanLimits, scan_trees};
use crate::work_tree::take_all;
use crate::{GitError, Oid, choice, refs};

/// What a commit would hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The files, and their lines.
    pub stat: DiffStat,
    /// Secrets and large binaries among them.
    pub findings: Vec<Finding>,
    /// Repositories inside that would be committed as a mere reference, their files left out.
    pub embedded: Vec<String>,
    /// Paths that could not be read and would be left out.
    pub left_out: Vec<String>,
    /// To be given to [`commit`].
    pub token: PreviewToken,
}

/// What was previewed: the commit it goes onto and the files it would hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewToken {
    /// The commit that the work tree was on.
    pub head: Oid,
    /// All files as they would be committed.
    pub tree: Oid,
}

impl PreviewToken {
    /// The token as text, for clients.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{}-{}", self.head, self.tree)
    }

    /// Reads what [`Self::to_text`] wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (head, tree) = text.split_once('-')?;
        Some(Self {
            head: Oid::parse(head)?,
            tree: Oid::parse(tree)?,
        })
    }
}

/// Why nothing was committed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommitError {
    /// There is nothing that the last commit does not hold.
    #[error("there is nothing to commit: the last commit holds everything")]
    Nothing,
    /// Something was written since the preview.
    #[error("the files have changed since the preview: look at a new one and commit that")]
    Changed,
    /// Files have conflicts.
    #[error("{} files have conflicts ({}): let the agent resolve them first", paths.len(), paths.join(", "))]
    Conflicted {
        /// The files.
        paths: Vec<String>,
    },
    /// The agent is in the middle of something.
    #[error("a {operation} is under way in the box: let the agent finish or abort it first")]
    Underway {
        /// `merge`, `rebase`, `cherry-pick` or `revert`.
        operation: &'static str,
    },
    /// No file was chosen.
    #[error("no file is chosen: choose those that the commit is to hold")]
    NoFiles,
    /// A file was chosen that the preview did not show.
    #[error(
        "`{path}` is not among the files of the preview: choose those that it names, as it names them"
    )]
    NoSuchFile {
        /// It.
        path: String,
    },
    /// A file was chosen without the one that it cannot stand beside.
    #[error(
        "`{path}` stands where `{was}` was, and a commit cannot hold both: choose `{with}` too, or leave `{path}` out"
    )]
    TakesPlace {
        /// The file that was chosen.
        path: String,
        /// The name that is gone with it.
        was: String,
        /// The file of the preview that stands for that.
        with: String,
    },
    /// The message is empty.
    #[error("the commit has no message: write one")]
    NoMessage,
    /// Git does not know who commits.
    #[error("git does not know who commits: set `user.name` and `user.email` on the host")]
    NoIdentity,
    /// The agent's git holds the index.
    #[error("the box's git is busy: nothing was committed, try again")]
    Busy,
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// What a commit of everything uncommitted in the work tree `dir` of `place`, a box, would hold.
///
/// # Errors
/// [`CommitError::Nothing`], [`CommitError::Conflicted`], [`CommitError::Underway`].
pub async fn commit_preview(
    place: &dyn Place,
    dir: &str,
    limits: ScanLimits,
) -> Result<Preview, CommitError> {
    let index = PrivateIndex::copy(place, dir).await?;
    let preview = preview_with(place, &index, limits).await;
    index.discard(place).await;
    preview
}

/// Commits what `token` stands for with `message`, and gives the commit.
///
/// The branch moves by compare-and-swap; then the agent's index is told, so that its git sees a
/// clean work tree.
///
/// # Errors
/// [`CommitError`]; nothing is committed then.
pub async fn commit(
    place: &dyn Place,
    dir: &str,
    message: &str,
    token: &PreviewToken,
) -> Result<Oid, CommitError> {
    commit_chosen(place, dir, message, token, None).await
}

/// The same, of all that `token` stands for, with `files` alone, each named as the preview names it; all of them
/// where there is no choice. What is not chosen stays in the work tree as it is.
///
/// # Errors
/// Those of [`commit`], [`CommitError::NoFiles`], [`CommitError::NoSuchFile`], [`CommitError::TakesPlace`].
pub async fn commit_chosen(
    place: &dyn Place,
    dir: &str,
    message: &str,
    token: &PreviewToken,
    files: Option<&[String]>,
) -> Result<Oid, CommitError> {
    if message.trim().is_empty() {
        return Err(CommitError::NoMessage);
    }
    let index = PrivateIndex::copy(place, dir).await?;
    let tree = tree_to_commit(place, &index, token, files).await;
    index.discard(place).await;
    let tree = tree?;
    let git = Git::work_tree(dir);
    let made = commit_tree(place, &git, &token.head, &tree, message).await;
    let commit = made?.ok_or(CommitError::NoIdentity)?;
    if !refs::swap(place, &git, "HEAD", &token.head, &commit).await? {
        return Err(CommitError::Changed);
    }
    if tell_index(place, &git, &commit).await.is_err() {
        refs::swap(place, &git, "HEAD", &commit, &token.head).await?;
        return Err(CommitError::Busy);
    }
    Ok(commit)
}

/// The tree of what was chosen, where all is still as it was previewed.
async fn tree_to_commit(
    place: &dyn Place,
    index: &PrivateIndex,
    token: &PreviewToken,
    files: Option<&[String]>,
) -> Result<Oid, CommitError> {
    if tree_now(place, index).await?.0 != *token {
        return Err(CommitError::Changed);
    }
    match files {
        Some(files) => choice::tree_of(place, index, token, files).await,
        None => Ok(token.tree.clone()),
    }
}

async fn preview_with(
    place: &dyn Place,
    index: &PrivateIndex,
    limits: ScanLimits,
) -> Result<Preview, CommitError> {
    let (token, left_out) = tree_now(place, index).await?;
    let git = &index.git;
    let show = git.command(["diff-tree", "-r", "-z", "-M", "--numstat"]);
    let show = show
        .args(PLAIN)
        .args([token.head.as_str(), token.tree.as_str(), "--"]);
    let stat = summed(numstat::parse(
        &must(place, &show, WORK).await.map(|o| o.text())?,
    )?);
    let findings = scan_trees(place, git, &token.head, &token.tree, limits).await?;
    let embedded = embedded(place, git, &token).await?;
    Ok(Preview {
        stat,
        findings,
        embedded,
        left_out,
        token,
    })
}

/// Everything in the work tree as a tree, and what could not be read.
async fn tree_now(
    place: &dyn Place,
    index: &PrivateIndex,
) -> Result<(PreviewToken, Vec<String>), CommitError> {
    let git = &index.git;
    refuse_underway(place, git).await?;
    refuse_conflicts(place, git).await?;
    let left_out = take_all(place, git).await?;
    let tree = must(place, &git.command(["write-tree"]), WORK).await?;
    let tree = Oid::read("write-tree", &tree.text())?;
    let question = git.command(["rev-parse", "HEAD^{commit}", "HEAD^{tree}"]);
    let text = must(place, &question, LOOK).await?.text();
    let mut oids = text.lines().filter_map(Oid::parse);
    let (Some(head), Some(old)) = (oids.next(), oids.next()) else {
        return Err(GitError::unreadable("rev-parse", "two object names were expected").into());
    };
    if old == tree {
        return Err(CommitError::Nothing);
    }
    Ok((PreviewToken { head, tree }, left_out))
}

async fn refuse_underway(place: &dyn Place, git: &Git) -> Result<(), CommitError> {
    const MARKS: [(&str, &str); 4] = [
        ("MERGE_HEAD", "merge"),
        ("REBASE_HEAD", "rebase"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
    ];
    let questions: String = MARKS.iter().map(|(mark, _)| format!("{mark}\n")).collect();
    let check = git
        .command(["cat-file", "--batch-check=%(objecttype)"])
        .stdin(questions);
    let answers = must(place, &check, LOOK).await?.text();
    let there = answers
        .lines()
        .zip(MARKS)
        .find(|(answer, _)| *answer == "commit");
    match there {
        Some((_, (_, operation))) => Err(CommitError::Underway { operation }),
        None => Ok(()),
    }
}

async fn refuse_conflicts(place: &dyn Place, git: &Git) -> Result<(), CommitError> {
    let list = must(place, &git.command(["ls-files", "-z", "--unmerged"]), WORK).await?;
    let text = list.text();
    let mut paths: Vec<String> = text
        .split('\0')
        .filter_map(|entry| Some(entry.split_once('\t')?.1.to_owned()))
        .collect();
    paths.dedup();
    if paths.is_empty() {
        return Ok(());
    }
    Err(CommitError::Conflicted { paths })
}

/// Repositories that the tree would newly refer to.
async fn embedded(
    place: &dyn Place,
    git: &Git,
    token: &PreviewToken,
) -> Result<Vec<String>, GitError> {
    let show = git.command([
        "diff-tree",
        "-r",
        "-z",
        "--raw",
        "--no-renames",
        "--diff-filter=A",
    ]);
    let show = show.args([token.head.as_str(), token.tree.as_str(), "--"]);
    let text = must(place, &show, WORK).await?.text();
    let mut fields = text.split('\0');
    let mut paths = Vec::new();
    while let (Some(what), Some(path)) = (fields.next(), fields.next()) {
        if what.starts_with(":000000 160000 ") {
            paths.push(path.to_owned());
        }
    }
    Ok(paths)
}

/// Commits `tree` onto `parent` as the repository's user; nothing where git does not know who that is.
pub(crate) async fn commit_tree(
    place: &dyn Place,
    git: &Git,
    parent: &Oid,
    tree: &Oid,
    message: &str,
) -> Result<Option<Oid>, GitError> {
    let commit = git.command(["commit-tree", "-F", "-", "-p", parent.as_str()]);
    let commit = commit.arg(tree.as_str()).stdin(message.to_owned());
    match must(place, &commit, LOOK).await {
        Ok(output) => Ok(Some(Oid::read("commit-tree", &output.text())?)),
        Err(error) if lacks_identity(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether git refused to commit because it does not know for whom.
fn lacks_identity(error: &GitError) -> bool {
    let words = ["tell me who you are", "empty ident", "auto-detect email"];
    matches!(error, GitError::Failed { stderr, .. } if words.iter().any(|w| stderr.contains(w)))
}

async fn tell_index(place: &dyn Place, git: &Git, commit: &Oid) -> Result<(), GitError> {
    let disarmed = Disarmed::read(place, git).await?;
    let git = git.clone().config(&disarmed.content);
    must(
        place,
        &git.command(["read-tree", "--reset", commit.as_str()]),
        WORK,
    )
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_as_text() {
        let oid = |digit: &str| Oid::parse(&digit.repeat(40)).unwrap();
        let token = PreviewToken {
            head: oid("a"),
            tree: oid("b"),
        };
        assert_eq!(PreviewToken::parse(&token.to_text()), Some(token));
        assert_eq!(PreviewToken::parse("main-HEAD"), None);
    }
}
