//! When an engine that did not answer is asked again: after a pause that grows from one silence to the next.

use std::time::Duration;

use tokio::time::Instant;

/// First and longest time for which an engine that does not answer is left alone.
const PAUSE: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));

/// Whether the engine is left alone just now.
#[derive(Debug)]
pub(super) struct Patience {
    again: Option<Instant>,
    pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            again: None,
            pause: PAUSE.0,
        }
    }
}

impl Patience {
    /// Whether it may be asked at `now`.
    pub(super) fn may_ask(&self, now: Instant) -> bool {
        self.again.is_none_or(|at| at <= now)
    }

    /// It did not answer.
    pub(super) fn silent(&mut self, now: Instant) {
        self.again = Some(now + self.pause);
        self.pause = (self.pause * 2).min(PAUSE.1);
    }

    /// It answered.
    pub(super) fn answered(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_their_limit_and_end_with_an_answer() {
        let (mut patience, mut now) = (Patience::default(), Instant::now());
        for seconds in [5, 10, 20, 40, 60, 60] {
            patience.silent(now);
            assert!(!patience.may_ask(now + Duration::from_secs(seconds - 1)));
            now += Duration::from_secs(seconds);
            assert!(patience.may_ask(now));
        }
        patience.answered();
        patience.silent(now);
        assert!(patience.may_ask(now + PAUSE.0));
    }
}
