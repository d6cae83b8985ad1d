//! What a program weighs and does with all that it started: memory by process and kind, in thousands of kilobytes, and
//! processor time.
//!
//! What several processes map is split among them, so a sum over a family counts everything once.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::time::Duration;

/// Programs of a session bus, which belong to the stage and not to the window on it.
const BUS: &str = "dbus";

/// Memory of a program and all that it started, in MB, by the name of the process.
#[derive(Clone, Debug, Default)]
pub(super) struct Weight(BTreeMap<String, Share>);

/// Memory of the processes of one name, in MB.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// Files that are mapped: the code of programs and libraries, fonts.
    files: f64,
    /// Everything else: heaps, what is drawn, what is shared in memory.
    own: f64,
}

impl Weight {
    /// Weighs `pid` and all that descends from it, but the bus.
    pub(super) fn of(pid: u32) -> anyhow::Result<Self> {
        let mut weight = Self::default();
        for pid in family(pid) {
            let name = name(pid);
            if name.starts_with(BUS) {
                continue;
            }
            let share = weight.0.entry(name).or_default();
            let maps = fs::read_to_string(format!("/proc/{pid}/smaps")).unwrap_or_default();
            share.add(&maps);
        }
        weight.0.retain(|_, share| share.files + share.own > 0.0);
        anyhow::ensure!(!weight.0.is_empty(), "the window is gone");
        Ok(weight)
    }

    /// One program with so much memory of its own.
    #[cfg(test)]
    pub(super) fn sample(own: f64) -> Self {
        let share = Share { own, files: 0.0 };
        Self(BTreeMap::from([("program".to_owned(), share)]))
    }

    /// All of it.
    pub(super) fn total(&self) -> f64 {
        self.0.values().map(|share| share.files + share.own).sum()
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, (name, Share { files, own })) in self.0.iter().enumerate() {
            let comma = if nth == 0 { "" } else { ", " };
            write!(to, "{comma}{name} {files:.0} + {own:.0}")?;
        }
        Ok(())
    }
}

impl Share {
    /// Adds what `/proc/PID/smaps` says.
    fn add(&mut self, maps: &str) {
        let mut is_file = false;
        for line in maps.lines() {
            if let Some(pss) = line.strip_prefix("Pss:") {
                let kib = pss.trim().trim_end_matches(" kB").parse::<f64>();
                let to = if is_file {
                    &mut self.files
                } else {
                    &mut self.own
                };
                *to += kib.unwrap_or_default() / 1000.0;
            } else if line
                .starts_with(|first: char| first.is_ascii_hexdigit() && !first.is_ascii_uppercase())
            {
                is_file = line.contains(" /")
                    && !line.contains(" /dev/")
                    && !line.ends_with(" (deleted)");
            }
        }
    }
}

fn name(pid: u32) -> String {
    let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let program = line.split('\0').next().unwrap_or_default();
    program.rsplit('/').next().unwrap_or_default().to_owned()
}

/// `pid` and all that descends from it.
pub(super) fn family(pid: u32) -> Vec<u32> {
    let mut all = vec![pid];
    let mut at = 0;
    while let Some(parent) = all.get(at) {
        // Each thread has children of its own.
        let threads = fs::read_dir(format!("/proc/{parent}/task"));
        for thread in threads.into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split(' ');
            all.extend(children.filter_map(|child| child.parse::<u32>().ok()));
        }
        at += 1;
    }
    all
}

/// What each thread of a program and of all that it started has had of the processor until a moment, in
/// nanoseconds: what the scheduler counts, for the ticks of processes are too coarse for a program at rest.
#[derive(Debug)]
pub(super) struct Used(BTreeMap<String, u64>);

impl Used {
    /// Looks at `pid` and all that descends from it.
    pub(super) fn by(pid: u32) -> anyhow::Result<Self> {
        let mut threads = BTreeMap::new();
        for pid in family(pid) {
            let tasks = fs::read_dir(format!("/proc/{pid}/task"));
            for thread in tasks.into_iter().flatten().flatten() {
                let told = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
                let time = told.split(' ').next().and_then(|time| time.parse().ok());
                let id = thread.file_name().to_string_lossy().into_owned();
                threads.extend(time.map(|time| (id, time)));
            }
        }
        anyhow::ensure!(!threads.is_empty(), "the window is gone");
        Ok(Self(threads))
    }

    /// Milliseconds since an earlier look. A thread that ended meanwhile counts for nothing.
    pub(super) fn since(&self, before: &Self) -> f64 {
        let had = |id: &String| before.0.get(id).copied().unwrap_or_default();
        let grown = self.0.iter().map(|(id, time)| time.saturating_sub(had(id)));
        Duration::from_nanos(grown.sum()).as_secs_f64() * 1000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mapped_from_files_is_told_from_what_is_not() {
        let maps = "\
5600-5700 r-xp 00000000 fe:00 1 /usr/lib/libx.so\n\
Size: 9 kB\n\
Pss: 2000 kB\n\
Pss_Dirty: 5 kB\n\
5700-5800 rw-p 00000000 00:00 0 [heap]\n\
Pss: 1000 kB\n\
7f00-7f10 rw-s 00000000 00:01 2 /memfd:WebKitSharedMemory (deleted)\n\
Pss: 3000 kB\n\
7f10-7f20 rw-p 00000000 00:00 0 \n\
Pss: 4000 kB\n";
        let mut share = Share::default();
        share.add(maps);
        assert!((share.files - 2.0).abs() < 1e-9, "{share:?}");
        assert!((share.own - 8.0).abs() < 1e-9, "{share:?}");
    }

    #[test]
    fn time_since_a_look_is_that_of_old_and_of_new_threads() {
        let at = |threads: &[(&str, u64)]| {
            let threads = threads.iter().map(|(id, time)| ((*id).to_owned(), *time));
            Used(threads.collect())
        };
        let before = at(&[("1", 5_000_000), ("2", 9_000_000)]);
        let after = at(&[("1", 7_000_000), ("3", 1_500_000)]);
        assert!((after.since(&before) - 3.5).abs() < 1e-9);
        assert!(!Used::by(std::process::id()).unwrap().0.is_empty());
    }

    #[test]
    fn a_running_program_is_weighed_under_its_name() {
        let weight = Weight::of(std::process::id()).unwrap();
        assert!(weight.total() > 1.0);
        assert!(weight.to_string().starts_with("xtask-"), "{weight}");
    }
}
