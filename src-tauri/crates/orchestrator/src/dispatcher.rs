//! The dispatcher: owner of the set of tasks and of the places on each host.
//!
//! It never waits for a task. It starts a runner for each, passes orders on, and grants places in the order
//! in which tasks were created. Everything comes in through one closed enum, [`Input`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use paddock_boxes::BoxEvent;
use paddock_domain::{Action, Disk, HostName, LineEnd, StateName, Task, TaskId};
use paddock_store::Journal;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::live::{Feed, Ring};
use crate::published::Publisher;
use crate::rooms::Rooms;
use crate::runner::{ORDERS, Order, Runner};
use crate::{CommandError, Line, OrphanBox};

/// How many inputs may wait for the dispatcher.
pub(crate) const INPUTS: usize = 1024;

/// Everything the dispatcher hears of.
pub(crate) enum Input {
    /// A task, new or found at start, with its journal.
    Adopt(Box<Journal>),
    /// An order for a task; given back when it cannot be passed on.
    Order(
        TaskId,
        Box<Order>,
        oneshot::Sender<Result<(), CommandError>>,
    ),
    /// A task that nobody can serve: its journal does not open.
    Unserved(Arc<Task>),
    /// A task stands otherwise towards the places of its host.
    Moved(TaskId),
    /// A runner is done.
    RunnerEnded(TaskId),
    /// An engine or a disk says something about a box.
    Box(BoxEvent),
    /// What stands on the hosts and belongs to no task.
    Orphans(Vec<OrphanBox>),
    /// A task has rested for long: its journal is to be compressed.
    Settle(TaskId),
    /// A task's journal was found otherwise than it was left: what its conversation is to say of it.
    Tell(TaskId, Vec<String>),
    /// The last that was left of a task is removed.
    Forget(TaskId),
    /// The journals that were there at start are open.
    JournalsRead,
    /// Repositories that are not where their tasks know them, and why.
    Repositories(BTreeMap<String, String>),
    /// So many tasks may work at once on a host.
    Parallel(HostName, usize, oneshot::Sender<()>),
    /// The disk that holds the journals stands otherwise.
    Disk(Disk),
}

/// See the head of this file.
pub(crate) struct Dispatcher {
    rooms: Arc<Rooms>,
    own: mpsc::Sender<Input>,
    inputs: mpsc::Receiver<Input>,
    published: Publisher,
    all: Ring,
    runners: BTreeMap<TaskId, mpsc::Sender<Order>>,
    /// Orders for tasks that are known and whose runner is not up yet.
    early: BTreeMap<TaskId, Vec<Order>>,
    /// Tasks that were given a place and have not said yet that they took it.
    granted: BTreeSet<TaskId>,
    /// Tasks that know that they wait.
    told: BTreeSet<TaskId>,
    tracker: TaskTracker,
    stop: CancellationToken,
}

impl Dispatcher {
    pub(crate) fn new(
        rooms: Arc<Rooms>,
        channel: (mpsc::Sender<Input>, mpsc::Receiver<Input>),
        published: Publisher,
        all: Ring,
        tracker: TaskTracker,
        stop: CancellationToken,
    ) -> Self {
        let (own, inputs) = channel;
        let (runners, granted) = (BTreeMap::new(), BTreeSet::new());
        Self {
            rooms,
            own,
            inputs,
            published,
            all,
            runners,
            early: BTreeMap::new(),
            granted,
            told: BTreeSet::new(),
            tracker,
            stop,
        }
    }

    /// Serves until it is stopped; runners are told to end, agents are not.
    pub(crate) async fn run(mut self) {
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return,
                Some(input) = self.inputs.recv() => self.take(input),
            }
        }
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Adopt(journal) => self.start(*journal),
            Input::Order(task, order, reply) => {
                let _ = reply.send(self.pass_on(&task, *order));
            }
            Input::Unserved(task) => {
                self.published.show(task);
            }
            Input::Moved(task) => self.moved(&task),
            Input::RunnerEnded(task) => {
                self.runners.remove(&task);
                self.granted.remove(&task);
                self.grant();
            }
            Input::Box(event) => self.take_box_event(event),
            Input::Orphans(orphans) => self.published.change(|snapshot| {
                snapshot.orphans = orphans;
                snapshot.looked(|phases| phases.hosts = false);
            }),
            Input::Repositories(missing) => self.published.change(|snapshot| {
                snapshot.missing = missing;
                snapshot.looked(|phases| phases.repositories = false);
            }),
            Input::Tell(task, words) => {
                if let Some(orders) = self.runners.get(&task)
                    && orders.try_send(Order::Tell(words)).is_err()
                {
                    tracing::warn!(task.id = %task, "how its journal was found is only in this log");
                }
            }
            Input::Forget(task) => {
                self.published
                    .change(|snapshot| drop(snapshot.tasks.remove(&task)));
                self.published
                    .change_feeds(|feeds| drop(feeds.remove(&task)));
            }
            Input::Settle(task) => {
                if let Some(orders) = self.runners.get(&task) {
                    let _ = orders.try_send(Order::Settle); // one that is busy does not rest
                }
            }
            Input::JournalsRead => {
                // Orders for what could not be adopted are answered by being dropped.
                self.early.clear();
                self.published
                    .change(|snapshot| snapshot.looked(|phases| phases.journals = false));
            }
            Input::Parallel(host, limit, done) => {
                self.published.change(|snapshot| {
                    snapshot.parallel_on.insert(host, limit);
                });
                let _ = done.send(());
                self.grant();
            }
            Input::Disk(disk) => {
                self.published.change(|snapshot| snapshot.disk = disk);
                self.grant();
            }
        }
    }

    /// Starts the runner of a task.
    fn start(&mut self, journal: Journal) {
        let task = Arc::new(journal.task().clone());
        let id = task.task_id.clone();
        let feed = self.feed(&id);
        self.published.show(task.clone());
        if task.machine().is_terminal() {
            return;
        }
        let (orders, receiver) = mpsc::channel(ORDERS);
        let runner = Runner::new(
            self.rooms.clone(),
            journal,
            feed,
            self.published.clone(),
            self.own.clone(),
            receiver,
        );
        let (own, stop) = (self.own.clone(), self.stop.child_token());
        for early in self.early.remove(&id).unwrap_or_default() {
            // As many as there is room for were kept.
            let _ = orders.try_send(early);
        }
        self.runners.insert(id.clone(), orders);
        self.tracker.spawn(async move {
            runner.live(stop).await;
            let _ = own.send(Input::RunnerEnded(id)).await;
        });
        self.grant();
    }

    /// The feed of a task, made when it is new.
    fn feed(&self, id: &TaskId) -> Arc<Feed> {
        if let Some(feed) = self.published.now().feeds.get(id) {
            return feed.clone();
        }
        let feed = Arc::new(Feed::new(id.clone(), self.all.clone()));
        self.published
            .change_feeds(|feeds| drop(feeds.insert(id.clone(), feed.clone())));
        feed
    }

    /// Keeps an order for a task whose runner is about to start.
    fn keep_early(&mut self, id: &TaskId, order: Order) -> Result<(), CommandError> {
        let early = self.early.entry(id.clone()).or_default();
        if early.len() >= ORDERS {
            return Err(CommandError::Overloaded {
                what: "the task's list of orders",
            });
        }
        early.push(order);
        Ok(())
    }

    fn pass_on(&mut self, id: &TaskId, mut order: Order) -> Result<(), CommandError> {
        let loading = {
            let published = self.published.now();
            let known = published.snapshot.tasks.get(id);
            published.snapshot.phases.journals
                && known.is_some_and(|task| !task.machine().is_terminal())
        };
        let Some(orders) = self.runners.get(id) else {
            if loading {
                return self.keep_early(id, order);
            }
            return Err(match self.published.now().snapshot.tasks.get(id) {
                Some(task) => CommandError::NotNow {
                    action: order.action(),
                    state: task.state,
                },
                None => CommandError::no_such_task(id),
            });
        };
        if order.needs_place() && self.revives(id) {
            self.rooms.disk.admit()?;
        }
        if let Order::Move(end, rank, _) = &mut order {
            *rank = self.rank_at(id, *end);
        }
        if order.needs_place() && self.is_full(id) {
            return Err(CommandError::Overloaded {
                what: "the host: its parallel tasks",
            });
        }
        orders
            .try_send(order)
            .map_err(|_| CommandError::Overloaded {
                what: "the task's list of orders",
            })
    }

    /// The rank with which the task stands at `end` of the line of its host.
    fn rank_at(&self, id: &TaskId, end: LineEnd) -> i64 {
        let published = self.published.now();
        let task = published.snapshot.tasks.get(id);
        task.map_or(0, |task| {
            Line::of(&published.snapshot, &task.spec.host).rank_at(end)
        })
    }

    /// Whether an order that speaks to the task's agent would begin a run.
    fn revives(&self, id: &TaskId) -> bool {
        let published = self.published.now();
        let task = published.snapshot.tasks.get(id);
        task.is_some_and(|task| task.allowed.contains(&Action::Revive))
    }

    /// Whether a task without a place would get none now.
    fn is_full(&self, id: &TaskId) -> bool {
        let published = self.published.now();
        let Some(task) = published.snapshot.tasks.get(id) else {
            return false;
        };
        let revives = task.allowed.contains(&Action::Revive);
        revives && self.places_left(&Line::of(&published.snapshot, &task.spec.host)) == 0
    }

    /// A runner has shown its task in another state, or at another place in line.
    fn moved(&mut self, id: &TaskId) {
        let waits = {
            let published = self.published.now();
            let task = published.snapshot.tasks.get(id);
            task.is_some_and(|task| task.state == StateName::Pending)
        };
        if !waits {
            self.granted.remove(id);
            self.told.remove(id);
        }
        self.grant();
    }

    /// Gives free places to waiting tasks in their order, and tells the others once why they wait.
    fn grant(&mut self) {
        let snapshot = self.published.now().snapshot.clone();
        let waiting = snapshot.tasks.values().filter(|task| {
            task.state == StateName::Pending && !self.granted.contains(&task.task_id)
        });
        let hosts: BTreeSet<HostName> = waiting.map(|task| task.spec.host.clone()).collect();
        for host in hosts {
            self.grant_on(&Line::of(&snapshot, &host));
        }
    }

    fn grant_on(&mut self, line: &Line) {
        let mut left = self.places_left(line);
        for (at, task) in (1..).zip(&line.waiting) {
            let id = &task.task_id;
            let Some(orders) = self.runners.get(id).filter(|_| !self.granted.contains(id)) else {
                continue;
            };
            if left > 0 && line.held_up.is_none() {
                if orders.try_send(Order::PlaceGranted).is_ok() {
                    self.granted.insert(id.clone());
                    left -= 1;
                }
            } else if !self.told.contains(id)
                && orders.try_send(Order::Queued(line.reason(at))).is_ok()
            {
                self.told.insert(id.clone());
            }
        }
    }

    fn places_left(&self, line: &Line) -> usize {
        let granted = line
            .waiting
            .iter()
            .filter(|task| self.granted.contains(&task.task_id));
        line.limit.saturating_sub(line.held.len() + granted.count())
    }

    fn take_box_event(&self, event: BoxEvent) {
        for (task, order) in orders_of(event, self.runners.keys()) {
            if let Some(orders) = self.runners.get(&task)
                && orders.try_send(order).is_err()
            {
                tracing::warn!(task.id = %task, "a box event was not passed on; it is seen by the connection's end");
            }
        }
    }
}

/// Who is to hear of a box event, and as what.
fn orders_of<'a>(event: BoxEvent, all: impl Iterator<Item = &'a TaskId>) -> Vec<(TaskId, Order)> {
    match event {
        BoxEvent::Died { task_id, oom, .. } => {
            vec![(task_id, Order::BoxEnded { out_of_memory: oom })]
        }
        BoxEvent::Removed { task_id } | BoxEvent::Started { task_id } => {
            vec![(task_id, Order::BoxInDoubt)]
        }
        BoxEvent::OutOfMemory { task_id } => vec![(task_id, Order::MemoryUsedUp)],
        // Who runs on is seen by its connection.
        BoxEvent::EngineLost { .. } => Vec::new(),
        // What happened meanwhile is not told: every box is looked at again.
        BoxEvent::EngineBack => all.map(|task| (task.clone(), Order::BoxInDoubt)).collect(),
    }
}
