//! What boxes use, read where the kernel counts it.
//!
//! A container is counted in its control group. Where the engine runs on this kernel the group is read
//! directly, which costs a tenth of a millisecond and goes on while the engine restarts; elsewhere (an
//! engine in a virtual machine) the engine is asked, which costs it several milliseconds a box. A worktree
//! box is counted by adding up the processes that descend from its relay: the relay adopts orphans, so
//! none gets away from it. All boxes are read in one go.
//!
//! Invariant: a process is believed to belong to a box only when the kernel says so, by a control group
//! that carries the container's id or by descent from a relay that carries the box's mark.
//!
//! Start at [`Meter::read`].

mod cgroup;
mod disk;
mod patience;
mod tree;

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use paddock_docker::{Engine, FirstProcess, Usage};
use paddock_domain::{BoxKind, BoxLimits, Network, TaskId};
use tokio::time::Instant;

use crate::locate::locate;
use crate::{BoxError, BoxRecord, Boxes, Stage, worktree};
use cgroup::Group;
pub use disk::DiskCount;
use patience::Patience;
use tree::{Root, Table};

/// What a box has used; the difference between two readings gives rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Processor time since the box started, in nanoseconds.
    pub cpu_ns: u64,
    /// Memory in use without page cache that can be dropped, in bytes.
    pub memory: u64,
    /// In a container processes and threads, in a worktree box processes.
    pub processes: u64,
    /// Bytes received and sent; none without a network of its own.
    pub network: Option<(u64, u64)>,
    /// Bytes read from disks and written to them; none where nobody counts them.
    pub disk: Option<(u64, u64)>,
}

/// A box that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// What the box is.
    pub kind: BoxKind,
    /// What it may use.
    pub limits: BoxLimits,
    /// What it has used.
    pub reading: Reading,
}

/// How long the engine may take to be found, or to say one thing of one box.
const ENGINE_TIME: Duration = Duration::from_secs(4);

/// How many boxes the engine is asked about at a time.
const ENGINE_ASKED: usize = 4;

/// Reads boxes again and again. One per data directory is enough.
pub struct Meter {
    boxes: Boxes,
    known: BTreeMap<TaskId, Known>,
    machine: Machine,
    patience: Patience,
}

/// A box that is read.
struct Known {
    record: BoxRecord,
    way: Way,
}

/// How a box is read.
#[derive(Clone, Debug)]
enum Way {
    /// It is looked for at the next reading.
    Unknown,
    /// The control group of its container.
    Group(Group),
    /// The engine, asked for the container of this id, because the group is not to be seen from here.
    Engine(String),
    /// The relay's descendants.
    Tree(Root),
}

/// What there is of this machine.
#[derive(Clone, Copy, Debug)]
struct Machine {
    cpus: f64,
    memory: u64,
}

impl Meter {
    /// A meter for `boxes`.
    #[must_use]
    pub fn new(boxes: Boxes) -> Self {
        Self {
            boxes,
            known: BTreeMap::new(),
            machine: Machine::look(),
            patience: Patience::default(),
        }
    }

    /// Reads the boxes of `tasks`. One that does not run, or cannot be asked, is not in the answer.
    pub async fn read(&mut self, tasks: &[TaskId]) -> BTreeMap<TaskId, Measured> {
        self.known.retain(|task, _| tasks.contains(task));
        for task in tasks {
            // Read each time: a limit may have been changed while the box runs.
            let record = self.boxes.record(task).ok().flatten();
            match record.filter(|record| record.stage == Stage::Ready) {
                Some(record) => match self.known.get_mut(task) {
                    Some(known) => known.record = record,
                    None => {
                        let way = Way::Unknown;
                        self.known.insert(task.clone(), Known { record, way });
                    }
                },
                None => drop(self.known.remove(task)),
            }
        }
        self.locate().await;
        let mut readings = self.read_here().await;
        readings.extend(self.ask_engine().await);
        let known = &self.known;
        let measured = readings.into_iter().filter_map(|(task, reading)| {
            let record = &known.get(&task)?.record;
            let measured = Measured {
                kind: record.kind,
                limits: self.machine.limits(record),
                reading,
            };
            Some((task, measured))
        });
        measured.collect()
    }

    /// Finds out how boxes can be read that were not read before, or could not be read any more.
    async fn locate(&mut self) {
        for (task, known) in &mut self.known {
            if matches!(known.way, Way::Unknown) && known.record.kind == BoxKind::Worktree {
                let mark = worktree::mark(task, &self.boxes.inner.data_mark);
                let relay = self.boxes.dirs(task).relay;
                if let Some(root) = tree::root(&relay, worktree::MARK, &mark) {
                    known.way = Way::Tree(root);
                }
            }
        }
        let unknown =
            self.asked_of(|known| matches!(known.way, Way::Unknown).then(|| known.record.clone()));
        let mark = self.boxes.inner.data_mark.clone();
        let look = |engine: Engine, record: BoxRecord| {
            let mark = mark.clone();
            async move {
                // By its label: what only has the name of the box is somebody else's.
                let Some(container) = locate(&engine, &record, &mark).await? else {
                    return Ok(None);
                };
                Ok(engine.first_process(&container.id).await?)
            }
        };
        for (task, first) in self.ask(unknown, look).await {
            if let Some(known) = self.known.get_mut(&task) {
                known.way = way_to(&known.record, first);
            }
        }
    }

    /// What the engine is to be asked about, for each container for which `what` gives something.
    fn asked_of<T>(&self, what: impl Fn(&Known) -> Option<T>) -> Vec<(TaskId, T)> {
        let containers = self
            .known
            .iter()
            .filter(|(_, known)| known.record.kind == BoxKind::Container);
        containers
            .filter_map(|(task, known)| Some((task.clone(), what(known)?)))
            .collect()
    }

    /// Asks the engine about each box, a few at a time; gives what it said in time. An engine that is
    /// silent is left alone from then on, for a while.
    async fn ask<Q, T, F>(
        &mut self,
        questions: Vec<(TaskId, Q)>,
        ask: impl Fn(Engine, Q) -> F,
    ) -> Vec<(TaskId, Option<T>)>
    where
        // Not `AsyncFn`: what it gives could not be sent to another thread.
        F: Future<Output = Result<Option<T>, BoxError>>,
    {
        if questions.is_empty() || !self.patience.may_ask(Instant::now()) {
            return Vec::new();
        }
        let found = tokio::time::timeout(ENGINE_TIME, self.boxes.engine()).await;
        let Ok(Ok(linked)) = found else {
            self.patience.silent(Instant::now());
            return Vec::new();
        };
        let mut answers = stream::iter(questions)
            .map(|(task, question)| {
                let asked = ask(linked.engine.clone(), question);
                async { (task, tokio::time::timeout(ENGINE_TIME, asked).await) }
            })
            .buffer_unordered(ENGINE_ASKED);
        let mut said = Vec::new();
        while let Some((task, answer)) = answers.next().await {
            match answer {
                Ok(Ok(answer)) => said.push((task, answer)),
                Ok(Err(BoxError::Engine(error))) if error.is_unreachable() => {
                    self.boxes.inner.link.note(&error).await;
                    self.patience.silent(Instant::now());
                    return said;
                }
                Ok(Err(error)) => tracing::debug!(task.id = %task, %error, "not to be read"),
                Err(_) => {
                    tracing::debug!(task.id = %task, "the engine was too slow to say what it uses");
                    self.patience.silent(Instant::now());
                    return said;
                }
            }
        }
        self.patience.answered();
        said
    }

    /// Reads everything that can be read on this machine, off the runtime's own threads.
    async fn read_here(&mut self) -> Vec<(TaskId, Reading)> {
        let ways = self
            .known
            .iter()
            .map(|(task, known)| (task.clone(), known.way.clone()));
        let here: Vec<_> = ways
            .filter(|(_, way)| matches!(way, Way::Group(_) | Way::Tree(_)))
            .collect();
        if here.is_empty() {
            return Vec::new();
        }
        let looked = tokio::task::spawn_blocking(move || look(here)).await;
        let mut readings = Vec::new();
        for (task, reading) in looked.unwrap_or_default() {
            match (reading, self.known.get_mut(&task)) {
                (Some(reading), _) => readings.push((task, reading)),
                (None, Some(known)) => known.way = Way::Unknown,
                (None, None) => {}
            }
        }
        readings
    }

    async fn ask_engine(&mut self) -> Vec<(TaskId, Reading)> {
        let asked = self.asked_of(|known| match &known.way {
            Way::Engine(id) => Some(id.clone()),
            Way::Unknown | Way::Group(_) | Way::Tree(_) => None,
        });
        let usage = |engine: Engine, id: String| async move { Ok(engine.usage(&id).await?) };
        let mut readings = Vec::new();
        for (task, usage) in self.ask(asked, usage).await {
            match (usage, self.known.get_mut(&task)) {
                (Some(usage), _) => readings.push((task, Reading::from(usage))),
                (None, Some(known)) => known.way = Way::Unknown,
                (None, None) => {}
            }
        }
        readings
    }
}

/// How the container of `record` is read whose first process is `first`.
fn way_to(record: &BoxRecord, first: Option<FirstProcess>) -> Way {
    let Some(first) = first else {
        return Way::Unknown;
    };
    let own_network = record.network != Network::None;
    let group = cgroup::find(first.pid, &first.container, own_network);
    group.map_or(Way::Engine(first.container), Way::Group)
}

/// Reads boxes on this machine; none for one that is gone.
fn look(here: Vec<(TaskId, Way)>) -> Vec<(TaskId, Option<Reading>)> {
    let trees = here.iter().any(|(_, way)| matches!(way, Way::Tree(_)));
    let table = if trees {
        Table::read()
    } else {
        Table::default()
    };
    let read = here.into_iter().map(|(task, way)| {
        let reading = match way {
            Way::Group(group) => group.read(),
            Way::Tree(root) => table.read_tree(root),
            Way::Unknown | Way::Engine(_) => None,
        };
        (task, reading)
    });
    read.collect()
}

impl Machine {
    fn look() -> Self {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let total = memory.lines().find_map(|line| {
            let kib = line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?;
            kib.parse::<u64>().ok()
        });
        Self {
            cpus: u32::try_from(cpus).map_or(1.0, f64::from),
            memory: total.unwrap_or(0).saturating_mul(1024),
        }
    }

    fn limits(self, record: &BoxRecord) -> BoxLimits {
        match record.kind {
            BoxKind::Container => BoxLimits {
                cpus: record.cpus.map_or(self.cpus, |cpus| cpus.min(self.cpus)),
                memory_bytes: record.memory_mib.saturating_mul(1 << 20),
                processes: Some(record.pids),
                enforced: true,
            },
            BoxKind::Worktree => BoxLimits {
                cpus: self.cpus,
                memory_bytes: self.memory,
                processes: None,
                enforced: false,
            },
        }
    }
}

impl From<Usage> for Reading {
    fn from(usage: Usage) -> Self {
        Self {
            cpu_ns: usage.cpu_ns,
            memory: usage.memory,
            processes: usage.pids,
            network: usage.network,
            disk: usage.disk,
        }
    }
}
