//! Keeps what there is of a box whose own repository is damaged or gone: every file, and what is left of
//! `.git`, as files too.
//!
//! A repository of our own is made beside the work tree for as long as that takes, so nothing is asked of
//! the damaged one. The host tells which files were tracked, because the box cannot: without that, a
//! tracked file that some pattern ignores would count as ignored.
//!
//! Start at [`rescue`].

use std::sync::atomic::{AtomicU64, Ordering};

use paddock_domain::IgnoredFiles;
use paddock_exec::{Command, Place};

use super::extra::{self, Names, Store};
use super::gather::{UNDATED, commit, commit_as_paddock};
use super::{Keeping, Kept, Manifest, TrashError, changed_between, put, tree_of};
use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, WORK, ask, git_dir_of, must};
use crate::receive::{ReceiveError, take};
use crate::work_tree::{take_all, taking};
use crate::{GitError, ObjectFormat, Oid, Repository, pack, refs};

/// Most bytes of a damaged repository that are kept.
const MOST_LEFT_BYTES: u64 = 64 << 20;

/// Tells repositories of ours apart that exist at the same time.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// What came of a rescue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescued {
    /// The entry; nothing where the host has every file as it is and nothing is left of the repository.
    pub kept: Option<Kept>,
    /// Why what is left of the box's own repository is not in it; then that must not be removed.
    pub left_out: Option<String>,
}

impl TrashError {
    /// Whether the box's own repository may be what is in the way, so that [`rescue`] helps.
    #[must_use]
    pub fn may_be_damage(&self) -> bool {
        match self {
            Self::Receive(ReceiveError::Damaged { .. }) => true,
            Self::Git(error) | Self::Receive(ReceiveError::Git(error)) => error.may_be_damage(),
            Self::Incomplete { .. } | Self::TooManyRefs { .. } | Self::BranchTaken { .. } => false,
        }
    }
}

/// Keeps the files of the work tree `dir` of `from`, a box whose own repository cannot be read, in
/// `repository` on the host, on top of what came out of the box last.
///
/// # Errors
/// [`TrashError`]; nothing may be removed then.
pub async fn rescue(
    from: &dyn Place,
    dir: &str,
    to: &dyn Place,
    repository: &Repository,
    keeping: Keeping<'_>,
) -> Result<Rescued, TrashError> {
    let git = Git::bare(&repository.git_dir);
    let (branch, head) = last_known(to, &git, keeping).await?;
    let tracked = match &head {
        Some(head) => tracked(to, &git, head).await?,
        None => Vec::new(),
    };
    let own = OwnRepository::make(from, dir, repository.object_format).await?;
    let gathered = async {
        let gathered = own.gather(from, dir, tracked).await?;
        let objects = pack::pack(from, &own.git, &gathered.tips(), &[]).await?;
        take(to, &git, &gathered.tips(), objects).await?;
        Ok::<_, TrashError>(gathered)
    };
    let gathered = gathered.await;
    own.remove(from).await;
    let gathered = gathered?;
    let files = tree_of(to, &git, &gathered.files).await?;
    let base = head.clone().unwrap_or(gathered.base);
    let committed = tree_of(to, &git, &base).await?;
    let left_out = gathered.left_out;
    if files == committed && gathered.extra.is_none() {
        let kept = None;
        return Ok(Rescued { kept, left_out });
    }
    let manifest = Manifest {
        reason: keeping.reason,
        uncommitted: changed_between(to, &git, &committed, &files).await?,
        branch,
        head,
        extra: gathered.extra.clone(),
        ignored: gathered.ignored,
        others: Vec::new(),
    };
    let parents = std::iter::once(base).chain(gathered.extra).collect();
    let kept = Some(put(to, &git, keeping, manifest, &files, parents).await?);
    Ok(Rescued { kept, left_out })
}

/// The branch that came out of the box last and its commit; else the commit from which the task began.
async fn last_known(
    place: &dyn Place,
    git: &Git,
    keeping: Keeping<'_>,
) -> Result<(Option<String>, Option<Oid>), GitError> {
    let prefix = format!("refs/paddock/{}/", keeping.task);
    let delivered = format!("{prefix}heads/");
    let list = git.command([
        "for-each-ref",
        "--sort=-committerdate",
        "--count=1",
        "--format=%(objectname) %(refname)",
        &delivered,
    ]);
    let text = must(place, &list, LOOK).await?.text();
    let last = text.lines().find_map(|line| {
        let (oid, name) = line.split_once(' ')?;
        Some((name.strip_prefix(&delivered)?.to_owned(), Oid::parse(oid)?))
    });
    match last {
        Some((branch, commit)) => Ok((Some(branch), Some(commit))),
        None => Ok((
            None,
            refs::read(place, git, &format!("{prefix}base")).await?,
        )),
    }
}

/// The files of `commit`, each ended by NUL; repositories inside are left out.
async fn tracked(place: &dyn Place, git: &Git, commit: &Oid) -> Result<Vec<u8>, GitError> {
    let list = git.command(["ls-tree", "-r", "-z", "--full-tree", commit.as_str()]);
    let listed = must(place, &list, WORK).await?.stdout;
    let mut paths = Vec::with_capacity(listed.len());
    for entry in listed.split(|byte| *byte == 0) {
        let tab = entry.iter().position(|byte| *byte == b'\t');
        if let Some(tab) = tab
            && !entry.starts_with(b"160000 ")
        {
            paths.extend_from_slice(&entry[tab + 1..]);
            paths.push(0);
        }
    }
    Ok(paths)
}

/// What a box holds besides its repository.
struct Gathered {
    /// A commit of nothing.
    base: Oid,
    files: Oid,
    extra: Option<Oid>,
    ignored: IgnoredFiles,
    left_out: Option<String>,
}

impl Gathered {
    fn tips(&self) -> Vec<Oid> {
        let tips = [&self.base, &self.files].into_iter().chain(&self.extra);
        tips.cloned().collect()
    }
}

/// A repository of ours in a box, with the box's work tree.
struct OwnRepository {
    git: Git,
    dir: String,
}

impl OwnRepository {
    /// Makes it beside the work tree `dir`, where the box may write and git does not look.
    async fn make(place: &dyn Place, dir: &str, format: ObjectFormat) -> Result<Self, GitError> {
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let trimmed = dir.trim_end_matches('/');
        let (parent, _) = trimmed.rsplit_once('/').unwrap_or(("", trimmed));
        let own = format!("{parent}/.paddock-rescue.{}.{n}", std::process::id());
        let format = format!("--object-format={}", format.as_str());
        let init = ["init", "-q", "--bare", "--template=", &format, &own];
        must(place, &Git::nowhere().command(init), LOOK).await?;
        let git = Git::beside(&own, dir);
        let disarmed = Disarmed::read(place, &git).await?;
        let git = git.config(&disarmed.content);
        Ok(Self { git, dir: own })
    }

    async fn gather(
        &self,
        place: &dyn Place,
        dir: &str,
        tracked: Vec<u8>,
    ) -> Result<Gathered, TrashError> {
        let git = &self.git;
        let empty = must(place, &git.command(["mktree"]), LOOK).await?;
        let empty = Oid::read("mktree", &empty.text())?;
        let base = commit(place, git, "nothing", &empty, &[]).await?;
        // Where one is behind a link now, all that is not ignored is found all the same.
        ask(place, &taking(git, tracked), WORK).await?;
        let hollow = take_all(place, git).await?;
        let files = must(place, &git.command(["write-tree"]), WORK).await?;
        let files = Oid::read("write-tree", &files.text())?;
        let files = commit(place, git, "files", &files, &[]).await?;
        let (left, left_out) = self.left_of(place, dir).await?;
        let store = Store {
            dir,
            home: &self.dir,
        };
        let more = left.map(|tree| ("git".to_owned(), tree));
        let (tree, ignored) = extra::tree(place, store, git, &base, &hollow, more).await?;
        let extra = match tree {
            Some(tree) => {
                let message = "paddock: extra";
                Some(commit_as_paddock(place, git, message, &tree, &[], UNDATED).await?)
            }
            None => None,
        };
        Ok(Gathered {
            base,
            files,
            extra,
            ignored,
            left_out,
        })
    }

    /// A tree of what is left of the damaged repository; or why it cannot be kept.
    async fn left_of(
        &self,
        place: &dyn Place,
        dir: &str,
    ) -> Result<(Option<Oid>, Option<String>), TrashError> {
        let there = format!("{}/", git_dir_of(dir));
        let find = Command::new("find").args([&there, "-type", "f", "-print0"]);
        let found = place.run(&find, WORK).await.map_err(GitError::from)?;
        let paths = found.stdout.split(|byte| *byte == 0);
        let paths = paths.filter_map(|path| path.strip_prefix(there.as_bytes()));
        let paths: Vec<u8> = paths.flat_map(|path| [path, b"\0"].concat()).collect();
        if paths.is_empty() {
            return Ok((None, None));
        }
        if !found.exit.is_success() {
            return Ok((None, Some("parts of it cannot be read".to_owned())));
        }
        match extra::size_of(place, &there, paths.clone()).await? {
            Some(bytes) if bytes <= MOST_LEFT_BYTES => {}
            Some(bytes) => {
                let mib = bytes >> 20;
                return Ok((
                    None,
                    Some(format!("it is too large to be kept ({mib} MiB)")),
                ));
            }
            None => return Ok((None, Some("its size cannot be told".to_owned()))),
        }
        let names = Names {
            git: Git::beside(&self.dir, &there),
            home: &self.dir,
        };
        match names.tree_of(place, paths).await {
            Ok(tree) => Ok((Some(tree), None)),
            Err(GitError::Failed { .. }) => {
                Ok((None, Some("parts of it cannot be read".to_owned())))
            }
            Err(other) => Err(other.into()),
        }
    }

    async fn remove(&self, place: &dyn Place) {
        let remove = Command::new("rm").args(["-rf", "--", &self.dir]);
        let removed = place.run(&remove, LOOK).await;
        if !removed.is_ok_and(|done| done.exit.is_success()) {
            tracing::warn!("a repository of ours was left behind in a box");
        }
    }
}
