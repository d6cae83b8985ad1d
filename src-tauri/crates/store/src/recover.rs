//! Making a journal fit to be appended to: its torn end is cut off and kept beside it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::PathBuf;

use paddock_domain::TaskId;

use crate::fold::{Folded, Snapshot, fold};
use crate::held::Held;
use crate::layout::Layout;
use crate::settle::{Tidied, tidy};
use crate::{Cut, StoreError, file};

/// Most cuts kept beside one journal; beyond it the journal is left as it is.
const CUTS_MAX: u32 = 1_000;

/// A journal as it was found, its torn end cut off.
#[derive(Debug)]
pub(crate) struct Recovered {
    /// What it folds into.
    pub(crate) folded: Folded,
    /// What was cut, or should have been.
    pub(crate) cut: Option<Cut>,
    /// Why it could not be cut; nothing may be appended then.
    pub(crate) uncut: Option<StoreError>,
    /// What a change of form left when it was cut short.
    pub(crate) tidied: Tidied,
    /// The journal, open for reading, and where it is plain for writing.
    pub(crate) held: Held,
}

/// Opens and folds the journal of task `id`, on from `known` where that fits, and cuts its torn end.
///
/// # Errors
/// [`StoreError::NoSuchTask`], and [`StoreError::Io`] when it cannot be read.
pub(crate) fn recover(
    layout: &Layout,
    id: &TaskId,
    known: Option<Snapshot>,
) -> Result<Recovered, StoreError> {
    let path = layout.journal(id);
    let tidied =
        tidy(layout, id).map_err(|source| StoreError::io("tidying", path.clone(), source))?;
    let mut held = Held::open(layout, id, true)
        .map_err(|source| StoreError::journal("opening", id, path.clone(), source))?;
    let folded =
        fold(id, &mut held, known).map_err(|source| StoreError::io("reading", path, source))?;
    let (mut cut, mut uncut) = (None, None);
    if let (1.., Held::Plain(file)) = (folded.torn, &mut held) {
        let (kept, failure) = match cut_end(layout, id, file, folded.extent.len) {
            Ok(kept) => (Some(kept), None),
            Err(error) => (None, Some(error)),
        };
        cut = Some(Cut {
            task_id: id.clone(),
            after_seq: folded.extent.last_seq,
            bytes: folded.torn,
            kept,
        });
        uncut = failure;
    }
    Ok(Recovered {
        folded,
        cut,
        uncut,
        tidied,
        held,
    })
}

/// Moves what the journal has from byte `from` on into a file of its own.
fn cut_end(
    layout: &Layout,
    id: &TaskId,
    journal: &mut File,
    from: u64,
) -> Result<PathBuf, StoreError> {
    let (kept, mut end) = next_cut(layout, id)?;
    let copied = journal
        .seek(SeekFrom::Start(from))
        .and_then(|_| io::copy(journal, &mut end))
        .and_then(|_| end.sync_all());
    if let Err(source) = copied {
        let _ = std::fs::remove_file(&kept); // half a copy helps nobody; the journal still has it all
        return Err(StoreError::io("keeping a torn end in", kept, source));
    }
    journal
        .set_len(from)
        .and_then(|()| journal.sync_all())
        .and_then(|()| file::sync_dir(&layout.task(id)))
        .map_err(|source| StoreError::io("cutting the torn end of", layout.journal(id), source))?;
    Ok(kept)
}

/// A new file for what is cut off the journal of task `id`.
pub(crate) fn next_cut(layout: &Layout, id: &TaskId) -> Result<(PathBuf, File), StoreError> {
    for n in 1..=CUTS_MAX {
        let path = layout.cut(id, n);
        match file::create_private(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(StoreError::io("making", path, source)),
        }
    }
    let source = io::Error::other("too many torn ends are kept beside it: remove some");
    Err(StoreError::io(
        "cutting the torn end of",
        layout.journal(id),
        source,
    ))
}

#[cfg(test)]
mod tests;
