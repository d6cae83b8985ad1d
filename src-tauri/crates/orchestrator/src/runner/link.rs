//! The runner's account of its connection: since when it is broken, how often it was tried, and why.
//!
//! It is told to whoever watches the task and never written into the journal. What it says is a function
//! of what the planner sees and of the tries that failed; [`link_of`] is pure.
//!
//! How soon a break is noticed: the end of a connection at once, a connection that moves nothing within
//! [`RelayClient::STALL_NOTICED_WITHIN`], the end of a container by its engine's event or, where that was
//! missed, by either of the two; a machine that slept counts from when it woke.
//!
//! [`RelayClient::STALL_NOTICED_WITHIN`]: paddock_relay_client::RelayClient::STALL_NOTICED_WITHIN

use std::sync::Arc;
use std::time::Duration;

use paddock_boxes::LiveBox;
use paddock_domain::{Link, LinkState, RunId, Task, TaskState, Timestamp};
use paddock_relay_client::protocol::RelayId;
use tokio::time::Instant;

use super::{Note, Runner, ids, job};
use crate::plan::{BoxSeen, Observed, RunSeen};

/// After this long without the box, its user is told that it is lost; it is tried all the same.
pub(crate) const LOST_AFTER: Duration = Duration::from_secs(60);
/// Longest reason that is told, in characters.
const REASON_MAX: usize = 500;

/// What is known of the connection beyond what the planner needs.
#[derive(Debug, Default)]
pub(super) struct Connection {
    told: Option<Link>,
    broken: Option<Broken>,
    /// Why the box is not there, once it is known to be over or gone.
    pub(super) why: Option<String>,
    /// The relay whose log was followed last, and for which run.
    pub(super) log: Option<(RunId, RelayId)>,
    /// What was said last in the journal of what keeps the box from being reached.
    pub(super) noticed: Option<String>,
}

/// A connection that is lost, or not made yet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Broken {
    at: Timestamp,
    since: Instant,
    attempt: u32,
    reason: Option<String>,
    last_seq: u64,
}

impl Connection {
    /// Whether anybody was told of it: nobody is told of a task before its first event.
    pub(super) fn was_told(&self) -> bool {
        self.told.is_some()
    }

    /// Whether the box was told to be over, and no try to reach it has failed since.
    fn is_over(&self) -> bool {
        let over = |told: &Link| matches!(told.state, LinkState::Ended | LinkState::Gone);
        self.broken.is_none() && self.told.as_ref().is_some_and(over)
    }

    /// A try to connect failed. Gives whether it has been tried for long.
    pub(super) fn failed(&mut self, reason: &dyn std::fmt::Display, last_seq: u64) -> bool {
        let broken = self.broken.get_or_insert_with(|| Broken::now(last_seq));
        broken.attempt = broken.attempt.saturating_add(1);
        broken.reason = Some(reason.to_string().chars().take(REASON_MAX).collect());
        broken.since.elapsed() >= LOST_AFTER
    }

    /// The connection broke, or is to be made for the first time.
    pub(super) fn broke(&mut self, last_seq: u64) {
        self.broken.get_or_insert_with(|| Broken::now(last_seq));
    }

    /// It stands.
    pub(super) fn stands(&mut self) {
        self.broken = None;
        self.why = None;
    }

    /// The box is over or gone.
    pub(super) fn ended(&mut self, why: &str) {
        self.broken = None;
        self.why = Some(why.chars().take(REASON_MAX).collect());
    }
}

impl Broken {
    fn now(last_seq: u64) -> Self {
        Self {
            at: ids::now(),
            since: Instant::now(),
            attempt: 0,
            reason: None,
            last_seq,
        }
    }
}

impl Runner {
    /// Somebody says that the box may not be as we see it. A box that we are connected to is asked: what
    /// is said of it may be old news of an earlier life. Any other is looked at again.
    pub(super) fn doubt_box(&mut self, out_of_memory: bool) {
        let starved = out_of_memory.then(|| self.starvation());
        if let Some(place) = self.place.clone() {
            let notes = self.notes.0.clone();
            self.jobs.push(job(async move {
                if place.relay.ping().await.is_err() {
                    let _ = notes.send(Note::BoxSilent(place, starved)).await;
                }
            }));
            return;
        }
        match starved {
            Some(why) if self.seen.place != BoxSeen::Absent => self.box_over(true, &why),
            Some(_) | None => self.look_again(),
        }
    }

    /// Looks at once, whatever was seen before; not for a box that nobody misses.
    fn look_again(&mut self) {
        self.retry.now();
        match self.seen.place {
            BoxSeen::Absent if !misses_box(self.task()) => {}
            BoxSeen::Absent | BoxSeen::Ended { .. } => self.seen.place = BoxSeen::Unknown,
            BoxSeen::Unknown | BoxSeen::Unreached | BoxSeen::Standing => {}
        }
    }

    /// A box that was asked did not answer.
    pub(super) fn box_silent(&mut self, place: &Arc<LiveBox>, starved: Option<String>) {
        let is_ours = self
            .place
            .as_ref()
            .is_some_and(|ours| Arc::ptr_eq(ours, place));
        match starved {
            _ if !is_ours => {}
            Some(why) => self.box_over(true, &why),
            None => self.lose_box(),
        }
    }

    /// Tells the link where it has changed.
    pub(super) fn tell_link(&mut self) {
        let looking = matches!(self.seen.place, BoxSeen::Unknown | BoxSeen::Unreached);
        if looking && self.connection.is_over() {
            // It is looked at again, and is over until it is seen otherwise.
            return;
        }
        if looking {
            let last_seq = self.task().last_seq;
            self.connection.broke(last_seq);
        }
        let now = ids::now();
        let next_try = self.retry.at.map(|at| {
            let pause = at.saturating_duration_since(Instant::now());
            now.plus_ms(i64::try_from(pause.as_millis()).unwrap_or(i64::MAX))
        });
        let link = link_of(self.task(), &self.seen, &self.connection, next_try, now);
        if self
            .connection
            .told
            .as_ref()
            .is_none_or(|told| differs(told, &link))
        {
            self.feed.link(link.clone());
            self.connection.told = Some(link);
        }
    }
}

/// Whether a change is worth telling: not that a try is under way rather than waited for.
fn differs(told: &Link, link: &Link) -> bool {
    (told.state, told.attempt, &told.reason) != (link.state, link.attempt, &link.reason)
}

/// The link as everyone sees it.
fn link_of(
    task: &Task,
    seen: &Observed,
    connection: &Connection,
    next_try: Option<Timestamp>,
    now: Timestamp,
) -> Link {
    let run_is_open = task.run.as_ref().is_some_and(|run| run.exit.is_none());
    let state = match seen.place {
        BoxSeen::Absent if misses_box(task) => LinkState::Gone,
        BoxSeen::Absent => LinkState::None,
        BoxSeen::Ended { .. } => LinkState::Ended,
        BoxSeen::Standing if run_is_open && seen.run == RunSeen::Unknown => LinkState::Reconnecting,
        BoxSeen::Standing => LinkState::Connected,
        BoxSeen::Unknown | BoxSeen::Unreached if seen.silent => LinkState::Lost,
        BoxSeen::Unknown | BoxSeen::Unreached => LinkState::Reconnecting,
    };
    let since = |told: &Link| (told.state == state).then_some(told.since_at);
    let told_since = connection.told.as_ref().and_then(since);
    let broken = connection.broken.as_ref();
    let trying = matches!(state, LinkState::Reconnecting | LinkState::Lost);
    let broken = broken.filter(|_| trying);
    let over = matches!(state, LinkState::Ended | LinkState::Gone);
    Link {
        state,
        since_at: broken.map(|broken| broken.at).or(told_since).unwrap_or(now),
        attempt: broken.map_or(0, |broken| broken.attempt),
        next_try_at: next_try.filter(|_| trying),
        reason: match broken {
            Some(broken) => broken.reason.clone(),
            None => connection.why.clone().filter(|_| over),
        },
        last_seq: broken.map(|broken| broken.last_seq),
    }
}

/// Whether a task without a box should have one.
fn misses_box(task: &Task) -> bool {
    let made = task.box_name.is_some();
    made && match task.machine() {
        TaskState::Running
        | TaskState::Resting(_)
        | TaskState::Pulling(_)
        | TaskState::Pushing(_)
        | TaskState::Stopping
        | TaskState::Stopped
        | TaskState::Crashed => true,
        TaskState::Pending
        | TaskState::Branching
        | TaskState::Provisioning { .. }
        | TaskState::Starting { .. }
        | TaskState::Purging(_)
        | TaskState::Failed
        | TaskState::Purged => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(place: BoxSeen) -> Observed {
        Observed {
            has_place: true,
            place,
            run: RunSeen::None,
            syncing: false,
            bringing_out: false,
            purge_due: false,
            silent: false,
        }
    }

    fn task() -> Task {
        let event = serde_json::json!({
            "event_id": "e1", "ts": "2026-01-01T00:00:00.000Z", "seq": 1, "task_id": "t",
            "type": "session_started", "task_description": "t", "coding_provider": "scripted",
            "spec": {"prompt": "go", "harness": "scripted"},
        });
        Task::begin(&serde_json::from_value(event).unwrap()).unwrap()
    }

    fn link(seen: &Observed, connection: &Connection) -> Link {
        link_of(&task(), seen, connection, None, Timestamp::from_unix_ms(9))
    }

    #[tokio::test(start_paused = true)]
    async fn tries_are_counted_from_the_loss_and_forgotten_with_the_connection() {
        let mut connection = Connection::default();
        connection.broke(7);
        assert!(!connection.failed(&"no answer", 7));
        let shown = link(&seen(BoxSeen::Unreached), &connection);
        assert_eq!(
            (shown.state, shown.attempt, shown.last_seq),
            (LinkState::Reconnecting, 1, Some(7))
        );
        assert_eq!(shown.reason.as_deref(), Some("no answer"));
        tokio::time::advance(LOST_AFTER).await;
        assert!(connection.failed(&"no answer", 9), "it is not called lost");
        let lost = Observed {
            silent: true,
            ..seen(BoxSeen::Unreached)
        };
        let shown = link(&lost, &connection);
        assert_eq!(
            (shown.state, shown.attempt, shown.last_seq),
            (LinkState::Lost, 2, Some(7))
        );
        connection.stands();
        let shown = link(&seen(BoxSeen::Standing), &connection);
        assert_eq!((shown.state, shown.attempt), (LinkState::Connected, 0));
        assert_eq!(shown.reason, None);
    }

    #[test]
    fn a_box_that_is_over_and_looked_at_again_is_over_until_a_try_fails() {
        let mut connection = Connection::default();
        connection.ended("it is gone");
        assert!(!connection.is_over(), "nobody was told");
        let ended = BoxSeen::Ended {
            out_of_memory: false,
        };
        connection.told = Some(link(&seen(ended), &connection));
        assert!(connection.is_over());
        connection.failed(&"no answer", 7);
        assert!(!connection.is_over());
    }

    #[test]
    fn a_task_that_has_no_box_yet_misses_none() {
        let shown = link(&seen(BoxSeen::Absent), &Connection::default());
        assert_eq!(shown.state, LinkState::None);
    }
}
