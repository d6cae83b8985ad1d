//! Whether the turn that is waited for is over, and how it ended.

use paddock_domain::{Body, Event, InputId, StateName, TurnId, TurnOutcome};
use tokio::time::Instant;

use crate::exit::Exit;

/// What is waited for, and how far it is.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The message whose turn it is; the first one's when absent.
    input: Option<InputId>,
    turn: Option<TurnId>,
    pub(super) outcome: Option<TurnOutcome>,
    stopping: bool,
    pub(super) ended_at: Option<Instant>,
}

impl Watch {
    /// Waits for the turn of the message `input`, or of the first.
    pub(super) fn of(input: Option<InputId>) -> Self {
        Self {
            input,
            ..Self::default()
        }
    }

    /// Takes note of an event; gives the state that the task entered with it.
    pub(super) fn take(&mut self, event: &Event) -> Option<StateName> {
        if let Body::UserMessage {
            input_id,
            during_turn,
            ..
        } = &event.body
        {
            let ours = self.input.as_ref().is_none_or(|input| input == input_id);
            // Said right behind our turn, without rest between: it was queued, and is followed too.
            let goes_on = self.outcome.is_some() && !during_turn;
            if goes_on || (ours && self.turn.is_none()) {
                self.turn.clone_from(&event.turn_id);
                self.outcome = None;
                self.ended_at = None;
            }
        } else if let Body::TurnFinished { outcome, .. } = &event.body {
            let ours = self.turn.is_some() && self.turn == event.turn_id;
            if ours && self.outcome.is_none() {
                self.outcome = Some(*outcome);
                self.ended_at = Some(Instant::now());
            }
        } else if let Body::StateChanged { to, .. } = &event.body {
            self.stopping |= matches!(to, StateName::Stopping | StateName::Purging);
            return Some(*to);
        }
        None
    }

    /// How it ended, once the task is in `state`; nothing when it goes on.
    pub(super) fn at_rest(&self, state: StateName) -> Option<Exit> {
        match state {
            StateName::Failed => Some(Exit::SetupFailed),
            StateName::Crashed if self.outcome.is_some() || self.turn.is_some() => {
                Some(Exit::TurnFailed)
            }
            StateName::Stopped | StateName::Purging | StateName::Purged => {
                Some(if self.stopping || self.outcome.is_none() {
                    Exit::Interrupted
                } else {
                    self.exit()
                })
            }
            StateName::Waiting => self.outcome.map(|_| self.exit()),
            StateName::Crashed
            | StateName::Pending
            | StateName::Branching
            | StateName::Provisioning
            | StateName::Starting
            | StateName::Running
            | StateName::Asking
            | StateName::HasPlan
            | StateName::Pulling
            | StateName::Pushing
            | StateName::Stopping => None,
        }
    }

    pub(super) fn exit(&self) -> Exit {
        match self.outcome {
            Some(TurnOutcome::Completed) => Exit::Well,
            Some(TurnOutcome::Interrupted) => Exit::Interrupted,
            Some(TurnOutcome::RunEnded) if self.stopping => Exit::Interrupted,
            Some(TurnOutcome::Failed | TurnOutcome::RunEnded) | None => Exit::TurnFailed,
        }
    }
}
