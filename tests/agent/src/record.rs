//! The independent record: what the agent read and said, for tests that compare it with what
//! arrived elsewhere.
//!
//! Invariant: a line is recorded before it is said, in one write. Start at [`Record`].

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rustix::fs::{FallocateFlags, fallocate};
use serde_json::{Value, json};

/// Room that is taken for a record before it is written, in bytes: the account of a disk that fills up
/// must not be what suffers from it.
const ROOM: u64 = 1 << 20;

/// The record of one process; without a file it keeps nothing.
#[derive(Debug)]
pub(crate) struct Record {
    pages: Option<Mutex<Pages>>,
}

#[derive(Debug)]
struct Pages {
    file: File,
    number: u64,
}

impl Record {
    /// Opens the file at `path` for appending.
    pub(crate) fn open(path: Option<OsString>) -> io::Result<Self> {
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            return Ok(Self { pages: None });
        };
        let file = File::options()
            .create(true)
            .append(true)
            .open(place(path))?;
        // Where no room can be taken, the record grows as it is written.
        let _ = file.metadata().is_ok_and(|meta| {
            fallocate(&file, FallocateFlags::KEEP_SIZE, meta.len(), ROOM).is_ok()
        });
        let pages = Pages { file, number: 0 };
        Ok(Self {
            pages: Some(Mutex::new(pages)),
        })
    }

    /// An input was read.
    pub(crate) fn heard(&self, id: Option<&str>, kind: Option<&str>) -> io::Result<()> {
        self.add(json!({"in": id, "type": kind}))
    }

    /// `line`, without its line break, is about to be said.
    pub(crate) fn saying(&self, line: &[u8]) -> io::Result<()> {
        self.add(match std::str::from_utf8(line) {
            Ok(text) => json!({ "out": text }),
            Err(_) => json!({ "raw": line.len() }),
        })
    }

    fn add(&self, mut entry: Value) -> io::Result<()> {
        let Some(pages) = &self.pages else {
            return Ok(());
        };
        let mut pages = pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.number += 1;
        entry["n"] = json!(pages.number);
        entry["pid"] = json!(std::process::id());
        pages.file.write_all(format!("{entry}\n").as_bytes())
    }
}

/// `~/` at the start is the home folder: one name serves agents of many boxes.
fn place(path: OsString) -> PathBuf {
    let below = path.to_str().and_then(|path| path.strip_prefix("~/"));
    match (below, std::env::var_os("HOME")) {
        (Some(below), Some(home)) => PathBuf::from(home).join(below),
        _ => path.into(),
    }
}
