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
    Answer, ApprovalId, CommitPreview, CommitRequest, Decision, DiffRequest, HarnessName, KeepRule,
    Link, PlanDecision, PlanId, Program, PurgePreview, PurgeRequest, QuestionId, SquashPreview,
    SyncReport, SyncRequest, Task, TaskId,
};
use paddock_exec::Here;
use paddock_store::{OpenReport, Store, StoreError};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::accounts::{self, AccountBook};
use crate::adoption::adopt;
use crate::choices::Choices;
use crate::creation::Keys;
use crate::disk::DiskGauge;
use crate::dispatcher::{Dispatcher, INPUTS, Input};
use crate::harnesses::{self, HarnessView};
use crate::keeping;
use crate::kept::KeptError;
use crate::keys;
use crate::live::{Feed, LiveItem, Ring, StreamEnd, from_now};
use crate::published::{Published, Publisher};
use crate::repository::{self, RepositoryInfo};
use crate::rooms::Rooms;
use crate::rules::{self, RuleBook};
use crate::runner::{Order, Reply};
use crate::search::{self, Unread};
use crate::statistics::{self, Board};
use crate::templates::{self, TemplateBook};
use crate::terminals::Desk;
use crate::vault::Secrets;
use crate::{CommandError, EventStream, OrchestratorSettings, Phases, Snapshot, ids};

/// See the head of this file. Cheap to clone.
#[derive(Clone)]
pub struct Orchestrator {
    pub(crate) rooms: Arc<Rooms>,
    inputs: mpsc::Sender<Input>,
    pub(crate) published: watch::Receiver<Published>,
    all: Ring,
    pub(crate) board: Board,
    pub(crate) desk: Desk,
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
    /// What users chose could not be read.
    #[error(transparent)]
    Kept(#[from] KeptError),
}

impl Orchestrator {
    /// Opens the data and publishes what is there; boxes and runs are adopted beside it.
    ///
    /// # Errors
    /// [`StartError`], with a second instance on the same data among them.
    pub async fn start(settings: OrchestratorSettings) -> Result<(Self, Running), StartError> {
        let (store, report) = Store::open(&settings.data_dir, ids::now()).await?;
        tell(&report);
        let disk = DiskGauge::new(&settings.data_dir, settings.disk_low_bytes);
        let boxes = Boxes::new(settings.boxes.clone());
        let secrets = Secrets::new(&settings);
        let rules = RuleBook::open(settings.data_dir.join(rules::FILE))?;
        let choices = Choices::open(&settings)?;
        let templates = TemplateBook::open(settings.data_dir.join(templates::FILE))?;
        let board = Board::new();
        let rooms = Arc::new(Rooms {
            board: board.clone(),
            accounts: AccountBook::open(settings.data_dir.join(accounts::FILE))?,
            rules,
            settings,
            secrets,
            choices,
            templates,
            unread: Unread::default(),
            store,
            found: report,
            boxes,
            host: Here,
            disk,
            keys: Keys::new(),
        });
        let (all, (inputs, receiver)) = (Feed::for_all(), mpsc::channel(INPUTS));
        let (publisher, published) = Publisher::new(as_found(&rooms, &all));
        let (tracker, stop) = (TaskTracker::new(), CancellationToken::new());
        let channel = (inputs.clone(), receiver);
        let dispatcher = Dispatcher::new(
            rooms.clone(),
            channel,
            publisher,
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
        let watched = rooms.clone();
        tracker.spawn(until(
            stop.clone(),
            async move { watched.disk.watch().await },
        ));
        tracker.spawn(until(
            stop.clone(),
            tell_disk(rooms.clone(), inputs.clone()),
        ));
        let kept = keeping::keep(rooms.clone(), published.clone(), inputs.clone());
        tracker.spawn(until(stop.clone(), kept));
        let sampled = statistics::sample(rooms.clone(), published.clone(), board.clone());
        tracker.spawn(until(stop.clone(), sampled));
        let searched = search::feed(rooms.clone(), published.clone());
        tracker.spawn(until(stop.clone(), searched));
        let (desk, kept) = Desk::new(rooms.clone());
        tracker.spawn(until(stop.clone(), kept));
        let running = Running {
            rooms: rooms.clone(),
            tracker,
            stop,
        };
        let this = Self {
            rooms,
            inputs,
            published,
            all,
            board,
            desk,
        };
        let limited = crate::choices::restore_limits(this.clone());
        running.tracker.spawn(until(running.stop.clone(), limited));
        let swept = crate::trash::sweep(this.clone());
        running.tracker.spawn(until(running.stop.clone(), swept));
        let resumed = crate::resuming::keep(this.clone());
        running.tracker.spawn(until(running.stop.clone(), resumed));
        Ok((this, running))
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

    /// How Paddock is connected to a task's box just now; as to no box for a task that is not known.
    #[must_use]
    pub fn link(&self, id: &TaskId) -> Link {
        let feeds = self.published.borrow().feeds.clone();
        feeds
            .get(id)
            .map(|feed| feed.link_now())
            .unwrap_or_default()
    }

    /// A task's events after `since_seq`: history, ready, then live.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub fn events(&self, id: &TaskId, since_seq: u64) -> Result<EventStream, CommandError> {
        let feed = self.published.borrow().feeds.get(id).cloned();
        let Some(feed) = feed else {
            return self.settled_events(id, since_seq);
        };
        Ok(feed.subscribe(self.rooms.store.reader(id), since_seq))
    }

    /// Events of all tasks from now on.
    pub fn all_events(
        &self,
    ) -> impl Stream<Item = Result<LiveItem, StreamEnd>> + Send + 'static + use<> {
        from_now(self.all.listen(), 0)
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
        harnesses::list(&self.rooms).await
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
        self.rooms.disk.admit()?;
        harnesses::install(&self.rooms, harness, version, progress).await
    }

    /// What this machine has and lacks for boxes and agents.
    pub async fn doctor(&self) -> Vec<Check> {
        let mut checks = self.rooms.boxes.doctor().await;
        checks.extend(keys::checks(&self.rooms.secrets, &self.rooms.settings).await);
        checks
    }

    /// What is at `path`: branches, remotes, what a task would start from.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] with what is there in place of a repository.
    pub async fn repository(&self, path: &str) -> Result<RepositoryInfo, CommandError> {
        repository::look(&self.rooms, path).await
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

    /// Decides on a permission; `keep` makes rules of it.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when it is not open (any more).
    pub async fn decide(
        &self,
        id: &TaskId,
        approval: ApprovalId,
        decision: Decision,
        keep: Option<KeepRule>,
    ) -> Result<(), CommandError> {
        self.order(id, |reply| Order::Decide(approval, decision, keep, reply))
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

    /// Ends the turn; the run lives on. Answers when that is sure to reach the agent.
    ///
    /// # Errors
    /// [`CommandError::NotNow`] without a turn, [`CommandError::Conflict`] when the agent cannot be reached.
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

    pub(crate) async fn order<T>(
        &self,
        id: &TaskId,
        order: impl FnOnce(Reply<T>) -> Order,
    ) -> Result<T, CommandError> {
        let (reply, answer) = oneshot::channel();
        let (taken, passed_on) = oneshot::channel();
        let input = Input::Order(id.clone(), Box::new(order(reply)), taken);
        self.tell(input).await?;
        passed_on.await.unwrap_or(Err(CommandError::ShuttingDown))?;
        answer.await.unwrap_or(Err(CommandError::ShuttingDown))
    }

    pub(crate) async fn tell(&self, input: Input) -> Result<(), CommandError> {
        let sent = self.inputs.send(input).await;
        sent.map_err(|_| CommandError::ShuttingDown)
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
fn as_found(rooms: &Rooms, all: &Ring) -> Published {
    let tasks = keeping::as_found(rooms.store.tasks(), &rooms.found);
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
        phases: Phases::ALL,
        parallel_tasks: rooms.settings.parallel_tasks,
        disk: rooms.disk.now(),
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

async fn watch_boxes(rooms: Arc<Rooms>, inputs: mpsc::Sender<Input>) {
    let mut events = std::pin::pin!(rooms.boxes.watch());
    while let Some(event) = events.next().await {
        if inputs.send(Input::Box(event)).await.is_err() {
            return;
        }
    }
}

/// Tells the dispatcher how the disk stands, now and whenever that changes.
async fn tell_disk(rooms: Arc<Rooms>, inputs: mpsc::Sender<Input>) {
    let mut changes = rooms.disk.subscribe();
    loop {
        let disk = changes.borrow_and_update().clone();
        if let Some(message) = &disk.message {
            tracing::warn!(%message, "no new work is taken");
        }
        if inputs.send(Input::Disk(disk)).await.is_err() || changes.changed().await.is_err() {
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
    for (task, how) in &report.altered {
        tracing::warn!(task.id = %task, %how, "the journal was changed outside Paddock");
    }
    for task in &report.set_aside {
        tracing::warn!(task.id = %task, "a second copy of the journal was set aside");
    }
    for (path, why) in &report.unreadable {
        tracing::warn!(path = %path.display(), why, "this is no task");
    }
}
