//! What a run said before its box or its relay ended under it, as far as nobody has heard it yet.
//!
//! The relay keeps every line before anyone hears it, so when it dies there may be lines that only its log
//! has. They are read where they lie, through the same codec and from the first byte, and the journal takes
//! each source once: what had been written is skipped, as after any other break. Invariant: the log of
//! another relay is never taken for this run's.

use paddock_domain::{Body, RunExit, RunId};
use paddock_harness::Heard;
use paddock_relay_client::LogEntry;
use paddock_relay_client::protocol::{Body as Record, RelayId};
use paddock_store::StoreError;

use super::Runner;
use super::effects::codec;
use super::run::{BATCH, BATCH_BYTES, LiveRun};

impl Runner {
    /// Writes what nobody has heard of a run that is over. Gives how it ended, where its log knows better
    /// than `exit`.
    ///
    /// # Errors
    /// When the journal cannot be written: it is read again.
    pub(super) async fn hear_last_words(&mut self, exit: RunExit) -> Result<RunExit, StoreError> {
        let unheard = exit == RunExit::Lost && self.run.is_none();
        let Some(run_id) = self.open_run().filter(|_| unheard) else {
            return Ok(exit);
        };
        let (task, boxes) = (self.task().clone(), self.rooms.boxes.clone());
        let (task_id, name) = (task.task_id.clone(), run_id.as_str().to_owned());
        let kept = tokio::task::spawn_blocking(move || boxes.last_words(&task_id, &name)).await;
        let mut kept = match kept {
            Ok(Ok(Some(kept))) => kept,
            Ok(Ok(None)) | Err(_) => return Ok(exit),
            Ok(Err(error)) => {
                tracing::warn!(task.id = %task.task_id, %error, "the last words of a run cannot be read");
                return Ok(exit);
            }
        };
        let Some(harness) = paddock_harness::find(task.spec.harness.as_str()) else {
            return Ok(exit);
        };
        let codec = codec(&self.rooms, harness, &task, &kept.work_dir);
        let journalled = self.journal.last_source(&run_id).map(|last| last.offset);
        if journalled.is_some() && !kept.was_begun() {
            // There was a log once: nobody can say any more what the agent got.
            return Ok(exit);
        }
        let work_dir = kept.work_dir.clone();
        self.run = Some(LiveRun::over(run_id.clone(), work_dir, codec, journalled));
        loop {
            let read = tokio::task::spawn_blocking(move || (kept.next(BATCH, BATCH_BYTES), kept));
            let Ok((entries, rest)) = read.await else {
                return Ok(exit);
            };
            kept = rest;
            let entries = match entries {
                Ok(entries) if entries.is_empty() => return Ok(exit),
                Ok(entries) => entries,
                Err(error) => {
                    tracing::warn!(task.id = %task.task_id, %error, "the last words of a run break off");
                    return Ok(exit);
                }
            };
            if self.is_of_another_relay(&run_id, &entries) {
                self.run = None;
                return Ok(exit);
            }
            if let Some(over) = self.take_last_words(&entries).await? {
                return Ok(over);
            }
        }
    }

    async fn take_last_words(
        &mut self,
        entries: &[LogEntry],
    ) -> Result<Option<RunExit>, StoreError> {
        let Some(run) = &mut self.run else {
            return Ok(None);
        };
        let batch = run.take_all(entries);
        let batch = self.without_known(batch);
        let mut drafts = Vec::new();
        for (source, heard) in batch.heard {
            match heard {
                Heard::Event(body) => drafts.push(self.draft(body, source)),
                Heard::TurnBegan => self.begin_turn(),
                // Nobody is left to hear the one, and the other is no part of the record.
                Heard::Send(_) | Heard::Delta(_) => {}
            }
        }
        let written = self.append(drafts).await;
        if written.is_err() {
            self.run = None;
        }
        written.map(|()| batch.over)
    }

    /// Whether a log that begins with `entries` is that of another relay than the one that was heard.
    fn is_of_another_relay(&self, run: &RunId, entries: &[LogEntry]) -> bool {
        let first = entries.first().filter(|entry| entry.offset == 0);
        let Some(Ok(record)) = first.map(LogEntry::record) else {
            return false;
        };
        let Record::Start { relay, .. } = record.body else {
            return false;
        };
        self.connection.knows_other_log(run, relay)
    }

    /// The run that the journal has no end of.
    pub(super) fn open_run(&self) -> Option<RunId> {
        let run = self.task().run.as_ref();
        run.filter(|run| run.exit.is_none())
            .map(|run| run.run_id.clone())
    }

    /// Remembers whose log is followed. Says no when it is not the one that was followed before.
    pub(super) fn is_same_log(&mut self, run: &LiveRun) -> bool {
        let relay = run.begun_by();
        if self.connection.knows_other_log(&run.run_id, relay) {
            return false;
        }
        self.connection.log = relay.map(|relay| (run.run_id.clone(), relay));
        true
    }

    /// Writes that the log of the run is not the one that was followed.
    pub(super) async fn refuse_log(&mut self) {
        let text = "another relay answers in the box, with a log of its own for this run; what the first one kept is in the journal as far as it was heard. Revive the task to go on";
        let body = super::error(paddock_domain::ErrorClass::Internal, text.to_owned());
        if let Err(error) = self.write(vec![body]).await {
            self.cannot_write(&error);
        }
    }

    /// Tells once, in the journal, what keeps the box from being reached and what to do about it.
    pub(super) async fn tell_once(&mut self, text: String) {
        if self.connection.noticed.as_ref() == Some(&text) {
            return;
        }
        let notice = Body::Notice {
            level: paddock_domain::NoticeLevel::Warning,
            phase: None,
            text: text.clone(),
        };
        match self.write(vec![notice]).await {
            Ok(()) => self.connection.noticed = Some(text),
            Err(error) => self.cannot_write(&error),
        }
    }
}

impl super::link::Connection {
    /// Whether this run was followed in the log of another relay.
    fn knows_other_log(&self, run: &RunId, relay: Option<RelayId>) -> bool {
        let known = self.log.as_ref().filter(|(known, _)| known == run);
        known.is_some_and(|(_, known)| relay.is_some_and(|relay| relay != *known))
    }
}
