//! From one form of a journal to the other, so that a power cut at any moment leaves a whole one.
//!
//! The new form is written under another name, made durable, read back, and only then takes its name; the old
//! one goes after that. Both standing there is a step that was cut short, and the plain one is right: see
//! [`tidy`].

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use paddock_domain::TaskId;

use crate::chain::Chain;
use crate::file;
use crate::layout::Layout;
use crate::packed::{self, Packed, broken};
use crate::recover::next_cut;
use crate::text::{Ended, read_line};

/// Compresses the plain journal of task `id`, which has `len` bytes of whole, durable lines and nothing else.
///
/// # Errors
/// Failures of the system, and [`io::ErrorKind::InvalidData`] when its lines are not in order; the journal is
/// as it was then.
pub(crate) fn pack(layout: &Layout, id: &TaskId, len: u64) -> io::Result<()> {
    let (plain, half) = (layout.journal(id), layout.half_journal(id));
    let written = (|| {
        let mut text = BufReader::with_capacity(1 << 20, file::open_plain(&plain, false)?);
        let mut to = anew(&half)?;
        let sum = packed::pack(&mut text, &mut to)?;
        if sum.len != len {
            return Err(broken("it is longer or shorter than it was known to be"));
        }
        to.sync_all()?;
        if packed::sum(&mut Packed::open(to)?)? != sum {
            return Err(broken("what was compressed does not read back the same"));
        }
        Ok(())
    })();
    take_over(written, layout, id, &half, &layout.packed(id))?;
    fs::remove_file(&plain)?;
    file::sync_dir(&layout.task(id))
}

/// Makes the compressed journal of task `id` plain again and gives it, open for reading and writing.
///
/// # Errors
/// Failures of the system; the journal is as it was then.
pub(crate) fn unpack(layout: &Layout, id: &TaskId) -> io::Result<File> {
    let half = layout.half_journal(id);
    let written = (|| {
        let mut packed = Packed::open(file::open_plain(&layout.packed(id), false)?)?;
        let (mut to, len) = (anew(&half)?, packed.len());
        let copied = io::copy(&mut packed.text_from(0)?, &mut to)?;
        if copied != len {
            return Err(broken("it holds less than its table says"));
        }
        to.flush()?;
        to.sync_all()
    })();
    take_over(written, layout, id, &half, &layout.journal(id))?;
    let plain = file::open_plain(&layout.journal(id), true)?;
    // It is not needed any more; where it cannot be removed now, it is when the journal is next opened.
    let _ = fs::remove_file(layout.packed(id));
    Ok(plain)
}

/// Gives what was `written` as `half` its name, durable; removes it when it could not be written.
fn take_over(
    written: io::Result<()>,
    layout: &Layout,
    id: &TaskId,
    half: &Path,
    name: &Path,
) -> io::Result<()> {
    let named = written.and_then(|()| fs::rename(half, name));
    if named.is_err() {
        let _ = fs::remove_file(half); // gives its room back; it is overwritten in any case
    }
    named?;
    file::sync_dir(&layout.task(id))
}

/// What was found where both forms of a journal stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tidied {
    /// One form alone.
    InOrder,
    /// The compressed form was left over and is removed.
    PlainKept,
    /// The plain form is not what the compressed one holds and is set aside: somebody made it.
    PackedKept,
}

/// Removes what a change of form left when it was cut short.
pub(crate) fn tidy(layout: &Layout, id: &TaskId) -> io::Result<Tidied> {
    match fs::remove_file(layout.half_journal(id)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let Some((plain, packed)) = both(layout, id)? else {
        return Ok(Tidied::InOrder);
    };
    let same = match Packed::open(packed) {
        Ok(packed) => begins_as(layout, id, plain, &packed)?,
        Err(_) => true, // what cannot be opened has nothing to say against a plain one
    };
    let tidied = if same {
        fs::remove_file(layout.packed(id))?;
        Tidied::PlainKept
    } else {
        let (aside, _) = next_cut(layout, id).map_err(io::Error::other)?;
        fs::rename(layout.journal(id), aside)?;
        Tidied::PackedKept
    };
    file::sync_dir(&layout.task(id))?;
    Ok(tidied)
}

/// Whether both forms of a journal stand there and are not the same journal.
pub(crate) fn both_differ(layout: &Layout, id: &TaskId) -> io::Result<bool> {
    let Some((plain, packed)) = both(layout, id)? else {
        return Ok(false);
    };
    Ok(!begins_as(layout, id, plain, &Packed::open(packed)?)?)
}

/// Where both forms of a journal stand, the bytes of the plain one and the compressed one.
fn both(layout: &Layout, id: &TaskId) -> io::Result<Option<(u64, File)>> {
    let there = |error: io::Error| {
        if error.kind() == io::ErrorKind::NotFound {
            Ok(None)
        } else {
            Err(error)
        }
    };
    let plain = match fs::symlink_metadata(layout.journal(id)) {
        Ok(plain) => plain.len(),
        Err(error) => return there(error),
    };
    match file::open_plain(&layout.packed(id), false) {
        Ok(packed) => Ok(Some((plain, packed))),
        Err(error) => there(error),
    }
}

/// Whether the plain journal, of `len` bytes, begins with all that the compressed one holds.
fn begins_as(layout: &Layout, id: &TaskId, len: u64, packed: &Packed) -> io::Result<bool> {
    if len < packed.len() {
        return Ok(false);
    }
    let plain = file::open_plain(&layout.journal(id), false)?;
    let mut text = BufReader::with_capacity(1 << 16, plain.take(packed.len()));
    let (mut line, mut chain) = (Vec::new(), Chain::default());
    while read_line(&mut text, &mut line)?.0 == Ended::Whole {
        chain.add(&line);
    }
    Ok(chain == packed.chain())
}

/// How many bytes of text and which last number the compressed journal of task `id` has, where that is its
/// only form; nothing else is read.
pub(crate) fn settled(layout: &Layout, id: &TaskId) -> Option<(u64, u64)> {
    if layout.journal(id).exists() {
        return None;
    }
    let packed = Packed::open(file::open_plain(&layout.packed(id), false).ok()?).ok()?;
    Some((packed.len(), packed.last_seq()))
}

fn anew(path: &Path) -> io::Result<File> {
    let file = file::open_private(path)?;
    file.set_len(0)?;
    Ok(file)
}
