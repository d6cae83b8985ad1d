//! Sends a branch to a remote, and never over what someone else put there.
//!
//! Every push names the commit it expects to replace (`--force-with-lease=<ref>:<commit>`), so a
//! commit that a reviewer pushed meanwhile is refused and not overwritten. No hook of the repository
//! runs, nobody is asked for a password, and only the user's own credential helpers are used.
//!
//! Start at [`remote_tip`], then [`push`].

use paddock_exec::{Exit, Output, Place};

use crate::git::{ask, failure, without_credentials};
use crate::network::{Network, REACH};
use crate::{Branch, GitError, Oid, Repository, refs};

/// What a push did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// The branch was there already, at this commit.
    UpToDate,
    /// The branch is new there.
    Created,
    /// It was moved forward.
    Advanced,
    /// It was moved to a commit that does not contain the old one.
    Replaced,
}

/// Why a remote was not reached or did not take a push.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The repository has no such remote.
    #[error("there is no remote `{remote}`: add it with `git remote add {remote} <url>`")]
    NoSuchRemote {
        /// Its name.
        remote: String,
    },
    /// Somebody has pushed to the branch meanwhile.
    #[error(
        "`{branch}` on `{remote}` is not where it was expected: someone has pushed to it; \
         fetch it, look at what is new, and sync again"
    )]
    Moved {
        /// The remote.
        remote: String,
        /// The branch.
        branch: Branch,
    },
    /// The remote says no.
    #[error("`{remote}` refused `{branch}`: {reason}")]
    Refused {
        /// The remote.
        remote: String,
        /// The branch.
        branch: Branch,
        /// In its words.
        reason: String,
    },
    /// The user may not do that there, or no credentials were found.
    #[error(
        "`{remote}` did not accept our credentials: log in with your credential helper or add your \
         ssh key to the agent, then try again. {detail}"
    )]
    NotAuthorised {
        /// The remote.
        remote: String,
        /// What git said.
        detail: String,
    },
    /// It does not answer.
    #[error("`{remote}` cannot be reached: check the network and its address. {detail}")]
    Unreachable {
        /// The remote.
        remote: String,
        /// What git said.
        detail: String,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// The commit that `branch` has on `remote` now; nothing when it is not there.
///
/// # Errors
/// [`RemoteError`].
pub async fn remote_tip(
    place: &dyn Place,
    repository: &Repository,
    remote: &str,
    branch: &Branch,
) -> Result<Option<Oid>, RemoteError> {
    known(repository, remote)?;
    let network = Network::of(place, &repository.git_dir).await?;
    let list = network.command([
        "ls-remote",
        "--upload-pack=git-upload-pack",
        "--",
        remote,
        &branch.full(),
    ]);
    let output = ask(place, &list, REACH).await?;
    if !output.exit.is_success() {
        return Err(reason(remote, &output).unwrap_or_else(|| failure(&list, &output).into()));
    }
    let text = output.text();
    // A name given in full also matches where it is the end of a longer one.
    let exact = |line: &&str| line.split('\t').nth(1) == Some(branch.full().as_str());
    let line = text.lines().find(exact);
    Ok(line.and_then(|line| Oid::parse(line.split('\t').next()?)))
}

/// Fetches `branch` of `remote` into its tracking branch and gives its commit.
///
/// # Errors
/// [`RemoteError`].
pub async fn fetch_branch(
    place: &dyn Place,
    repository: &Repository,
    remote: &str,
    branch: &Branch,
) -> Result<Oid, RemoteError> {
    known(repository, remote)?;
    let tracking = tracking_ref(remote, branch);
    let network = Network::of(place, &repository.git_dir).await?;
    let fetch = network.command([
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        "--no-auto-maintenance",
        "--upload-pack=git-upload-pack",
        "--",
        remote,
        &format!("+{}:{tracking}", branch.full()),
    ]);
    let output = ask(place, &fetch, REACH).await?;
    if !output.exit.is_success() {
        return Err(reason(remote, &output).unwrap_or_else(|| failure(&fetch, &output).into()));
    }
    let commit = refs::read(place, network.git(), &tracking).await?;
    Ok(commit.ok_or_else(|| GitError::unreadable("fetch", "the branch did not arrive"))?)
}

/// Sets `branch` on `remote` to `commit`, if it stands at `expected` there (nothing: does not exist).
///
/// # Errors
/// [`RemoteError`]; the remote is unchanged then.
pub async fn push(
    place: &dyn Place,
    repository: &Repository,
    remote: &str,
    commit: &Oid,
    branch: &Branch,
    expected: Option<&Oid>,
) -> Result<Pushed, RemoteError> {
    known(repository, remote)?;
    let network = Network::of(place, &repository.git_dir).await?;
    let name = branch.full();
    let lease = expected.map(Oid::as_str).unwrap_or_default();
    let push = network.command([
        "push",
        "--porcelain",
        "--no-verify",
        "--no-signed",
        "--no-follow-tags",
        "--recurse-submodules=no",
        "--receive-pack=git-receive-pack",
        &format!("--force-with-lease={name}:{lease}"),
        "--",
        remote,
        &format!("{commit}:{name}"),
    ]);
    let output = ask(place, &push, REACH).await?;
    match outcome(&output.text()) {
        Some(Ok(pushed)) if output.exit.is_success() => Ok(pushed),
        Some(Err(refusal)) => Err(refused(remote, branch, &refusal)),
        Some(Ok(_)) | None => {
            Err(reason(remote, &output).unwrap_or_else(|| failure(&push, &output).into()))
        }
    }
}

/// Where `repository` remembers `branch` of `remote`.
pub(crate) fn tracking_ref(remote: &str, branch: &Branch) -> String {
    format!("refs/remotes/{remote}/{branch}")
}

fn known(repository: &Repository, remote: &str) -> Result<(), RemoteError> {
    if repository.remotes.iter().any(|r| r.name == remote) {
        return Ok(());
    }
    Err(RemoteError::NoSuchRemote {
        remote: remote.to_owned(),
    })
}

/// The one line `<flag> TAB <from>:<to> TAB <summary>` of `git push --porcelain`.
fn outcome(text: &str) -> Option<Result<Pushed, String>> {
    let line = text.lines().find(|line| line.matches('\t').count() >= 2)?;
    let summary = line.splitn(3, '\t').nth(2).unwrap_or_default();
    match line.chars().next()? {
        ' ' => Some(Ok(Pushed::Advanced)),
        '+' => Some(Ok(Pushed::Replaced)),
        '*' => Some(Ok(Pushed::Created)),
        '=' => Some(Ok(Pushed::UpToDate)),
        '!' => Some(Err(summary.to_owned())),
        _ => None,
    }
}

fn refused(remote: &str, branch: &Branch, summary: &str) -> RemoteError {
    let (remote, branch) = (remote.to_owned(), branch.clone());
    let lost_race = [
        "stale info",
        "fetch first",
        "remote ref updated since",
        "cannot lock ref",
    ];
    if lost_race.iter().any(|words| summary.contains(words)) {
        return RemoteError::Moved { remote, branch };
    }
    RemoteError::Refused {
        remote,
        branch,
        reason: without_credentials(summary),
    }
}

/// What git's words about the whole connection mean.
fn reason(remote: &str, output: &Output) -> Option<RemoteError> {
    if output.exit == Exit::Code(0) {
        return None;
    }
    let detail = without_credentials(&output.error_text());
    let says = |words: &[&str]| words.iter().any(|w| detail.contains(w));
    let remote = remote.to_owned();
    if says(&[
        "could not read Username",
        "could not read Password",
        "Authentication failed",
        "Permission denied",
        "returned error: 401",
        "returned error: 403",
        "Host key verification failed",
    ]) {
        return Some(RemoteError::NotAuthorised { remote, detail });
    }
    says(&[
        "Could not resolve host",
        "Could not read from remote repository",
        "unable to access",
        "does not appear to be a git repository",
        "Connection refused",
        "timed out",
        "not allowed",
        "unable to connect",
    ])
    .then_some(RemoteError::Unreachable { remote, detail })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_told_apart() {
        let line = |flag: &str, summary: &str| format!("To x\n{flag}\ta:b\t{summary}\nDone\n");
        assert_eq!(outcome(&line(" ", "1..2")), Some(Ok(Pushed::Advanced)));
        assert_eq!(
            outcome(&line("+", "1...2 (forced update)")),
            Some(Ok(Pushed::Replaced))
        );
        assert_eq!(
            outcome(&line("*", "[new branch]")),
            Some(Ok(Pushed::Created))
        );
        assert_eq!(
            outcome(&line("=", "[up to date]")),
            Some(Ok(Pushed::UpToDate))
        );
        let rejected = outcome(&line("!", "[rejected] (stale info)"));
        let Some(Err(summary)) = rejected else {
            panic!("{rejected:?}");
        };
        let branch = Branch::of_task(0);
        let moved = refused("origin", &branch, &summary);
        assert!(matches!(moved, RemoteError::Moved { .. }));
        let no = refused(
            "origin",
            &branch,
            "[remote rejected] (pre-receive hook declined)",
        );
        assert!(matches!(no, RemoteError::Refused { .. }));
        assert_eq!(outcome("fatal: nothing"), None);
    }
}
