//! What is told live, to any number of readers: a ring that is bounded in items and in bytes.
//!
//! A reader that is further behind than the ring reaches is cut off. A long item takes as many places as it
//! has pieces of [`PLACE`] bytes, so that the bytes that one stalled reader keeps alive are bounded too, by
//! [`BEHIND`] times [`PLACE`], however long the lines of an agent are.

use tokio::sync::broadcast;

use super::{LiveItem, StreamEnd};

/// How many places a reader may be behind before it is cut off.
const BEHIND: usize = 4096;
/// How many bytes of an item one place has room for.
const PLACE: usize = 16 << 10;

/// Where items are told. Clones are the same ring.
#[derive(Clone, Debug)]
pub(crate) struct Ring(broadcast::Sender<Option<LiveItem>>);

/// A reader of a ring.
#[derive(Debug)]
pub(crate) struct Heard(broadcast::Receiver<Option<LiveItem>>);

impl Ring {
    pub(crate) fn new() -> Self {
        Self(broadcast::channel(BEHIND).0)
    }

    /// Tells everybody; false when there is nobody.
    pub(crate) fn tell(&self, item: LiveItem) -> bool {
        let more = (item.bytes() / PLACE).min(BEHIND - 1);
        let heard = self.0.send(Some(item)).is_ok();
        if heard {
            for _ in 0..more {
                // Who went away meanwhile misses nothing.
                let _ = self.0.send(None);
            }
        }
        heard
    }

    /// A reader of what is told from now on.
    pub(crate) fn listen(&self) -> Heard {
        Heard(self.0.subscribe())
    }
}

impl Heard {
    /// What is told next.
    pub(crate) async fn next(&mut self) -> Result<LiveItem, StreamEnd> {
        loop {
            match self.0.recv().await {
                Ok(Some(item)) => return Ok(item),
                Ok(None) => {}
                Err(broadcast::error::RecvError::Lagged(_)) => return Err(StreamEnd::Slow),
                Err(broadcast::error::RecvError::Closed) => return Err(StreamEnd::Closed),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn item(bytes: usize) -> LiveItem {
        let json = Bytes::from(vec![b'x'; bytes]);
        LiveItem::History { seq: 1, json }
    }

    /// Tells `count` items of `bytes` each to a reader that does not read; gives how many it then gets.
    async fn got(count: usize, bytes: usize) -> usize {
        let ring = Ring::new();
        let mut reader = ring.listen();
        for _ in 0..count {
            assert!(ring.tell(item(bytes)));
        }
        let mut got = 0;
        while let Ok(Ok(_)) = tokio::time::timeout(std::time::Duration::ZERO, reader.next()).await {
            got += 1;
        }
        got
    }

    #[tokio::test]
    async fn a_reader_that_stalls_is_cut_off_by_items_and_by_bytes() {
        assert_eq!(got(BEHIND, 10).await, BEHIND);
        assert_eq!(got(BEHIND + 1, 10).await, 0);
        let megabyte = 1 << 20;
        let fit = BEHIND / (megabyte / PLACE + 1);
        assert_eq!(got(fit, megabyte).await, fit);
        assert_eq!(got(fit + 1, megabyte).await, 0);
    }

    #[tokio::test]
    async fn an_item_larger_than_the_whole_ring_is_still_told() {
        assert_eq!(got(1, BEHIND * PLACE * 2).await, 1);
    }

    #[test]
    fn nobody_listening_is_told() {
        assert!(!Ring::new().tell(item(1)));
    }
}
