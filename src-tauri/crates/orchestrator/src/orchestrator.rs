//! The handle that every door holds.
//!
//! Reads come from what was published and never wait. Commands go to the dispatcher and through it to
//! the task's runner; each has its own answer. [`Orchestrator::start`] answers at once: what earlier
//! lives left is looked for beside it, and the snapshot says `loading` until all is known.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use paddock_boxes::{Boxes, Check};
use paddock_domain::{
    Answer, ApprovalId, CommitPreview, CommitRequest, Decision, DiffRequest, HarnessName, InputId,
    Message, PlanDecision, PlanId, Program, PurgePreview, PurgeRequest, QuestionId, SquashPreview,
    StateName, SyncReport, SyncRequest, Task, TaskId, TaskSpec,
};
use paddock_exec::Here;
use paddock_store::{OpenReport, Store, StoreError};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::dispatcher::{Dispatcher, INPUTS, Input, Published};
use crate::harnesses::{self, HarnessView};
use crate::live::{Feed, LiveItem, StreamEnd, from_now};
use crate::repository::{self, RepositoryInfo};
use crate::rooms::Rooms;
use crate::runner::{Order, Reply, begin};
use crate::snapshot::OrphanBox;
use crate::{CommandError, EventStream, OrchestratorSettings, Snapshot, ids, place};

/// Most tasks that may wait for a place.
const WAITING: usize = 1000;

/// See the head of this file. Cheap to clone.
#[derive(Clone)]
pub struct Orchestrator {
    rooms: Arc<Rooms>,
    inputs: mpsc::Sender<Input>,
    published: watch::Receiver<Published>,
    all: broadcast::Sender<LiveItem>,
}

/// An orchestrator at work; ended by [`Running::shutdown`].
pub struct Running {
    rooms: Arc<Rooms>,
    tracker: TaskTracker,
    stop: CancellationToken,
}

/// The data directory could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The journals could not be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Orchestrator {
    /// Opens the data and publishes what is there; boxes and runs are adopted beside it.
    ///
    /// # Errors
    /// [`StartError`], with a second instance on the same data among them.
    pub async fn start(settings: OrchestratorSettings) -> Result<(Self, Running), StartError> {
        let (store, report) = Store::open(&settings.data_dir, ids::now()).await?;
        tell(&report);
        let boxes = Boxes::new(settings.boxes.clone());
        let rooms = Arc::new(Rooms {
            settings,
            store,
            boxes,
            host: Here,
        });
        let (all, (inputs, receiver)) = (Feed::for_all(), mpsc::channel(INPUTS));
        let (sender, published) = watch::channel(as_found(&rooms, &all));
        let (tracker, stop) = (TaskTracker::new(), CancellationToken::new());
        let channel = (inputs.clone(), receiver);
        let dispatcher = Dispatcher::new(
            rooms.clone(),
            channel,
            sender,
            all.clone(),
            tracker.clone(),
            stop.clone(),
        );
        tracker.spawn(dispatcher.run());
        tracker.spawn(until(stop.clone(), adopt(rooms.clone(), inputs.clone())));
        tracker.spawn(until(
            stop.clone(),
            watch_boxes(rooms.clone(), inputs.clone()),
        ));
        let running = Running {
            rooms: rooms.clone(),
            tracker,
            stop,
        };
        Ok((
            Self {
                rooms,
                inputs,
                published,
                all,
            },
            running,
        ))
    }

    /// All there is, as it was published last.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.published.borrow().snapshot.clone()
    }

    /// One task.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub fn task(&self, id: &TaskId) -> Result<Arc<Task>, CommandError> {
        let task = self.published.borrow().snapshot.tasks.get(id).cloned();
        task.ok_or_else(|| CommandError::no_such_task(id))
    }

    /// A task's events after `since_seq`: history, ready, then live.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub fn events(&self, id: &TaskId, since_seq: u64) -> Result<EventStream, CommandError> {
        let feed = self.published.borrow().feeds.get(id).cloned();
        let feed = feed.ok_or_else(|| CommandError::no_such_task(id))?;
        Ok(feed.subscribe(self.rooms.store.reader(id), since_seq))
    }

    /// Events of all tasks from now on.
    pub fn all_events(
        &self,
    ) -> impl Stream<Item = Result<LiveItem, StreamEnd>> + Send + 'static + use<> {
        from_now(self.all.subscribe(), 0)
    }

    /// The content of an artifact of a task.
    ///
    /// # Errors
    /// [`CommandError::NotFound`].
    pub async fn artifact(&self, id: &TaskId, sha256: &str) -> Result<Bytes, CommandError> {
        let found = self.rooms.store.artifact(id, sha256).await;
        found.map_err(|error| {
            let missing = matches!(
                error,
                StoreError::NotAnArtifact { .. } | StoreError::NoSuchArtifact { .. }
            );
            CommandError::missing_or_failed("artifact", missing, error)
        })
    }

    /// The harnesses there are, with what is installed of them.
    pub async fn harnesses(&self) -> Vec<HarnessView> {
        harnesses::list(&self.rooms)
    }

    /// Installs an agent program; `progress` hears what is being done.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] for an unknown harness, [`CommandError::Failed`] with what to do.
    pub async fn install_harness(
        &self,
        harness: &HarnessName,
        version: Option<&str>,
        progress: &(dyn Fn(String) + Send + Sync),
    ) -> Result<Program, CommandError> {
        harnesses::install(&self.rooms, harness, version, progress).await
    }

    /// What this machine has and lacks for boxes and agents.
    pub async fn doctor(&self) -> Vec<Check> {
        self.rooms.boxes.doctor().await
    }

    /// What is at `path`: branches, remotes, what a task would start from.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] with what is there in place of a repository.
    pub async fn repository(&self, path: &str) -> Result<RepositoryInfo, CommandError> {
        repository::look(&self.rooms, path).await
    }

    /// Creates a task. What can be told to fail is refused before anything is made.
    ///
    /// # Errors
    /// [`CommandError::Invalid`], [`CommandError::NotFound`].
    pub async fn create(&self, spec: TaskSpec) -> Result<Arc<Task>, CommandError> {
        spec.check()?;
        place::program(&self.rooms, &spec)?;
        for wanted in &spec.repositories {
            repository::check(&self.rooms, wanted).await?;
        }
        if self.waiting() >= WAITING {
            return Err(CommandError::Overloaded {
                what: "the queue of tasks",
            });
        }
        let journal = begin::begin(&self.rooms, spec)
            .await
            .map_err(CommandError::failed)?;
        let id = journal.task().task_id.clone();
        tracing::info!(task.id = %id, harness = %journal.task().spec.harness, "task created");
        let adopt = Input::Adopt(Box::new(journal));
        self.inputs
            .send(adopt)
            .await
            .map_err(|_| CommandError::ShuttingDown)?;
        let mut published = self.published.clone();
        let shown = published
            .wait_for(|now| now.snapshot.tasks.contains_key(&id))
            .await;
        shown.map(drop).map_err(|_| CommandError::ShuttingDown)?;
        self.task(&id)
    }

    fn waiting(&self) -> usize {
        let published = self.published.borrow();
        let pending = |task: &&Arc<Task>| task.state == StateName::Pending;
        published.snapshot.tasks.values().filter(pending).count()
    }

    /// Says something to a task's agent; a stopped task is revived for it.
    ///
    /// # Errors
    /// [`CommandError::NotNow`].
    pub async fn send(&self, id: &TaskId, message: Message) -> Result<InputId, CommandError> {
        self.order(id, |reply| Order::Send(message, reply)).await
    }

    /// Answers one question.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when it is not open (any more).
    pub async fn answer(
        &self,
        id: &TaskId,
        question: QuestionId,
        answer: Answer,
    ) -> Result<(), CommandError> {
        self.order(id, |reply| Order::Answer(question, answer, reply))
            .await
    }

    /// Decides on a permission.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when it is not open (any more).
    pub async fn decide(
        &self,
        id: &TaskId,
        approval: ApprovalId,
        decision: Decision,
    ) -> Result<(), CommandError> {
        self.order(id, |reply| Order::Decide(approval, decision, reply))
            .await
    }

    /// Decides on a plan.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when it is not open (any more).
    pub async fn decide_plan(
        &self,
        id: &TaskId,
        plan: PlanId,
        decision: PlanDecision,
    ) -> Result<(), CommandError> {
        self.order(id, |reply| Order::DecidePlan(plan, decision, reply))
            .await
    }

    /// Ends the turn; the run lives on.
    ///
    /// # Errors
    /// [`CommandError::NotNow`] without a turn.
    pub async fn interrupt(&self, id: &TaskId) -> Result<(), CommandError> {
        self.order(id, Order::Interrupt).await
    }

    /// Ends the run; the box is kept.
    ///
    /// # Errors
    /// [`CommandError::NotNow`].
    pub async fn stop(&self, id: &TaskId) -> Result<(), CommandError> {
        self.order(id, Order::Stop).await
    }

    /// Starts the agent again in its box, with its session.
    ///
    /// # Errors
    /// [`CommandError::NotNow`], [`CommandError::Overloaded`] when the host has no place.
    pub async fn revive(&self, id: &TaskId) -> Result<(), CommandError> {
        self.order(id, Order::Revive).await
    }

    /// What a purge would take.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub async fn purge_preview(&self, id: &TaskId) -> Result<PurgePreview, CommandError> {
        self.order(id, Order::PurgePreview).await
    }

    /// Marks the task for removal after its recovery window.
    ///
    /// # Errors
    /// [`CommandError::WouldLose`] unless forced.
    pub async fn purge(&self, id: &TaskId, request: PurgeRequest) -> Result<(), CommandError> {
        self.order(id, |reply| Order::Purge(request, reply)).await
    }

    /// Takes a purge back.
    ///
    /// # Errors
    /// [`CommandError::NotNow`] after the recovery window.
    pub async fn restore(&self, id: &TaskId) -> Result<(), CommandError> {
        self.order(id, Order::Restore).await
    }

    /// What changed, as a unified diff.
    ///
    /// # Errors
    /// [`CommandError::Bad`] when it is not clear which repository is meant.
    pub async fn diff(&self, id: &TaskId, request: DiffRequest) -> Result<String, CommandError> {
        self.order(id, |reply| Order::Diff(request, reply)).await
    }

    /// What a commit of everything uncommitted would hold.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] while a merge is under way in the box.
    pub async fn commit_preview(
        &self,
        id: &TaskId,
        repository: Option<String>,
    ) -> Result<Vec<CommitPreview>, CommandError> {
        self.order(id, |reply| Order::CommitPreview(repository, reply))
            .await
    }

    /// Commits what a preview showed; gives the commit.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when it has changed since.
    pub async fn commit(
        &self,
        id: &TaskId,
        request: CommitRequest,
    ) -> Result<String, CommandError> {
        self.order(id, |reply| Order::Commit(request, reply)).await
    }

    /// What a squash onto the default branches would meet.
    ///
    /// # Errors
    /// [`CommandError::Failed`].
    pub async fn squash_preview(&self, id: &TaskId) -> Result<Vec<SquashPreview>, CommandError> {
        self.order(id, Order::SquashPreview).await
    }

    /// Brings commits out and pushes them.
    ///
    /// # Errors
    /// [`CommandError::Findings`], [`CommandError::Conflict`].
    pub async fn sync(
        &self,
        id: &TaskId,
        request: SyncRequest,
    ) -> Result<SyncReport, CommandError> {
        self.order(id, |reply| Order::Sync(request, reply)).await
    }

    async fn order<T>(
        &self,
        id: &TaskId,
        order: impl FnOnce(Reply<T>) -> Order,
    ) -> Result<T, CommandError> {
        let (reply, answer) = oneshot::channel();
        let (taken, passed_on) = oneshot::channel();
        let input = Input::Order(id.clone(), Box::new(order(reply)), taken);
        self.inputs
            .send(input)
            .await
            .map_err(|_| CommandError::ShuttingDown)?;
        passed_on.await.unwrap_or(Err(CommandError::ShuttingDown))?;
        answer.await.unwrap_or(Err(CommandError::ShuttingDown))
    }
}

impl Running {
    /// Ends everything here and nothing in the boxes: agents work on and are found again. Gives how
    /// many did not end within `bound`.
    pub async fn shutdown(self, bound: Duration) -> usize {
        self.stop.cancel();
        self.tracker.close();
        let left = match tokio::time::timeout(bound, self.tracker.wait()).await {
            Ok(()) => 0,
            Err(_) => self.tracker.len(),
        };
        self.rooms.store.close().await;
        left
    }
}

/// What is known before anything is adopted: every task as its journal has it.
fn as_found(rooms: &Rooms, all: &broadcast::Sender<LiveItem>) -> Published {
    let tasks = rooms.store.tasks();
    let feed = |task: &Task| Arc::new(Feed::new(task.task_id.clone(), all.clone()));
    let feeds = tasks
        .iter()
        .map(|task| (task.task_id.clone(), feed(task)))
        .collect();
    let tasks = tasks
        .into_iter()
        .map(|task| (task.task_id.clone(), Arc::new(task)));
    let snapshot = Snapshot {
        tasks: tasks.collect(),
        loading: true,
        parallel_tasks: rooms.settings.parallel_tasks,
        ..Snapshot::default()
    };
    Published {
        snapshot: Arc::new(snapshot),
        feeds: Arc::new(feeds),
    }
}

async fn until(stop: CancellationToken, work: impl Future<Output = ()>) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = work => {}
    }
}

/// Finds what earlier lives left: journals first, then boxes that belong to none of them.
async fn adopt(rooms: Arc<Rooms>, inputs: mpsc::Sender<Input>) {
    let tasks = rooms.store.tasks();
    for task in &tasks {
        match rooms.store.journal(&task.task_id).await {
            Ok(journal) => {
                let _ = inputs.send(Input::Adopt(Box::new(journal))).await;
            }
            Err(error) => {
                tracing::warn!(task.id = %task.task_id, %error, "the task is shown as it was last known");
                let _ = inputs.send(Input::Published(Arc::new(task.clone()))).await;
            }
        }
    }
    match rooms.boxes.find().await {
        Ok(found) => {
            let known = |id: &TaskId| tasks.iter().any(|task| task.task_id == *id);
            let orphans = found.into_iter().filter(|found| !known(&found.task_id));
            let orphans = orphans.map(|found| OrphanBox {
                name: found
                    .record
                    .map_or_else(|| "unknown".to_owned(), |record| record.name),
                host: paddock_domain::HostName::local(),
                advice: "no task owns this box: look into it, then remove it by hand".to_owned(),
                task_id: found.task_id,
            });
            let _ = inputs.send(Input::Orphans(orphans.collect())).await;
        }
        Err(error) => tracing::warn!(%error, "boxes without a task could not be looked for"),
    }
    let _ = inputs.send(Input::Loaded).await;
}

async fn watch_boxes(rooms: Arc<Rooms>, inputs: mpsc::Sender<Input>) {
    let mut events = std::pin::pin!(rooms.boxes.watch());
    while let Some(event) = events.next().await {
        if inputs.send(Input::Box(event)).await.is_err() {
            return;
        }
    }
}

fn tell(report: &OpenReport) {
    for cut in &report.cuts {
        tracing::warn!(task.id = %cut.task_id, "a torn end was cut off the journal: it had not been acknowledged");
    }
    for (task, damage) in &report.damaged {
        tracing::error!(task.id = %task, %damage, "the journal is damaged; what is before it can be read");
    }
    for (path, why) in &report.unreadable {
        tracing::warn!(path = %path.display(), why, "this is no task");
    }
}
