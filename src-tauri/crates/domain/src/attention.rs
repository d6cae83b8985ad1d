//! What needs the user, what they have put aside, and what they have archived.
//!
//! A task needs the user where its state or its silence says so, and something called for them that they have
//! not put aside: marks name the last event that they knew of, so that what came meanwhile is never hidden by
//! one. What a user does by themselves, such as a sync, calls for nobody. All of it follows from the journal.
//!
//! Start at [`Task::record_attention`].

use crate::{Action, Body, Event, StateName, Task, TaskState, Transition};

impl Task {
    /// Folds in what an event means for who needs the user, and what may be done now; after all else.
    pub(crate) fn record_attention(&mut self, event: &Event) {
        if calls(&event.body) {
            self.called_seq = event.seq;
        } else if let Body::PutAside { up_to_seq } = event.body {
            self.aside_seq = self.aside_seq.max(up_to_seq);
        } else if let Body::TakenUp {} = event.body {
            self.aside_seq = 0;
        } else if let Body::Archived {} = event.body {
            self.archived_at = Some(event.ts);
        } else if begins_anew(&event.body) {
            self.archived_at = None;
        }
        self.needs_me = self.waits_for_user() && !self.is_aside() && self.archived_at.is_none();
        self.allowed = self.machine().allowed();
        let marks = self.marks();
        let last = |action: &Action| matches!(action, Action::Restore | Action::Purge);
        let at = self.allowed.iter().position(last);
        let at = at.unwrap_or(self.allowed.len());
        self.allowed.splice(at..at, marks);
    }

    /// Whether nothing was called for that the user has not put aside.
    #[must_use]
    pub fn is_aside(&self) -> bool {
        self.aside_seq > 0 && self.aside_seq >= self.called_seq
    }

    /// Whether the task goes on only with the user, so that no look at it settles what it needs.
    #[must_use]
    pub fn waits_for_answer(&self) -> bool {
        let asks = matches!(self.state, StateName::Asking | StateName::HasPlan);
        asks || self.silent_since.is_some()
    }

    /// Whether it waits for the user, put aside or not.
    fn waits_for_user(&self) -> bool {
        waits(self.state) || self.silent_since.is_some()
    }

    /// How the user may keep it in their lists now.
    fn marks(&self) -> Vec<Action> {
        let archived = self.archived_at.is_some();
        let back = self.waits_for_user() && self.is_aside() && !archived;
        let all = [
            (Action::PutAside, self.needs_me),
            (Action::TakeUp, back),
            (Action::Archive, !archived && is_over(self.machine())),
            (Action::Unarchive, archived && !self.machine().is_terminal()),
        ];
        let now = all.into_iter().filter(|(_, now)| *now);
        now.map(|(action, _)| action).collect()
    }
}

/// Whether a task is done: no agent is in it, and none will be unless the user says so.
fn is_over(state: TaskState) -> bool {
    matches!(
        state,
        TaskState::Stopped | TaskState::Crashed | TaskState::Failed
    )
}

/// Whether it is news that the user may have to see to.
fn calls(body: &Body) -> bool {
    if let Body::StateChanged { on, .. } = body {
        return matches!(
            on,
            Transition::Rested(_) | Transition::Resumed | Transition::Crashed | Transition::Failed
        );
    }
    matches!(
        body,
        Body::QuestionAsked(_)
            | Body::ApprovalRequested(_)
            | Body::PlanProposed(_)
            | Body::AgentSilent { .. }
    )
}

/// Whether it takes a task out of the archive.
fn begins_anew(body: &Body) -> bool {
    let revived = Transition::ReviveRequested;
    matches!(body, Body::Unarchived {})
        || matches!(body, Body::StateChanged { on, .. } if *on == revived)
}

/// Whether a task in this state waits for the user.
fn waits(state: StateName) -> bool {
    match state {
        StateName::Waiting
        | StateName::Asking
        | StateName::HasPlan
        | StateName::Crashed
        | StateName::Failed => true,
        StateName::Pending
        | StateName::Branching
        | StateName::Provisioning
        | StateName::Starting
        | StateName::Running
        | StateName::Pulling
        | StateName::Pushing
        | StateName::Stopping
        | StateName::Stopped
        | StateName::Purging
        | StateName::Purged => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::told;

    macro_rules! moved {
        ($on:literal) => {
            concat!(
                r#""type":"state_changed","from":"pending","to":"pending","on":"#,
                $on
            )
        };
    }

    const RUNS: [&str; 4] = [
        moved!(r#""scheduled""#),
        moved!(r#""branched""#),
        moved!(r#""box_ready""#),
        moved!(r#""prompted""#),
    ];
    const DONE: &str = moved!(r#"{"rested":"prompt"}"#);
    const ASKS: &str = moved!(r#"{"rested":"answers"}"#);
    const QUESTION: &str =
        r#""type":"question_asked","question_id":"q","text":"?","choices":[],"multiple":false"#;
    const STOP: [&str; 2] = [moved!(r#""stop_requested""#), moved!(r#""ended""#)];
    const ARCHIVED: &str = r#""type":"archived""#;

    fn after(lines: &[&str]) -> Task {
        told(&[&RUNS[..], lines].concat())
    }

    fn may(task: &Task, action: Action) -> bool {
        task.allowed.contains(&action)
    }

    #[test]
    fn what_is_put_aside_needs_nobody_until_something_new_is_called_for() {
        let aside = r#""type":"put_aside","up_to_seq":6"#;
        let task = after(&[DONE]);
        assert!(task.needs_me && may(&task, Action::PutAside));
        let task = after(&[DONE, aside]);
        assert!(!task.needs_me && may(&task, Action::TakeUp));
        assert!(!may(&task, Action::PutAside));
        let task = after(&[DONE, aside, moved!(r#""engaged""#), DONE]);
        assert!(task.needs_me, "another turn ended");
        let task = after(&[DONE, aside, r#""type":"taken_up""#]);
        assert!(task.needs_me && !may(&task, Action::TakeUp));
    }

    #[test]
    fn a_mark_hides_nothing_that_came_after_what_it_names() {
        let aside = r#""type":"put_aside","up_to_seq":6"#;
        let task = after(&[ASKS, QUESTION, aside]);
        assert!(task.needs_me, "the question is event 7");
        let aside = r#""type":"put_aside","up_to_seq":7"#;
        assert!(!after(&[ASKS, QUESTION, aside]).needs_me);
        assert!(after(&[ASKS, QUESTION, aside, QUESTION]).needs_me);
    }

    #[test]
    fn a_sync_calls_for_nobody() {
        let aside = r#""type":"put_aside","up_to_seq":6"#;
        let task = after(&[
            DONE,
            aside,
            moved!(r#""pull_started""#),
            moved!(r#""synced""#),
        ]);
        assert_eq!((task.state, task.needs_me), (StateName::Waiting, false));
        // What ends while it is brought out does.
        let task = after(&[moved!(r#""pull_started""#), DONE, moved!(r#""synced""#)]);
        assert_eq!((task.state, task.needs_me), (StateName::Waiting, true));
    }

    #[test]
    fn silence_needs_the_user_until_it_is_put_aside_or_ends() {
        let silent = r#""type":"agent_silent","since_at":"2026-01-01T00:00:00.000Z""#;
        let aside = r#""type":"put_aside","up_to_seq":6"#;
        assert!(after(&[silent]).needs_me);
        assert!(!after(&[silent, aside]).needs_me);
        assert!(!after(&[silent, r#""type":"agent_stirred""#]).needs_me);
    }

    #[test]
    fn only_a_task_without_an_agent_is_archived_and_one_that_goes_on_is_back() {
        let rests = after(&[DONE]);
        assert!(!may(&rests, Action::Archive));
        let over = after(&[DONE, STOP[0], STOP[1]]);
        assert!(may(&over, Action::Archive));
        let archived = after(&[moved!(r#""crashed""#), ARCHIVED]);
        assert!(archived.archived_at.is_some() && !archived.needs_me);
        assert!(may(&archived, Action::Unarchive) && !may(&archived, Action::Archive));
        let revive = moved!(r#""revive_requested""#);
        let back = after(&[moved!(r#""crashed""#), ARCHIVED, revive]);
        assert_eq!(back.archived_at, None);
        let out = after(&[moved!(r#""crashed""#), ARCHIVED, r#""type":"unarchived""#]);
        assert!(out.archived_at.is_none() && out.needs_me);
    }

    #[test]
    fn a_mark_is_nothing_that_happened_to_the_task() {
        let task = after(&[DONE, r#""type":"put_aside","up_to_seq":6"#]);
        assert_eq!(task.updated_at.to_string(), "2026-01-01T00:00:06.000Z");
        assert_eq!(task.last_seq, 7);
    }
}
