//! One runner per task: it alone writes the task's journal and holds its box and its run.
//!
//! It asks [`plan`] what to do, does it, sees what became of it, and asks again. Effects that take time
//! run beside it, one at a time, so that it stays open for orders and for what the agent says. What
//! users ask for is written down before it is acknowledged, and delivered after: an acknowledged
//! message survives any crash between the two.
//!
//! Start at [`Runner::live`].

mod again;
pub(crate) mod begin;
mod closing;
mod effects;
mod files;
mod follow;
mod hand_off;
mod inbox;
mod interrupt;
mod judging;
mod last_words;
mod link;
mod note;
mod orders;
mod pending;
mod queue;
mod removal;
mod retry;
mod run;
mod settle;
mod setup;
mod silence;
mod starved;
mod tuning;
mod unheard;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use paddock_boxes::LiveBox;
use paddock_domain::{Body, ErrorClass, Rule, Source, Task, TaskState, Transition, TurnId};
use paddock_relay_client::{DiffStream, RelayError};
use paddock_store::{Draft, Journal, StoreError};
use tokio::sync::{Mutex, mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub(crate) use closing::outcome_of;
pub(crate) use hand_off::program as program_for;
pub(crate) use note::Note;
pub(crate) use orders::{Order, Reply};
pub(crate) use queue::Saying;
pub use queue::Taken;
pub(crate) use setup::SetupError;

use crate::dispatcher::Input;
use crate::ids;
use crate::live::Feed;
use crate::offers;
use crate::plan::{BoxSeen, Effect, Observed, RunSeen, plan};
use crate::published::Publisher;
use crate::resuming::appointment;
use crate::rooms::Rooms;
use effects::Outcome;
use inbox::Inbox;
use link::Connection;
use retry::Retry;
use run::LiveRun;

/// How many orders may wait for a runner before a door is told that it is overloaded.
pub(crate) const ORDERS: usize = 64;
/// How many notes the jobs of one task may have ahead of the runner.
const NOTES: usize = 64;
/// How many jobs (diffs, previews, syncs) one task may have under way.
const JOBS: usize = 16;
/// A connection that lived for less than this counts as one that failed.
const SHORT_LIVED: Duration = Duration::from_secs(5);

/// The owner of one task.
pub(crate) struct Runner {
    rooms: Arc<Rooms>,
    journal: Journal,
    feed: Arc<Feed>,
    published: Publisher,
    dispatcher: mpsc::Sender<Input>,
    orders: mpsc::Receiver<Order>,
    notes: (mpsc::Sender<Note>, mpsc::Receiver<Note>),
    seen: Observed,
    place: Option<Arc<LiveBox>>,
    run: Option<LiveRun>,
    diffs: Option<DiffStream>,
    turn: Option<TurnId>,
    sending: Option<BoxFuture<'static, Result<(), RelayError>>>,
    doing: Option<BoxFuture<'static, Outcome>>,
    jobs: FuturesUnordered<BoxFuture<'static, ()>>,
    purge_at: Option<Instant>,
    retry: Retry,
    removal: removal::Removal,
    connection: Connection,
    starved: starved::Starved,
    judging: judging::Judging,
    silence: silence::Silence,
    /// The rules; woken when they change.
    rules: watch::Receiver<Arc<Vec<Rule>>>,
    /// When the box was reached last.
    reached_at: Option<Instant>,
    /// What a new session is to be told, once it is known.
    brief: Option<String>,
    /// Whether commits are to be brought out once more.
    bring_out_again: bool,
    /// Orders that begin a run and wait for the end of the one before.
    waiting: VecDeque<Order>,
    /// Ids of the last messages, so that a repeated one is not written twice.
    inbox: Inbox,
    /// Held by the job that moves commits: one at a time.
    git: Arc<Mutex<()>>,
}

impl Runner {
    pub(crate) fn new(
        rooms: Arc<Rooms>,
        journal: Journal,
        feed: Arc<Feed>,
        published: Publisher,
        dispatcher: mpsc::Sender<Input>,
        orders: mpsc::Receiver<Order>,
    ) -> Self {
        let task = journal.task();
        // A record that cannot be read is a box too.
        let recorded = !matches!(rooms.boxes.record(&task.task_id), Ok(None));
        let begun = recorded || task.box_name.is_some() || task.machine().holds_place();
        let seen = Observed {
            has_place: task.machine().holds_place(),
            place: if begun {
                BoxSeen::Unknown
            } else {
                BoxSeen::Absent
            },
            run: if task.run.is_some() {
                RunSeen::Unknown
            } else {
                RunSeen::None
            },
            syncing: false,
            bringing_out: false,
            purge_due: false,
            silent: false,
        };
        let turn = task.turn.as_ref().map(|turn| turn.turn_id.clone());
        let purge_at = matches!(task.machine(), TaskState::Purging(_)).then(|| {
            if Self::was_being_removed(&rooms, task) {
                return Instant::now();
            }
            let waited = Duration::from_millis(ids::now().since_ms(task.state_changed_at));
            Instant::now() + rooms.chosen().purge_window.saturating_sub(waited)
        });
        let rules = rooms.rules.subscribe();
        Self {
            rooms,
            journal,
            feed,
            published,
            dispatcher,
            orders,
            notes: mpsc::channel(NOTES),
            seen,
            place: None,
            run: None,
            diffs: None,
            turn,
            sending: None,
            doing: None,
            jobs: FuturesUnordered::new(),
            purge_at,
            retry: Retry::default(),
            removal: removal::Removal::default(),
            connection: Connection::default(),
            starved: starved::Starved::default(),
            judging: judging::Judging::default(),
            silence: silence::Silence::default(),
            rules,
            reached_at: None,
            brief: None,
            bring_out_again: false,
            waiting: VecDeque::new(),
            inbox: Inbox::default(),
            git: Arc::default(),
        }
    }

    /// Serves the task until it is purged or `stop` is cancelled. The agent outlives both the runner
    /// and Paddock.
    pub(crate) async fn live(mut self, stop: CancellationToken) {
        self.publish().await;
        loop {
            // A state that follows from what was seen of the box comes behind what was seen.
            if self.connection.was_told() {
                self.tell_link();
            }
            self.settle().await;
            self.tell_link();
            if let Some(order) = self.order_that_waited() {
                self.obey(order).await;
                continue;
            }
            if self.task().machine().is_terminal() && self.doing.is_none() {
                self.forget_rules().await;
                break;
            }
            let silence_due = self.silence_due();
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(order) = self.orders.recv() => self.obey(order).await,
                Some(note) = self.notes.1.recv() => self.take_note(note).await,
                Some(()) = self.jobs.next() => {}
                outcome = doing(&mut self.doing) => self.take(outcome).await,
                sent = sending(&mut self.sending) => self.sent(sent),
                heard = run::hear(&mut self.run), if self.retry.at.is_none() => self.ingest(heard).await,
                stat = follow::next_stat(&mut self.diffs) => self.take_stat(stat).await,
                () = follow::lost(self.place.as_deref()) => self.lose_box(),
                () = due(self.purge_at) => self.begin_purge(),
                () = due(self.retry.at) => self.retry.at = None,
                Ok(()) = self.rules.changed() => {}
                () = due(silence_due) => self.look_at_silence().await,
            }
        }
        self.publish().await;
    }

    pub(crate) fn task(&self) -> &Task {
        self.journal.task()
    }

    /// Begins to deliver the first message in line.
    fn begin_delivery(&mut self) {
        if self.sending.is_none() && self.retry.at.is_none() {
            self.sending = self.run.as_ref().and_then(LiveRun::delivery);
        }
    }

    /// Does everything that takes no time, and begins the first thing that does.
    async fn settle(&mut self) {
        if self.journal.last_seq() == 1 && self.retry.at.is_none() {
            self.write_prompt().await;
        }
        self.judge_open().await;
        self.make_appointment().await;
        self.begin_delivery();
        while self.doing.is_none() && self.retry.at.is_none() {
            let Some(effect) = plan(self.task(), &self.seen) else {
                return;
            };
            match effect {
                Effect::Record(transition) => self.record(transition).await,
                Effect::CloseRun(exit) => self.close_run(exit).await,
                Effect::SendNext => {
                    self.send_next().await;
                    self.begin_delivery();
                }
                Effect::ClaimBranches
                | Effect::FindBox
                | Effect::RaiseBox
                | Effect::StartRun
                | Effect::FollowRun
                | Effect::StopRun
                | Effect::EndBox
                | Effect::RemoveBox => self.begin(effect).await,
            }
        }
    }

    /// Writes a transition, and what it closes, into the journal.
    async fn record(&mut self, transition: Transition) {
        let cause = self.cause_of(transition);
        let Some(change) = self.change(transition, cause) else {
            return;
        };
        let mut bodies = vec![change];
        if let Some(outcome) =
            outcome_of(transition, self.task().machine()).filter(|_| self.turn.is_some())
        {
            let duration_ms = None;
            bodies.insert(
                0,
                Body::TurnFinished {
                    outcome,
                    duration_ms,
                },
            );
        }
        if transition == Transition::PurgeDone {
            bodies.push(self.last_word());
        }
        if let Err(error) = self.write(bodies).await {
            self.cannot_write(&error);
            return;
        }
        self.entered(transition);
    }

    fn change(&self, on: Transition, cause: Option<String>) -> Option<Body> {
        let from = self.task().machine();
        let to = from.apply(on).ok()?;
        Some(Body::StateChanged {
            from: from.name(),
            to: to.name(),
            on,
            cause,
        })
    }

    /// What a new state makes us forget or expect.
    fn entered(&mut self, transition: Transition) {
        match transition {
            Transition::ReviveRequested => {
                self.seen.run = RunSeen::None;
                self.seen.has_place = true;
            }
            Transition::PurgeRequested => {
                self.seen.purge_due = false;
                self.purge_at = Some(Instant::now() + self.rooms.chosen().purge_window);
            }
            Transition::PurgeUndone => {
                self.purge_at = None;
                self.seen.purge_due = false;
                self.seen.has_place = false;
            }
            Transition::Failed | Transition::Ended | Transition::Crashed => {
                self.seen.has_place = false;
                self.retry.worked();
            }
            Transition::Scheduled
            | Transition::Branched
            | Transition::BoxReady
            | Transition::Prompted
            | Transition::Resumed
            | Transition::Rested(_)
            | Transition::Engaged
            | Transition::PullStarted
            | Transition::PushStarted
            | Transition::Synced
            | Transition::StopRequested
            | Transition::PurgeDone => {}
        }
    }

    /// Appends events of our own to the journal, and tells everybody.
    async fn write(&mut self, bodies: Vec<Body>) -> Result<(), StoreError> {
        let drafts = bodies
            .into_iter()
            .map(|body| self.draft(body, None))
            .collect();
        self.append(drafts).await
    }

    /// An event as it is now: in this run, in this turn.
    fn draft(&mut self, body: Body, source: Option<Source>) -> Draft {
        let ends_turn = matches!(body, Body::TurnFinished { .. });
        let turn_id = if ends_turn {
            self.turn.take()
        } else {
            self.turn.clone()
        };
        let run_id = match &self.run {
            Some(run) => Some(run.run_id.clone()),
            None => self
                .task()
                .run
                .as_ref()
                .filter(|run| run.exit.is_none())
                .map(|run| run.run_id.clone()),
        };
        Draft {
            event_id: ids::new_event(),
            ts: ids::now(),
            run_id,
            turn_id,
            source,
            body,
        }
    }

    async fn append(&mut self, mut drafts: Vec<Draft>) -> Result<(), StoreError> {
        offers::without_repeated(&mut drafts, &self.rooms.store, self.journal.task()).await;
        if drafts.is_empty() {
            return Ok(());
        }
        let lines = match self.journal.append(drafts).await {
            Ok(lines) => lines,
            Err(error) => {
                // The turn is what is written.
                self.turn = self.task().turn.as_ref().map(|turn| turn.turn_id.clone());
                return Err(error);
            }
        };
        // Whoever hears of an event finds the task as it is after it.
        self.publish().await;
        for line in lines {
            self.feed.line(&line);
        }
        Ok(())
    }

    async fn publish(&mut self) {
        let task = Arc::new(self.task().clone());
        let id = task.task_id.clone();
        if self.published.show(task) {
            // The dispatcher is gone only when Paddock ends.
            let _ = self.dispatcher.send(Input::Moved(id)).await;
        }
    }

    fn cannot_write(&mut self, error: &StoreError) {
        let _ = self.rooms.not_written(error); // it is told where the disk is
        tracing::error!(task.id = %self.task().task_id, %error, "the journal cannot be written; trying again");
        self.retry.failed();
    }

    /// The connection is gone; one that breaks again at once is not made again at once.
    fn lose_box(&mut self) {
        let lived = self.reached_at.take().map(|at| at.elapsed());
        if lived.is_some_and(|lived| lived < SHORT_LIVED) {
            self.retry.failed();
        }
        self.seen.place = BoxSeen::Unreached;
        self.seen.run = RunSeen::Unknown;
        self.place = None;
        self.run = None;
        self.sending = None;
        self.diffs = None;
    }

    /// The rules of a task go with it; what is left over after a crash here does no harm.
    async fn forget_rules(&mut self) {
        let (rooms, task) = (self.rooms.clone(), self.task().task_id.clone());
        if let Err(error) = rooms.rules.forget(&task).await {
            tracing::warn!(task.id = %task, %error, "the rules of a task that is over are still there");
        }
    }

    /// A task that a usage limit holds up says when it goes on by itself, where the user opted in.
    async fn make_appointment(&mut self) {
        let by_default = self.rooms.chosen().resume_on_limit;
        if let Some(body) = appointment(self.task(), by_default, ids::now())
            && let Err(error) = self.write(vec![body]).await
        {
            self.cannot_write(&error);
        }
    }

    fn begin_purge(&mut self) {
        self.purge_at = None;
        self.seen.purge_due = true;
    }
}

/// An error event without an agent line.
fn error(class: ErrorClass, message: String) -> Body {
    Body::Error {
        class,
        message,
        raw: None,
        raw_ref: None,
    }
}

/// Resolves at `at`; never without one.
async fn due(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Resolves with what became of the effect under way; never without one.
async fn doing(effect: &mut Option<BoxFuture<'static, Outcome>>) -> Outcome {
    let outcome = match effect {
        Some(future) => future.await,
        None => std::future::pending().await,
    };
    *effect = None;
    outcome
}

/// Resolves with what became of the message under way; never without one.
async fn sending(
    message: &mut Option<BoxFuture<'static, Result<(), RelayError>>>,
) -> Result<(), RelayError> {
    let sent = match message {
        Some(future) => future.await,
        None => std::future::pending().await,
    };
    *message = None;
    sent
}

/// Runs `job` beside the runner.
fn job(future: impl Future<Output = ()> + Send + 'static) -> BoxFuture<'static, ()> {
    future.boxed()
}
