//! What a user may do with a task now. Sent to every client, so that none derives the rules again.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{StateName, TaskState, Transition};

/// One thing that a user can do with a task.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Send a message now; while the agent works it joins the turn.
    Send,
    /// Queue a message for after the turn; edit, move and remove what is queued.
    Queue,
    /// Answer a question or an approval, or decide on a plan.
    Answer,
    /// End the turn and keep the run.
    Interrupt,
    /// End the run and keep the box.
    Stop,
    /// Start the agent again in its box.
    Revive,
    /// Bring commits out and push them.
    Sync,
    /// Commit what the agent left uncommitted.
    Commit,
    /// Begin another task where this one stands.
    Fork,
    /// Let another agent go on with it.
    HandOff,
    /// Say that it need not be seen to until something new happens.
    PutAside,
    /// Say that it is to be seen to after all.
    TakeUp,
    /// Put it into the archive: no agent is left in it.
    Archive,
    /// Take it out of the archive.
    Unarchive,
    /// Remove the box after the recovery window.
    Purge,
    /// Take a purge back.
    Restore,
}

impl TaskState {
    /// What a user may do now as far as the state alone tells, in the order in which a client shows it.
    #[must_use]
    pub fn allowed(self) -> Vec<Action> {
        let can = |transition: Transition| self.apply(transition).is_ok();
        let agent_lives = self.has_run() && self != Self::Stopping;
        let works = agent_lives && !can(Transition::Engaged);
        let needs_answer = matches!(self.name(), StateName::Asking | StateName::HasPlan);
        let all = [
            (Action::Answer, needs_answer),
            (
                Action::Send,
                agent_lives || can(Transition::ReviveRequested),
            ),
            (
                Action::Queue,
                can(Transition::PurgeRequested) && self != Self::Failed,
            ),
            (Action::Interrupt, works || needs_answer),
            (Action::Stop, can(Transition::StopRequested)),
            (Action::Revive, can(Transition::ReviveRequested)),
            (Action::Commit, can(Transition::PullStarted)),
            (Action::Sync, can(Transition::PullStarted)),
            (Action::Fork, can(Transition::PullStarted)),
            (
                Action::HandOff,
                can(Transition::PullStarted) && self != Self::Running,
            ),
            (Action::Restore, can(Transition::PurgeUndone)),
            (Action::Purge, can(Transition::PurgeRequested)),
        ];
        all.into_iter()
            .filter_map(|(action, now)| now.then_some(action))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Need;

    fn check(state: TaskState, expected: &str) {
        let names: Vec<String> = state
            .allowed()
            .iter()
            .map(|action| serde_json::to_string(action).unwrap().replace('"', ""))
            .collect();
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn what_is_allowed_follows_from_the_machine() {
        check(TaskState::Pending, "queue purge");
        check(
            TaskState::Running,
            "send queue interrupt stop commit sync fork purge",
        );
        check(
            TaskState::Resting(Need::Prompt),
            "send queue stop commit sync fork hand_off purge",
        );
        check(
            TaskState::Resting(Need::Answers),
            "answer send queue interrupt stop commit sync fork hand_off purge",
        );
        check(TaskState::Stopping, "queue purge");
        check(
            TaskState::Stopped,
            "send queue revive commit sync fork hand_off purge",
        );
        check(TaskState::Failed, "purge");
        check(TaskState::Purged, "");
    }
}
