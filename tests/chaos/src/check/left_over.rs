//! What a purge must not leave: processes, boxes, sockets, mounts, temporary files, open files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::Violation;
use crate::processes;
use crate::server::Settings;

const PROMISE: &str = "a purge leaves nothing";

/// How many files more than at first a server may have open at rest: connections of clients that are
/// kept alive, and of engines.
const OPEN_FILES_SLACK: usize = 12;

/// What a data directory has before any task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Baseline {
    entries: BTreeSet<String>,
}

impl Baseline {
    /// Takes it from a server that has just begun.
    pub(crate) fn take(settings: &Settings) -> Self {
        Self {
            entries: names(&settings.data),
        }
    }
}

/// What is left of `tasks` after their purge.
pub(crate) fn after_purge(
    settings: &Settings,
    baseline: &Baseline,
    tasks: &[String],
) -> Vec<Violation> {
    let mut found = Vec::new();
    let left = |what: String| Violation::of(PROMISE, what);
    for task in tasks {
        let dir = settings.data.join("boxes").join(task);
        let processes = processes::of_box(task, &dir);
        found.extend(
            processes
                .iter()
                .map(|one| left(format!("process {}", one.describe()))),
        );
        if dir.exists() {
            found.push(left(format!("the box's directory, with {:?}", names(&dir))));
        }
    }
    let known = ["tasks", "artifacts", "boxes", "trash"];
    let new = names(&settings.data);
    let new = new.iter().filter(|name| {
        !baseline.entries.contains(*name)
            && !known.contains(&name.as_str())
            && !is_of_the_index(name)
    });
    found.extend(new.map(|name| left(format!("{name} in the data directory"))));
    let temporary = names(&settings.tmp());
    found.extend(
        temporary
            .iter()
            .map(|name| left(format!("{name} among temporary files"))),
    );
    let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
    let below = settings.data.join("boxes");
    let below = below.to_string_lossy();
    let mounts = mounts.lines().filter(|line| line.contains(&*below));
    found.extend(mounts.map(|line| left(format!("mount {line}"))));
    found
}

/// Files that `SQLite` has beside an index while it works.
fn is_of_the_index(name: &str) -> bool {
    ["index.sqlite", "search.sqlite"]
        .iter()
        .any(|index| name.starts_with(index))
}

/// Whether a server has grown.
pub(crate) fn open_files(at_first: usize, now: usize) -> Option<Violation> {
    (now > at_first + OPEN_FILES_SLACK).then(|| {
        let how = format!("{now} open files, {at_first} at first");
        Violation::of("a server at rest holds no more files than before", how)
    })
}

/// The names in a directory.
fn names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).map(|entries| entries.flatten().collect::<Vec<_>>());
    let entries = entries.unwrap_or_default();
    entries
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_a_temporary_file_and_a_strange_entry_that_are_left_are_seen() {
        let dir = tempfile::tempdir().unwrap();
        let settings = Settings {
            data: dir.path().join("data"),
            beside: dir.path().join("beside"),
            variables: Default::default(),
        };
        fs::create_dir_all(settings.data.join("boxes")).unwrap();
        fs::create_dir_all(settings.tmp()).unwrap();
        let baseline = Baseline::take(&settings);
        let task = [format!("left-{}", std::process::id())];
        assert_eq!(after_purge(&settings, &baseline, &task), []);
        fs::create_dir(settings.data.join("boxes").join(&task[0])).unwrap();
        assert_eq!(after_purge(&settings, &baseline, &task).len(), 1);
        fs::write(settings.tmp().join("x"), "").unwrap();
        assert_eq!(after_purge(&settings, &baseline, &task).len(), 2);
        fs::write(settings.data.join("odd"), "").unwrap();
        assert_eq!(after_purge(&settings, &baseline, &task).len(), 3);
    }

    #[test]
    fn a_server_that_grows_is_seen() {
        assert_eq!(open_files(10, 10 + OPEN_FILES_SLACK), None);
        assert!(open_files(10, 11 + OPEN_FILES_SLACK).is_some());
    }
}
