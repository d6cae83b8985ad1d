//! Objects on their way from one repository to another, and nothing but objects.
//!
//! A pack is used and not a bundle: a bundle brings names of refs chosen by its sender, and git
//! before 2.46 does not check the objects it fetches from one.
//!
//! Start at [`pack_from_box`] or [`pack_from_host`].

use std::time::Duration;

use bytes::Bytes;
use paddock_exec::{Limits, Place};

use crate::git::{Git, LOOK, must};
use crate::{GitError, Oid, Repository};

/// What may be in one pack. A task that makes more is told so.
pub const MOST_PACKED: usize = 1 << 30;

const PACKING: Limits = Limits {
    stdout: MOST_PACKED,
    time: Duration::from_secs(600),
};

/// The objects that `tips` need and a holder of `have` lacks, from the work tree `dir` of a box.
///
/// # Errors
/// [`GitError`]; a box that gives more than [`MOST_PACKED`] bytes is stopped.
pub async fn pack_from_box(
    place: &dyn Place,
    dir: &str,
    tips: &[Oid],
    have: &[Oid],
) -> Result<Bytes, GitError> {
    pack(place, &Git::work_tree(dir), tips, have).await
}

/// The same from a repository on the host, for a box that does not see the host's disk.
///
/// # Errors
/// [`GitError`].
pub async fn pack_from_host(
    place: &dyn Place,
    repository: &Repository,
    tips: &[Oid],
    have: &[Oid],
) -> Result<Bytes, GitError> {
    pack(place, &Git::bare(&repository.git_dir), tips, have).await
}

async fn pack(place: &dyn Place, git: &Git, tips: &[Oid], have: &[Oid]) -> Result<Bytes, GitError> {
    let mut revisions: String = tips.iter().map(|oid| format!("{oid}\n")).collect();
    for oid in present(place, git, have).await? {
        revisions.push_str(&format!("^{oid}\n"));
    }
    let pack = git.command([
        "pack-objects",
        "--revs",
        "--stdout",
        "--thin",
        "--delta-base-offset",
        "-q",
    ]);
    let output = must(place, &pack.stdin(revisions), PACKING).await?;
    Ok(output.stdout)
}

/// Those of `commits` that the repository holds.
async fn present(place: &dyn Place, git: &Git, commits: &[Oid]) -> Result<Vec<Oid>, GitError> {
    let questions: String = commits.iter().map(|oid| format!("{oid}\n")).collect();
    let check = git
        .command(["cat-file", "--batch-check=%(objectname) %(objecttype)"])
        .stdin(questions);
    let text = must(place, &check, LOOK).await?.text();
    let there = text.lines().filter_map(|line| line.strip_suffix(" commit"));
    Ok(there.filter_map(Oid::parse).collect())
}

/// Checks every object of `pack` and stores them in the repository of `git`, or stores none.
pub(crate) async fn unpack(place: &dyn Place, git: &Git, pack: Bytes) -> Result<(), GitError> {
    let limit = format!("--max-input-size={MOST_PACKED}");
    let store = git
        .command(["index-pack", "--stdin", "--fix-thin", "--strict", &limit])
        .stdin(pack);
    must(place, &store, PACKING).await.map(drop)
}
