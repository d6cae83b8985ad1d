//! Whether there is room on the disk that holds the journals.
//!
//! A write that was refused for want of room makes the state `full` at once; a look every
//! [`LOOK_EVERY`] finds out by itself when there is room again, by writing a little and taking it back: a
//! quota is not seen otherwise. Below the low-water mark no new work is taken, so that what runs has room
//! to go on; while there is plenty, the next look is not due before the fastest disk could have got there.
//!
//! Start at [`DiskGauge::admit`].

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use paddock_domain::{Disk, DiskState};
use tokio::sync::watch;

use crate::CommandError;

/// How often the disk is looked at where room is short.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How often it is looked at at least.
const LOOK_AT_LEAST: Duration = Duration::from_secs(30);
/// How fast a disk may be filled, in bytes per second; where one is filled faster, a refused write tells.
const FASTEST: u64 = 4 << 30;
/// How much must be writable for a full disk to count as usable again, in bytes.
const PROBE: usize = 256 << 10;
/// What is written to find that out.
const PROBE_FILE: &str = ".room";

/// The disk of one data directory.
#[derive(Debug)]
pub(crate) struct DiskGauge {
    dir: PathBuf,
    low_water: u64,
    seen: watch::Sender<Disk>,
}

impl DiskGauge {
    /// Looks at the disk of `dir`; below `low_water` free bytes it counts as low.
    pub(crate) fn new(dir: &Path, low_water: u64) -> Self {
        let seen = judge(false, free_bytes(dir), low_water);
        Self {
            dir: dir.to_owned(),
            low_water,
            seen: watch::Sender::new(seen),
        }
    }

    /// How it stood when it was last looked at.
    pub(crate) fn now(&self) -> Disk {
        self.seen.borrow().clone()
    }

    /// Hears of every change.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Disk> {
        self.seen.subscribe()
    }

    /// Whether new work may begin.
    ///
    /// # Errors
    /// [`CommandError::DiskFull`] when it may not.
    pub(crate) fn admit(&self) -> Result<(), CommandError> {
        match self.seen.borrow().message.clone() {
            Some(message) => Err(CommandError::DiskFull { message }),
            None => Ok(()),
        }
    }

    /// A write was refused for want of room.
    pub(crate) fn refused(&self) {
        self.set(judge(true, free_bytes(&self.dir), self.low_water));
    }

    /// Looks again and again.
    pub(crate) async fn watch(&self) {
        let mut changes = self.subscribe();
        loop {
            let rest = due_in(&changes.borrow_and_update());
            // A write that was refused meanwhile makes the next look due sooner.
            if tokio::time::timeout(rest, changes.changed()).await.is_ok() {
                continue;
            }
            let (dir, full) = (self.dir.clone(), self.now().state == DiskState::Full);
            let looked =
                tokio::task::spawn_blocking(move || (full && !can_write(&dir), free_bytes(&dir)));
            if let Ok((full, free)) = looked.await {
                self.set(judge(full, free, self.low_water));
            }
        }
    }

    /// Subscribers hear of a change of state alone: the free bytes change with every line.
    fn set(&self, seen: Disk) {
        self.seen.send_if_modified(|old| {
            let changed = old.state != seen.state;
            *old = seen;
            changed
        });
    }
}

/// When the next look is due after what was seen.
fn due_in(seen: &Disk) -> Duration {
    let above = match (seen.state, seen.free_bytes) {
        (DiskState::Ok, Some(free)) => free.saturating_sub(seen.low_water_bytes),
        _ => 0,
    };
    Duration::from_secs(above / FASTEST).clamp(LOOK_EVERY, LOOK_AT_LEAST)
}

fn judge(refused: bool, free_bytes: Option<u64>, low_water_bytes: u64) -> Disk {
    let low = free_bytes.is_some_and(|free| free < low_water_bytes);
    let free = free_bytes.map_or_else(String::new, |free| format!(": {} MiB are free", free >> 20));
    let (state, message) = match (refused, low) {
        (true, _) => (
            DiskState::Full,
            Some(format!(
                "there is no room left on the disk that holds the journals{free}. Make room: what was \
                 acknowledged is kept, agents work on, and everything else goes on by itself then"
            )),
        ),
        (false, true) => (
            DiskState::Low,
            Some(format!(
                "little room is left on the disk that holds the journals{free}, and {} MiB are kept for \
                 what runs (`limits.disk_low_mib`). Make room: new work is taken again by itself then",
                low_water_bytes >> 20
            )),
        ),
        (false, false) => (DiskState::Ok, None),
    };
    Disk {
        state,
        free_bytes,
        low_water_bytes,
        message,
    }
}

#[cfg(unix)]
fn free_bytes(dir: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(dir).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Whether a little more can be written.
fn can_write(dir: &Path) -> bool {
    let file = dir.join(PROBE_FILE);
    let written = write_probe(&file);
    let _ = std::fs::remove_file(&file); // an empty one that stays does no harm
    written.is_ok()
}

fn write_probe(file: &Path) -> io::Result<()> {
    let mut probe = std::fs::File::create(file)?;
    // Not zeroes: some file systems give them no room.
    probe.write_all(&[b'x'; PROBE])?;
    probe.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(refused: bool, free: Option<u64>, state: DiskState) {
        let seen = judge(refused, free, 100 << 20);
        assert_eq!(seen.state, state, "{seen:?}");
        assert_eq!(seen.message.is_none(), state == DiskState::Ok);
    }

    #[test]
    fn a_disk_is_low_below_the_mark_and_full_when_it_refused_whatever_it_says() {
        check(false, Some(100 << 20), DiskState::Ok);
        check(false, Some((100 << 20) - 1), DiskState::Low);
        check(true, Some(1 << 40), DiskState::Full);
        check(false, None, DiskState::Ok);
    }

    #[test]
    fn the_more_room_there_is_the_longer_the_next_look_can_wait() {
        let after = |refused, free| due_in(&judge(refused, free, 1 << 30));
        assert_eq!(after(false, Some(2 << 30)), LOOK_EVERY);
        assert_eq!(after(false, Some(41 << 30)), Duration::from_secs(10));
        assert_eq!(after(false, Some(u64::MAX)), LOOK_AT_LEAST);
        assert_eq!(after(false, Some(1 << 20)), LOOK_EVERY);
        assert_eq!(after(true, Some(u64::MAX)), LOOK_EVERY);
        assert_eq!(after(false, None), LOOK_EVERY);
    }

    #[test]
    fn new_work_waits_until_there_is_room_and_only_changes_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let gauge = DiskGauge::new(dir.path(), 0);
        let mut told = gauge.subscribe();
        assert!(gauge.admit().is_ok());
        gauge.refused();
        assert!(matches!(gauge.admit(), Err(CommandError::DiskFull { .. })));
        assert!(told.has_changed().unwrap());
        told.mark_unchanged();
        gauge.refused();
        assert!(!told.has_changed().unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_disk_is_found_usable_again_without_anybodys_doing() {
        let dir = tempfile::tempdir().unwrap();
        let gauge = DiskGauge::new(dir.path(), 0);
        gauge.refused();
        let mut told = gauge.subscribe();
        tokio::select! {
            () = gauge.watch() => {}
            changed = told.changed() => changed.unwrap(),
        }
        assert_eq!(gauge.now().state, DiskState::Ok);
        let left = std::fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(left, 0, "the probe was left behind");
    }
}
