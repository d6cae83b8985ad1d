//! The tree of some of the files that a commit could take.
//!
//! What is chosen is found in git's own list of what differs, by equality, and told to git as entries of an index:
//! no path that a client sends is ever a pathspec or is looked up in a file system.
//!
//! Start at [`tree_of`].

use std::collections::{BTreeMap, BTreeSet};

use paddock_exec::Place;

use crate::diff::PLAIN;
use crate::git::{WORK, must};
use crate::preview::{CommitError, PreviewToken};
use crate::private_index::PrivateIndex;
use crate::{GitError, Oid};

/// One file that differs: what it is to be, and what it was called.
struct Change<'a> {
    mode: &'a [u8],
    oid: &'a [u8],
    path: &'a [u8],
    /// A file under this name is gone.
    from: Option<&'a [u8]>,
}

impl<'a> Change<'a> {
    /// The name that no file has any more after it.
    fn left(&self) -> Option<&'a [u8]> {
        self.from.or_else(|| is_gone(self).then_some(self.path))
    }
}

/// The tree that `token`'s commit would have with `files` alone; `index` holds it afterwards.
///
/// # Errors
/// [`CommitError::NoFiles`], [`CommitError::NoSuchFile`], [`CommitError::TakesPlace`], and failures of git.
pub(crate) async fn tree_of(
    place: &dyn Place,
    index: &PrivateIndex,
    token: &PreviewToken,
    files: &[String],
) -> Result<Oid, CommitError> {
    if files.is_empty() {
        return Err(CommitError::NoFiles);
    }
    let git = &index.git;
    let show = git.command(["diff-tree", "-r", "-z", "-M", "--raw"]);
    let show = show
        .args(PLAIN)
        .args([token.head.as_str(), token.tree.as_str(), "--"]);
    let listing = must(place, &show, WORK).await?.stdout;
    let changes = read(&listing)?;
    let entries = entries(&changes, files)?;
    let head = git.command(["read-tree", token.head.as_str()]);
    must(place, &head, WORK).await?;
    let update = git.command(["update-index", "-z", "--index-info"]);
    must(place, &update.stdin(entries), WORK).await?;
    let tree = must(place, &git.command(["write-tree"]), WORK).await?;
    Ok(Oid::read("write-tree", &tree.text())?)
}

/// What `git update-index --index-info` is to be told for `files`; those that are gone come first, for a file may
/// stand where a folder was.
fn entries(changes: &[Change<'_>], files: &[String]) -> Result<Vec<u8>, CommitError> {
    let wanted: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    let known = changes.iter().map(|one| String::from_utf8_lossy(one.path));
    let known: BTreeSet<_> = known.collect();
    if let Some(path) = wanted.iter().find(|path| !known.contains(**path)) {
        let path = (*path).to_owned();
        return Err(CommitError::NoSuchFile { path });
    }
    let is_chosen = |one: &&Change<'_>| wanted.contains(&*String::from_utf8_lossy(one.path));
    let (chosen, rest): (Vec<_>, Vec<_>) = changes.iter().partition(is_chosen);
    refuse_halves(&chosen, &rest)?;
    let (mut gone, mut there) = (Vec::new(), Vec::new());
    for one in chosen {
        if let Some(from) = one.from {
            entry(&mut gone, b"000000", &vec![b'0'; one.oid.len()], from);
        }
        let part = if is_gone(one) { &mut gone } else { &mut there };
        entry(part, one.mode, one.oid, one.path);
    }
    gone.append(&mut there);
    Ok(gone)
}

/// A file cannot stand where a folder stays, nor a folder where a file stays: git's index would let go of what is in
/// the way, chosen or not.
fn refuse_halves(chosen: &[&Change<'_>], rest: &[&Change<'_>]) -> Result<(), CommitError> {
    let left: BTreeMap<&[u8], &Change<'_>> = rest
        .iter()
        .filter_map(|one| Some((one.left()?, *one)))
        .collect();
    for one in chosen.iter().filter(|one| !is_gone(one)) {
        let above = parents(one.path).find_map(|path| left.get_key_value(path));
        let mut folder = one.path.to_vec();
        folder.push(b'/');
        let within = left.range(&*folder..).next();
        let within = within.filter(|(path, _)| path.starts_with(&folder));
        if let Some((was, with)) = above.or(within) {
            return Err(CommitError::TakesPlace {
                path: text(one.path),
                was: text(was),
                with: text(with.path),
            });
        }
    }
    Ok(())
}

/// The folders that `path` is in.
fn parents(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    ends.map(|(end, _)| &path[..end])
}

fn text(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

fn is_gone(change: &Change<'_>) -> bool {
    change.mode == b"000000"
}

fn entry(to: &mut Vec<u8>, mode: &[u8], oid: &[u8], path: &[u8]) {
    for part in [mode, b" ", oid, b"\t", path, b"\0"] {
        to.extend_from_slice(part);
    }
}

/// Reads `git diff-tree -z --raw`: `:mode mode oid oid STATUS NUL path NUL`, with two paths where a file was renamed.
fn read(listing: &[u8]) -> Result<Vec<Change<'_>>, GitError> {
    let unreadable = || GitError::unreadable("diff-tree", "a record of other fields was expected");
    let mut fields = listing.split(|byte| *byte == 0);
    let mut changes = Vec::new();
    while let Some(head) = fields.next().filter(|head| !head.is_empty()) {
        let mut parts = head.split(|byte| *byte == b' ');
        let (mode, oid, status) = (parts.nth(1), parts.nth(1), parts.next());
        let (Some(mode), Some(oid), Some(status)) = (mode, oid, status) else {
            return Err(unreadable());
        };
        let first = fields.next().ok_or_else(unreadable)?;
        let (path, from) = match status.first() {
            Some(b'R') => (fields.next().ok_or_else(unreadable)?, Some(first)),
            Some(_) | None => (first, None),
        };
        changes.push(Change {
            mode,
            oid,
            path,
            from,
        });
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> Vec<u8> {
        let (a, b, zero) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        format!(
            ":100644 100755 {a} {b} M\0a b\0:100644 000000 {a} {zero} D\0old\0:100644 100644 {a} {b} R090\0from\0to\0"
        )
        .into_bytes()
    }

    fn check(files: &[&str], expected: &str) {
        let listing = listing();
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let entries = entries(&read(&listing).unwrap(), &files).unwrap();
        let text = String::from_utf8(entries).unwrap();
        let text = text.replace(&"b".repeat(40), "B");
        assert_eq!(text.replace(&"0".repeat(40), "-"), expected);
    }

    #[test]
    fn a_chosen_file_is_one_entry_and_a_renamed_one_two() {
        check(&["a b"], "100755 B\ta b\0");
        check(&["old"], "000000 -\told\0");
        check(&["to"], "000000 -\tfrom\x00100644 B\tto\0");
        check(&["a b", "old"], "000000 -\told\x00100755 B\ta b\0");
    }

    #[test]
    fn what_stands_in_anothers_place_is_chosen_with_it_or_not_at_all() {
        let (a, zero) = ("a".repeat(40), "0".repeat(40));
        let there = |path: &str| format!(":000000 100644 {zero} {a} A\0{path}\0");
        let gone = |path: &str| format!(":100644 000000 {a} {zero} D\0{path}\0");
        let moved = |from: &str, to: &str| format!(":100644 100644 {a} {a} R100\0{from}\0{to}\0");
        let refused = |listing: String, files: &[&str]| {
            let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
            let error = entries(&read(listing.as_bytes()).unwrap(), &files).err()?;
            let CommitError::TakesPlace { path, was, with } = error else {
                panic!("{error}");
            };
            Some(format!("{path} {was} {with}"))
        };
        let deep = || gone("x") + &there("x/y/z") + &there("xy");
        assert_eq!(refused(deep(), &["x/y/z"]).unwrap(), "x/y/z x x");
        for well in [&["x/y/z", "x"][..], &["x"], &["xy"]] {
            assert_eq!(refused(deep(), well), None, "{well:?}");
        }
        let flat = || gone("x-z") + &gone("x/1") + &gone("x/2") + &there("x");
        assert_eq!(refused(flat(), &["x", "x/1"]).unwrap(), "x x/2 x/2");
        assert_eq!(refused(flat(), &["x", "x/1", "x/2"]), None);
        let away = || moved("x", "w") + &there("x/y");
        assert_eq!(refused(away(), &["x/y"]).unwrap(), "x/y x w");
        assert_eq!(refused(away(), &["x/y", "w"]), None);
        assert_eq!(refused(moved("x", "x/y"), &["x/y"]), None);
    }

    #[test]
    fn what_is_not_among_them_is_no_file() {
        let listing = listing();
        let changes = read(&listing).unwrap();
        for path in [
            "*",
            ":(glob)**",
            "../a b",
            "./a b",
            "a",
            "/etc/passwd",
            "from",
            "",
        ] {
            let error = entries(&changes, &[path.to_owned()]).unwrap_err();
            assert!(matches!(error, CommitError::NoSuchFile { .. }), "{path}");
        }
    }
}
