//! Looks at a repository before a task works on it, and changes nothing.
//!
//! Start at [`inspect`].

use paddock_exec::{Limits, Output, Place};

use crate::git::{Git, LOOK, ask, failure, maybe, must};
use crate::{GitError, Head, Identity, ObjectFormat, Oid, Remote, Repository, Submodule, version};

/// Why a directory cannot serve as a repository.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectError {
    /// There is no such directory.
    #[error("there is no directory {path}: check the path")]
    NoSuchDirectory {
        /// The path that was given.
        path: String,
    },
    /// It is in no repository.
    #[error("{path} is not in a git repository: run `git init` there, or give another path")]
    NotARepository {
        /// The path that was given.
        path: String,
    },
    /// It may not be read.
    #[error("{path} may not be read by this user: change its permissions, or give another path")]
    NoPermission {
        /// The path that was given.
        path: String,
    },
    /// It belongs to another user.
    #[error(
        "{path} belongs to another user, so git does not trust it: \
         if you do, run `git config --global --add safe.directory {path}`"
    )]
    UnsafeOwnership {
        /// The path that was given.
        path: String,
    },
    /// It has no work tree.
    #[error(
        "{path} is a bare repository, which has no files to work on: \
         give the path of a clone or of a worktree (`git worktree add`)"
    )]
    Bare {
        /// The path that was given.
        path: String,
    },
    /// Objects are missing or broken.
    #[error(
        "{path} is damaged ({detail}): `git fsck` there says more. Bring back what is missing from a \
         backup, or with `git fetch` from a remote that has it, then try again"
    )]
    Damaged {
        /// The path that was given.
        path: String,
        /// What git said first.
        detail: String,
    },
    /// It has no commit.
    #[error("{path} has no commit to start from: make the first commit there, then try again")]
    Empty {
        /// The path that was given.
        path: String,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Finds the repository that the absolute path `path` is in and says what it is like.
///
/// # Errors
/// [`InspectError`]; every text says what to do.
pub async fn inspect(place: &dyn Place, path: &str) -> Result<Repository, InspectError> {
    look(place, path).await.map_err(|error| damage(path, error))
}

/// What a failure of git means when it comes from a repository whose objects are not all there.
fn damage(path: &str, error: InspectError) -> InspectError {
    const WORDS: [&str; 7] = [
        "bad object",
        "unable to read",
        "could not read",
        "missing blob",
        "missing tree",
        "corrupt",
        "is empty",
    ];
    let InspectError::Git(GitError::Failed { stderr, .. }) = &error else {
        return error;
    };
    let told = stderr
        .lines()
        .find(|line| WORDS.iter().any(|words| line.contains(words)));
    let Some(told) = told else { return error };
    InspectError::Damaged {
        path: path.to_owned(),
        detail: told.to_owned(),
    }
}

async fn look(place: &dyn Place, path: &str) -> Result<Repository, InspectError> {
    let git = Git::discover(path);
    let (_, found) =
        tokio::try_join!(async { Ok(version(place).await?) }, find(place, &git, path))?;
    let (state, config, files, objects, default, shallow) = tokio::try_join!(
        head_and_dirt(place, &git),
        configuration(place, &git),
        committed_files(place, &git),
        object_dirs(place, &git, &found.git_dir),
        default_branch(place, &git),
        cut_off(place, &found),
    )?;
    let (head, dirty) = state;
    let head = head.ok_or_else(|| GitError::unreadable("status", "no branch line"))?;
    if matches!(head, Head::Unborn { .. }) && !has_commits(place, &git).await? {
        return Err(InspectError::Empty {
            path: path.to_owned(),
        });
    }
    let own = match &head {
        Head::Branch { name, .. } | Head::Unborn { name } => Some(name.clone()),
        Head::Detached { .. } => None,
    };
    Ok(Repository {
        root: found.root,
        git_dir: found.git_dir,
        object_dirs: objects,
        object_format: found.object_format,
        default_branch: default.or(own),
        head,
        shallow,
        dirty,
        partial: config.partial,
        lfs: files.lfs,
        remotes: config.remotes,
        submodules: files.submodules,
        identity: config.identity,
    })
}

/// The git directory of the repository that the absolute path `path` is in: a short look, without
/// reading its files.
///
/// # Errors
/// [`InspectError`]; every text says what to do.
pub async fn locate(place: &dyn Place, path: &str) -> Result<String, InspectError> {
    let found = find(place, &Git::discover(path), path).await?;
    Ok(found.git_dir)
}

/// Where a repository is and what kind.
struct Found {
    root: String,
    git_dir: String,
    object_format: ObjectFormat,
    shallow: bool,
}

async fn find(place: &dyn Place, git: &Git, path: &str) -> Result<Found, InspectError> {
    let ask_all = git.command([
        "rev-parse",
        "--path-format=absolute",
        "--is-bare-repository",
        "--is-shallow-repository",
        "--show-object-format",
        "--git-common-dir",
        "--show-toplevel",
    ]);
    let output = ask(place, &ask_all, LOOK).await?;
    let text = output.text();
    let lines: Vec<&str> = text.lines().collect();
    if lines.first() == Some(&"true") {
        return Err(InspectError::Bare {
            path: path.to_owned(),
        });
    }
    if !output.exit.is_success() {
        return Err(
            refusal(path, &output).unwrap_or_else(|| InspectError::Git(failure(&ask_all, &output)))
        );
    }
    let [_, shallow, format, git_dir, root] = lines[..] else {
        let what = "more lines than questions: does the path hold a line break?";
        return Err(GitError::unreadable("rev-parse", what).into());
    };
    Ok(Found {
        root: root.to_owned(),
        git_dir: git_dir.to_owned(),
        object_format: ObjectFormat::parse(format)
            .ok_or_else(|| GitError::unreadable("rev-parse", "an unknown object format"))?,
        shallow: shallow == "true",
    })
}

/// What git's words mean for someone who gave `path`.
fn refusal(path: &str, output: &Output) -> Option<InspectError> {
    let said = output.error_text();
    let path = path.to_owned();
    let says = |words: &str| said.contains(words);
    if says("dubious ownership") {
        Some(InspectError::UnsafeOwnership { path })
    } else if says("Permission denied") {
        Some(InspectError::NoPermission { path })
    } else if says("cannot change to") {
        Some(InspectError::NoSuchDirectory { path })
    } else if says("must be run in a work tree") {
        // Inside the git directory of a repository that has a work tree elsewhere.
        Some(InspectError::NotARepository { path })
    } else if says("not a git repository") {
        Some(InspectError::NotARepository { path })
    } else {
        None
    }
}

/// The head, and whether there are changes. A status that cannot be had counts as changes.
async fn head_and_dirt(place: &dyn Place, git: &Git) -> Result<(Option<Head>, bool), InspectError> {
    let disarmed = crate::disarm::Disarmed::read(place, git).await?;
    let status = git.clone().config(&disarmed.content).command([
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--untracked-files=normal",
        "--ignore-submodules=dirty",
    ]);
    if let Ok(output) = ask(place, &status, LOOK).await
        && output.exit.is_success()
    {
        let text = output.text();
        let mut records = text.split('\0').filter(|record| !record.is_empty());
        let dirty = records.any(|record| !record.starts_with("# "));
        return Ok((head_in(&text), dirty));
    }
    Ok((head_alone(place, git).await?, true))
}

fn head_in(status: &str) -> Option<Head> {
    let header = |name: &str| {
        let mut headers = status.split('\0').filter_map(|r| r.strip_prefix("# "));
        headers.find_map(|h| h.strip_prefix(name))
    };
    let (oid, name) = (header("branch.oid ")?, header("branch.head ")?);
    head_of(Oid::parse(oid), Some(name).filter(|n| *n != "(detached)"))
}

fn head_of(commit: Option<Oid>, name: Option<&str>) -> Option<Head> {
    match (commit, name.map(str::to_owned)) {
        (Some(commit), Some(name)) => Some(Head::Branch { name, commit }),
        (Some(commit), None) => Some(Head::Detached { commit }),
        (None, Some(name)) => Some(Head::Unborn { name }),
        (None, None) => None,
    }
}

async fn head_alone(place: &dyn Place, git: &Git) -> Result<Option<Head>, InspectError> {
    let branch = git.command(["symbolic-ref", "-q", "--short", "HEAD"]);
    let commit = git.command(["rev-parse", "-q", "--verify", "HEAD^{commit}"]);
    let branch = maybe(place, &branch, LOOK).await?.map(|o| o.text());
    let commit = maybe(place, &commit, LOOK).await?.map(|o| o.text());
    let commit = commit.and_then(|text| Oid::parse(text.trim()));
    Ok(head_of(commit, branch.as_deref().map(str::trim)))
}

async fn has_commits(place: &dyn Place, git: &Git) -> Result<bool, GitError> {
    let any = git.command(["rev-list", "--all", "--max-count=1"]);
    Ok(!must(place, &any, LOOK).await?.stdout.is_empty())
}

#[derive(Default)]
struct Configured {
    remotes: Vec<Remote>,
    identity: Option<Identity>,
    partial: bool,
}

async fn configuration(place: &dyn Place, git: &Git) -> Result<Configured, InspectError> {
    let wanted = r"^(remote\..*\.(url|promisor)|user\.(name|email)|extensions\.partialclone)$";
    let list = git.command(["config", "-z", "--get-regexp", wanted]);
    let Some(output) = maybe(place, &list, LOOK).await? else {
        return Ok(Configured::default());
    };
    let text = output.text();
    let (mut name, mut email) = (None, None);
    let mut found = Configured::default();
    for entry in text.split('\0') {
        let (key, value) = entry.split_once('\n').unwrap_or((entry, ""));
        match key {
            "user.name" => name = Some(value.to_owned()),
            "user.email" => email = Some(value.to_owned()),
            "extensions.partialclone" => found.partial = true,
            _ => found.take_remote(key, value),
        }
    }
    found.identity = name
        .zip(email)
        .map(|(name, email)| Identity { name, email });
    Ok(found)
}

impl Configured {
    fn take_remote(&mut self, key: &str, value: &str) {
        let Some((name, field)) = key
            .strip_prefix("remote.")
            .and_then(|rest| rest.rsplit_once('.'))
        else {
            return;
        };
        self.partial |= field == "promisor" && value != "false";
        // The first address of a remote is the one that is fetched from.
        if field == "url" && self.remotes.iter().all(|r| r.name != name) {
            self.remotes.push(Remote {
                name: name.to_owned(),
                url: value.to_owned(),
            });
        }
    }
}

#[derive(Default)]
struct Committed {
    lfs: bool,
    submodules: Vec<Submodule>,
}

async fn committed_files(place: &dyn Place, git: &Git) -> Result<Committed, InspectError> {
    let mut committed = Committed::default();
    let show = |name: &str| git.command(["cat-file", "blob", &format!("HEAD:{name}")]);
    let (attributes, modules) = (show(".gitattributes"), show(".gitmodules"));
    let (attributes, modules) =
        tokio::try_join!(ask(place, &attributes, LOOK), ask(place, &modules, LOOK))?;
    committed.lfs = attributes.text().contains("filter=lfs");
    if modules.exit.is_success() {
        let list = git.command(["config", "--file", "-", "-z", "--get-regexp", r"\.path$"]);
        let listed = ask(place, &list.stdin(modules.stdout), LOOK).await?;
        committed.submodules = submodules_in(&listed.text());
    }
    Ok(committed)
}

/// The submodules in `git config -z`'s listing of `.gitmodules`, without any that points outside.
fn submodules_in(listing: &str) -> Vec<Submodule> {
    let entries = listing.split('\0').filter_map(|e| e.split_once('\n'));
    let named = entries.filter_map(|(key, path)| {
        let name = key.strip_prefix("submodule.")?.strip_suffix(".path")?;
        (stays_inside(name) && stays_inside(path)).then(|| Submodule {
            name: name.to_owned(),
            path: path.to_owned(),
        })
    });
    named.collect()
}

/// Whether `path` is relative and never leaves where it starts.
pub(crate) fn stays_inside(path: &str) -> bool {
    let plain = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.eq_ignore_ascii_case(".git")
            && !part.contains('\\')
    };
    !path.starts_with('-') && path.split('/').all(plain)
}

async fn object_dirs(
    place: &dyn Place,
    git: &Git,
    git_dir: &str,
) -> Result<Vec<String>, InspectError> {
    let count = must(place, &git.command(["count-objects", "-v"]), LOOK).await?;
    let text = count.text();
    let borrowed = text
        .lines()
        .filter_map(|line| line.strip_prefix("alternate: "));
    let own = format!("{git_dir}/objects");
    Ok(std::iter::once(own)
        .chain(borrowed.map(str::to_owned))
        .collect())
}

/// What `origin` calls its head, or else the first of the usual names that exists.
async fn default_branch(place: &dyn Place, git: &Git) -> Result<Option<String>, InspectError> {
    const ORIGIN: &str = "refs/remotes/origin/";
    const USUAL: [&str; 4] = ["main", "master", "trunk", "develop"];
    let format = "--format=%(refname)%00%(symref)";
    let origin = format!("{ORIGIN}HEAD");
    let heads = USUAL.map(|name| format!("refs/heads/{name}"));
    let list = git
        .command(["for-each-ref", format, &origin])
        .args(heads.iter().cloned());
    let text = must(place, &list, LOOK).await?.text();
    let refs: Vec<_> = text
        .lines()
        .filter_map(|line| line.split_once('\0'))
        .collect();
    let of_origin = refs.iter().find_map(|(_, to)| to.strip_prefix(ORIGIN));
    let usual = || {
        let exists = |head: &&String| refs.iter().any(|(name, _)| name == *head);
        heads
            .iter()
            .find(exists)
            .map(|head| &head["refs/heads/".len()..])
    };
    Ok(of_origin.or_else(usual).map(str::to_owned))
}

/// The commits at which a shallow repository ends.
async fn cut_off(place: &dyn Place, found: &Found) -> Result<Vec<Oid>, InspectError> {
    if !found.shallow {
        return Ok(Vec::new());
    }
    shallow_commits(place, &found.git_dir)
        .await
        .map_err(InspectError::Git)
}

async fn shallow_commits(place: &dyn Place, git_dir: &str) -> Result<Vec<Oid>, GitError> {
    let tar = place
        .download(&format!("{git_dir}/shallow"), Limits::default().stdout)
        .await?;
    let broken = |e: std::io::Error| GitError::unreadable("rev-parse", format!("shallow: {e}"));
    let mut text = String::new();
    let mut archive = tar::Archive::new(&tar[..]);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        std::io::Read::read_to_string(&mut entry, &mut text).map_err(broken)?;
    }
    Ok(text.lines().filter_map(Oid::parse).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submodule_that_points_outside_is_not_listed() {
        let listing = "submodule.a.path\nlib/a\0submodule.b.path\n../b\0submodule.../x.path\nc\0\
                       submodule.d.path\n/etc\0submodule.e.path\nx/.GIT/hooks\0";
        let names: Vec<_> = submodules_in(listing).into_iter().map(|s| s.name).collect();
        assert_eq!(names, ["a"]);
    }

    #[test]
    fn the_head_is_read_from_status() {
        let oid = "a".repeat(40);
        let commit = Oid::parse(&oid).unwrap();
        let status =
            |oid: &str, head: &str| format!("# branch.oid {oid}\0# branch.head {head}\0? x\0");
        let name = "ma in".to_owned();
        assert_eq!(
            head_in(&status(&oid, "ma in")),
            Some(Head::Branch {
                name,
                commit: commit.clone()
            })
        );
        assert_eq!(
            head_in(&status(&oid, "(detached)")),
            Some(Head::Detached { commit })
        );
        let name = "main".to_owned();
        assert_eq!(
            head_in(&status("(initial)", "main")),
            Some(Head::Unborn { name })
        );
        assert_eq!(head_in("? x\0"), None);
    }
}
