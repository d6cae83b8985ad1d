//! How things end: a run, the turn it leaves open, a task.

use paddock_domain::{Action, Body, ErrorClass, Kept, RunExit, TaskState, Transition, TurnOutcome};
use paddock_store::StoreError;

use super::orders::Order;
use super::run::LiveRun;
use super::unheard::{Unheard, unheard};
use super::{Runner, error};
use crate::plan::RunSeen;

/// How much of the end of an agent's stderr goes into an error's text, in characters.
const TOLD: usize = 400;

impl Runner {
    /// Writes how the run ended, and closes what it left open.
    pub(super) async fn close_run(&mut self, exit: RunExit) {
        let exit = match self.hear_last_words(exit).await {
            Ok(exit) => exit,
            Err(error) => return self.cannot_write(&error),
        };
        self.starved.saw(exit);
        let run = self.run.take();
        let stderr_tail = run.as_ref().map(LiveRun::stderr_tail).unwrap_or_default();
        let unheard = match self.unheard(run.as_ref()).await {
            Ok(unheard) => unheard,
            Err(error) => {
                self.run = run;
                return self.cannot_write(&error);
            }
        };
        let unheard_since = unheard.since;
        let mut bodies = Vec::new();
        if !self.task().session_lost {
            bodies = self.left_open(run.as_ref(), exit, &stderr_tail);
        }
        bodies.extend(unheard.told());
        bodies.push(Body::RunEnded {
            exit,
            stderr_tail,
            unheard_since,
        });
        if let Err(error) = self.write(bodies).await {
            self.run = run;
            self.cannot_write(&error);
            return;
        }
        self.diffs = None;
        self.sending = None;
        self.seen.run = RunSeen::Over(exit);
        self.bring_out();
    }

    /// What the agent never got of what was said to it.
    fn unheard(
        &self,
        run: Option<&LiveRun>,
    ) -> impl Future<Output = Result<Unheard, StoreError>> + Send + use<> {
        let ended = self.open_run();
        let ended = ended.filter(|_| run.is_none_or(LiveRun::may_owe));
        // A run without its session ends for the next one, which hears what was said to it.
        let heard = run.filter(|_| !self.task().session_lost);
        let delivered = heard.map(LiveRun::delivered_all);
        let reader = self.rooms.store.reader(&self.task().task_id);
        let since = self.task().run_since_seq;
        async move {
            match ended {
                Some(run_id) => unheard(reader, since, &run_id, delivered).await,
                None => Ok(Unheard::default()),
            }
        }
    }

    /// What a run that ended leaves: its failure, its turn.
    fn left_open(&self, run: Option<&LiveRun>, exit: RunExit, stderr_tail: &str) -> Vec<Body> {
        let mut bodies = Vec::new();
        if let Some(explained) = run.and_then(LiveRun::explanation) {
            bodies.push(explained);
        } else if let Some(message) = self.explain(exit, stderr_tail) {
            bodies.push(error(ErrorClass::Agent, message));
        }
        if self.turn.is_some() {
            let (outcome, duration_ms) = (TurnOutcome::RunEnded, None);
            bodies.push(Body::TurnFinished {
                outcome,
                duration_ms,
            });
        }
        bodies
    }

    /// What to tell the user of an end that nobody asked for.
    fn explain(&self, exit: RunExit, stderr: &str) -> Option<String> {
        let starting = matches!(self.task().machine(), TaskState::Starting { .. });
        let how = match exit {
            RunExit::Code { code: 0 } if starting => "ended at once, without an error".to_owned(),
            RunExit::Code { code: 0 } => return None,
            RunExit::Code { code } => format!("ended with code {code}"),
            RunExit::Signal { signal } => self
                .killed_for_memory(exit)
                .unwrap_or_else(|| format!("was ended by signal {signal}")),
            RunExit::NotStarted => "could not be started".to_owned(),
            RunExit::Lost => match &self.connection.why {
                Some(why) => format!("is gone: {why}"),
                None => "is gone: its box or its relay ended under it".to_owned(),
            },
        };
        let harness = &self.task().spec.harness;
        let skip = stderr.chars().count().saturating_sub(TOLD);
        let said: String = stderr.chars().skip(skip).collect();
        let said = match said.trim() {
            "" => String::new(),
            said => format!(". Its last words: {said}"),
        };
        Some(format!("{harness} {how}{said}"))
    }

    /// Why a transition that is not plain was made.
    pub(super) fn cause_of(&self, transition: Transition) -> Option<String> {
        let unplain = matches!(transition, Transition::Failed | Transition::Crashed);
        let failure = self.task().failure.as_ref().filter(|_| unplain);
        failure.map(|failure| failure.message.clone())
    }

    pub(super) fn last_word(&self) -> Body {
        let task = self.task();
        Body::SessionEnded {
            success: task.last_outcome == Some(TurnOutcome::Completed),
            reason: "purged".to_owned(),
            total_tool_calls: task.tool_calls,
            total_turns: task.turns,
        }
    }

    /// Whether a run begun now would begin before the last one has ended: its end would close what
    /// belongs to the new one.
    pub(super) fn is_ending(&self) -> bool {
        let open = self
            .task()
            .run
            .as_ref()
            .is_some_and(|run| run.exit.is_none());
        open && self.task().allowed.contains(&Action::Revive)
    }

    /// The next order that waited for the end of a run that is over.
    pub(super) fn order_that_waited(&mut self) -> Option<Order> {
        if self.is_ending() {
            None
        } else {
            self.waiting.pop_front()
        }
    }
}

/// How a turn that is still open ends when `transition` happens in `state`: no prompt is left without
/// an end. A task that had not begun still owes its first turn when its purge is undone.
pub(crate) fn outcome_of(transition: Transition, state: TaskState) -> Option<TurnOutcome> {
    match transition {
        Transition::Failed => Some(TurnOutcome::Failed),
        Transition::Ended | Transition::Crashed | Transition::PurgeDone => {
            Some(TurnOutcome::RunEnded)
        }
        Transition::PurgeUndone => {
            (state != TaskState::Purging(Kept::Pending)).then_some(TurnOutcome::RunEnded)
        }
        Transition::Scheduled
        | Transition::Branched
        | Transition::BoxReady
        | Transition::Prompted
        | Transition::Resumed
        | Transition::Rested(_)
        | Transition::Engaged
        | Transition::PullStarted
        | Transition::PushStarted
        | Transition::Synced
        | Transition::StopRequested
        | Transition::ReviveRequested
        | Transition::PurgeRequested => None,
    }
}
