//! The kernel's table of processes, as `/proc` shows it.
//!
//! Nothing here is trusted to stay true: a process may be gone the moment after.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;

/// Most bytes of an environment that are searched for a marker.
const ENVIRON_LEN: u64 = 1024 * 1024;

/// Most bytes of a command line that are shown.
const COMMAND_LEN: usize = 256;

/// Clock ticks in a second, as the kernel shows times to programs on every platform we run on.
const TICKS: u64 = 100;

/// Bytes in a page, likewise.
const PAGE: u64 = 4096;

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) pid: u32,
    pub(crate) ppid: u32,
    pub(crate) name: String,
    pub(crate) state: char,
    pub(crate) cpu_ms: u64,
    pub(crate) resident: u64,
    /// When it started, in ticks since the machine did.
    pub(crate) start: u64,
}

impl Entry {
    /// Whether it still runs: a zombie only waits for its parent.
    pub(crate) fn lives(&self) -> bool {
        self.state != 'Z' && self.state != 'X'
    }
}

/// All processes, at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// Reads the table.
    pub(crate) fn read() -> Self {
        let Ok(dir) = fs::read_dir("/proc") else {
            return Self::default();
        };
        let pids = dir
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        Self {
            entries: pids.filter_map(read_entry).collect(),
        }
    }

    /// The line of one process.
    pub(crate) fn entry(pid: u32) -> Option<Entry> {
        read_entry(pid)
    }

    /// Its lines, in the kernel's order.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// `roots` and all that descend from them.
    pub(crate) fn descendants(&self, roots: impl IntoIterator<Item = u32>) -> HashSet<u32> {
        let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
        for entry in &self.entries {
            children.entry(entry.ppid).or_default().push(entry.pid);
        }
        let mut found = HashSet::new();
        let mut next: Vec<u32> = roots.into_iter().collect();
        while let Some(pid) = next.pop() {
            if found.insert(pid) {
                next.extend(children.get(&pid).into_iter().flatten());
            }
        }
        found
    }
}

fn read_entry(pid: u32) -> Option<Entry> {
    parse(pid, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name stands in parentheses and may hold anything, also parentheses and spaces.
fn parse(pid: u32, stat: &str) -> Option<Entry> {
    let (head, tail) = stat.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    let fields: Vec<&str> = tail.split_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
    Some(Entry {
        pid,
        ppid: fields.get(1)?.parse().ok()?,
        name: name.to_owned(),
        state: fields.first()?.chars().next()?,
        cpu_ms: (number(11)? + number(12)?) * 1000 / TICKS,
        resident: number(21)? * PAGE,
        start: number(19)?,
    })
}

/// How long the machine runs, in milliseconds; 0 when it does not say.
pub(crate) fn uptime_ms() -> u64 {
    let text = fs::read_to_string("/proc/uptime").unwrap_or_default();
    let (seconds, rest) = text.split_once('.').unwrap_or_default();
    let hundredths: u64 = rest.get(..2).and_then(|two| two.parse().ok()).unwrap_or(0);
    seconds
        .parse::<u64>()
        .map_or(0, |seconds| seconds * 1000 + hundredths * 10)
}

/// How long `entry` runs, by a machine that runs `uptime_ms`.
pub(crate) fn age_ms(entry: &Entry, uptime_ms: u64) -> u64 {
    uptime_ms.saturating_sub(entry.start.saturating_mul(1000 / TICKS))
}

/// Whether the environment that `pid` was started with has this entry (`NAME=value`).
pub(crate) fn has_marker(pid: u32, marker: &str) -> bool {
    environ(pid).is_some_and(|env| env.split(|byte| *byte == 0).any(|e| e == marker.as_bytes()))
}

/// The value of variable `name` in the environment that `pid` was started with.
pub(crate) fn variable(pid: u32, name: &str) -> Option<String> {
    let env = environ(pid)?;
    let mut entries = env
        .split(|byte| *byte == 0)
        .filter_map(|e| std::str::from_utf8(e).ok());
    entries.find_map(|entry| {
        entry
            .strip_prefix(name)?
            .strip_prefix('=')
            .map(str::to_owned)
    })
}

fn environ(pid: u32) -> Option<Vec<u8>> {
    let mut env = Vec::new();
    let file = File::open(format!("/proc/{pid}/environ")).ok()?;
    file.take(ENVIRON_LEN).read_to_end(&mut env).ok()?;
    Some(env)
}

/// The command line of an entry, for people.
pub(crate) fn command_line(entry: &Entry) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(format!("/proc/{}/cmdline", entry.pid)) {
        let _ = file.take(COMMAND_LEN as u64).read_to_end(&mut bytes);
    }
    let line: Vec<u8> = bytes
        .iter()
        .map(|byte| if *byte == 0 { b' ' } else { *byte })
        .collect();
    let line = String::from_utf8_lossy(&line).trim_end().to_owned();
    if line.is_empty() {
        format!("[{}]", entry.name)
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(pid: u32, ppid: u32) -> Entry {
        Entry {
            pid,
            ppid,
            name: String::new(),
            state: 'S',
            cpu_ms: 0,
            resident: 0,
            start: 0,
        }
    }

    #[test]
    fn a_name_with_parentheses_and_spaces_is_taken_whole() {
        let stat = "7 (a) b (c)) S 3 7 7 0 -1 4194304 1 0 0 0 150 50 0 0 20 0 1 0 99 1000 25 0";
        let parsed = parse(7, stat).unwrap();
        assert_eq!(
            (parsed.name.as_str(), parsed.ppid, parsed.state),
            ("a) b (c)", 3, 'S')
        );
        assert_eq!((parsed.cpu_ms, parsed.resident), (2000, 25 * PAGE));
        assert_eq!((parsed.start, age_ms(&parsed, 2_000)), (99, 1_010));
    }

    #[test]
    fn a_cut_line_is_no_entry() {
        for stat in ["", "7 (x", "7 (x) S", "7 (x) S 3 7"] {
            assert_eq!(parse(7, stat), None, "{stat}");
        }
    }

    #[test]
    fn descendants_are_found_at_any_depth_and_loops_end() {
        let entries = vec![
            entry(2, 1),
            entry(3, 2),
            entry(4, 3),
            entry(9, 1),
            entry(5, 6),
            entry(6, 5),
        ];
        let table = Table { entries };
        assert_eq!(table.descendants([2]), HashSet::from([2, 3, 4]));
        assert_eq!(table.descendants([5]), HashSet::from([5, 6]));
    }

    #[test]
    fn this_process_is_in_the_table() {
        let table = Table::read();
        let me = std::process::id();
        assert!(
            table
                .entries()
                .iter()
                .any(|entry| entry.pid == me && entry.lives())
        );
    }
}
