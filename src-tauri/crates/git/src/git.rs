//! Git that runs nothing but itself.
//!
//! Every git command of this room is built here, so that no hook, monitor, pager, editor, external
//! diff, helper or prompt that a repository names is ever started, and no configuration of ours is
//! written. What must be switched off by its own name (filters, merge drivers, credential helpers)
//! is read first: see [`crate::disarm`].
//!
//! Trust: the configuration of the host's user (system, global) may say how the network is reached;
//! a repository's own configuration, on the host or in a box, may not start a program. A box's
//! repository is named by an explicit `--git-dir` and `--work-tree`, so that neither a removed
//! `.git` nor `core.worktree` leads to another repository.
//!
//! Start at [`Git::command`].

use std::time::Duration;

use paddock_exec::{Command, Exit, Limits, Output, Place};

use crate::GitError;

/// For commands that look something up.
pub(crate) const LOOK: Limits = Limits {
    stdout: 16 << 20,
    time: Duration::from_secs(30),
};

/// For commands that read or write a whole work tree.
pub(crate) const WORK: Limits = Limits {
    stdout: 64 << 20,
    time: Duration::from_secs(300),
};

/// What is off, whatever a repository says.
const CONFIG: &[(&str, &str)] = &[
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.alternateRefsCommand", "true"),
    ("core.attributesFile", "/dev/null"),
    ("core.splitIndex", "false"),
    ("core.quotePath", "false"),
    ("submodule.recurse", "false"),
    ("diff.ignoreSubmodules", "dirty"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("log.showSignature", "false"),
    ("commit.gpgSign", "false"),
    ("gpg.program", "false"),
    ("color.ui", "false"),
    ("i18n.commitEncoding", "UTF-8"),
    ("i18n.logOutputEncoding", "UTF-8"),
];

/// The same for what the environment decides.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("LC_ALL", "C"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", ""),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("GCM_INTERACTIVE", "never"),
    ("GIT_SSH_COMMAND", "ssh -o BatchMode=yes"),
    ("GIT_PROXY_COMMAND", ""),
    ("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", "false"),
    ("GIT_SEQUENCE_EDITOR", "false"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_LFS_SKIP_SMUDGE", "1"),
    ("GIT_CONFIG_PARAMETERS", ""),
    ("GIT_LITERAL_PATHSPECS", "1"),
];

/// Variables of a surrounding git that would bend ours; they are removed, not set.
const LEAKS: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_SHALLOW_FILE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_ATTR_SOURCE",
    "GIT_EXEC_PATH",
    "GIT_DEFAULT_HASH",
    "GIT_CONFIG",
];

/// A git to be run for one repository.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    dir: String,
    git_dir: Option<String>,
    work_tree: bool,
    config: Vec<(String, String)>,
    env: Vec<(String, String)>,
}

impl Git {
    /// For what needs no repository.
    pub(crate) fn nowhere() -> Self {
        Self::discover("/")
    }

    /// For whichever repository the directory `dir` is in.
    pub(crate) fn discover(dir: &str) -> Self {
        Self {
            dir: dir.to_owned(),
            git_dir: None,
            work_tree: false,
            config: Vec::new(),
            env: Vec::new(),
        }
    }

    /// For the repository whose common git directory is `git_dir`, without a work tree.
    pub(crate) fn bare(git_dir: &str) -> Self {
        Self {
            git_dir: Some(git_dir.to_owned()),
            ..Self::discover(git_dir)
        }
    }

    /// For the repository of a box, whose work tree is `dir`.
    pub(crate) fn work_tree(dir: &str) -> Self {
        Self {
            // The slash refuses a `.git` that is a file pointing elsewhere.
            git_dir: Some(format!("{}/", git_dir_of(dir))),
            work_tree: true,
            ..Self::discover(dir)
        }
    }

    /// For a repository of ours with the git directory `git_dir` and the work tree `dir`.
    pub(crate) fn beside(git_dir: &str, dir: &str) -> Self {
        Self {
            git_dir: Some(git_dir.to_owned()),
            work_tree: true,
            ..Self::discover(dir)
        }
    }

    /// For a submodule in a box, whose `.git` may be a file that points into its parent's.
    pub(crate) fn submodule(dir: &str) -> Self {
        Self {
            git_dir: Some(git_dir_of(dir)),
            ..Self::work_tree(dir)
        }
    }

    /// Sets configuration on top of what is always off.
    #[must_use]
    pub(crate) fn config(mut self, entries: &[(String, String)]) -> Self {
        self.config.extend_from_slice(entries);
        self
    }

    /// Sets a variable for its commands.
    #[must_use]
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The git directory, where it is not to be discovered.
    pub(crate) fn git_dir(&self) -> Option<&str> {
        self.git_dir.as_deref()
    }

    /// The command `git <args>`.
    pub(crate) fn command<S: Into<String>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = without(Command::new("git"), &leaked());
        command = command.args(["-C", &self.dir]);
        if let Some(git_dir) = &self.git_dir {
            command = command.arg(format!("--git-dir={git_dir}"));
        }
        if self.work_tree {
            command = command.arg(format!("--work-tree={}", self.dir));
        }
        for (name, value) in ENVIRONMENT {
            command = command.env(*name, *value);
        }
        let fixed = CONFIG
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        let all: Vec<_> = fixed.chain(self.config.iter().cloned()).collect();
        command = command.env("GIT_CONFIG_COUNT", all.len().to_string());
        for (n, (key, value)) in all.into_iter().enumerate() {
            command = command
                .env(format!("GIT_CONFIG_KEY_{n}"), key)
                .env(format!("GIT_CONFIG_VALUE_{n}"), value);
        }
        for (name, value) in &self.env {
            command = command.env(name, value);
        }
        command.args(args)
    }
}

/// The git directory of the work tree `dir`.
pub(crate) fn git_dir_of(dir: &str) -> String {
    format!("{}/.git", dir.trim_end_matches('/'))
}

/// Runs `command`, however it ends.
pub(crate) async fn ask(
    place: &dyn Place,
    command: &Command,
    limits: Limits,
) -> Result<Output, GitError> {
    Ok(place.run(command, limits).await?)
}

/// Runs `command`, which must succeed.
pub(crate) async fn must(
    place: &dyn Place,
    command: &Command,
    limits: Limits,
) -> Result<Output, GitError> {
    well(command, ask(place, command, limits).await?)
}

/// What `command` gave, which must have succeeded.
pub(crate) fn well(command: &Command, output: Output) -> Result<Output, GitError> {
    if output.exit.is_success() {
        return Ok(output);
    }
    Err(failure(command, &output))
}

/// Runs `command`, whose end with 1 means "no such thing".
pub(crate) async fn maybe(
    place: &dyn Place,
    command: &Command,
    limits: Limits,
) -> Result<Option<Output>, GitError> {
    let output = ask(place, command, limits).await?;
    match output.exit {
        Exit::Code(0) => Ok(Some(output)),
        Exit::Code(1) => Ok(None),
        Exit::Code(_) | Exit::Signal(_) => Err(failure(command, &output)),
    }
}

/// The error that `output` of `command` is.
pub(crate) fn failure(command: &Command, output: &Output) -> GitError {
    GitError::Failed {
        verb: verb(command),
        exit: output.exit,
        stderr: without_credentials(&output.error_text()),
    }
}

/// `text` without the user and password of any address in it.
pub(crate) fn without_credentials(text: &str) -> String {
    let mut pieces = text.split("://");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| c.is_whitespace() || "/'\"".contains(c));
        let (authority, rest) = piece.split_at(end.unwrap_or(piece.len()));
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        plain.push_str("://");
        plain.push_str(host);
        plain.push_str(rest);
    }
    plain
}

/// The git command among the arguments of `command`.
fn verb(command: &Command) -> String {
    let mut args = command.args.iter().skip_while(|arg| *arg != "-C").skip(2);
    let verb = args.find(|arg| !arg.starts_with("--"));
    verb.cloned().unwrap_or_default()
}

/// The variables of [`LEAKS`] that this process has inherited, and so would pass on.
fn leaked() -> Vec<&'static str> {
    let set = |name: &&str| std::env::var_os(name).is_some();
    LEAKS.iter().copied().filter(set).collect()
}

/// `command` run without the variables `names`.
fn without(command: Command, names: &[&str]) -> Command {
    if names.is_empty() {
        return command;
    }
    let unset = names.iter().flat_map(|name| ["-u", name]);
    Command::new("env").args(unset).arg(command.program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_a_surrounding_git_are_removed() {
        let command = without(Command::new("git"), &["GIT_DIR", "GIT_INDEX_FILE"]);
        assert_eq!(command.program, "env");
        assert_eq!(
            command.args,
            ["-u", "GIT_DIR", "-u", "GIT_INDEX_FILE", "git"]
        );
        assert_eq!(without(Command::new("git"), &[]).program, "git");
    }

    #[test]
    fn a_command_names_its_repository_and_its_verb() {
        let command = Git::work_tree("/box/a b").command(["status", "-z"]);
        assert_eq!(verb(&command), "status");
        let tail = &command.args[command.args.len() - 6..];
        assert_eq!(
            tail,
            [
                "-C",
                "/box/a b",
                "--git-dir=/box/a b/.git/",
                "--work-tree=/box/a b",
                "status",
                "-z"
            ]
        );
    }

    #[test]
    fn addresses_lose_their_credentials() {
        let text = "unable to access 'https://u:p@host/x@y': and ssh://git@h";
        assert_eq!(
            without_credentials(text),
            "unable to access 'https://host/x@y': and ssh://h"
        );
    }

    #[test]
    fn every_setting_is_counted() {
        let more = [("filter.a=b.clean".to_owned(), String::new())];
        let command = Git::discover("/x").config(&more).command(["version"]);
        let count: usize = command.env["GIT_CONFIG_COUNT"].parse().unwrap();
        assert_eq!(count, CONFIG.len() + 1);
        assert_eq!(
            command.env[&format!("GIT_CONFIG_KEY_{}", count - 1)],
            "filter.a=b.clean"
        );
    }
}
