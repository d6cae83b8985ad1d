//! How far a journal reaches, and where its lines lie: a sparse table from numbers to offsets.
//!
//! One entry for about every [`Extent::STRIDE`] bytes, so a journal of 100 MB has 1,600. The table
//! grows as lines are appended; what was there before is scanned when a reader first needs it.

use crate::Damage;

/// The readable part of one journal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extent {
    /// Bytes that can be read: whole, acknowledged lines.
    pub(crate) len: u64,
    /// The number of the last line in them.
    pub(crate) last_seq: u64,
    /// What is wrong with the line after them.
    pub(crate) damage: Option<Damage>,
    /// Numbers and offsets of some lines, ascending.
    marks: Vec<Mark>,
    /// The first line that the table does not cover.
    next: Mark,
}

/// Where a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The line's number.
    pub(crate) seq: u64,
    /// Its first byte.
    pub(crate) offset: u64,
}

impl Default for Mark {
    fn default() -> Self {
        Self { seq: 1, offset: 0 }
    }
}

impl Extent {
    /// Bytes between two entries of the table, at least.
    pub(crate) const STRIDE: u64 = 64 << 10;

    /// A journal of which only the reach is known yet.
    pub(crate) fn unscanned(len: u64, last_seq: u64) -> Self {
        Self {
            len,
            last_seq,
            ..Self::default()
        }
    }

    /// Adds a line of `bytes` bytes at the end.
    pub(crate) fn grow(&mut self, bytes: u64) {
        if self.next.offset == self.len {
            self.cover(bytes);
        }
        self.len += bytes;
        self.last_seq += 1;
    }

    /// Takes the line of `bytes` bytes after the covered ones into the table.
    pub(crate) fn cover(&mut self, bytes: u64) {
        let last = self.marks.last().map(|mark| mark.offset);
        if last.is_none_or(|last| self.next.offset - last >= Self::STRIDE) {
            self.marks.push(self.next);
        }
        self.next.seq += 1;
        self.next.offset += bytes;
    }

    /// The best place to begin reading for line `seq`.
    pub(crate) fn before(&self, seq: u64) -> Mark {
        if self.next.seq <= seq {
            return self.next;
        }
        let after = self.marks.partition_point(|mark| mark.seq <= seq);
        let nth = after.saturating_sub(1);
        self.marks.get(nth).copied().unwrap_or_default()
    }

    /// The first line that the table does not cover.
    pub(crate) fn uncovered(&self) -> Mark {
        self.next
    }

    /// Takes over the table of `other`, a copy of this that covered more.
    pub(crate) fn learn(&mut self, other: Self) {
        if other.next.offset > self.next.offset {
            self.marks = other.marks;
            self.next = other.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_from_the_mark_before_it() {
        let mut extent = Extent::default();
        for _ in 0..10 {
            extent.grow(Extent::STRIDE / 2);
        }
        assert_eq!((extent.len, extent.last_seq), (5 * Extent::STRIDE, 10));
        let at = |seq| (extent.before(seq).seq, extent.before(seq).offset);
        assert_eq!(at(1), (1, 0));
        assert_eq!(at(2), (1, 0));
        assert_eq!(at(3), (3, Extent::STRIDE));
        assert_eq!(at(10), (9, 4 * Extent::STRIDE));
        assert_eq!(at(11), (11, 5 * Extent::STRIDE));
    }

    #[test]
    fn lines_appended_to_an_unscanned_journal_wait_for_the_scan() {
        let mut extent = Extent::unscanned(100, 4);
        extent.grow(10);
        assert_eq!((extent.len, extent.last_seq), (110, 5));
        assert_eq!(extent.before(5), Mark::default());
    }
}
