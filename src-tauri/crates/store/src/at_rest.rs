//! A data directory that no Paddock serves: its journals can be looked at and mended without starting one.
//!
//! It takes the same lock as a [`crate::Store`], so that nobody writes meanwhile; and unlike it, opening it
//! changes nothing: torn ends stay, a broken index stays.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use paddock_domain::{
    JournalCheck, JournalFault, JournalFile, JournalForm, JournalRepair, TaskId, Timestamp,
};

use crate::fold::{self, Folded};
use crate::held::Held;
use crate::index::{Entry, Index};
use crate::layout::Layout;
use crate::lock::Lock;
use crate::repair::{self, Stamp};
use crate::store::keeping::entry_of;
use crate::text::Head;
use crate::{Damage, StoreError, check};

/// One data directory, held by this process alone, at rest.
#[derive(Debug)]
pub struct AtRest {
    layout: Layout,
    index: Option<Index>,
    index_fault: Option<String>,
    _lock: Lock,
}

impl AtRest {
    /// Takes the data directory `data`.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it, and failures of the system: that it is not there.
    pub async fn open(data: &Path) -> Result<Self, StoreError> {
        let layout = Layout::new(data);
        let tasks = layout.tasks();
        fs::read_dir(&tasks).map_err(|source| StoreError::io("opening", &tasks, source))?;
        let lock = Lock::take(data, &layout.lock()).await?;
        let (index, index_fault) = match Index::peek(&layout.index()).await {
            Ok(index) => (Some(index), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Ok(Self {
            layout,
            index,
            index_fault,
            _lock: lock,
        })
    }

    /// Why the index cannot be used; the next start makes it anew.
    #[must_use]
    pub fn index_fault(&self) -> Option<&str> {
        self.index_fault.as_deref()
    }

    /// The tasks that there are folders of, oldest first.
    ///
    /// # Errors
    /// Failures of the system.
    pub fn tasks(&self) -> Result<Vec<TaskId>, StoreError> {
        let dir = self.layout.tasks();
        let failed = |source| StoreError::io("listing", &dir, source);
        let mut ids = Vec::new();
        for entry in fs::read_dir(&dir).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            ids.extend(TaskId::parse(name.to_str().unwrap_or_default()));
        }
        ids.sort();
        Ok(ids)
    }

    /// Every journal there is, oldest first; one that cannot be opened says so in its damage.
    ///
    /// # Errors
    /// Failures of the system: that the tasks cannot be listed.
    pub fn journals(&self) -> Result<Vec<JournalFile>, StoreError> {
        let ids = self.tasks()?;
        Ok(ids.iter().map(|id| look(&self.layout, id, None)).collect())
    }

    /// As [`crate::Store::verify`].
    ///
    /// # Errors
    /// [`StoreError::NoSuchTask`] when there is no folder of it.
    pub async fn verify(&self, id: &TaskId) -> Result<JournalCheck, StoreError> {
        self.hold_there(id)?;
        let known = self.known(id).await;
        let (layout, task) = (self.layout.clone(), id.clone());
        let checked =
            tokio::task::spawn_blocking(move || check::check(&layout, &task, known.as_ref(), None));
        checked.await.map_err(|_| StoreError::Closed)
    }

    /// As [`crate::Store::repair`].
    ///
    /// # Errors
    /// As [`crate::Store::repair`].
    pub async fn repair(
        &self,
        id: &TaskId,
        now: Timestamp,
        random: u128,
        dry: bool,
    ) -> Result<JournalRepair, StoreError> {
        self.hold_there(id)?;
        let known = self.known(id).await;
        let (layout, task) = (self.layout.clone(), id.clone());
        let stamp = Stamp { now, random };
        let mended =
            tokio::task::spawn_blocking(move || mend(&layout, &task, known.as_ref(), stamp, dry));
        let Mending { repair, entry, .. } = mended.await.map_err(|_| StoreError::Closed)??;
        if let (Some(entry), Some(index)) = (entry, &self.index) {
            index.put_all(&[entry], &[]).await?;
        }
        Ok(repair)
    }

    /// Lets go of the directory.
    pub async fn close(self) {
        if let Some(index) = &self.index {
            index.close().await;
        }
    }

    async fn known(&self, id: &TaskId) -> Option<Entry> {
        self.index.as_ref()?.entry(id).await.ok().flatten()
    }

    fn hold_there(&self, id: &TaskId) -> Result<(), StoreError> {
        if self.layout.task(id).is_dir() {
            return Ok(());
        }
        Err(StoreError::NoSuchTask { task: id.clone() })
    }
}

/// What mending came to.
pub(crate) struct Mending {
    pub(crate) repair: JournalRepair,
    /// What the index is to hold now; nothing when it was only said what would be done.
    pub(crate) entry: Option<Entry>,
    /// The journal as it is now.
    pub(crate) folded: Option<Folded>,
}

/// Mends a journal, and takes one that can be read for what it is now.
pub(crate) fn mend(
    layout: &Layout,
    id: &TaskId,
    known: Option<&Entry>,
    stamp: Stamp,
    dry: bool,
) -> Result<Mending, StoreError> {
    let found = check::check(layout, id, known, None).findings;
    let differs = found
        .iter()
        .any(|found| matches!(found.kind, JournalFault::Altered | JournalFault::Index));
    let snapshot = known.map(|entry| &entry.snapshot);
    let mut repair = repair::repair(layout, id, snapshot, stamp, dry)?;
    if differs && repair.steps.is_empty() {
        let step = "its lines are not those that were written: they are taken as they are now";
        repair.steps.push(step.to_owned());
    }
    if dry {
        return Ok(Mending {
            repair,
            entry: None,
            folded: None,
        });
    }
    let folded = fold::read(layout, id, None)?;
    Ok(Mending {
        entry: entry_of(&folded, layout.archived(id).exists()),
        repair,
        folded: Some(folded),
    })
}

/// How the journal of task `id` lies there. `known` is its last number and its damage, where a store knows.
pub(crate) fn look(
    layout: &Layout,
    id: &TaskId,
    known: Option<(u64, Option<Damage>)>,
) -> JournalFile {
    let size = |path| fs::symlink_metadata(path).ok().map(|file| file.len());
    let (form, file_bytes) = match (size(layout.journal(id)), size(layout.packed(id))) {
        (Some(plain), _) => (JournalForm::Plain, plain),
        (None, Some(packed)) => (JournalForm::Compressed, packed),
        (None, None) => (JournalForm::Plain, 0),
    };
    let mut found = JournalFile {
        task_id: id.clone(),
        form,
        last_seq: known.as_ref().map_or(0, |(last_seq, _)| *last_seq),
        text_bytes: 0,
        file_bytes,
        archived: layout.archived(id).exists(),
        damage: None,
        kept: check::kept(layout, id),
    };
    let read = Held::open(layout, id, false).and_then(|mut held| {
        if known.is_none() {
            found.last_seq = last_number(&mut held)?;
        }
        found.text_bytes = held.len()?;
        Ok(())
    });
    found.damage = match (read, known) {
        (Err(error), _) => Some(format!("it cannot be opened: {error}")),
        (Ok(()), Some((_, damage))) => damage.map(|damage| damage.to_string()),
        (Ok(()), None) => None,
    };
    found
}

/// The number of a journal's last whole line; 0 where that has none.
fn last_number(held: &mut Held) -> io::Result<u64> {
    let file = match held {
        Held::Packed(packed) => return Ok(packed.last_seq()),
        Held::Plain(file) => file,
    };
    let end = file.metadata()?.len();
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(end.saturating_sub(LAST)))?;
    file.take(LAST).read_to_end(&mut tail)?;
    let lines = tail.split(|&byte| byte == b'\n');
    let last = lines.rev().find_map(Head::of);
    Ok(last.map_or(0, |head| head.seq))
}

/// How much of a journal's end is read to find its last number.
const LAST: u64 = 1 << 20;
