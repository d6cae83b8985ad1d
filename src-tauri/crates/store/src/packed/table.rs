//! The tables at the end of a compressed journal: sizes of frames in the seekable format, and before them, in
//! a skippable frame of our own, the numbers of lines. All numbers are little-endian.
//!
//! ```text
//! skippable frame   magic 0x184D2A50, size, tag "PADJRNL1", last number u64, seal 32 bytes,
//!                   the first number of every frame u64
//! skippable frame   magic 0x184D2A5E, size, for every frame before it (ours among them, last):
//!                   compressed size u32, plain size u32; then the count u32, a descriptor 0, magic 0x8F92EAB1
//! ```

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::{broken, size};
use crate::chain::Chain;

const NUMBERS_MAGIC: u32 = 0x184D_2A50;
const TABLE_MAGIC: u32 = 0x184D_2A5E;
const END_MAGIC: u32 = 0x8F92_EAB1;
const TAG: &[u8; 8] = b"PADJRNL1";
/// Bytes of a skippable frame before its content.
const HEAD: usize = 8;
/// Bytes after the entries of the table.
const END: usize = 9;
/// Bytes of our frame's content before the numbers.
const SEAL: usize = 8 + 8 + Chain::LEN;
/// Most frames of one journal: 512 GiB of text.
const FRAMES_MAX: u32 = 1 << 20;

/// Where a frame lies and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The number of its first line.
    pub(super) seq: u64,
    /// Where its text begins in the plain journal.
    pub(super) offset: u64,
    /// Where it begins in the file.
    pub(super) at: u64,
    /// Its size in the file.
    pub(super) packed_len: u32,
    /// The size of its text.
    pub(super) len: u32,
}

/// All frames, and what they hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) frames: Vec<Frame>,
    pub(super) len: u64,
    pub(super) last_seq: u64,
    pub(super) chain: Chain,
}

impl Table {
    pub(super) fn write(&self, to: &mut File) -> io::Result<()> {
        let mut numbers = Vec::with_capacity(SEAL + 8 * self.frames.len());
        numbers.extend_from_slice(TAG);
        numbers.extend_from_slice(&self.last_seq.to_le_bytes());
        numbers.extend_from_slice(self.chain.bytes());
        for frame in &self.frames {
            numbers.extend_from_slice(&frame.seq.to_le_bytes());
        }
        let mut table = Vec::with_capacity(8 * (self.frames.len() + 1) + END);
        let ours = size(HEAD + numbers.len())?;
        let sizes = self
            .frames
            .iter()
            .map(|frame| (frame.packed_len, frame.len));
        for (packed, plain) in sizes.chain([(ours, 0)]) {
            table.extend_from_slice(&packed.to_le_bytes());
            table.extend_from_slice(&plain.to_le_bytes());
        }
        table.extend_from_slice(&size(self.frames.len() + 1)?.to_le_bytes());
        table.push(0);
        table.extend_from_slice(&END_MAGIC.to_le_bytes());
        let mut all = Vec::with_capacity(2 * HEAD + numbers.len() + table.len());
        for (magic, content) in [(NUMBERS_MAGIC, numbers), (TABLE_MAGIC, table)] {
            all.extend_from_slice(&magic.to_le_bytes());
            all.extend_from_slice(&size(content.len())?.to_le_bytes());
            all.extend_from_slice(&content);
        }
        to.write_all(&all)
    }

    /// Reads the tables of `file` and holds them against its length.
    pub(super) fn read(file: &mut File) -> io::Result<Self> {
        let whole = file.metadata()?.len();
        let end = tail(file, whole, END)?;
        let magic = number(&end, 5);
        let count = number(&end, 0);
        if magic != Some(END_MAGIC) || end.get(4) != Some(&0) {
            return Err(broken("it does not end as a compressed journal does"));
        }
        let count = count.filter(|count| (1..=FRAMES_MAX).contains(count));
        let count = count.ok_or_else(|| broken("its table cannot be read"))? as usize;
        let table_len = HEAD + 8 * count + END;
        let table = tail(file, whole, table_len)?;
        let numbers_len = HEAD + SEAL + 8 * (count - 1);
        let numbers = tail(file, whole, table_len + numbers_len)?;
        Self::of(&numbers, table.get(HEAD..).unwrap_or_default(), count)
            .filter(|(_, files)| files + (table_len + numbers_len) as u64 == whole)
            .map(|(table, _)| table)
            .ok_or_else(|| broken("its tables do not fit it"))
    }

    /// The table, and how many bytes of the file its frames take.
    fn of(numbers: &[u8], sizes: &[u8], count: usize) -> Option<(Self, u64)> {
        let head = (number(numbers, 0)?, numbers.get(HEAD..HEAD + 8)?);
        if head != (NUMBERS_MAGIC, TAG.as_slice()) {
            return None;
        }
        let seal: [u8; Chain::LEN] = numbers.get(HEAD + 16..HEAD + SEAL)?.try_into().ok()?;
        let mut table = Self {
            frames: Vec::with_capacity(count - 1),
            len: 0,
            last_seq: long(numbers, HEAD + 8)?,
            chain: Chain::of_bytes(seal),
        };
        let (mut at, mut last) = (0, 0);
        for n in 0..count - 1 {
            let frame = Frame {
                seq: long(numbers, HEAD + SEAL + 8 * n)?,
                offset: table.len,
                at,
                packed_len: number(sizes, 8 * n)?,
                len: number(sizes, 8 * n + 4)?,
            };
            if frame.seq <= last || frame.seq > table.last_seq || frame.len == 0 {
                return None;
            }
            last = frame.seq;
            at += u64::from(frame.packed_len);
            table.len += u64::from(frame.len);
            table.frames.push(frame);
        }
        Some((table, at))
    }
}

/// The last `len` bytes of a file of `whole` bytes.
fn tail(file: &mut File, whole: u64, len: usize) -> io::Result<Vec<u8>> {
    let start = whole.checked_sub(len as u64);
    let start = start.ok_or_else(|| broken("it is too short to be a compressed journal"))?;
    let mut bytes = vec![0; len];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_le_bytes(bytes))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + 8)?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes))
}
