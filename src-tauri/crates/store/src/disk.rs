//! The file of a plain journal as its writer sees it: the one seam at which tests let a disk fail.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// How much is copied at a time when bytes are written again.
const CHUNK: usize = 1 << 20;

/// An open journal file.
#[derive(Debug)]
pub(crate) struct Disk {
    file: File,
    #[cfg(test)]
    pub(crate) faults: faults::Faults,
}

impl Disk {
    pub(crate) fn new(file: File) -> Self {
        Self {
            file,
            #[cfg(test)]
            faults: faults::Faults::default(),
        }
    }

    /// Writes all of `text` at byte `at`.
    pub(crate) fn write_at(&mut self, at: u64, text: &[u8]) -> io::Result<()> {
        #[cfg(test)]
        if let Some(fails) = self.faults.of_write(text.len()) {
            self.file.seek(SeekFrom::Start(at))?;
            self.file
                .write_all(text.get(..fails.after).unwrap_or(text))?;
            return Err(fails.error());
        }
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(text)
    }

    /// Makes what was written durable.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        #[cfg(test)]
        if let Some(fails) = self.faults.of_sync() {
            return Err(fails.error());
        }
        self.file.sync_data()
    }

    /// Cuts the file off behind byte `len`.
    pub(crate) fn set_len(&mut self, len: u64) -> io::Result<()> {
        #[cfg(test)]
        if let Some(fails) = self.faults.of_cut() {
            return Err(fails.error());
        }
        self.file.set_len(len)
    }

    /// Writes the bytes from `from` up to `to` again as they are. After a failed [`Self::sync`] the system may
    /// count them as written though the disk does not have them; now they are waiting to be written again.
    pub(crate) fn write_again(&mut self, from: u64, to: u64) -> io::Result<()> {
        let mut at = from;
        let mut chunk = vec![0; CHUNK];
        while at < to {
            let n = usize::try_from(to - at).map_or(CHUNK, |left| left.min(CHUNK));
            let part = chunk.get_mut(..n).unwrap_or_default();
            self.file.seek(SeekFrom::Start(at))?;
            self.file.read_exact(part)?;
            let part = chunk.get(..n).unwrap_or_default();
            self.write_at(at, part)?;
            at += n as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod faults;
