//! What a terminal showed last, and how large it was meanwhile.
//!
//! Invariant: at most [`limits::TERMINAL_KEPT`] bytes and [`SIZES`] sizes are held. A reader gets every byte
//! once and in order, each size where it took effect, or learns that it was too slow.

use std::collections::VecDeque;

use paddock_relay_protocol::{PtySize, limits};

/// Most changes of size that are remembered; of older ones the last is.
const SIZES: usize = 64;

/// The last bytes.
#[derive(Debug)]
pub(super) struct Kept {
    bytes: VecDeque<u8>,
    /// How many bytes there have been in all.
    end: u64,
    /// Each size with the offset from which on it held, oldest first; never empty.
    sizes: VecDeque<(u64, PtySize)>,
    /// How many sizes were forgotten.
    forgotten: u64,
}

/// How far a reader has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) offset: u64,
    /// The number of the next size to tell.
    size: u64,
}

/// What comes next for a reader.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Bytes(Vec<u8>),
    Size(PtySize),
    /// There is no more for now.
    Nothing,
    /// What comes next is not kept any more.
    Missed,
}

impl Kept {
    pub(super) fn new(size: PtySize) -> Self {
        Self {
            bytes: VecDeque::new(),
            end: 0,
            sizes: [(0, size)].into(),
            forgotten: 0,
        }
    }

    /// How many bytes there have been.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    fn start(&self) -> u64 {
        self.end - self.bytes.len() as u64
    }

    /// The size now.
    pub(super) fn size(&self) -> PtySize {
        self.sizes.back().map_or(NO_SIZE, |(_, size)| *size)
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.end += bytes.len() as u64;
        let tail = &bytes[bytes.len().saturating_sub(limits::TERMINAL_KEPT)..];
        let over = (self.bytes.len() + tail.len()).saturating_sub(limits::TERMINAL_KEPT);
        self.bytes.drain(..over);
        self.bytes.extend(tail);
        // Of the sizes before what is kept, only the last matters.
        let start = self.start();
        while self.sizes.get(1).is_some_and(|(at, _)| *at <= start) {
            self.forget_size();
        }
    }

    pub(super) fn resize(&mut self, size: PtySize) {
        self.sizes.push_back((self.end, size));
        if self.sizes.len() > SIZES {
            self.forget_size();
        }
    }

    fn forget_size(&mut self) {
        self.sizes.pop_front();
        self.forgotten += 1;
    }

    /// Where a reader begins who wants what follows `from`, and the size there.
    pub(super) fn place(&self, from: Option<u64>) -> (Place, PtySize) {
        let kept = self.start()..=self.end;
        let offset = from.filter(|at| kept.contains(at)).unwrap_or(self.start());
        let told = self
            .sizes
            .iter()
            .take_while(|(at, _)| *at <= offset)
            .count();
        let told = told.max(1);
        let size = self.sizes.get(told - 1).map_or(NO_SIZE, |(_, size)| *size);
        let place = Place {
            offset,
            size: self.forgotten + told as u64,
        };
        (place, size)
    }

    /// What comes at `place`, which moves on.
    pub(super) fn next(&self, place: &mut Place) -> Next {
        let Some(skip) = place.offset.checked_sub(self.start()) else {
            return Next::Missed;
        };
        // A size that was forgotten was followed by one that is not.
        place.size = place.size.max(self.forgotten);
        let number = usize::try_from(place.size - self.forgotten).unwrap_or(usize::MAX);
        let until = match self.sizes.get(number) {
            Some((at, size)) if *at <= place.offset => {
                place.size += 1;
                return Next::Size(*size);
            }
            Some((at, _)) => *at,
            None => self.end,
        };
        let len = usize::try_from(until - place.offset).unwrap_or(usize::MAX);
        let len = len.min(limits::CHUNK_LEN);
        if len == 0 {
            return Next::Nothing;
        }
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        let bytes: Vec<u8> = self.bytes.iter().skip(skip).take(len).copied().collect();
        place.offset += bytes.len() as u64;
        Next::Bytes(bytes)
    }
}

/// What stands for a size that is never asked for: there is always one.
const NO_SIZE: PtySize = PtySize { rows: 24, cols: 80 };

#[cfg(test)]
mod tests {
    use super::*;

    fn size(rows: u16) -> PtySize {
        PtySize { rows, cols: 80 }
    }

    /// All that a reader from `from` gets, as text: bytes as they are, sizes as `[rows]`.
    fn read(kept: &Kept, from: Option<u64>) -> String {
        let (mut place, first) = kept.place(from);
        let mut said = format!("[{}]", first.rows);
        loop {
            match kept.next(&mut place) {
                Next::Bytes(bytes) => said += &String::from_utf8(bytes).unwrap(),
                Next::Size(size) => said += &format!("[{}]", size.rows),
                Next::Nothing => return said,
                Next::Missed => return said + "missed",
            }
        }
    }

    #[test]
    fn sizes_come_where_they_took_effect() {
        let mut kept = Kept::new(size(1));
        kept.push(b"ab");
        kept.resize(size(2));
        kept.resize(size(3));
        kept.push(b"cd");
        kept.resize(size(4));
        assert_eq!(read(&kept, None), "[1]ab[2][3]cd[4]");
        assert_eq!(read(&kept, Some(1)), "[1]b[2][3]cd[4]");
        assert_eq!(read(&kept, Some(3)), "[3]d[4]");
        assert_eq!(read(&kept, Some(4)), "[4]");
        assert_eq!(read(&kept, Some(9)), "[1]ab[2][3]cd[4]", "from beyond");
    }

    #[test]
    fn only_the_last_bytes_are_kept_and_the_size_that_they_had() {
        let mut kept = Kept::new(size(1));
        kept.resize(size(2));
        kept.push(b"first");
        kept.push(&vec![b'x'; limits::TERMINAL_KEPT]);
        kept.resize(size(3));
        assert_eq!(kept.end(), 5 + limits::TERMINAL_KEPT as u64);
        let all = format!("[2]{}[3]", "x".repeat(limits::TERMINAL_KEPT));
        assert_eq!(read(&kept, Some(0)), all);
        kept.push(&vec![b'y'; 3 * limits::TERMINAL_KEPT]);
        let all = format!("[3]{}", "y".repeat(limits::TERMINAL_KEPT));
        assert_eq!(read(&kept, None), all);
    }

    #[test]
    fn a_reader_that_was_overtaken_is_told() {
        let mut kept = Kept::new(size(1));
        kept.push(b"ab");
        let (mut place, _) = kept.place(None);
        assert_eq!(kept.next(&mut place), Next::Bytes(b"ab".to_vec()));
        kept.push(&vec![b'x'; limits::TERMINAL_KEPT + 1]);
        assert_eq!(kept.next(&mut place), Next::Missed);
    }

    #[test]
    fn a_storm_of_sizes_is_bounded_and_ends_with_the_last() {
        let mut kept = Kept::new(size(0));
        let (mut place, _) = kept.place(None);
        for n in 1..=1000 {
            kept.resize(size(n));
        }
        assert!(kept.sizes.len() <= SIZES);
        let mut last = 0;
        while let Next::Size(size) = kept.next(&mut place) {
            last = size.rows;
        }
        assert_eq!((last, kept.size().rows), (1000, 1000));
    }
}
