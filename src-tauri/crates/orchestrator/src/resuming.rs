//! Tasks that go on by themselves when a usage limit is lifted.
//!
//! When a turn ends at a limit and the user opted in, the runner journals when the task goes on. One watcher
//! looks at the clock of the wall while there is such an appointment, and says "go on" to those that are due,
//! with an id that is made from it: however often Paddock dies or the clock jumps, it is said once. A task does so at
//! most [`ATTEMPTS_MAX`] times until a turn ends well; a stop, a purge and a word of the user's cancel it.
//!
//! Start at [`appointment`].

use std::time::Duration;

use paddock_domain::{Body, InputId, Message, Task, TaskId, TaskState, Timestamp};

use crate::runner::Order;
use crate::{CommandError, Orchestrator, ids};

/// How often a task goes on by itself until a turn ends well.
const ATTEMPTS_MAX: u32 = 6;
/// After the time that the provider names: clocks differ.
const MARGIN_MS: i64 = 5_000;
/// A time that the provider names beyond this is not believed.
const HORIZON_MS: i64 = 8 * 24 * 60 * 60 * 1000;
/// First and longest pause where no time is named, in milliseconds.
const PAUSE_MS: (i64, i64) = (15 * 60 * 1000, 4 * 60 * 60 * 1000);
/// How often the clock is looked at while there is an appointment: at most, and at least, since it may jump
/// and a machine that sleeps counts no time.
const LOOK_EVERY: Duration = Duration::from_secs(2);
const LOOK_AT_LEAST: Duration = Duration::from_secs(30);
/// How long an appointment is tried to be kept that cannot be.
const LATE_MAX_MS: i64 = 24 * 60 * 60 * 1000;

/// What the agent hears.
const GO_ON: &str = "The usage limit is lifted. Go on where you left off.";

/// When `task` is to go on by itself, and for which time in a row; nothing when it is not to.
pub(crate) fn appointment(task: &Task, by_default: bool, now: Timestamp) -> Option<Body> {
    let limit = task.limit.as_ref()?;
    let wanted = task.spec.resume_on_limit.unwrap_or(by_default);
    let open = limit.resume_at.is_none() && !limit.cancelled && task.turn.is_none();
    if !wanted || !open || task.resumes >= ATTEMPTS_MAX || is_over(task.machine()) {
        return None;
    }
    let resume_at = resume_at(limit.resets_at, task.resumes, now)?;
    Some(Body::ResumeScheduled {
        resume_at,
        attempt: task.resumes + 1,
    })
}

fn resume_at(resets_at: Option<Timestamp>, attempts: u32, now: Timestamp) -> Option<Timestamp> {
    let pause = PAUSE_MS
        .0
        .saturating_mul(1 << attempts.min(10))
        .min(PAUSE_MS.1);
    match resets_at.map(|at| at.unix_ms() - now.unix_ms()) {
        Some(ahead) if ahead > HORIZON_MS => None,
        Some(ahead) if ahead > 0 => Some(now.plus_ms(ahead + MARGIN_MS)),
        // It was to be lifted by now, and is not: as if nothing had been said, but the first time.
        Some(_) if attempts == 0 => Some(now.plus_ms(MARGIN_MS)),
        Some(_) | None => Some(now.plus_ms(pause)),
    }
}

fn is_over(state: TaskState) -> bool {
    match state {
        TaskState::Purging(_) | TaskState::Purged | TaskState::Failed | TaskState::Stopping => true,
        TaskState::Pending
        | TaskState::Branching
        | TaskState::Provisioning { .. }
        | TaskState::Starting { .. }
        | TaskState::Running
        | TaskState::Resting(_)
        | TaskState::Pulling(_)
        | TaskState::Pushing(_)
        | TaskState::Stopped
        | TaskState::Crashed => false,
    }
}

/// Keeps appointments for as long as it is polled.
pub(crate) async fn keep(orchestrator: Orchestrator) {
    let mut published = orchestrator.published.clone();
    loop {
        let snapshot = published.borrow_and_update().snapshot.clone();
        let now = ids::now();
        let tasks = snapshot.tasks.values();
        let open: Vec<_> = tasks
            .filter_map(|task| Some((task, ahead(task, now)?)))
            .collect();
        let due = open.iter().filter(|(_, ahead)| ahead.is_zero());
        for (task, message) in due.filter_map(|(task, _)| Some((task, go_on(task)?))) {
            if let Err(error) = orchestrator.send(&task.task_id, message).await {
                tracing::debug!(task.id = %task.task_id, %error, "a task that is to go on cannot yet");
            }
        }
        // However many changes come meanwhile are one look.
        tokio::time::sleep(LOOK_EVERY).await;
        let changed = match open.iter().map(|(_, ahead)| *ahead).min() {
            Some(rest) => tokio::time::timeout(rest.min(LOOK_AT_LEAST), published.changed()).await,
            None => Ok(published.changed().await),
        };
        if matches!(changed, Ok(Err(_))) {
            return; // Paddock ends
        }
    }
}

/// How long until `task` is to go on by itself, nothing left when that is due; `None` where it has no appointment
/// that can be kept.
fn ahead(task: &Task, now: Timestamp) -> Option<Duration> {
    let resume_at = task.limit.as_ref()?.resume_at?;
    let ms = resume_at.unix_ms() - now.unix_ms();
    let kept = ms >= -LATE_MAX_MS && !is_over(task.machine());
    kept.then(|| Duration::from_millis(u64::try_from(ms).unwrap_or(0)))
}

/// What is said to a task whose time has come.
fn go_on(task: &Task) -> Option<Message> {
    let resume_at = task.limit.as_ref()?.resume_at?;
    let id = format!("resume-{}-{}", task.resumes, resume_at.unix_ms());
    // Without its id it could be said more than once.
    let input_id = InputId::parse(&id).ok()?;
    Some(Message {
        input_id: Some(input_id),
        text: GO_ON.to_owned(),
        attachments: Vec::new(),
    })
}

/// Doors.
impl Orchestrator {
    /// Whether a task that is held up by a usage limit goes on by itself. Its spec stays as it is: the next
    /// limit is met as that says.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when no limit holds it up.
    pub async fn resume_on_limit(&self, id: &TaskId, resume: bool) -> Result<(), CommandError> {
        self.order(id, |reply| Order::ResumeOnLimit(resume, reply))
            .await
    }
}

/// The appointment that a user asks for, or its end.
pub(crate) fn on_request(
    task: &Task,
    resume: bool,
    now: Timestamp,
) -> Result<Option<Body>, CommandError> {
    let Some(limit) = &task.limit else {
        return Err(CommandError::conflict(
            "no usage limit holds the task up (any more)",
        ));
    };
    if !resume {
        let is_news = limit.resume_at.is_some() || !limit.cancelled;
        return Ok(is_news.then_some(Body::ResumeCancelled {}));
    }
    if limit.resume_at.is_some() {
        return Ok(None);
    }
    let resume_at = resume_at(limit.resets_at, task.resumes, now).ok_or_else(|| {
        CommandError::conflict("the limit is lifted too far ahead to wait for: send a message then")
    })?;
    Ok(Some(Body::ResumeScheduled {
        resume_at,
        attempt: task.resumes + 1,
    }))
}

#[cfg(test)]
#[allow(clippy::wildcard_enum_match_arm)] // tests look for one kind
mod tests {
    use super::*;

    fn start() -> Timestamp {
        Timestamp::from_unix_ms(1_800_000_000_000)
    }

    fn task(limit: &str, resumes: u32, opted_in: bool) -> Task {
        let event = serde_json::json!({
            "event_id": "e1", "ts": "2026-01-01T00:00:00.000Z", "seq": 1, "task_id": "t",
            "type": "session_started", "task_description": "t", "coding_provider": "scripted",
            "spec": {"prompt": "go", "harness": "scripted", "resume_on_limit": opted_in},
        });
        let mut task = Task::begin(&serde_json::from_value(event).unwrap()).unwrap();
        task.limit = serde_json::from_str(limit).unwrap();
        task.resumes = resumes;
        task
    }

    fn limit(resets_at: Option<i64>) -> String {
        let resets = resets_at.map(|ms| format!(r#","resets_at":"{}""#, start().plus_ms(ms)));
        format!(
            r#"{{"reached_at":"{}"{}}}"#,
            start(),
            resets.unwrap_or_default()
        )
    }

    fn in_ms(task: &Task) -> Option<i64> {
        match appointment(task, false, start())? {
            Body::ResumeScheduled { resume_at, .. } => {
                Some(resume_at.unix_ms() - start().unix_ms())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_goes_on_when_the_provider_says_and_only_for_those_who_opted_in() {
        assert_eq!(
            in_ms(&task(&limit(Some(60_000)), 0, true)),
            Some(60_000 + MARGIN_MS)
        );
        assert_eq!(in_ms(&task(&limit(Some(60_000)), 0, false)), None);
        assert_eq!(in_ms(&task("null", 0, true)), None);
    }

    #[test]
    fn pauses_grow_where_no_time_is_named_and_end_at_a_number() {
        let pauses: Vec<_> = (0..8)
            .map(|n| in_ms(&task(&limit(None), n, true)))
            .collect();
        let minutes = |n: i64| Some(n * 60_000);
        assert_eq!(
            pauses,
            [
                minutes(15),
                minutes(30),
                minutes(60),
                minutes(120),
                minutes(240),
                minutes(240),
                None,
                None
            ]
        );
    }

    #[test]
    fn a_time_far_ahead_is_not_believed_and_a_past_one_is_tried_soon_once() {
        assert_eq!(in_ms(&task(&limit(Some(HORIZON_MS + 1)), 0, true)), None);
        assert_eq!(in_ms(&task(&limit(Some(-5)), 0, true)), Some(MARGIN_MS));
        assert_eq!(
            in_ms(&task(&limit(Some(-5)), 1, true)),
            Some(2 * PAUSE_MS.0)
        );
    }

    #[test]
    fn an_appointment_is_kept_once_it_is_due_and_never_much_later() {
        let mut task = task(&limit(None), 1, true);
        assert_eq!(
            ahead(&task, start()),
            None,
            "nothing to look at the clock for"
        );
        let mut at = |ms: i64| {
            task.limit.as_mut().unwrap().resume_at = Some(start().plus_ms(ms));
            (ahead(&task, start()), go_on(&task).unwrap())
        };
        assert_eq!(
            at(1).0,
            Some(Duration::from_millis(1)),
            "a clock that jumped back waits"
        );
        assert_eq!(at(-LATE_MAX_MS - 1).0, None);
        assert_eq!(at(-LATE_MAX_MS).0, Some(Duration::ZERO));
        let (ahead, message) = at(0);
        assert_eq!(ahead, Some(Duration::ZERO));
        assert_eq!(
            message.input_id.unwrap().as_str(),
            format!("resume-1-{}", start().unix_ms())
        );
    }
}
