//! The events of all tasks in one order, and a shelf of the latest to resume from.
//!
//! Each client has a place in that order and reads on from the shelf; nothing is queued for anybody. The
//! shelf is bounded, so a client that falls behind its end is slow and dropped, and one that comes back in
//! time misses nothing. A cursor is `<life>-<n>`: numbers of an earlier life mean nothing to this one.
//!
//! Start at [`Hub::follow`].

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use paddock_api::ResetReason;
use tokio::sync::watch;

use crate::frame;
use crate::lock::lock;

/// The events of all tasks.
pub(crate) struct Hub {
    shelf: Mutex<Shelf>,
    /// Rings when something was put on the shelf.
    bell: watch::Sender<()>,
}

struct Shelf {
    life: String,
    frames: VecDeque<Bytes>,
    bytes: usize,
    /// The number of the first frame on the shelf.
    first: u64,
}

/// Where a client that asked for a cursor begins.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// Where it asked for.
    There,
    /// With what comes now, and it has to forget what it knew.
    Anew(ResetReason),
}

/// One client's place.
pub(crate) struct Follower {
    hub: Arc<Hub>,
    life: String,
    next: u64,
    bell: watch::Receiver<()>,
}

impl Hub {
    /// Most frames on the shelf.
    pub(crate) const FRAMES_MAX: usize = 4096;
    /// Most bytes on the shelf; the last frame stays whatever its size.
    pub(crate) const BYTES_MAX: usize = 8 << 20;
    /// Most frames taken at once, so that no reader holds the shelf for long.
    const BATCH: usize = 64;

    pub(crate) fn new() -> Arc<Self> {
        let shelf = Shelf {
            life: new_life(),
            frames: VecDeque::new(),
            bytes: 0,
            first: 1,
        };
        Arc::new(Self {
            shelf: Mutex::new(shelf),
            bell: watch::Sender::new(()),
        })
    }

    /// Puts an event on the shelf.
    pub(crate) fn publish(&self, json: &[u8]) {
        let mut shelf = lock(&self.shelf);
        let cursor = format!("{}-{}", shelf.life, shelf.end());
        shelf.put(frame::event(&cursor, json));
        drop(shelf);
        self.bell.send_replace(());
    }

    /// Says that events were missed: every cursor so far is void, every client begins anew.
    pub(crate) fn break_off(&self) {
        let mut shelf = lock(&self.shelf);
        *shelf = Shelf {
            life: new_life(),
            frames: VecDeque::new(),
            bytes: 0,
            first: 1,
        };
        drop(shelf);
        self.bell.send_replace(());
    }

    /// A place behind `cursor`, or at the end without one.
    pub(crate) fn follow(self: &Arc<Self>, cursor: Option<&str>) -> (Follower, Start) {
        let bell = self.bell.subscribe();
        let shelf = lock(&self.shelf);
        let (next, start) = match cursor.map(|cursor| shelf.find(cursor)) {
            None => (shelf.end(), Start::There),
            Some(Ok(next)) => (next, Start::There),
            Some(Err(reason)) => (shelf.end(), Start::Anew(reason)),
        };
        let follower = Follower {
            hub: self.clone(),
            life: shelf.life.clone(),
            next,
            bell,
        };
        (follower, start)
    }
}

impl Shelf {
    /// The number that the next frame gets.
    fn end(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    fn put(&mut self, frame: Bytes) {
        self.bytes += frame.len();
        self.frames.push_back(frame);
        while self.frames.len() > Hub::FRAMES_MAX
            || (self.bytes > Hub::BYTES_MAX && self.frames.len() > 1)
        {
            let Some(oldest) = self.frames.pop_front() else {
                break;
            };
            self.bytes -= oldest.len();
            self.first += 1;
        }
    }

    /// The number of the frame behind `cursor`.
    fn find(&self, cursor: &str) -> Result<u64, ResetReason> {
        let (life, number) = cursor.rsplit_once('-').ok_or(ResetReason::UnknownCursor)?;
        let seen: u64 = number.parse().map_err(|_| ResetReason::UnknownCursor)?;
        if life != self.life || seen >= self.end() {
            return Err(ResetReason::UnknownCursor);
        }
        if seen + 1 < self.first {
            Err(ResetReason::TooOld)
        } else {
            Ok(seen + 1)
        }
    }
}

impl Follower {
    /// The cursor of the last frame that was taken.
    pub(crate) fn cursor(&self) -> String {
        format!("{}-{}", self.life, self.next.saturating_sub(1))
    }

    /// What is there to be sent now; nothing when this client fell behind and must come again.
    pub(crate) fn take(&mut self) -> Option<Vec<Bytes>> {
        let shelf = lock(&self.hub.shelf);
        if shelf.life != self.life {
            return None;
        }
        let skip = usize::try_from(self.next.checked_sub(shelf.first)?).ok()?;
        let taken: Vec<Bytes> = shelf
            .frames
            .iter()
            .skip(skip)
            .take(Hub::BATCH)
            .cloned()
            .collect();
        self.next += taken.len() as u64;
        Some(taken)
    }

    /// The next frames, as soon as there are some; nothing when this client must come again.
    pub(crate) async fn wait(&mut self) -> Option<Vec<Bytes>> {
        loop {
            self.bell.mark_unchanged();
            match self.take() {
                Some(frames) if frames.is_empty() => self.bell.changed().await.ok()?,
                taken => return taken,
            }
        }
    }
}

fn new_life() -> String {
    format!("{:08x}", rand::random::<u32>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(frames: &[Bytes]) -> Vec<String> {
        let data = |frame: &Bytes| {
            String::from_utf8_lossy(frame)
                .trim_end()
                .rsplit("data: ")
                .next()
                .unwrap()
                .to_owned()
        };
        frames.iter().map(data).collect()
    }

    #[test]
    fn a_client_that_comes_back_goes_on_behind_its_cursor() {
        let hub = Hub::new();
        let (mut first, start) = hub.follow(None);
        assert_eq!(start, Start::There);
        hub.publish(b"1");
        assert_eq!(texts(&first.take().unwrap()), ["1"]);
        let cursor = first.cursor();
        hub.publish(b"2");
        hub.publish(b"3");
        let (mut again, start) = hub.follow(Some(&cursor));
        assert_eq!(start, Start::There);
        assert_eq!(texts(&again.take().unwrap()), ["2", "3"]);
        assert_eq!(texts(&again.take().unwrap()), Vec::<String>::new());
    }

    #[test]
    fn a_cursor_taken_before_anything_happened_misses_nothing() {
        let hub = Hub::new();
        let cursor = hub.follow(None).0.cursor();
        hub.publish(b"1");
        let (mut follower, start) = hub.follow(Some(&cursor));
        assert_eq!(start, Start::There);
        assert_eq!(texts(&follower.take().unwrap()), ["1"]);
    }

    #[test]
    fn cursors_of_another_life_of_the_future_and_of_nobody_are_unknown() {
        let (hub, other) = (Hub::new(), Hub::new());
        let foreign = other.follow(None).0.cursor();
        let future = hub.follow(None).0.cursor().replace("-0", "-7");
        for cursor in [foreign.as_str(), &future, "", "x", "-", "1"] {
            let (_, start) = hub.follow(Some(cursor));
            assert_eq!(start, Start::Anew(ResetReason::UnknownCursor), "{cursor}");
        }
    }

    #[test]
    fn the_shelf_is_bounded_and_who_falls_behind_it_is_dropped() {
        let hub = Hub::new();
        let (mut slow, _) = hub.follow(None);
        let old = slow.cursor();
        let line = vec![b'x'; 1 << 20];
        for _ in 0..20 {
            hub.publish(&line);
        }
        assert!(lock(&hub.shelf).bytes <= Hub::BYTES_MAX);
        assert_eq!(slow.take(), None);
        assert_eq!(hub.follow(Some(&old)).1, Start::Anew(ResetReason::TooOld));
    }

    #[test]
    fn after_missed_events_everybody_begins_anew() {
        let hub = Hub::new();
        let (mut client, _) = hub.follow(None);
        hub.publish(b"1");
        hub.break_off();
        hub.publish(b"2");
        assert_eq!(client.take(), None);
    }

    #[tokio::test]
    async fn a_waiting_client_is_woken() {
        let hub = Hub::new();
        let (mut client, _) = hub.follow(None);
        let waiting = tokio::spawn(async move { client.wait().await });
        tokio::task::yield_now().await;
        hub.publish(b"1");
        assert_eq!(texts(&waiting.await.unwrap().unwrap()), ["1"]);
    }
}
