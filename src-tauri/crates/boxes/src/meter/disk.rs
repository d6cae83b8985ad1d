//! What the directory of a box takes on its disk.
//!
//! Counting means looking at every file, so it is bounded in files and made beside everything else;
//! links are not followed, other file systems not entered, and a file with several names counts once.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use paddock_domain::TaskId;

use crate::{BoxError, Boxes};

/// Bytes in the blocks that the kernel counts in.
const BLOCK: u64 = 512;

/// What a directory takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskCount {
    /// Bytes on the disk.
    pub bytes: u64,
    /// Files and directories that were looked at.
    pub entries: u64,
    /// Whether there is more: the bound was reached, or something could not be read.
    pub at_least: bool,
}

impl Boxes {
    /// Most files that are looked at in one count.
    pub const DISK_ENTRIES_MAX: u64 = 300_000;

    /// Counts what the directory of a task's box takes: work trees, home, temporary files, logs. What a
    /// container writes elsewhere is not in it.
    ///
    /// # Errors
    /// [`BoxError::Broken`] when the count itself broke.
    pub async fn disk_count(&self, task: &TaskId) -> Result<DiskCount, BoxError> {
        let root = self.dirs(task).root;
        let counted = tokio::task::spawn_blocking(move || count(&root, Self::DISK_ENTRIES_MAX));
        counted.await.map_err(|e| BoxError::broken(&e))
    }
}

fn count(root: &Path, most: u64) -> DiskCount {
    let mut count = DiskCount::default();
    let Ok(top) = fs::symlink_metadata(root) else {
        count.at_least = true;
        return count;
    };
    let mut linked = HashSet::new();
    let mut dirs: Vec<PathBuf> = vec![root.to_owned()];
    count.bytes = top.blocks() * BLOCK;
    while let Some(dir) = dirs.pop() {
        let Ok(entries) = fs::read_dir(&dir) else {
            count.at_least = true;
            continue;
        };
        for entry in entries.flatten() {
            if count.entries == most {
                count.at_least = true;
                return count;
            }
            count.entries += 1;
            let Ok(meta) = entry.metadata() else {
                count.at_least = true;
                continue;
            };
            if meta.dev() != top.dev() {
                continue;
            }
            if meta.is_dir() {
                dirs.push(entry.path());
            } else if meta.nlink() > 1 && !linked.insert(meta.ino()) {
                continue;
            }
            count.bytes += meta.blocks() * BLOCK;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_two_names_counts_once_and_links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("box");
        fs::create_dir(&inside).unwrap();
        fs::write(inside.join("a"), vec![1; 1 << 20]).unwrap();
        let once = count(&inside, 100);
        fs::hard_link(inside.join("a"), inside.join("b")).unwrap();
        fs::write(dir.path().join("outside"), vec![1; 1 << 20]).unwrap();
        std::os::unix::fs::symlink(dir.path(), inside.join("up")).unwrap();
        let more = count(&inside, 100);
        assert!(once.bytes >= 1 << 20 && !once.at_least, "{once:?}");
        assert!(more.bytes < once.bytes + (1 << 19), "{more:?}");
        assert_eq!(more.entries, 3);
    }

    #[test]
    fn a_count_that_is_given_up_says_so() {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..10 {
            fs::write(dir.path().join(n.to_string()), "x").unwrap();
        }
        let given_up = count(dir.path(), 5);
        assert!(given_up.at_least && given_up.entries == 5, "{given_up:?}");
        assert!(count(&dir.path().join("gone"), 5).at_least);
    }
}
