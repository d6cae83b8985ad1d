//! How a ledger comes to be: with a new journal, or over one that is there; and how it ends for good.

use std::fs;
use std::io;
use std::path::Path;

use paddock_domain::{Event, TaskId};

use super::{Form, Ledger};
use crate::chain::Chain;
use crate::disk::Disk;
use crate::fold::Snapshot;
use crate::held::Held;
use crate::layout::Layout;
use crate::recover::recover;
use crate::shelf::Claim;
use crate::{StoreError, file};

impl Ledger {
    /// Makes the journal that holds `first`, durable. The folder appears whole or not at all: it is
    /// made under another name and renamed when its first line is on the disk.
    pub(crate) fn create(
        layout: &Layout,
        claim: Claim,
        first: Event,
    ) -> Result<(Snapshot, Self), StoreError> {
        let id = first.task_id.clone();
        let half = layout.half_made(&id);
        let made = Self::create_in(&half, layout, claim, first);
        if made.is_err() {
            let _ = fs::remove_dir_all(&half); // tried again at the next start
        }
        made
    }

    fn create_in(
        half: &Path,
        layout: &Layout,
        claim: Claim,
        first: Event,
    ) -> Result<(Snapshot, Self), StoreError> {
        let id = first.task_id.clone();
        let failed = |source| StoreError::io("making", half, source);
        match fs::remove_dir_all(half) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            Ok(()) | Err(_) => {}
        }
        file::make_private_dir(half).map_err(failed)?;
        let journal = file::create_private(&half.join("journal.jsonl")).map_err(failed)?;
        let form = Form::Plain(Disk::new(journal));
        let mut ledger = Self::new(layout, claim, form, 0, Chain::default());
        let lines = ledger.write(vec![first])?;
        file::sync_dir(half).map_err(failed)?;
        if layout.task(&id).exists() {
            return Err(StoreError::TaskExists { task: id });
        }
        fs::rename(half, layout.task(&id)).map_err(failed)?;
        file::sync_dir(&layout.tasks()).map_err(failed)?;
        let line = lines
            .first()
            .and_then(|line| Snapshot::begin(&line.event, ledger.len));
        let mut snapshot = line.ok_or(StoreError::NoSuchTask { task: id })?;
        snapshot.chain = ledger.chain;
        Ok((snapshot, ledger))
    }

    /// Takes over the journal of task `id`, its torn end cut off.
    pub(crate) fn open(
        layout: &Layout,
        id: &TaskId,
        claim: Claim,
        known: Option<Snapshot>,
    ) -> Result<(Snapshot, Self), StoreError> {
        let recovered = recover(layout, id, known)?;
        let folded = recovered.folded;
        if let Some(cut) = &recovered.cut {
            tracing::warn!(task.id = %id, cut.bytes, "the torn end of a journal was cut off");
        }
        if let Some(error) = recovered.uncut {
            return Err(error);
        }
        let (len, damage) = (folded.extent.len, folded.extent.damage.clone());
        let mut extent = claim.extent();
        if (extent.len, &extent.damage) != (len, &damage) {
            *extent = folded.extent;
        }
        drop(extent);
        if let Some(damage) = damage {
            let task = id.clone();
            return Err(StoreError::Damaged { task, damage });
        }
        let none = || StoreError::NoSuchTask { task: id.clone() };
        let snapshot = folded.snapshot.ok_or_else(none)?;
        let form = match recovered.held {
            Held::Plain(file) => Form::Plain(Disk::new(file)),
            Held::Packed(_) => Form::Packed,
        };
        let ledger = Self::new(layout, claim, form, len, snapshot.chain);
        Ok((snapshot, ledger))
    }

    /// Marks the journal as closed for ever, all of it durable, and compresses it.
    pub(crate) fn archive(mut self, layout: &Layout) -> Result<(), StoreError> {
        let id = self.claim.task().clone();
        let mark = layout.archived(&id);
        let failed = |source| StoreError::io("archiving", &mark, source);
        self.sync().map_err(failed)?;
        file::open_private(&mark).map_err(failed)?;
        file::sync_dir(&layout.task(&id)).map_err(failed)?;
        self.claim.archive();
        if let Err(error) = self.pack() {
            tracing::warn!(task.id = %id, %error, "an archived journal stays as it is");
        }
        Ok(())
    }
}
