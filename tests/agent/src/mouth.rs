//! Says lines on stdout and records them first.
//!
//! Start at [`Mouth::say`].

use std::io::{self, Write};
use std::sync::Arc;

use crate::message::Said;
use crate::record::Record;

/// The one way to stdout.
#[derive(Debug)]
pub(crate) struct Mouth {
    record: Arc<Record>,
}

impl Mouth {
    pub(crate) fn new(record: Arc<Record>) -> Self {
        Self { record }
    }

    /// Says one message.
    ///
    /// # Errors
    /// When nobody reads any more, or the record cannot be written.
    pub(crate) fn say(&mut self, said: &Said) -> io::Result<()> {
        self.say_raw(&serde_json::to_vec(said)?)
    }

    /// Says `line` as it is, with a line break after it.
    pub(crate) fn say_raw(&mut self, line: &[u8]) -> io::Result<()> {
        self.record.saying(line)?;
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
        let mut out = io::stdout().lock();
        out.write_all(&bytes)?;
        out.flush()
    }
}
