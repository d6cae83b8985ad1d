//! What a container uses, from the files of its control group, version 1 or 2.
//!
//! The engine names a process; the kernel says of which group it is, and only a group whose path
//! carries the container's whole id is believed. An engine in a virtual machine names processes of that
//! machine: here the same number is somebody else, or nobody.

use std::fs;
use std::path::{Path, PathBuf};

use super::Reading;

/// The control group of a container that runs.
#[derive(Clone, Debug)]
pub(super) struct Group {
    files: Files,
    /// Shows the container's network, when it has one of its own.
    network: Option<PathBuf>,
}

#[derive(Clone, Debug)]
enum Files {
    /// A directory per controller.
    V1 {
        cpu: PathBuf,
        memory: PathBuf,
        pids: PathBuf,
        disk: Option<PathBuf>,
    },
    /// One directory.
    V2(PathBuf),
}

/// The group of process `pid`, when it is that of `container` and can be read.
pub(super) fn find(pid: u32, container: &str, own_network: bool) -> Option<Group> {
    let groups = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
    let mounts = fs::read_to_string("/proc/mounts").ok()?;
    let files = files(&groups, &mounts, container)?;
    let network = own_network.then(|| PathBuf::from(format!("/proc/{pid}/net/dev")));
    let group = Group { files, network };
    let readable = group
        .network
        .as_ref()
        .is_none_or(|file| fs::read_to_string(file).is_ok());
    (readable && group.read().is_some()).then_some(group)
}

/// Where the figures of `container` are, by the lines of `/proc/<pid>/cgroup` and `/proc/mounts`.
fn files(groups: &str, mounts: &str, container: &str) -> Option<Files> {
    if container.len() < 32 {
        return None;
    }
    let of = |controller: &str| {
        let path = groups.lines().find_map(|line| {
            let (_, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            controllers
                .split(',')
                .any(|name| name == controller)
                .then_some(path)
        })?;
        let below = Path::new(path).strip_prefix("/").ok()?;
        let ours = path.contains(container) && !path.split('/').any(|part| part == "..");
        ours.then(|| Some(mount(mounts, controller)?.join(below)))?
    };
    if let (Some(cpu), Some(memory), Some(pids)) = (of("cpuacct"), of("memory"), of("pids")) {
        let disk = of("blkio");
        return Some(Files::V1 {
            cpu,
            memory,
            pids,
            disk,
        });
    }
    of("").map(Files::V2)
}

/// Where a controller of version 1 is mounted; version 2 has the empty name.
fn mount(mounts: &str, controller: &str) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ');
        let (_, at, kind, options) = (
            fields.next()?,
            fields.next()?,
            fields.next()?,
            fields.next()?,
        );
        let is = match kind {
            "cgroup" => !controller.is_empty() && options.split(',').any(|name| name == controller),
            "cgroup2" => controller.is_empty(),
            _ => false,
        };
        is.then(|| PathBuf::from(at))
    })
}

impl Group {
    /// What the container has used; none when it is gone.
    pub(super) fn read(&self) -> Option<Reading> {
        let mut reading = match &self.files {
            Files::V1 {
                cpu,
                memory,
                pids,
                disk,
            } => Reading {
                cpu_ns: number(cpu, "cpuacct.usage")?,
                memory: number(memory, "memory.usage_in_bytes")?.saturating_sub(line(
                    memory,
                    "memory.stat",
                    "total_inactive_file",
                )),
                processes: number(pids, "pids.current")?,
                network: None,
                disk: disk.as_ref().and_then(|dir| disk_v1(dir)),
            },
            Files::V2(dir) => Reading {
                cpu_ns: line(dir, "cpu.stat", "usage_usec").saturating_mul(1000),
                memory: number(dir, "memory.current")?.saturating_sub(line(
                    dir,
                    "memory.stat",
                    "inactive_file",
                )),
                processes: number(dir, "pids.current")?,
                network: None,
                disk: fs::read_to_string(dir.join("io.stat"))
                    .ok()
                    .and_then(|text| disk_v2(&text)),
            },
        };
        if let Some(file) = &self.network {
            reading.network = Some(network(&fs::read_to_string(file).ok()?));
        }
        Some(reading)
    }
}

fn number(dir: &Path, file: &str) -> Option<u64> {
    fs::read_to_string(dir.join(file)).ok()?.trim().parse().ok()
}

/// The figure behind `name`; 0 where there is none.
fn line(dir: &Path, file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(dir.join(file)).unwrap_or_default();
    let figure = text.lines().find_map(|line| {
        let (key, value) = line.split_once(' ')?;
        (key == name).then(|| value.trim().parse().ok())?
    });
    figure.unwrap_or(0)
}

fn disk_v1(dir: &Path) -> Option<(u64, u64)> {
    let file = "blkio.throttle.io_service_bytes_recursive";
    let text = fs::read_to_string(dir.join(file)).ok()?;
    let way = |way: &str| {
        let figures = text.lines().filter_map(|line| {
            let mut fields = line.split(' ');
            let (_, op, value) = (fields.next()?, fields.next()?, fields.next()?);
            (op == way).then(|| value.parse::<u64>().ok())?
        });
        figures.fold(None, |sum: Option<u64>, more| Some(sum.unwrap_or(0) + more))
    };
    Some((way("Read")?, way("Write")?))
}

/// Lines such as `254:0 rbytes=1 wbytes=2 rios=…`; none before anything went to a disk.
fn disk_v2(text: &str) -> Option<(u64, u64)> {
    let sum = |name: &str| {
        let fields = text.split_whitespace();
        let ours = fields.filter_map(|field| field.strip_prefix(name)?.parse::<u64>().ok());
        ours.sum()
    };
    Some((sum("rbytes="), sum("wbytes=")))
}

/// Bytes in and out over all interfaces but the loopback.
fn network(text: &str) -> (u64, u64) {
    let interfaces = text.lines().filter_map(|line| {
        let (name, figures) = line.split_once(':')?;
        let figures: Vec<u64> = figures
            .split_whitespace()
            .map(|figure| figure.parse().unwrap_or(0))
            .collect();
        (name.trim() != "lo").then(|| Some((*figures.first()?, *figures.get(8)?)))?
    });
    interfaces.fold((0, 0), |(rx, tx), (more_rx, more_tx)| {
        (rx + more_rx, tx + more_tx)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "b4fd3cd78c5c19441698525c71c1c07512b14d2565929429c66845a666c76fe0";

    #[test]
    fn the_group_of_the_container_is_found_under_either_version() {
        let mounts = "cgroup /sys/fs/cgroup/cpuacct cgroup rw,cpuacct 0 0\n\
            cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n\
            cgroup /sys/fs/cgroup/pids cgroup rw,pids 0 0\n\
            cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
        let v1 = format!(
            "4:memory:/docker/{ID}\n3:pids:/docker/{ID}\n2:cpu,cpuacct:/docker/{ID}\n0::/x\n"
        );
        let Some(Files::V1 { memory, disk, .. }) = files(&v1, mounts, ID) else {
            panic!("not found");
        };
        assert_eq!(
            memory,
            Path::new(&format!("/sys/fs/cgroup/memory/docker/{ID}"))
        );
        assert_eq!(disk, None);
        let v2 = format!("0::/system.slice/docker-{ID}.scope\n");
        let Some(Files::V2(dir)) = files(&v2, "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0", ID) else {
            panic!("not found");
        };
        assert_eq!(
            dir,
            Path::new(&format!("/sys/fs/cgroup/system.slice/docker-{ID}.scope"))
        );
    }

    #[test]
    fn a_group_that_does_not_carry_the_id_is_not_believed() {
        let mounts = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0";
        for groups in [
            "0::/user.slice",
            "0::/",
            "",
            "0::/../docker-other",
            &format!("0::/../{ID}"),
        ] {
            assert!(files(groups, mounts, ID).is_none(), "{groups}");
        }
        assert!(files("0::/", mounts, "").is_none());
        let me = std::process::id();
        assert!(find(me, ID, true).is_none());
    }

    #[test]
    fn figures_are_added_up_over_disks_and_interfaces() {
        assert_eq!(
            disk_v2("254:0 rbytes=1 wbytes=2 rios=9\n8:0 rbytes=10 wbytes=20\n"),
            Some((11, 22))
        );
        let dev = "Inter-|   Receive |  Transmit\n face |bytes packets\n\
            lo: 9 0 0 0 0 0 0 0 9 0\n  eth0: 5 1 0 0 0 0 0 0 6 1 0\neth1:1 0 0 0 0 0 0 0 2 0\n";
        assert_eq!(network(dev), (6, 8));
        assert_eq!(network("garbage: x\n: \n"), (0, 0));
    }
}
