//! Reads `git diff --numstat -z`.

use paddock_domain::FileStat;

use crate::GitError;

/// Reads all records: `added TAB removed TAB path NUL`, or with an empty path and then the old and
/// the new one when a file was renamed. A file without lines to count has `-` for both figures.
pub(crate) fn parse(listing: &str) -> Result<Vec<FileStat>, GitError> {
    let mut files = Vec::new();
    let mut fields = listing.split('\0');
    while let Some(field) = fields.next() {
        if field.is_empty() {
            continue;
        }
        let mut parts = field.splitn(3, '\t');
        let (Some(added), Some(removed), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(unreadable(field));
        };
        let (path, from) = match path {
            "" => {
                let from = fields.next().ok_or_else(|| unreadable(field))?;
                let to = fields.next().ok_or_else(|| unreadable(field))?;
                (to, Some(from.to_owned()))
            }
            path => (path, None),
        };
        files.push(FileStat {
            path: path.to_owned(),
            renamed_from: from,
            added: number(added)?,
            removed: number(removed)?,
            binary: added == "-",
        });
    }
    Ok(files)
}

fn number(text: &str) -> Result<u64, GitError> {
    match text {
        "-" => Ok(0),
        digits => digits.parse().map_err(|_| unreadable(text)),
    }
}

fn unreadable(record: &str) -> GitError {
    GitError::unreadable("diff", record.chars().take(80).collect::<String>())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_binary_and_renamed_files_are_read() {
        let files = parse("1\t2\ta b\0-\t-\tx.png\x003\t0\t\0old\tname\0new\0").unwrap();
        assert_eq!(
            (files[0].path.as_str(), files[0].added, files[0].removed),
            ("a b", 1, 2)
        );
        assert!(files[1].binary);
        assert_eq!(files[2].renamed_from.as_deref(), Some("old\tname"));
        assert_eq!(files[2].path, "new");
    }

    #[test]
    fn a_record_cut_short_is_an_error() {
        for bad in ["1\t2", "x\t2\ta\0", "1\t2\t\0only"] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_path_and_figures_come_back(path in "[^\0]{1,40}", added: u32, removed: u32) {
            let files = parse(&format!("{added}\t{removed}\t{path}\0")).unwrap();
            prop_assert_eq!(&files[0].path, &path);
            prop_assert_eq!((files[0].added, files[0].removed), (added.into(), removed.into()));
        }

        #[test]
        fn nothing_that_git_could_print_panics(listing in "[0-9a\t\0-]{0,40}") {
            let _ = parse(&listing);
        }
    }
}
