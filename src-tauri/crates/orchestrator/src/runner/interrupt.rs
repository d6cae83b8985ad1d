//! Ending a turn.
//!
//! An interrupt is kept nowhere: by the time an agent is reached again the turn that it was meant for may be over.
//! So its user is answered when the relay has it for good or the turn is over without it, and refused plainly where
//! it cannot be brought there.

use std::time::Duration;

use paddock_domain::Action;
use tokio::sync::oneshot;

use super::orders::{Reply, answer};
use super::{Runner, ids, job};
use crate::CommandError;

/// How long it may take to reach the relay.
const DELIVERED_WITHIN: Duration = Duration::from_secs(30);

const NOT_REACHED: &str = "the agent cannot be reached just now and was not interrupted: interrupt it when it is reached again";
const BROKE_OFF: &str = "the run ended or the connection to the agent broke off before the interrupt was delivered: look whether its turn goes on, and interrupt it again";
const NOT_TAKEN: &str = "the agent takes no messages just now and is not interrupted yet: stop it if its turn does not end";

impl Runner {
    /// Ends the turn; answers when that is sure to reach the agent.
    pub(super) fn interrupt(&mut self, reply: Reply<()>) {
        let delivered = match self.say_interrupt() {
            Ok(delivered) => delivered,
            Err(refused) => return answer(reply, Err(refused)),
        };
        self.jobs.push(job(async move {
            let told = match tokio::time::timeout(DELIVERED_WITHIN, delivered).await {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) => Err(CommandError::conflict(BROKE_OFF)),
                Err(_) => Err(CommandError::conflict(NOT_TAKEN)),
            };
            answer(reply, told);
        }));
    }

    fn say_interrupt(&mut self) -> Result<oneshot::Receiver<()>, CommandError> {
        self.check(Action::Interrupt)?;
        self.check_jobs()?;
        let run = self
            .talking()
            .ok_or_else(|| CommandError::conflict(NOT_REACHED))?;
        let id = ids::new_event().into();
        let messages = run
            .codec()
            .interrupt(&id)
            .ok_or_else(|| CommandError::Bad {
                message: "this agent has no turn to interrupt, or cannot; stop it instead"
                    .to_owned(),
            })?;
        // Where there are none yet, they come under this id.
        let last = messages.last().map_or(id, |message| message.id.clone());
        if !run.say(messages) {
            return Err(CommandError::Overloaded {
                what: "the line of messages to the agent",
            });
        }
        Ok(run.interrupted_by(last))
    }
}
