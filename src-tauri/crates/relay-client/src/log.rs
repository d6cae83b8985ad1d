//! A run's log as it comes: record by record, each with its byte offsets.
//!
//! Invariant: an entry's offsets are those of the file in the box, so a reader that remembers the last
//! `end` it has dealt with resumes there, on any later connection, without a gap or a repeat.

use bytes::{Bytes, BytesMut};
use paddock_relay_protocol::{
    DecodeError, FrameFault, FrameKind, FrameReader, LogOpened, MuxStream, Record, Refusal, limits,
};

use crate::RelayError;

/// One record of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Where its line starts, in bytes from the start of the log.
    pub offset: u64,
    /// Where the next one starts.
    pub end: u64,
    /// The line, with its newline.
    pub line: Bytes,
}

impl LogEntry {
    /// What the line says.
    ///
    /// # Errors
    /// [`DecodeError`] when it is no record.
    pub fn record(&self) -> Result<Record<'_>, DecodeError> {
        Record::decode(&self.line)
    }
}

/// The records of a log, in order. Holds at most one record and one frame.
#[derive(Debug)]
pub struct LogStream {
    frames: FrameReader<MuxStream>,
    opened: LogOpened,
    end: Option<LogOpened>,
    pending: BytesMut,
    /// How much of `pending` is known to hold no newline.
    searched: usize,
    offset: u64,
}

impl LogStream {
    pub(crate) fn new(stream: MuxStream, from: u64, opened: LogOpened) -> Self {
        Self {
            frames: FrameReader::new(stream),
            opened,
            end: None,
            pending: BytesMut::new(),
            searched: 0,
            offset: from,
        }
    }

    /// What the log was like when this stream was opened: entries that end within `len` are history,
    /// later ones are live.
    #[must_use]
    pub fn opened(&self) -> LogOpened {
        self.opened
    }

    /// The next record; nothing when the log has been given as far as was asked. Cancel safe: a record is
    /// either given or still to come.
    ///
    /// # Errors
    /// [`RelayError::NotConnected`]: resume at the last entry's `end`.
    pub async fn next(&mut self) -> Result<Option<LogEntry>, RelayError> {
        loop {
            if let Some(entry) = self.take_line() {
                return Ok(Some(entry));
            }
            if self.pending.len() > limits::RECORD_LEN {
                return Err(RelayError::protocol("a record is over its limit"));
            }
            if self.end.is_some() {
                return Ok(None);
            }
            self.fill().await?;
        }
    }

    fn take_line(&mut self) -> Option<LogEntry> {
        let Some(at) = memchr::memchr(b'\n', &self.pending[self.searched..]) else {
            self.searched = self.pending.len();
            return None;
        };
        let line = self.pending.split_to(self.searched + at + 1).freeze();
        self.searched = 0;
        let offset = self.offset;
        self.offset += line.len() as u64;
        Some(LogEntry {
            offset,
            end: self.offset,
            line,
        })
    }

    async fn fill(&mut self) -> Result<(), RelayError> {
        let (kind, payload) = self.frames.next().await?;
        match kind {
            FrameKind::Log => self.pending.extend_from_slice(&payload),
            FrameKind::LogEnd => {
                self.end = Some(serde_json::from_slice(&payload).map_err(RelayError::protocol)?);
            }
            FrameKind::Error => {
                let refusal: Refusal =
                    serde_json::from_slice(&payload).map_err(RelayError::protocol)?;
                return Err(refusal.into());
            }
            kind @ (FrameKind::Stdin
            | FrameKind::Stdout
            | FrameKind::Stderr
            | FrameKind::Eof
            | FrameKind::Exit
            | FrameKind::Resize
            | FrameKind::Signal
            | FrameKind::Diff
            | FrameKind::Unread) => {
                return Err(RelayError::protocol(FrameFault::OutOfPlace { kind }));
            }
        }
        Ok(())
    }
}
