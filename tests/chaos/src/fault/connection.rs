//! Cuts connections between a server and a relay that both live: the socket is taken out of the relay's
//! hands for a moment and shut down, as a broken link would.

use std::collections::BTreeSet;
use std::fs;
use std::os::fd::OwnedFd;

use rustix::net::{Shutdown, shutdown};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use crate::processes::Process;

/// What a relay's socket is called.
const SOCKET: &str = "/socket";

/// Cuts every connection that these relays have accepted; says how many there were.
pub(super) fn cut(relays: &[Process]) -> usize {
    relays.iter().map(cut_one).sum()
}

fn cut_one(relay: &Process) -> usize {
    let accepted = accepted(relay.pid);
    let sockets = sockets(relay.pid).into_iter();
    let ours = sockets.filter(|(_, inode)| accepted.contains(inode));
    let taken = ours.filter_map(|(fd, _)| take(relay.pid, fd));
    taken
        .filter(|socket| shutdown(socket, Shutdown::Both).is_ok())
        .count()
}

/// Inodes of the sockets that were accepted on a relay's own. The kernel lists them in the network of
/// whoever connected, which is not the relay's where that is a container.
fn accepted(pid: i32) -> BTreeSet<u64> {
    const CONNECTED: &str = "03";
    let inode = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, _, _, _, _, state, inode, path] = words[..] else {
            return None;
        };
        (state == CONNECTED && path.ends_with(SOCKET)).then(|| inode.parse().ok())?
    };
    let tables = [
        format!("/proc/{pid}/net/unix"),
        "/proc/self/net/unix".to_owned(),
    ];
    let tables = tables.map(|table| fs::read_to_string(table).unwrap_or_default());
    tables
        .iter()
        .flat_map(|table| table.lines().filter_map(inode))
        .collect()
}

/// The sockets that a process has open: number and inode.
fn sockets(pid: i32) -> Vec<(i32, u64)> {
    let entries =
        fs::read_dir(format!("/proc/{pid}/fd")).map(|entries| entries.flatten().collect());
    let entries: Vec<fs::DirEntry> = entries.unwrap_or_default();
    let socket = |entry: &fs::DirEntry| {
        let target = fs::read_link(entry.path()).ok()?;
        let inode = target
            .to_str()?
            .strip_prefix("socket:[")?
            .strip_suffix(']')?;
        Some((
            entry.file_name().to_str()?.parse().ok()?,
            inode.parse().ok()?,
        ))
    };
    entries.iter().filter_map(socket).collect()
}

fn take(pid: i32, fd: i32) -> Option<OwnedFd> {
    let process = pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()?;
    pidfd_getfd(process, fd, PidfdGetfdFlags::empty()).ok()
}
