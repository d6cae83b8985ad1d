//! Tasks that go on by themselves when a usage limit is lifted.
//!
//! When a turn ends at a limit and the user opted in, the runner journals when the task goes on. One watcher
//! looks at the clock of the wall every few seconds and says "go on" to those that are due, with an id that is
//! made from the appointment: however often Paddock dies or the clock jumps, it is said once. A task does so at
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
/// How often the clock is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);
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
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = ids::now();
        let snapshot = orchestrator.snapshot();
        for task in snapshot.tasks.values() {
            let Some(message) = due(task, now) else {
                continue;
            };
            if let Err(error) = orchestrator.send(&task.task_id, message).await {
                tracing::debug!(task.id = %task.task_id, %error, "a task that is to go on cannot yet");
            }
        }
    }
}

/// What is to be said to a task whose time has come.
fn due(task: &Task, now: Timestamp) -> Option<Message> {
    let resume_at = task.limit.as_ref()?.resume_at?;
    let late = now.unix_ms() - resume_at.unix_ms();
    if !(0..=LATE_MAX_MS).contains(&late) || is_over(task.machine()) {
        return None;
    }
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
        let at = |ms: i64| {
            let mut task = task(&limit(None), 1, true);
            task.limit.as_mut().unwrap().resume_at = Some(start().plus_ms(ms));
            due(&task, start())
        };
        assert!(at(1).is_none(), "a clock that jumped back waits");
        assert!(at(-LATE_MAX_MS - 1).is_none());
        let message = at(0).unwrap();
        assert_eq!(
            message.input_id.unwrap().as_str(),
            format!("resume-1-{}", start().unix_ms())
        );
    }
}
