//! Looking after journals: archived when their task is purged, compressed when it has rested long enough,
//! checked and mended when somebody asks, let go of when somebody set how long they are kept.
//!
//! Start at [`keep`], which does by itself what no user has to ask for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use paddock_domain::{
    ErrorClass, Expired, ExpiredKind, Failure, JournalCheck, JournalFile, JournalRepair, StateName,
    Task, TaskId, Timestamp,
};
use paddock_store::{OpenReport, StoreError};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::dispatcher::Input;
use crate::published::Published;
use crate::rooms::Rooms;
use crate::{CommandError, Orchestrator, ids};

/// Shortest time between two looks at what has settled.
const LOOK_AFTER: Duration = Duration::from_secs(2);
/// Longest time between them.
const LOOK_EVERY: Duration = Duration::from_secs(60 * 60);
/// How often what is kept no longer is let go of.
const LET_GO_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Doors.
impl Orchestrator {
    /// Every journal there is, oldest first, with those of tasks that are not listed any more.
    ///
    /// # Errors
    /// [`CommandError::Failed`].
    pub async fn journals(&self) -> Result<Vec<JournalFile>, CommandError> {
        let found = self.rooms.store.journals().await;
        found.map_err(CommandError::failed)
    }

    /// Reads a task's whole journal and holds it against all that it must be.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub async fn verify_journal(&self, id: &TaskId) -> Result<JournalCheck, CommandError> {
        let checked = self.rooms.store.verify(id).await;
        checked.map_err(|error| refused(id, &error))
    }

    /// Mends a task's journal and keeps the original; only says what it would do when `dry`. A task that
    /// could not be served for it is served again.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`], and [`CommandError::Conflict`] while its journal is being written or
    /// when nothing can be done.
    pub async fn repair_journal(
        &self,
        id: &TaskId,
        dry: bool,
    ) -> Result<JournalRepair, CommandError> {
        // Until then every journal may be open for a moment.
        let mut published = self.published.clone();
        let read = published.wait_for(|now| !now.snapshot.phases.journals);
        read.await.map_err(|_| CommandError::ShuttingDown)?;
        let store = &self.rooms.store;
        let repaired = store.repair(id, ids::now(), rand::random(), dry).await;
        let repaired = repaired.map_err(|error| refused(id, &error))?;
        if !dry {
            tracing::info!(task.id = %id, steps = repaired.steps.len(), "the journal was repaired");
            match store.journal(id).await {
                Ok(journal) => self.tell(Input::Adopt(Box::new(journal))).await?,
                Err(StoreError::Archived { .. } | StoreError::WriterBusy { .. }) => {}
                Err(error) => return Err(CommandError::failed(error)),
            }
        }
        Ok(repaired)
    }

    /// What is kept longer than it was set to be; with `unreferenced`, large outputs that no journal refers
    /// to as well, for which journals are read.
    ///
    /// # Errors
    /// [`CommandError::Failed`].
    pub async fn expired(&self, unreferenced: bool) -> Result<Vec<Expired>, CommandError> {
        let (store, retention) = (&self.rooms.store, self.rooms.chosen().retention);
        let found = store.expired(retention, unreferenced, ids::now()).await;
        found.map_err(CommandError::failed)
    }

    /// Removes it, and gives what was removed.
    ///
    /// # Errors
    /// [`CommandError::Failed`].
    pub async fn let_go(&self, unreferenced: bool) -> Result<Vec<Expired>, CommandError> {
        let (store, retention) = (&self.rooms.store, self.rooms.chosen().retention);
        let gone = store.let_go(retention, unreferenced, ids::now()).await;
        let gone = gone.map_err(CommandError::failed)?;
        for expired in &gone {
            if expired.what == ExpiredKind::Journal {
                self.tell(Input::Forget(expired.task_id.clone())).await?;
            }
        }
        Ok(gone)
    }
}

fn refused(id: &TaskId, error: &StoreError) -> CommandError {
    match error {
        StoreError::NoSuchTask { .. } => CommandError::no_such_task(id),
        StoreError::WriterBusy { .. } => CommandError::conflict(format!(
            "the journal of task {id} is being written: stop Paddock, then say it again"
        )),
        StoreError::BeyondRepair { .. } | StoreError::Damaged { .. } => {
            CommandError::conflict(error)
        }
        StoreError::InUse { .. }
        | StoreError::Full { .. }
        | StoreError::Io { .. }
        | StoreError::InDoubt { .. }
        | StoreError::WriterLost { .. }
        | StoreError::TaskExists { .. }
        | StoreError::NotABeginning { .. }
        | StoreError::Archived { .. }
        | StoreError::NotAnArtifact { .. }
        | StoreError::NoSuchArtifact { .. }
        | StoreError::NoSuchUpload { .. }
        | StoreError::TooManyUploads { .. }
        | StoreError::Encode { .. }
        | StoreError::Index { .. }
        | StoreError::Closed => CommandError::failed(error),
    }
}

/// Archives journals of purged tasks, compresses those of tasks that rest, and lets go of what is kept no
/// longer, for as long as Paddock serves.
pub(crate) async fn keep(
    rooms: Arc<Rooms>,
    mut published: watch::Receiver<Published>,
    inputs: mpsc::Sender<Input>,
) {
    let mut keeper = Keeper::default();
    loop {
        let snapshot = published.borrow_and_update().snapshot.clone();
        let mut next = LOOK_EVERY;
        if !snapshot.phases.journals {
            for task in snapshot.tasks.values() {
                next = next.min(keeper.look(&rooms, task, &inputs).await);
            }
            keeper.let_go(&rooms, &inputs).await;
        }
        tokio::time::sleep(LOOK_AFTER).await;
        tokio::select! {
            changed = published.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(next) => {}
        }
    }
}

/// What was done already.
#[derive(Default)]
struct Keeper {
    /// Tasks whose journals are as they are to be, with their last event.
    done: BTreeMap<TaskId, u64>,
    /// How often runners were asked to compress a journal.
    asked: BTreeMap<TaskId, u32>,
    let_go_at: Option<Instant>,
}

impl Keeper {
    /// Does what is due for `task`. Gives when it is to be looked at again.
    async fn look(&mut self, rooms: &Rooms, task: &Task, inputs: &mpsc::Sender<Input>) -> Duration {
        let id = &task.task_id;
        if self.done.get(id) == Some(&task.last_seq) {
            return LOOK_EVERY;
        }
        if task.machine().is_terminal() {
            match rooms.store.archive(id).await {
                Err(StoreError::WriterBusy { .. }) => return LOOK_AFTER, // its runner is about to end
                Err(StoreError::Archived { .. }) | Ok(()) => {}
                Err(error) => {
                    tracing::warn!(task.id = %id, %error, "a purged task's journal is not archived");
                }
            }
        } else {
            match rests_for(task, rooms.chosen().compress_after, ids::now()) {
                None => return LOOK_EVERY,
                Some(Duration::ZERO) if !rooms.store.is_packed(id) => {
                    let _ = inputs.send(Input::Settle(id.clone())).await; // gone only at the end
                    return self.pause(id);
                }
                Some(Duration::ZERO) => {}
                Some(left) => return left,
            }
        }
        self.asked.remove(id);
        self.done.insert(id.clone(), task.last_seq);
        LOOK_EVERY
    }

    /// How long to wait for a runner that was asked to compress a journal: it may be busy, or the disk full.
    fn pause(&mut self, id: &TaskId) -> Duration {
        let asked = self.asked.entry(id.clone()).or_default();
        *asked = asked.saturating_add(1);
        LOOK_AFTER
            .saturating_mul(1 << (*asked).min(10))
            .min(LOOK_EVERY)
    }

    async fn let_go(&mut self, rooms: &Rooms, inputs: &mpsc::Sender<Input>) {
        let retention = rooms.chosen().retention;
        let is_due = self.let_go_at.is_none_or(|at| at <= Instant::now());
        if retention == paddock_store::Retention::default() || !is_due {
            return;
        }
        self.let_go_at = Some(Instant::now() + LET_GO_EVERY);
        match rooms.store.let_go(retention, false, ids::now()).await {
            Ok(gone) => {
                for expired in gone {
                    tracing::info!(task.id = %expired.task_id, what = ?expired.what, bytes = expired.bytes, "kept no longer");
                    if expired.what == ExpiredKind::Journal {
                        let _ = inputs.send(Input::Forget(expired.task_id)).await; // gone only at the end
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "what is kept no longer could not be removed"),
        }
    }
}

/// How long until a task that rests has rested for `after`; nothing for one that does not rest.
pub(crate) fn rests_for(task: &Task, after: Duration, now: Timestamp) -> Option<Duration> {
    match task.state {
        StateName::Stopped | StateName::Crashed | StateName::Failed => {
            let rested = Duration::from_millis(now.since_ms(task.updated_at));
            Some(after.saturating_sub(rested))
        }
        StateName::Pending
        | StateName::Branching
        | StateName::Provisioning
        | StateName::Starting
        | StateName::Running
        | StateName::Waiting
        | StateName::Asking
        | StateName::HasPlan
        | StateName::Pulling
        | StateName::Pushing
        | StateName::Stopping
        | StateName::Purging
        | StateName::Purged => None,
    }
}

/// What was wrong with the journal of task `id` when it was opened, for whoever looks at the task.
pub(crate) fn words(report: &OpenReport, id: &TaskId) -> Vec<String> {
    let cuts = report.cuts.iter().filter(|cut| cut.task_id == *id);
    let cuts = cuts.map(|cut| {
        let kept = cut.kept.as_ref().and_then(|path| path.file_name());
        let kept = kept.map_or_else(String::new, |name| {
            format!(" and kept as `{}`", name.to_string_lossy())
        });
        format!(
            "The journal's end was torn by a write that was cut short: {} bytes, never acknowledged, were cut off{kept}.",
            cut.bytes
        )
    });
    let altered = report.altered.iter().filter(|(task, _)| task == id);
    let altered = altered.map(|(_, how)| {
        format!("The journal was changed outside Paddock: {how}. It goes on as it is now.")
    });
    let aside = report.set_aside.iter().filter(|task| *task == id);
    let aside = aside.map(|_| {
        "Another copy of the journal lay beside it and was not the same; it was set aside as a `journal.cut-…`.".to_owned()
    });
    cuts.chain(altered).chain(aside).collect()
}

/// Tasks as they were found at start, with what is wrong with the journals of some.
pub(crate) fn as_found(tasks: Vec<Task>, report: &OpenReport) -> Vec<Task> {
    let told = |task: Task| {
        let id = &task.task_id;
        let damaged = report.damaged.iter().find(|(of, _)| of == id);
        match damaged.map(|(_, damage)| damage.clone()) {
            Some(damage) => {
                let of = id.clone();
                unserved(task, &StoreError::Damaged { task: of, damage })
            }
            None => task,
        }
    };
    tasks.into_iter().map(told).collect()
}

/// A task whose journal cannot be opened, as it was last known, with what is in the way.
pub(crate) fn unserved(mut task: Task, error: &StoreError) -> Task {
    task.failure = Some(Failure {
        class: ErrorClass::Internal,
        message: error.to_string(),
    });
    task.allowed.clear();
    task
}
