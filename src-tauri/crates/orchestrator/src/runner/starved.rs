//! A box whose memory is used up: the kernel ends the process that takes most, and the engine tells.
//!
//! Mostly it is a command of the agent, and the box and its agent live on: a notice says why the command
//! ended. When it is the agent itself, its end says so; the engine's word may come before the agent's exit
//! or after it. When it is all of the box, its end says it (see [`super::link`]).

use std::time::Duration;

use paddock_domain::{Body, BoxKind, ErrorClass, NoticeLevel, RunExit, StateName};
use tokio::time::Instant;

use super::{Runner, error};

/// An agent that is killed within this time of its box's memory being used up was killed for it.
const BECAUSE: Duration = Duration::from_secs(5);

/// How often it is told at most: a box at its limit may lose a process every second.
const TELL_EVERY: Duration = Duration::from_secs(60);

/// What ends what takes too much memory.
const SIGKILL: i32 = 9;

/// When memory was used up, and when something was killed.
#[derive(Debug, Default)]
pub(super) struct Starved {
    at: Option<Instant>,
    told: Option<Instant>,
    agent_killed: Option<Instant>,
}

impl Starved {
    /// A run ended so.
    pub(super) fn saw(&mut self, exit: RunExit) {
        self.agent_killed = is_kill(exit).then(Instant::now);
    }

    fn lately(at: Option<Instant>) -> bool {
        at.is_some_and(|at| at.elapsed() < BECAUSE)
    }
}

fn is_kill(exit: RunExit) -> bool {
    exit == RunExit::Signal { signal: SIGKILL }
}

impl Runner {
    /// The engine says that a process of the box was ended for its memory.
    pub(super) async fn memory_used_up(&mut self) {
        let now = Instant::now();
        self.starved.at = Some(now);
        let body = if Starved::lately(self.starved.agent_killed.take())
            && self.task().state == StateName::Crashed
        {
            let harness = &self.task().spec.harness;
            error(
                ErrorClass::Agent,
                format!("{harness} was ended: {}", self.starvation()),
            )
        } else if self
            .starved
            .told
            .is_none_or(|told| told.elapsed() >= TELL_EVERY)
        {
            self.starved.told = Some(now);
            Body::Notice {
                level: NoticeLevel::Warning,
                phase: None,
                text: format!("a process in the box was ended: {}", self.starvation()),
            }
        } else {
            return;
        };
        if let Err(error) = self.write(vec![body]).await {
            self.cannot_write(&error);
        }
    }

    /// Why the agent was killed, when its box's memory was used up just before.
    pub(super) fn killed_for_memory(&self, exit: RunExit) -> Option<String> {
        let starved = is_kill(exit) && Starved::lately(self.starved.at);
        starved.then(|| format!("was ended: {}", self.starvation()))
    }

    /// What is told of memory that was used up, and what to do.
    pub(super) fn starvation(&self) -> String {
        let task = &self.task().task_id;
        let record = self.rooms.boxes.record(task).ok().flatten();
        let limit = record
            .filter(|record| record.kind == BoxKind::Container)
            .map(|record| format!(" (limit {} MB)", record.memory_mib));
        format!(
            "out of memory{}. Its work is kept; a larger limit holds from the next revival on: stop the \
             task, then `paddock revive --memory MIB`",
            limit.unwrap_or_default()
        )
    }
}
