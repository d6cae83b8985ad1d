//! Reads and moves single refs, always by compare-and-swap.

use paddock_exec::{Command, Output, Place};

use crate::git::{Git, LOOK, ask, failure, maybe, must, well};
use crate::{Branch, GitError, Oid};

/// Where in a git directory the refs are that are ours alone.
const OURS: &str = "/refs/paddock/";

/// How old a lock of a ref is that nobody holds any more, as `find -mmin` counts minutes. Git holds one for
/// milliseconds; a git that is killed, or a machine that loses its power, leaves it there for good.
const LEFT_BEHIND: &str = "+1";

/// The commit that the full ref name `name` stands for.
pub(crate) async fn read(
    place: &dyn Place,
    git: &Git,
    name: &str,
) -> Result<Option<Oid>, GitError> {
    let show = git.command(["rev-parse", "-q", "--verify", "--end-of-options"]);
    let output = maybe(place, &show.arg(format!("{name}^{{commit}}")), LOOK).await?;
    // Older gits repeat the marker.
    let text = output.map(|o| o.text());
    Ok(text.and_then(|t| t.lines().find_map(Oid::parse)))
}

/// Creates `name` at `commit` unless it exists. Gives whether it did.
pub(crate) async fn create(
    place: &dyn Place,
    git: &Git,
    name: &str,
    commit: &Oid,
) -> Result<bool, GitError> {
    let update = git.command(["update-ref", name, commit.as_str(), &commit.zero()]);
    let output = change(place, git, &update).await?;
    if output.exit.is_success() {
        return Ok(true);
    }
    // It lost a race, or a ref above or below it is in the way, or somebody is making it, or was: all mean that the
    // name is taken.
    let said = output.error_text();
    if said.contains("already exists")
        || said.contains("exists; cannot create")
        || said.contains("but expected 0")
        || locked(&said).is_some_and(|path| path.ends_with(name))
    {
        return Ok(false);
    }
    if read(place, git, name).await?.is_some() {
        return Ok(false);
    }
    Err(failure(&update, &output))
}

/// Moves `name` from `from` to `to`. Gives whether it still stood at `from`.
pub(crate) async fn swap(
    place: &dyn Place,
    git: &Git,
    name: &str,
    from: &Oid,
    to: &Oid,
) -> Result<bool, GitError> {
    let update = git.command([
        "update-ref",
        "-m",
        "paddock",
        name,
        to.as_str(),
        from.as_str(),
    ]);
    let output = change(place, git, &update).await?;
    if output.exit.is_success() {
        return Ok(true);
    }
    if read(place, git, name).await?.as_ref() != Some(from) {
        return Ok(false);
    }
    Err(failure(&update, &output))
}

/// Sets `name` to `commit`, whatever it was: for refs under `refs/paddock/`, which are ours.
pub(crate) async fn set(
    place: &dyn Place,
    git: &Git,
    name: &str,
    commit: &Oid,
) -> Result<(), GitError> {
    let update = git.command(["update-ref", name, commit.as_str()]);
    well(&update, change(place, git, &update).await?).map(drop)
}

/// Deletes `name` if it still stands at `commit`. Gives whether it did.
pub(crate) async fn delete(
    place: &dyn Place,
    git: &Git,
    name: &str,
    commit: &Oid,
) -> Result<bool, GitError> {
    let update = git.command(["update-ref", "-d", name, commit.as_str()]);
    let output = change(place, git, &update).await?;
    if output.exit.is_success() {
        return Ok(true);
    }
    if read(place, git, name).await?.as_ref() != Some(commit) {
        return Ok(false);
    }
    Err(failure(&update, &output))
}

/// Runs `update`, which changes refs; again where a lock of refs of ours is in its way that was left behind. The locks of
/// other refs are the user's to look at.
pub(crate) async fn change(
    place: &dyn Place,
    git: &Git,
    update: &Command,
) -> Result<Output, GitError> {
    let output = ask(place, update, LOOK).await?;
    let said = output.error_text();
    let is_ours = locked(&said).is_some_and(|path| path.contains(OURS));
    let Some(git_dir) = git.git_dir().filter(|_| is_ours) else {
        return Ok(output);
    };
    let ours = format!("{}{OURS}", git_dir.trim_end_matches('/'));
    let left = ["-name", "*.lock", "-type", "f", "-mmin", LEFT_BEHIND];
    let remove = Command::new("find").arg(ours).args(left).arg("-delete");
    match place.run(&remove, LOOK).await {
        Ok(removed) if removed.exit.is_success() => ask(place, update, LOOK).await,
        _ => Ok(output),
    }
}

/// The file of the ref whose lock git says is in the way.
fn locked(said: &str) -> Option<&str> {
    let (before, _) = said.split_once(".lock': File exists")?;
    before.rsplit_once('\'').map(|(_, path)| path)
}

/// Those of `commits` that the repository holds.
pub(crate) async fn present(
    place: &dyn Place,
    git: &Git,
    commits: &[Oid],
) -> Result<Vec<Oid>, GitError> {
    let questions: String = commits.iter().map(|oid| format!("{oid}\n")).collect();
    let check = git
        .command(["cat-file", "--batch-check=%(objectname) %(objecttype)"])
        .stdin(questions);
    let text = must(place, &check, LOOK).await?.text();
    let there = text.lines().filter_map(|line| line.strip_suffix(" commit"));
    Ok(there.filter_map(Oid::parse).collect())
}

/// The refs under `prefix` (which ends with `/`), with what they stand for.
pub(crate) async fn list(
    place: &dyn Place,
    git: &Git,
    prefix: &str,
) -> Result<Vec<(String, Oid)>, GitError> {
    let list = git.command(["for-each-ref", "--format=%(objectname) %(refname)", prefix]);
    let text = must(place, &list, LOOK).await?.text();
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    Ok(pairs
        .filter_map(|(oid, name)| Some((name.to_owned(), Oid::parse(oid)?)))
        .collect())
}

/// The worktree that has `branch` checked out, if any.
pub(crate) async fn checked_out(
    place: &dyn Place,
    git: &Git,
    branch: &Branch,
) -> Result<Option<String>, GitError> {
    let list = must(
        place,
        &git.command(["worktree", "list", "--porcelain", "-z"]),
        LOOK,
    )
    .await?;
    Ok(worktree_of(&list.text(), branch))
}

fn worktree_of(listing: &str, branch: &Branch) -> Option<String> {
    let wanted = format!("branch {}", branch.full());
    let worktrees = listing.split("\0\0");
    let mut fields = worktrees.map(|w| w.split('\0').collect::<Vec<_>>());
    let found = fields.find(|fields| fields.contains(&wanted.as_str()))?;
    found
        .iter()
        .find_map(|field| field.strip_prefix("worktree "))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worktree_of_a_branch_is_found_among_several() {
        let listing = "worktree /a b\0HEAD x\0branch refs/heads/main\0\0\
                       worktree /c\0HEAD y\0detached\0\0worktree /d\0HEAD z\0branch refs/heads/f\0\0";
        let find = |name: &str| worktree_of(listing, &Branch::parse(name).unwrap());
        assert_eq!(find("main").as_deref(), Some("/a b"));
        assert_eq!(find("f").as_deref(), Some("/d"));
        assert_eq!(find("other"), None);
    }
}
