//! What a disk is to do wrong, in the order in which it is asked.

use std::collections::VecDeque;
use std::io;

/// One failure to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: this call works.
    None,
    /// There is no room; a write takes this many bytes first.
    Full(usize),
    /// The device fails; a write takes this many bytes first.
    Broken(usize),
}

/// Which calls fail. Calls beyond what is listed work.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) writes: VecDeque<Fault>,
    pub(crate) syncs: VecDeque<Fault>,
    pub(crate) cuts: VecDeque<Fault>,
}

/// A call that fails.
pub(crate) struct Failing {
    /// Bytes that are written before it does.
    pub(crate) after: usize,
    kind: io::ErrorKind,
}

impl Failing {
    pub(crate) fn error(&self) -> io::Error {
        io::Error::from(self.kind)
    }
}

impl Faults {
    pub(super) fn of_write(&mut self, len: usize) -> Option<Failing> {
        failing(self.writes.pop_front(), len)
    }

    pub(super) fn of_sync(&mut self) -> Option<Failing> {
        failing(self.syncs.pop_front(), 0)
    }

    pub(super) fn of_cut(&mut self) -> Option<Failing> {
        failing(self.cuts.pop_front(), 0)
    }
}

fn failing(fault: Option<Fault>, len: usize) -> Option<Failing> {
    let (after, kind) = match fault? {
        Fault::None => return None,
        Fault::Full(after) => (after, io::ErrorKind::StorageFull),
        Fault::Broken(after) => (after, io::ErrorKind::Other),
    };
    let after = after.min(len);
    Some(Failing { after, kind })
}
