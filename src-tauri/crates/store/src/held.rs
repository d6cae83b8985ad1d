//! One journal's text, whichever form its file has. Offsets are those of the plain text in both.
//!
//! A journal is plain (`journal.jsonl`) or compressed (`journal.jsonl.zst`). Both can stand there for a
//! moment while one is made from the other; then the plain one is whole, because a new form only takes its
//! name when it is whole and durable, and the old one goes after that.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use paddock_domain::TaskId;

use crate::extent::Mark;
use crate::file;
use crate::layout::Layout;
use crate::packed::{Packed, PackedText};

/// How often a reader looks again when the form changes under it.
const LOOKS: usize = 3;

/// An open journal.
#[derive(Debug)]
pub(crate) enum Held {
    /// Lines as they were written.
    Plain(File),
    /// Compressed.
    Packed(Packed),
}

impl Held {
    /// Opens the journal of task `id` to read it, or to `write` it where it is plain.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is none, and other failures of the system.
    pub(crate) fn open(layout: &Layout, id: &TaskId, write: bool) -> io::Result<Self> {
        let mut missing = io::Error::from(io::ErrorKind::NotFound);
        for _ in 0..LOOKS {
            match file::open_plain(&layout.journal(id), write) {
                Ok(plain) => return Ok(Self::Plain(plain)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            match file::open_plain(&layout.packed(id), false) {
                Ok(packed) => return Ok(Self::Packed(Packed::open(packed)?)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing = error,
                Err(error) => return Err(error),
            }
        }
        Err(missing)
    }

    /// Bytes of its text.
    pub(crate) fn len(&self) -> io::Result<u64> {
        match self {
            Self::Plain(file) => Ok(file.metadata()?.len()),
            Self::Packed(packed) => Ok(packed.len()),
        }
    }

    /// Its text from byte `offset` on.
    pub(crate) fn text_from(&mut self, offset: u64) -> io::Result<Text<'_>> {
        match self {
            Self::Plain(file) => {
                file.seek(SeekFrom::Start(offset))?;
                Ok(Text::Plain(BufReader::with_capacity(1 << 16, file)))
            }
            Self::Packed(packed) => Ok(Text::Packed(Box::new(packed.text_from(offset)?))),
        }
    }

    /// A place before line `seq` that the file itself knows of.
    pub(crate) fn before(&self, seq: u64) -> Mark {
        match self {
            Self::Plain(_) => Mark::default(),
            Self::Packed(packed) => packed.before(seq),
        }
    }
}

/// The text of an open journal.
pub(crate) enum Text<'a> {
    Plain(BufReader<&'a mut File>),
    Packed(Box<PackedText<'a>>),
}

impl Read for Text<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(text) => text.read(to),
            Self::Packed(text) => text.read(to),
        }
    }
}

impl BufRead for Text<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Self::Plain(text) => text.fill_buf(),
            Self::Packed(text) => text.fill_buf(),
        }
    }

    fn consume(&mut self, n: usize) {
        match self {
            Self::Plain(text) => text.consume(n),
            Self::Packed(text) => text.consume(n),
        }
    }
}
