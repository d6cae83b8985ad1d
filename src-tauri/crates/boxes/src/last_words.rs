//! The log of a run whose relay is gone, read where it lies.
//!
//! The directory belongs to the box, which may have put anything there: no link is followed, nothing but a
//! plain file is read, nothing is written, and a record over its limit ends the reading. Invariant: only
//! whole records are given, each with the offsets that the relay would have given it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use paddock_domain::TaskId;
use paddock_relay_client::LogEntry;
use paddock_relay_client::protocol::limits;
use rustix::fs::{Mode, OFlags, openat};

use crate::layout::Inside;
use crate::{BoxDirs, BoxError, Boxes};

/// What a run said before its relay was gone.
#[derive(Debug)]
pub struct KeptLog {
    /// Where the agent worked, as it saw it.
    pub work_dir: String,
    reader: Option<BufReader<File>>,
    offset: u64,
}

impl Boxes {
    /// The log that `run` left in the box of `task`, whether the box stands or not: one without a word when
    /// its relay never came to begin the run, none when there is no box.
    ///
    /// # Errors
    /// [`BoxError::BadRecord`], [`BoxError::Disk`] when what is there is no plain file, or cannot be read.
    pub fn last_words(&self, task: &TaskId, run: &str) -> Result<Option<KeptLog>, BoxError> {
        let dirs = self.dirs(task);
        let Some(record) = self.record(task)? else {
            return Ok(None);
        };
        let inside = Inside::of(&record, &dirs, &self.inner.settings.toolbox_dir)?;
        let work_dir = inside.work_dir(&record);
        let reader = match open(&dirs, run) {
            Ok(log) => Some(BufReader::with_capacity(limits::CHUNK_LEN, log)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(BoxError::disk(&dirs.relay.join("runs").join(run), error)),
        };
        Ok(Some(KeptLog {
            work_dir,
            reader,
            offset: 0,
        }))
    }
}

impl KeptLog {
    /// Whether there is a log at all.
    #[must_use]
    pub fn was_begun(&self) -> bool {
        self.reader.is_some()
    }

    /// The next records, up to `records` of them and about `bytes`; none at the end. What follows the
    /// last whole record is left.
    ///
    /// # Errors
    /// When the disk fails, or a record is over its limit.
    pub fn next(&mut self, records: usize, bytes: usize) -> io::Result<Vec<LogEntry>> {
        let (mut entries, mut taken) = (Vec::new(), 0);
        let Some(reader) = &mut self.reader else {
            return Ok(entries);
        };
        while entries.len() < records && taken < bytes {
            let mut line = Vec::new();
            let limit = limits::RECORD_LEN as u64 + 1;
            reader.by_ref().take(limit).read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                if line.len() > limits::RECORD_LEN {
                    return Err(io::Error::other("a record of the log is over its limit"));
                }
                break;
            }
            taken += line.len();
            let end = self.offset + line.len() as u64;
            entries.push(LogEntry {
                offset: self.offset,
                end,
                line: line.into(),
            });
            self.offset = end;
        }
        Ok(entries)
    }
}

/// Opens the log, each step of the way by itself.
fn open(dirs: &BoxDirs, run: &str) -> io::Result<File> {
    let dir = |at: &File, name: &str| -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(at, name, flags, Mode::empty())?.into())
    };
    if run.contains('/') || run.starts_with('.') {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let relay = open_root(&dirs.relay)?;
    let run = dir(&dir(&relay, "runs")?, run)?;
    // A pipe in its place must not keep us waiting.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let log = File::from(openat(&run, "log.jsonl", flags, Mode::empty())?);
    if !log.metadata()?.is_file() {
        return Err(io::Error::other("the log is no plain file"));
    }
    Ok(log)
}

/// The box cannot replace this one: the directory that names it is ours.
fn open_root(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use paddock_relay_client::protocol::{LineKind, encode};

    use super::*;

    fn stand() -> (tempfile::TempDir, BoxDirs) {
        let temp = tempfile::tempdir().unwrap();
        let dirs = BoxDirs::of(temp.path(), &TaskId::parse("t").unwrap());
        fs::create_dir_all(dirs.relay.join("runs/r")).unwrap();
        (temp, dirs)
    }

    fn log(dirs: &BoxDirs) -> std::path::PathBuf {
        dirs.relay.join("runs/r/log.jsonl")
    }

    fn kept(file: File) -> KeptLog {
        KeptLog {
            work_dir: String::new(),
            reader: Some(BufReader::new(file)),
            offset: 0,
        }
    }

    #[test]
    fn whole_records_come_with_their_offsets_and_a_torn_one_is_left() {
        let (_temp, dirs) = stand();
        let mut bytes = Vec::new();
        for n in 0..10 {
            encode::line(
                &mut bytes,
                LineKind::Out,
                1,
                format!("{n}").repeat(n).as_bytes(),
            );
        }
        let whole = bytes.len();
        bytes.extend_from_slice(b"{\"k\":\"out\"");
        fs::write(log(&dirs), &bytes).unwrap();
        let mut kept = kept(open(&dirs, "r").unwrap());
        let mut all = kept.next(3, usize::MAX).unwrap();
        assert_eq!(all.len(), 3);
        all.extend(kept.next(100, 1).unwrap());
        assert_eq!(all.len(), 4);
        all.extend(kept.next(100, usize::MAX).unwrap());
        assert_eq!(all.len(), 10);
        let said: Vec<u8> = all.iter().flat_map(|entry| entry.line.to_vec()).collect();
        assert_eq!(said, bytes[..whole]);
        assert!(all.windows(2).all(|two| two[0].end == two[1].offset));
        assert!(kept.next(100, usize::MAX).unwrap().is_empty());
    }

    #[test]
    fn what_a_box_puts_in_the_place_of_its_log_is_not_read() {
        let (temp, dirs) = stand();
        let secret = temp.path().join("secret");
        fs::write(&secret, "secret\n").unwrap();
        symlink(&secret, log(&dirs)).unwrap();
        assert!(open(&dirs, "r").is_err(), "a link to a file");
        fs::remove_file(log(&dirs)).unwrap();

        fs::create_dir(log(&dirs)).unwrap();
        assert!(open(&dirs, "r").is_err(), "a directory");
        fs::remove_dir(log(&dirs)).unwrap();

        let made = std::process::Command::new("mkfifo")
            .arg(log(&dirs))
            .status();
        assert!(made.unwrap().success());
        assert!(open(&dirs, "r").is_err(), "a pipe");

        let elsewhere = temp.path().join("elsewhere");
        fs::create_dir_all(elsewhere.join("r")).unwrap();
        fs::write(elsewhere.join("r/log.jsonl"), "secret\n").unwrap();
        fs::remove_dir_all(dirs.relay.join("runs")).unwrap();
        symlink(&elsewhere, dirs.relay.join("runs")).unwrap();
        assert!(open(&dirs, "r").is_err(), "a link to a directory");
        assert!(open(&dirs, "../x").is_err() && open(&dirs, "..").is_err());
    }
}
