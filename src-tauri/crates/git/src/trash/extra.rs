//! What a commit of the work tree does not hold: ignored files, and repositories inside.
//!
//! Ignored files are taken when they are few and small, and counted in any case. Of a repository
//! inside, its files are taken as they are and its commits as a bundle in a file: their history
//! belongs to another repository, so it must not be mixed into this one's. A clean submodule at its
//! recorded commit needs nothing.
//!
//! Start at [`tree`].

use std::sync::atomic::{AtomicU64, Ordering};

use paddock_domain::IgnoredFiles;
use paddock_exec::{Command, ExecError, Limits, Place};

use super::TrashError;
use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, WORK, ask, must};
use crate::status::{links_in_index, submodule_is_clean};
use crate::{GitError, ObjectFormat, Oid};

/// Most ignored files that are taken.
pub const MOST_IGNORED: u64 = 2000;

/// Most bytes of ignored files that are taken.
pub const MOST_IGNORED_BYTES: u64 = 16 << 20;

/// Most repositories inside one. A box with more is told so.
const MOST_INNER: usize = 200;

/// Tells files apart that exist at the same time.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A work tree, and the git directory in the box into which what is kept is written.
#[derive(Clone, Copy)]
pub(super) struct Store<'a> {
    pub(super) dir: &'a str,
    pub(super) home: &'a str,
}

/// The tree of what is to be kept besides the files, with `more`; nothing when there is nothing. `hollow`
/// are repositories inside without a commit.
pub(super) async fn tree(
    place: &dyn Place,
    store: Store<'_>,
    git: &Git,
    base: &Oid,
    hollow: &[String],
    more: Option<(String, Oid)>,
) -> Result<(Option<Oid>, IgnoredFiles), TrashError> {
    let (mut ignored, paths) = ignored_files(place, git, store.dir).await?;
    let mut entries: Vec<_> = more.into_iter().collect();
    if ignored.kept && ignored.files > 0 {
        let names = Names {
            git: git.clone(),
            home: store.home,
        };
        match names.tree_of(place, paths).await {
            Ok(tree) => entries.push(("ignored".to_owned(), tree)),
            // One that cannot be read is as good as too large: it is counted, and said to be left out.
            Err(_) => ignored.kept = false,
        }
    }
    let inner = inner(place, store, git, base, hollow).await?;
    if !inner.is_empty() {
        entries.push(("inner".to_owned(), make_tree(place, git, &inner).await?));
    }
    if entries.is_empty() {
        return Ok((None, ignored));
    }
    Ok((Some(make_tree(place, git, &entries).await?), ignored))
}

/// Counts the files that git ignores in the work tree `dir`, and lists them when they may be taken.
pub(crate) async fn ignored_files(
    place: &dyn Place,
    git: &Git,
    dir: &str,
) -> Result<(IgnoredFiles, Vec<u8>), GitError> {
    let list = git.command([
        "ls-files",
        "-z",
        "--others",
        "--ignored",
        "--exclude-standard",
    ]);
    let listed = match must(place, &list, WORK).await {
        Ok(output) => output.stdout,
        Err(GitError::Exec(ExecError::TooMuchOutput { .. })) => {
            let files = 1_000_000;
            let uncounted = IgnoredFiles {
                files,
                ..IgnoredFiles::default()
            };
            return Ok((uncounted, Vec::new()));
        }
        Err(other) => return Err(other),
    };
    // Repositories inside end with a slash; they are looked at by themselves.
    let files: Vec<&[u8]> = listed
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty() && !path.ends_with(b"/"))
        .collect();
    let count = files.len() as u64;
    if count == 0 {
        return Ok((IgnoredFiles::default(), Vec::new()));
    }
    let mut paths = Vec::with_capacity(listed.len());
    for path in &files {
        paths.extend_from_slice(path);
        paths.push(0);
    }
    let bytes = size_of(place, dir, paths.clone()).await?;
    let kept = count <= MOST_IGNORED && bytes.is_some_and(|bytes| bytes <= MOST_IGNORED_BYTES);
    let ignored = IgnoredFiles {
        files: count,
        bytes: bytes.unwrap_or(0),
        kept,
    };
    Ok((ignored, paths))
}

/// The bytes of the files `paths`, each ended by NUL; nothing where they cannot be counted.
pub(super) async fn size_of(
    place: &dyn Place,
    dir: &str,
    paths: Vec<u8>,
) -> Result<Option<u64>, GitError> {
    let count = Command::new("xargs")
        .args(["-0", "stat", "-c", "%s", "--"])
        .cwd(dir)
        .stdin(paths);
    let output = match place.run(&count, WORK).await {
        Ok(output) if output.exit.is_success() => output,
        Ok(_) | Err(ExecError::NotFound { .. }) => return Ok(None),
        Err(other) => return Err(other.into()),
    };
    let sizes = output.text();
    let sizes = sizes.lines().map(|line| line.trim().parse::<u64>().ok());
    Ok(sizes.sum())
}

/// The trees of repositories inside that hold something of their own, by their paths in one name.
async fn inner(
    place: &dyn Place,
    store: Store<'_>,
    git: &Git,
    base: &Oid,
    hollow: &[String],
) -> Result<Vec<(String, Oid)>, TrashError> {
    let links = links_in_index(place, git).await?;
    if links.len() + hollow.len() > MOST_INNER {
        return Err(TrashError::Incomplete {
            paths: links.into_iter().map(|(path, _)| path).take(20).collect(),
        });
    }
    let mut trees = Vec::new();
    for (path, commit) in &links {
        let recorded = recorded(place, git, base, path).await?;
        if recorded.as_ref() == Some(commit) && submodule_is_clean(place, store.dir, path).await {
            continue;
        }
        trees.extend(inner_one(place, store, git, path, (base.format(), recorded.as_ref())).await?);
    }
    for path in hollow {
        trees.extend(inner_one(place, store, git, path, (base.format(), None)).await?);
    }
    Ok(trees)
}

/// The commit at which `base` has the repository inside at `path`.
async fn recorded(
    place: &dyn Place,
    git: &Git,
    base: &Oid,
    path: &str,
) -> Result<Option<Oid>, GitError> {
    let list = git.command(["ls-tree", "-z", base.as_str(), "--", path]);
    let text = must(place, &list, LOOK).await?.text();
    let link = text.strip_prefix("160000 commit ");
    Ok(link.and_then(|rest| Oid::parse(rest.split('\t').next()?)))
}

async fn inner_one(
    place: &dyn Place,
    store: Store<'_>,
    git: &Git,
    path: &str,
    (format_of, recorded): (ObjectFormat, Option<&Oid>),
) -> Result<Option<(String, Oid)>, TrashError> {
    let at = format!("{}/{path}", store.dir.trim_end_matches('/'));
    let own = Git::submodule(&at);
    let probe = own.command(["rev-parse", "--show-object-format"]);
    let probe = ask(place, &probe, LOOK).await?;
    if !probe.exit.is_success() {
        // A submodule that was never checked out has nothing of its own.
        return Ok(None);
    }
    let format = ObjectFormat::parse(probe.text().trim());
    let disarmed = Disarmed::read(place, &own).await?;
    let own = own.config(&disarmed.content);
    let list = own.command([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]);
    let listed = must(place, &list, WORK).await?.stdout;
    let deeper = listed
        .split(|byte| *byte == 0)
        .any(|file| file.ends_with(b"/"));
    if deeper || format != Some(format_of) {
        // A repository in a repository in a repository; or one whose objects have other names.
        return Err(TrashError::Incomplete {
            paths: vec![path.to_owned()],
        });
    }
    let names = Names {
        git: own.clone(),
        home: store.home,
    };
    let mut entries = vec![(
        "files".to_owned(),
        names.tree_of(place, listed.to_vec()).await?,
    )];
    let bundle = bundle(place, store.home, git, &own, recorded).await?;
    let mut records = tree_records(&entries);
    if let Some(bundle) = bundle {
        records.push_str(&format!("100644 blob {bundle}\tcommits.bundle\0"));
    }
    entries.clear();
    let make = git.command(["mktree", "-z"]).stdin(records);
    let tree = must(place, &make, LOOK).await?;
    let name = path.replace('%', "%25").replace('/', "%2F");
    Ok(Some((name, Oid::read("mktree", &tree.text())?)))
}

/// All commits of the repository of `own` that `recorded` does not have, as a blob in that of `git`.
async fn bundle(
    place: &dyn Place,
    home: &str,
    git: &Git,
    own: &Git,
    recorded: Option<&Oid>,
) -> Result<Option<Oid>, TrashError> {
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let file = format!("{home}/paddock-bundle.{}.{n}", std::process::id());
    let mut make = own.command(["bundle", "create", "-q", &file, "--all"]);
    if crate::refs::read(place, own, "HEAD").await?.is_some() {
        make = make.arg("HEAD");
    }
    let known = match recorded {
        Some(recorded) => crate::refs::read(place, own, recorded.as_str()).await?,
        None => None,
    };
    if let Some(known) = &known {
        make = make.args(["--not", known.as_str()]);
    }
    let made = ask(place, &make, WORK).await?;
    let stored = if made.exit.is_success() {
        let store = git.command(["hash-object", "-w", "--no-filters", "--", &file]);
        Some(must(place, &store, WORK).await)
    } else {
        None
    };
    let remove = Command::new("rm").args(["-f", "--", &file, &format!("{file}.lock")]);
    place.run(&remove, LOOK).await.map_err(GitError::from)?;
    match stored {
        Some(stored) => Ok(Some(Oid::read("hash-object", &stored?.text())?)),
        // It has no commits, or none but those that are known.
        None if made.error_text().contains("empty bundle") => Ok(None),
        None => Err(crate::git::failure(&make, &made).into()),
    }
}

/// Files of one repository, to be stored in the repository around it.
pub(super) struct Names<'a> {
    pub(super) git: Git,
    /// The git directory of the latter.
    pub(super) home: &'a str,
}

impl Names<'_> {
    /// The tree of the files `paths`, each ended by NUL. Those that are gone are left out.
    pub(super) async fn tree_of(&self, place: &dyn Place, paths: Vec<u8>) -> Result<Oid, GitError> {
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let git_dir = self.home;
        let file = format!("{git_dir}/paddock-extra.{}.{n}", std::process::id());
        let git = self
            .git
            .clone()
            .env("GIT_INDEX_FILE", &file)
            .env("GIT_OBJECT_DIRECTORY", &format!("{git_dir}/objects"));
        let take = git.command(["update-index", "-z", "--add", "--remove", "--stdin"]);
        let taken = must(place, &take.stdin(paths), WORK).await;
        let tree = match taken {
            Ok(_) => must(place, &git.command(["write-tree", "--missing-ok"]), WORK).await,
            Err(error) => Err(error),
        };
        let remove = Command::new("rm").args(["-f", "--", &file, &format!("{file}.lock")]);
        let limits = Limits { ..LOOK };
        place.run(&remove, limits).await?;
        Oid::read("write-tree", &tree?.text())
    }
}

fn tree_records(entries: &[(String, Oid)]) -> String {
    let records = entries
        .iter()
        .map(|(name, tree)| format!("040000 tree {tree}\t{name}\0"));
    records.collect()
}

async fn make_tree(
    place: &dyn Place,
    git: &Git,
    entries: &[(String, Oid)],
) -> Result<Oid, GitError> {
    let make = git.command(["mktree", "-z"]).stdin(tree_records(entries));
    let tree = must(place, &make, LOOK).await?;
    Oid::read("mktree", &tree.text())
}
