//! Makes an index know a work tree, without `git add`.
//!
//! `git add` starts a `git status` in every submodule, with that submodule's own configuration, which
//! may name programs. Plumbing that looks only at the files of this repository does the same here.
//!
//! Start at [`know_all`] or [`take_all`].

use paddock_exec::{Command, Place};

use crate::git::{Git, WORK, ask, must};
use crate::{GitError, ObjectFormat};

/// Files that are not in the index as they are.
#[derive(Debug, Default, PartialEq, Eq)]
struct Loose {
    /// Files that git does not know and does not ignore.
    unknown: Vec<Vec<u8>>,
    /// The same for directories that are repositories of their own.
    inner: Vec<Vec<u8>>,
    /// Files with conflicts.
    conflicted: Vec<Vec<u8>>,
}

/// Makes the index of `git` know that every file is there, so that a diff with the work tree shows
/// it. Repositories inside are left out. No object is written.
pub(crate) async fn know_all(
    place: &dyn Place,
    git: &Git,
    format: ObjectFormat,
) -> Result<(), GitError> {
    let loose = loose(place, git).await?;
    let mut entries = Vec::new();
    for path in loose.conflicted.iter().chain(&loose.unknown) {
        // Which content does not matter: without times, git looks at the file.
        entries.extend_from_slice(format!("100644 {} 0\t", empty_blob(format)).as_bytes());
        entries.extend_from_slice(path);
        entries.push(0);
    }
    if entries.is_empty() {
        return Ok(());
    }
    let update = git.command(["update-index", "-z", "--replace", "--index-info"]);
    must(place, &update.stdin(entries), WORK).await.map(drop)
}

/// Makes the index of `git` hold every file as it is, and writes their objects.
///
/// A repository inside is held by its commit. Gives those that have none, which are left out.
pub(crate) async fn take_all(place: &dyn Place, git: &Git) -> Result<Vec<String>, GitError> {
    let changed = git.command([
        "diff-files",
        "-z",
        "--name-only",
        "--ignore-submodules=dirty",
    ]);
    let (changed, loose) = tokio::try_join!(must(place, &changed, WORK), loose(place, git))?;
    let mut paths = changed.stdout.to_vec();
    for path in &loose.unknown {
        paths.extend_from_slice(path);
        paths.push(0);
    }
    must(place, &taking(git, paths), WORK).await?;
    let mut left_out = Vec::new();
    for path in loose.inner {
        let one = taking(git, [path.as_slice(), b"\0"].concat());
        if !ask(place, &one, WORK).await?.exit.is_success() {
            left_out.push(String::from_utf8_lossy(&path).into_owned());
        }
    }
    Ok(left_out)
}

/// The command that makes the index of `git` hold the files `paths`, each ended by NUL, as they are.
pub(crate) fn taking(git: &Git, paths: Vec<u8>) -> Command {
    let update = ["update-index", "-z", "--add", "--remove", "--replace"];
    git.command(update).arg("--stdin").stdin(paths)
}

async fn loose(place: &dyn Place, git: &Git) -> Result<Loose, GitError> {
    let list = git.command([
        "ls-files",
        "-z",
        "-t",
        "--others",
        "--unmerged",
        "--exclude-standard",
    ]);
    Ok(sorted(&must(place, &list, WORK).await?.stdout))
}

/// Reads `? path` and `M mode object stage TAB path`, each ended by NUL.
fn sorted(listing: &[u8]) -> Loose {
    let mut loose = Loose::default();
    for record in listing.split(|byte| *byte == 0) {
        if let Some(path) = record.strip_prefix(b"? ") {
            match path.strip_suffix(b"/") {
                Some(dir) => loose.inner.push(dir.to_vec()),
                None => loose.unknown.push(path.to_vec()),
            }
        } else if let Some(tab) = record.iter().position(|byte| *byte == b'\t') {
            let path = record[tab + 1..].to_vec();
            if loose.conflicted.last() != Some(&path) {
                loose.conflicted.push(path);
            }
        }
    }
    loose
}

fn empty_blob(format: ObjectFormat) -> &'static str {
    match format {
        ObjectFormat::Sha1 => "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        ObjectFormat::Sha256 => "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unknown_inner_and_conflicted_files_are_told_apart() {
        let listing = b"? a b\0? in ner/\0M 100644 1 1\tx\ty\0M 100644 2 2\tx\ty\0";
        let found = sorted(listing);
        assert_eq!(found.unknown, [b"a b".to_vec()]);
        assert_eq!(found.inner, [b"in ner".to_vec()]);
        assert_eq!(found.conflicted, [b"x\ty".to_vec()]);
    }

    proptest! {
        #[test]
        fn any_name_of_a_file_comes_back(name in proptest::collection::vec(1_u8.., 1..30)) {
            prop_assume!(name.last() != Some(&b'/'));
            let listing = [b"? ".as_slice(), &name, b"\0"].concat();
            prop_assert_eq!(sorted(&listing).unknown, [name]);
        }
    }
}
