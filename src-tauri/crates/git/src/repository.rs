//! A repository on the host, as it was found.

use crate::{ObjectFormat, Oid};

/// What there is to know about a repository before a task works on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The checkout's top directory: the main one's, or a linked worktree's.
    pub root: String,
    /// The git directory that all its worktrees share.
    pub git_dir: String,
    /// Where its objects lie: its own directory first, then those it borrows from.
    pub object_dirs: Vec<String>,
    /// How its objects are named.
    pub object_format: ObjectFormat,
    /// What the checkout stands on.
    pub head: Head,
    /// The branch that others call the main one, when it can be told.
    pub default_branch: Option<String>,
    /// Where its history is cut off; empty in a complete repository.
    pub shallow: Vec<Oid>,
    /// Whether the checkout has changes that no commit holds. True when that cannot be told.
    pub dirty: bool,
    /// Whether objects are left out until they are needed (a partial clone).
    pub partial: bool,
    /// Whether large files are kept outside git (LFS).
    pub lfs: bool,
    /// The remotes it knows, as configured.
    pub remotes: Vec<Remote>,
    /// Its submodules, as committed.
    pub submodules: Vec<Submodule>,
    /// Who commits here, when configured.
    pub identity: Option<Identity>,
}

impl Repository {
    /// What a user should know before a task starts from it, in sentences.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let mut notices = Vec::new();
        if self.dirty {
            notices.push(format!(
                "{} has uncommitted changes: the task starts from the last commit, without them",
                self.root
            ));
        }
        if !self.shallow.is_empty() {
            notices.push(format!(
                "{} is a shallow clone: the agent sees its history only as far as it goes",
                self.root
            ));
        }
        if self.identity.is_none() {
            let Identity { name, email } = Identity::nobody();
            notices.push(format!(
                "git does not know who commits here, so the agent commits as {name} <{email}>: set \
                 `user.name` and `user.email` to change that"
            ));
        }
        if self.lfs {
            notices.push("large files (LFS) are left as pointers in the box".to_owned());
        }
        notices
    }
}

/// What a checkout stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// A branch and its commit.
    Branch {
        /// Its name, without `refs/heads/`.
        name: String,
        /// Its commit.
        commit: Oid,
    },
    /// A commit without a branch.
    Detached {
        /// The commit.
        commit: Oid,
    },
    /// A branch that has no commit yet, in a repository that has others.
    Unborn {
        /// Its name, without `refs/heads/`.
        name: String,
    },
}

/// Another repository that this one knows by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// Its name, such as `origin`.
    pub name: String,
    /// Where it is fetched from. May hold credentials: see [`crate::public_url`].
    pub url: String,
}

/// A repository inside a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submodule {
    /// Its name in `.gitmodules`.
    pub name: String,
    /// Its path in the work tree.
    pub path: String,
}

/// Who makes commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
}

impl Identity {
    /// Who commits in a box when the host's git does not know: an agent whose first commit fails
    /// would only make somebody up.
    #[must_use]
    pub fn nobody() -> Self {
        Self {
            name: "Paddock".to_owned(),
            email: "paddock@localhost".to_owned(),
        }
    }
}
