//! An agent that has a turn to do, and says and does nothing.
//!
//! It is called silent when its log has had nothing new for [`OrchestratorSettings::silent_after`] and its box
//! used next to no processor time meanwhile. Nothing is done to it: a command may be waiting for something. The
//! user is told and offered an interrupt or a restart. Where nobody can say what the box uses, it takes twice as
//! long.

use std::time::Duration;

use paddock_domain::{Body, Statistics, Timestamp};
use tokio::time::Instant;

use super::{Runner, ids};
use crate::plan::RunSeen;

/// Processor time of a box in which nobody works, in percent of one core: agents keep timers.
const IDLE_PERCENT: f64 = 2.0;
/// How often a silent agent is looked at again.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// When the agent was heard last, and when it is looked at next.
#[derive(Debug)]
pub(super) struct Silence {
    heard_at: Instant,
    look_at: Option<Instant>,
}

impl Default for Silence {
    fn default() -> Self {
        Self {
            heard_at: Instant::now(),
            look_at: None,
        }
    }
}

impl Silence {
    /// It was heard now.
    pub(super) fn heard(&mut self) {
        self.heard_at = Instant::now();
        self.look_at = None;
    }
}

impl Runner {
    /// When the agent is to be looked at; never while it has nothing to do or waits for the user.
    pub(super) fn silence_due(&self) -> Option<Instant> {
        let task = self.task();
        let works =
            self.seen.run == RunSeen::Live && task.turn.is_some() && !task.has_open_requests();
        let first = self.silence.heard_at + self.rooms.settings.silent_after;
        works.then(|| self.silence.look_at.unwrap_or(first))
    }

    /// Looks whether the agent works without a word.
    pub(super) async fn look_at_silence(&mut self) {
        let now = Instant::now();
        self.silence.look_at = Some(now + LOOK_EVERY.min(self.rooms.settings.silent_after));
        let quiet = now.duration_since(self.silence.heard_at);
        let known = self.task().silent_since.is_some();
        let window = if known { LOOK_EVERY } else { quiet };
        let oldest = ids::now().plus_ms(-millis(window));
        let used = self.rooms.board.history(&self.task().task_id);
        let body = match (verdict(&used, oldest), known) {
            (Some(true), true) => Body::AgentStirred {},
            (Some(true), false) => return self.silence.heard(),
            (_, true) => return,
            (Some(false), false) => self.fell_silent(quiet),
            (None, false) if quiet >= self.rooms.settings.silent_after * 2 => {
                self.fell_silent(quiet)
            }
            (None, false) => return,
        };
        if let Err(error) = self.write(vec![body]).await {
            self.cannot_write(&error);
        }
    }

    /// The agent said something that is not journalled.
    pub(super) async fn stir(&mut self) {
        self.silence.heard();
        if self.task().silent_since.is_some()
            && let Err(error) = self.write(vec![Body::AgentStirred {}]).await
        {
            self.cannot_write(&error);
        }
    }

    fn fell_silent(&self, quiet: Duration) -> Body {
        tracing::info!(task.id = %self.task().task_id, quiet_s = quiet.as_secs(), "the agent says and does nothing");
        Body::AgentSilent {
            since_at: ids::now().plus_ms(-millis(quiet)),
        }
    }
}

/// Whether the box worked since `oldest`, on the whole; nothing when nobody can say.
fn verdict(samples: &[Statistics], oldest: Timestamp) -> Option<bool> {
    let within = samples.iter().filter(|sample| sample.sampled_at >= oldest);
    let used: Vec<f64> = within.map(|sample| sample.cpu_percent).collect();
    if used.is_empty() {
        return None;
    }
    let count = u32::try_from(used.len()).unwrap_or(u32::MAX);
    Some(used.iter().sum::<f64>() / f64::from(count) >= IDLE_PERCENT)
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(at_ms: i64, cpu_percent: f64) -> Statistics {
        Statistics {
            sampled_at: Timestamp::from_unix_ms(at_ms),
            cpu_percent,
            cpu_share: 0.0,
            memory_bytes: 0,
            memory_peak_bytes: 0,
            processes: 1,
            network: None,
            block_io: None,
            disk: None,
        }
    }

    #[test]
    fn a_box_that_works_is_told_from_one_that_keeps_timers() {
        let oldest = Timestamp::from_unix_ms(1000);
        assert_eq!(verdict(&[], oldest), None);
        assert_eq!(
            verdict(&[sample(0, 90.0)], oldest),
            None,
            "older than the silence"
        );
        assert_eq!(
            verdict(&[sample(1000, 0.4), sample(2000, 0.9)], oldest),
            Some(false)
        );
        assert_eq!(
            verdict(&[sample(1000, 0.4), sample(2000, 40.0)], oldest),
            Some(true)
        );
    }
}
