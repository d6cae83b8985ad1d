//! When to try again what failed: longer and longer pauses, up to a longest, and never in step.
//!
//! Many runners lose their boxes at the same instant, when an engine restarts. Each pause is therefore cut
//! by a share of its own, so that they do not all come back at once.

use std::time::Duration;

use tokio::time::Instant;

/// First and longest pause before something that failed is tried again.
pub(crate) const PAUSE: (Duration, Duration) =
    (Duration::from_millis(100), Duration::from_secs(10));

/// When to try again what failed.
#[derive(Debug, Default)]
pub(super) struct Retry {
    /// Nothing is tried before it.
    pub(super) at: Option<Instant>,
    failures: u32,
}

impl Retry {
    pub(super) fn failed(&mut self) {
        self.at = Some(Instant::now() + pause(self.failures, rand::random()));
        self.failures = self.failures.saturating_add(1);
    }

    /// How often it failed since it worked.
    pub(super) fn failures(&self) -> u32 {
        self.failures
    }

    pub(super) fn worked(&mut self) {
        *self = Self::default();
    }

    /// Tries at once, because something has changed; what failed before still counts.
    pub(super) fn now(&mut self) {
        self.at = None;
    }
}

/// The pause after `failures` earlier ones: between half of its length and all of it, by `share` of 0..1.
fn pause(failures: u32, share: f64) -> Duration {
    let whole = PAUSE.0.saturating_mul(1 << failures.min(10)).min(PAUSE.1);
    whole.mul_f64(0.5 + share.clamp(0.0, 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_longest_and_are_never_shorter_than_half() {
        let whole = [0, 1, 2, 3, 20].map(|n| pause(n, 1.0).as_millis());
        assert_eq!(whole, [100, 200, 400, 800, 10_000]);
        let half = [0, 1, 2, 3, 20].map(|n| pause(n, 0.0).as_millis());
        assert_eq!(half, [50, 100, 200, 400, 5_000]);
    }
}
