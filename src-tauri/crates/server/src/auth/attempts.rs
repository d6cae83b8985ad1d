//! Wrong tries, counted by peer in windows of time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// How often each peer was wrong lately.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    peers: HashMap<IpAddr, Window>,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    began: Instant,
    failures: u32,
}

impl Attempts {
    /// Wrong tries within one window before a peer has to wait.
    pub(crate) const MAX: u32 = 20;
    /// How long a window lasts, and with it the wait.
    pub(crate) const WINDOW: Duration = Duration::from_secs(60);
    /// Peers that are remembered; beyond it all are forgotten.
    const PEERS_MAX: usize = 1024;

    /// Counts a wrong try; the seconds that `peer` has to wait, if it has to.
    pub(super) fn failed(&mut self, peer: IpAddr, now: Instant) -> Option<u64> {
        if self.peers.len() >= Self::PEERS_MAX {
            self.peers
                .retain(|_, window| now.duration_since(window.began) < Self::WINDOW);
        }
        if self.peers.len() >= Self::PEERS_MAX {
            self.peers.clear();
        }
        let window = self.peers.entry(peer).or_insert(Window {
            began: now,
            failures: 0,
        });
        if now.duration_since(window.began) >= Self::WINDOW {
            *window = Window {
                began: now,
                failures: 0,
            };
        }
        window.failures = window.failures.saturating_add(1);
        self.must_wait(peer, now)
    }

    /// The seconds that `peer` has to wait before a try counts, if it has to.
    pub(super) fn must_wait(&self, peer: IpAddr, now: Instant) -> Option<u64> {
        let window = self.peers.get(&peer)?;
        let left = Self::WINDOW.checked_sub(now.duration_since(window.began))?;
        (window.failures > Self::MAX).then(|| left.as_secs().max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_that_is_wrong_too_often_waits_and_others_do_not() {
        let mut attempts = Attempts::default();
        let (bad, good) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        let start = Instant::now();
        for _ in 0..Attempts::MAX {
            assert_eq!(attempts.failed(bad, start), None);
        }
        assert_eq!(attempts.failed(bad, start), Some(60));
        assert_eq!(attempts.must_wait(good, start), None);
        assert_eq!(
            attempts.must_wait(bad, start + Attempts::WINDOW + Duration::from_secs(1)),
            None
        );
        assert_eq!(attempts.failed(bad, start + Attempts::WINDOW), None);
    }

    #[test]
    fn a_flood_of_peers_is_forgotten_in_time() {
        let mut attempts = Attempts::default();
        let now = Instant::now();
        for n in 0..5000_u32 {
            attempts.failed(IpAddr::from(n.to_be_bytes()), now);
        }
        assert!(attempts.peers.len() <= Attempts::PEERS_MAX);
    }
}
