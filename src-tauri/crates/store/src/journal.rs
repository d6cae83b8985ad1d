//! The one writer of one task: numbers events, takes each source once, and keeps the task folded.
//!
//! The blocking work happens in a [`Ledger`] that is lent to a blocking thread and given back. A caller
//! that loses patience (drops the future of [`Journal::append`]) loses nothing: the write goes on, and
//! its lines are returned by the next append, before that one's own.
//!
//! A runner appends what came while its last append was under way, so lines that stream share a write
//! and events that must last share an `fsync`. Across journals nothing is shared but a bound on how
//! many wait for the disk at once ([`crate::Store::SYNCS_AT_ONCE`]).
//!
//! Start at [`Journal::append`].

use std::collections::BTreeMap;
use std::sync::Arc;

use paddock_domain::{Event, RunId, Source, Task};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::fold::Snapshot;
use crate::index::{Entry, IndexSender};
use crate::ledger::Ledger;
use crate::{Draft, Line, StoreError};

/// The writer of one task's journal.
#[derive(Debug)]
pub struct Journal {
    snapshot: Snapshot,
    /// Here, or lent to `writing`; gone for ever when a write ended in a panic.
    ledger: Option<Ledger>,
    writing: Option<Writing>,
    /// Written, and not yet returned to a caller.
    unreturned: Vec<Arc<Line>>,
    index: IndexSender,
    /// Lines since the index was last told.
    untold: u64,
    syncs: Arc<Semaphore>,
}

type Writing = JoinHandle<(Ledger, Result<Vec<Arc<Line>>, StoreError>)>;

impl Journal {
    /// The index is told after this many lines at the latest; after a durable event at once.
    const TELL_AFTER: u64 = 512;

    pub(crate) fn new(
        snapshot: Snapshot,
        ledger: Ledger,
        index: IndexSender,
        syncs: Arc<Semaphore>,
    ) -> Self {
        Self {
            snapshot,
            ledger: Some(ledger),
            writing: None,
            unreturned: Vec::new(),
            index,
            untold: 0,
            syncs,
        }
    }

    /// The number of the last event.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.snapshot.task.last_seq
    }

    /// The task that the journal folds into.
    #[must_use]
    pub fn task(&self) -> &Task {
        &self.snapshot.task
    }

    /// The last output of `run` that was taken: what to resume decoding after.
    #[must_use]
    pub fn last_source(&self, run: &RunId) -> Option<&Source> {
        self.snapshot.sources.get(run)
    }

    /// Appends `drafts`, all or none, and gives the lines that were written.
    ///
    /// Drafts whose source is not after the last one taken from their run are passed over. Texts over
    /// [`paddock_domain::ArtifactRef::OVER`] bytes become artifacts. When an event among them
    /// [is durable](paddock_domain::Body::is_durable), everything written so far is on the disk when
    /// this returns.
    ///
    /// # Errors
    /// [`StoreError::Full`], after which nothing of `drafts` was written and the same call works once
    /// there is room; [`StoreError::InDoubt`] and other failures of the system, after which nothing of it
    /// was written either and the same call works once the disk does; [`StoreError::WriterLost`], after which
    /// this writer takes nothing more.
    pub async fn append(&mut self, drafts: Vec<Draft>) -> Result<Vec<Arc<Line>>, StoreError> {
        self.settle().await?;
        let events = self.number(drafts);
        if !events.is_empty() {
            self.begin_write(events).await?;
            self.settle().await?;
        }
        Ok(std::mem::take(&mut self.unreturned))
    }

    /// Compresses the journal of a task that has ended or rests: it is read as before, and the next append
    /// makes it plain again.
    ///
    /// # Errors
    /// Failures of the system; the journal is as it was then.
    pub async fn pack(&mut self) -> Result<(), StoreError> {
        self.with_ledger(Ledger::pack).await
    }

    async fn with_ledger(
        &mut self,
        work: fn(&mut Ledger) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.settle().await?;
        let mut ledger = self.take_ledger()?;
        self.writing = Some(tokio::task::spawn_blocking(move || {
            let done = work(&mut ledger).map(|()| Vec::new());
            (ledger, done)
        }));
        self.settle().await
    }

    /// The drafts that are new, in their places.
    fn number(&self, drafts: Vec<Draft>) -> Vec<Event> {
        let mut staged: BTreeMap<RunId, Source> = BTreeMap::new();
        let mut events = Vec::with_capacity(drafts.len());
        let mut seq = self.last_seq();
        for draft in drafts {
            if let Some(source) = &draft.source {
                let last = staged
                    .get(&source.run_id)
                    .or_else(|| self.last_source(&source.run_id));
                if last.is_some_and(|last| source <= last) {
                    continue;
                }
                staged.insert(source.run_id.clone(), source.clone());
            }
            seq += 1;
            events.push(Event {
                event_id: draft.event_id,
                ts: draft.ts,
                seq,
                task_id: self.snapshot.task.task_id.clone(),
                run_id: draft.run_id,
                turn_id: draft.turn_id,
                source: draft.source,
                body: draft.body,
            });
        }
        events
    }

    async fn begin_write(&mut self, events: Vec<Event>) -> Result<(), StoreError> {
        let durable = events.iter().any(|event| event.body.is_durable());
        let permit = if durable {
            let permit = Arc::clone(&self.syncs).acquire_owned().await;
            Some(permit.map_err(|_| StoreError::Closed)?)
        } else {
            None
        };
        let mut ledger = self.take_ledger()?;
        self.writing = Some(tokio::task::spawn_blocking(move || {
            let written = ledger.write(events);
            drop(permit);
            (ledger, written)
        }));
        Ok(())
    }

    /// Waits for the write under way, if any, and folds what it wrote.
    async fn settle(&mut self) -> Result<(), StoreError> {
        let Some(writing) = &mut self.writing else {
            return Ok(());
        };
        let ended = writing.await;
        self.writing = None;
        let (ledger, written) = ended.map_err(|_| self.lost())?;
        let chain = ledger.chain();
        self.ledger = Some(ledger);
        let lines = written?;
        let mut durable = false;
        for line in &lines {
            self.snapshot.take(&line.event, line.json.len() as u64 + 1);
            durable |= line.event.body.is_durable();
        }
        self.snapshot.chain = chain;
        self.untold += lines.len() as u64;
        self.unreturned.extend(lines);
        if durable || self.untold >= Self::TELL_AFTER {
            self.tell_index();
        }
        Ok(())
    }

    /// Gives the index the task as it is.
    fn tell_index(&mut self) {
        self.untold = 0;
        self.index.leave(Entry {
            snapshot: self.snapshot.clone(),
            archived: false,
        });
    }

    fn take_ledger(&mut self) -> Result<Ledger, StoreError> {
        self.ledger.take().ok_or_else(|| self.lost())
    }

    fn lost(&self) -> StoreError {
        StoreError::WriterLost {
            task: self.snapshot.task.task_id.clone(),
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if self.untold > 0 {
            self.tell_index();
        }
    }
}

#[cfg(test)]
mod tests {
    use paddock_domain::{Body, EventId, NoticeLevel, TaskId, TaskSpec, Timestamp};

    use super::*;
    use crate::Store;

    fn first() -> Event {
        let json = serde_json::json!({ "prompt": "p", "harness": "scripted", "repositories": [] });
        let spec: TaskSpec = serde_json::from_value(json).unwrap();
        Event {
            event_id: EventId::new(1, 1),
            ts: Timestamp::from_unix_ms(1),
            seq: 1,
            task_id: TaskId::parse("t1").unwrap(),
            run_id: None,
            turn_id: None,
            source: None,
            body: Body::SessionStarted {
                task_description: spec.title(),
                project_path: None,
                coding_provider: spec.harness.clone(),
                spec: Box::new(spec),
            },
        }
    }

    fn note() -> Vec<Draft> {
        vec![Draft {
            event_id: EventId::new(1, 2),
            ts: Timestamp::from_unix_ms(1),
            run_id: None,
            turn_id: None,
            source: None,
            body: Body::Notice {
                level: NoticeLevel::Info,
                phase: None,
                text: "n".to_owned(),
            },
        }]
    }

    #[tokio::test]
    async fn a_writer_that_died_in_a_write_says_so_and_the_next_one_goes_on() {
        let data = tempfile::tempdir().unwrap();
        let now = Timestamp::from_unix_ms(1);
        let (store, _) = Store::open(data.path(), now).await.unwrap();
        let mut journal = store.create(first()).await.unwrap();
        let ledger = journal.ledger.take();
        journal.writing = Some(tokio::task::spawn_blocking(move || {
            let _with_it = ledger;
            panic!("a bug");
        }));
        for _ in 0..2 {
            let lost = journal.append(note()).await.unwrap_err();
            assert!(matches!(lost, StoreError::WriterLost { .. }), "{lost}");
        }
        let mut next = store.journal(&first().task_id).await.unwrap();
        assert_eq!(next.append(note()).await.unwrap().len(), 1);
    }
}
