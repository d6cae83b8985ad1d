//! Reads `git status --porcelain=v2 --branch -z`.

use super::WorkStatus;
use crate::{GitError, Oid};

/// A tracked file that differs from the last commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its path.
    pub path: String,
    /// Its path before it was renamed or copied.
    pub from: Option<String>,
    /// Whether the index differs from the last commit.
    pub staged: bool,
    /// Whether the file differs from the index.
    pub unstaged: bool,
}

/// Reads all records of `listing`.
pub(super) fn parse(listing: &str) -> Result<WorkStatus, GitError> {
    let mut status = WorkStatus {
        branch: None,
        head: None,
        ahead: Vec::new(),
        changed: Vec::new(),
        untracked: Vec::new(),
        conflicted: Vec::new(),
        submodules: Vec::new(),
    };
    let mut records = listing.split('\0').filter(|record| !record.is_empty());
    while let Some(record) = records.next() {
        match record.split_once(' ') {
            Some(("#", header)) => status.take_header(header),
            Some(("1", fields)) => status.take_changed(fields, 7, None)?,
            Some(("2", fields)) => {
                let from = records.next().ok_or_else(|| unreadable(record))?;
                status.take_changed(fields, 8, Some(from))?;
            }
            Some(("u", fields)) => {
                let path = field_after(fields, 9).ok_or_else(|| unreadable(record))?;
                status.conflicted.push(path.to_owned());
            }
            Some(("?", path)) => status.untracked.push(path.to_owned()),
            // Ignored files are not asked for; a kind of record from the future says nothing to us.
            Some(_) => {}
            None => return Err(unreadable(record)),
        }
    }
    Ok(status)
}

impl WorkStatus {
    fn take_header(&mut self, header: &str) {
        match header.split_once(' ') {
            Some(("branch.oid", oid)) => self.head = Oid::parse(oid),
            Some(("branch.head", name)) if name != "(detached)" => {
                self.branch = Some(name.to_owned());
            }
            Some(_) | None => {}
        }
    }

    /// `fields` are `XY sub …`, of which `skipped` come before the path.
    fn take_changed(
        &mut self,
        fields: &str,
        skipped: usize,
        from: Option<&str>,
    ) -> Result<(), GitError> {
        let path = field_after(fields, skipped).ok_or_else(|| unreadable(fields))?;
        let mut first = fields.chars();
        let (x, y) = (first.next().unwrap_or('.'), first.next().unwrap_or('.'));
        if fields
            .split(' ')
            .nth(1)
            .is_some_and(|sub| sub.starts_with('S'))
        {
            self.submodules.push(path.to_owned());
            return Ok(());
        }
        self.changed.push(Changed {
            path: path.to_owned(),
            from: from.map(str::to_owned),
            staged: x != '.',
            unstaged: y != '.',
        });
        Ok(())
    }
}

/// What follows the first `skipped` fields of `text`: a path, which may hold spaces.
fn field_after(text: &str, skipped: usize) -> Option<&str> {
    text.splitn(skipped + 1, ' ')
        .nth(skipped)
        .filter(|path| !path.is_empty())
}

fn unreadable(record: &str) -> GitError {
    GitError::unreadable("status", record.chars().take(80).collect::<String>())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OID: &str = "1111111111111111111111111111111111111111";

    #[test]
    fn every_kind_of_record_is_told_apart() {
        let listing = format!(
            "# branch.oid {OID}\0# branch.head paddock-0\0# branch.ab +1 -0\0\
             1 M. N... 100644 100644 100644 {OID} {OID} a b.txt\0\
             1 .M N... 100644 100644 100644 {OID} {OID} c\0\
             2 R. N... 100644 100644 100644 {OID} {OID} R100 new name\0old name\0\
             1 .M SCM. 160000 160000 160000 {OID} {OID} lib\0\
             u UU N... 100644 100644 100644 100644 {OID} {OID} {OID} fight me\0\
             ? what ever/\0"
        );
        let status = parse(&listing).unwrap();
        assert_eq!(status.branch.as_deref(), Some("paddock-0"));
        assert_eq!(status.head, Oid::parse(OID));
        let changed: Vec<_> = status
            .changed
            .iter()
            .map(|c| (c.path.as_str(), c.from.as_deref(), c.staged, c.unstaged))
            .collect();
        assert_eq!(
            changed,
            [
                ("a b.txt", None, true, false),
                ("c", None, false, true),
                ("new name", Some("old name"), true, false)
            ]
        );
        assert_eq!(status.submodules, ["lib"]);
        assert_eq!(status.conflicted, ["fight me"]);
        assert_eq!(status.untracked, ["what ever/"]);
        assert!(!status.is_clean());
    }

    #[test]
    fn a_record_cut_short_is_an_error_and_not_clean() {
        for bad in [
            "1 M. N...\0",
            "2 R. N... 1 1 1 a b R100 x\0",
            "nonsense\0",
            "u UU\0",
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_path_comes_back_as_it_was(path in "[^\0]{1,40}") {
            let listing = format!("1 .M N... 100644 100644 100644 {OID} {OID} {path}\0? {path}\0");
            let status = parse(&listing).unwrap();
            prop_assert_eq!(&status.changed[0].path, &path);
            prop_assert_eq!(&status.untracked[0], &path);
        }

        #[test]
        fn nothing_that_git_could_print_panics(listing in "([12u?#!] )?[ -~\0\u{e4}]{0,80}") {
            let _ = parse(&listing);
        }
    }
}
