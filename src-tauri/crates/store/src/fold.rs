//! Folding a journal into its task, from the first line or on from where the index left off.
//!
//! The first line that cannot be taken ends the fold. When no whole line follows it, it is the torn
//! end of a write that was never acknowledged; otherwise the journal is damaged there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use paddock_domain::{Event, RunId, Source, Task, TaskId};

use crate::extent::Extent;
use crate::layout::Layout;
use crate::text::{Ended, Head, read_line};
use crate::{Damage, DamageKind, Line, StoreError, file};

/// What the first [`Self::len`] bytes of a journal fold into.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Snapshot {
    /// The task.
    pub(crate) task: Task,
    /// The last source taken from each run.
    pub(crate) sources: BTreeMap<RunId, Source>,
    /// How many bytes were folded.
    pub(crate) len: u64,
}

/// What a journal was found to be.
#[derive(Debug)]
pub(crate) struct Folded {
    /// The task; nothing when there is no whole first line.
    pub(crate) snapshot: Option<Snapshot>,
    /// How far the journal can be read.
    pub(crate) extent: Extent,
    /// Bytes after that which are a torn end.
    pub(crate) torn: u64,
    /// Where the fold began.
    pub(crate) began: Began,
}

/// Where a fold began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Began {
    /// At the first line.
    Afresh,
    /// At the end of a snapshot that the journal bears out.
    Onward,
}

impl Snapshot {
    /// The snapshot of a journal that holds `first` alone; nothing when that begins no task.
    pub(crate) fn begin(first: &Event, len: u64) -> Option<Self> {
        let task = Task::begin(first)?;
        let sources = BTreeMap::new();
        Some(Self { task, sources, len })
    }

    /// Takes the next event, whose line has `bytes` bytes with its newline.
    pub(crate) fn take(&mut self, event: &Event, bytes: u64) {
        self.task.record(event);
        if let Some(source) = &event.source {
            self.sources.insert(source.run_id.clone(), source.clone());
        }
        self.len += bytes;
    }
}

/// Folds the journal of task `id` and changes nothing.
///
/// # Errors
/// [`StoreError::NoSuchTask`], and [`StoreError::Io`] when it cannot be read.
pub(crate) fn read(
    layout: &Layout,
    id: &TaskId,
    known: Option<Snapshot>,
) -> Result<Folded, StoreError> {
    let path = layout.journal(id);
    file::open_plain(&path, false)
        .and_then(|mut file| fold(id, &mut file, known))
        .map_err(|source| StoreError::journal("reading", id, path, source))
}

/// Folds the journal `file` of task `id`, on from `known` where the journal bears it out.
pub(crate) fn fold(id: &TaskId, file: &mut File, known: Option<Snapshot>) -> io::Result<Folded> {
    let known = match known {
        Some(known) if bears_out(id, file, &known)? => Some(known),
        Some(_) | None => None,
    };
    let began = known.as_ref().map_or(Began::Afresh, |_| Began::Onward);
    let extent = known.as_ref().map_or_else(Extent::default, |known| {
        Extent::unscanned(known.len, known.task.last_seq)
    });
    file.seek(SeekFrom::Start(extent.len))?;
    let mut folded = Folded {
        snapshot: known,
        extent,
        torn: 0,
        began,
    };
    folded.read_on(id, &mut BufReader::with_capacity(1 << 16, file))?;
    Ok(folded)
}

impl Folded {
    fn read_on(&mut self, id: &TaskId, file: &mut BufReader<&mut File>) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            let (ended, bytes) = read_line(file, &mut line)?;
            let taken = match ended {
                Ended::Nothing => return Ok(()),
                Ended::Torn | Ended::Overlong => Err(None),
                Ended::Whole => self.take(id, &line, bytes),
            };
            match taken {
                Ok(()) => {}
                Err(Some(kind)) => {
                    self.damage(kind);
                    return Ok(());
                }
                Err(None) => return self.end_in_garble(bytes, file),
            }
        }
    }

    /// Takes a whole line. Fails with what is wrong with it, or with nothing when it is no line at all.
    fn take(&mut self, id: &TaskId, line: &[u8], bytes: u64) -> Result<(), Option<DamageKind>> {
        let due = self.extent.last_seq + 1;
        let event: Event = match serde_json::from_slice(line) {
            Ok(event) => event,
            Err(error) => {
                let seq = Head::of(line).ok_or(None)?.seq;
                let misplaced = Damage::of_number(due, seq).map(|damage| damage.kind);
                let why = error.to_string().chars().take(200).collect();
                return Err(misplaced.or(Some(DamageKind::Unknown { why })));
            }
        };
        if let Some(damage) = Damage::of_number(due, event.seq) {
            return Err(Some(damage.kind));
        }
        if event.task_id != *id {
            let found = event.task_id;
            return Err(Some(DamageKind::OtherTask { found }));
        }
        match &mut self.snapshot {
            Some(snapshot) => snapshot.take(&event, bytes),
            none => {
                let first = Snapshot::begin(&event, bytes).ok_or(Some(DamageKind::NoBeginning))?;
                *none = Some(first);
            }
        }
        self.extent.grow(bytes);
        Ok(())
    }

    fn damage(&mut self, kind: DamageKind) {
        let line = self.extent.last_seq + 1;
        self.extent.damage = Some(Damage { line, kind });
    }

    /// Judges a stretch that is no line and took `bytes` bytes: torn, unless a whole line follows it.
    fn end_in_garble(&mut self, bytes: u64, file: &mut BufReader<&mut File>) -> io::Result<()> {
        let (mut torn, mut line) = (bytes, Vec::new());
        loop {
            let (ended, bytes) = read_line(file, &mut line)?;
            torn += bytes;
            match ended {
                Ended::Nothing => break,
                Ended::Whole if Head::of(&line).is_some() => {
                    self.damage(DamageKind::Garbled);
                    return Ok(());
                }
                Ended::Whole | Ended::Overlong | Ended::Torn => {}
            }
        }
        self.torn = torn;
        Ok(())
    }
}

/// Whether the journal has the line that `known` ends with, where it ends.
fn bears_out(id: &TaskId, file: &mut File, known: &Snapshot) -> io::Result<bool> {
    if file.metadata()?.len() < known.len {
        return Ok(false);
    }
    let Some(line) = line_that_ends_at(file, known.len)? else {
        return Ok(false);
    };
    let event: Option<Event> = serde_json::from_slice(&line).ok();
    Ok(event.is_some_and(|event| event.seq == known.task.last_seq && event.task_id == *id))
}

/// The line whose newline is the byte before `end`.
fn line_that_ends_at(file: &mut File, end: u64) -> io::Result<Option<Vec<u8>>> {
    let mut reach: u64 = 4 << 10;
    loop {
        let start = end.saturating_sub(reach);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(end - start).read_to_end(&mut bytes)?;
        if bytes.pop() != Some(b'\n') {
            return Ok(None);
        }
        if let Some(newline) = bytes.iter().rposition(|&byte| byte == b'\n') {
            return Ok(Some(bytes.split_off(newline + 1)));
        }
        if start == 0 {
            return Ok(Some(bytes));
        }
        if bytes.len() > Line::MAX {
            return Ok(None);
        }
        reach *= 8;
    }
}
