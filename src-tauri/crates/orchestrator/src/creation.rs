//! Creating tasks, each once: a client that lost the answer asks again with the same key.
//!
//! The key stands in the journal's first line, so it means the same to every later life of Paddock. Two
//! requests with one key that come at the same time are made one after the other.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use paddock_domain::{RequestKey, StateName, Task, TaskId, TaskSpec};
use tokio::sync::{Mutex, MutexGuard};

use crate::dispatcher::Input;
use crate::runner::begin;
use crate::{CommandError, Orchestrator, accounts, attachments, ids, place, repository};

/// Most tasks that may wait for a place.
const WAITING: usize = 1000;

/// A task that was asked for.
#[derive(Clone, Debug)]
pub struct Created {
    /// The task.
    pub task: Arc<Task>,
    /// Whether it is new; not when its key was used before.
    pub is_new: bool,
}

/// Makes requests with one key wait for each other.
#[derive(Debug)]
pub(crate) struct Keys {
    stripes: Vec<Mutex<()>>,
    hasher: RandomState,
}

impl Keys {
    /// Keys that share a stripe wait for each other too.
    const STRIPES: usize = 16;

    pub(crate) fn new() -> Self {
        Self {
            stripes: (0..Self::STRIPES).map(|_| Mutex::default()).collect(),
            hasher: RandomState::new(),
        }
    }

    pub(crate) async fn hold(&self, key: &RequestKey) -> Option<MutexGuard<'_, ()>> {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(key.as_str().as_bytes());
        let at = usize::try_from(hasher.finish() % Self::STRIPES as u64).ok()?;
        Some(self.stripes.get(at)?.lock().await)
    }
}

impl Orchestrator {
    /// Creates a task, or gives the one that was created with the same key. What can be told to fail is
    /// refused before anything is made.
    ///
    /// # Errors
    /// [`CommandError::Invalid`], [`CommandError::NotFound`], [`CommandError::DiskFull`], and
    /// [`CommandError::Conflict`] when the key was used for another task.
    pub async fn create(&self, spec: TaskSpec) -> Result<Created, CommandError> {
        spec.check()?;
        if spec.origin.is_some() {
            let message = "`origin` is written by Paddock: fork a task to begin where it stands";
            return Err(CommandError::bad(message));
        }
        let Some(key) = spec.request_key.clone() else {
            return self.begin(ids::new_task(), spec).await;
        };
        let _alone = self.rooms.keys.hold(&key).await;
        let Some(task) = self.created_with(&key) else {
            return self.begin(ids::new_task(), spec).await;
        };
        if *task.spec != spec {
            return Err(CommandError::conflict(format!(
                "the key {key} was used for task {}, which asks for something else: use a new key",
                task.task_id
            )));
        }
        let is_new = false;
        Ok(Created { task, is_new })
    }

    pub(crate) fn created_with(&self, key: &RequestKey) -> Option<Arc<Task>> {
        let snapshot = self.snapshot();
        let mut tasks = snapshot.tasks.values();
        tasks
            .find(|task| task.spec.request_key.as_ref() == Some(key))
            .cloned()
    }

    pub(crate) async fn begin(&self, id: TaskId, spec: TaskSpec) -> Result<Created, CommandError> {
        self.rooms.disk.admit()?;
        attachments::check(&self.rooms.store, None, &spec.attachments).await?;
        place::program(&self.rooms, &spec)?;
        accounts::check_spec(&self.rooms, &spec)?;
        for wanted in &spec.repositories {
            repository::check(&self.rooms, wanted).await?;
        }
        if self.waiting() >= WAITING {
            return Err(CommandError::Overloaded {
                what: "the queue of tasks",
            });
        }
        let journal = begin::begin(&self.rooms, id, spec)
            .await
            .map_err(|error| self.rooms.not_written(&error))?;
        let id = journal.task().task_id.clone();
        tracing::info!(task.id = %id, harness = %journal.task().spec.harness, "task created");
        self.tell(Input::Adopt(Box::new(journal))).await?;
        let mut published = self.published.clone();
        let shown = published
            .wait_for(|now| now.snapshot.tasks.contains_key(&id))
            .await;
        shown.map(drop).map_err(|_| CommandError::ShuttingDown)?;
        let (task, is_new) = (self.task(&id)?, true);
        Ok(Created { task, is_new })
    }

    fn waiting(&self) -> usize {
        let snapshot = self.snapshot();
        let pending = |task: &&Arc<Task>| task.state == StateName::Pending;
        snapshot.tasks.values().filter(pending).count()
    }
}
