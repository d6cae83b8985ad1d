//! Brings an entry of the trash back onto new branches, and never onto anything that is there.

use paddock_exec::Place;

use super::{Kept, TrashError, gather, tree_of};
use crate::git::Git;
use crate::{Branch, GitError, Oid, Repository, refs};

/// How many names are tried when others are taken.
const TRIES: u64 = 100;

/// What was brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroughtBack {
    /// The new branch.
    pub branch: Branch,
    /// Its commit.
    pub commit: Oid,
    /// Further new branches and what they stand for.
    pub others: Vec<(Branch, Oid)>,
}

/// A name for a branch of `kept` that no branch of `repository` has.
///
/// # Errors
/// [`TrashError::BranchTaken`] when too many like it are taken.
pub async fn free_branch(
    place: &dyn Place,
    repository: &Repository,
    kept: &Kept,
) -> Result<Branch, TrashError> {
    let git = Git::bare(&repository.git_dir);
    let stem = kept.branch.as_deref().unwrap_or("paddock");
    let stem = format!("{stem}-restored");
    for name in numbered(&stem) {
        let Ok(branch) = Branch::parse(&name) else {
            continue;
        };
        if refs::read(place, &git, &branch.full()).await?.is_none() {
            return Ok(branch);
        }
    }
    Err(TrashError::BranchTaken { branch: stem })
}

/// Makes `branch` of `kept`: its commits, and what was uncommitted as one commit on top. With
/// `others`, makes branches of its other branches, tags, stashes, and of ignored files too.
///
/// # Errors
/// [`TrashError::BranchTaken`]; nothing is made then.
pub async fn bring_back(
    place: &dyn Place,
    repository: &Repository,
    kept: &Kept,
    branch: &Branch,
    others: bool,
) -> Result<BroughtBack, TrashError> {
    let git = Git::bare(&repository.git_dir);
    let commit = top(place, &git, kept).await?;
    if !refs::create(place, &git, &branch.full(), &commit).await? {
        let branch = branch.as_str().to_owned();
        return Err(TrashError::BranchTaken { branch });
    }
    let mut made = Vec::new();
    let wanted = kept.others.iter().cloned();
    let wanted = wanted.chain(kept.extra.clone().map(|extra| ("extra".to_owned(), extra)));
    for (name, oid) in wanted.filter(|_| others) {
        made.extend(make_other(place, &git, branch, &name, &oid).await?);
    }
    Ok(BroughtBack {
        branch: branch.clone(),
        commit,
        others: made,
    })
}

/// The commit for the branch: the head, or the files on top of it.
async fn top(place: &dyn Place, git: &Git, kept: &Kept) -> Result<Oid, GitError> {
    let files = tree_of(place, git, &kept.commit).await?;
    let parents: Vec<_> = kept.head.iter().collect();
    if let Some(head) = &kept.head
        && tree_of(place, git, head).await? == files
    {
        return Ok(head.clone());
    }
    let message = format!(
        "Restore uncommitted work\n\nKept by Paddock as {}/{} ({}).\n",
        kept.task,
        kept.number,
        kept.reason.as_str()
    );
    let seconds = kept.at.unix_ms().div_euclid(1000).max(1);
    gather::commit_as_paddock(place, git, &message, &files, &parents, seconds).await
}

async fn make_other(
    place: &dyn Place,
    git: &Git,
    branch: &Branch,
    name: &str,
    oid: &Oid,
) -> Result<Option<(Branch, Oid)>, GitError> {
    for name in numbered(&format!("{branch}-{}", plain(name))) {
        let Ok(other) = Branch::parse(&name) else {
            continue;
        };
        if refs::create(place, git, &other.full(), oid).await? {
            return Ok(Some((other, oid.clone())));
        }
    }
    Ok(None)
}

/// The name of a ref as the end of a branch's name.
fn plain(name: &str) -> String {
    let short = name.strip_prefix("refs/heads/");
    let short = short.unwrap_or_else(|| name.strip_prefix("refs/").unwrap_or(name));
    let letters = short
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' });
    let text: String = letters.take(60).collect();
    text.trim_matches('-').to_lowercase()
}

fn numbered(stem: &str) -> impl Iterator<Item = String> + use<'_> {
    let more = (2..TRIES).map(move |n| format!("-{n}"));
    std::iter::once(String::new())
        .chain(more)
        .map(move |end| format!("{stem}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_ref_makes_an_end_of_a_branch_name() {
        for (name, end) in [
            ("refs/heads/side/way", "side-way"),
            ("refs/tags/v1.0", "tags-v1-0"),
            ("refs/stash@{2}", "stash--2"),
            ("MERGE_HEAD", "merge-head"),
        ] {
            assert_eq!(plain(name), end);
        }
    }
}
