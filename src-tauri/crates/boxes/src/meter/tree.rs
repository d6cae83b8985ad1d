//! What a worktree box uses: all that descends from its relay, added up from `/proc`.
//!
//! The relay adopts orphans, so descent misses nobody. Processor time and disk traffic of processes that
//! have ended count with whoever waited for them, so short commands are not lost. Memory that processes
//! share is counted once, as much as the largest shares.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::Reading;

/// Clock ticks in a second, as Linux shows times to programs.
const TICKS: u64 = 100;

/// Bytes in a page, likewise.
const PAGE: u64 = 4096;

/// Longest line of `/proc/<pid>/stat` that is read, in bytes.
const STAT_LEN: usize = 1024;

/// Longest environment of a relay that is searched for its mark, in bytes.
const ENVIRON_LEN: u64 = 1 << 20;

/// The first process of a box, and when it started: another with its number is not it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Root {
    pid: u32,
    start: u64,
}

/// The relay that serves `dir`, when it lives and carries `mark` in the variable `name`.
pub(super) fn root(dir: &Path, name: &str, mark: &str) -> Option<Root> {
    let mut pid = String::new();
    let lock = File::open(dir.join("lock")).ok()?;
    lock.take(32).read_to_string(&mut pid).ok()?;
    let pid = pid.trim().parse().ok()?;
    let entry = Entry::read(pid)?;
    let mut environment = Vec::new();
    let file = File::open(format!("/proc/{pid}/environ")).ok()?;
    file.take(ENVIRON_LEN).read_to_end(&mut environment).ok()?;
    let wanted = format!("{name}={mark}");
    let marked = environment
        .split(|byte| *byte == 0)
        .any(|entry| entry == wanted.as_bytes());
    marked.then_some(Root {
        pid,
        start: entry.start,
    })
}

/// All processes of this machine, at one moment.
#[derive(Default)]
pub(super) struct Table {
    entries: HashMap<u32, Entry>,
    children: HashMap<u32, Vec<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    parent: u32,
    /// Its own processor time and that of children it has waited for.
    ticks: u64,
    start: u64,
    /// One that has ended only waits to be waited for.
    lives: bool,
}

impl Table {
    /// Reads the table.
    pub(super) fn read() -> Self {
        let mut table = Self::default();
        let Ok(dir) = fs::read_dir("/proc") else {
            return table;
        };
        let pids = dir
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        for pid in pids {
            if let Some(entry) = Entry::read(pid) {
                table.add(pid, entry);
            }
        }
        table
    }

    fn add(&mut self, pid: u32, entry: Entry) {
        self.children.entry(entry.parent).or_default().push(pid);
        self.entries.insert(pid, entry);
    }

    /// What `root` and all that descend from it have used; none when the root is gone.
    pub(super) fn read_tree(&self, root: Root) -> Option<Reading> {
        self.entries
            .get(&root.pid)
            .filter(|entry| entry.start == root.start && entry.lives)?;
        let (mut reading, mut shared_most) = (Reading::default(), 0);
        let mut disk: Option<(u64, u64)> = None;
        for pid in self.tree(root.pid) {
            let Some(entry) = self.entries.get(&pid) else {
                continue;
            };
            reading.cpu_ns += entry.ticks * (1_000_000_000 / TICKS);
            reading.processes += u64::from(entry.lives);
            if let Some((own, shared)) = memory(pid) {
                reading.memory += own;
                shared_most = shared_most.max(shared);
            }
            if let Some((read, written)) = io(pid) {
                let sum = disk.get_or_insert((0, 0));
                *sum = (sum.0 + read, sum.1 + written);
            }
        }
        reading.memory += shared_most;
        reading.disk = disk;
        Some(reading)
    }

    fn tree(&self, root: u32) -> Vec<u32> {
        // A table read while processes come and go may hold a loop.
        let mut found = std::collections::HashSet::new();
        let mut next = vec![root];
        while let Some(pid) = next.pop() {
            if found.insert(pid) {
                next.extend(self.children.get(&pid).into_iter().flatten());
            }
        }
        found.into_iter().collect()
    }
}

impl Entry {
    fn read(pid: u32) -> Option<Self> {
        let mut line = [0; STAT_LEN];
        let len = File::open(format!("/proc/{pid}/stat"))
            .ok()?
            .read(&mut line)
            .ok()?;
        Self::parse(&String::from_utf8_lossy(line.get(..len)?))
    }

    /// The name stands in parentheses and may hold anything, also parentheses and spaces.
    fn parse(stat: &str) -> Option<Self> {
        let (_, tail) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = tail.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            ticks: number(11)? + number(12)? + number(13)? + number(14)?,
            start: number(19)?,
            lives: !matches!(fields.first(), Some(&("Z" | "X"))),
        })
    }
}

/// Memory of its own, and memory that it shares, in bytes.
fn memory(pid: u32) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let mut pages = text
        .split(' ')
        .skip(1)
        .map(|field| field.parse::<u64>().ok());
    let (resident, shared) = (pages.next()??, pages.next()??);
    Some((resident.saturating_sub(shared) * PAGE, shared * PAGE))
}

/// Bytes read from disks and written to them; none where the kernel does not say.
fn io(pid: u32) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{pid}/io")).ok()?;
    let figure = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse::<u64>().ok()
    };
    Some((figure("read_bytes:")?, figure("write_bytes:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_changes_no_figure() {
        let stat = "7 (a) R 1 9 (b) S 3 7 7 0 -1 4194304 1 0 0 0 150 50 10 5 20 0 1 0 99 1000 25 0";
        let expected = Entry {
            parent: 3,
            ticks: 215,
            start: 99,
            lives: true,
        };
        assert_eq!(Entry::parse(stat), Some(expected));
        for cut in ["", "7 (x", "7 (x) S", "7 (x) S 3 7"] {
            assert_eq!(Entry::parse(cut), None, "{cut}");
        }
    }

    #[test]
    fn a_tree_ends_where_a_table_loops() {
        let mut table = Table::default();
        for (pid, parent) in [(2, 1), (3, 2), (4, 3), (5, 6), (6, 5), (9, 1)] {
            let entry = Entry {
                parent,
                ticks: 1,
                start: 7,
                lives: true,
            };
            table.add(pid, entry);
        }
        let mut tree = table.tree(2);
        tree.sort_unstable();
        assert_eq!(tree, [2, 3, 4]);
        assert_eq!(table.tree(5).len(), 2);
    }

    #[test]
    fn this_process_has_used_something_and_one_of_another_age_is_not_it() {
        let (pid, table) = (std::process::id(), Table::read());
        let start = table.entries[&pid].start;
        let reading = table.read_tree(Root { pid, start }).unwrap();
        assert!(reading.memory > 0 && reading.processes >= 1, "{reading:?}");
        assert_eq!(
            table.read_tree(Root {
                pid,
                start: start + 1
            }),
            None
        );
    }

    #[test]
    fn a_relay_without_the_mark_is_none() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(root(dir.path(), "X", "y"), None);
        fs::write(dir.path().join("lock"), format!("{}\n", std::process::id())).unwrap();
        assert_eq!(root(dir.path(), "PADDOCK_BOX", "nobody@nowhere"), None);
    }
}
