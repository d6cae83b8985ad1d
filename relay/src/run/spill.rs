//! A line that is too long to be held in memory, on its way into the log.
//!
//! It is collected in an unlinked file beside the log, and copied into the log as one record when its
//! newline comes. Invariant: memory stays at one piece however long the line is; what is over
//! [`limits::LINE_LEN`] is counted and dropped.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use paddock_relay_protocol::{LineKind, LineOpening, encode, limits};

use super::log::Log;

/// Bytes copied at once: a multiple of three, as base64 needs.
const PIECE: usize = 48 * 1024;

/// A line in the making.
#[derive(Debug)]
pub(crate) struct Spill {
    file: File,
    len: u64,
    dropped: u64,
    escaped: u64,
    utf8: Utf8,
}

impl Spill {
    /// Begins a line in `dir`; `name` keeps two pipes of one run apart.
    pub(crate) fn create(dir: &Path, name: &str) -> io::Result<Self> {
        let path = dir.join(name);
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&path)?;
        std::fs::remove_file(&path)?;
        Ok(Self {
            file,
            len: 0,
            dropped: 0,
            escaped: 0,
            utf8: Utf8::default(),
        })
    }

    /// Goes on with the line.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = (limits::LINE_LEN as u64).saturating_sub(self.len);
        let kept = usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len());
        let (kept, over) = bytes.split_at(kept);
        self.file.write_all_at(kept, self.len)?;
        self.len += kept.len() as u64;
        self.dropped += over.len() as u64;
        self.escaped += encode::escaped_len(kept) as u64;
        self.utf8.push(kept);
        Ok(())
    }

    /// Writes the line to the log as one record.
    pub(crate) fn commit(&self, log: &Log, kind: LineKind, at_ms: u64) -> io::Result<()> {
        let mut keep = self.len;
        if self.dropped > 0 {
            // The cut may have gone through a character.
            keep -= self.utf8.pending.len() as u64;
        }
        let text = self.utf8.is_valid(self.dropped > 0) && self.escaped <= 2 * self.len;
        let opening = if text {
            LineOpening::Text
        } else {
            LineOpening::Base64
        };
        let cut = (self.dropped > 0).then_some(self.dropped + self.len - keep);
        log.append_with(|file| self.copy(file, opening, kind, at_ms, keep, cut))
    }

    fn copy(
        &self,
        log: &mut File,
        opening: LineOpening,
        kind: LineKind,
        at_ms: u64,
        keep: u64,
        cut: Option<u64>,
    ) -> io::Result<u64> {
        let (mut out, mut piece) = (Vec::with_capacity(2 * PIECE), vec![0; PIECE]);
        let (mut at, mut written) = (0, 0);
        opening.open(&mut out, kind, at_ms);
        while at < keep {
            let len = usize::try_from(keep - at).unwrap_or(PIECE).min(PIECE);
            self.file.read_exact_at(&mut piece[..len], at)?;
            opening.piece(&mut out, &piece[..len]);
            log.write_all(&out)?;
            written += out.len() as u64;
            at += len as u64;
            out.clear();
        }
        opening.close(&mut out, cut);
        log.write_all(&out)?;
        Ok(written + out.len() as u64)
    }
}

/// Whether bytes that come in pieces are UTF-8.
#[derive(Debug, Default)]
struct Utf8 {
    broken: bool,
    /// The beginning of a character whose rest is to come.
    pending: Vec<u8>,
}

impl Utf8 {
    fn push(&mut self, bytes: &[u8]) {
        if self.broken {
            return;
        }
        let joined;
        let bytes = if self.pending.is_empty() {
            bytes
        } else {
            joined = [&self.pending[..], bytes].concat();
            &joined
        };
        self.pending = match std::str::from_utf8(bytes) {
            Ok(_) => Vec::new(),
            Err(error) if error.error_len().is_none() => bytes[error.valid_up_to()..].to_vec(),
            Err(_) => {
                self.broken = true;
                Vec::new()
            }
        };
    }

    fn is_valid(&self, was_cut: bool) -> bool {
        !self.broken && (was_cut || self.pending.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paddock_relay_protocol::{Body, Content, Line, Record};

    /// Spills `pieces`, commits, and gives the record's line.
    fn spilled(pieces: &[&[u8]]) -> (Vec<u8>, bool, Option<u64>) {
        let dir = tempfile::tempdir().unwrap();
        let log = Log::create(dir.path().join("log.jsonl")).unwrap();
        let mut spill = Spill::create(dir.path(), "spill").unwrap();
        for piece in pieces {
            spill.push(piece).unwrap();
        }
        spill.commit(&log, LineKind::Out, 7).unwrap();
        let bytes = std::fs::read(log.path()).unwrap();
        assert_eq!(log.extent().borrow().len, bytes.len() as u64);
        let Body::Line {
            line: Line { content, cut },
            ..
        } = Record::decode(&bytes).unwrap().body
        else {
            panic!("another kind");
        };
        (
            content.as_bytes().to_vec(),
            matches!(content, Content::Text(_)),
            cut,
        )
    }

    #[test]
    fn a_character_across_two_pieces_is_text() {
        let (bytes, text, cut) = spilled(&[b"caf\xc3", b"\xa9 \"x\""]);
        assert_eq!(
            (&bytes[..], text, cut),
            ("café \"x\"".as_bytes(), true, None)
        );
    }

    #[test]
    fn what_is_no_text_comes_back_as_bytes() {
        let big = vec![0xff; PIECE + 1];
        let (bytes, text, _) = spilled(&[&big, b"a"]);
        assert!(!text);
        assert_eq!(bytes, [&big[..], b"a"].concat());
    }

    #[test]
    fn control_characters_do_not_swell_a_long_line() {
        let (bytes, text, _) = spilled(&[&[0; 1000]]);
        assert_eq!((bytes.len(), text), (1000, false));
    }

    #[test]
    fn a_line_over_the_limit_is_cut_at_a_character_and_says_so() {
        let mut line = vec![b'x'; limits::LINE_LEN - 1];
        line.extend_from_slice("é tail".as_bytes());
        let (bytes, text, cut) = spilled(&[&line[..1000], &line[1000..]]);
        assert_eq!(
            (bytes.len(), text, cut),
            (limits::LINE_LEN - 1, true, Some(7))
        );
    }
}
