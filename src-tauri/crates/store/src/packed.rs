//! A settled journal, compressed and still read from anywhere.
//!
//! The file is in the seekable format of Zstandard (`contrib/seekable_format` of its sources): frames that
//! are decompressed by themselves, and a table of their sizes at the end. `zstd -d` gives the journal back.
//! Frames end with a line. One skippable frame before the table says which number each frame begins with,
//! the last number, and the seal of the whole.
//!
//! Offsets in here are those of the plain text, so whoever reads a journal need not know which form it has.

mod table;

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};

use crate::Line;
use crate::chain::Chain;
use crate::extent::Mark;
use crate::text::{Ended, Head, read_line};

use table::{Frame, Table};

/// How hard it is compressed: the default of Zstandard, some hundred MB a second.
const LEVEL: i32 = 3;
/// A frame is full when it has this many bytes of plain text, and ends with the line that fills it.
const FRAME: usize = 512 << 10;
/// Longest text of a frame that is decompressed.
const FRAME_MAX: usize = FRAME + Line::MAX + 1;

/// A compressed journal, open for reading.
#[derive(Debug)]
pub(crate) struct Packed {
    file: File,
    table: Table,
}

impl Packed {
    /// Takes `file` as a compressed journal.
    pub(crate) fn open(mut file: File) -> io::Result<Self> {
        let table = Table::read(&mut file)?;
        Ok(Self { file, table })
    }

    /// Bytes of the plain text.
    pub(crate) fn len(&self) -> u64 {
        self.table.len
    }

    /// The number of the last line.
    pub(crate) fn last_seq(&self) -> u64 {
        self.table.last_seq
    }

    /// The seal of the whole.
    pub(crate) fn chain(&self) -> Chain {
        self.table.chain
    }

    /// The last frame that begins before line `seq` or with it.
    pub(crate) fn before(&self, seq: u64) -> Mark {
        let after = self.table.frames.partition_point(|frame| frame.seq <= seq);
        let frame = self.table.frames.get(after.saturating_sub(1));
        frame.map_or_else(Mark::default, |frame| Mark {
            seq: frame.seq,
            offset: frame.offset,
        })
    }

    /// The plain text from byte `offset` on.
    pub(crate) fn text_from(&mut self, offset: u64) -> io::Result<PackedText<'_>> {
        let frames = &self.table.frames;
        let next = if offset < self.table.len {
            let after = frames.partition_point(|frame| frame.offset <= offset);
            after.saturating_sub(1)
        } else {
            frames.len()
        };
        let mut text = PackedText {
            next,
            packed: self,
            decompressor: zstd::bulk::Decompressor::new()?,
            frame: Vec::new(),
            read: 0,
        };
        let begins = text.packed.table.frames.get(next);
        let mut skip = begins.map_or(0, |frame| offset.saturating_sub(frame.offset));
        while skip > 0 {
            let ready = text.fill_buf()?.len() as u64;
            if ready == 0 {
                break;
            }
            let step = ready.min(skip);
            text.consume(usize::try_from(step).unwrap_or(usize::MAX));
            skip -= step;
        }
        Ok(text)
    }
}

/// The plain text of a compressed journal; holds one frame at a time.
pub(crate) struct PackedText<'a> {
    packed: &'a mut Packed,
    decompressor: zstd::bulk::Decompressor<'static>,
    /// The frame to read after this one.
    next: usize,
    frame: Vec<u8>,
    read: usize,
}

impl PackedText<'_> {
    /// Reads the next frame; false when there is none.
    fn advance(&mut self) -> io::Result<bool> {
        let Some(frame) = self.packed.table.frames.get(self.next).copied() else {
            return Ok(false);
        };
        self.frame = self.packed.frame(&frame, &mut self.decompressor)?;
        self.read = 0;
        self.next += 1;
        Ok(true)
    }
}

impl Packed {
    /// Where its frames begin.
    pub(crate) fn frames(&self) -> Vec<Mark> {
        let mark = |frame: &Frame| Mark {
            seq: frame.seq,
            offset: frame.offset,
        };
        self.table.frames.iter().map(mark).collect()
    }

    /// The text of the frame that begins at byte `offset`.
    pub(crate) fn frame_at(&mut self, offset: u64) -> io::Result<Vec<u8>> {
        let mut frames = self.table.frames.iter();
        let frame = frames.find(|frame| frame.offset == offset).copied();
        let frame = frame.ok_or_else(|| broken("no frame begins there"))?;
        self.frame(&frame, &mut zstd::bulk::Decompressor::new()?)
    }

    fn frame(
        &mut self,
        frame: &Frame,
        decompressor: &mut zstd::bulk::Decompressor<'static>,
    ) -> io::Result<Vec<u8>> {
        let len = frame.len as usize;
        if len > FRAME_MAX {
            return Err(broken("a frame is longer than a frame may be"));
        }
        let mut packed = vec![0; frame.packed_len as usize];
        self.file.seek(SeekFrom::Start(frame.at))?;
        self.file.read_exact(&mut packed)?;
        let text = decompressor.decompress(&packed, len).map_err(|error| {
            let from = frame.seq;
            broken(&format!(
                "the part that begins with line {from} cannot be decompressed ({error})"
            ))
        })?;
        if text.len() != len {
            return Err(broken("a frame is not as long as the table says"));
        }
        Ok(text)
    }
}

impl Read for PackedText<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let n = ready.len().min(to.len());
        if let (Some(to), Some(from)) = (to.get_mut(..n), ready.get(..n)) {
            to.copy_from_slice(from);
        }
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for PackedText<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.read >= self.frame.len() {
            if !self.advance()? {
                return Ok(&[]);
            }
        }
        Ok(self.frame.get(self.read..).unwrap_or_default())
    }

    fn consume(&mut self, n: usize) {
        self.read += n;
    }
}

/// Compresses the lines of `text` into `to`. Gives what was written of it.
///
/// # Errors
/// Failures of the system, and [`io::ErrorKind::InvalidData`] when `text` is not whole lines, numbered from
/// 1: what is not in order is not settled.
pub(crate) fn pack(text: &mut impl BufRead, to: &mut File) -> io::Result<Sum> {
    let mut frames = Frames {
        to,
        compressor: zstd::bulk::Compressor::new(LEVEL)?,
        table: Table::default(),
        frame: Vec::with_capacity(FRAME + (64 << 10)),
        at: 0,
    };
    frames.compressor.include_checksum(true)?;
    let mut line = Vec::new();
    loop {
        let due = frames.table.last_seq + 1;
        match read_line(text, &mut line)?.0 {
            Ended::Nothing => break,
            Ended::Whole if Head::of(&line).is_some_and(|head| head.seq == due) => {
                frames.add(due, &line)?;
            }
            Ended::Whole | Ended::Overlong | Ended::Torn => {
                return Err(broken(&format!("line {due} is not in order")));
            }
        }
    }
    frames.end()
}

/// What a compressed journal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Bytes of plain text.
    pub(crate) len: u64,
    /// The number of the last line.
    pub(crate) last_seq: u64,
    /// The seal of all lines.
    pub(crate) chain: Chain,
}

/// A compressed journal while it is written.
struct Frames<'a> {
    to: &'a mut File,
    compressor: zstd::bulk::Compressor<'static>,
    table: Table,
    frame: Vec<u8>,
    /// Bytes written.
    at: u64,
}

impl Frames<'_> {
    fn add(&mut self, seq: u64, line: &[u8]) -> io::Result<()> {
        if self.frame.is_empty() {
            self.table.frames.push(Frame {
                seq,
                offset: self.table.len,
                at: self.at,
                packed_len: 0,
                len: 0,
            });
        }
        self.frame.extend_from_slice(line);
        self.frame.push(b'\n');
        self.table.len += line.len() as u64 + 1;
        self.table.last_seq = seq;
        self.table.chain.add(line);
        if self.frame.len() >= FRAME {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.frame.is_empty() {
            return Ok(());
        }
        let packed = self.compressor.compress(&self.frame)?;
        self.to.write_all(&packed)?;
        if let Some(frame) = self.table.frames.last_mut() {
            frame.packed_len = size(packed.len())?;
            frame.len = size(self.frame.len())?;
        }
        self.at += packed.len() as u64;
        self.frame.clear();
        Ok(())
    }

    fn end(mut self) -> io::Result<Sum> {
        self.flush()?;
        self.table.write(self.to)?;
        let Table {
            len,
            last_seq,
            chain,
            ..
        } = self.table;
        Ok(Sum {
            len,
            last_seq,
            chain,
        })
    }
}

/// The sum of what `packed` really holds, every frame decompressed.
pub(crate) fn sum(packed: &mut Packed) -> io::Result<Sum> {
    let mut text = packed.text_from(0)?;
    let (mut line, mut chain, mut len, mut last_seq) = (Vec::new(), Chain::default(), 0, 0);
    loop {
        let (ended, bytes) = read_line(&mut text, &mut line)?;
        if ended == Ended::Nothing {
            break;
        }
        chain.add(&line);
        len += bytes;
        last_seq += 1;
    }
    Ok(Sum {
        len,
        last_seq,
        chain,
    })
}

fn size(n: usize) -> io::Result<u32> {
    u32::try_from(n).map_err(|_| broken("a frame is too long for the table"))
}

pub(crate) fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

#[cfg(test)]
mod tests;
