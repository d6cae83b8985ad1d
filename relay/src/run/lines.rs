//! From a pipe into the log: only complete lines, each as one record.
//!
//! Invariant: every byte of the pipe is in the log once, in order, but newlines and what is over the
//! limit of a line. A last line without a newline is completed when the pipe ends. This is the path of
//! all that an agent says, so records are written in batches, one for each read.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use paddock_relay_protocol::{LineKind, encode, limits};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::log::Log;
use super::spill::Spill;
use crate::time::now_ms;

/// Bytes read at once.
const READ_LEN: usize = 64 * 1024;

/// Longest line held in memory.
const HELD_LEN: usize = 256 * 1024;

/// Copies a pipe into the log until it ends.
pub(crate) async fn ingest(
    mut pipe: impl AsyncRead + Unpin,
    kind: LineKind,
    log: Arc<Log>,
    tail: Option<Arc<Tail>>,
) {
    let mut lines = Lines::new(kind, log, tail);
    let mut buffer = vec![0; READ_LEN];
    loop {
        match pipe.read(&mut buffer).await {
            Ok(0) | Err(_) => return lines.finish().await,
            Ok(len) => lines.push(&buffer[..len]).await,
        }
    }
}

/// Copies a terminal into the log, in the chunks that come, until no program has it open.
pub(crate) async fn ingest_terminal(mut screen: impl AsyncRead + Unpin, log: Arc<Log>) {
    let mut buffer = vec![0; READ_LEN];
    let mut record = Vec::new();
    while let Ok(len @ 1..) = screen.read(&mut buffer).await {
        encode::line(&mut record, LineKind::Pty, now_ms(), &buffer[..len]);
        log.append_patiently(&record).await;
        record.clear();
    }
}

/// The last lines of stderr, for the exit record.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    lines: Mutex<VecDeque<String>>,
}

impl Tail {
    fn push(&self, line: &[u8]) {
        let line = &line[..line.len().min(limits::STDERR_LINE_LEN)];
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push_back(String::from_utf8_lossy(line).into_owned());
        if lines.len() > limits::STDERR_LINES {
            lines.pop_front();
        }
    }

    /// The lines, oldest first.
    pub(crate) fn take(&self) -> Vec<String> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *lines).into()
    }
}

/// The lines of one pipe.
struct Lines {
    kind: LineKind,
    log: Arc<Log>,
    tail: Option<Arc<Tail>>,
    /// The beginning of a line whose rest is to come, while it is short.
    partial: Vec<u8>,
    /// The same, when it is long.
    spill: Option<Spill>,
    /// Records to be written.
    batch: Vec<u8>,
}

impl Lines {
    fn new(kind: LineKind, log: Arc<Log>, tail: Option<Arc<Tail>>) -> Self {
        Self {
            kind,
            log,
            tail,
            partial: Vec::new(),
            spill: None,
            batch: Vec::new(),
        }
    }

    async fn push(&mut self, mut bytes: &[u8]) {
        while let Some(at) = memchr::memchr(b'\n', bytes) {
            self.end_line(&bytes[..at]).await;
            bytes = &bytes[at + 1..];
        }
        self.hold(bytes).await;
        self.flush().await;
    }

    /// Completes a last line without a newline.
    async fn finish(&mut self) {
        if self.spill.is_some() || !self.partial.is_empty() {
            self.end_line(&[]).await;
        }
        self.flush().await;
    }

    async fn end_line(&mut self, rest: &[u8]) {
        if self.spill.is_some() {
            self.hold(rest).await;
            return self.commit().await;
        }
        if self.partial.is_empty() {
            return self.record(rest);
        }
        let mut line = std::mem::take(&mut self.partial);
        line.extend_from_slice(rest);
        self.record(&line);
        line.clear();
        self.partial = line;
    }

    fn record(&mut self, line: &[u8]) {
        if let Some(tail) = &self.tail {
            tail.push(line);
        }
        encode::line(&mut self.batch, self.kind, now_ms(), line);
    }

    /// Keeps the beginning of a line.
    async fn hold(&mut self, bytes: &[u8]) {
        if self.spill.is_none() {
            self.partial.extend_from_slice(bytes);
            if self.partial.len() <= HELD_LEN {
                return;
            }
            let long = std::mem::take(&mut self.partial);
            self.spill = Some(self.patiently(|lines| lines.create_spill()).await);
            return self.extend_spill(&long).await;
        }
        self.extend_spill(bytes).await;
    }

    async fn extend_spill(&mut self, bytes: &[u8]) {
        let Some(mut spill) = self.spill.take() else {
            return;
        };
        self.patiently(|_| spill.push(bytes)).await;
        self.spill = Some(spill);
    }

    fn create_spill(&self) -> io::Result<Spill> {
        let dir = self
            .log
            .path()
            .parent()
            .map(PathBuf::from)
            .unwrap_or_default();
        Spill::create(
            &dir,
            match self.kind {
                LineKind::Out => "long-out",
                LineKind::Err => "long-err",
                LineKind::Pty => "long-pty",
            },
        )
    }

    /// Writes the long line, after all that came before it.
    async fn commit(&mut self) {
        self.flush().await;
        let Some(spill) = self.spill.take() else {
            return;
        };
        if let Some(tail) = &self.tail {
            tail.push(b"[a very long line]");
        }
        self.patiently(|lines| {
            tokio::task::block_in_place(|| spill.commit(&lines.log, lines.kind, now_ms()))
        })
        .await;
    }

    async fn flush(&mut self) {
        if !self.batch.is_empty() {
            self.log.append_patiently(&self.batch).await;
            self.batch.clear();
            self.batch.shrink_to(4 * READ_LEN);
        }
    }

    /// Tries until the disk lets it.
    async fn patiently<T>(&self, mut act: impl FnMut(&Self) -> io::Result<T>) -> T {
        loop {
            match act(self) {
                Ok(done) => {
                    self.log.clear_trouble();
                    return done;
                }
                Err(error) => self.log.note_trouble(&error).await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use paddock_relay_protocol::{Body, Record};

    use super::*;

    /// Feeds the pieces to a pipe that is then closed, and gives the lines of the log.
    async fn logged(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
        let dir = tempfile::tempdir().unwrap();
        let log = Arc::new(Log::create(dir.path().join("log.jsonl")).unwrap());
        let mut lines = Lines::new(LineKind::Out, log.clone(), None);
        for piece in pieces {
            lines.push(piece).await;
        }
        lines.finish().await;
        let bytes = std::fs::read(log.path()).unwrap();
        let records = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
            let Body::Line { line, .. } = Record::decode(line).unwrap().body else {
                panic!("no line");
            };
            line.content.as_bytes().to_vec()
        });
        records.collect()
    }

    #[tokio::test]
    async fn lines_are_cut_at_newlines_wherever_reads_end() {
        let lines = logged(&[b"one\ntw", b"", b"o\n\nfo", b"ur"]).await;
        assert_eq!(lines, [&b"one"[..], b"two", b"", b"four"]);
    }

    #[tokio::test]
    async fn nothing_said_is_nothing_logged() {
        assert!(logged(&[]).await.is_empty());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_long_line_comes_back_between_its_neighbours() {
        let long = vec![b'x'; 3 * HELD_LEN];
        let lines = logged(&[b"a\n", &long[..HELD_LEN], &long[HELD_LEN..], b"\nb\n"]).await;
        assert_eq!(lines, [&b"a"[..], &long, b"b"]);
    }

    #[test]
    fn the_tail_keeps_the_last_lines_short() {
        let tail = Tail::default();
        for n in 0..100 {
            tail.push(format!("{n}{}", "x".repeat(5000)).as_bytes());
        }
        let lines = tail.take();
        assert_eq!(lines.len(), limits::STDERR_LINES);
        assert!(lines[0].starts_with("80x") && lines[0].len() == limits::STDERR_LINE_LEN);
    }
}
