//! Folding a journal into its task, from the first line or on from where the index left off.
//!
//! The first line that cannot be taken ends the fold. When no whole line follows it, it is the torn
//! end of a write that was never acknowledged; otherwise the journal is damaged there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use paddock_domain::{Event, RunId, Source, Task, TaskId};

use crate::chain::Chain;
use crate::extent::Extent;
use crate::held::Held;
use crate::layout::Layout;
use crate::text::{Ended, Head, read_line};
use crate::{Alteration, Damage, DamageKind, Line, StoreError};

/// What the first [`Self::len`] bytes of a journal fold into.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Snapshot {
    /// The task.
    pub(crate) task: Task,
    /// The last source taken from each run.
    pub(crate) sources: BTreeMap<RunId, Source>,
    /// How many bytes were folded.
    pub(crate) len: u64,
    /// The seal of the lines in them.
    pub(crate) chain: Chain,
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
    /// How the journal differs from what the index knew of it.
    pub(crate) altered: Option<Alteration>,
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
    /// The snapshot of a journal that holds `first` alone, whose line has `bytes` bytes with its newline;
    /// nothing when that begins no task. The seal is for the caller to set.
    pub(crate) fn begin(first: &Event, bytes: u64) -> Option<Self> {
        Some(Self {
            task: Task::begin(first)?,
            sources: BTreeMap::new(),
            len: bytes,
            chain: Chain::default(),
        })
    }

    /// Takes the next event, whose line has `bytes` bytes with its newline. The seal is for the caller to
    /// set.
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
    Held::open(layout, id, false)
        .and_then(|mut held| fold(id, &mut held, known))
        .map_err(|source| StoreError::journal("reading", id, layout.journal(id), source))
}

/// Folds the journal `held` of task `id`, on from `known` where the journal bears it out.
pub(crate) fn fold(id: &TaskId, held: &mut Held, known: Option<Snapshot>) -> io::Result<Folded> {
    let (known, refuted) = match known {
        Some(known) if bears_out(id, held, &known)? => (Some(known), None),
        Some(refuted) => (None, Some(refuted)),
        None => (None, None),
    };
    let began = known.as_ref().map_or(Began::Afresh, |_| Began::Onward);
    let extent = known.as_ref().map_or_else(Extent::default, |known| {
        Extent::unscanned(known.len, known.task.last_seq)
    });
    let mut folded = Folded {
        snapshot: known,
        extent,
        torn: 0,
        began,
        altered: None,
    };
    let from = folded.extent.len;
    folded.read_on(id, &mut held.text_from(from)?, refuted.as_ref())?;
    if let (Held::Packed(_), 1..) = (&held, folded.torn) {
        // No write was cut short here: whole lines alone are compressed.
        folded.torn = 0;
        folded.damage(DamageKind::Garbled);
    }
    Ok(folded)
}

impl Folded {
    /// Folds what follows; `refuted` is what the index knew, where that is not so any more.
    fn read_on(
        &mut self,
        id: &TaskId,
        file: &mut impl BufRead,
        refuted: Option<&Snapshot>,
    ) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            let (ended, bytes) = read_line(file, &mut line)?;
            let taken = match ended {
                Ended::Nothing => {
                    self.compare_end(refuted);
                    return Ok(());
                }
                Ended::Torn | Ended::Overlong => Err(None),
                Ended::Whole => self.take(id, &line, bytes),
            };
            match taken {
                Ok(()) => self.compare(refuted),
                Err(Some(kind)) => {
                    self.damage(kind);
                    return Ok(());
                }
                Err(None) => {
                    self.compare_end(refuted);
                    return self.end_in_garble(bytes, file);
                }
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
        if let Some(snapshot) = &mut self.snapshot {
            snapshot.chain.add(line);
        }
        self.extent.grow(bytes);
        Ok(())
    }

    /// Holds the lines so far against what the index knew of them.
    fn compare(&mut self, refuted: Option<&Snapshot>) {
        let (Some(now), Some(then)) = (&self.snapshot, refuted) else {
            return;
        };
        if now.task.last_seq == then.task.last_seq && now.chain != then.chain {
            self.altered = Some(Alteration::Changed {
                up_to: then.task.last_seq,
            });
        }
    }

    /// Holds the end against what the index knew.
    fn compare_end(&mut self, refuted: Option<&Snapshot>) {
        let last_seq = self.extent.last_seq;
        if let Some(then) = refuted.filter(|then| then.task.last_seq > last_seq) {
            self.altered = Some(Alteration::Shorter {
                last_seq,
                known: then.task.last_seq,
            });
        }
    }

    fn damage(&mut self, kind: DamageKind) {
        let line = self.extent.last_seq + 1;
        self.extent.damage = Some(Damage { line, kind });
    }

    /// Judges a stretch that is no line and took `bytes` bytes: torn, unless a whole line follows it.
    fn end_in_garble(&mut self, bytes: u64, file: &mut impl BufRead) -> io::Result<()> {
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

/// Whether the journal is what `known` stands for, as far as can be told without reading it all.
fn bears_out(id: &TaskId, held: &mut Held, known: &Snapshot) -> io::Result<bool> {
    match held {
        Held::Plain(file) => ends_with(id, file, known),
        Held::Packed(packed) => Ok(packed.len() == known.len
            && packed.last_seq() == known.task.last_seq
            && packed.chain() == known.chain),
    }
}

/// Whether the journal has the line that `known` ends with, where it ends.
fn ends_with(id: &TaskId, file: &mut File, known: &Snapshot) -> io::Result<bool> {
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
