//! Gives a box its repository: a light checkout of its own, whose objects stay where they are.
//!
//! The box's repository borrows objects (`objects/info/alternates`) and owns everything else: its
//! `.git` with configuration, hooks and refs, and its work tree. Containers and worktree boxes are
//! seeded the same way. A linked worktree (`git worktree add`) is not used even where there is no
//! container: it shares its `.git` with the host checkout, so an agent could write the hooks and
//! configuration that the user's own git then runs. Here only objects ever cross, outward and
//! checked (see [`crate::receive`]). A linked worktree of the user may well be what a task starts
//! from: its objects are in the git directory it shares, which [`crate::inspect`] finds.
//!
//! The branch is written last, so a repository with a branch is a repository that is complete.
//! A seeding that was interrupted can be repeated; one that is complete is refused.
//!
//! Start at [`seed`].

mod skeleton;

use paddock_exec::{Output, Place};

use crate::disarm::Disarmed;
use crate::git::{Git, LOOK, WORK, ask, failure, must};
use crate::{
    Branch, GitError, Identity, ObjectFormat, Oid, Pack, Remote, Repository, fork, pack, refs,
    version,
};

/// The repository that a box is to have.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Where: an absolute path of an existing directory in the box.
    pub dir: String,
    /// How its objects are named.
    pub object_format: ObjectFormat,
    /// Directories of objects to borrow from, as the box sees them.
    pub alternates: Vec<String>,
    /// The commit to start from.
    pub base: Oid,
    /// A commit whose files the work tree is to have, beside what is committed.
    pub files: Option<Oid>,
    /// The branch to be on; none leaves the commit checked out alone, as a submodule is.
    pub branch: Option<Branch>,
    /// Who commits there.
    pub identity: Option<Identity>,
    /// Remotes to record. Credentials are cut off, and remotes on a path are left out.
    pub remotes: Vec<Remote>,
    /// Further refs to create, such as `refs/remotes/origin/main`.
    pub refs: Vec<(String, Oid)>,
    /// Where the history is cut off, in a shallow repository.
    pub shallow: Vec<Oid>,
    /// Repositories inside it.
    pub submodules: Vec<Seed>,
}

impl Seed {
    /// What a box needs to work on `repository` in its directory `dir`.
    ///
    /// `seen` gives the path at which the box sees a directory of objects of the host. Submodules
    /// are not included: see [`crate::submodule_seeds`].
    pub fn of(
        repository: &Repository,
        dir: &str,
        branch: &Branch,
        base: &Oid,
        seen: impl Fn(&str) -> String,
    ) -> Self {
        Self {
            dir: dir.to_owned(),
            object_format: repository.object_format,
            alternates: repository.object_dirs.iter().map(|d| seen(d)).collect(),
            base: base.clone(),
            files: None,
            branch: Some(branch.clone()),
            identity: Some(repository.identity.clone().unwrap_or_else(Identity::nobody)),
            remotes: repository.remotes.clone(),
            refs: Vec::new(),
            shallow: repository.shallow.clone(),
            submodules: Vec::new(),
        }
    }
}

/// Why a box did not get its repository.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeedError {
    /// There is one already.
    #[error("{dir} already holds a repository with commits: choose an empty directory")]
    AlreadySeeded {
        /// The directory in the box.
        dir: String,
    },
    /// There are files in the way.
    #[error("{dir} already holds files that the checkout would overwrite: empty it. {detail}")]
    InTheWay {
        /// The directory in the box.
        dir: String,
        /// What git said.
        detail: String,
    },
    /// The objects to borrow are not all there.
    #[error(
        "the objects of {base} cannot all be read in the box ({detail}): check that the \
         repository's objects are mounted, and run `git fsck` in it; a partial clone needs \
         `git fetch --refetch --no-filter` first"
    )]
    ObjectsMissing {
        /// The commit to start from.
        base: Oid,
        /// What git said.
        detail: String,
    },
    /// A path or name cannot be written into git's files.
    #[error("`{text}` holds a line break, which git's files cannot hold: rename it")]
    LineBreak {
        /// The text.
        text: String,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Makes the repository that `seed` describes in `place`, a box.
///
/// # Errors
/// [`SeedError`]; without a branch being made.
pub async fn seed(place: &dyn Place, seed: &Seed) -> Result<(), SeedError> {
    seed_all(place, seed, None).await
}

/// The same with objects to start with, for a box that does not see the host's disk.
///
/// # Errors
/// As [`seed`].
pub async fn seed_from(place: &dyn Place, seed: &Seed, objects: Pack) -> Result<(), SeedError> {
    seed_all(place, seed, Some(objects)).await
}

async fn seed_all(place: &dyn Place, seed: &Seed, objects: Option<Pack>) -> Result<(), SeedError> {
    // The box's own configuration; that of the repositories to come is ours.
    let nowhere = Git::nowhere();
    let (_, disarmed) = tokio::try_join!(version(place), Disarmed::read(place, &nowhere))?;
    seed_one(place, seed, &disarmed, objects).await?;
    for submodule in &seed.submodules {
        // Submodules of submodules are left alone.
        seed_one(place, submodule, &disarmed, None).await?;
    }
    Ok(())
}

async fn seed_one(
    place: &dyn Place,
    seed: &Seed,
    disarmed: &Disarmed,
    objects: Option<Pack>,
) -> Result<(), SeedError> {
    let git = Git::work_tree(&seed.dir).config(&disarmed.content);
    if let Ok(Some(_)) = refs::read(place, &git, "HEAD").await {
        return Err(SeedError::AlreadySeeded {
            dir: seed.dir.clone(),
        });
    }
    let skeleton = skeleton::of(seed)?;
    place
        .upload(&seed.dir, skeleton)
        .await
        .map_err(GitError::from)?;
    let init = Git::discover(&seed.dir).command([
        "init",
        "-q",
        "--template=",
        &format!("--object-format={}", seed.object_format.as_str()),
        &format!(
            "--initial-branch={}",
            seed.branch.as_ref().map_or("none", Branch::as_str)
        ),
        &seed.dir,
    ]);
    must(place, &init, LOOK).await?;
    if let Some(objects) = objects {
        pack::unpack(place, &git, objects).await?;
    }
    check_out(place, seed, &git).await?;
    if let Some(files) = &seed.files {
        fork::lay(place, &git, &seed.base, files).await?;
    }
    write_refs(place, seed, &git).await?;
    Ok(())
}

async fn check_out(place: &dyn Place, seed: &Seed, git: &Git) -> Result<(), SeedError> {
    let checkout = git.command(["read-tree", "-m", "-u", seed.base.as_str()]);
    let output = ask(place, &checkout, WORK).await?;
    if output.exit.is_success() {
        return Ok(());
    }
    Err(refusal(seed, &output).unwrap_or_else(|| failure(&checkout, &output).into()))
}

fn refusal(seed: &Seed, output: &Output) -> Option<SeedError> {
    let detail = output.error_text();
    let says = |words: &[&str]| words.iter().any(|word| detail.contains(word));
    if says(&["would be overwritten", "would lose untracked"]) {
        return Some(SeedError::InTheWay {
            dir: seed.dir.clone(),
            detail,
        });
    }
    let missing = [
        "failed to unpack tree",
        "unable to read",
        "not a tree",
        "Not a valid object",
        "promisor",
        "bad object",
        "could not fetch",
    ];
    says(&missing).then(|| SeedError::ObjectsMissing {
        base: seed.base.clone(),
        detail,
    })
}

async fn write_refs(place: &dyn Place, seed: &Seed, git: &Git) -> Result<(), GitError> {
    let mut script = String::new();
    for (name, commit) in &seed.refs {
        script.push_str(&format!("update {name}\0{commit}\0\0"));
    }
    match &seed.branch {
        Some(branch) => script.push_str(&format!("create {}\0{}\0", branch.full(), seed.base)),
        None => script.push_str(&format!("option no-deref\0update HEAD\0{}\0\0", seed.base)),
    }
    let update = git.command(["update-ref", "-z", "--stdin"]).stdin(script);
    must(place, &update, LOOK).await.map(drop)
}
