//! What boxes use: sampled every few seconds, kept for ten minutes, told to whoever watches.
//!
//! One sampler owns it all. It reads every box that runs in one go, makes rates of the differences, and
//! publishes; readers never wait and nothing is journalled. The sizes of directories are counted one box
//! at a time and so seldom that counting takes at most a hundredth of the time.
//!
//! Start at [`sample`].

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use paddock_boxes::{DiskCount, Measured, Meter, Reading};
use paddock_domain::{
    BoxKind, BoxLimits, DiskUse, Flow, Statistics, Task, TaskId, TaskState, Timestamp,
};
use tokio::sync::{broadcast, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::published::Published;
use crate::rooms::Rooms;
use crate::{CommandError, Orchestrator, ids};

/// How often every box is sampled.
const EVERY: Duration = Duration::from_secs(5);

/// How far back samples are kept.
const KEPT: Duration = Duration::from_secs(600);

/// Most samples of one box; what [`KEPT`] holds.
const SAMPLES_MAX: usize = 120;

/// How many samples a watcher may be behind before it misses some.
const BEHIND: usize = 1024;

/// How often the directory of one box is counted at most.
const DISK_EVERY: Duration = Duration::from_secs(60);

/// How often it is counted although the box hardly did anything.
const DISK_IDLE_EVERY: Duration = Duration::from_secs(1800);

/// A box that used less processor time than this since its directory was counted has not changed it
/// much, in nanoseconds.
const DISK_WORTH_NS: u64 = 200_000_000;

/// How many times as long as a count took no other is made.
const DISK_REST: u32 = 100;

/// What is known of one box.
#[derive(Clone, Debug)]
pub struct BoxGauge {
    /// What the box is.
    pub kind: BoxKind,
    /// Whether samples come: the box runs and can be asked.
    pub following: bool,
    /// What it may use.
    pub limits: BoxLimits,
    /// The last sample.
    pub latest: Option<Statistics>,
    /// The last ten minutes, oldest first.
    pub history: VecDeque<Statistics>,
}

impl BoxGauge {
    /// How often a sample comes, in milliseconds.
    pub const EVERY_MS: u64 = EVERY.as_secs() * 1000;
}

/// A sample of a box, as it comes.
#[derive(Clone, Debug)]
pub struct BoxSample {
    /// Whose box it is.
    pub task_id: TaskId,
    /// What it may use.
    pub limits: BoxLimits,
    /// The sample.
    pub statistics: Statistics,
}

/// All boxes that were sampled, by task.
pub type Gauges = Arc<BTreeMap<TaskId, Arc<BoxGauge>>>;

/// Where samples are read and heard. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Board {
    shown: watch::Sender<Gauges>,
    live: broadcast::Sender<Arc<BoxSample>>,
}

impl Board {
    pub(crate) fn new() -> Self {
        Self {
            shown: watch::Sender::new(Gauges::default()),
            live: broadcast::channel(BEHIND).0,
        }
    }

    /// The samples of a task's box that are kept, oldest first.
    pub(crate) fn history(&self, task: &TaskId) -> Vec<Statistics> {
        let gauges = self.shown.borrow();
        let gauge = gauges.get(task).filter(|gauge| gauge.following);
        gauge.map_or_else(Vec::new, |gauge| gauge.history.iter().copied().collect())
    }
}

impl Orchestrator {
    /// What the box of a task uses and used; none when it was not sampled yet.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub fn statistics(&self, id: &TaskId) -> Result<Option<Arc<BoxGauge>>, CommandError> {
        self.task(id)?;
        Ok(self.board.shown.borrow().get(id).cloned())
    }

    /// What all boxes use.
    #[must_use]
    pub fn all_statistics(&self) -> Gauges {
        self.board.shown.borrow().clone()
    }

    /// Samples of all boxes from now on. A receiver that falls behind misses some, and nothing else.
    #[must_use]
    pub fn statistics_feed(&self) -> broadcast::Receiver<Arc<BoxSample>> {
        self.board.live.subscribe()
    }
}

/// Samples for as long as it is polled. Where no box runs, nothing is looked at until the tasks change.
pub(crate) async fn sample(
    rooms: Arc<Rooms>,
    mut published: watch::Receiver<Published>,
    board: Board,
) {
    let mut sampler = Sampler {
        meter: Meter::new(rooms.boxes.clone()),
        rooms,
        board,
        kept: BTreeMap::new(),
        counting: None,
        rest_until: Instant::now(),
    };
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let snapshot = published.borrow_and_update().snapshot.clone();
        let running: Vec<TaskId> = snapshot
            .tasks
            .values()
            .filter(|task| runs(task))
            .map(|task| task.task_id.clone())
            .collect();
        sampler
            .kept
            .retain(|task, _| snapshot.tasks.contains_key(task));
        let measured = sampler.meter.read(&running).await;
        sampler.count().await;
        sampler.take(measured, Instant::now(), ids::now());
        sampler.publish();
        if running.is_empty() && sampler.counting.is_none() {
            // After this long, what is kept is out of date: it is let go.
            let changed = timeout(KEPT, published.changed()).await;
            if matches!(changed, Ok(Err(_))) {
                return;
            }
        }
    }
}

/// Whether the task's box should run now.
fn runs(task: &Task) -> bool {
    let state = task.machine();
    state.has_run() || matches!(state, TaskState::Starting { .. })
}

struct Sampler {
    rooms: Arc<Rooms>,
    meter: Meter,
    board: Board,
    kept: BTreeMap<TaskId, Kept>,
    counting: Option<(TaskId, Instant, JoinHandle<Option<DiskCount>>)>,
    rest_until: Instant,
}

/// What is remembered of one box.
struct Kept {
    gauge: BoxGauge,
    last: Option<(Reading, Instant)>,
    peak: u64,
    disk: Option<DiskUse>,
    /// When its directory was counted last, and what processor time the box had used by then.
    counted: Option<(Instant, u64)>,
}

impl Sampler {
    /// Makes samples of what was measured at `now`.
    fn take(&mut self, measured: BTreeMap<TaskId, Measured>, now: Instant, at: Timestamp) {
        for (task, kept) in &mut self.kept {
            kept.gauge.following = measured.contains_key(task);
            if !kept.gauge.following {
                // What comes next is another life of the box: nothing can be said of the time between.
                kept.last = None;
            }
        }
        for (task_id, measured) in measured {
            let kept = self
                .kept
                .entry(task_id.clone())
                .or_insert_with(|| Kept::new(&measured));
            let Some(statistics) = kept.take(&measured, now, at) else {
                continue;
            };
            let limits = measured.limits;
            let sample = BoxSample {
                task_id,
                limits,
                statistics,
            };
            // An error says that nobody listens.
            let _ = self.board.live.send(Arc::new(sample));
        }
        let oldest = at.plus_ms(-i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX));
        for kept in self.kept.values_mut() {
            let history = &mut kept.gauge.history;
            while history.len() > SAMPLES_MAX
                || history
                    .front()
                    .is_some_and(|sample| sample.sampled_at < oldest)
            {
                history.pop_front();
            }
        }
    }

    /// Takes the count that is done, and begins the next that is due.
    async fn count(&mut self) {
        if let Some((task, begun, counting)) = self.counting.take() {
            if !counting.is_finished() {
                self.counting = Some((task, begun, counting));
                return;
            }
            let taken = begun.elapsed();
            self.rest_until = Instant::now() + taken.saturating_mul(DISK_REST);
            if let (Ok(Some(count)), Some(kept)) = (counting.await, self.kept.get_mut(&task)) {
                kept.disk = Some(DiskUse {
                    bytes: count.bytes,
                    at_least: count.at_least,
                    measured_at: ids::now(),
                });
            }
        }
        let now = Instant::now();
        if now < self.rest_until {
            return;
        }
        let due = self
            .kept
            .iter_mut()
            .filter(|(_, kept)| kept.is_disk_due(now));
        // Who was never counted first, then who was counted longest ago.
        let next = due.min_by_key(|(_, kept)| kept.counted.map(|(at, _)| at));
        if let Some((task, kept)) = next {
            kept.counted = Some((now, kept.used_ns()));
            let (boxes, of) = (self.rooms.boxes.clone(), task.clone());
            let counting = tokio::spawn(async move { boxes.disk_count(&of).await.ok() });
            self.counting = Some((task.clone(), now, counting));
        }
    }

    fn publish(&self) {
        let gauges = self
            .kept
            .iter()
            .map(|(task, kept)| (task.clone(), Arc::new(kept.gauge.clone())));
        self.board.shown.send_replace(Arc::new(gauges.collect()));
    }
}

impl Kept {
    fn new(measured: &Measured) -> Self {
        Self {
            gauge: BoxGauge {
                kind: measured.kind,
                following: true,
                limits: measured.limits,
                latest: None,
                history: VecDeque::new(),
            },
            last: None,
            peak: 0,
            disk: None,
            counted: None,
        }
    }

    /// The sample of a reading; none for the first, which says nothing of rates.
    fn take(&mut self, measured: &Measured, now: Instant, at: Timestamp) -> Option<Statistics> {
        self.gauge.limits = measured.limits;
        self.peak = self.peak.max(measured.reading.memory);
        let (before, then) = self.last.replace((measured.reading, now))?;
        let sample = statistics(measured, before, now.duration_since(then));
        let sample = Statistics {
            sampled_at: at,
            memory_peak_bytes: self.peak,
            disk: self.disk,
            ..sample
        };
        self.gauge.latest = Some(sample);
        self.gauge.history.push_back(sample);
        Some(sample)
    }

    fn used_ns(&self) -> u64 {
        self.last.map_or(0, |(reading, _)| reading.cpu_ns)
    }

    fn is_disk_due(&self, now: Instant) -> bool {
        let Some((counted, used)) = self.counted else {
            return self.gauge.following;
        };
        let ago = now.duration_since(counted);
        let worth = self.used_ns().saturating_sub(used) >= DISK_WORTH_NS;
        self.gauge.following && (ago >= DISK_IDLE_EVERY || (worth && ago >= DISK_EVERY))
    }
}

/// What was used between two readings that lie `apart`.
fn statistics(measured: &Measured, before: Reading, apart: Duration) -> Statistics {
    let now = measured.reading;
    let seconds = apart.as_secs_f64().max(0.001);
    let per_s = |now: u64, before: u64| figure(now.saturating_sub(before)) / seconds;
    let rate = |now: u64, before: u64| rounded(per_s(now, before), 10.0);
    let flow = |now: Option<(u64, u64)>, before: Option<(u64, u64)>| {
        let (in_bytes, out_bytes) = now?;
        let (in_before, out_before) = before.unwrap_or((in_bytes, out_bytes));
        Some(Flow {
            in_bytes,
            out_bytes,
            in_per_s: rate(in_bytes, in_before),
            out_per_s: rate(out_bytes, out_before),
        })
    };
    let cpus = per_s(now.cpu_ns, before.cpu_ns) / 1e9;
    Statistics {
        sampled_at: Timestamp::default(),
        cpu_percent: rounded(cpus * 100.0, 100.0),
        cpu_share: rounded(
            (cpus / measured.limits.cpus.max(0.01)).clamp(0.0, 1.0),
            10_000.0,
        ),
        memory_bytes: now.memory,
        memory_peak_bytes: now.memory,
        processes: now.processes,
        network: flow(now.network, before.network),
        block_io: flow(now.disk, before.disk),
        disk: None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "rates need no 53 bits")]
fn figure(count: u64) -> f64 {
    count as f64
}

/// To one part in `parts`: more digits would be noise.
fn rounded(figure: f64, parts: f64) -> f64 {
    (figure * parts).round() / parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(cpu_ms: u64, memory: u64, network: Option<(u64, u64)>) -> Measured {
        Measured {
            kind: BoxKind::Container,
            limits: BoxLimits {
                cpus: 2.0,
                memory_bytes: 1000,
                processes: Some(9),
                enforced: true,
            },
            reading: Reading {
                cpu_ns: cpu_ms * 1_000_000,
                memory,
                processes: 3,
                network,
                disk: None,
            },
        }
    }

    #[test]
    fn rates_are_made_of_two_readings_and_the_first_says_none() {
        let (begun, at) = (Instant::now(), Timestamp::from_unix_ms(0));
        let first = measured(1000, 500, Some((10, 20)));
        let mut kept = Kept::new(&first);
        assert_eq!(kept.take(&first, begun, at), None);
        let second = measured(6000, 300, Some((1010, 20)));
        let sample = kept.take(&second, begun + EVERY, at).unwrap();
        assert!((sample.cpu_percent - 100.0).abs() < 1e-6, "{sample:?}");
        assert!((sample.cpu_share - 0.5).abs() < 1e-6, "{sample:?}");
        assert_eq!((sample.memory_bytes, sample.memory_peak_bytes), (300, 500));
        let network = sample.network.unwrap();
        assert!((network.in_per_s - 200.0).abs() < 1e-6, "{network:?}");
        assert!(network.out_per_s.abs() < 1e-6);
        assert_eq!(sample.block_io, None);
    }

    #[test]
    fn a_counter_that_starts_anew_makes_no_negative_and_no_giant_rate() {
        let before = measured(9000, 1, Some((900, 900))).reading;
        let sample = statistics(&measured(10, 1, Some((5, 5))), before, EVERY);
        assert!(sample.cpu_percent.abs() < 1e-9, "{sample:?}");
        assert!(sample.network.unwrap().in_per_s.abs() < 1e-9);
        let soon = statistics(&measured(9010, 1, None), before, Duration::ZERO);
        assert!(
            soon.cpu_percent.is_finite() && soon.cpu_share <= 1.0,
            "{soon:?}"
        );
    }

    #[test]
    fn a_directory_is_counted_at_most_each_minute_and_seldom_when_nothing_happens() {
        let begun = Instant::now();
        let mut kept = Kept::new(&measured(0, 1, None));
        assert!(kept.is_disk_due(begun));
        kept.counted = Some((begun, 0));
        kept.last = Some((measured(5000, 1, None).reading, begun));
        assert!(!kept.is_disk_due(begun + DISK_EVERY / 2));
        assert!(kept.is_disk_due(begun + DISK_EVERY));
        kept.counted = Some((begun, 5_000_000_000));
        assert!(!kept.is_disk_due(begun + DISK_EVERY));
        assert!(kept.is_disk_due(begun + DISK_IDLE_EVERY));
        kept.gauge.following = false;
        assert!(!kept.is_disk_due(begun + DISK_IDLE_EVERY));
    }
}
