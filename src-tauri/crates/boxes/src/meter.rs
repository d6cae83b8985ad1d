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
mod tree;

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use paddock_docker::{Engine, Usage};
use paddock_domain::{BoxKind, BoxLimits, Network, TaskId};
use tokio::time::Instant;

use crate::{BoxRecord, Boxes, Stage, worktree};
use cgroup::Group;
pub use disk::DiskCount;
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

/// First and longest time for which an engine that does not answer is left alone.
const ENGINE_PAUSE: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));

/// How long the engine may take for one box.
const ENGINE_TIME: Duration = Duration::from_secs(4);

/// How many boxes the engine is asked about at a time.
const ENGINE_ASKED: usize = 4;

/// Reads boxes again and again. One per data directory is enough.
pub struct Meter {
    boxes: Boxes,
    known: BTreeMap<TaskId, Known>,
    machine: Machine,
    engine_again: Option<Instant>,
    engine_pause: Duration,
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
    /// The engine, because the group is not to be seen from here.
    Engine,
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
            engine_again: None,
            engine_pause: ENGINE_PAUSE.0,
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
        let engine = self.engine_when_needed().await;
        for (task, known) in &mut self.known {
            if !matches!(known.way, Way::Unknown) {
                continue;
            }
            match known.record.kind {
                BoxKind::Worktree => {
                    let mark = worktree::mark(task, &self.boxes.inner.data_mark);
                    let relay = self.boxes.dirs(task).relay;
                    if let Some(root) = tree::root(&relay, worktree::MARK, &mark) {
                        known.way = Way::Tree(root);
                    }
                }
                BoxKind::Container => {
                    let Some(engine) = &engine else { continue };
                    let found = engine.first_process(&known.record.name).await;
                    match found {
                        Ok(Some(first)) => {
                            let own_network = known.record.network != Network::None;
                            let group = cgroup::find(first.pid, &first.container, own_network);
                            known.way = group.map_or(Way::Engine, Way::Group);
                        }
                        Ok(None) => {}
                        Err(error) => tracing::debug!(task.id = %task, %error, "not to be read"),
                    }
                }
            }
        }
    }

    /// The engine, when a box can only be found or read through it and it is not left alone just now.
    async fn engine_when_needed(&mut self) -> Option<Engine> {
        let needed = self.known.values().any(|known| {
            known.record.kind == BoxKind::Container
                && matches!(known.way, Way::Unknown | Way::Engine)
        });
        let too_early = self.engine_again.is_some_and(|at| Instant::now() < at);
        if !needed || too_early {
            return None;
        }
        match self.boxes.engine().await {
            Ok(linked) => {
                self.engine_again = None;
                self.engine_pause = ENGINE_PAUSE.0;
                Some(linked.engine)
            }
            Err(_) => {
                self.engine_again = Some(Instant::now() + self.engine_pause);
                self.engine_pause = (self.engine_pause * 2).min(ENGINE_PAUSE.1);
                None
            }
        }
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
        let Some(engine) = self.engine_when_needed().await else {
            return Vec::new();
        };
        let asked = self
            .known
            .iter()
            .filter(|(_, known)| matches!(known.way, Way::Engine));
        let asked: Vec<_> = asked
            .map(|(task, known)| (task.clone(), known.record.name.clone()))
            .collect();
        let answers = asked.into_iter().map(|(task, name)| {
            let engine = engine.clone();
            async move {
                let usage = tokio::time::timeout(ENGINE_TIME, engine.usage(&name)).await;
                (task, usage)
            }
        });
        let answers: Vec<_> = stream::iter(answers)
            .buffer_unordered(ENGINE_ASKED)
            .collect()
            .await;
        let mut readings = Vec::new();
        for (task, usage) in answers {
            match usage {
                Ok(Ok(Some(usage))) => readings.push((task, Reading::from(usage))),
                Ok(Ok(None)) => {
                    if let Some(known) = self.known.get_mut(&task) {
                        known.way = Way::Unknown;
                    }
                }
                Ok(Err(error)) => self.boxes.inner.link.note(&error).await,
                Err(_) => {
                    tracing::debug!(task.id = %task, "the engine was too slow to say what it uses")
                }
            }
        }
        readings
    }
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
            Way::Unknown | Way::Engine => None,
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
